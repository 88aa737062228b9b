"""The cells that ``honeybayes predict`` writes for each row."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from honeybayes.data.row_writer import check_new_columns
from honeybayes.data.sources import MODEL, PERSON, source_column

OUTLIER = "outlier"
SETS = "labels"
BETWEEN = "; "  # the classes of a set
RENAME = "Choose another name with --{}-column."
OMIT = "Rename it, or omit --{}."


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
        source: str | None,
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
        self.source = source or source_column(label, [*columns, label])
        advice = [
            (label, RENAME.format("label")),
            (confidence, RENAME.format("confidence")),
            (self.source, RENAME.format("source")),
        ]
        for n in range(2, self.top + 1):
            advice += [(f"{each}_{n}", OMIT.format("top")) for each in (label, confidence)]
        advice += [(f"proba_{each}", OMIT.format("proba")) for each in self.classes if proba]
        advice += [(OUTLIER, OMIT.format("outliers"))] if outliers else []
        advice += [(SETS, OMIT.format("sets"))] if sets else []
        [(name, count)] = Counter(name for name, _ in advice).most_common(1)
        if count > 1:
            raise ColumnsError(
                f"Two new columns have the name {name!r}. Choose other names with --label-column, "
                "--confidence-column or --source-column."
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
                "set. Use --json, or omit --sets."
            )
        text = {label, self.source, SETS, *(f"{label}_{n}" for n in range(2, self.top + 1))}
        self.numbers = [name for name in self.names if name not in text]
        self.changed = [name for name in columns if name in in_place]

    def answer(
        self,
        row: Any,
        probabilities: np.ndarray,
        outlier: Any,
        is_empty: bool,
        members: np.ndarray | None = None,
    ) -> tuple[list[Any], bool]:
        """Return the new cells of a row, and whether a label is missing; ``fill`` changes the row.

        Cells about the answer are empty if a person gave the label. ``members`` says which classes
        are in the prediction set.
        """
        order = np.argsort(-probabilities, kind="stable")[: self.top].tolist()
        confidences = [round(float(probabilities[each]), 4) for each in order]
        decided = confidences[0] >= self.min_confidence and not is_empty
        label, source = (self.classes[order[0]], MODEL) if decided else ("", "")
        given = self.fill is not None and self._is_given(row)
        if given:
            source, decided = self._source_before(row), True
        elif self.fill is not None:
            self._put(row, self.fill, label)
        if self.fills_source:
            self._put(row, self.source, source)
        if is_empty:  # a row without text has no answer
            return [source if name == self.source else "" for name in self.names], not decided
        cells: list[Any] = [] if self.fill else [label]
        cells.append("" if given else confidences[0])
        cells += [] if self.fills_source else [source]
        for each, confidence in zip(order[1:], confidences[1:], strict=True):
            cells += ["", ""] if given else [self.classes[each], confidence]
        if self.proba:
            cells += [round(float(each), 4) for each in probabilities]
        cells += [] if outlier is None else [outlier]
        if self.sets and members is not None:
            inside = [each for each in np.argsort(-probabilities, kind="stable") if members[each]]
            names = [self.classes[each] for each in inside]
            cells.append(names if self.as_json else BETWEEN.join(names))
        return cells, not decided

    def _is_given(self, row: Any) -> bool:
        value = self._get(row, self.fill)
        return value is not None and bool(str(value).strip())

    def _source_before(self, row: Any) -> str:
        """Return who gave a label, according to the table; a person unless it says otherwise."""
        found = self._get(row, self.source) if self.fills_source else None
        if found not in (None, "", PERSON, MODEL):
            raise ValueError(
                f"The column {self.source!r} has the cell {found!r}, but it must say who gave a "
                f"label: {PERSON} or {MODEL}. {RENAME.format('source')}"
            )
        return MODEL if self._get(row, self.known_source) == MODEL or found == MODEL else PERSON

    def _get(self, row: Any, name: Any) -> Any:
        if isinstance(row, dict):
            return row.get(name)
        return row[self.columns.index(name)] if name in self.columns else None

    def _put(self, row: Any, name: str, value: str) -> None:
        row[name if isinstance(row, dict) else self.columns.index(name)] = value
