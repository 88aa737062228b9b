"""Naive Bayes on counts: a document is represented by the number of occurrences of each term."""

from abc import ABCMeta, abstractmethod
from collections.abc import Callable
from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_non_negative

from honeybayes.bayes._count_rules import DECISION_RULES, CountModel, Rule
from honeybayes.bayes.base import BaseBayes, FitData
from honeybayes.utils.labels import encode_labels
from honeybayes.utils.matrices import canonical_counts, in_storable_type, of_complement, per_entry
from honeybayes.utils.parameters import documented
from honeybayes.utils.state import NUMBERS, Array, Number, OneOf, State
from honeybayes.utils.validation import CountsInputMixin, Positive, check_weights

LARGEST_TOTAL = 1e300  # multiplied by logs, it still fits in float64


@documented
class BaseCountNB(CountsInputMixin, BaseBayes):
    """Abstract base of the naive Bayes estimators on counts.

    A subclass has the parameters ``rule`` and ``alpha`` and must define

    ``fit(X, y)``
        Call ``_start_fit`` for the checks and ``_set_priors`` for the priors. `WeightedFitMixin`
        does the first, and takes weights of documents.
    ``_joint_log_likelihood(X)``
        The scores by the rule; `BaseGlobalNB` and `BaseLocalNB` do this.

    and may extend ``_check_parameters()``.

    Parameters
    ----------
    rule : {"multinomial", "complement", "one-vs-rest"}, default="multinomial"
        Score of a class: a for ``"multinomial"``, -b for ``"complement"``, a - b for
        ``"one-vs-rest"``. Here a is the joint log-probability of the document and the class, and b
        is the joint log-probability of the document and the complement of the class.
    alpha : float, default=1.0
        Added to every count; must be above 0.

    Attributes
    ----------
    class_count_ : ndarray of shape (n_classes,)
        Documents per class, by weight.
    class_log_prior_ : ndarray of shape (n_classes,)
        log P(class), with one document added per class.
    complement_log_prior_ : ndarray of shape (n_classes,)
        log P(complement of the class), smoothed in the same way.
    """

    rule: Rule
    alpha: Positive

    fitted_attributes = State(
        _rule=OneOf(tuple(DECISION_RULES)),
        _alpha=Number(above=0),
        class_count_=Array(("classes",), NUMBERS, low=0),
        class_log_prior_=Array(("classes",)),
        complement_log_prior_=Array(("classes",)),
    )

    def _start_fit(self, X: Any, y: Any, sample_weight: Any = None) -> FitData:
        """Check parameters and documents; the counts may share memory with those of the caller."""
        self._check_parameters()
        X, y = self._validate(X, y, reset=True)
        counts = self._canonical(X)
        weights = None if sample_weight is None else check_weights(sample_weight, counts)
        check_classification_targets(y)
        classes, position = encode_labels(y)
        return FitData(counts, position, classes, weights)

    def _canonical(self, X: Any) -> sparse.csr_array:
        """Return validated documents as canonical counts, after checking their sum."""
        counts = canonical_counts(self._as_counts(X))
        check_total(counts.data)
        return counts

    def _check_new(self, X: Any) -> Any:
        return self._as_counts(super()._check_new(X))

    def _as_counts(self, X: Any) -> Any:
        """Return X as CSR or dense array; raise ValueError if it contains negative numbers."""
        X = in_storable_type(X)
        check_non_negative(X, f"{type(self).__name__} (counts of terms)")
        if not sparse.issparse(X):
            return X
        if X.format == "coo":
            X = X.astype(np.float64)  # before duplicates are summed
        return sparse.csr_array(X)

    def _set_priors(self, class_count: np.ndarray) -> None:
        """Estimate P(class) and P(complement) by Equations 4 and 5; keep the rule and alpha."""
        self._rule, self._alpha = self.rule, float(self.alpha)
        self.class_count_ = class_count
        self.class_log_prior_, self.complement_log_prior_ = log_priors(class_count)


@documented
class WeightedFitMixin(CountsInputMixin, metaclass=ABCMeta):
    """``fit`` of the count models that accept weights of documents; ``_learn`` does the work."""

    _start_fit: Callable[..., FitData]

    @abstractmethod
    def _learn(self, data: FitData) -> None: ...

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from labeled documents; forget earlier ones."""
        self._learn(self._start_fit(X, y, sample_weight))
        return self


class BaseGlobalNB(CountModel, BaseCountNB):
    """Abstract base of the count models that use the same probabilities for all documents.

    A subclass must define the likelihoods of `CountModel`.
    """

    def _joint_log_likelihood(self, X: Any) -> np.ndarray:
        return DECISION_RULES[self._rule](self, X)


def count_documents(
    position: np.ndarray, n_classes: int, weights: np.ndarray | None = None
) -> np.ndarray:
    """Count documents per class, by weight."""
    return np.bincount(position, weights, minlength=n_classes).astype(np.float64)


def weigh_documents(X: sparse.csr_array, weights: np.ndarray) -> sparse.csr_array:
    """Multiply the counts of each document by its weight; stored zeros stay."""
    with np.errstate(over="ignore"):
        data = X.data * per_entry(X, weights)
    check_total(data)
    return sparse.csr_array((data, X.indices, X.indptr), shape=X.shape)


def check_total(counts: np.ndarray) -> None:
    """Raise ValueError if the sum of counts, weighted or not, is too large for float64."""
    with np.errstate(over="ignore"):
        total = counts.sum()
    if not total <= LARGEST_TOTAL:
        raise ValueError(
            f"The sum of the counts (multiplied by the weights, if any) is {total}, but their sum "
            f"must be at most {LARGEST_TOTAL}. Divide X, or the weights, by their largest value."
        )


def log_priors(class_count: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Compute log P(class) and log P(complement), Equations 4 and 5 of hmnb.

    The classes are the last axis.
    """
    log_total = np.log(class_count.sum(axis=-1, keepdims=True) + class_count.shape[-1])
    return np.log(class_count + 1) - log_total, np.log(of_complement(class_count) + 1) - log_total
