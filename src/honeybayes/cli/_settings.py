"""Settings inside options: --read, --words, --model and --classes."""

import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from click import BOOL, BadParameter, Choice, IntRange

from honeybayes.cli._output import UsageError, refuse
from honeybayes.text import ATTRIBUTES, TextAnalyzer
from honeybayes.utils.labels import AUTO
from honeybayes.utils.messages import did_you_mean
from honeybayes.zoo import is_model_name, settings_of, split_settings

Parsers = Mapping[str, Callable[[str], Any]]
YES, NO = "yes", "no"
FOR_FEW_LABELS, OUTLIERS, CALIBRATE = "FewLabels", "outliers", "calibrate"
TAB = "tab"  # which cannot be typed in most shells
FORMAT_ALIASES = {"jsonl": "json-lines", "ndjson": "json-lines"}
STOP_WORD_CHOICES = {"remove": True, "keep": False, "True": True, "False": False}
MOST = 2**31 - 1  # of a whole number; there are never more documents or terms
MOST_IN_PATH = 255  # characters; longer names are an error of the system


def parse_settings(option: str, typed: str, parsers: Parsers) -> dict[str, Any]:
    """Return settings by the name of their parameter; a switch without a value means yes.

    A value with spaces is in quotes. Raises UsageError that names the wrong word.
    """
    found: dict[str, Any] = {}
    words = shlex.shlex(typed, posix=True)
    words.whitespace_split, words.commenters, words.escape = True, "", ""
    try:
        given = [word.partition("=") for word in words]
    except ValueError as error:
        raise UsageError(f"{option}: a quote is not closed in {typed!r}.") from error
    for typed_name, has_value, value in given:
        name, parameter = typed_name.replace("_", "-"), typed_name.replace("-", "_")
        if name not in parsers:
            raise UsageError(
                f"{option} has no setting {name!r}. The settings are: {', '.join(parsers)}."
                f"{did_you_mean(name, list(parsers))}"
            )
        parser: Any = parsers[name]
        if not has_value and parser is not BOOL:
            raise UsageError(f"{option}: {name} needs a value: {name}=...")
        if parameter in found:
            raise UsageError(f"{option}: {name} is there twice. Leave out one of them.")
        try:
            found[parameter] = parser(value if has_value else YES)
        except (ValueError, BadParameter) as error:
            told = "it must be yes or no." if parser is BOOL else str(error)
            if isinstance(parser, IntRange):
                told = f"it must be a whole number, at least {parser.min} and at most {parser.max}."
            raise UsageError(f"{option}: {name}={value} is wrong: {told}") from error
    return found


def split_model(typed: str) -> tuple[str, Any]:
    """Split ``--model`` into a name with its settings, and ``calibrate`` of `TextClassifier`."""
    name, words = split_settings(typed)
    own = [word for word in words if word.partition("=")[0] == CALIBRATE]
    settings = [word for word in words if word not in own]
    if name == AUTO and settings == [f"{OUTLIERS}={NO}"]:
        settings = []
    if name == AUTO and settings[:1] in ([OUTLIERS], [f"{OUTLIERS}={YES}"]):
        name = FOR_FEW_LABELS  # the only one that can tell them
    elif name == AUTO and settings:
        raise UsageError(f"{AUTO} chooses the model, so {settings[0]} cannot be set. Name a model.")
    known = settings_of(name) if settings and is_model_name(name) else {}
    for word in (each.partition("=")[0] for each in settings):
        if known and word not in known:
            allowed = [CALIBRATE, *known]
            raise UsageError(
                f"--model: {name} has no setting {word!r}. Its settings are: {', '.join(allowed)}."
                f"{did_you_mean(word, allowed)}"
            )
    found = parse_settings("--model", " ".join(own), {CALIBRATE: BOOL})
    return " ".join([name, *settings]), AUTO if found.get(CALIBRATE, True) else None


def split_models(typed: str) -> list[str]:
    """Split ``--models`` at commas, but not inside "Rw,cMNB", nor in a list of numbers."""
    names: list[str] = []
    for part in typed.split(","):
        both = ",".join([*names[-1:], part])
        goes_on = is_model_name(both) and not is_model_name(names[-1]) if names else False
        if goes_on or (names and "=" in names[-1] and part.replace(".", "").isdecimal()):
            names[-1] = both
        else:
            names.append(part.strip())
    return names


def join_settings(settings: Mapping[str, Any]) -> str:
    """Return settings as they are typed, so that `parse_settings` returns them again."""
    words = []
    for name, value in settings.items():
        text = str(value)
        if isinstance(value, bool):
            text = YES if value else NO
        elif (name, value) == ("delimiter", "\t"):
            text = TAB
        is_plain = text and not set(text) & set(" \t\r\n'\"")
        words.append(f"{name.replace('_', '-')}={text if is_plain else shlex.quote(text)}")
    return " ".join(words)


def _parse_delimiter(typed: str) -> str:
    if not typed:
        raise ValueError(f"it must be a character such as ; or {TAB}.")
    return "\t" if typed in ("\\t", TAB) else typed


def _parse_range(typed: str) -> tuple[int, int]:
    parts = typed.split(",")
    if len(parts) != 2 or not all(part.strip().isdecimal() for part in parts):
        raise ValueError("it must be two integers such as 1,2.")
    lengths = int(parts[0]), int(parts[1])
    if lengths[1] > MOST:
        raise ValueError(f"it must be two integers such as 1,2, at most {MOST}.")
    TextAnalyzer(stop_words=False, ngram_range=lengths)  # raises ValueError if out of range
    return lengths


READ: Parsers = {
    "format": lambda name: FORMAT_ALIASES.get(name.lower(), name),
    "delimiter": _parse_delimiter,
    "encoding": str,
    "sheet": str,
    "quotes": BOOL,
}
READ_LABELS: Parsers = {**READ, "keep-model-labels": BOOL, "fold-case": BOOL, "unlabeled": str}
READ_TRAINING: Parsers = {**READ_LABELS, "many-classes": BOOL, "n-bins": IntRange(2, MOST)}
WORDS: Parsers = {
    "stem": BOOL,
    "stop-words": Choice([AUTO, *STOP_WORD_CHOICES]),
    "clean-html": BOOL,
    "min-df": IntRange(1, MOST),
    "ngram-range": _parse_range,
    "n-terms": IntRange(1, MOST),
}


def text_settings(
    language: str, words: str, stop_words: Any, attributes: str | None
) -> dict[str, Any]:
    """Return language and ``--words`` as parameters of `TextClassifier`.

    ``stop_words`` says what to do with stop words if ``--words`` does not.
    """
    given = parse_settings("--words", words, WORDS)
    typed = given.pop("stop_words", stop_words)
    choice = STOP_WORD_CHOICES.get(typed, typed)
    if attributes is not None:
        of_texts = {f"words {name}": name in given for name in ("stem", "ngram_range")}
        refuse("is for texts. Omit it.", **of_texts)
        return {"language": ATTRIBUTES, "stop_words": False, **given}
    if language != AUTO:
        TextAnalyzer(language)  # raises ValueError if it is unknown
    return {"language": language, "stop_words": choice, **given}


def parse_classes(text: str) -> dict[str, str]:
    """Read "name: words" of each class, from a file or separated by semicolons."""
    path = Path(text)
    is_file = len(text) < MOST_IN_PATH and path.is_file()
    if not is_file and ":" not in text and path.suffix == ".txt":
        raise ValueError(f"There is no file {text}. --classes takes a file, or names of classes.")
    lines = path.read_text(encoding="utf-8-sig").splitlines() if is_file else text.split(";")
    classes: dict[str, str] = {}
    for line in filter(str.strip, lines):
        name, _, words = line.partition(":")
        name = name.strip()
        if not name or name in classes:
            what = f"names {name!r} twice" if name else f"has no name before {line.strip()!r}"
            raise ValueError(f"--classes {what}. Write 'name: words; name: words'.")
        classes[name] = words.strip()
    if len(classes) == 1 and "," in next(iter(classes)) and not is_file:
        raise ValueError(
            f"--classes {text!r} names one class. Separate classes with ; not with a comma."
        )
    if not classes:
        raise ValueError("--classes names no class. Write 'name: words; name: words'.")
    return classes
