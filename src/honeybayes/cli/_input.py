"""Model files and tables, as the commands get them from the user."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from honeybayes.cli._labels import (
    MANY_ROWS,
    MOST_SHOWN,
    are_many,
    take_as_unlabeled,
    warn_about_classes,
)
from honeybayes.cli._messages import UsageError, warn
from honeybayes.cli._projects import is_project
from honeybayes.cli._settings import READ
from honeybayes.tables import (
    FORMAT_OF_ENDING,
    Attributes,
    Corpus,
    Table,
    check_columns,
    detect_format,
    file_ending,
    find_class_folders,
    find_files,
    fold_labels,
    is_many,
    is_stream,
    open_table,
    read_attributes,
    read_corpus,
    spell_numbers,
)
from honeybayes.tables import read_texts as cells_as_texts
from honeybayes.tables.guesses import (
    are_ids,
    find_label_column,
    find_text_column,
    has_words,
    read_columns,
)
from honeybayes.utils.labels import AUTO, UNLABELED
from honeybayes.utils.printing import say_rows
from honeybayes.utils.suggestions import did_you_mean

USUAL_TEXT, USUAL_LABEL = "text", "label"  # the default names of the columns
MAY_LACK_LABELS = ("csv", "json-lines", "json", "excel", "ods", "parquet")


@dataclass
class Input:
    """Reads texts and labels of tables, as the options of a command say."""

    text: str | Attributes = USUAL_TEXT  # a column, or columns as a model has learned them
    label: str = USUAL_LABEL
    id: str | None = None
    reading: dict[str, Any] = field(default_factory=dict)  # what was given with --read
    known: tuple[str, ...] = ()  # classes that a model knows, or that the user named
    attributes: str | None = None  # columns to learn, instead of a text
    project: Any = None  # what `read_project` returned for the table
    source: str = "text"  # the option that says where the texts are

    @classmethod
    def of_model(
        cls, classifier: Any, text: str | None, table: str, reading: dict[str, Any], **others: Any
    ) -> "Input":
        """Return how to read a table for a model, which remembers its columns.

        If the table does not have the column that the model remembers, but one with the usual
        name, that one is used.
        """
        remembered = remembered_columns(classifier)
        known = tuple(map(str, classifier.classes_.tolist()))
        found = cls(text or remembered, reading=reading, known=known, **others)
        if not isinstance(remembered, str):
            if text is not None:
                raise ValueError(
                    "The model was fitted with --attributes, not with texts. Omit --text."
                )
            return found
        is_given = text is not None or remembered == USUAL_TEXT
        if is_given or is_stream(table) or Path(table).is_dir():
            return found
        columns = _columns_of(table, USUAL_TEXT, found.file_options())
        if columns and remembered not in columns and not set(remembered.split(",")) <= columns:
            warn(
                f"{table} has no column {remembered!r}, to which the model was fitted, so the "
                f"texts are read from the column {USUAL_TEXT!r}. Name another one with --text."
            )
            found.text = USUAL_TEXT
        return found

    def file_options(self) -> dict[str, Any]:
        """Return what was given of the options of `open_table`."""
        return {name: value for name, value in self.reading.items() if name in READ}

    def open(self, table: str, **more: str | None) -> Table:
        """Open a table of texts or records; ``more`` are other required columns by option."""
        others = {option: name for option, name in more.items() if name is not None}
        options, required = self.file_options(), dict(others)
        if isinstance(self.text, str):
            required = {self.source: self.text, **others}
        elif is_stream(table) and not file_ending(table):
            options.setdefault("format", "csv")
        rows = open_table(table, required, **options, keep_blank=True)
        if others and rows.format == "lines":
            option, name = next(iter(others.items()))
            raise ValueError(
                f"{table} has one text per line and no column {name!r}. Omit --{option}."
            )
        if rows.columns and not isinstance(self.text, str):
            check_columns(table, rows.columns, {"attributes": list(self.text.edges)})
        return rows

    def texts_of(self, frame: Any, rows: Table) -> list[str]:
        """Return the texts of a frame, or its records as texts; null in Parquet is an empty one."""
        if not isinstance(self.text, str):
            return self.text.write_frame(frame)
        column = USUAL_TEXT if rows.format == "lines" else self.text
        return cells_as_texts(frame, column, rows.path, "" if rows.format == "parquet" else None)

    def read_texts(self, table: str) -> list[str]:
        """Read texts that need no labels."""
        check_table(table)
        rows = self.open(table)
        texts = [words for frame in rows.frames for words in self.texts_of(frame, rows)]
        kept = [words for words in texts if words.strip()]
        _warn_about_empty(len(texts) - len(kept), table)
        return kept

    def read_pool(self, table: str) -> list[str]:
        """Read texts of the pool, whose format and sheet are its own."""
        own = ("format", "sheet")
        reading = {name: value for name, value in self.reading.items() if name not in own}
        return replace(self, reading=reading, source="pool").read_texts(table)

    def find_row(self, table: str, wanted: str) -> str:
        """Return the text of one row of a table: by its id, or by its number, counted from 1."""
        rows = self.open(table, id=self.id)
        found, n_before = [], 0
        for frame in rows.frames:
            numbers = range(n_before + 1, n_before + len(frame) + 1)
            names = numbers if self.id is None else frame[self.id].tolist()
            for name, words in zip(names, self.texts_of(frame, rows), strict=True):
                if str(name).strip() == wanted.strip():
                    found.append(words)
            n_before += len(frame)
        if len(found) != 1:
            what = "no row" if not found else f"{len(found)} rows"
            raise ValueError(
                f"{table} has {what} {wanted!r}"
                f"{f' in the column {self.id!r}' if self.id else ''}. Name one row by its number, "
                "counted from 1 without the header, or use --id with a column whose cells differ."
            )
        return found[0]

    def _has_labels(self, table: str) -> bool:
        """Return False for a file of lines, and for a table without the usual column of labels."""
        if is_project(table):
            return True
        format = self.reading.get("format") or FORMAT_OF_ENDING.get(file_ending(table))
        if is_stream(table) or self.label != USUAL_LABEL or format not in MAY_LACK_LABELS:
            return format != "lines"
        options = self.file_options() | {"format": format}
        return self.label in _columns_of(table, str(self.text), options)

    def read_labeled(self, table: str, training: bool = False, of_many: bool = False) -> Corpus:
        """Read texts with their labels; the label of an unlabeled text is an empty string.

        Of a project file, only the labels that a person gave are read; of a table, too, by
        default. For ``training``, a column of labels that looks like ids is an error, except in
        one ``of_many`` files; if the classes are known, there may be no column.
        """
        check_table(table)
        text = self.text if isinstance(self.text, str) and self.attributes is None else None
        if is_project(table):
            from honeybayes.labeling import read_project

            if text is None:
                raise ValueError(f"{table} is a project of texts, which have no attributes.")
            return _without_empty((self.project or read_project(table)).corpus, table)
        if training and self.known and text and not self._has_labels(table):
            texts = self.read_texts(table)
            return Corpus(table, texts, np.full(len(texts), UNLABELED))
        format = self.reading.get("format") or detect_format(table)
        options = self.file_options() | {"format": format}
        if format in MAY_LACK_LABELS:
            keep_model_labels = self.reading.get("keep_model_labels", False)
            options |= {"keep_unlabeled": True, "keep_model_labels": keep_model_labels}
        if format == "folders":
            if text is None:
                raise ValueError(
                    f"{table} is a folder of texts, which has no columns. Omit --attributes."
                )
            corpus = read_corpus(table, **options)
        elif text is not None:
            corpus = read_corpus(table, text, self.label, id=self.id, **options)
        else:
            columns = self.attributes or self.text
            options |= {"id": self.id, "n_bins": self.reading.get("n_bins")}
            corpus, self.text = read_attributes(table, self.label, columns, **options)
        if not isinstance(corpus.documents, list):
            raise ValueError(f"{table} contains counts of terms. The command line needs texts.")
        corpus = _without_empty(corpus, table)
        if text is not None and format != "folders":
            self._check_words(text, corpus.documents, table)
        labels = self._check_labels(corpus.labels, table, training and not of_many, of_many)
        return replace(corpus, labels=labels)

    def _check_labels(
        self, labels: np.ndarray, table: str, refuse_ids: bool, of_many: bool
    ) -> np.ndarray:
        """Return labels in one spelling, empty where there is none; say what seems to be wrong.

        Numbers in two spellings, 1 and 1.0, are one label; in one ``of_many`` files, 1.0 is always
        1, as in the other files.
        """
        unlabeled = self.reading.get("unlabeled", AUTO)
        labels = spell_numbers(labels, self.known, of_many)
        labels = take_as_unlabeled(labels, unlabeled, self.known)
        if self.reading.get("fold_case"):
            labels = fold_labels(labels, self.known)
        classes, counts = np.unique(labels[labels != UNLABELED], return_counts=True)
        has_gaps = counts.sum() < len(labels)  # ids leave no row without one
        if refuse_ids and not has_gaps and not set(classes.tolist()) <= set(self.known):
            self.check_number_of_classes(len(classes), len(labels), table)
        warn_about_classes(classes, counts, self.label, unlabeled, self.known)
        return labels

    def _check_words(self, column: str, texts: list[str], table: str) -> None:
        """Raise ValueError if no text has a word; warn if they look like ids."""
        is_wrong = not has_words(texts)
        if not is_wrong and not (len(texts) >= MANY_ROWS and are_ids(texts)):
            return
        used = [column, *column.split(","), self.label, self.id]
        better = find_text_column(read_columns(table, **self.file_options()), used)
        advice = "" if better is None else f" The longest texts are in the column {better!r}."
        advice += " Name the column with the texts with --text."
        if is_wrong:
            raise ValueError(
                f"{table}: the column {column!r} has no words, only values such as "
                f"{texts[0][:MOST_SHOWN]!r}.{advice}"
            )
        warn(f"The texts in the column {column!r} look like ids, such as {texts[0]!r}.{advice}")

    def check_number_of_classes(
        self, n_classes: int, n_rows: int, table: str, where: str | None = None
    ) -> None:
        """Raise ValueError if most rows have a label of their own, unless that was allowed."""
        if self.reading.get("many_classes") or not are_many(n_classes, n_rows):
            return
        used = [self.label, self.id, self.text if isinstance(self.text, str) else None]
        better = find_label_column(read_columns(table, **self.file_options()), used)
        advice = "" if better is None else f" {better!r} may be the column with the labels."
        raise ValueError(
            f"{where or table}: {n_classes} classes in {n_rows} rows: {self.label!r} looks like a "
            f"column of ids, not of labels.{advice} Name it with --label. If these are classes, "
            "use --read many-classes."
        )

    def describe(self) -> dict[str, Any]:
        """Return what a model file remembers of the columns."""
        if isinstance(self.text, str):
            return {"text": self.text}
        return {"attributes": self.text.to_dict()}


def check_attributes(
    text: str, attributes: str | None, reading: Mapping[str, Any], **others: Any
) -> None:
    """Raise an error for options that do not go with attributes, or go only with them."""
    if attributes is None:
        if "n_bins" in reading:
            raise ValueError("--read n-bins is for columns of numbers. Use it with --attributes.")
        return
    if text != USUAL_TEXT:
        raise UsageError("--text and --attributes exclude each other. Omit one of them.")
    for name, value in others.items():
        if value is not None:
            raise ValueError(f"--{name} is for texts. Omit it, or omit --attributes.")


def _columns_of(table: str, text: str, options: Mapping[str, Any]) -> set[str]:
    """Return the columns of a table; none if it has no such text, or if it cannot be read."""
    try:
        rows = open_table(table, {"text": text}, **options)
        return set() if rows.format == "lines" else {*(rows.columns or next(rows.frames).columns)}
    except (ValueError, StopIteration):
        return set()  # the error is raised again where it is explained


def check_table(table: str, model: str | None = None) -> None:
    """Raise ValueError if the table is a model file, or many files, which few commands read."""
    from honeybayes.files import is_model_file

    if is_model_file(table):
        is_swapped = model is not None and not is_model_file(model)
        swapped = f": {model} and {table} seem to be swapped" if is_swapped else ""
        raise ValueError(f"{table} is a model file, not a table{swapped}.")
    if not is_many(table) or find_class_folders(Path(table)):
        return
    if any(file_ending(each) != ".txt" for each in find_files(table)):
        what = "folder of files" if Path(table).is_dir() else "pattern"
        raise ValueError(
            f"{table} is a {what}, but this command reads one table. Join the files into one."
        )


def _without_empty(corpus: Corpus, table: str) -> Corpus:
    """Return the corpus without its rows that have no text."""
    kept = [row for row, words in enumerate(corpus.documents) if words.strip()]
    if len(kept) == len(corpus):
        return corpus
    if not kept:
        raise ValueError(f"{table}: no row has a text. Name the column with the texts with --text.")
    _warn_about_empty(len(corpus) - len(kept), table)
    return corpus.take(kept)


def _warn_about_empty(n_rows: int, table: str) -> None:
    if n_rows:
        warn(f"{table}: {say_rows(n_rows, 'has no text and is', 'have no text and are')} left out.")


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


def remembered_columns(classifier: Any) -> str | Attributes:
    """Return the column that a model was fitted to, or its attributes."""
    remembered = getattr(classifier, "table_", None) or {}
    if "attributes" in remembered:
        return Attributes.from_dict(remembered["attributes"])
    return remembered.get("text") or USUAL_TEXT


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


def find_seen(classifier: Any, texts: list[str]) -> np.ndarray:
    """Return which texts the model has learned from; a pipeline of scikit-learn does not know."""
    if not hasattr(classifier, "has_seen") or not texts:
        return np.zeros(len(texts), dtype=bool)
    return classifier.has_seen(texts)
