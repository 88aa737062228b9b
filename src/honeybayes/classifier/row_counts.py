"""What happened to the rows of a table that a model classified."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from honeybayes.utils.messages import say_rows


class RowCounts:
    """Counts rows while a table is classified, and which of their texts say nothing to the model.

    ``numbers`` are those of "rows", "undecided", "seen", "empty" and "unknown" rows, and of rows by
    the number of classes in their sets.
    """

    def __init__(self, classifier: Any) -> None:
        self.classifier = classifier
        self.numbers: Counter[Any] = Counter()
        self.confidences: list[np.ndarray] = []

    def add(self, texts: Sequence[str], probabilities: np.ndarray) -> np.ndarray:
        """Count texts with their answers; return which texts are empty."""
        is_empty = np.array([not words.strip() for words in texts])
        if not self.classifier.n_dense_:  # others answer without a known word, too
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
        lines, numbers = self._describe_wrong(), self.numbers
        if where is None:
            return lines
        n_rows, n_left = numbers["rows"], numbers["undecided"]
        told = "1 row classified" if n_rows == 1 else f"{n_rows} rows classified"
        if has_threshold:
            told = f"{n_rows - n_left} of {n_rows} rows got a label, {n_left} are left for a person"
        if numbers["seen"]:
            told += f", {numbers['seen']} of them texts that the model has learned from"
        lines.insert(0, f"{told}: {where}")
        sizes = {size: n for size, n in numbers.items() if isinstance(size, int)}
        if sizes:
            one, two = sizes.pop(1, 0), sizes.pop(2, 0)
            lines.append(
                f"Sets: {one:,} {'row' if one == 1 else 'rows'} with one class, {two:,} with two, "
                f"{sum(sizes.values()):,} with three or more (from "
                f"{len(self.classifier.held_out_):,} held-out texts)"
            )
        return lines

    def _describe_wrong(self) -> list[str]:
        of_records = "attributes" in (self.classifier._table or {})
        whole, part = ("value", "value") if of_records else ("text", "word")
        n_empty, n_unknown = self.numbers["empty"], self.numbers["unknown"]
        lines = []
        if n_empty:
            lines.append(f"{say_rows(n_empty, 'has', 'have')} no {whole}: no label was given")
        if n_unknown:
            known = f"no {part} that the model knows: the label is a guess"
            lines.append(f"{say_rows(n_unknown, 'has', 'have')} {known}")
        return lines
