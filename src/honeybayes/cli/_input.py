"""Model files, tables and their columns, as the commands get them from the user."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from honeybayes.cli._messages import UsageError
from honeybayes.cli._options import (
    TAB,
    Parsers,
    join_settings,
    parse_settings,
    switch,
    whole_number,
)
from honeybayes.cli._projects import is_project
from honeybayes.tables import (
    Attributes,
    file_ending,
    find_class_folders,
    find_files,
    is_many,
    is_stream,
    open_table,
)
from honeybayes.text import ATTRIBUTES, STOP_WORDS, TextAnalyzer
from honeybayes.utils.labels import AUTO
from honeybayes.utils.printing import say_rows
from honeybayes.utils.suggestions import did_you_mean


def _parse_delimiter(typed: str) -> str:
    if not typed:
        raise ValueError(f"it must be a character such as ; or {TAB}.")
    return "\t" if typed in ("\\t", TAB) else typed


FORMAT_ALIASES = {"jsonl": "json-lines", "ndjson": "json-lines"}
OF_FILES: Parsers = {
    "format": lambda name: FORMAT_ALIASES.get(name.lower(), name),
    "delimiter": _parse_delimiter,
    "encoding": str,
    "sheet": str,
    "quotes": switch,
}
OF_LABELS: Parsers = {"keep-model-labels": switch, "fold-case": switch, "unlabeled": str}
OF_TRAINING: Parsers = {"many-classes": switch, "n-bins": whole_number(2)}


@dataclass(frozen=True)
class Reading:
    """How to read a table and its labels, as ``--read`` says; None means that it is detected."""

    format: str | None = None
    delimiter: str | None = None
    encoding: str | None = None
    sheet: str | None = None
    quotes: bool = True
    keep_model_labels: bool = False
    fold_case: bool = False
    unlabeled: str = AUTO
    many_classes: bool = False
    n_bins: int | None = None

    @classmethod
    def parse(cls, typed: str, *more: Parsers) -> "Reading":
        """Return the settings of ``--read``; ``more`` are those of this command."""
        parsers = dict(chain(OF_FILES.items(), *(each.items() for each in more)))
        return cls(**parse_settings("--read", typed, parsers))

    def of_pool(self) -> "Reading":
        """Return how to read the pool, whose format and sheet are its own."""
        return replace(self, format=None, sheet=None)

    def as_typed(self) -> str | None:
        """Return the settings as the user types them; None if there are none."""
        usual = Reading()
        given = {
            name.replace("_", "-"): value
            for name, value in vars(self).items()
            if value != getattr(usual, name)
        }
        return join_settings(given) or None

    def of_new_table(self) -> "Reading":
        """Return how to read another table of the same kind that has no labels."""
        return Reading(delimiter=self.delimiter, encoding=self.encoding, quotes=self.quotes)

    def of_file(self) -> dict[str, Any]:
        """Return the options of `open_table`."""
        return {name: getattr(self, name) for name in OF_FILES}

    def of_corpus(self) -> dict[str, Any]:
        """Return the options of `read_corpus`, some of whose formats have no quotes."""
        options = {name: getattr(self, name) for name in ("delimiter", "encoding", "sheet")}
        return options if self.quotes else {**options, "quotes": False}


def check_table(table: str, model: str | None = None) -> None:
    """Raise ValueError if the table is a model file, for example because the two are swapped."""
    from honeybayes.files import is_model_file

    if is_model_file(table):
        is_swapped = model is not None and not is_model_file(model)
        swapped = f": {model} and {table} seem to be swapped" if is_swapped else ""
        raise ValueError(f"{table} is a model file, not a table{swapped}.")
    check_one(table)


def check_one(table: str) -> None:
    """Raise ValueError for a pattern or a folder of tables, which most commands cannot read."""
    if not is_many(table):
        return
    folder = Path(table)
    if not find_class_folders(folder) and any(
        file_ending(each) != ".txt" for each in find_files(table)
    ):
        what = "folder of files" if folder.is_dir() else "pattern"
        raise ValueError(
            f"{table} is a {what}, but this command reads one table. Join the files into one."
        )


def warn(message: str) -> None:
    """Tell the user what was done with the table."""
    warnings.warn(message, UserWarning, stacklevel=3)


def warn_about_empty(n_rows: int, table: str) -> None:
    """Say how many rows have no text."""
    if n_rows:
        warn(f"{table}: {say_rows(n_rows, 'has no text and is', 'have no text and are')} left out.")


USUAL_TEXT = "text"  # the default name of the column


@dataclass
class AttributeColumns:
    """The columns that a user names with --attributes, and what was learned about them."""

    names: str
    n_bins: int | None = None
    learned: Attributes | None = None


TextColumn = str | AttributeColumns | Attributes


def choose_columns(
    text: str, attributes: str | None, bins: int | None, **others: Any
) -> TextColumn:
    """Return what the documents are made of; ``others`` are options that attributes exclude."""
    if attributes is None:
        if bins is not None:
            raise ValueError("--read n-bins is for columns of numbers. Use it with --attributes.")
        return text
    if text != USUAL_TEXT:
        raise UsageError("--text and --attributes exclude each other. Omit one of them.")
    for name, value in others.items():
        if value is not None:
            raise ValueError(f"--{name} is for texts. Omit it, or omit --attributes.")
    return AttributeColumns(attributes, bins)


def describe_columns(text: TextColumn) -> dict[str, Any]:
    """Return what a model file remembers of the columns."""
    if isinstance(text, AttributeColumns) and text.learned is not None:
        return {"attributes": text.learned.to_dict()}
    return {"text": text}


def text_column(
    classifier: Any, text: str | None, table: str = "-", reading: Reading | None = None
) -> str | Attributes:
    """Return the given name of the column with the text, or what the model remembers.

    If the table does not have the column that the model remembers, but one with the usual name,
    that one is used.
    """
    remembered = getattr(classifier, "table_", None) or {}
    if "attributes" in remembered:
        if text is not None:
            raise ValueError("The model was fitted with --attributes, not with texts. Omit --text.")
        return Attributes.from_dict(remembered["attributes"])
    name = text or remembered.get("text") or USUAL_TEXT
    if text is not None or name == USUAL_TEXT or is_stream(table) or Path(table).is_dir():
        return name
    try:
        rows = open_table(table, {"text": USUAL_TEXT}, **(reading or Reading()).of_file())
        columns = rows.columns or list(next(rows.frames).columns)
    except (ValueError, StopIteration):
        return name  # the error is raised again where it is explained
    if rows.format == "lines" or name in columns or set(name.split(",")) <= set(columns):
        return name
    warn(
        f"{table} has no column {name!r}, to which the model was fitted, so the texts are read "
        f"from the column {USUAL_TEXT!r}. Name another one with --text."
    )
    return USUAL_TEXT


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
