"""The columns that answer the rows of a table, and counts of what happened to the rows."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from honeybayes.tables import MODEL, PERSON, check_new_columns, source_column
from honeybayes.utils.labels import has_no_label
from honeybayes.utils.messages import say_rows

OUTLIER = "outlier"
SETS = "labels"
BETWEEN = "; "  # the classes of a set
RENAME = "Choose another name with --{}-column."
OMIT = "Rename it, or omit `{}`."
MOST_KNOWN = 1_000_000  # texts that are compared with later ones


class ColumnsError(ValueError):
    """The command asks for columns that cannot be written. The table is not to blame."""


class AnswerColumns:
    """The new columns: label, confidence and source, then runner-ups, all classes, outlier, sets.

    With ``fill``, labels go to the empty cells of this column of the table, and to those with one
    of the ``marks`` of "no label", and the source to the column of that name, if there is one. Then
    the confidence, too, goes to its column, if there is one: the table was filled before.
    """

    def __init__(
        self,
        classes: Sequence[Any],
        columns: Sequence[str],
        *,
        label: str | None = None,
        confidence: str = "confidence",
        fill: str | None = None,
        top: int = 1,
        proba: bool = False,
        outliers: bool = False,
        min_confidence: float = 0.0,
        sets: bool = False,
        as_json: bool = False,
        marks: Collection[str] = (),
    ) -> None:
        self.classes, self.fill, self.marks = [str(name) for name in classes], fill, marks
        self.proba, self.min_confidence, self.as_json = proba, min_confidence, as_json
        self.label, self.confidence = fill or label or "label", confidence
        self.known_source = source_column(self.label, columns)
        self.source = source_column(self.label, [*columns, self.label])
        places = range(2, min(top, len(classes)) + 1)
        self.runner_ups = [(f"{self.label}_{n}", f"{confidence}_{n}") for n in places]
        self.fills_source = fill is not None and self.source in columns
        self.fills_confidence = self.fills_source and list(columns).count(confidence) == 1
        advice = [
            (self.label, RENAME.format("label")),
            (confidence, RENAME.format("confidence")),
            (self.source, "Rename it in the table."),
            *((name, OMIT.format("top")) for pair in self.runner_ups for name in pair),
            *((f"proba_{name}", OMIT.format("proba")) for name in self.classes if proba),
            *([(OUTLIER, OMIT.format("outliers"))] if outliers else []),
            *([(SETS, OMIT.format("sets"))] if sets else []),
        ]
        [(name, count)] = Counter(name for name, _ in advice).most_common(1)
        if count > 1:
            change = "Change `label_column` or `confidence_column`."
            raise ColumnsError(f"Two new columns have the name {name!r}. {change}")
        self.advice = dict(advice)
        filled = {fill: True, self.source: self.fills_source, confidence: self.fills_confidence}
        self.names = [name for name in self.advice if not filled.get(name)]
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
        text = {self.label, self.source, SETS, *(name for name, _ in self.runner_ups)}
        self.numbers = [name for name in self.advice if name not in text]

    def add(
        self,
        frame: Any,
        probabilities: np.ndarray,
        is_empty: np.ndarray,
        outliers: np.ndarray | None = None,
        members: np.ndarray | None = None,
    ) -> tuple[Any, dict[str, int]]:
        """Return the rows with the new columns, and what `RowCounts` counts of them.

        Cells about the answer are empty if a person gave the label. ``members`` says which classes
        are in the prediction set.
        """
        import pandas

        check_new_columns(frame.columns, self.names, self.advice)
        order = np.argsort(-probabilities, axis=1, kind="stable")
        ranked = np.array(self.classes, dtype=object)[order]
        best = np.take_along_axis(probabilities, order, axis=1)
        confidence = _rounded(best[:, 0])
        decided = (np.array(confidence) >= self.min_confidence) & ~is_empty
        labels = np.where(decided, ranked[:, 0], "")
        sources = np.where(decided, MODEL, "")
        given, frame = np.zeros(len(frame), dtype=bool), frame.copy()
        earlier = self._confidences_before(frame) if self.fills_confidence else None
        if self.fill is not None:
            before = frame[self.fill].to_numpy(dtype=object)
            is_empty_cell = [has_no_label(c) or str(c).strip() in self.marks for c in before]
            given = ~np.array(is_empty_cell, dtype=bool)
            labels = np.where(given, before, labels)
            sources = np.where(given, self._sources_before(frame, given), sources)
        unanswered = given | is_empty
        sure = _blank(confidence, unanswered)
        if earlier is not None:  # labels that are there keep theirs
            sure = [old if new == "" else new for new, old in zip(sure, earlier, strict=True)]
        new: dict[str, Any] = {self.label: labels, self.confidence: sure, self.source: sources}
        for n, (label, confidence_of_label) in enumerate(self.runner_ups, start=1):
            new[label] = _blank(ranked[:, n], unanswered)
            new[confidence_of_label] = _blank(_rounded(best[:, n]), unanswered)
        for at, name in enumerate(self.classes if self.proba else []):
            new[f"proba_{name}"] = _blank(_rounded(probabilities[:, at]), is_empty)
        if outliers is not None:
            new[OUTLIER] = _blank(_rounded(outliers), is_empty)
        if members is not None:
            inside = np.take_along_axis(members, order, axis=1)
            sets = [row[is_in].tolist() for row, is_in in zip(ranked, inside, strict=True)]
            new[SETS] = _blank(sets if self.as_json else map(BETWEEN.join, sets), is_empty)
        added = pandas.DataFrame(new, frame.index, dtype=object)
        for name in new.keys() - set(self.names):
            frame[name] = added.pop(name)
        counts = {"undecided": int((~(decided | given)).sum()), "kept": int(given.sum())}
        return pandas.concat([frame, added], axis=1), counts

    def _confidences_before(self, frame: Any) -> list[Any]:
        """Return the confidences of a table that was filled before, in columns of these names."""
        import pandas

        cells = list(frame.get(self.confidence, [""] * len(frame)))
        known = [0 if has_no_label(cell) else cell for cell in cells]
        numbers = pandas.to_numeric(known, errors="coerce")
        sources = {*_sources(frame, self.source)} - {None, PERSON, MODEL}
        if sources or not ((numbers >= 0) & (numbers <= 1)).all():
            raise ColumnsError(
                f"The table has columns {self.confidence!r} and {self.source!r} already, with "
                f"cells that are not of earlier answers. {RENAME.format('confidence')}"
            )
        return cells

    def _sources_before(self, frame: Any, given: np.ndarray) -> list[str]:
        """Return who gave labels, according to the table; a person unless it says otherwise."""
        known = _sources(frame, self.known_source)
        found = _sources(frame, self.source)
        of_labels = [cell for cell, is_given in zip(found, given, strict=True) if is_given]
        wrong = [cell for cell in of_labels if cell not in (None, PERSON, MODEL)]
        if wrong:
            raise ValueError(
                f"The column {self.source!r} has the cell {wrong[0]!r}, but it must say who gave a "
                f"label: {PERSON} or {MODEL}. Rename this column."
            )
        return [MODEL if MODEL in pair else PERSON for pair in zip(known, found, strict=True)]


def _sources(frame: Any, column: str) -> list[Any]:
    """Return the cells of a column that need not be there; None where it says nothing."""
    cells = frame.get(column, [None] * len(frame))
    return [None if has_no_label(cell) else cell for cell in cells]


def _rounded(numbers: np.ndarray) -> list[float]:
    return [round(each, 4) for each in numbers.tolist()]


def _blank(cells: Iterable[Any], is_empty: np.ndarray) -> list[Any]:
    """Return cells that are empty in some rows."""
    return ["" if empty else cell for cell, empty in zip(cells, is_empty, strict=True)]


@dataclass
class RowCounts:
    """Counts rows while a table is classified, and which of their texts say nothing to the model.

    ``numbers`` are those of "rows", "undecided", "seen", "empty", "unknown" and "repeated" rows,
    of rows by the number of classes in their sets, and of rows whose label was "kept" by ``fill``.
    """

    classifier: Any
    numbers: Counter[Any] = field(default_factory=Counter)
    confidences: list[np.ndarray] = field(default_factory=list)
    known: set[int] = field(default_factory=set)

    def add(self, texts: Sequence[str], probabilities: np.ndarray) -> np.ndarray:
        """Count texts with their answers; return which texts are empty."""
        is_empty = np.array([not words.strip() for words in texts])
        for row in np.flatnonzero(~is_empty).tolist():
            key = hash(texts[row].strip())
            if key in self.known:
                self.numbers["repeated"] += 1
            elif len(self.known) < MOST_KNOWN:  # so that memory stays bounded
                self.known.add(key)
        if not getattr(self.classifier, "n_dense_", 1):  # others answer without a known word, too
            # fast: only texts with the answer of an empty text can be without a known word
            alike = np.isclose(probabilities, self.classifier.predict_proba([""])).all(axis=1)
            doubtful = [texts[row] for row in np.flatnonzero(alike & ~is_empty).tolist()]
            if doubtful:
                n_terms = self.classifier.count_terms(doubtful).astype(bool).sum(axis=1)
                self.numbers["unknown"] += int((np.asarray(n_terms) == 0).sum())
        self.numbers.update(rows=len(texts), empty=int(is_empty.sum()))
        self.confidences.append(probabilities.max(axis=1)[~is_empty].astype(np.float32))
        return is_empty

    def describe(self, where: str | None, has_threshold: bool) -> list[str]:
        """Return lines about the rows that were written; what is wrong with them is always told."""
        numbers, lines = self.numbers, []
        of_records = "attributes" in (getattr(self.classifier, "_table", None) or {})
        whole, part = ("value", "value") if of_records else ("text", "word")
        if n_empty := numbers["empty"]:
            lines.append(f"{say_rows(n_empty, 'has', 'have')} no {whole}: no label was given")
        if n_unknown := numbers["unknown"]:
            known = f"no {part} that the model knows: the label is a guess"
            lines.append(f"{say_rows(n_unknown, 'has', 'have')} {known}")
        if (n_repeated := numbers["repeated"]) and not of_records:  # which are often equal
            lines.append(f"{say_rows(n_repeated, 'repeats', 'repeat')} the text of another row")
        if where is None:
            return lines
        n_rows, n_left = numbers["rows"], numbers["undecided"]
        told = "1 row classified" if n_rows == 1 else f"{n_rows} rows classified"
        left = f", {n_left} are left for a person" if has_threshold else ""
        if n_kept := numbers["kept"]:
            told = f"{n_rows - n_kept - n_left} of {n_rows} rows filled, {n_kept} had a label{left}"
        elif left:
            told = f"{n_rows - n_left} of {n_rows} rows got a label{left}"
        if numbers["seen"] and not n_kept:
            told += f", {numbers['seen']} of them texts that the model has learned from"
        lines.insert(0, f"{told}: {where}")
        sizes = {size: n for size, n in numbers.items() if isinstance(size, int)}
        if sizes:
            one, two = sizes.pop(1, 0), sizes.pop(2, 0)
            n_held_out, more = len(self.classifier.held_out_), sum(sizes.values())
            some = f"{one:,} {'row' if one == 1 else 'rows'} with one class, {two:,} with two"
            source = f"from {n_held_out:,} held-out texts"
            lines.append(f"Sets: {some}, {more:,} with three or more ({source})")
        return lines
