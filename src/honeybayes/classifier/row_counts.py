"""What happened to the rows of a table that a model classified."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from honeybayes.utils.messages import say_rows

MOST_KNOWN = 1_000_000  # texts that are compared with later ones


@dataclass
class RowCounts:
    """Counts rows while a table is classified, and which of their texts say nothing to the model.

    ``numbers`` are those of "rows", "undecided", "seen", "empty", "unknown" and "repeated" rows,
    and of rows by the number of classes in their sets.
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
        if has_threshold:
            told = f"{n_rows - n_left} of {n_rows} rows got a label, {n_left} are left for a person"
        if numbers["seen"]:
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
