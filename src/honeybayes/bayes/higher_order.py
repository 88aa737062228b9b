"""Higher Order Naive Bayes: counts of paths in place of counts of documents."""

import warnings
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from honeybayes.bayes._binary_events import (
    BaseBinaryEventNB,
    BinaryEventEstimate,
    even_alpha,
    laplace,
)
from honeybayes.exceptions import NoPathWarning
from honeybayes.paths import PathCounts, count_paths
from honeybayes.utils.state import NUMBERS, Array, Integer, OneOf, State
from honeybayes.utils.validation import check_integer, check_option, check_positive


class _Used(NamedTuple):
    """The kind of path that was counted; order 0 stands for documents."""

    order: int
    pure: str | None
    counts: list[PathCounts]


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
    such order. A class without a pure path has all classes use all paths first. A `NoPathWarning`
    names the classes.

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
    pure_ : {None, "class", "corpus"}
        The kind of pure path that was used; None after a fallback to all paths.
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

    fitted_attributes = State(
        path_count_=Array(("classes", "features"), NUMBERS),
        total_paths_=Array(("classes",), NUMBERS),
        order_=Integer(),
        pure_=OneOf(("class", "corpus"), optional=True),
    )

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

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_integer("order", self.order, least=1)
        check_option("pure", self.pure, (None, "class", "corpus"))
        check_option("prior", self.prior, ("paths", "documents", "uniform"))
        check_positive("alpha", self.alpha)

    def _estimate(
        self, X: sparse.csr_array, position: np.ndarray, classes: np.ndarray
    ) -> BinaryEventEstimate:
        documents_of = [X[position == c] for c in range(len(classes))]
        used, fell_back = self._count_where_all_have_paths(X, documents_of, classes)
        self.order_, self.pure_ = used.order, used.pure
        self.path_count_ = np.array([count.per_term for count in used.counts])
        totals = [count.total for count in used.counts]
        fits = all(isinstance(total, int) and total < 2**63 for total in totals)
        self.total_paths_ = np.array(totals, dtype=np.int64 if fits else np.float64)

        sizes = {
            "paths": self.total_paths_,
            "documents": np.bincount(position),
            "uniform": np.ones(len(classes)),
        }[self.prior]
        # the totals of many classes together may not fit in 64 bits
        prior = sizes / sizes.sum(dtype=np.float64)
        even = fell_back and used.order > 0
        alpha = even_alpha(self.total_paths_, self.alpha) if even else self.alpha
        return laplace(self.path_count_, self.total_paths_, prior, alpha)

    def _count_where_all_have_paths(
        self, X: sparse.csr_array, documents_of: list[sparse.csr_array], classes: np.ndarray
    ) -> tuple[_Used, bool]:
        without_path: list[int] = []
        for used in self._from_the_highest_order(X, documents_of):
            missing = [c for c, count in enumerate(used.counts) if count.total == 0]
            if not missing or used.order == 0:
                break
            without_path = without_path or missing
        if without_path:
            instead = f"paths of order {used.order}" if used.order else "document counts"
            warnings.warn(
                f"No path of order {self.order}{' that is pure' if self.pure else ''} in class(es) "
                f"{classes[without_path].tolist()}; all classes use {instead}.",
                NoPathWarning,
                stacklevel=4,
            )
        return used, bool(without_path)

    def _from_the_highest_order(
        self, X: sparse.csr_array, documents_of: list[sparse.csr_array]
    ) -> Iterator[_Used]:
        if self.pure is not None:
            neighbors: Any = True if self.pure == "class" else X
            counts = [count_paths(part, self.order, neighbors) for part in documents_of]
            yield _Used(self.order, self.pure, counts)
        for order in range(self.order, 0, -1):
            yield _Used(order, None, [count_paths(part, order) for part in documents_of])
        counts = [PathCounts(part.sum(axis=0), part.shape[0]) for part in documents_of]
        yield _Used(0, None, counts)
