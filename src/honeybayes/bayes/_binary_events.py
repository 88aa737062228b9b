"""Naive Bayes on binary events: a document is the set of its words, present or absent."""

from abc import abstractmethod
from numbers import Real
from typing import Any, NamedTuple, Self

import numpy as np
from scipy import sparse
from sklearn.utils.multiclass import check_classification_targets

from honeybayes.bayes.base import BaseBayes
from honeybayes.utils.labels import encode_labels
from honeybayes.utils.matrices import above_threshold, presence_matrix
from honeybayes.utils.state import Array, State

SMALLEST_PROBABILITY = 1e-10


class BinaryEventEstimate(NamedTuple):
    """What a variant has to say: all in logs, rows are classes.

    Attributes
    ----------
    present : ndarray of shape (n_classes, n_features)
        log P(term present given class).
    absent : ndarray of shape (n_classes, n_features)
        log P(term absent given class); given apart, because 1 - exp(present) would cancel.
    prior : ndarray of shape (n_classes,)
        log P(class).
    """

    present: np.ndarray
    absent: np.ndarray
    prior: np.ndarray


class BaseBinaryEventNB(BaseBayes):
    """Abstract base of the naive Bayes estimators that look at presence alone.

    A variant has a parameter ``binarize`` and must write

    ``_estimate(X, position, classes)``
        Return a `BinaryEventEstimate` from the presence matrix ``X`` (canonical CSR, every stored
        value one), the classes, and the positions of the labels among them. It may set further
        fitted attributes.

    and extend ``_check_parameters()``, which refuses parameters that make no sense before
    anything is changed.

    The score of a document is log P(c) + sum over all terms of log P(absent) + sum over its own
    terms of log P(present) - log P(absent), so that classifying costs its non-zeros only.
    """

    fitted_attributes = State(
        class_log_prior_=Array(("classes",), allow="-inf"),  # of a class without documents
        feature_log_prob_=Array(("classes", "features")),
        feature_log_absence_prob_=Array(("classes", "features")),
        _log_odds=Array(("features", "classes")),
        _empty_score=Array(("classes",), allow="-inf"),
    )

    binarize: float | None

    @abstractmethod
    def _estimate(
        self, X: sparse.csr_array, position: np.ndarray, classes: np.ndarray
    ) -> BinaryEventEstimate: ...

    def _check_parameters(self) -> None:
        binarize = self.binarize
        if binarize is not None and not (isinstance(binarize, Real) and np.isfinite(binarize)):
            raise ValueError(f"binarize must be None or a finite number; got {binarize!r}.")

    def fit(self, X: Any, y: Any) -> Self:
        """Learn from labeled documents.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents by terms.
        y : array-like of shape (n_samples,)
            Label of each document. With a single class, every document gets that class.

        Returns
        -------
        self : object
        """
        self._check_parameters()
        X, y = self._validate(X, y, reset=True)
        classes, position = self._encode_labels(y)
        self._keep(self._estimate(self._presence(X), position, classes), classes)
        return self

    def _encode_labels(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        check_classification_targets(y)
        return encode_labels(y)

    def _presence(self, X: Any) -> sparse.csr_array:
        if self.binarize is None:
            return presence_matrix(X)
        return above_threshold(X, self.binarize)

    def _keep(self, estimate: BinaryEventEstimate, classes: np.ndarray) -> None:
        self.classes_ = classes
        self.feature_log_prob_ = estimate.present
        self.feature_log_absence_prob_ = estimate.absent
        self.class_log_prior_ = estimate.prior
        # (terms, classes) in C order: a short document then touches a few rows that lie together
        self._log_odds = np.ascontiguousarray((estimate.present - estimate.absent).T)
        self._empty_score = estimate.prior + estimate.absent.sum(axis=1)

    def _joint_log_likelihood(self, X: Any) -> np.ndarray:
        return self._presence(X).astype(np.float64) @ self._log_odds + self._empty_score

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.classifier_tags.poor_score = True  # on two Gaussian features cut to yes and no
        return tags


def laplace(
    counts: np.ndarray, totals: np.ndarray, prior: np.ndarray, alpha: float | np.ndarray
) -> BinaryEventEstimate:
    """(alpha + count) / (2 alpha + total), in logs; total - count is taken before the logs.

    Counts of paths may be integers beyond 2^53, where 1 - count / total would be noise. A row of
    counts is a class; alpha is one number, or a column of one for each class.
    """
    rows = totals[:, np.newaxis]
    denominator = 2 * alpha + rows.astype(np.float64)
    if not np.isfinite(denominator).all():
        raise ValueError("alpha, or the weights of the documents, are too large for float64.")
    log_total = np.log(denominator)
    without = np.maximum(rows - counts, 0)  # rounded counts may pass their rounded total
    return BinaryEventEstimate(
        np.log(alpha + counts) - log_total, np.log(alpha + without) - log_total, log_prior(prior)
    )


def even_alpha(totals: np.ndarray, alpha: float) -> np.ndarray:
    """Laplace's count by class, so that an unseen word is as improbable in one as in another.

    With the same count for all, a class with a small total, say of one short document, would hold
    every unseen word more likely than the others do, and so take their documents.
    """
    return alpha * (totals / totals.max())[:, np.newaxis]


def from_probability(probability: np.ndarray, prior: np.ndarray) -> BinaryEventEstimate:
    """Logs of probabilities, which a floor keeps from 0 and 1.

    A term that no document or every document holds says nothing about the class: its floor is the
    same for all classes and cancels.
    """
    inside = np.clip(probability, SMALLEST_PROBABILITY, 1 - np.finfo(float).eps)
    return BinaryEventEstimate(np.log(inside), np.log1p(-inside), log_prior(prior))


def log_prior(prior: np.ndarray) -> np.ndarray:
    """Log of the priors, which are 0 for announced classes that had no document yet."""
    with np.errstate(divide="ignore"):
        return np.log(prior)
