"""Higher Order Naive Bayes: counts of paths in place of counts of documents."""

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import sparse

from honeybayes.bayes._base import check_option, check_positive
from honeybayes.bayes._binary_events import (
    BaseBinaryEventNB,
    BinaryEventEstimate,
    even_alpha,
    laplace,
)
from honeybayes.exceptions import NoPathWarning
from honeybayes.paths import PathCounts, count_paths


class HigherOrderNB(BaseBinaryEventNB):
    """Higher Order Naive Bayes (HONB).

    Bernoulli naive Bayes whose probabilities come from the higher-order paths among the documents
    of a class: P(w|c) = (alpha + paths of c that hold w) / (2 alpha + paths of c), and P(c) is the
    share of c in all paths ([1]_ Eq. 8-9). Words are thus known by the words around them, across
    documents, which helps when documents are few.

    A class may have no path of the wanted order (one document; documents that share no word).
    Its counts would then be nothing like those of the others, so all classes use the highest lower
    order at which each of them has a path, order 1 being the pairs of words of one document, with
    alpha shrunk in proportion to the paths of the class; or plain document counts if there is no
    such order. A `NoPathWarning` names the classes.

    Parameters
    ----------
    order : int, default=2
        Number of documents on a path. 2 is quick, 3 takes a few times as long, 4 suits classes of
        some hundred documents.
    pure : {None, "class", "corpus"}, default=None
        Leave out second-order paths whose end words share a document of the class, or of the
        whole training set.
    alpha : float, default=1.0
        Count added to each side by Laplace's rule.
    prior : {"paths", "documents", "uniform"}, default="paths"
        Where P(c) comes from. Paths grow with the square of the documents or faster: prefer
        "documents" or "uniform" if classes differ in size in the training set alone.
    binarize : float or None, default=0.0
        A value above this threshold means that the word is present (so a negative value means
        absent). None: the input is counts or booleans, every non-zero is present, and a negative
        value is an error.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Sorted labels.
    feature_log_prob_ : ndarray of shape (n_classes, n_features)
        log P(word present given class).
    feature_log_absence_prob_ : ndarray of shape (n_classes, n_features)
        log P(word absent given class).
    class_log_prior_ : ndarray of shape (n_classes,)
        log P(class).
    path_count_ : ndarray of shape (n_classes, n_features)
        Paths of each class that hold each word; int64 while exact, else float64.
    total_paths_ : ndarray of shape (n_classes,)
        Paths of each class.
    order_ : int
        The order that was used; 0 stands for document counts.
    n_features_in_ : int
        Number of words.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the words, if X was a data frame with string columns.

    See Also
    --------
    HigherOrderSmoothingNB : Paths that cross the borders of classes.
    honeybayes.paths.count_paths : The counts themselves.

    Notes
    -----
    Probabilities are far too sure of themselves: a word absent from a class costs about
    log(paths), 16 to 28 nats. Trust the order of the classes, not the numbers.

    References
    ----------
    .. [1] M. C. Ganiz, N. I. Lytkin and W. M. Pottenger, "Leveraging Higher Order Dependencies
       Between Features for Text Classification", DIMACS TR 2009-16.

    Examples
    --------
    >>> from honeybayes import HigherOrderNB
    >>> X = [[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1], [1, 0, 0, 1]]
    >>> model = HigherOrderNB().fit(X, ["a", "a", "b", "b"])
    >>> model.path_count_
    array([[1, 1, 1, 0],
           [1, 0, 1, 1]])
    >>> model.predict([[0, 1, 0, 0], [0, 0, 0, 1]])
    array(['a', 'b'], dtype='<U1')
    """

    def __init__(
        self,
        *,
        order: int = 2,
        pure: str | None = None,
        alpha: float = 1.0,
        prior: str = "paths",
        binarize: float | None = 0.0,
    ) -> None:
        self.order = order
        self.pure = pure
        self.alpha = alpha
        self.prior = prior
        self.binarize = binarize

    def _estimate(self, X: sparse.csr_array, position: np.ndarray) -> BinaryEventEstimate:
        check_option("pure", self.pure, (None, "class", "corpus"))
        check_option("prior", self.prior, ("paths", "documents", "uniform"))
        check_positive("alpha", self.alpha)

        documents_of = [X[position == c] for c in range(len(self.classes_))]
        self.order_, counts = self._count_where_all_have_paths(X, documents_of)
        self.path_count_ = np.array([count.per_term for count in counts])
        self.total_paths_ = np.array([count.total for count in counts])

        sizes = {
            "paths": self.total_paths_,
            "documents": np.bincount(position),
            "uniform": np.ones(len(counts)),
        }[self.prior]
        # the totals of many classes together may not fit in 64 bits
        prior = sizes / sizes.sum(dtype=np.float64)
        fell_back_to_paths = self.order_ > 0 and self.order_ != self.order
        alpha = even_alpha(self.total_paths_, self.alpha) if fell_back_to_paths else self.alpha
        return laplace(self.path_count_, self.total_paths_, prior, alpha)

    def _count_where_all_have_paths(
        self, X: sparse.csr_array, documents_of: list[sparse.csr_array]
    ) -> tuple[int, list[PathCounts]]:
        without_path = None
        for order, counts in self._counts_from_the_highest_order(X, documents_of):
            missing = [c for c, count in enumerate(counts) if count.total == 0]
            if without_path is None:
                without_path = missing
            if order == 0 or not missing:
                break
        if without_path:
            used = f"paths of order {order}" if order else "document counts"
            warnings.warn(
                f"No path of order {self.order}{' that is pure' if self.pure else ''} in class(es) "
                f"{self.classes_[without_path].tolist()}; all classes use {used}.",
                NoPathWarning,
                stacklevel=4,
            )
        return order, counts

    def _counts_from_the_highest_order(
        self, X: sparse.csr_array, documents_of: list[sparse.csr_array]
    ) -> Iterator[tuple[int, list[PathCounts]]]:
        def count(order: int, pure: Any = False) -> tuple[int, list[PathCounts]]:
            return order, [count_paths(part, order, pure) for part in documents_of]

        if self.pure is not None:
            yield count(self.order, pure=True if self.pure == "class" else X)
        yield count(self.order)
        for lower in range(self.order - 1, 0, -1):
            yield count(lower)
        yield 0, [PathCounts(part.sum(axis=0), part.shape[0]) for part in documents_of]
