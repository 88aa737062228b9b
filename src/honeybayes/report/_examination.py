"""A closer look at one model: what it answers to documents that it has not seen."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone

from honeybayes.classifier import TextClassifier
from honeybayes.data import Corpus
from honeybayes.evaluate import RandomSplits
from honeybayes.utils.tags import unlabeled_parameter
from honeybayes.zoo import make_model


@dataclass(frozen=True)
class Hard:
    """A document that the model gets wrong, or nearly.

    Parameters
    ----------
    text : str
        The document.
    label, answer : str
        Its class, and the class it is mostly taken for.
    probability : float
        What the model gives to its class, on average.
    """

    text: str
    label: str
    answer: str
    probability: float


@dataclass(frozen=True)
class Examination:
    """Answers of a model to held-out documents.

    Parameters
    ----------
    rows : ndarray of shape (n_answers,)
        Which document; the same one may have been tested in several splits.
    truth, answers : ndarray of shape (n_answers,)
        True and predicted labels.
    probabilities : ndarray of shape (n_answers, n_classes)
        Of each class.
    classes : ndarray of shape (n_classes,)
        Labels of the columns.
    classifier : estimator
        Fitted to the first split.
    with_pool : bool
        Whether it learned from unlabeled texts, too.
    """

    rows: np.ndarray
    truth: np.ndarray
    answers: np.ndarray
    probabilities: np.ndarray
    classes: np.ndarray
    classifier: Any
    with_pool: bool = False

    def hardest(self, corpus: Corpus, k: int = 10) -> list[Hard]:
        """Find the documents whose class gets the least probability.

        Parameters
        ----------
        corpus : Corpus
            The one that was examined.
        k : int, default=10
            How many.

        Returns
        -------
        list of Hard
            The hardest first. Their labels are worth a second look.
        """
        position = np.searchsorted(self.classes, self.truth)
        given = self.probabilities[np.arange(len(position)), position]
        tested, place = np.unique(self.rows, return_inverse=True)
        mean = np.bincount(place, given) / np.bincount(place)
        found = []
        for document in np.argsort(mean, kind="stable")[:k].tolist():
            average = self.probabilities[place == document].mean(axis=0)
            row = int(tested[document])
            found.append(
                Hard(
                    str(corpus.documents[row]),
                    str(corpus.labels[row]),
                    str(self.classes[average.argmax()]),
                    float(mean[document]),
                )
            )
        return found


def examine(classifier: Any, corpus: Corpus, splits: RandomSplits, seed: int = 0) -> Examination:
    """Train a classifier of texts on each split, and keep its answers to the rest.

    Parameters
    ----------
    classifier : estimator
        Takes texts and gives probabilities, as `honeybayes.TextClassifier`.
    corpus : Corpus
        Texts with labels. Those with an empty label are never tested; they are the pool of a
        `TextClassifier` whose model learns from unlabeled texts.
    splits : RandomSplits
        How to split; the same as those of a comparison with this seed.
    seed : int, default=0
        Of the splits.

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
    if isinstance(classifier.model, str):
        named = classifier.model
        return named == "auto" or unlabeled_parameter(make_model(named)) is not None
    return unlabeled_parameter(classifier.model) is not None
