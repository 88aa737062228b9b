"""Naive Bayes on counts: a document is represented by the number of occurrences of each term.

Every class c has a complement: the documents of all other classes. With

    a_c = log P(c)          + log P(document given c)
    b_c = log P(complement) + log P(document given the complement of c)

a rule computes one score per class, and the class with the highest score is predicted:

    multinomial   a_c          the class that explains the document best
    complement    -b_c         the class whose complement explains it worst
    one-vs-rest   a_c - b_c    the class that explains it best, compared with its complement
"""

from abc import ABCMeta, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_non_negative

from honeybayes.bayes.base import BaseBayes, FitData, check_total
from honeybayes.utils import matrices
from honeybayes.utils.parameters import documented, estimator
from honeybayes.utils.scores import ScoreParts, decompose_linear
from honeybayes.utils.state import NUMBERS, Array, Number, OneOf, State
from honeybayes.utils.validation import CountsInputMixin, Positive

RULES = ("multinomial", "complement", "one-vs-rest")
BLOCK_CELLS = 2**22  # entries times classes of the new documents in one block
CLASS, COMPLEMENT = 0, 1  # sides: what a log-likelihood is given


class CountModel(metaclass=ABCMeta):
    """What the rules need. The last axis of every array is the classes."""

    class_log_prior_: np.ndarray
    complement_log_prior_: np.ndarray

    @abstractmethod
    def _log_likelihood(self, X: Any, side: int) -> np.ndarray:
        """Return log P(document given class), or given the complement of the class."""

    def _log_likelihood_ratio(self, X: Any) -> np.ndarray:
        return self._log_likelihood(X, CLASS) - self._log_likelihood(X, COMPLEMENT)

    def _decide(self, X: Any, rule: str) -> np.ndarray:
        """Return the scores of the classes by a rule."""
        if rule == "multinomial":
            return self.class_log_prior_ + self._log_likelihood(X, CLASS)
        if rule == "complement":
            return -(self.complement_log_prior_ + self._log_likelihood(X, COMPLEMENT))
        log_prior_ratio = self.class_log_prior_ - self.complement_log_prior_
        return log_prior_ratio + self._log_likelihood_ratio(X)


@estimator
class BaseCountNB(CountsInputMixin, BaseBayes):
    """Abstract base of the naive Bayes estimators on counts.

    A subclass must define ``_learn(data)``, which calls ``_set_priors``, and
    ``_joint_log_likelihood(X)``, the scores by the rule; `BaseGlobalNB` and `BaseLocalNB` do this.

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

    References
    ----------
    .. [1] "Hidden multinomial naive Bayes" (HMNB, HCNB, HOVA).
    """

    rule: Literal["multinomial", "complement", "one-vs-rest"] = "multinomial"
    alpha: Positive = 1.0

    fitted_attributes = State(
        _rule=OneOf(RULES),
        _alpha=Number(above=0),
        class_count_=Array(("classes",), NUMBERS, low=0),
        class_log_prior_=Array(("classes",)),
        complement_log_prior_=Array(("classes",)),
    )

    def _prepare(self, X: Any, weights: np.ndarray | None) -> sparse.csr_array:
        counts = matrices.canonical_counts(self._as_counts(X))  # may share memory with X
        check_total(counts.data)
        return counts

    def _check_new(self, X: Any) -> Any:
        return self._as_counts(super()._check_new(X))

    def _as_counts(self, X: Any) -> Any:
        """Return X as CSR or dense array; raise ValueError if it contains negative numbers."""
        X = matrices.in_storable_type(X)
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


class BaseGlobalNB(CountModel, BaseCountNB):
    """Abstract base of the count models that use the same probabilities for all documents."""

    def _joint_log_likelihood(self, X: Any) -> np.ndarray:
        return self._decide(X, self._rule)


@documented
class BaseLinearCountNB(BaseGlobalNB):
    """Abstract base of the count models with one log-probability per term and class.

    Both log-likelihoods are sums over the terms of a document, so each is a product with a table. A
    subclass counts with `weighted_counts` when it learns, and ends with ``_keep``. In memory the
    tables are (terms, classes), and the public attributes are transposed views: a short document
    reads only a few short rows, even if the vocabulary is large.

    Attributes
    ----------
    feature_count_ : ndarray of shape (n_classes, n_features)
        Occurrences of each term per class, by weight.
    feature_log_prob_ : ndarray of shape (n_classes, n_features) or None
        log P(term given class). None if ``rule="complement"``.
    complement_feature_log_prob_ : ndarray of shape (n_classes, n_features) or None
        log P(term given the complement of the class). None if ``rule="multinomial"``.
    """

    fitted_attributes = State(
        feature_count_=Array(("classes", "features"), NUMBERS, low=0),
        feature_log_prob_=Array(("classes", "features"), optional=True),
        complement_feature_log_prob_=Array(("classes", "features"), optional=True),
    )
    needed_tables = ("feature_log_prob_", "complement_feature_log_prob_")  # by class, by complement

    feature_log_prob_: Any
    complement_feature_log_prob_: Any

    def _keep(
        self, feature_count: np.ndarray, class_count: np.ndarray, classes: np.ndarray
    ) -> None:
        """Compute the tables that the rule needs from counts (terms, classes)."""
        check_total(feature_count)
        check_total(class_count)
        self.classes_ = classes
        self._set_priors(class_count)
        self.feature_count_ = feature_count.T
        self.feature_log_prob_ = self.complement_feature_log_prob_ = None
        if self.rule != "complement":
            self.feature_log_prob_ = matrices.smoothed_log_prob(feature_count, self.alpha).T
        if self.rule != "multinomial":
            rest_count = matrices.of_complement(feature_count)
            self.complement_feature_log_prob_ = matrices.smoothed_log_prob(rest_count, self.alpha).T

    def _check_state(self) -> None:
        for name, unused in zip(self.needed_tables, ("complement", "multinomial"), strict=True):
            if self._rule != unused and getattr(self, name, None) is None:
                raise ValueError(f"{name} is missing, but rule={self._rule!r} reads it")

    def _log_likelihood(self, X: Any, side: int) -> np.ndarray:
        return X @ getattr(self, self.needed_tables[side]).T

    def decompose_scores(self, X: Any, columns: list[int]) -> ScoreParts:
        """Split the scores of one document by term; see ``honeybayes.utils.scores``."""
        return decompose_linear(self, X, columns)


class BaseWeightedTermsNB(BaseLinearCountNB):
    """Abstract base of the linear count models in which a term adds more than its log P.

    The contribution of one occurrence of a term is kept in separate tables (terms, classes), so
    that prediction is as fast as with `CountNB`. A table that the rule does not need is None.
    """

    fitted_attributes = State(
        _class_table=Array(("features", "classes"), optional=True),
        _complement_table=Array(("features", "classes"), optional=True),
    )
    needed_tables = ("_class_table", "_complement_table")

    def _keep_weighted_terms(self, data: FitData, term_weights: np.ndarray) -> None:
        """Learn as if the counts of each term were multiplied by its weight, in all documents.

        The term weights multiply the counts, and then the logs, so new documents stay unchanged.
        """
        feature_count, class_count = weighted_counts(data)
        of_term = term_weights[:, np.newaxis]
        with np.errstate(over="ignore"):  # _keep checks the total
            feature_count *= of_term
        self._keep(feature_count, class_count, data.classes)
        self._class_table, self._complement_table = (
            None if logs is None else logs.T * of_term
            for logs in (self.feature_log_prob_, self.complement_feature_log_prob_)
        )

    def _log_likelihood(self, X: Any, side: int) -> np.ndarray:
        return X @ getattr(self, self.needed_tables[side])


def weighted_counts(data: FitData) -> tuple[np.ndarray, np.ndarray]:
    """Count terms (terms, classes) and documents (classes,), multiplied by document weights."""
    values = weigh_documents(data).data
    feature_count = matrices.sum_by_class(data.X, data.position, len(data.classes), values)
    return feature_count, data.class_sizes()


def weigh_documents(data: FitData) -> sparse.csr_array:
    """Multiply the counts of each document by its weight; stored zeros stay."""
    X = data.X
    if data.weights is None:
        return X
    with np.errstate(over="ignore"):
        values = X.data * matrices.per_entry(X, data.weights)
    check_total(values)
    return sparse.csr_array((values, X.indices, X.indptr), shape=X.shape)


def log_priors(class_count: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Compute log P(class) and log P(complement), Equations 4 and 5 of hmnb.

    The classes are the last axis.
    """
    log_total = np.log(class_count.sum(axis=-1, keepdims=True) + class_count.shape[-1])
    rest_count = matrices.of_complement(class_count)
    return np.log(class_count + 1) - log_total, np.log(rest_count + 1) - log_total


@dataclass
class LocalModels(CountModel):
    """One model per document, with the methods that the decision rules call.

    Terms that a document does not contain cannot change its score, so only its own terms are
    counted. The priors follow Equations 4 and 5 for each document.
    """

    row: np.ndarray  # row of ``count`` for each stored entry of the documents
    count: np.ndarray  # occurrences of a term per class
    length: np.ndarray  # occurrences of all terms (n_documents, n_classes)
    class_count: np.ndarray  # training documents (n_documents, n_classes)
    alpha: float

    def __post_init__(self) -> None:
        self.class_log_prior_, self.complement_log_prior_ = log_priors(self.class_count)

    def _log_likelihood(self, X: sparse.csr_array, side: int) -> np.ndarray:
        """Sum f_i log P(i given class), Equations 6 and 7, over the terms i of each document."""
        count, length, n_terms = self.count, self.length, X.shape[1]
        if side == COMPLEMENT:
            count, length = matrices.of_complement(count), matrices.of_complement(length)
        by_row = sparse.csr_array((X.data, self.row, X.indptr), shape=(X.shape[0], len(count)))
        log_total = np.log(length + n_terms * self.alpha)
        return by_row @ np.log(count + self.alpha) - X.sum(axis=1)[:, np.newaxis] * log_total


class BaseLocalNB(BaseCountNB):
    """Abstract base of the count models that use a part of the training set for each document.

    Attributes
    ----------
    class_log_prior_ : ndarray of shape (n_classes,)
        log P(class) in the whole training set, with one document added per class. A prediction
        uses the priors of its part.
    """

    @abstractmethod
    def _local_models(self, X: sparse.csr_array) -> LocalModels:
        """Return the models of a block of new documents, given as canonical counts."""

    def _check_new(self, X: Any) -> sparse.csr_array:
        return matrices.canonical_counts(super()._check_new(X))

    def _cells_per_document(self) -> int:
        """Return how many numbers each new document needs, beside those of its entries."""
        return 0

    def _joint_log_likelihood(self, X: sparse.csr_array) -> np.ndarray:
        blocks = document_blocks(X, len(self.classes_), self._cells_per_document())
        return np.concatenate([self._local_models(b)._decide(b, self._rule) for b in blocks])


def document_blocks(
    X: sparse.csr_array, n_classes: int, n_more: int = 0
) -> Iterator[sparse.csr_array]:
    """Cut new documents into blocks, of at least one document, to limit memory."""
    for first, last in matrices.blocks_of_rows(n_classes * np.diff(X.indptr) + n_more, BLOCK_CELLS):
        yield X[first:last]
