"""The columns that answer the rows of a table: class, confidence, source, and more."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from honeybayes.tables import MODEL, PERSON, check_new_columns, source_column
from honeybayes.utils.labels import has_no_label

OUTLIER = "outlier"
SETS = "labels"
BETWEEN = "; "  # the classes of a set
RENAME = "Choose another name with --{}-column."
OMIT = "Rename it, or omit `{}`."


class ColumnsError(ValueError):
    """The command asks for columns that cannot be written. The table is not to blame."""


class AnswerColumns:
    """The new columns: label, confidence and source, then runner-ups, all classes, outlier, sets.

    With ``fill``, labels go to the empty cells of this column of the table, and the source to the
    column of that name, if there is one.
    """

    def __init__(
        self,
        classes: Sequence[Any],
        columns: Sequence[str],
        *,
        label: str | None,
        confidence: str,
        fill: str | None,
        top: int,
        proba: bool,
        outliers: bool,
        min_confidence: float,
        sets: bool = False,
        as_json: bool = False,
    ) -> None:
        self.classes, self.columns, self.fill = [str(name) for name in classes], columns, fill
        self.top, self.proba, self.min_confidence = min(top, len(classes)), proba, min_confidence
        self.sets, self.as_json = sets, as_json
        label = fill or label or "label"
        self.known_source = source_column(label, columns)
        self.source = source_column(label, [*columns, label])
        advice = [
            (label, RENAME.format("label")),
            (confidence, RENAME.format("confidence")),
            (self.source, "Rename it in the table."),
        ]
        for n in range(2, self.top + 1):
            advice += [(f"{each}_{n}", OMIT.format("top")) for each in (label, confidence)]
        advice += [(f"proba_{each}", OMIT.format("proba")) for each in self.classes if proba]
        advice += [(OUTLIER, OMIT.format("outliers"))] if outliers else []
        advice += [(SETS, OMIT.format("sets"))] if sets else []
        [(name, count)] = Counter(name for name, _ in advice).most_common(1)
        if count > 1:
            raise ColumnsError(
                f"Two new columns have the name {name!r}. Choose other names with "
                "`label_column` or `confidence_column`."
            )
        self.fills_source = fill is not None and self.source in columns
        in_place = {fill, self.source if self.fills_source else None}
        self.advice = {name: words for name, words in advice if name not in in_place}
        self.names = list(self.advice)
        try:
            check_new_columns(columns, self.names, self.advice)
        except ValueError as error:
            raise ColumnsError(str(error)) from error
        joined = [name for name in self.classes if BETWEEN in name]
        if sets and joined and not as_json:
            raise ColumnsError(
                f"The class {joined[0]!r} contains {BETWEEN!r}, which is between the classes of a "
                "set. Write JSON, or omit `sets`."
            )
        text = {label, self.source, SETS, *(f"{label}_{n}" for n in range(2, self.top + 1))}
        self.numbers = [name for name in self.names if name not in text]
        self.changed = [name for name in columns if name in in_place]

    def add(
        self,
        frame: Any,
        probabilities: np.ndarray,
        is_empty: np.ndarray,
        outliers: np.ndarray | None = None,
        members: np.ndarray | None = None,
    ) -> tuple[Any, int]:
        """Return the rows with the new columns, and the number of rows without a label.

        Cells about the answer are empty if a person gave the label. ``members`` says which classes
        are in the prediction set.
        """
        import pandas

        check_new_columns(frame.columns, self.names, self.advice)
        order = np.argsort(-probabilities, axis=1, kind="stable")
        best = np.take_along_axis(probabilities, order[:, : self.top], axis=1)
        confidences = [[round(each, 4) for each in row] for row in best.tolist()]
        decided = np.array([row[0] for row in confidences]) >= self.min_confidence
        decided &= ~is_empty
        labels = [
            self.classes[at] if sure else ""
            for at, sure in zip(order[:, 0].tolist(), decided.tolist(), strict=True)
        ]
        sources = [MODEL if sure else "" for sure in decided.tolist()]
        given = np.zeros(len(frame), dtype=bool)
        frame = frame.copy()
        if self.fill is not None:
            before = frame[self.fill].tolist()
            given = np.array([not has_no_label(cell) for cell in before], dtype=bool)
            known = self._sources_before(frame, given)
            sources = np.where(given, known, sources).tolist()
            frame[self.fill] = np.where(given, np.array(before, dtype=object), labels)
        if self.fills_source:
            frame[self.source] = np.array(sources, dtype=object)
        new: dict[str, list[Any]] = {}
        columns = iter(self.names)
        unanswered = (given | is_empty).tolist()
        if self.fill is None:
            new[next(columns)] = labels
        new[next(columns)] = _blank([row[0] for row in confidences], unanswered)
        if not self.fills_source:
            new[next(columns)] = sources
        for n in range(1, self.top):
            runner_ups = [self.classes[at] for at in order[:, n].tolist()]
            new[next(columns)] = _blank(runner_ups, unanswered)
            new[next(columns)] = _blank([row[n] for row in confidences], unanswered)
        for at in range(len(self.classes) if self.proba else 0):
            rounded = [round(each, 4) for each in probabilities[:, at].tolist()]
            new[next(columns)] = _blank(rounded, is_empty)
        if outliers is not None:
            new[next(columns)] = _blank(outliers.round(4).tolist(), is_empty)
        if members is not None:
            new[next(columns)] = _blank(self._sets(order, members), is_empty)
        added = pandas.DataFrame(new, frame.index, dtype=object)
        return pandas.concat([frame, added], axis=1), int((~(decided | given)).sum())

    def _sets(self, order: np.ndarray, members: np.ndarray) -> list[Any]:
        """Return the classes of each prediction set, the most likely first."""
        sets: list[Any] = [
            [self.classes[at] for at in row if inside[at]]
            for row, inside in zip(order.tolist(), members.tolist(), strict=True)
        ]
        return sets if self.as_json else [BETWEEN.join(names) for names in sets]

    def _sources_before(self, frame: Any, given: np.ndarray) -> list[str]:
        """Return who gave labels, according to the table; a person unless it says otherwise."""
        known = _sources(frame, self.known_source)
        found = _sources(frame, self.source) if self.fills_source else [None] * len(frame)
        for cell, is_given in zip(found, given.tolist(), strict=True):
            if is_given and cell not in (None, PERSON, MODEL):
                raise ValueError(
                    f"The column {self.source!r} has the cell {cell!r}, but it must say who gave a "
                    f"label: {PERSON} or {MODEL}. Rename this column."
                )
        return [MODEL if MODEL in pair else PERSON for pair in zip(known, found, strict=True)]


def _sources(frame: Any, column: str) -> list[Any]:
    """Return the cells of a column that need not be there; None where it says nothing."""
    if column not in frame:
        return [None] * len(frame)
    return [None if has_no_label(cell) else cell for cell in frame[column]]


def _blank(cells: list[Any], is_empty: Any) -> list[Any]:
    """Return cells that are empty in some rows."""
    return ["" if empty else cell for cell, empty in zip(cells, is_empty, strict=True)]
