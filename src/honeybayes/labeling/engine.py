"""The engine: learns from the labels so far, answers all texts, and chooses the next ones.

It gets a snapshot of the labels and returns a turn. It keeps no labels itself, so that it can run
in another process.
"""

import warnings
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from honeybayes.classifier.word_choice import should_remove_stop_words, stop_words_without_seeds
from honeybayes.labeling.ledger import LabelClass
from honeybayes.labeling.live_model import UNLABELED, LiveModel, Word
from honeybayes.labeling.pool import Pool
from honeybayes.labeling.project import Project
from honeybayes.labeling.strategies import DEFAULT, Situation, find_strategy
from honeybayes.text import check_seeds
from honeybayes.utils.folds import shuffled_folds

MOST_LEARNED = 20_000  # distinct texts that a model learns from; it answers all
MOST_LEARNED_TO_CHECK = 5_000  # by the models that check labels
MORE_LABELS = 1.5  # the choice of stop words is made again when the labels have grown so much
QUEUE = 20  # texts that are prepared in each turn


class Snapshot(NamedTuple):
    """What is known at one moment."""

    classes: list[LabelClass]
    labels: dict[int, int]  # for each labeled row, the number of its class
    audit: frozenset[int]  # the labeled rows that belong to the audit
    closed: frozenset[int]  # rows that are not offered again: skipped or undecided
    last_event: int = 0
    n_offered: int = 0  # offered texts that the person has dealt with
    n_audited: int = 0  # those of them that belong to the audit

    @classmethod
    def of(cls, project: Project) -> "Snapshot":
        """Take a snapshot of a project."""
        state = project.ledger.state
        labels = {row: each.class_id for row, each in state.labels.items()}
        audit = frozenset(row for row, each in state.labels.items() if each.purpose == "audit")
        closed = frozenset([*state.skipped, *state.undecided])
        classes = [LabelClass(**vars(each)) for each in project.classes]
        offered = [each.purpose for each in state.labels.values()]
        offered += [*state.skipped.values(), *state.undecided.values()]
        n_audited, n_chosen = offered.count("audit"), offered.count("chosen")
        last = project.ledger.last_id
        return cls(classes, labels, audit, closed, last, n_audited + n_chosen, n_audited)


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
    """What the engine found out for one snapshot.

    Parameters
    ----------
    n_labels : int
        Number of labeled distinct texts in the snapshot.
    last_event : int
        Number of the last event in the snapshot.
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
    snapshot: Snapshot,
    n: int = 1,
    audit_share: float = 0.2,
    besides: Collection[int] = (),
) -> list[Suggestion]:
    """Choose the next texts from those that a turn has prepared, at most ``n``.

    ``besides`` are rows to leave out, for example because they are open in another window.
    """
    taken = {*snapshot.labels, *snapshot.closed, *besides}
    found: list[Suggestion] = []
    for n_offered in range(snapshot.n_offered, snapshot.n_offered + n):
        n_audited = snapshot.n_audited + sum(each.purpose == "audit" for each in found)
        wants_audit = int((n_offered + 1) * audit_share + 1e-9) > n_audited
        prepared = turn.audit + turn.chosen if wants_audit else turn.chosen + turn.audit
        free = (each for each in prepared if each.row not in taken)
        if (suggestion := next(free, None)) is None:
            break
        taken.add(suggestion.row)
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

    def run(self, snapshot: Snapshot, n: int = QUEUE) -> Turn:
        """Learn from a snapshot and prepare the next texts."""
        with warnings.catch_warnings():
            # scikit-learn asks whether these are classes if almost every label is a new one
            warnings.filterwarnings("ignore", "The number of unique classes")
            return self._run(snapshot, n)

    def _run(self, snapshot: Snapshot, n: int) -> Turn:
        labels = {self.pool.position[row]: id for row, id in snapshot.labels.items()}
        audit = {self.pool.position[row] for row in snapshot.audit}
        without_audit = {at: id for at, id in labels.items() if at not in audit}
        classes = sorted(snapshot.classes, key=lambda each: each.id)
        stop_words = self._choose_stop_words(without_audit, classes)
        probabilities = self._measured.fit(without_audit, classes, stop_words)
        measured = answers = _answers(self._measured, probabilities)
        model = self._measured
        if audit and (found := self._answering.fit(labels, classes, stop_words)) is not None:
            model, answers = self._answering, _answers(self._answering, found)
        closed = {self.pool.position[row] for row in snapshot.closed}.union(labels)
        left = np.setdiff1d(np.arange(len(self.pool)), np.fromiter(closed, int, len(closed)))
        situation = Situation(
            left,
            np.array(sorted(without_audit), dtype=int),
            self.pool.axes,
            probabilities,
            self.batch,
        )
        # the same snapshot leads to the same texts
        rng = np.random.default_rng([self.random_state, len(labels)])
        audit_next = [at for at in self.audit_order.tolist() if at not in closed][:n]
        chosen = self.strategy(situation, n, rng) if len(left) else left
        return Turn(
            n_labels=len(labels),
            last_event=snapshot.last_event,
            answers=answers,
            measured=measured,
            chosen=tuple(self._suggest(int(at), model, answers, labels) for at in chosen),
            audit=tuple(
                Suggestion(int(self.pool.rows[at]), "audit", alike=self._alike(at, labels))
                for at in audit_next
            ),
            seeds_check=model.seeds_check,
            expected_accuracy=float(getattr(model.classifier, "expected_accuracy_", 0.0)),
        )

    def hold_out(self, snapshot: Snapshot) -> dict[int, tuple[int, float]]:
        """Answer each labeled text with a model that has not learned its label.

        A model that has learned a wrong label often repeats it. The only text of a class is not
        asked: without its label, no model could know the class.
        """
        labels = {self.pool.position[row]: id for row, id in sorted(snapshot.labels.items())}
        at, given = (np.array(list(each), dtype=int) for each in (labels, labels.values()))
        classes = sorted(snapshot.classes, key=lambda each: each.id)
        audit = {self.pool.position[row] for row in snapshot.audit}
        stop_words = self._choose_stop_words(
            {each: id for each, id in labels.items() if each not in audit}, classes
        )
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
        if pool.stop_words != "auto" or not pool.default_stop_words():
            return pool.default_stop_words()
        if labels and len(labels) >= MORE_LABELS * self._n_when_chosen:
            y = np.full(len(pool), UNLABELED)
            y[list(labels)] = list(labels.values())
            settings: dict[str, Any] = {"language": pool.language, "stem": pool.stem}
            settings["opening"] = pool.opening
            self._n_when_chosen = len(labels)
            self._removes = should_remove_stop_words(pool.texts, y, UNLABELED, **settings)
        if not self._removes or not self._measured.use_names:
            return self._removes
        words = check_seeds({each.name: each.words for each in classes})
        return stop_words_without_seeds(words.values(), pool.language)

    def _alike(self, position: int, labels: dict[int, int]) -> tuple[int, ...]:
        found = self.pool.almost_equal(position)
        return tuple(int(self.pool.rows[at]) for at in found if at not in labels)

    def _suggest(
        self, position: int, model: LiveModel, answers: Answers | None, labels: dict[int, int]
    ) -> Suggestion:
        alike, row = self._alike(position, labels), int(self.pool.rows[position])
        if answers is None:
            return Suggestion(row, "chosen", alike=alike)
        best, second = int(answers.first[position]), int(answers.second[position])
        return Suggestion(
            row,
            "chosen",
            class_id=best,
            confidence=float(answers.confidence[position]),
            words=model.words(position, best, second),
            alike=alike,
        )


def _answers(model: LiveModel, probabilities: np.ndarray | None) -> Answers | None:
    if probabilities is None:
        return None
    ids, rows = model.classifier.classes_, np.arange(len(probabilities))
    first = probabilities.argmax(axis=1)
    others = probabilities.copy()
    others[rows, first] = -1
    second = others.argmax(axis=1)
    return Answers(
        ids[first],
        ids[second],
        probabilities[rows, first].astype(np.float32),
        probabilities[rows, second].astype(np.float32),
    )
