"""Naive Bayes on binary events: a document is the set of its terms, present or absent."""

from abc import abstractmethod
from typing import Any, Literal, NamedTuple, Self

import numpy as np
from scipy import sparse

from honeybayes.bayes.base import BaseBayes, FitData
from honeybayes.utils.matrices import inverse_or_zero, link_matrix, per_entry, presence_above
from honeybayes.utils.parameters import estimator
from honeybayes.utils.scores import ScoreParts
from honeybayes.utils.state import Array, Bool, Number, State
from honeybayes.utils.validation import Threshold

SMALLEST_PROBABILITY = 1e-10


class BinaryEventEstimate(NamedTuple):
    """Estimated probabilities."""

    present: np.ndarray  # log P(term present given class), (n_classes, n_features)
    absent: np.ndarray  # log P(term absent given class); 1 - exp(present) would lose digits
    prior: np.ndarray  # P(class)


@estimator
class BaseBinaryEventNB(BaseBayes):
    """Abstract base of the naive Bayes estimators that use only the presence of terms.

    The score of a document is log P(c) + sum over all terms of log P(absent) + sum over its own
    terms of log P(present) - log P(absent). So the time of a prediction depends only on the number
    of non-zero values.

    Attributes
    ----------
    feature_log_prob_ : ndarray of shape (n_classes, n_features)
        log P(term present given class).
    feature_log_absence_prob_ : ndarray of shape (n_classes, n_features)
        log P(term absent given class).
    class_log_prior_ : ndarray of shape (n_classes,)
        log P(class).

    References
    ----------
    .. [1] M. C. Ganiz, N. I. Lytkin and W. M. Pottenger, "Leveraging Higher Order Dependencies
       Between Features for Text Classification", DIMACS TR 2009-16.
    .. [2] M. Poyraz, Z. H. Kilimci and M. C. Ganiz, "A Novel Semantic Smoothing Method based on
       Higher Order Paths for Text Classification", ICDM 2012.
    """

    binarize: Threshold = 0.0

    _poor_score = True  # scikit-learn's checks use two Gaussian features
    fitted_attributes = State(
        class_log_prior_=Array(("classes",), allow="-inf"),  # -inf for a class without documents
        feature_log_prob_=Array(("classes", "features")),
        feature_log_absence_prob_=Array(("classes", "features")),
        _log_odds=Array(("features", "classes")),
        _empty_score=Array(("classes",), allow="-inf"),
        _binarize=Number(optional=True),
    )

    def _prepare(self, X: Any, weights: np.ndarray | None) -> sparse.csr_array:
        return presence_above(X, self.binarize)

    def _keep(self, estimate: BinaryEventEstimate, classes: np.ndarray) -> None:
        self.classes_ = classes
        self._binarize = None if self.binarize is None else float(self.binarize)
        self.feature_log_prob_ = estimate.present
        self.feature_log_absence_prob_ = estimate.absent
        with np.errstate(divide="ignore"):  # a class without documents has prior 0
            self.class_log_prior_ = np.log(estimate.prior)
        # (terms, classes) in C order: a short document reads a few adjacent rows
        self._log_odds = np.ascontiguousarray((estimate.present - estimate.absent).T)
        self._empty_score = self.class_log_prior_ + estimate.absent.sum(axis=1)

    def presence(self, X: Any) -> sparse.csr_array:
        """Return a matrix that shows which terms are present in which documents.

        Returns
        -------
        csr_array of int64, shape (n_samples, n_features)
            1 for each term that is present. The threshold is the value of ``binarize`` during
            ``fit``.
        """
        return presence_above(self._check_new(X), self._binarize)

    def _events(self, X: Any) -> sparse.csr_array:
        """Return how often each term adds its log odds: once if it is present."""
        return presence_above(X, self._binarize).astype(np.float64)

    def _joint_log_likelihood(self, X: Any) -> np.ndarray:
        return self._events(X) @ self._log_odds + self._empty_score

    def decompose_scores(self, X: Any, columns: list[int]) -> ScoreParts:
        """Split the scores of one document by term; see ``honeybayes.utils.scores``."""
        events = self._events(self._check_new(X))
        log_odds = self._log_odds[events.indices][:, columns]
        return ScoreParts(events.indices, events.data[:, np.newaxis] * log_odds)


@estimator
class BaseLinkedNB(BaseBinaryEventNB):
    """Abstract base of models with the parameter ``frequencies``.

    If it is not None, ``_estimate`` gets the weights of the links as float64 instead of presence.

    Parameters
    ----------
    frequencies : {None, "counts", "log", "length"}, in `HigherOrderNB` also "either", default=None
        Weight of each link between a term and a document; a path counts with the product of the
        weights of its links. None counts each link as 1, as in the paper. ``"counts"`` uses the
        value f in X, ``"log"`` uses log2(1 + f), and ``"length"`` multiplies the values of each
        document so that all documents have the mean length. The middle term of a second-order path
        has two links: with ``"either"``, the value of one of them counts, on average, instead of
        the product of both. Bernoulli models predict from presence alone. Not for pure paths, and
        for orders 1 and 2 only.
    """

    frequencies: Literal[None, "counts", "log", "length"] = None

    fitted_attributes = State(_weighted=Bool())

    @abstractmethod
    def _estimate(self, data: FitData) -> BinaryEventEstimate:
        """Estimate from ``data``; may set further fitted attributes."""

    @abstractmethod
    def _estimate_from(
        self, classes: np.ndarray, documents: np.ndarray, *counts: Any
    ) -> BinaryEventEstimate:
        """Estimate from counts; ``_estimate`` ends with it."""

    def _learn(self, data: FitData) -> None:
        self._keep(self._estimate(data), data.classes)

    def fit_from_counts(self, classes: np.ndarray, documents: np.ndarray, *counts: Any) -> Self:
        """Learn from paths that were counted before, as `honeybayes.scale` does.

        Parameters
        ----------
        classes : ndarray of shape (n_classes,)
            Sorted labels.
        documents : ndarray of shape (n_classes,)
            Labeled documents per class.
        *counts : object
            For `HigherOrderNB`, an iterable of (order, None, list of PathCounts): the paths of each
            class, by decreasing order; order 0 means documents. The first order in which every
            class has a path is used. For `HigherOrderSmoothingNB`, two arrays of shape (n_classes,
            n_features): documents with each term, and paths from each term.
        """
        self._check_parameters()
        self._weighted = False
        self._keep(self._estimate_from(classes, documents, *counts), classes)
        self.n_features_in_ = self.feature_log_prob_.shape[1]
        return self

    def _prepare(self, X: Any, weights: np.ndarray | None) -> sparse.csr_array:
        presence = super()._prepare(X, weights)
        if self.frequencies is None:
            return presence
        if not sparse.issparse(X) or X.nnz != presence.nnz:
            X = presence.multiply(X)  # what is not above binarize is absent
        links = link_matrix(X)
        if links.nnz != presence.nnz:
            raise ValueError(
                f"With binarize={self.binarize}, terms with the value 0 are present, but have no "
                "frequency. Set binarize to 0 or more, or frequencies=None."
            )
        values = links.data
        if self.frequencies == "log":
            values = np.log2(1 + values)
        elif self.frequencies == "length":
            lengths = links.sum(axis=1)
            mean = np.average(lengths, weights=weights)
            values = values * per_entry(links, mean * inverse_or_zero(lengths))
        return sparse.csr_array((values, links.indices, links.indptr), links.shape)


def laplace(
    counts: np.ndarray, totals: np.ndarray, prior: np.ndarray, alpha: float | np.ndarray
) -> BinaryEventEstimate:
    """Estimate (alpha + count) / (2 alpha + total) per class and term, in logs.

    total - count is computed before the logs. Counts of paths may be integers above 2^53, for
    which 1 - count / total would be noise. ``alpha`` is one number, or a column with one number
    per class.
    """
    rows = totals[:, np.newaxis]
    denominator = 2 * alpha + rows.astype(np.float64)
    if not np.isfinite(denominator).all():
        raise ValueError("alpha, or the weights of the documents, are too large for float64.")
    log_total = np.log(denominator)
    without = np.maximum(rows - counts, 0)  # rounded counts may exceed their rounded total
    return BinaryEventEstimate(
        np.log(alpha + counts) - log_total, np.log(alpha + without) - log_total, prior
    )


def even_alpha(totals: np.ndarray, alpha: float) -> np.ndarray:
    """Scale alpha per class, so that an unseen term is equally improbable in every class.

    With the same alpha for all classes, an unseen term would be more probable in a class with a
    small total, for example one short document. Such a class would attract most documents. A
    class without any count keeps alpha.
    """
    return alpha * np.where(totals > 0, totals / totals.max(), 1.0)[:, np.newaxis]


def from_probability(probability: np.ndarray, prior: np.ndarray) -> BinaryEventEstimate:
    """Take the logs of probabilities, after moving them away from 0 and 1.

    A term that occurs in no document, or in all documents, gets the same value in every class, so
    it does not change the prediction.
    """
    inside = np.clip(probability, SMALLEST_PROBABILITY, 1 - np.finfo(float).eps)
    return BinaryEventEstimate(np.log(inside), np.log1p(-inside), prior)
