"""The desk: what the page shows and does, as plain values, without any web server."""

import codecs
import io
import time
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from honeybayes.labeling import Answers, Event, Project, Suggestion, Turn
from honeybayes.labeling.engine import Snapshot, pick
from honeybayes.labeling.exchange import write_export
from honeybayes.page.worker import Learner

LONGEST_SHOWN = 200_000  # characters of one text
LONGEST_IN_LIST = 300
PER_PAGE = 50
SUSPICIOUS = 0.8  # confidence of a model that disagrees with a label
RESERVED = 300.0  # seconds for which a text belongs to one window
AUDIT_SHARE = 0.2
NONE = 0  # no class; classes are numbered from 1
EXPORTS = ("answers.csv", "answers.jsonl", "labels.csv", "label-studio.json", "doccano.jsonl")
WHAT = {
    "add_class": "new class {name}",
    "change_class": "change of the class {name}",
    "merge_classes": "merge of the classes",
    "delete_class": "deletion of the class {name}",
    "label": "label {name}",
    "label_many": "{n} accepted labels",
    "clear": "removal of a label",
    "skip": "skip",
    "undecided": "undecided",
    "note": "note",
}


@dataclass(frozen=True)
class Columns:
    """One number per distinct text, in the order of their first rows."""

    rows: np.ndarray  # the first row with each text
    label: np.ndarray  # the class that a person gave; 0 if none
    model: np.ndarray  # the class that the model predicts; 0 if none
    confidence: np.ndarray
    other: np.ndarray  # what a model predicts that has not learned the label, or else as `model`
    other_confidence: np.ndarray

    @cached_property
    def shown(self) -> np.ndarray:
        """The label, or else the prediction."""
        return np.where(self.label != NONE, self.label, self.model)

    @cached_property
    def is_suspicious(self) -> np.ndarray:
        """Whether a model that has not learned the label disagrees strongly with it."""
        differs = (self.label != NONE) & (self.other != NONE) & (self.label != self.other)
        return differs & (self.other_confidence >= SUSPICIOUS)


class Filter(NamedTuple):
    """Which texts are listed."""

    page: int = 1
    class_id: int | None = None  # of the label, or of the prediction if there is no label
    source: str | None = None  # who gave the answer: "person", "model" or "none"
    below: float | None = None  # limits of the confidence
    above: float | None = None
    search: str = ""  # words that the text contains, in any order, whatever their case
    suspicious: bool = False  # only where the model disagrees strongly; the most certain first
    sort: str = "row"  # as in the table; or "confidence": the least certain first


class Desk:
    """A project, what the model learned, and which window has which text.

    All methods may be called from several threads.
    """

    def __init__(self, project: Project, learner: Learner) -> None:
        self.project, self.learner = project, learner
        self._reserved: dict[str, dict[int, float]] = {}
        self._for_audit: set[int] = set()  # rows that were offered for the audit
        self._columns: tuple[Any, Any, Columns | None] = None, (None, None), None
        self._folded: list[str] = []  # the texts in lower case, to search in them
        self._n_known, self._known_rows = 0, np.zeros(0, dtype=int)
        self._random_order: list[int] = []
        self._ids: list[str] = []  # of the column that `label --id` names

    # What the page shows

    @property
    def name(self) -> str:
        """The name of the project."""
        stem = "" if self.project.path is None else self.project.path.stem
        return stem.encode("utf-8", "replace").decode()  # a path may have other bytes

    @property
    def turn(self) -> Turn | None:
        """The last turn of the model."""
        return None if self.learner.learned is None else self.learner.learned.turn

    def state(self) -> dict[str, Any]:
        """Return the state: classes, counts, and what the model is doing."""
        with self.project.lock:
            self.project.refresh()
            self.learner.tick()
            project, state, learned = self.project, self.project.ledger.state, self.learner.learned
            n_labels = Counter(label.class_id for label in state.labels.values())
            purposes = Counter(label.purpose for label in state.labels.values())
            turn = None if learned is None else learned.turn
            return {
                "name": self.name,
                "n_rows": len(project.texts),
                "n_texts": len(self._rows()),
                "event": project.ledger.last_id,
                "classes": [
                    {**vars(each), "n_labels": n_labels[each.id]} for each in project.classes
                ],
                "counts": {
                    "labeled": len(state.labels),
                    "audited": purposes["audit"],
                    "skipped": len(state.skipped),
                    "undecided": len(state.undecided),
                },
                "can_undo": self._event_to_undo() is not None,
                "model": {
                    "status": self.learner.status,
                    "n_labels": None if turn is None else turn.n_labels,
                    "message": self.learner.message,
                    "n_changed": 0 if learned is None else learned.n_changed,
                    "seeds_check": None if turn is None else turn.seeds_check,
                    "expected_accuracy": 0.0 if turn is None else turn.expected_accuracy,
                },
                "advice": None if learned is None else learned.advice,
                "audit": None if learned is None else learned.estimate["audit"],
            }

    def item(self, row: int, purpose: str = "review") -> dict[str, Any]:
        """Return a text with all that is known about it."""
        with self.project.lock:
            row = self.project.first_row(row)
            prepared = () if self.turn is None else self.turn.chosen
            found = next((each for each in prepared if each.row == row), None)
            if found is None or purpose == "audit":
                found = self._suggest(row, purpose)
            return self._as_item(found, purpose)

    def quality(self) -> dict[str, Any]:
        """Return the estimate of the quality, and the advice."""
        learned = self.learner.learned
        if learned is None:
            return {"estimate": None, "advice": None}
        return {"estimate": learned.estimate, "advice": learned.advice}

    def next(self, window: str, besides: Collection[int] | None = None) -> dict[str, Any] | None:
        """Return the next text for a window; None if there is none.

        The window keeps this text, and those in ``besides`` (None: those that it has), for some
        minutes: no other window gets them.
        """
        with self.project.lock:
            until = time.monotonic() + RESERVED
            if besides is not None:
                kept = (self.project.first_row(row) for row in besides)
                self._reserved[window] = dict.fromkeys(kept, until)
            self._forget_old_reservations()
            taken = {row for rows in self._reserved.values() for row in rows}
            found = self._pick(taken)
            if found is None:
                return None
            self._reserved.setdefault(window, {})[found.row] = until
            if found.purpose == "audit":
                self._for_audit.add(found.row)
            return self._as_item(found, found.purpose)

    def list_texts(self, wanted: Filter) -> dict[str, Any]:
        """Return one page of the texts that fit a filter."""
        columns = self.columns()
        fits = np.ones(len(columns.rows), dtype=bool)
        if wanted.class_id is not None:
            fits &= columns.shown == wanted.class_id
        if wanted.source is not None:
            is_labeled, is_answered = columns.label != NONE, columns.model != NONE
            fits &= {
                "person": is_labeled,
                "model": ~is_labeled & is_answered,
                "none": ~is_labeled & ~is_answered,
            }[wanted.source]
        if wanted.below is not None:
            fits &= columns.confidence < wanted.below
        if wanted.above is not None:
            fits &= columns.confidence >= wanted.above
        if wanted.suspicious:
            fits &= columns.is_suspicious
        found = np.flatnonzero(fits)
        if wanted.search.strip():
            found = self._search(wanted.search, columns.rows, found)
        if wanted.suspicious:
            found = found[np.argsort(-columns.other_confidence[found], kind="stable")]
        elif wanted.sort == "confidence":
            found = found[np.argsort(columns.confidence[found], kind="stable")]
        first = (wanted.page - 1) * PER_PAGE
        with self.project.lock:
            shown = [self._as_listed(columns, at) for at in found[first : first + PER_PAGE]]
        n_pages = max(1, -(-len(found) // PER_PAGE))
        return {"n": len(found), "page": wanted.page, "n_pages": n_pages, "texts": shown}

    def columns(self) -> Columns:
        """Return labels and predictions as arrays; they are kept until one changes."""
        with self.project.lock:
            known, (learned, held_out), columns = self._columns
            key = self.project.ledger.last_id, len(self.project.texts)
            now = self.learner.learned, self.learner.held_out
            if columns is None or known != key or learned is not now[0] or held_out is not now[1]:
                columns = self._new_columns()
                self._columns = key, now, columns
            return columns

    def answers(self) -> Answers | None:
        """Return the answers of the model, one per distinct text."""
        answers = None if self.turn is None else self.turn.answers
        if answers is None:
            return None
        n_new = len(self._rows()) - len(answers.first)  # texts that were added since
        if n_new <= 0:
            return answers
        return Answers(*(np.pad(each, (0, n_new)) for each in vars(answers).values()))

    # What the person does

    def undo(self) -> tuple[str, dict[str, Any] | None]:
        """Undo the last event; return a sentence, and the text that it was about."""
        with self.project.lock:
            self.project.refresh()
            if self._event_to_undo() is None:
                return "There is nothing to undo.", None
            names = {each.id: each.name for each in self.project.classes}
            event = self.project.undo()
            assert event is not None
            names |= {each.id: each.name for each in self.project.classes}
            value = event.value
            n = len(value.get("rows", ()))
            what = WHAT[event.kind].format(name=names.get(value.get("id", NONE), ""), n=n)
            row = value["rows"][0] if n and event.kind != "label_many" else value.get("row")
            item = None if row is None else self.item(row, value.get("purpose", "review"))
            return f"Undid: {what}", item

    def accept(self, rows: Sequence[int]) -> int:
        """Make the predictions of the model labels; return how many."""
        with self.project.lock:
            columns = self.columns()
            known = self.project.ledger.state.classes
            firsts = list(dict.fromkeys(self.project.first_row(row) for row in rows))
            at = np.searchsorted(columns.rows, firsts)
            by_row = {
                row: int(columns.model[each])
                for row, each in zip(firsts, at, strict=True)
                if columns.label[each] == NONE and int(columns.model[each]) in known
            }
            self.project.label_many(list(by_row), list(by_row.values()), "accepted")
            return len(by_row)

    def name_group(self, name: str, words: str) -> None:
        """Add a class with the telling words of a group; a known class gets more words."""
        with self.project.lock:
            self.project.refresh()
            found = self.project.find_class(name)
            if found is None:
                self.project.add_class(name, words)
                return
            more = [word for word in words.split() if word not in found.words.split()]
            self.project.change_class(found.id, words=" ".join([found.words, *more]))

    def export(self, name: str, plain_cells: bool = False) -> bytes:
        """Return a file with the answers or the labels; see `EXPORTS`."""
        file = io.StringIO(newline="")
        with self.project.lock:
            self.project.refresh()
            frozen, answers = self.project.freeze(), self.answers()
        format, _, ending = name.rpartition(".")
        # meanwhile, the person may go on
        write_export(file, frozen, answers, format, f".{ending}", plain_cells)
        content = file.getvalue()
        # without this mark, Excel reads "ü" in a table as two other letters
        needs_mark = name.endswith(".csv") and not content.isascii()
        return needs_mark * codecs.BOM_UTF8 + content.encode("utf-8", "backslashreplace")

    # Inner parts

    def _rows(self) -> np.ndarray:
        """Return the first row with each text."""
        if self._n_known != len(self.project.texts):
            self._known_rows = np.unique(self.project.representative)
            self._n_known = len(self.project.texts)
        return self._known_rows

    def _forget_old_reservations(self) -> None:
        now, labels = time.monotonic(), self.project.ledger.state.labels
        self._reserved = {
            window: left
            for window, rows in self._reserved.items()
            if (left := {row: end for row, end in rows.items() if end > now and row not in labels})
        }

    def _event_to_undo(self) -> Event | None:
        event = self.project.ledger.last_to_undo()
        # labels of the table are not something that a person did on the page
        is_imported = event is not None and event.value.get("purpose") == "imported"
        return None if is_imported else event

    def _pick(self, taken: Collection[int]) -> Suggestion | None:
        """Return a text that the model has prepared, or any other text that is left."""
        if self.turn is None and not self.learner.message:
            return None
        snapshot = Snapshot.of(self.project)
        # texts that are open, or fetched ahead, count as offered: the audit stays one in five
        pending = set(taken).difference(snapshot.labels, snapshot.closed)
        snapshot = snapshot._replace(
            n_offered=snapshot.n_offered + len(pending),
            n_audited=snapshot.n_audited + len(pending & self._for_audit),
        )
        if self.turn is not None:
            found = pick(self.turn, snapshot, 1, AUDIT_SHARE, taken)
            if found:
                return found[0]
        # the person was faster than the model, or the model failed
        closed = {*snapshot.labels, *snapshot.closed, *taken}
        if len(self._random_order) != len(self._rows()):
            self._random_order = np.random.default_rng(1).permutation(self._rows()).tolist()
        row = next((row for row in self._random_order if row not in closed), None)
        if row is not None:
            return self._suggest(row, "chosen")
        skipped = self.project.ledger.state.skipped
        row = next((row for row in skipped if row not in taken), None)
        return None if row is None else self._suggest(row, skipped[row])

    def _suggest(self, row: int, purpose: str) -> Suggestion:
        """Return a text with the answer of the model, unless it is for the audit."""
        columns = self.columns()
        at = int(np.searchsorted(columns.rows, row))
        if purpose == "audit" or columns.model[at] == NONE:
            return Suggestion(row, purpose)
        return Suggestion(row, purpose, int(columns.model[at]), float(columns.confidence[at]))

    def _as_item(self, found: Suggestion, purpose: str) -> dict[str, Any]:
        state, text = self.project.ledger.state, self.project.texts[found.row]
        label = state.labels.get(found.row)
        is_known = found.class_id in state.classes  # it may have been deleted since
        return {
            "row": found.row,
            "id": self._id(found.row),
            "text": text[:LONGEST_SHOWN],
            "is_cut": len(text) > LONGEST_SHOWN,
            "n_copies": int(self.project.copies[found.row]),
            "purpose": purpose,
            "class_id": found.class_id if is_known else None,
            "confidence": found.confidence if is_known else None,
            "words": [each._asdict() for each in found.words] if is_known else [],
            "alike": [
                {"row": row, "text": shorten(self.project.texts[row])}
                for row in found.alike
                if row not in state.labels
            ],
            "note": state.notes.get(found.row, ""),
            "label": None if label is None else label.class_id,
            "undecided": found.row in state.undecided,
        }

    def _as_listed(self, columns: Columns, at: int) -> dict[str, Any]:
        state, row = self.project.ledger.state, int(columns.rows[at])
        label, model = int(columns.label[at]), int(columns.model[at])
        known = state.labels.get(row)
        return {
            "row": row,
            "id": self._id(row),
            "text": shorten(self.project.texts[row]),
            "n_copies": int(self.project.copies[row]),
            "label": label or None,
            "source": "person" if label else "model" if model else "none",
            "confidence": float(columns.confidence[at]) if model else None,
            "model": model or None,
            "is_suspicious": bool(columns.is_suspicious[at]),
            "other": int(columns.other[at]) or None,
            "other_confidence": float(columns.other_confidence[at]),
            "note": state.notes.get(row, ""),
            "purpose": None if known is None else known.purpose,
            "undecided": row in state.undecided,
        }

    def _id(self, row: int) -> str | None:
        """Return the name of a row in the table; None if no column has such names."""
        column = self.project.settings.get("id")
        if column is None:
            return None
        if row >= len(self._ids):  # texts were added
            self._ids = ["" if id is None else str(id) for id in self.project.column(column)]
        return self._ids[row]

    def _new_columns(self) -> Columns:
        rows, state, answers = self._rows(), self.project.ledger.state, self.answers()
        label = np.full(len(rows), NONE, dtype=np.int32)
        at = np.searchsorted(rows, np.fromiter(state.labels, int, len(state.labels)))
        label[at] = [each.class_id for each in state.labels.values()]
        model, confidence = np.zeros_like(label), np.zeros(len(rows), np.float32)
        if answers is not None:
            is_known = np.isin(answers.first, list(state.classes))
            model = np.where(is_known, answers.first, NONE).astype(np.int32)
            confidence = np.where(is_known, answers.confidence, 0)
        other, other_confidence = model.copy(), confidence.copy()
        for row, (class_id, own) in self.learner.held_out.items():
            if row in state.labels and class_id in state.classes:
                position = np.searchsorted(rows, row)
                other[position], other_confidence[position] = class_id, own
        return Columns(rows, label, model, confidence, other, other_confidence)

    def _search(self, words: str, rows: np.ndarray, found: np.ndarray) -> np.ndarray:
        """Return the positions among ``found`` whose texts contain all words, in any order."""
        with self.project.lock:
            self._folded += [text.casefold() for text in self.project.texts[len(self._folded) :]]
        needles = words.casefold().split()
        contains = [
            all(needle in self._folded[row] for needle in needles) for row in rows[found].tolist()
        ]
        return found[np.array(contains, dtype=bool)]


def shorten(text: str, length: int = LONGEST_IN_LIST) -> str:
    """Return the beginning of a text, with an ellipsis if more follows."""
    return text if len(text) <= length else f"{text[: length - 2].rstrip()} …"
