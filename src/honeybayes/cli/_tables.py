"""Texts of a table, with or without labels, and what is wrong with them."""

import shlex
import warnings
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from honeybayes.cli._input import (
    AttributeColumns,
    Reading,
    TextColumn,
    check_table,
    warn,
    warn_about_empty,
)
from honeybayes.cli._projects import is_project
from honeybayes.exceptions import FewDocumentsWarning
from honeybayes.tables import (
    FORMAT_OF_ENDING,
    Attributes,
    Corpus,
    Table,
    are_ids,
    check_columns,
    detect_format,
    file_ending,
    find_label_column,
    find_missing,
    find_text_column,
    fold_labels,
    has_words,
    is_stream,
    open_table,
    read_attributes,
    read_columns,
    read_corpus,
    spell_numbers,
)
from honeybayes.tables import read_texts as cells_as_texts
from honeybayes.utils.labels import AUTO, DOUBTFUL_MARKS, UNLABELED
from honeybayes.utils.printing import say_rows
from honeybayes.utils.suggestions import did_you_mean


def open_texts(
    table: str, text: TextColumn, more: Mapping[str, str | None], reading: Reading
) -> Table:
    """Open a table of texts or records; ``more`` are other required columns by option, or None."""
    others = {option: name for option, name in more.items() if name is not None}
    required: dict[str, Any] = dict(others)
    if isinstance(text, str):
        required = {"text": text, **others}
    elif is_stream(table) and not file_ending(table):
        reading = replace(reading, format=reading.format or "csv")
    rows = open_table(table, required, **reading.of_file(), keep_blank=True)
    if others and rows.format == "lines":
        option, name = next(iter(others.items()))
        raise ValueError(f"{table} has one text per line and no column {name!r}. Omit --{option}.")
    if rows.columns and not isinstance(text, str):
        check_columns(table, rows.columns, {"attributes": list(_learned(text).edges)})
    return rows


def texts_of(frame: Any, text: TextColumn, table: Table) -> list[str]:
    """Return the texts of a frame, or its records as texts; null in Parquet is an empty text."""
    if not isinstance(text, str):
        return _learned(text).write_frame(frame)
    column = "text" if table.format == "lines" else text
    return cells_as_texts(frame, column, table.path, "" if table.format == "parquet" else None)


def _learned(columns: AttributeColumns | Attributes) -> Attributes:
    attributes = columns.learned if isinstance(columns, AttributeColumns) else columns
    assert attributes is not None  # the pool is read after the table
    return attributes


def find_row(table: str, text: TextColumn, wanted: str, id: str | None, reading: Reading) -> str:
    """Return the text of one row of a table: by its id, or by its number, counted from 1."""
    check_table(table)
    rows = open_texts(table, text, {"id": id}, reading)
    found, n_before = [], 0
    for frame in rows.frames:
        numbers = range(n_before + 1, n_before + len(frame) + 1)
        names = numbers if id is None else frame[id].tolist()
        for name, words in zip(names, texts_of(frame, text, rows), strict=True):
            if str(name).strip() == wanted.strip():
                found.append(words)
        n_before += len(frame)
    if len(found) != 1:
        what = "no row" if not found else f"{len(found)} rows"
        raise ValueError(
            f"{table} has {what} {wanted!r}{f' in the column {id!r}' if id else ''}. Name one row "
            "by its number, counted from 1 without the header, or use --id with a column whose "
            "cells differ."
        )
    return found[0]


def read_texts(table: str, text: TextColumn, reading: Reading) -> list[str]:
    """Read texts that need no labels."""
    check_table(table)
    rows = open_texts(table, text, {}, reading)
    texts = [words for frame in rows.frames for words in texts_of(frame, text, rows)]
    kept = [words for words in texts if words.strip()]
    warn_about_empty(len(texts) - len(kept), table)
    return kept


USUAL_LABEL = "label"  # the default name of the column
MAY_LACK_LABELS = ("csv", "json-lines", "json", "excel", "ods", "parquet")
N_SHOWN, MOST_SHOWN = 5, 40  # names in a message, and characters of a name
MANY_ROWS = 20  # scikit-learn, too, warns about many classes beyond it


def read_labeled(
    table: str,
    text: TextColumn,
    label: str,
    reading: Reading,
    *,
    known: Sequence[str] = (),
    id: str | None = None,
    refuse_ids: bool = False,
    of_many: bool = False,
) -> Corpus:
    """Read texts with their labels; the label of an unlabeled text is an empty string.

    ``known`` are the classes that a model knows, or that the user named. With ``refuse_ids``, a
    column of labels that looks like ids is an error. Numbers in two spellings, 1 and 1.0, are one
    label; in one ``of_many`` files, 1.0 is always 1, as in the other files.

    Of a project file, only the labels that a person gave are read; of a table, too, by default.
    """
    check_table(table)
    if is_project(table):
        from honeybayes.labeling import read_project

        if not isinstance(text, str):
            raise ValueError(f"{table} is a project of texts, which have no attributes.")
        return without_empty(read_project(table).corpus, table)
    format, options = reading.format or detect_format(table), reading.of_corpus()
    if format in MAY_LACK_LABELS:
        options |= {"keep_unlabeled": True, "keep_model_labels": reading.keep_model_labels}
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
    corpus = without_empty(corpus, table)
    if isinstance(text, str) and format != "folders":
        _check_words(corpus.documents, text, table, [label, id], reading)
    corpus = replace(corpus, labels=spell_numbers(corpus.labels, known, of_many))
    corpus = _take_as_unlabeled(corpus, reading.unlabeled, known)
    if reading.fold_case:
        corpus = replace(corpus, labels=fold_labels(corpus.labels, known))
    if refuse_ids and not reading.many_classes and not set(corpus.labels.tolist()) <= set(known):
        n_classes = len(np.unique(corpus.labels))
        if not (corpus.labels == UNLABELED).any():  # ids leave no row without one
            check_number_of_classes(
                n_classes, len(corpus), table, label, [text, id], reading, where=table
            )
    classes, rows = np.unique(corpus.labels[corpus.labels != UNLABELED], return_counts=True)
    warn_about_classes(classes, rows, label, reading.unlabeled, known)
    return corpus


def _check_words(
    texts: Sequence[str], column: str, table: str, others: list[Any], reading: Reading
) -> None:
    """Raise ValueError if no text has a word; warn if they look like ids."""
    if has_words(texts) and not (len(texts) >= MANY_ROWS and are_ids(texts)):
        return
    used = [column, *column.split(","), *others]
    better = find_text_column(read_columns(table, **reading.of_file()), used)
    advice = "" if better is None else f" The longest texts are in the column {better!r}."
    advice += " Name the column with the texts with --text."
    if not has_words(texts):
        raise ValueError(
            f"{table}: the column {column!r} has no words, only values such as "
            f"{texts[0][:MOST_SHOWN]!r}.{advice}"
        )
    warn(f"The texts in the column {column!r} look like ids, such as {texts[0]!r}.{advice}")


def check_number_of_classes(
    n_classes: int,
    n_rows: int,
    table: str,
    column: str,
    others: list[Any],
    reading: Reading,
    *,
    where: str,
) -> None:
    """Raise ValueError if most rows have a label of their own; the table has a better column."""
    if not _are_many(n_classes, n_rows):
        return
    better = find_label_column(read_columns(table, **reading.of_file()), [column, *others])
    advice = "" if better is None else f" {better!r} may be the column with the labels."
    raise ValueError(
        f"{where}: {n_classes} classes in {n_rows} rows: {column!r} looks like a column of "
        f"ids, not of labels.{advice} Name it with --label. If these are classes, use "
        "--read many-classes."
    )


def _are_many(n_classes: int, n_rows: int) -> bool:
    """Return True if there are more classes than half of the rows."""
    return n_rows >= MANY_ROWS and n_classes > n_rows / 2


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
            warn(
                f"{say_rows(count, 'has', 'have')} the label {name!r}, which is taken as no label. "
                "If it is a class, use --read \"unlabeled=''\"."
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


def without_empty(corpus: Corpus, table: str) -> Corpus:
    """Return the corpus without its rows that have no text."""
    kept = [row for row, words in enumerate(corpus.documents) if words.strip()]
    if len(kept) == len(corpus):
        return corpus
    if not kept:
        raise ValueError(f"{table}: no row has a text. Name the column with the texts with --text.")
    warn_about_empty(len(corpus) - len(kept), table)
    return corpus.take(kept)


def warn_about_classes(
    classes: np.ndarray, rows: np.ndarray, column: str, unlabeled: str, known: Sequence[str]
) -> None:
    """Warn about too many classes, names for "no label", and classes that differ in case only."""
    doubtful = DOUBTFUL_MARKS - {*map(str.casefold, known)} if unlabeled == AUTO else set()
    if _are_many(len(classes), int(rows.sum())):
        warn(f"{len(classes)} classes in {rows.sum()} rows: is {column!r} the label column?")
        # these warnings would repeat it
        warnings.filterwarnings("ignore", "The number of unique classes is greater than 50%")
        warnings.simplefilter("ignore", FewDocumentsWarning)
        return
    alike = defaultdict(list)
    for name, count in zip(classes.tolist(), rows.tolist(), strict=True):
        alike[name.casefold()].append(name)
        if name.casefold() in doubtful:
            warn(
                f"{name!r} is used as a class, with {count} row{'s' if count > 1 else ''}. If it "
                f"means that there is no label, empty these cells, or use --read "
                f"{shlex.quote(f'unlabeled={name}')}."
            )
    for names in alike.values():
        if len(names) > 1:
            warn(
                f"The classes {', '.join(map(repr, names))} differ only in upper and lower case. "
                "--read fold-case makes them one class."
            )


def check_labels_known(labels: np.ndarray, known: Sequence[str], table: str, column: str) -> None:
    """Raise ValueError if a model knows none of the labels, so that measures say nothing."""
    found = np.unique(labels).tolist()
    if not set(found) & set(known):
        alike = {name.casefold() for name in found} & {name.casefold() for name in known}
        what = "use --read fold-case" if alike else "name the column with the labels with --label"
        raise ValueError(
            f"{table}: the model knows none of the labels in the column {column!r}: "
            f"{_some(found)}. It knows: {_some(known)}. To measure it, {what}."
        )


def warn_about_unknown(labels: np.ndarray, known: Sequence[str]) -> dict[str, int]:
    """Say which labels the model cannot give; return their numbers of rows, largest first."""
    names, counts = np.unique(labels[~np.isin(labels, known)], return_counts=True)
    order = np.argsort(-counts, kind="stable")
    unknown = dict(zip(names[order].tolist(), counts[order].tolist(), strict=True))
    if unknown:
        shown = [
            f"{name[:MOST_SHOWN]!r} ({n} row{'s' if n > 1 else ''}{_perhaps(name, known)})"
            for name, n in list(unknown.items())[:N_SHOWN]
        ]
        more = f" and {len(unknown) - N_SHOWN} more" if len(unknown) > N_SHOWN else ""
        n_rows = int(counts.sum())
        warn(
            f"{n_rows} of {len(labels)} rows {'has a label' if n_rows == 1 else 'have labels'} "
            f"that the model does not know, so these answers count as wrong: {', '.join(shown)}"
            f"{more}. Correct the labels, or fit a model that knows them."
        )
    return unknown


def _perhaps(name: str, known: Sequence[str]) -> str:
    """Return the end of a remark: which known label may be meant."""
    if name.casefold() in {each.casefold() for each in known}:
        return "; --read fold-case ignores upper and lower case"
    question = did_you_mean(name, known).strip()
    return f"; {question[0].lower()}{question[1:]}" if question else ""


def _some(names: Sequence[str]) -> str:
    shown = ", ".join(f"{name[:MOST_SHOWN]!r}" for name in names[:N_SHOWN])
    return shown if len(names) <= N_SHOWN else f"{shown} and {len(names) - N_SHOWN} more"


def has_labels(table: str, text: str, label: str, reading: Reading) -> bool:
    """Return False for a file of lines, and for a table without the usual column of labels."""
    if is_project(table):
        return True
    format = reading.format or FORMAT_OF_ENDING.get(file_ending(table))
    if is_stream(table) or label != USUAL_LABEL or format not in MAY_LACK_LABELS:
        return format != "lines"
    rows = open_table(table, {"text": text}, **reading.of_file() | {"format": format})
    return label in (rows.columns or next(rows.frames, []))
