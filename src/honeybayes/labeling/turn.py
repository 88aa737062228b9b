"""A turn: the answers of the model at one moment, and the texts that it has prepared."""

import json
import zlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from honeybayes.labeling.ledger import LedgerState
from honeybayes.labeling.live_model import Answers, Word

DOUBLE_SHARE = 0.1  # of the answers of each person, if there are several


@dataclass(frozen=True)
class Suggestion:
    """A text to label next.

    Parameters
    ----------
    row : int
        The first row with this text.
    purpose : {"chosen", "audit", "double"}
        Whether a strategy chose it, it is a random text of the audit, or another person has
        labeled it.
    class_id : int or None
        The class that the model suggests. None without a model, and for the audit: a suggestion
        would influence the answer.
    confidence : float or None
        The confidence of the model.
    words : tuple of Word
        The words that speak most for the suggested class.
    alike : tuple of int
        Rows of other texts that are almost the same; none for the audit, because they are not
        random.
    likely : tuple of int
        The most likely classes, the suggested one first.
    """

    row: int
    purpose: str
    class_id: int | None = None
    confidence: float | None = None
    words: tuple[Word, ...] = ()
    alike: tuple[int, ...] = ()
    likely: tuple[int, ...] = ()


@dataclass(frozen=True)
class Turn:
    """What the engine found out at one moment."""

    n_labels: int  # number of labeled distinct texts
    last_event: int  # number of the last event that it knows
    # the answers of the model that learned from all labels. None if there is none, because
    # fewer than two classes have a name or a label
    answers: Answers | None
    # the answers of a second model, which has not seen the labels of the audit. Its accuracy
    # on the audit is an honest estimate
    measured: Answers | None
    chosen: tuple[Suggestion, ...] = ()  # the next texts, according to the strategy
    audit: tuple[Suggestion, ...] = ()  # the next random texts
    # how far the names of the classes can be trusted; see ``seeds_check_`` of
    # `TextClassifier`
    seeds_check: Any = None  # dict or None

    def held_out(self, rows: Collection[int], place: np.ndarray) -> dict[int, tuple[int, float]]:
        """Return class and confidence of the model that has not learned the audit."""
        return {} if self.measured is None else self.measured.by_row(rows, place[list(rows)])


def pick(
    turn: Turn,
    state: LedgerState,
    n: int = 1,
    audit_share: float = 0.2,
    pending: Mapping[int, str] | None = None,
    closed: Collection[int] = (),
) -> list[Suggestion]:
    """Choose the next texts from those that a turn has prepared, at most ``n``.

    ``pending`` are rows that are open in a window, and why. They count as offered, so that the
    share of the audit is right. Rows in ``closed`` are left out, too.
    """
    pending = pending or {}
    done = state.done
    purposes = [*state.purposes, *(each for row, each in pending.items() if row not in done)]
    taken, found = done.union(pending, closed), []
    for _ in range(n):
        n_audited, n_chosen = purposes.count("audit"), purposes.count("chosen")
        wants_audit = int((n_audited + n_chosen + 1) * audit_share + 1e-9) > n_audited
        prepared = turn.audit + turn.chosen if wants_audit else turn.chosen + turn.audit
        suggestion = next((each for each in prepared if each.row not in taken), None)
        if suggestion is None:
            break
        taken.add(suggestion.row)
        purposes.append(suggestion.purpose)
        found.append(suggestion)
    return found


def pick_double(
    state: LedgerState, who: str, taken: Collection[int], n_open: int = 0
) -> Suggestion | None:
    """Return a text that another person has labeled, if it is time for one; None otherwise.

    Random texts of the audit come first: nobody saw a suggestion for them. ``n_open`` of them are
    open in a window of this person, and not answered yet.
    """
    own = [votes for votes in state.votes.values() if who in votes]
    n_double = sum(next(iter(votes)) != who for votes in own)  # another person was first
    if n_double + n_open >= int((len(own) + n_open + 1) * DOUBLE_SHARE + 1e-9):
        return None
    # the earliest first, because these persons may be finished
    found = [
        row
        for row, votes in state.votes.items()
        if len(votes) == 1 and who not in votes and row in state.labels and row not in taken
    ]
    found.sort(key=lambda row: state.labels[row].purpose != "audit")
    return Suggestion(found[0], "double") if found else None


# A turn as bytes: a line of JSON, and arrays


def pack_turn(turn: Turn, held_out: Mapping[int, tuple[int, float]]) -> bytes:
    """Return a turn as bytes that `unpack_turn` can read, of the next texts only the rows."""
    known = {name: vars(turn)[name] for name in ("answers", "measured") if vars(turn)[name]}
    about = {
        "n_labels": turn.n_labels,
        "last_event": turn.last_event,
        "seeds_check": turn.seeds_check,
        "chosen": [each.row for each in turn.chosen],
        "audit": [each.row for each in turn.audit],
        "held_out": [[row, *each] for row, each in held_out.items()],
        "known": list(known),
    }
    parts = [json.dumps(about).encode(), b"\n"]
    for each in known.values():
        parts += [np.asarray([each.first, each.second], "<i4").tobytes()]
        parts += [np.asarray([each.confidence, each.second_confidence], "<f4").tobytes()]
    return zlib.compress(b"".join(parts))


def unpack_turn(
    packed: bytes, n_texts: int, n_rows: int
) -> tuple[Turn, dict[int, tuple[int, float]]]:
    """Return a turn; raise an error if the bytes are not one about so many texts."""
    most = 64 * n_texts + 4_000_000  # a file may claim anything
    content = zlib.decompressobj().decompress(packed, most)
    line, _, rest = content.partition(b"\n")
    about = json.loads(line)
    found: dict[str, Answers | None] = {"answers": None, "measured": None}
    for name in found:
        if name in about["known"]:  # two classes and two confidences of each text, of four bytes
            classes = np.frombuffer(rest, "<i4", 2 * n_texts).reshape(2, n_texts)
            sure = np.frombuffer(rest, "<f4", 2 * n_texts, 8 * n_texts).reshape(2, n_texts)
            found[name], rest = Answers(*classes, *sure), rest[16 * n_texts :]
    held_out = {int(row): (int(id), float(sure)) for row, id, sure in about["held_out"]}
    check = about["seeds_check"]
    chosen, audit = (
        tuple(Suggestion(int(row), purpose) for row in about[purpose] if 0 <= row < n_rows)
        for purpose in ("chosen", "audit")
    )
    turn = Turn(
        int(about["n_labels"]),
        int(about["last_event"]),
        found["answers"],
        found["measured"],
        chosen,
        audit,
        seeds_check=check if isinstance(check, dict) else None,
    )
    return turn, {row: each for row, each in held_out.items() if 0 <= row < n_rows}
