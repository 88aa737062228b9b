"""A turn: the answers of the model at one moment, and the texts that it has prepared."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from honeybayes.labeling.ledger import LedgerState
from honeybayes.labeling.live_model import Word


@dataclass(frozen=True)
class Suggestion:
    """A text to label next.

    Parameters
    ----------
    row : int
        The first row with this text.
    purpose : {"chosen", "audit"}
        Whether a strategy chose it, or it is a random text of the audit.
    class_id : int or None
        The class that the model suggests. None without a model, and for the audit: a suggestion
        would influence the answer.
    confidence : float or None
        The confidence of the model.
    words : tuple of Word
        The words that speak most for the suggested class.
    alike : tuple of int
        Rows of other texts that are almost the same.
    """

    row: int
    purpose: str
    class_id: int | None = None
    confidence: float | None = None
    words: tuple[Word, ...] = ()
    alike: tuple[int, ...] = ()


@dataclass(frozen=True)
class Answers:
    """The answers of a model to all distinct texts, in the order of the pool.

    Parameters
    ----------
    first : ndarray of int
        Numbers of the most likely classes.
    second : ndarray of int
        Numbers of the runners-up.
    confidence : ndarray of float
        Probabilities of the most likely classes.
    second_confidence : ndarray of float
        Probabilities of the runners-up.
    """

    first: np.ndarray
    second: np.ndarray
    confidence: np.ndarray
    second_confidence: np.ndarray


@dataclass(frozen=True)
class Turn:
    """What the engine found out at one moment.

    Parameters
    ----------
    n_labels : int
        Number of labeled distinct texts.
    last_event : int
        Number of the last event that it knows.
    answers : Answers or None
        The answers of the model that learned from all labels. None if there is none, because fewer
        than two classes have a name or a label.
    measured : Answers or None
        The answers of a second model, which has not seen the labels of the audit. Its accuracy on
        the audit is an honest estimate.
    chosen : tuple of Suggestion
        The next texts, according to the strategy.
    audit : tuple of Suggestion
        The next random texts.
    seeds_check : dict or None
        How far the names of the classes can be trusted; see ``seeds_check_`` of `TextClassifier`.
    expected_accuracy : float
        What the model expects of itself; 0 without a model.
    """

    n_labels: int
    last_event: int
    answers: Answers | None
    measured: Answers | None
    chosen: tuple[Suggestion, ...]
    audit: tuple[Suggestion, ...]
    seeds_check: dict[str, Any] | None = None
    expected_accuracy: float = 0.0


def pick(
    turn: Turn,
    state: LedgerState,
    n: int = 1,
    audit_share: float = 0.2,
    pending: Mapping[int, str] | None = None,
) -> list[Suggestion]:
    """Choose the next texts from those that a turn has prepared, at most ``n``.

    ``pending`` are rows that are open in a window, and why. They count as offered, so that the
    share of the audit is right.
    """
    pending = pending or {}
    done = {*state.labels, *state.skipped, *state.undecided}
    purposes = [*state.purposes, *(each for row, each in pending.items() if row not in done)]
    taken, found = done.union(pending), []
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
