"""Predictions of one model for held-out documents."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.metrics import f1_score

from honeybayes.calibration.coverage import FEWEST_HELD_OUT
from honeybayes.classifier import TextClassifier
from honeybayes.evaluate import RandomSplits, RepeatedFolds
from honeybayes.tables import Corpus
from honeybayes.text import ATTRIBUTES
from honeybayes.utils.labels import AUTO
from honeybayes.utils.parameters import documented
from honeybayes.utils.tags import model_tags
from honeybayes.utils.texts import digest_texts
from honeybayes.zoo import make_model

PREDICTIONS = ("rows", "truth", "answers", "probabilities")
SUSPICIOUS = 0.8  # confidence of a model that disagrees with a label, as on the labeling page


@dataclass(frozen=True)
class HardDocument:
    """A document whose true class got a low probability.

    Parameters
    ----------
    text : str
        The document.
    label, answer : str
        Its true class, and the class with the highest mean probability.
    probability : float
        Mean probability of its true class.
    confidence : float, default=0.0
        Mean probability of ``answer``.
    row : int, default=0
        Number of its row in the table; the first row has number 1.
    id : str, default=""
        Its id, if the corpus has ids.
    """

    text: str
    label: str
    answer: str
    probability: float
    confidence: float = 0.0
    row: int = 0
    id: str = ""


@documented
@dataclass(frozen=True)
class Examination:
    """Predictions of a model for held-out documents.

    Parameters
    ----------
    rows : ndarray of shape (n_predictions,)
        Row of each document in the corpus. Several splits may test the same document.
    truth, answers : ndarray of shape (n_predictions,)
        True and predicted labels.
    probabilities : ndarray of shape (n_predictions, n_classes)
        Probability of each class.
    classes : ndarray of shape (n_classes,)
        Labels of the columns.
    classifier : estimator
        The classifier fitted on the first split.
    with_pool : bool
        Whether it also learned from unlabeled texts.
    has_confidence : bool
        Whether the probabilities are its own.
    corpus : Corpus
        The corpus that was examined.
    """

    rows: np.ndarray
    truth: np.ndarray
    answers: np.ndarray
    probabilities: np.ndarray
    classes: np.ndarray
    classifier: Any
    with_pool: bool = False
    has_confidence: bool = True

    @property
    def confidence(self) -> np.ndarray:
        """Probability of each predicted class."""
        return self.probabilities.max(axis=1)

    @property
    def is_right(self) -> np.ndarray:
        """Whether each prediction is the true class."""
        return self.answers == self.truth

    @property
    def n_documents(self) -> int:
        """Number of distinct documents that were tested."""
        return len(self._documents[0])

    def scores(self) -> dict[str, float]:
        """Return the accuracy and, if every class was tested, the macro-F1 of all predictions."""
        found = {"accuracy": float(self.is_right.mean())}
        if set(self.classes) == set(self.truth):
            macro_f1 = f1_score(self.truth, self.answers, average="macro", zero_division=0)
            found["macro_f1"] = float(macro_f1)
        return found

    def only(self, rows: Any) -> "Examination":
        """Keep the predictions for some documents, unless these are fewer than ten.

        Parameters
        ----------
        rows : array-like of int
            Rows in the corpus.
        """
        kept = np.isin(self.rows, np.asarray(rows, dtype=int))
        if len(np.unique(self.rows[kept])) < FEWEST_HELD_OUT:
            return self
        return replace(self, **{name: getattr(self, name)[kept] for name in PREDICTIONS})

    def hardest(self, corpus: Corpus, k: int = 10) -> list[HardDocument]:
        """Find the documents whose true class got the lowest mean probability, the lowest first.

        Some of them may have a wrong label.

        Parameters
        ----------
        k : int, default=10
            Number of documents.
        """
        _, label, mean = self._documents
        given = mean[np.arange(len(label)), label]
        return [self._describe(each, corpus) for each in np.argsort(given, kind="stable")[:k]]

    def suspicious(self, corpus: Corpus, least: float = SUSPICIOUS) -> list[HardDocument]:
        """Find the documents whose label may be wrong: the model is sure of another class.

        Parameters
        ----------
        least : float, default=0.8
            Lowest mean probability of the other class; the surest come first.
        """
        if not self.has_confidence:
            return []
        _, label, mean = self._documents
        confidence = mean.max(axis=1)
        found = np.flatnonzero((mean.argmax(axis=1) != label) & (confidence >= least))
        order = np.argsort(-confidence[found], kind="stable")
        return [self._describe(each, corpus) for each in found[order]]

    @cached_property
    def _documents(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Rows of the documents, columns of their classes, and mean probabilities."""
        tested, first, index = np.unique(self.rows, return_index=True, return_inverse=True)
        sums = np.zeros((len(tested), len(self.classes)))
        np.add.at(sums, index, self.probabilities)
        label = np.searchsorted(self.classes, self.truth[first])
        return tested, label, sums / np.bincount(index)[:, np.newaxis]

    def _describe(self, document: int, corpus: Corpus) -> HardDocument:
        tested, label, mean = self._documents
        row, own, best = int(tested[document]), label[document], mean[document].argmax()
        return HardDocument(
            text=str(corpus.documents[row]),
            label=str(self.classes[own]),
            answer=str(self.classes[best]),
            probability=float(mean[document, own]),
            confidence=float(mean[document, best]),
            row=1 + (row if corpus.rows is None else int(corpus.rows[row])),
            id="" if corpus.ids is None else str(corpus.ids[row]),
        )


def examine(
    classifier: Any,
    corpus: Corpus,
    splits: RandomSplits | RepeatedFolds,
    seed: int = 0,
    *,
    seeds: Mapping[str, str] | None = None,
    hide_labels: bool = False,
) -> Examination:
    """Train a classifier of texts on each split, and keep its predictions for the test part.

    Parameters
    ----------
    classifier : estimator
        Unfitted classifier that takes texts, such as `honeybayes.TextClassifier`. If it returns
        no probabilities, the predicted class gets 1, and ``has_confidence`` is False.
    corpus : Corpus
        Texts with labels. Texts with an empty label are never tested; they are the pool of a
        `TextClassifier` whose model learns from unlabeled texts.
    splits : RandomSplits or RepeatedFolds
        How to split. A comparison with the same seed has the same splits.
    seed : int, default=0
        Seed of the splits.
    seeds : mapping of str to str, optional
        Seed words of the classes, for ``classifier.fit``.
    hide_labels : bool, default=False
        Whether the labeled documents outside a draw, without their labels, are in the pool, too,
        as in `honeybayes.evaluate.compare`.

    Returns
    -------
    Examination
        Test documents whose text is in the training part are left out.
    """
    labeled = np.flatnonzero(corpus.labels != "")
    # records of few attributes are often equal, and yet not the same
    may_repeat = getattr(classifier, "language", None) == ATTRIBUTES
    digests = None if may_repeat else digest_texts(corpus.documents, salt=0)[labeled]
    takes_pool = isinstance(classifier, TextClassifier) and _takes_pool(classifier.model)
    classes = np.union1d(corpus.classes, [] if seeds is None else list(seeds))
    options: dict[str, Any] = {} if seeds is None else {"seeds": seeds}
    first, tested, parts = None, [], []
    for split in splits.split(corpus.labels[labeled], corpus.name, seed):
        split = split.without_repeated(digests)
        train, test = labeled[split.train], corpus.take(labeled[split.test]).documents
        if takes_pool:
            is_pool = np.full(len(corpus), hide_labels) | (corpus.labels == "")
            is_pool[train] = False
            pool = corpus.take(np.flatnonzero(is_pool)).documents
            options["pool"] = partial(list, pool) if pool else None  # a list might be a split one
        fitted = clone(classifier).fit(
            corpus.take(train).documents, corpus.labels[train], **options
        )
        # a small class may be missing in a training part
        given = np.zeros((len(test), len(classes)))
        if hasattr(fitted, "predict_proba"):
            columns = np.searchsorted(classes, np.asarray(fitted.classes_, dtype=str))
            given[:, columns] = fitted.predict_proba(test)
        else:
            given[np.arange(len(test)), np.searchsorted(classes, fitted.predict(test))] = 1
        tested.append(labeled[split.test])
        parts.append(given)
        first = first or fitted  # the telling words are those of the first split
    rows, probabilities = np.concatenate(tested), np.concatenate(parts)
    return Examination(
        rows,
        truth=corpus.labels[rows],
        answers=classes[probabilities.argmax(axis=1)],
        probabilities=probabilities,
        classes=classes,
        classifier=first,
        with_pool=options.get("pool") is not None,
        has_confidence=hasattr(first, "predict_proba"),
    )


def _takes_pool(model: Any) -> bool:
    if isinstance(model, str):
        return model == AUTO or model_tags(make_model(model)).learns_from_unlabeled
    return model_tags(model).learns_from_unlabeled
