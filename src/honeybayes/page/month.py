"""Next month: whether new texts are like the old ones, and whether the accuracy still holds."""

from collections.abc import Collection
from concurrent.futures import Future
from typing import Any

from honeybayes.evaluate import NewTextsCheck
from honeybayes.labeling import Project
from honeybayes.page.worker import Learner

# random texts of a month are no random texts of the whole table, so they are not in the audit
PURPOSES = {"random": "check", "doubtful": "chosen"}


class Month:
    """The comparison of the rows that came last with those before, and what a person labels."""

    def __init__(self, project: Project, learner: Learner) -> None:
        self.project, self.learner = project, learner
        self.check: NewTextsCheck | None = None
        self._waiting: Future[Any] | None = None
        self._first_row = 0  # of the new ones, when they were compared
        self._queue: dict[int, str] = {}  # rows that come next, and why

    def start(self) -> None:
        """Compare the rows that came last with those before."""
        if "new_from" not in self.project.settings:
            raise ValueError("No row has been added yet. Add a table in Files first.")
        if self._waiting is None:
            self._first_row = self.project.settings["new_from"]
            self._waiting = self.learner.ask("check_month", self._first_row)

    def describe(self) -> dict[str, Any]:
        """Return what is known: how far the comparison is, what changed, and what checks say."""
        told: dict[str, Any] = {"has_new": "new_from" in self.project.settings, "status": "idle"}
        if self._waiting is not None and not self._waiting.done():
            return told | {"status": "working"}
        if self._waiting is not None:
            done, self._waiting = self._waiting, None
            if (error := done.exception()) is not None:
                return told | {"status": "failed", "message": str(error)}
            self.check = done.result()
        if self.check is None:
            return told
        rows = {kind: self._rows(kind) for kind in PURPOSES}
        state = self.project.ledger.state
        known, names = dict(state.labels), state.names
        random = zip(self.check.random, rows["random"], strict=True)
        labels = {row: names[known[first].class_id] for row, first in random if first in known}
        return told | {
            "status": "done",
            "verdict": self.check.verdict,
            "lines": self.check.describe(),
            "n_random": len(rows["random"]),
            "n_random_done": len(labels),
            "n_doubtful": sum(row not in known for row in rows["doubtful"]),
            "judgement": self.check.judge(labels).describe() if labels else "",
        }

    def offer(self, kind: str) -> None:
        """Let the random checks, or the doubtful texts, come next."""
        if self.check is None:
            raise ValueError("Compare the new texts first.")
        self._queue |= dict.fromkeys(self._rows(kind), PURPOSES[kind])

    def next(self, taken: Collection[int]) -> tuple[int, str] | None:
        """Return the next of the texts that were asked for, and why; None if none is left."""
        done = self.project.ledger.state.done
        self._queue = {row: why for row, why in self._queue.items() if row not in done}
        return next((each for each in self._queue.items() if each[0] not in taken), None)

    def _rows(self, kind: str) -> list[int]:
        """Return the first rows of the texts that a comparison chose."""
        return [self.project.first_row(self._first_row + at) for at in getattr(self.check, kind)]
