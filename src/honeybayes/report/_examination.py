"""Predictions of one model for held-out documents."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone

from honeybayes.classifier import TextClassifier
from honeybayes.data import Corpus
from honeybayes.evaluate import RandomSplits
from honeybayes.utils.tags import model_tags
from honeybayes.zoo import make_model


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
    """

    text: str
    label: str
    answer: str
    probability: float


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
    """

    rows: np.ndarray
    truth: np.ndarray
    answers: np.ndarray
    probabilities: np.ndarray
    classes: np.ndarray
    classifier: Any
    with_pool: bool = False

    def hardest(self, corpus: Corpus, k: int = 10) -> list[HardDocument]:
        """Find the documents whose true class got the lowest mean probability.

        Parameters
        ----------
        corpus : Corpus
            The corpus that was examined.
        k : int, default=10
            Number of documents.

        Returns
        -------
        list of HardDocument
            The hardest first. Some of them may have a wrong label.
        """
        position = np.searchsorted(self.classes, self.truth)
        given = self.probabilities[np.arange(len(position)), position]
        tested, index = np.unique(self.rows, return_inverse=True)
        mean = np.bincount(index, given) / np.bincount(index)
        found = []
        for document in np.argsort(mean, kind="stable")[:k].tolist():
            average = self.probabilities[index == document].mean(axis=0)
            row, answer = int(tested[document]), str(self.classes[average.argmax()])
            text, label = str(corpus.documents[row]), str(corpus.labels[row])
            found.append(HardDocument(text, label, answer, float(mean[document])))
        return found


def examine(classifier: Any, corpus: Corpus, splits: RandomSplits, seed: int = 0) -> Examination:
    """Train a classifier of texts on each split, and keep its predictions for the test part.

    Parameters
    ----------
    classifier : estimator
        Unfitted classifier that takes texts and returns probabilities, such as
        `honeybayes.TextClassifier`.
    corpus : Corpus
        Texts with labels. Texts with an empty label are never tested; they are the pool of a
        `TextClassifier` whose model learns from unlabeled texts.
    splits : RandomSplits
        How to split. A comparison with the same seed has the same splits.
    seed : int, default=0
        Seed of the splits.

    Returns
    -------
    Examination
    """
    labeled = np.flatnonzero(corpus.labels != "")
    pool = [corpus.documents[row] for row in np.flatnonzero(corpus.labels == "")]
    options = {"pool": pool} if pool and _takes_pool(classifier) else {}
    parts, first = [], None
    for split in splits.split(corpus.labels[labeled], corpus.name, seed):
        train, test = labeled[split.train], labeled[split.test]
        texts = [corpus.documents[row] for row in train]
        fitted = clone(classifier).fit(texts, corpus.labels[train], **options)
        first = fitted if first is None else first
        parts.append((test, fitted.predict_proba([corpus.documents[row] for row in test])))
    rows = np.concatenate([test for test, _ in parts])
    probabilities = np.concatenate([given for _, given in parts])
    classes = np.asarray(first.classes_)  # type: ignore[union-attr]
    answers = classes[probabilities.argmax(axis=1)]
    truth = corpus.labels[rows]
    return Examination(rows, truth, answers, probabilities, classes, first, bool(options))


def _takes_pool(classifier: Any) -> bool:
    if not isinstance(classifier, TextClassifier):
        return False
    model = classifier.model
    if model == "auto":
        return True
    return model_tags(make_model(model) if isinstance(model, str) else model).learns_from_unlabeled
