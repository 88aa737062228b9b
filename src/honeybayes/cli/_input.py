"""Model files and settings, as the commands get them from the user."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from honeybayes.cli._errors import UsageError
from honeybayes.cli._projects import is_project
from honeybayes.cli._reading import warn
from honeybayes.cli._settings import Parsers, parse_settings, switch, whole_number
from honeybayes.text import ATTRIBUTES, STOP_WORDS, TextAnalyzer
from honeybayes.utils.suggestions import did_you_mean

MOST_IN_PATH = 255  # characters; longer names are an error of the system


def load_classifier(path: str, encoder: str | None = None) -> Any:
    """Load a model that takes texts."""
    from sklearn.pipeline import Pipeline

    from honeybayes.classifier import TextClassifier
    from honeybayes.files import load_model

    if is_project(path):
        raise ValueError(
            f"{path} is a project file, not a model. Make a model of it first: honeybayes fit "
            f"{path} -o model.hb"
        )
    model = load_model(path, encoder=encoder)
    if not isinstance(model, TextClassifier | Pipeline):
        raise ValueError(
            f"{path} contains a {type(model).__name__}, which takes counts, not texts. The command "
            "line needs a TextClassifier, as `honeybayes fit` writes it."
        )
    return model


def find_class(classifier: Any, name: str | None) -> Any:
    """Return the class with this name, which may be a number in the model."""
    if name is None:
        return None
    by_name = {str(known): known for known in classifier.classes_.tolist()}
    if name not in by_name:
        raise ValueError(
            f"The model has no class {name!r}. Its classes are: {', '.join(by_name)}."
            f"{did_you_mean(name, by_name)}"
        )
    return by_name[name]


def find_seen(classifier: Any, texts: Sequence[str]) -> np.ndarray:
    """Return which texts the model has learned from; a pipeline of scikit-learn does not know."""
    if not hasattr(classifier, "has_seen") or not texts:
        return np.zeros(len(texts), dtype=bool)
    return classifier.has_seen(texts)


def text_settings(language: str, words: str, stop_words: Any) -> dict[str, Any]:
    """Return language and ``--words`` as parameters of `TextClassifier`.

    ``stop_words`` says what to do with stop words if ``--words`` does not.
    """
    given = parse_settings("--words", words, WORDS)
    if language == ATTRIBUTES:
        given.pop("stop_words", None)
        for name in ("stem", "ngram_range"):
            if name in given:
                raise UsageError(f"--words {name.replace('_', '-')} is for texts. Omit it.")
        return {"language": language, "stop_words": False, **given}
    TextAnalyzer(language, stop_words=False)  # raises ValueError if the language is unknown
    choice = given.pop("stop_words", stop_words)
    if choice and language not in STOP_WORDS:
        warn(f"No stop words are removed, because there is no list of them for {language}.")
        choice = False
    return {"language": language, "stop_words": choice, **given}


def _parse_range(typed: str) -> tuple[int, int]:
    parts = typed.split(",")
    if len(parts) != 2 or not all(part.strip().isdecimal() for part in parts):
        raise ValueError("it must be two integers such as 1,2.")
    lengths = int(parts[0]), int(parts[1])
    TextAnalyzer(stop_words=False, ngram_range=lengths)  # raises ValueError if out of range
    return lengths


def _parse_stop_words(typed: str) -> Any:
    choices = {"auto": "auto", "remove": True, "keep": False}
    of_python = {"True": True, "False": False}  # as messages of the library say
    if typed not in {**choices, **of_python}:
        raise ValueError(f"it must be one of {', '.join(choices)}.")
    return {**choices, **of_python}[typed]


WORDS: Parsers = {
    "stem": switch,
    "stop-words": _parse_stop_words,
    "min-df": whole_number(1),
    "ngram-range": _parse_range,
    "n-terms": whole_number(1),
}


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
    if not classes:
        raise ValueError("--classes names no class. Write 'name: words; name: words'.")
    return classes
