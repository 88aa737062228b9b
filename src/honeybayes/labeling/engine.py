"""The engine: learns from the labels so far, answers all texts, and chooses the next ones.

It reads the ledger and returns a turn. It keeps no labels itself, so that it can run in another
process.
"""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from honeybayes.classifier.word_choice import should_remove_stop_words, stop_words_without_seeds
from honeybayes.labeling.ledger import LabelClass, Ledger, LedgerState
from honeybayes.labeling.live_model import UNLABELED, LiveModel, Word
from honeybayes.labeling.pool import Pool
from honeybayes.labeling.strategies import DEFAULT, Situation, find_strategy
from honeybayes.text import check_seeds
from honeybayes.utils.folds import shuffled_folds

MOST_LEARNED = 20_000  # distinct texts that a model learns from; it answers all
MOST_LEARNED_TO_CHECK = 5_000  # by the models that check labels
MORE_LABELS = 1.5  # the choice of stop words is made again when the labels have grown so much
QUEUE = 20  # texts that are prepared in each turn


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


class Engine:
    """Learns from labels, answers all texts, and chooses the next ones.

    ``batch`` is the number of labels after which it is usually asked again; ``use_names`` says
    whether the names of the classes and their words are evidence; ``random_state`` is the seed of
    the order of the audit and of the strategy.
    """

    def __init__(
        self,
        pool: Pool,
        strategy: Any = DEFAULT,
        batch: int = 5,
        use_names: bool = True,
        random_state: int = 0,
    ) -> None:
        self.pool, self.strategy, self.batch = pool, find_strategy(strategy), batch
        self.random_state = random_state
        self.audit_order = np.random.default_rng(random_state).permutation(len(pool))
        learned = np.sort(self.audit_order[:MOST_LEARNED])
        self._answering = LiveModel(pool, learned, use_names)
        self._measured = LiveModel(pool, learned, use_names)
        self._removes, self._n_when_chosen = True, 0

    def run(self, ledger: Ledger, n: int = QUEUE) -> Turn:
        """Learn from the labels so far, and prepare the next texts."""
        with warnings.catch_warnings():
            # scikit-learn asks whether these are classes if almost every label is a new one
            warnings.filterwarnings("ignore", "The number of unique classes")
            return self._run(ledger, n)

    def _run(self, ledger: Ledger, n: int) -> Turn:
        state, position = ledger.state, self.pool.position
        labels, learned, classes, stop_words = self._prepare(state)
        probabilities = self._measured.fit(learned, classes, stop_words)
        model, measured = self._measured, _answers(self._measured, probabilities)
        answers = measured
        if state.audit and (found := self._answering.fit(labels, classes, stop_words)) is not None:
            model, answers = self._answering, _answers(self._answering, found)
        passed = {position[row] for row in (*state.skipped, *state.undecided)}
        is_left = np.ones(len(self.pool), dtype=bool)
        is_left[[*labels, *passed]] = False
        left, given = np.flatnonzero(is_left), np.array(sorted(learned), dtype=int)
        situation = Situation(left, given, self.pool.axes, probabilities, self.batch)
        # the same labels lead to the same texts
        rng = np.random.default_rng([self.random_state, len(labels)])
        audit = self.audit_order[is_left[self.audit_order]][:n]
        chosen = self.strategy(situation, n, rng) if len(left) else left
        return Turn(
            n_labels=len(labels),
            last_event=ledger.last_id,
            answers=answers,
            measured=measured,
            chosen=tuple(self._suggest(int(at), labels, "chosen", model, answers) for at in chosen),
            audit=tuple(self._suggest(int(at), labels, "audit") for at in audit),
            seeds_check=model.seeds_check,
            expected_accuracy=float(getattr(model.classifier, "expected_accuracy_", 0.0)),
        )

    def _prepare(
        self, state: LedgerState
    ) -> tuple[dict[int, int], dict[int, int], list[LabelClass], Any]:
        """Return the labels by position, those outside the audit, the classes and stop words."""
        position, classes = self.pool.position, list(state.classes.values())
        labels = {position[row]: each.class_id for row, each in state.labels.items()}
        audit = {position[row] for row in state.audit}
        learned = {at: id for at, id in labels.items() if at not in audit}
        return labels, learned, classes, self._choose_stop_words(learned, classes)

    def hold_out(self, ledger: Ledger) -> dict[int, tuple[int, float]]:
        """Answer each labeled text with a model that has not learned its label.

        A model that has learned a wrong label often repeats it. The only text of a class is not
        asked: without its label, no model could know the class.
        """
        labels, _, classes, stop_words = self._prepare(ledger.state)
        at = np.array(sorted(labels), dtype=int)
        given = np.array([labels[each] for each in at], dtype=int)
        learned = np.sort(self.audit_order[:MOST_LEARNED_TO_CHECK])
        found: dict[int, tuple[int, float]] = {}
        for known, hidden in shuffled_folds(np.unique(given, return_inverse=True)[1]).split():
            model = LiveModel(self.pool, learned, self._measured.use_names)
            shown = dict(zip(at[known].tolist(), given[known].tolist(), strict=True))
            with warnings.catch_warnings():  # `run` has told them
                warnings.simplefilter("ignore")
                answers = _answers(model, model.fit(shown, classes, stop_words, at[hidden]))
            if answers is not None:
                rows = self.pool.rows[at[hidden]].tolist()
                each = zip(answers.first.tolist(), answers.confidence.tolist(), strict=True)
                found |= dict(zip(rows, each, strict=True))
        return found

    def _choose_stop_words(self, labels: dict[int, int], classes: Sequence[LabelClass]) -> Any:
        """Ask the labels whether stop words help, again whenever there are many more of them.

        Stop words that are seed words stay.
        """
        pool = self.pool
        if not pool.has_stop_words:
            return False
        if labels and len(labels) >= MORE_LABELS * self._n_when_chosen:
            y = np.full(len(pool), UNLABELED)
            y[list(labels)] = list(labels.values())
            self._n_when_chosen = len(labels)
            self._removes = should_remove_stop_words(
                pool.texts, y, UNLABELED, language=pool.language
            )
        if not self._removes or not self._measured.use_names:
            return self._removes
        words = check_seeds({each.name: each.words for each in classes})
        return stop_words_without_seeds(words.values(), pool.language)

    def _suggest(
        self,
        position: int,
        labels: dict[int, int],
        purpose: str,
        model: LiveModel | None = None,
        answers: Answers | None = None,
    ) -> Suggestion:
        """Prepare a text, with the answer of the model unless it is for the audit."""
        near = self.pool.almost_equal(position)
        alike = tuple(int(self.pool.rows[at]) for at in near if at not in labels)
        found = Suggestion(int(self.pool.rows[position]), purpose, alike=alike)
        if model is None or answers is None:
            return found
        best, second = int(answers.first[position]), int(answers.second[position])
        words, confidence = model.words(position, best, second), answers.confidence[position]
        return replace(found, class_id=best, confidence=float(confidence), words=words)


def _answers(model: LiveModel, probabilities: np.ndarray | None) -> Answers | None:
    if probabilities is None:
        return None
    first, second = np.argsort(-probabilities, axis=1, kind="stable")[:, :2].T
    ids, rows = model.classifier.classes_, np.arange(len(probabilities))
    confidences = (probabilities[rows, each].astype(np.float32) for each in (first, second))
    return Answers(ids[first], ids[second], *confidences)
