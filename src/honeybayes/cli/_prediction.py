"""Classify the rows of one table, and write them with the answers."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Any

import numpy as np

from honeybayes.cli._answers import AnswerColumns
from honeybayes.cli._columns import text_column
from honeybayes.cli._coverage import USUAL_TARGET, count_answered, thresholds_of
from honeybayes.cli._input import find_seen
from honeybayes.cli._output import show_count
from honeybayes.cli._reading import PARQUET, Reading
from honeybayes.cli._rows import is_json_output, open_output
from honeybayes.cli._text_check import TextCheck
from honeybayes.cli._texts import open_texts
from honeybayes.data.row_writer import RowWriter
from honeybayes.data.tables import Table, delimiter_of, has_byte_order_mark
from honeybayes.utils.writing import atomic_write

BATCH_SIZE = 2_000  # rows: large enough to be fast, small enough to need little memory


@dataclass
class Settings:
    """How to read tables and what to write, apart from the names of the files."""

    reading: Reading
    answers: dict[str, Any]
    text: str | None
    id: str | None
    sets: float | None
    plain_cells: bool
    json: bool


@dataclass
class Outcome:
    """What happened to the rows of a table."""

    n_rows: int = 0
    n_undecided: int = 0
    n_seen: int = 0
    confidences: list[np.ndarray] = field(default_factory=list)
    set_sizes: Counter[int] = field(default_factory=Counter)  # rows by the classes in their sets

    def describe(self, settings: Settings, where: str) -> str:
        """Return the line that says how many rows were written."""
        left = f", {self.n_undecided} of them left for a person to decide"
        left = left if settings.answers["min_confidence"] else ""
        seen = f", {self.n_seen} of them texts that the model has learned from"
        written = "1 row" if self.n_rows == 1 else f"{self.n_rows} rows"
        return f"{written} classified{left}{seen if self.n_seen else ''}: {where}"

    def describe_sets(self, classifier: Any) -> list[str]:
        """Return the line about the prediction sets, if there are any."""
        if not self.set_sizes:
            return []
        one, two = self.set_sizes[1], self.set_sizes[2]
        more = self.set_sizes.total() - one - two
        rows = "row" if one == 1 else "rows"
        return [
            f"Sets: {one:,} {rows} with one class, {two:,} with two, {more:,} with three or more "
            f"(from {len(classifier.held_out_):,} held-out texts)"
        ]

    def describe_confidence(self, classifier: Any, automatic: Any = None) -> list[str]:
        """Return the line about the rows that a threshold answers, by default the usual one."""
        if automatic is None:
            automatic = next(iter(thresholds_of(classifier, [USUAL_TARGET])), None)
        if automatic is None or not any(len(each) for each in self.confidences):
            return []
        return [count_answered(automatic, np.concatenate(self.confidences)).describe("rows")]


def predict_table(
    classifier: Any,
    settings: Settings,
    table: str,
    path: str | None,
    *,
    show: bool = True,
    date: int | None = None,
) -> tuple[Outcome, TextCheck]:
    """Write the rows of a table with their answers to a file, or to standard output.

    ``date`` is the date of the file that is written, in nanoseconds.
    """
    columns_of_text = text_column(classifier, settings.text, table, settings.reading)
    fill = settings.answers["fill"]
    if fill is not None and fill == columns_of_text:
        raise ValueError(f"--fill {fill} is the column with the texts. Name another column.")
    more = {"fill": fill, "id": settings.id}
    rows = open_texts(table, columns_of_text, more, settings.reading)
    as_json = is_json_output(path, rows.format) or settings.json
    of_label = None
    if settings.sets is not None:
        from honeybayes.calibration.coverage import warn_of_unknown_classes

        of_label = classifier.held_out_[:, 1]
        warn_of_unknown_classes(of_label, settings.sets)
    check, outcome = TextCheck(classifier), Outcome()
    texts_and_rows = rows.texts()
    first = list(islice(texts_and_rows, 1))
    # each object of JSON lines has columns of its own
    columns = rows.columns or [name for _, row in first for name in row]
    answers = AnswerColumns(
        classifier.classes_,
        columns,
        sets=settings.sets is not None,
        as_json=as_json,
        **settings.answers,
    )
    with (
        _open_writer(rows, answers, path, table, as_json, settings.plain_cells, date) as writer,
        show_count("Classified", path is None, show=show) as count,
    ):
        for batch in _batches(chain(first, texts_and_rows)):
            texts = [words for words, _ in batch]
            probabilities = classifier.predict_proba(texts)
            is_empty = check.find_empty(texts, probabilities)
            scores = None
            if settings.answers["outliers"]:
                scores = classifier.outlier_score(texts).round(4).tolist()
            members = _find_sets(probabilities, of_label, settings.sets)
            if members is not None:
                outcome.set_sizes.update(members[~np.array(is_empty)].sum(axis=1).tolist())
            confidences = probabilities.max(axis=1)[~np.array(is_empty)].astype(np.float32)
            outcome.confidences.append(confidences)
            for number, ((_, row), own) in enumerate(zip(batch, probabilities, strict=True)):
                outlier = None if scores is None else scores[number]
                inside = None if members is None else members[number]
                empty = bool(is_empty[number])
                cells, undecided = answers.answer(row, own, outlier, empty, inside)
                writer.write(row, cells)
                outcome.n_undecided += undecided
            outcome.n_rows += len(batch)
            outcome.n_seen += int(find_seen(classifier, texts).sum())
            count(len(batch))
    return outcome, check


@contextmanager
def _open_writer(
    rows: Table,
    answers: AnswerColumns,
    path: str | None,
    table: str,
    as_json: bool,
    plain_cells: bool,
    date: int | None,
) -> Iterator[Any]:
    """Open the output; a file gets its name when all rows are written."""
    if rows.format == PARQUET and path is not None and path.lower().endswith(".parquet"):
        from honeybayes.data.parquet import ParquetRowWriter

        with atomic_write(path, date=date) as file:
            columns = (rows.columns, answers.names, answers.numbers, answers.changed)
            writer = ParquetRowWriter(file, table, *columns, answers.advice)
            yield writer
            writer.close()
        return
    delimiter = rows.delimiter or delimiter_of(table)
    if path is not None and "\t" in (delimiter, delimiter_of(path)):
        delimiter = delimiter_of(path)  # tabs in a .tsv file, and none in a .csv file
    marked = rows.format != PARQUET and has_byte_order_mark(table)
    encoding = "utf-8-sig" if marked and not as_json else "utf-8"
    with open_output(path, encoding, date) as stream:
        yield RowWriter(
            stream, rows.columns, answers.names, as_json, delimiter, answers.advice, plain_cells
        )


def _find_sets(probabilities: Any, of_label: Any, coverage: float | None) -> Any:
    if coverage is None:
        return None
    from honeybayes.calibration.coverage import prediction_sets

    return prediction_sets(probabilities, of_label, coverage)


def _batches(rows: Iterator[tuple[str, Any]]) -> Iterator[list[tuple[str, Any]]]:
    while batch := list(islice(rows, BATCH_SIZE)):
        yield batch
