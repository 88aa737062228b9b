"""LabelingSession: from texts without labels to answers."""

import warnings
from collections.abc import Iterable, Mapping
from os import PathLike
from typing import Any, Self

import numpy as np

from honeybayes.classifier import TextClassifier
from honeybayes.labeling import exchange, quality, strategies
from honeybayes.labeling.answers import answer_rows, fit_classifier, import_labels
from honeybayes.labeling.pool import Group, Pool, find_groups
from honeybayes.labeling.project import EventParameters, Project
from honeybayes.labeling.quality import Advice, QualityEstimate
from honeybayes.labeling.turn import AUDIT_SHARE, Answers, LiveModel, Suggestion, Turn, pick
from honeybayes.text import make_encoder
from honeybayes.utils.labels import AUTO
from honeybayes.utils.meta_estimators import shuffled_folds
from honeybayes.utils.parameters import documented
from honeybayes.utils.validation import check_fraction, check_integer

MOST_LEARNED = 20_000  # distinct texts that a model learns from; it answers all
MOST_LEARNED_TO_CHECK = 5_000  # by the models that check labels
QUEUE = 20  # texts that are prepared in each turn
N_LIKELY = 5  # classes that come first if there are many


@documented
class LabelingSession(EventParameters):
    """Label texts with a model that learns along, and know when to stop.

    The session suggests texts. You record their labels. After each few labels the model learns
    again. One text in five is random: the audit, from which the accuracy is estimated.

    Parameters
    ----------
    texts : iterable of str
        The texts. Texts that are the same apart from case and white space are labeled once.
    classes : dict or list of str, optional
        Names of the classes, or a dict from names to typical words. With two or more, the first
        suggestions come before the first label. More classes can be added at any time.
    labels : iterable, optional
        Labels that exist already, one per text. None, NaN and "" mean that there is none.
    path : str or path-like, optional
        A project file to write, which must not exist; `LabelingSession.open` continues with it.
        Without it, the session exists in memory only.
    strategy : str or callable, default="representative"
        Which texts come next: a name in ``honeybayes.labeling.STRATEGIES``, or a function; see
        ``honeybayes.labeling.strategies``.
    batch : int, default=5
        Number of labels after which the model learns again.
    audit_share : float, default=0.2
        Share of random texts.
    use_names : bool, default=True
        Whether the names of the classes and their words are weak evidence for the model.
    language : str, default="auto"
        Language of the texts, as in `honeybayes.TextClassifier`.
    encoder : str, function, object with a method encode, TextEncoder or None, default="auto"
        Gives the model a vector of each text beside its words, as in `honeybayes.TextClassifier`:
        "auto" uses "multilingual" if the extra ``vectors`` is installed and can read the letters
        of the texts. The texts are encoded before the model learns for the first time.
    random_state : int, default=0
        Seed. The same labels lead to the same suggestions.
    who : str, optional
        Who labels; by default, the name of the user.

    Attributes
    ----------
    project : Project
        The texts and the labels.
    turn : Turn or None
        The last answers of the model.

    See Also
    --------
    honeybayes.labeling.simulate : Compare strategies on labeled texts.

    Examples
    --------
    >>> from honeybayes.labeling import LabelingSession
    >>> texts = ["My parcel is late", "Charged twice for one order", "Parcel never arrived",
    ...          "Refund the wrong charge", "The parcel is damaged", "An unknown charge"]
    >>> session = LabelingSession(texts, classes={"delivery": "parcel", "billing": "charge"})
    >>> [suggestion] = session.suggest()
    >>> session.name_of(suggestion)
    'delivery'
    >>> session.record(suggestion.row, "delivery")
    >>> session.predict()[1]
    'billing'
    """

    def __init__(
        self,
        texts: Any,
        classes: Any = None,
        labels: Iterable[Any] | None = None,
        *,
        path: str | PathLike[str] | None = None,
        strategy: Any = strategies.DEFAULT,
        batch: int = 5,
        audit_share: float = AUDIT_SHARE,
        use_names: bool = True,
        language: str = "auto",
        encoder: Any = AUTO,
        random_state: int = 0,
        who: str | None = None,
    ) -> None:
        settings = {"language": language, "random_state": random_state}
        project = Project.create(None, texts, settings=settings, who=who)
        if isinstance(classes, str):
            wanted = "a list of names or a dict"
            raise ValueError(f"classes must be {wanted}; got the text {classes!r}.")
        classes = () if classes is None else classes
        named = classes if isinstance(classes, Mapping) else dict.fromkeys(classes)
        for name, words in named.items():
            project.add_class(name, words if isinstance(words, str) else " ".join(words or ()))
        if labels is not None:
            import_labels(project, labels)
        self._start(project, strategy, batch, audit_share, use_names, encoder)
        if path is not None:  # after all checks, so that an error leaves no file
            self.project = project.write(path)

    def __repr__(self) -> str:
        state, where = self.project.ledger.state, self.project.path or "memory"
        numbers = f"{len(state.classes)} classes, {len(state.labels)} labels"
        return f"LabelingSession({len(self.pool):,} texts, {numbers}, in {where})"

    @classmethod
    def open(
        cls,
        path: str | PathLike[str] | Project,
        *,
        strategy: Any = strategies.DEFAULT,
        batch: int = 5,
        audit_share: float = AUDIT_SHARE,
        use_names: bool = True,
        encoder: Any = AUTO,
        who: str | None = None,
    ) -> Self:
        """Continue with a project file.

        Parameters
        ----------
        path : str, path-like or Project
            The file.
        """
        session = cls.__new__(cls)
        project = path if isinstance(path, Project) else Project.open(path, who)
        session._start(project, strategy, batch, audit_share, use_names, encoder)
        return session

    def _start(
        self, project: Project, strategy: Any, batch: int, share: float, names: bool, encoder: Any
    ) -> None:
        check_integer("batch", batch, least=1)
        check_fraction("audit_share", share)
        self.project, self.batch, self.audit_share, self.encoder = project, batch, share, encoder
        self.waits_for_vectors = True  # before it learns; the page does not
        self._strategy = strategies.find_strategy(strategy)
        seed = project.settings.get("random_state", 0)
        language = project.settings.get("language", "auto")
        self.pool = Pool(project.texts, language, seed, make_encoder(encoder, project.texts))
        self._audit_order = quality.random_order(project, len(self.pool))
        learned = np.sort(self._audit_order[:MOST_LEARNED])
        self._answering = LiveModel(self.pool, learned, names)
        self._measured = LiveModel(self.pool, learned, names)
        self.turn: Turn | None = None
        kept = project.last_turn()
        self.held_out: dict[int, tuple[int, float]] = {} if kept is None else kept[1]
        self._offered: dict[int, str] = {}

    # Texts to label

    def suggest(self, n: int = 1) -> list[Suggestion]:
        """Return the next texts to label.

        The model learns again if enough labels have come. The same texts are returned until they
        are recorded.

        Parameters
        ----------
        n : int, default=1
            Number of texts.

        Returns
        -------
        list of Suggestion
            Fewer if few texts are left. Skipped and undecided texts are not suggested again.
        """
        check_integer("n", n, least=1)
        turn, ledger = self.turn, self.project.ledger
        if turn is None or ledger.last_id - turn.last_event >= self.batch:
            turn = self.refit()
        found = pick(turn, ledger.state, n, self.audit_share)
        if len(found) < n:
            found = pick(self.refit(n), ledger.state, n, self.audit_share)
        self._offered |= {each.row: each.purpose for each in found}
        return found

    def record(self, row: int, label: str) -> None:
        """Label a text, a suggested one or another.

        Parameters
        ----------
        label : str
            The name of its class, whatever its case; a new name adds a class.
        """
        purpose = self._purpose(row)  # raises ValueError if there is no such row
        found = self.project.find_class(label) or self.project.add_class(label)
        self.project.label(row, found.id, purpose)

    def skip(self, row: int) -> None:
        """Pass over a text. It is not suggested again, but you can record its label later."""
        self.project.skip(row, self._purpose(row))

    def mark_undecided(self, row: int) -> None:
        """Say that no class fits, or several. The text is not suggested again."""
        self.project.mark_undecided(row, self._purpose(row))

    def groups(self, n: int = 10) -> list[Group]:
        """Return groups of similar texts with their telling words, as a start without classes.

        Parameters
        ----------
        n : int, default=10
            Number of groups.

        Returns
        -------
        list of Group
            The largest first.
        """
        return find_groups(self.pool, n)

    # Answers

    def refit(self, n: int = QUEUE) -> Turn:
        """Learn from all labels so far.

        Parameters
        ----------
        n : int, default=20
            Number of texts to prepare for `suggest`.
        """
        self.project.refresh()
        if self.waits_for_vectors:
            self.pool.encode()
        with warnings.catch_warnings():
            # scikit-learn asks whether these are classes if almost every label is a new one
            warnings.filterwarnings("ignore", "The number of unique classes")
            turn = self.turn = self._run(self.project.freeze(), max(n, QUEUE))
        before = [n_labels for n_labels, _ in self.project.rounds()[-1:]]
        if turn.measured is not None and (not before or quality.is_apart(before[0], turn.n_labels)):
            self.project.add_round(turn.n_labels, turn.measured.first)
        self.project.keep_turn(turn, self.held_out)
        return turn

    def hold_out(self) -> dict[int, tuple[int, float]]:
        """Answer each labeled text with a model that has not learned its label.

        Where such a model is sure of another class, the label may be wrong. Random texts of the
        audit are answered by the model that has not learned any of them, as in `estimate`.

        Returns
        -------
        dict
            For each row with a label, the number of a class and its confidence. The only text of a
            class is left out.
        """
        turn = self._current()
        if self.waits_for_vectors:
            self.pool.encode()
        project = self.project.freeze()
        labels, sources = project.given_ids()[: len(self.pool)], self._sources()
        at = np.flatnonzero(labels)
        learned = np.sort(self._audit_order[:MOST_LEARNED_TO_CHECK])
        found: dict[int, tuple[int, float]] = {}
        for _, hidden in shuffled_folds(np.unique(labels[at], return_inverse=True)[1]).split():
            model, asked = LiveModel(self.pool, learned, self._measured.use_names), at[hidden]
            shown = labels.copy()
            shown[asked] = 0
            with warnings.catch_warnings():  # `run` has told them
                warnings.simplefilter("ignore")
                answers = model.fit(shown, project.classes, sources, asked)
            if answers is not None:
                found |= answers.by_row(self.pool.rows[asked].tolist())
        self.held_out = found | turn.held_out(project.ledger.state.audit, self.pool.place)
        self.project.keep_turn(turn, self.held_out)
        return self.held_out

    def predict(self) -> list[str | None]:
        """Return the answer for each row: the label if there is one, else the model's prediction.

        Returns
        -------
        list of str or None
            None if there is no model yet.
        """
        return [row.label for row in answer_rows(self.project, self._current().answers)]

    def estimate(self) -> QualityEstimate:
        """Estimate the quality of the answers from the audit and from the rounds so far."""
        return quality.measure_quality(self.project, self._current(), self.held_out)

    def advice(self, estimate: QualityEstimate | None = None) -> Advice:
        """Say whether more labels are worth the effort.

        Parameters
        ----------
        estimate : QualityEstimate, optional
            What `estimate` returned, if it is known already.
        """
        return quality.advise(self.project, estimate or self.estimate())

    def export(self, path: str | PathLike[str]) -> None:
        """Write the table with the answers: label, source, confidence and runner-up.

        Parameters
        ----------
        path : str or path-like
            A file to write, ``.csv``, ``.tsv`` or ``.jsonl``.
        """
        exchange.export_project(self.project, path, "answers", self._current().answers)

    def fit_classifier(self, model: Any = "FewLabels") -> TextClassifier:
        """Fit a classifier to all labels, with the other texts as pool, for new texts.

        Parameters
        ----------
        model : str or estimator, default="FewLabels"
            As in `honeybayes.TextClassifier`.
        """
        return fit_classifier(self.project, model, self.encoder)

    def name_of(self, suggestion: Suggestion) -> str | None:
        """Return the name of the suggested class.

        Parameters
        ----------
        suggestion : Suggestion
            A suggestion.

        Returns
        -------
        str or None
            None if nothing is suggested.
        """
        return self.project.ledger.state.names.get(suggestion.class_id or 0)

    # The model

    def _places(self, rows: Iterable[int]) -> np.ndarray:
        """Return where rows are in the pool, without those that came later."""
        place = self.pool.place
        return place[[row for row in rows if row < len(place)]]

    def _run(self, project: Project, n: int) -> Turn:
        """Learn from the labels so far, and prepare the next texts."""
        state, place, classes = project.ledger.state, self.pool.place, project.classes
        # texts that came later are the last ones
        labels, sources = project.given_ids()[: len(self.pool)], self._sources()
        learned = labels.copy()
        learned[self._places(state.audit)] = 0
        votes = [(int(place[row]), id) for row, id in state.other_votes if row < len(place)]
        shown = [(at, id) for at, id in votes if learned[at]]
        measured = self._measured.fit(learned, classes, sources, votes=shown)
        model, answers = self._measured, measured
        if state.audit:
            found = self._answering.fit(labels, classes, sources, votes=votes)
            if found is not None:
                model, answers = self._answering, found
        is_left = labels == 0
        is_left[self._places([*state.skipped, *state.undecided, *project.missing_texts()])] = False
        left = np.flatnonzero(is_left)
        known = np.flatnonzero(learned), self.pool.axes, self._measured.probabilities
        situation = strategies.Situation(left, *known)
        # the same labels lead to the same texts
        rng = np.random.default_rng([self.pool.random_state, len(state.labels)])
        audit = self._audit_order[is_left[self._audit_order]][:n]
        chosen = self._strategy(situation, n, rng) if len(left) else left
        return Turn(
            n_labels=len(state.labels),
            last_event=project.ledger.last_id,
            answers=answers,
            measured=measured,
            chosen=tuple(self._suggest(int(at), labels, model, answers) for at in chosen),
            audit=tuple(Suggestion(row, "audit") for row in self.pool.rows[audit].tolist()),
            seeds_check=model.seeds_check,
        )

    def _sources(self) -> dict[str, np.ndarray]:
        """Return the class that each declared column names for each text, 0 for none."""
        found = quality.find_sources(self.project, declared=True)
        return {name: answers[self.pool.rows] for name, answers in found.items()}

    def _suggest(
        self, position: int, labels: np.ndarray, model: LiveModel, answers: Answers | None
    ) -> Suggestion:
        """Prepare a text with the answer of the model."""
        row, near = int(self.pool.rows[position]), self.pool.almost_equal(position)
        alike = tuple(self.pool.rows[near[labels[near] == 0]].tolist())
        if answers is None or model.probabilities is None:
            return Suggestion(row, "chosen", alike=alike)
        best, second = int(answers.first[position]), int(answers.second[position])
        order = np.argsort(-model.probabilities[position], kind="stable")[:N_LIKELY]
        likely = tuple(model.classifier.classes_[order].tolist())
        behind = model.explain(position, best, second)._asdict()
        confidence = float(answers.confidence[position])
        return Suggestion(row, "chosen", best, confidence, alike=alike, likely=likely, **behind)

    def _current(self) -> Turn:
        """Return the answers after the last event; those in the file are as good as new ones."""
        last = self.project.ledger.last_id
        if self.turn is not None and self.turn.last_event == last:
            return self.turn
        kept = self.project.last_turn()
        if kept is not None and kept[0].last_event == last:
            return kept[0]
        return self.refit()

    def _purpose(self, row: int) -> str:
        return self._offered.get(self.project.first_row(row), "review")
