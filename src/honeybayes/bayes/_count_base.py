"""Naive Bayes on counts: a document is how often each of its words occurs."""

from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_non_negative

from honeybayes.bayes._count_rules import DECISION_RULES, CountModel
from honeybayes.bayes.base import BaseBayes
from honeybayes.utils.labels import encode_labels
from honeybayes.utils.matrices import canonical_counts, in_storable_type, of_complement
from honeybayes.utils.state import NUMBERS, Array, Number, OneOf, State
from honeybayes.utils.validation import check_option, check_positive

LARGEST_TOTAL = 1e300  # times the logs of what is left, it stays within float64


class BaseCountNB(BaseBayes):
    """Abstract base of the naive Bayes estimators that count words.

    A variant has the parameters ``rule`` and ``alpha`` and must write

    ``fit(X, y)``
        Learn, with ``_start_fit`` for the checks and ``_set_priors`` for the priors.
    ``_joint_log_likelihood(X)``
        What the rule says; `BaseGlobalNB` and `BaseLocalNB` do that.

    and may extend

    ``_check_parameters()``
        Refuse parameters that make no sense.
    """

    fitted_attributes = State(
        _rule=OneOf(tuple(DECISION_RULES)),
        _alpha=Number(above=0),
        class_count_=Array(("classes",), NUMBERS),
        class_log_prior_=Array(("classes",)),
        complement_log_prior_=Array(("classes",)),
    )

    rule: str
    alpha: float

    def _check_parameters(self) -> None:
        check_option("rule", self.rule, tuple(DECISION_RULES))
        check_positive("alpha", self.alpha)

    def _start_fit(self, X: Any, y: Any) -> tuple[sparse.csr_array, np.ndarray, np.ndarray]:
        """Check everything; return canonical counts, positions of the labels, and classes.

        The counts may share their arrays with those of the caller: read them, do not write.
        """
        self._check_parameters()
        X, y = self._check_labeled(X, y)
        check_classification_targets(y)
        classes, position = encode_labels(y)
        return X, position, classes

    def _check_labeled(self, X: Any, y: Any, reset: bool = True) -> tuple[Any, Any]:
        X, y = self._validate(X, y, reset=reset)
        counts = canonical_counts(self._as_counts(X))
        check_total(counts.data)
        return counts, y

    def _check_new(self, X: Any) -> Any:
        return self._as_counts(super()._check_new(X))

    def _as_counts(self, X: Any) -> Any:
        X = in_storable_type(X)
        self._check_counts(X)
        if not sparse.issparse(X):
            return X
        if X.format == "coo":
            X = X.astype(np.float64)  # before its duplicates are summed
        return sparse.csr_array(X)

    def _check_counts(self, X: Any) -> None:
        check_non_negative(X, f"{type(self).__name__} (counts of terms)")

    def _set_priors(self, class_count: np.ndarray) -> None:
        """Estimate P(class) and P(complement) by Equations 4 and 5; keep how it was learned.

        The rule and alpha of a fitted model are those of its fit: what was learned with one does
        not go with another that is set later.
        """
        self._rule, self._alpha = self.rule, float(self.alpha)
        self.class_count_ = class_count
        self.class_log_prior_, self.complement_log_prior_ = log_priors(class_count)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = True
        # scikit-learn's checks classify Gaussian blobs, which are no counts
        tags.classifier_tags.poor_score = True
        return tags


class BaseGlobalNB(CountModel, BaseCountNB):
    """Abstract base of the count models that judge all documents alike.

    A variant must write the likelihoods of `CountModel`.
    """

    def _joint_log_likelihood(self, X: Any) -> np.ndarray:
        return DECISION_RULES[self._rule](self, X)


def check_total(counts: np.ndarray) -> None:
    """Refuse counts, weighted or not, whose sum leads out of what float64 can hold."""
    with np.errstate(over="ignore"):
        total = counts.sum()
    if not total <= LARGEST_TOTAL:
        raise ValueError(
            f"The counts, times their weights if any, add up to {total}: more than "
            f"{LARGEST_TOTAL} leads out of what float64 can hold. Divide X, or the weights, by "
            "their largest value."
        )


def log_priors(class_count: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Take the logs of P(class) and P(complement), Equations 4 and 5, from documents a class.

    The classes come last.
    """
    log_total = np.log(class_count.sum(axis=-1, keepdims=True) + class_count.shape[-1])
    return np.log(class_count + 1) - log_total, np.log(of_complement(class_count) + 1) - log_total
