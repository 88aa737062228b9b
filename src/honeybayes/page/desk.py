"""The desk: what the page shows and does, as plain values, without any web server."""

import codecs
import hashlib
import shlex
import time
from collections import Counter
from collections.abc import Collection, Sequence
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from honeybayes.labeling import Project, Suggestion, export_project, measure_agreement, quality
from honeybayes.labeling.ledger import Event
from honeybayes.labeling.project_file import identity_of
from honeybayes.labeling.turn import Answers, Turn, pick, pick_double
from honeybayes.page.event_wording import describe_event, sendable, shorten
from honeybayes.page.month import Month
from honeybayes.page.worker import NOTHING, Learner
from honeybayes.utils.plain import as_plain

if TYPE_CHECKING:
    from pandas import DataFrame

LONGEST_SHOWN = 200_000  # characters of one text
PER_PAGE = 50
GROUPS_PATIENCE = 5.0  # seconds; after that, the page asks again
RESERVED = 300.0  # seconds for which a text belongs to one window
NONE = 0  # no class; classes are numbered from 1
NO_ANSWERS = Answers(*np.zeros((2, 0), int), *np.zeros((2, 0), np.float32))
NO_SUGGESTION = ("audit", "double", "check")  # which might influence the answer
EXPORTS = (
    *("answers.xlsx", "answers.csv", "answers.jsonl", "labels.xlsx", "labels.csv"),
    *("label-studio.json", "doccano.jsonl"),
)
SHOWN = ("suspicious", "checks", "disagreements", "undecided", "skipped", "notes", "missing")


class Desk:
    """A project, what the model learned, and which window has which text.

    All methods may be called from several threads.
    """

    def __init__(self, project: Project, learner: Learner) -> None:
        self.project, self.learner = project, learner
        # when a text that a window has, by its row, is free again
        self._reserved: dict[tuple[str, int], float] = {}
        self._for_audit: set[int] = set()  # rows that were offered for the audit
        self._for_double: dict[int, str] = {}  # and to a second person
        self._groups: dict[tuple[int, int], Future[Any]] = {}
        self._folded: list[str] = []  # the texts in lower case, to search in them
        # what the table says of each row, and the version of table and classes that this is about
        self._said: tuple[Any, list[str], dict[str, np.ndarray]] = (None, [], {})
        self.month = Month(project, learner)
        # a window that still shows another project must not label texts of this one
        about = f"{project.path and project.path.resolve()} {identity_of(project.path)}"
        self.key = hashlib.sha256(about.encode("utf-8", "replace")).hexdigest()[:16]

    # What the page shows

    @property
    def name(self) -> str:
        """The name of the project."""
        return "" if self.project.path is None else sendable(self.project.path.stem)

    @property
    def turn(self) -> Turn:
        """The last turn of the model; an empty one before the first."""
        return self.learner.learned.turn

    def state(self, who: str | None = None) -> dict[str, Any]:
        """Return the state for a person: classes, counts, and what the model is doing."""
        with self.project.lock:
            who = who or self.project.who
            self.project.refresh()
            self.learner.tick()
            project, state, learned = self.project, self.project.ledger.state, self.learner.learned
            n_labels = Counter(self.project.given_ids().tolist())
            return {
                "name": self.name,
                "key": self.key,
                "file": sendable(shlex.quote(str(project.path))),
                "column": shlex.quote(project.settings.get("text", "text")),
                "set_aside": project.describe_set_aside(),
                "who": who,
                "people": sorted({who, *(each for v in state.votes.values() for each in v)}),
                "n_rows": len(project.texts),
                "n_texts": len(project.distinct),
                "event": project.ledger.last_id,
                "classes": [{**vars(one), "n_labels": n_labels[one.id]} for one in project.classes],
                "counts": {
                    "labeled": len(state.labels),
                    "audited": len(state.audit),
                    "skipped": len(state.skipped),
                    "undecided": len(state.undecided),
                    "own": sum(who in votes for votes in state.votes.values()),
                    "disagreements": len(state.disagreements),
                    "missing": len(project.settings.get("missing", ())),
                },
                "can_undo": self._event_to_undo(who) is not None,
                "model": {
                    "status": self.learner.status,
                    "n_labels": None if learned is NOTHING else learned.turn.n_labels,
                    "message": self.learner.message,
                    "vectors": self.learner.vectors,
                    "n_changed": learned.n_changed,
                    "seeds_check": learned.turn.seeds_check if self.learner.has_vectors else None,
                },
                "advice": learned.advice,
                "audit": learned.estimate and learned.estimate["audit"],
            }

    def item(self, row: int, purpose: str = "review") -> dict[str, Any]:
        """Return a text with all that is known about it."""
        with self.project.lock:
            row = self.project.first_row(row)
            found = next((each for each in self.turn.chosen if each.row == row), None)
            if found is None or purpose in NO_SUGGESTION:
                found = self._suggest(row, purpose)
            return self._as_item(replace(found, purpose=purpose))

    def quality(self) -> dict[str, Any]:
        """Return the estimate of the quality, and the advice."""
        learned = self.learner.learned
        with self.project.lock:
            agreement = as_plain(measure_agreement(self.project.ledger.state.double))
        return {"estimate": learned.estimate, "advice": learned.advice, "agreement": agreement}

    def groups(self, n: int) -> dict[str, Any]:
        """Return groups of similar texts; None while the worker looks for them."""
        texts, key = self.project.texts, (n, len(self.project.texts))
        known = self._groups.get(key)
        if known is None or (known.done() and known.exception() is not None):
            known = self._groups[key] = self.learner.ask("groups", n)
        try:
            found = known.result(GROUPS_PATIENCE)
        except TimeoutError:
            return {"groups": None}
        groups = [
            {
                "words": each.words,
                "n_texts": int(self.project.copies[list(each.rows)].sum()),
                "examples": [{"row": at, "text": shorten(texts[at], 220)} for at in each.examples],
            }
            for each in found
        ]
        return {"groups": groups}

    def history(self, row: int) -> dict[str, Any]:
        """Return who said what about a text, and when."""
        with self.project.lock:
            names = self.project.ledger.state.names
            events = [
                {"time": each.time, "who": each.who, "what": describe_event(each, names, row)}
                for each in self.project.ledger.history(self.project.first_row(row))
            ]
            return {"events": events}

    def next(
        self, window: str, besides: Collection[int] | None = None, wanted: int | None = None
    ) -> dict[str, Any] | None:
        """Return the next text for a window; None if there is none.

        The window keeps this text, and the first rows in ``besides`` (None: those that it has), for
        some minutes: no other window gets them. ``wanted`` is a class that the person looks for.
        """
        with self.project.lock:
            now, reserved = time.monotonic(), self._reserved
            if besides is not None:
                reserved = {key: end for key, end in reserved.items() if key[0] != window}
                reserved |= {(window, row): now + RESERVED for row in besides}
            self._reserved = {
                (other, row): end
                for (other, row), end in reserved.items()
                if end > now and not self._is_done(row)
            }
            found = self._pick({row for _, row in self._reserved}, wanted)
            if found is None:
                return None
            self._reserved[window, found.row] = now + RESERVED
            if found.purpose == "audit":
                self._for_audit.add(found.row)
            return self._as_item(found)

    def list_texts(
        self,
        page: int = 1,
        class_id: int | None = None,
        source: str | None = None,
        below: float | None = None,
        above: float | None = None,
        search: str = "",
        show: str | None = None,
        sort: str = "row",
    ) -> dict[str, Any]:
        """Return one page of texts.

        They are chosen by the class of the label or else of the prediction; by who gave the answer
        ("person", "model" or "none"); by limits of the confidence; by words that they contain, in
        any order; and by what is special about them, see `SHOWN`. They come by row, or by
        confidence with the least certain first; labels that look wrong with the most certain first.
        """
        found = self.table()
        if class_id is not None:
            found = found[found.label.where(found.label != NONE, found.model) == class_id]
        if source is not None:
            found = found[found.source == source]
        if below is not None:
            found = found[found.confidence < below]
        if above is not None:
            found = found[found.confidence >= above]
        if show == "suspicious":
            found = found[found.is_suspicious]
        elif show is not None:
            found = found[found.index.isin(list(self._special(show)))]
        if needles := search.casefold().split():
            with self.project.lock:
                new = self.project.texts[len(self._folded) :]
                self._folded += [text.casefold() for text in new]
            contain = [all(each in self._folded[row] for each in needles) for row in found.index]
            found = found[np.array(contain, dtype=bool)]
        if show == "suspicious":
            found = found.sort_values("other_confidence", ascending=False, kind="stable")
        elif sort == "confidence":
            found = found.sort_values("confidence", kind="stable")
        first = (page - 1) * PER_PAGE
        with self.project.lock:
            some = found.iloc[first : first + PER_PAGE].reset_index(names="row")
            missing = self.project.missing_texts()
            shown = [self._as_listed(each, missing) for each in some.itertuples(index=False)]
        n_pages = max(1, -(-len(found) // PER_PAGE))
        return {"n": len(found), "page": page, "n_pages": n_pages, "texts": shown}

    def table(self) -> "DataFrame":
        """Return what is known about each distinct text, by its first row.

        The columns are the class that a person gave and that the model predicts, 0 if none; the
        same for a model that has not learned the label; and whether the label looks wrong.
        """
        import pandas

        with self.project.lock:
            label, state = self.project.given_ids(), self.project.ledger.state
            answers, learned = self.answers(), self.learner.learned
            is_known = np.isin(answers.first, list(state.classes))
            model = np.where(is_known, answers.first, NONE)
            confidence = np.where(is_known, answers.confidence, 0)
            other, other_confidence = model.copy(), confidence.copy()
            for row, (class_id, own) in learned.held_out.items():
                if row in state.labels and class_id in state.classes:
                    at = self.project.place[row]
                    other[at], other_confidence[at] = class_id, own
            differs = (label != NONE) & (other != NONE) & (label != other)
            known = {
                "label": label,
                "model": model,
                "source": np.select([label != NONE, model != NONE], ["person", "model"], "none"),
                "confidence": confidence,
                "other": other,
                "other_confidence": other_confidence,
                "is_suspicious": differs & (other_confidence >= quality.SUSPICIOUS),
            }
            return pandas.DataFrame(known, self.project.distinct)

    def answers(self) -> Answers:
        """Return the answers of the model, one per distinct text: no class if there is none yet."""
        answers = self.turn.answers or NO_ANSWERS
        n_new = len(self.project.distinct) - len(answers.first)  # texts that were added since
        return Answers(*(np.pad(each, (0, max(0, n_new))) for each in vars(answers).values()))

    # What the person does

    def undo(self) -> dict[str, Any]:
        """Undo the last event; return a sentence, and the text that it was about."""
        with self.project.lock:
            self.project.refresh()
            if self._event_to_undo(self.project.who) is None:
                return {"undone": "There is nothing to undo.", "item": None}
            names = self.project.ledger.state.names
            event = self.project.undo()
            assert event is not None
            what = describe_event(event, names | self.project.ledger.state.names)
            value, is_many = event.value, event.kind == "label_many"
            row = value.get("row") if is_many else value.get("rows", [value.get("row")])[0]
            item = None if row is None else self.item(row, value.get("purpose", "review"))
            return {"undone": f"Undid: {what}", "item": item}

    def accept(self, rows: Sequence[int]) -> int:
        """Make the predictions of the model labels; return how many."""
        with self.project.lock:
            table = self.table().loc[list({self.project.first_row(row) for row in rows})]
            table = table[table.source == "model"].sort_index()
            self.project.label_many(table.index.tolist(), table.model.tolist(), "accepted")
            return len(table)

    def name_group(self, name: str, words: str) -> None:
        """Add a class with the telling words of a group; a known class gets more words."""
        with self.project.lock:
            self.project.refresh()
            if (found := self.project.find_class(name)) is None:
                self.project.add_class(name, words)
            else:
                known = dict.fromkeys(f"{found.words} {words}".split())
                self.project.change_class(found.id, words=" ".join(known))

    def export(self, path: Path, plain_cells: bool = False) -> None:
        """Write a file with the answers or the labels; see `EXPORTS`."""
        with self.project.lock:
            self.project.refresh()
            frozen, answers = self.project.freeze(), self.answers()
        # meanwhile, the person may go on
        export_project(frozen, path, path.name.partition(".")[0], answers, plain_cells=plain_cells)
        content = path.read_bytes().removeprefix(codecs.BOM_UTF8)
        # without this mark, Excel reads "ü" in a table as two other letters
        needs_mark = path.suffix == ".csv" and not content.isascii()
        path.write_bytes(needs_mark * codecs.BOM_UTF8 + content)

    # Inner parts

    def _is_done(self, row: int) -> bool:
        """Return True if a text has its label, and that of a second person if one is asked."""
        state, second = self.project.ledger.state, self._for_double.get(row)
        waits = second is not None and second not in state.votes.get(row, ())
        return row in state.labels and not waits

    def _special(self, show: str) -> Collection[int]:
        """Return the first rows of texts that are special in some way."""
        state, measured = self.project.ledger.state, self.turn.measured
        if show == "missing":
            return self.project.missing_texts()
        if show != "checks":
            found: Collection[int] = getattr(state, show)
            return found
        n_known, place = 0 if measured is None else len(measured.first), self.project.place
        said = self.turn.held_out([row for row in state.audit if place[row] < n_known], place)
        return [row for row, (id, _) in said.items() if id != state.audit[row]]

    def _event_to_undo(self, who: str) -> Event | None:
        event = self.project.ledger.last_to_undo(who)
        # labels of the table are not something that a person did on the page
        is_imported = event is not None and event.value.get("purpose") == "imported"
        return None if is_imported else event

    def _pick(self, taken: Collection[int], wanted: int | None) -> Suggestion | None:
        """Return a text that the model has prepared, or any other text that is left."""
        if self.learner.status == "reading":
            return None
        state = self.project.ledger.state
        pending = {row: "audit" if row in self._for_audit else "chosen" for row in taken}
        closed = {*taken, *self.project.missing_texts()}
        if (asked := self.month.next(closed)) is not None:
            return self._suggest(*asked)
        if wanted is not None and (found_one := self._likely(wanted, closed)) is not None:
            return found_one
        who = self.project.who
        own = [row for row, other in self._for_double.items() if other == who and row in taken]
        n_open = sum(who not in state.votes.get(row, ()) for row in own)
        if (second := pick_double(state, who, closed, n_open)) is not None:
            self._for_double[second.row] = who
            return second
        if found := pick(self.turn, state, 1, pending=pending, closed=closed):
            # of the turn in the file, only the rows are known
            is_known = found[0].class_id is not None or found[0].alike
            return found[0] if is_known else self._suggest(found[0].row, found[0].purpose)
        # the person was faster than the model, or the model failed
        order, done = np.random.default_rng(1).permutation(self.project.distinct), state.done
        left = {row: "chosen" for row in order.tolist() if row not in done} | state.skipped
        rest = (self._suggest(row, why) for row, why in left.items() if row not in closed)
        return next(rest, None)

    def _likely(self, wanted: int, taken: Collection[int]) -> Suggestion | None:
        """Return the text that is most likely of a class, of those that are left."""
        answers, rows = self.answers(), self.project.distinct
        score = np.where(answers.first == wanted, answers.confidence, 0)
        score = np.where(answers.second == wanted, answers.second_confidence, score)
        score[np.isin(rows, [*self.project.ledger.state.done, *taken])] = 0
        best = int(np.argmax(score))
        return self._suggest(int(rows[best]), "chosen") if score[best] > 0 else None

    def _suggest(self, row: int, purpose: str) -> Suggestion:
        """Return a text with the answer of the model, unless it must not influence the person."""
        answers, at = self.answers(), self.project.place[row]
        if purpose in NO_SUGGESTION:
            return Suggestion(row, purpose)
        likely = int(answers.first[at]), int(answers.second[at])
        return Suggestion(row, purpose, likely[0], float(answers.confidence[at]), likely=likely)

    def _as_item(self, found: Suggestion) -> dict[str, Any]:
        state, text = self.project.ledger.state, self.project.texts[found.row]
        label = None if found.purpose == "double" else state.labels.get(found.row)
        if found.class_id not in state.classes:  # none, or it has been deleted since
            found = replace(found, class_id=None, confidence=None, words=())
        _, columns = self._said_by_table()
        said = {name: int(ids[found.row]) for name, ids in columns.items() if ids[found.row]}
        alike = [row for row in found.alike if row not in state.labels]
        return {
            **as_plain(found),
            **self._about(found.row),
            "text": text[:LONGEST_SHOWN],
            "is_cut": len(text) > LONGEST_SHOWN,
            "likely": [id for id in found.likely if id in state.classes],
            "alike": [{"row": row, "text": shorten(self.project.texts[row])} for row in alike],
            "label": None if label is None else label.class_id,
            "said": {} if found.purpose in NO_SUGGESTION else said,
        }

    def _said_by_table(self) -> tuple[list[str], dict[str, np.ndarray]]:
        """Return the names of all rows, and the class that each column names for each row."""
        project, classes = self.project, [(each.id, each.name) for each in self.project.classes]
        version = len(project.texts), project.settings.get("digest"), classes
        if version != self._said[0]:
            column = project.settings.get("id")
            ids = [] if column is None else [record.get(column) for record in project.records()]
            names = ["" if id is None else str(id) for id in ids]
            self._said = version, names, quality.find_sources(project)
        return self._said[1:]

    def _as_listed(self, known: Any, missing: set[int]) -> dict[str, Any]:
        row, state = known.row, self.project.ledger.state
        label = state.labels.get(row)
        return {
            **as_plain(known),
            **self._about(row),
            "text": shorten(self.project.texts[row]),
            "label": known.label or None,
            "confidence": known.confidence if known.model else None,
            "model": known.model or None,
            "other": known.other or None,
            "purpose": None if label is None else label.purpose,
            "who": None if label is None else label.who,
            "votes": state.double.get(row, {}),
            "is_missing": row in missing,
        }

    def _about(self, row: int) -> dict[str, Any]:
        state, (ids, _) = self.project.ledger.state, self._said_by_table()
        return {
            "row": row,
            "id": ids[row] if ids else None,
            "n_copies": int(self.project.copies[row]),
            "note": state.notes.get(row, ""),
            "undecided": row in state.undecided,
            "skipped": row in state.skipped,
        }
