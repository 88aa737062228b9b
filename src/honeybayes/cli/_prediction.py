"""Classify the rows of one table, and write them with the answers."""

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import numpy as np

from honeybayes.calibration.coverage import prediction_sets, warn_of_unknown_classes
from honeybayes.calibration.thresholds import USUAL_TARGET, count_answered, thresholds_of
from honeybayes.classifier.answer_columns import AnswerColumns
from honeybayes.classifier.text_check import TextCheck
from honeybayes.cli._input import Input, find_seen
from honeybayes.cli._output import show_count
from honeybayes.tables import (
    ENDINGS,
    FORMAT_OF_ENDING,
    OF_OBJECTS,
    Table,
    delimiter_of,
    file_ending,
    make_frame,
    open_writer,
    text_writer,
)
from honeybayes.utils.optional import import_optional
from honeybayes.utils.printing import exact


def output_format(path: str | None, table_format: str, as_json: bool) -> str:
    """Return the format to write, according to the ending of the name.

    Standard output, and a file without an ending, have the format of the table.
    """
    ending = "" if path is None else file_ending(path)
    of_objects = table_format in OF_OBJECTS
    if not ending or ending == ".txt":
        format = "json-lines" if of_objects and not ending else "csv"
    elif ending in ENDINGS and (ending != ".parquet" or table_format == "parquet"):
        format = FORMAT_OF_ENDING[ending]
    else:
        raise ValueError(
            f"{path}: the answers to this table cannot be written as {ending}. The ending must be "
            f"one of {', '.join(ENDINGS)}, of text files also with .gz; .parquet needs a table in "
            "Parquet."
        )
    if of_objects and format != "json-lines" and not as_json:
        raise ValueError(
            f"{path}: JSON cannot be written as a table, because its fields may differ. Name a "
            "file that ends in .jsonl."
        )
    return "json-lines" if as_json else format


@dataclass
class PredictOptions:
    """How to read tables and what to write, apart from the names of the files."""

    reading: dict[str, Any]
    answers: dict[str, Any]
    text: str | None
    id: str | None
    sets: float | None
    plain_cells: bool
    json: bool


@contextmanager
def open_output(
    path: str | None,
    format: str,
    table: Table,
    plain_cells: bool,
    answers: AnswerColumns,
    date: int | None,
) -> Iterator[Any]:
    """Open standard output, or a file that gets its name when all rows are written.

    Yields the function that writes a frame.
    """
    delimiter = table.delimiter or delimiter_of(table.path)
    if path is None:
        stream: Any = sys.stdout if sys.stdout.isatty() else exact(sys.stdout)
        stream.reconfigure(newline="")
        yield text_writer(stream, format, delimiter, plain_cells)
        stream.flush()
        return
    if "\t" in (delimiter, delimiter_of(path)):
        delimiter = delimiter_of(path)  # tabs in a .tsv file, and none in a .csv file
    schema = None
    if format == "parquet":
        pyarrow, old = import_optional("pyarrow", "parquet"), table.schema
        fields = [old.field(name) for name in answers.columns]
        for name in answers.names:
            kind = pyarrow.float64() if name in answers.numbers else pyarrow.string()
            fields.append(pyarrow.field(name, kind))
        schema = pyarrow.schema(fields)
    with open_writer(
        path,
        format=format,
        delimiter=delimiter,
        has_mark=table.has_mark,
        plain_cells=plain_cells,
        date=date,
        schema=schema,
    ) as write:
        yield write


@dataclass
class RowCounts:
    """What happened to the rows of a table."""

    check: TextCheck
    # "rows", "undecided", "seen", and rows by the number of classes in their sets
    numbers: Counter[Any] = field(default_factory=Counter)
    confidences: list[np.ndarray] = field(default_factory=list)

    def describe(self, settings: PredictOptions, where: str | None) -> list[str]:
        """Return lines about the rows that were written; what is wrong with them is always told."""
        lines = self.check.describe()
        if where is None:
            return lines
        n_rows, n_seen = self.numbers["rows"], self.numbers["seen"]
        left = f", {self.numbers['undecided']} of them left for a person to decide"
        left = left if settings.answers["min_confidence"] else ""
        seen = f", {n_seen} of them texts that the model has learned from" if n_seen else ""
        written = "1 row" if n_rows == 1 else f"{n_rows} rows"
        lines.insert(0, f"{written} classified{left}{seen}: {where}")
        sizes = {size: n for size, n in self.numbers.items() if isinstance(size, int)}
        if sizes:
            one, two = sizes.pop(1, 0), sizes.pop(2, 0)
            lines.append(
                f"Sets: {one:,} {'row' if one == 1 else 'rows'} with one class, {two:,} with two, "
                f"{sum(sizes.values()):,} with three or more (from "
                f"{len(self.check.classifier.held_out_):,} held-out texts)"
            )
        return lines

    def describe_confidence(self, automatic: Any = None) -> list[str]:
        """Return the line about the rows that a threshold answers, by default the usual one."""
        if automatic is None:
            automatic = next(iter(thresholds_of(self.check.classifier, [USUAL_TARGET])), None)
        if automatic is None or not any(len(each) for each in self.confidences):
            return []
        return [count_answered(automatic, np.concatenate(self.confidences)).describe("rows")]


def predict_table(
    classifier: Any,
    settings: PredictOptions,
    table: str,
    path: str | None,
    *,
    show: bool = True,
    date: int | None = None,
) -> RowCounts:
    """Write the rows of a table with their answers to a file, or to standard output.

    ``date`` is the date of the file that is written, in nanoseconds.
    """
    inputs = Input.of_model(classifier, settings.text, table, settings.reading)
    fill, coverage = settings.answers["fill"], settings.sets
    if fill is not None and fill == inputs.text:
        raise ValueError(f"--fill {fill} is the column with the texts. Name another column.")
    rows = inputs.open(table, fill=fill, id=settings.id)
    format = output_format(path, rows.format, settings.json)
    if coverage is not None:
        of_label = classifier.held_out_[:, 1]
        warn_of_unknown_classes(of_label, coverage)
    counts = RowCounts(TextCheck(classifier))
    first = next(rows.frames, make_frame([], rows.columns))
    columns = rows.columns or list(first.columns)  # each object of JSON has columns of its own
    columns = columns if settings.id is None else [settings.id]
    answers = AnswerColumns(
        classifier.classes_,
        columns,
        sets=coverage is not None,
        as_json=format == "json-lines",
        **settings.answers,
    )
    with (
        open_output(path, format, rows, settings.plain_cells, answers, date) as write,
        show_count("Classified", path is None, show=show) as count,
    ):
        for frame in chain([first], rows.frames):
            if not len(frame):
                write(make_frame([], [*columns, *answers.names]))  # the header
                continue
            texts = inputs.texts_of(frame, rows)
            probabilities = classifier.predict_proba(texts)
            is_empty = np.array(counts.check.find_empty(texts, probabilities))
            scores = classifier.outlier_score(texts) if settings.answers["outliers"] else None
            members = None
            if coverage is not None:
                members = prediction_sets(probabilities, of_label, coverage)
                counts.numbers.update(members[~is_empty].sum(axis=1).tolist())
            counts.confidences.append(probabilities.max(axis=1)[~is_empty].astype(np.float32))
            kept = frame if settings.id is None else frame[columns]
            answered, n_undecided = answers.add(kept, probabilities, is_empty, scores, members)
            write(answered)
            n_seen = int(find_seen(classifier, texts).sum())
            counts.numbers.update(rows=len(frame), undecided=n_undecided, seen=n_seen)
            count(len(frame))
    return counts
