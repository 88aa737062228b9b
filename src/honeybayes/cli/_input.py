"""Model files, tables and settings, as the commands get them from the user."""

import shlex
import warnings
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from honeybayes.data import (
    Attributes,
    Corpus,
    detect_format,
    find_missing,
    read_attributes,
    read_corpus,
)
from honeybayes.data.tables import FORMAT_OF_ENDING, Table, file_ending, is_stream, open_table
from honeybayes.exceptions import FewDocumentsWarning
from honeybayes.text import ATTRIBUTES, STOP_WORDS, TextAnalyzer
from honeybayes.utils.labels import AUTO
from honeybayes.utils.suggestions import did_you_mean
from honeybayes.utils.tags import mark_of_unlabeled

UNLABELED = ""
PROJECT_ENDING = ".hbproject"
DEFAULT_LANGUAGE = "english"
USUAL_TEXT, USUAL_LABEL = "text", "label"  # the default names of the columns
MOST_KNOWN = 1_000_000  # texts that are compared with later ones
MOST_IN_PATH = 255  # characters; longer names are an error of the system
PARQUET = "parquet"
MAY_LACK_LABELS = ("csv", "json-lines", "excel", PARQUET)
MISSING = {"nan", "n/a", "na", "none", "null", "?"}  # other programs write these for "no label"
N_SHOWN, MOST_SHOWN = 5, 40  # names in a message, and characters of a name
MANY_ROWS = 20  # scikit-learn, too, warns about many classes from here on


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
            raise ValueError("--bins is for columns of numbers. Use it with --attributes.")
        return text
    if text != USUAL_TEXT:
        raise ValueError("--text and --attributes exclude each other. Omit one of them.")
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
    classifier: Any, text: str | None, table: str = "-", **options: Any
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
    if text is not None or name == USUAL_TEXT or is_stream(Path(table)) or Path(table).is_dir():
        return name
    try:
        # a wrong encoding is found when the table is read
        options["encoding"] = options.get("encoding") or "utf-8"
        rows = _open_rows(table, {"text": USUAL_TEXT}, **options)
        columns = rows.columns or list(next(rows.rows).cells)
    except (ValueError, StopIteration):
        return name  # the error is raised again where it is explained
    if rows.format == "lines" or name in columns or set(name.split(",")) <= set(columns):
        return name
    _warn(
        f"{table} has no column {name!r}, to which the model was fitted, so the texts are read "
        f"from the column {USUAL_TEXT!r}. Name another one with text=."
    )
    return USUAL_TEXT


def open_texts(
    table: str, text: TextColumn, more: Mapping[str, str | None], **options: Any
) -> Table:
    """Open a table whose first required column is the text, or the record of a row.

    ``more`` are other required columns by option, without those that are None. With an "id", the
    rows have no other cells.
    """
    others = {option: name for option, name in more.items() if name is not None}
    attributes = text.learned if isinstance(text, AttributeColumns) else text
    if isinstance(attributes, Attributes):
        if is_stream(Path(table)) and not file_ending(Path(table)):
            options["format"] = options.get("format") or "csv"
        rows = attributes.write_rows(_open_rows(table, others, **options))
    else:
        rows = _open_rows(table, {"text": str(attributes), **others}, **options)
    if others and rows.format == "lines":
        option, name = next(iter(others.items()))
        raise ValueError(f"{table} has one text per line and no column {name!r}. Omit --{option}.")
    return (
        _only_column(rows, others["id"], 1 + list(others).index("id")) if "id" in others else rows
    )


def _open_rows(table: str, required: Mapping[str, str], **options: Any) -> Table:
    """Open a table of any format that is read row by row, also Parquet."""
    ending = file_ending(Path(table))
    if options.get("format") == PARQUET or (not options.get("format") and ending == ".parquet"):
        from honeybayes.data.parquet import open_parquet

        return open_parquet(table, required, all_columns=True)
    return open_table(table, required, **options)


def _only_column(table: Table, name: str, at: int) -> Table:
    """Return a table whose rows have only the cell of one required column."""
    rows = (
        row._replace(
            cells={name: row.values[at]} if isinstance(row.cells, dict) else [row.values[at]]
        )
        for row in table.rows
    )
    return replace(table, columns=[name] if table.columns else [], rows=rows)


def find_row(table: str, text: TextColumn, wanted: str, id: str | None, **options: Any) -> str:
    """Return the text of one row of a table: by its id, or by its number, counted from 1."""
    check_table(table)
    rows = open_texts(table, text, {"id": id}, keep_blank=True, **options)
    found = []
    for number, (words, cells) in enumerate(rows.texts(), start=1):
        name: Any = number
        if id is not None:
            name = cells[id] if isinstance(cells, dict) else cells[0]
        if str(name).strip() == wanted.strip():
            found.append(words)
    if len(found) != 1:
        what = "no row" if not found else f"{len(found)} rows"
        raise ValueError(
            f"{table} has {what} {wanted!r}{f' in the column {id!r}' if id else ''}. Name one row "
            "by its number, counted from 1 without the header, or use --id with a column whose "
            "cells differ."
        )
    return found[0]


def find_seen(classifier: Any, texts: Sequence[str]) -> np.ndarray:
    """Return which texts the model has learned from; files of older versions do not know any."""
    if getattr(classifier, "digests_", None) is None or not texts:
        return np.zeros(len(texts), dtype=bool)
    return classifier.has_seen(texts)


def check_table(table: str, model: str | None = None) -> None:
    """Raise ValueError if the table is a model file, for example because the two are swapped."""
    from honeybayes.files import is_model_file

    if is_model_file(table):
        is_swapped = model is not None and not is_model_file(model)
        swapped = f": {model} and {table} seem to be swapped" if is_swapped else ""
        raise ValueError(f"{table} is a model file, not a table{swapped}.")


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


def text_settings(
    language: str,
    stem: bool,
    stop_words: str,
    min_df: int,
    ngram_range: str,
    n_terms: int | None,
) -> dict[str, Any]:
    """Return these options as parameters of `TextClassifier`."""
    if language == ATTRIBUTES:
        return {"language": language, "stop_words": False, "min_df": min_df, "n_terms": n_terms}
    TextAnalyzer(language, stop_words=False)  # raises ValueError if the language is unknown
    choice: Any = {"auto": "auto", "remove": True, "keep": False}[stop_words]
    if choice and language not in STOP_WORDS:
        _warn(f"No stop words are removed, because there is no list of them for {language}.")
        choice = False
    return {
        "language": language,
        "stop_words": choice,
        "stem": stem,
        "min_df": min_df,
        "ngram_range": _parse_range(ngram_range),
        "n_terms": n_terms,
    }


def _parse_range(text: str) -> tuple[int, int]:
    parts = text.split(",")
    if len(parts) != 2 or not all(part.strip().isdecimal() for part in parts):
        raise ValueError(f"--ngram-range must be two integers such as 1,2; got {text!r}.")
    lengths = int(parts[0]), int(parts[1])
    TextAnalyzer(stop_words=False, ngram_range=lengths)  # raises ValueError if out of range
    return lengths


def read_labeled(
    table: str,
    text: TextColumn,
    label: str,
    format: str | None,
    delimiter: str | None,
    encoding: str | None,
    quotes: bool,
    sheet: str | None = None,
    spellings: Sequence[str] | None = None,
    keep_model_labels: bool = False,
    unlabeled: str = AUTO,
    known: Sequence[str] = (),
    id: str | None = None,
) -> Corpus:
    """Read texts with their labels; the label of an unlabeled text is an empty string.

    Labels of ``unlabeled`` mean "no label", unless a model knows them as a class. With
    ``spellings``, labels that differ only in case are one label, if possible one of these.

    Of a project file, only the labels that a person gave are read; of a table, too, by default.
    """
    check_table(table)
    if is_project(table):
        from honeybayes.labeling import read_project

        if not isinstance(text, str):
            raise ValueError(f"{table} is a project of texts, which have no attributes.")
        return _without_empty(read_project(table), table)
    format = format or detect_format(table)
    options: dict[str, Any] = {"delimiter": delimiter, "encoding": encoding, "sheet": sheet}
    if not quotes:
        options["quotes"] = False
    if format in MAY_LACK_LABELS:
        options |= {"keep_unlabeled": True, "keep_model_labels": keep_model_labels}
    if format != "folders":
        options["id"] = id
    if not isinstance(text, str):
        corpus = _read_records(table, text, label, format, options)
    elif format == "folders":
        corpus = read_corpus(table, format=format, **options)
    else:
        corpus = read_corpus(table, format=format, text=text, label=label, **options)
    if not isinstance(corpus.documents, list):
        raise ValueError(f"{table} contains counts of terms. The command line needs texts.")
    corpus = _without_empty(corpus, table)
    corpus = _take_as_unlabeled(corpus, unlabeled, known)
    if spellings is not None:
        corpus = replace(corpus, labels=fold_labels(corpus.labels, spellings))
    classes, rows = np.unique(corpus.labels[corpus.labels != UNLABELED], return_counts=True)
    warn_about_classes(classes, rows, label, unlabeled, known)
    return corpus


def _take_as_unlabeled(corpus: Corpus, unlabeled: str, known: Sequence[str]) -> Corpus:
    """Empty the labels that mean "no label", and say which."""
    given = [mark.strip() for mark in unlabeled.split(",")]
    marks = find_missing(corpus.labels, known) if unlabeled == AUTO else given
    taken = np.isin(corpus.labels, [mark for mark in marks if mark])
    if not taken.any():
        return corpus
    names, counts = np.unique(corpus.labels[taken], return_counts=True)
    if unlabeled == AUTO:
        for name, count in zip(names.tolist(), counts.tolist(), strict=True):
            _warn(
                f"{_rows(count, 'has', 'have')} the label {name!r}, which is taken as no label. "
                "If it is a class, use --unlabeled ''."
            )
    return replace(corpus, labels=np.where(taken, UNLABELED, corpus.labels))


def _read_records(
    table: str,
    columns: AttributeColumns | Attributes,
    label: str,
    format: str,
    options: dict[str, Any],
) -> Corpus:
    if format == "folders":
        raise ValueError(f"{table} is a folder of texts, which has no columns. Omit --attributes.")
    options = {name: value for name, value in options.items() if value is not None}
    if isinstance(columns, Attributes):
        return read_attributes(table, label, columns, format=format, **options)[0]
    corpus, columns.learned = read_attributes(
        table,
        label,
        columns.names,
        n_bins=columns.n_bins,
        format=format,
        **options,
    )
    return corpus


def fold_labels(labels: np.ndarray, spellings: Sequence[str]) -> np.ndarray:
    """Write labels that differ only in case in one way: a known spelling, or the most frequent."""
    names, counts = np.unique(labels, return_counts=True)
    by_folded: dict[str, str] = {}
    for name in [*spellings, *names[np.argsort(-counts, kind="stable")].tolist()]:
        by_folded.setdefault(name.casefold(), name)
    known = set(spellings)
    return np.array(
        [name if name in known else by_folded[name.casefold()] for name in labels.tolist()]
    )


def check_labels_known(labels: np.ndarray, known: Sequence[str], table: str, column: str) -> None:
    """Raise ValueError if a model knows none of the labels, so that measures say nothing."""
    found = np.unique(labels).tolist()
    if not set(found) & set(known):
        alike = {name.casefold() for name in found} & {name.casefold() for name in known}
        what = "use --fold-case" if alike else "name the column with the labels with label="
        raise ValueError(
            f"{table}: the model knows none of the labels in the column {column!r}: "
            f"{_some(found)}. It knows: {_some(known)}. To measure it, {what}."
        )


def _some(names: Sequence[str]) -> str:
    shown = ", ".join(f"{name[:MOST_SHOWN]!r}" for name in names[:N_SHOWN])
    return shown if len(names) <= N_SHOWN else f"{shown} and {len(names) - N_SHOWN} more"


def has_labels(
    table: str,
    text: str,
    label: str,
    format: str | None,
    delimiter: str | None,
    encoding: str | None,
    quotes: bool,
    sheet: str | None = None,
) -> bool:
    """Return False for a file of lines, and for a table without the usual column of labels."""
    if is_project(table):
        return True
    format = format or FORMAT_OF_ENDING.get(file_ending(Path(table)))
    if (
        is_stream(Path(table))
        or label != USUAL_LABEL
        or format not in ("csv", "json-lines", "excel")
    ):
        return format != "lines"
    options: dict[str, Any] = {"delimiter": delimiter, "encoding": encoding, "quotes": quotes}
    rows = open_table(table, {"text": text}, format=format, sheet=sheet, **options)
    first: Any = next((row.cells for row in rows.rows), []) if not rows.columns else rows.columns
    return label in first


def is_project(table: str) -> bool:
    """Return True for a project file of `honeybayes label`, also if it is missing or damaged."""
    path = Path(table)
    if path.suffix == PROJECT_ENDING:
        return True
    if not path.is_file():
        return False
    with path.open("rb") as file:
        if file.read(15) != b"SQLite format 3":
            return False  # without the next import, which takes time
    from honeybayes.labeling import is_project_file

    return is_project_file(table)


def describe_project(path: str) -> tuple[dict[str, str], str, str | None]:
    """Return the classes of a project with their seed words, its language and its text column."""
    from honeybayes.labeling import Project

    with Project.open(path) as project:
        names = {each.name: each.words for each in project.classes}
        settings = project.settings
        return names, settings.get("language", DEFAULT_LANGUAGE), settings.get("text")


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


def read_texts(
    table: str,
    text: TextColumn,
    delimiter: str | None,
    encoding: str | None,
    quotes: bool,
    format: str | None = None,
    sheet: str | None = None,
) -> list[str]:
    """Read texts that need no labels."""
    check_table(table)
    rows = open_texts(
        table,
        text,
        {},
        format=format,
        delimiter=delimiter,
        encoding=encoding,
        quotes=quotes,
        keep_blank=True,
        sheet=sheet,
    )
    texts = [words for words, _ in rows.texts()]
    kept = [words for words in texts if words.strip()]
    _warn_about_empty(len(texts) - len(kept), table)
    return kept


def _without_empty(corpus: Corpus, table: str) -> Corpus:
    """Return the corpus without its rows that have no text."""
    kept = [row for row, words in enumerate(corpus.documents) if words.strip()]
    if len(kept) == len(corpus):
        return corpus
    if not kept:
        raise ValueError(f"{table}: no row has a text. Name the column with the texts with text=.")
    _warn_about_empty(len(corpus) - len(kept), table)
    return corpus.take(kept)


def _warn_about_empty(n_rows: int, table: str) -> None:
    if n_rows:
        _warn(f"{table}: {_rows(n_rows, 'has no text and is', 'have no text and are')} left out.")


class TextCheck:
    """Counts texts that say nothing to a model, or repeat others, while a table is classified."""

    def __init__(self, classifier: Any) -> None:
        self.classifier, self.n_empty, self.n_unknown, self.n_repeated = classifier, 0, 0, 0
        self.known: set[int] = set()
        of_records = "attributes" in (getattr(classifier, "table_", None) or {})
        self.whole, self.part = ("value", "value") if of_records else ("text", "word")
        # a model that sees more than words can answer without a known word
        self.counts_words = not getattr(classifier, "n_dense_", 1)
        self.without_words = classifier.predict_proba([""]) if self.counts_words else None

    def find_empty(self, texts: Sequence[str], probabilities: np.ndarray) -> list[bool]:
        """Return which texts are empty; count these, and those without a known word."""
        is_empty = [not words.strip() for words in texts]
        self.n_empty += sum(is_empty)
        for words, empty in zip(texts, is_empty, strict=True):
            key = hash(words.strip())
            if not empty and key in self.known:
                self.n_repeated += 1
            elif not empty and len(self.known) < MOST_KNOWN:  # so that memory stays bounded
                self.known.add(key)
        if self.without_words is not None:
            # fast: only texts with the answer of an empty text can be without a known word
            alike = np.isclose(probabilities, self.without_words).all(axis=1)
            doubtful = [texts[row] for row in np.flatnonzero(alike).tolist() if not is_empty[row]]
            if doubtful:
                n_terms = self.classifier.count_terms(doubtful).astype(bool).sum(axis=1)
                self.n_unknown += int((np.asarray(n_terms) == 0).sum())
        return is_empty

    def describe(self) -> list[str]:
        """Return a line about each kind of text that occurred."""
        lines = []
        if self.n_empty:
            has = _rows(self.n_empty, "has", "have")
            lines.append(f"{has} no {self.whole}: no label was given")
        if self.n_unknown:
            known = f"no {self.part} that the model knows: the label is a guess"
            lines.append(f"{_rows(self.n_unknown, 'has', 'have')} {known}")
        if self.n_repeated and self.whole == "text":  # records are often equal
            lines.append(f"{_rows(self.n_repeated, 'repeats', 'repeat')} the text of another row")
        return lines


def _rows(n: int, one: str, many: str) -> str:
    return f"1 row {one}" if n == 1 else f"{n} rows {many}"


def add_pool(corpus: Corpus, texts: Sequence[str]) -> Corpus:
    """Return the corpus with more texts, which have no label."""
    labels = np.concatenate([corpus.labels, np.full(len(texts), UNLABELED)])
    rows = np.arange(len(corpus)) if corpus.rows is None else corpus.rows
    rows = np.concatenate([rows, np.full(len(texts), -1)])  # they are not in the table
    ids = None if corpus.ids is None else np.concatenate([corpus.ids, np.full(len(texts), "")])
    return Corpus(corpus.name, [*corpus.documents, *texts], labels, rows=rows, ids=ids)


def as_fitted(classifier: Any, corpus: Corpus) -> tuple[list[str], Any]:
    """Return texts and labels as `TextClassifier` passed them to its model: labeled texts first.

    The pool is left out if the model learns from labeled texts only.
    """
    texts, names, pool = corpus.split_unlabeled()
    by_name = {str(label): label for label in classifier.classes_.tolist()}
    labels = [by_name.get(name, name) for name in names.tolist()]
    mark = mark_of_unlabeled(getattr(classifier, "model_", classifier))
    if isinstance(mark, str) and mark == AUTO:
        mark = None if labels and not isinstance(labels[0], str) else UNLABELED
        texts, labels = [*texts, *pool], [*labels, *[mark] * len(pool)]
    elif mark is not None:
        texts, labels = [*texts, *pool], [*labels, *[mark] * len(pool)]
    return texts, labels


def warn_about_classes(
    classes: np.ndarray, rows: np.ndarray, column: str, unlabeled: str, known: Sequence[str]
) -> None:
    """Warn about too many classes, names for "no label", and classes that differ in case only."""
    doubtful = MISSING - {*map(str.casefold, known)} if unlabeled == AUTO else set()
    if rows.sum() > MANY_ROWS and len(classes) > rows.sum() / 2:
        _warn(f"{len(classes)} classes in {rows.sum()} rows: is {column!r} the label column?")
        # these warnings would repeat it
        warnings.filterwarnings("ignore", "The number of unique classes is greater than 50%")
        warnings.simplefilter("ignore", FewDocumentsWarning)
        return
    alike = defaultdict(list)
    for name, count in zip(classes.tolist(), rows.tolist(), strict=True):
        alike[name.casefold()].append(name)
        if name.casefold() in doubtful:
            _warn(
                f"{name!r} is used as a class, with {count} row{'s' if count > 1 else ''}. If it "
                f"means that there is no label, empty these cells, or use --unlabeled "
                f"{shlex.quote(name)}."
            )
    for names in alike.values():
        if len(names) > 1:
            _warn(
                f"The classes {', '.join(map(repr, names))} differ only in upper and lower case. "
                "--fold-case makes them one class."
            )


def _warn(message: str) -> None:
    warnings.warn(message, UserWarning, stacklevel=3)
