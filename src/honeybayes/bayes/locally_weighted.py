"""Naive Bayes on the training documents that are nearest to each document."""

from typing import Any, Literal, Self

import numpy as np
from scipy import sparse

from honeybayes.bayes._count_base import BaseLocalNB, LocalModels
from honeybayes.bayes._pair_base import own_terms
from honeybayes.bayes.base import FitData
from honeybayes.utils.matrices import check_kept_documents, per_entry
from honeybayes.utils.parameters import estimator
from honeybayes.utils.state import Array, Indices, Integer, OneOf, SparseCounts, State
from honeybayes.utils.validation import FromOne

TIED = 1e-9  # cosines are equal if they differ by less, relative to the larger


@estimator
class LocallyWeightedNB(BaseLocalNB):
    """Naive Bayes of the nearest training documents: LWWMNB, LWWCNB and LWWOVA.

    Each new document is classified by a `CountNB` of the training documents with the highest
    cosine similarity to it, which can weight them ([1]_, section 2.4).

    Parameters
    ----------
    n_neighbors : int, default=100
        Number of training documents to use; all of them if there are fewer.
    weights : {"similarity", "uniform"}, default="similarity"
        Weight of a neighbor: its cosine similarity (``"similarity"``) or 1 (``"uniform"``). With
        ``"uniform"`` and ``n_neighbors`` equal to the number of training documents, the model is
        equivalent to `CountNB`.

    Notes
    -----
    Training documents with the same similarity at the cutoff share the remaining weight: if three
    compete for the last two neighbors, each has weight 2/3. Cosines are equal if their relative
    difference is below 1e-9. A document that has no term in common with any training document uses
    all of them with equal weights.

    The training documents are kept. The time of a prediction grows with them, and ``fit`` refuses
    more than fit in memory.

    There is no ``sample_weight``, because ``n_neighbors`` counts documents: a weight would have to
    change how many of them are used.

    Examples
    --------
    >>> from honeybayes.bayes import LocallyWeightedNB
    >>> X = [[2, 1, 0], [1, 0, 0], [0, 1, 3], [0, 1, 1]]
    >>> model = LocallyWeightedNB(n_neighbors=2).fit(X, ["sea", "sea", "land", "land"])
    >>> model.predict([[1, 1, 0], [0, 1, 1]])
    array(['sea', 'land'], dtype='<U4')
    """

    n_neighbors: FromOne = 100
    weights: Literal["similarity", "uniform"] = "similarity"

    fitted_attributes = State(
        _training=SparseCounts(("documents", "features")),
        _label=Indices(("documents",), below="classes"),
        _length=Array(("documents",), low=0),
        _norm=Array(("documents",), low=0),
        _n_neighbors=Integer(1),
        _weights=OneOf(("similarity", "uniform")),
    )

    def _check_state(self) -> None:
        if self._n_neighbors > len(self._label):
            raise ValueError(f"_n_neighbors is {self._n_neighbors}, but there are fewer documents")
        if not (self._norm[self._training.indices] > 0).all():
            raise ValueError("_norm is zero for a document that has terms")

    def fit(self, X: Any, y: Any) -> Self:  # type: ignore[override]
        """Keep labeled documents."""
        return super().fit(X, y)

    def _learn(self, data: FitData) -> None:
        X, position, classes, _ = data
        check_kept_documents(self, X.nnz)
        self.classes_ = classes
        self._set_priors(data.class_sizes())
        self._training, self._label = X.tocsc(), position
        self._length, self._norm = X.sum(axis=1), euclidean_lengths(X)
        self._n_neighbors, self._weights = min(self.n_neighbors, len(position)), self.weights

    def _cells_per_document(self) -> int:
        return sum(self._training.shape)

    def _local_models(self, X: sparse.csr_array) -> LocalModels:
        terms, documents = own_terms(X)
        training, n_classes = self._training[:, terms].tocsr(), len(self.classes_)
        new, known = documents.copy(), training.copy()  # as vectors of length one
        new.data /= per_entry(X, euclidean_lengths(X))
        known.data /= per_entry(training, self._norm)
        cosines = (new @ known.T).toarray()
        weights = neighbor_weights(cosines, self._n_neighbors, self._weights == "similarity")
        near = np.flatnonzero(weights.any(axis=0))
        weights, training, label = weights[:, near], training[near], self._label[near]
        count, rows = np.zeros((X.nnz, n_classes)), per_entry(X, np.arange(X.shape[0]))
        for c in np.unique(label):
            own = np.flatnonzero(label == c)
            sums = (sparse.csr_array(weights[:, own]) @ training[own]).toarray()
            count[:, c] = sums[rows, documents.indices]
        of_class = np.eye(n_classes)[label]
        length = weights @ (of_class * self._length[near, np.newaxis])
        return LocalModels(np.arange(X.nnz), count, length, weights @ of_class, self._alpha)


def neighbor_weights(cosines: np.ndarray, n_neighbors: int, weighted: bool) -> np.ndarray:
    """Return the weight of each training document as a neighbor of each new one, mostly 0.

    ``weighted`` neighbors count with their cosine, others 1.
    """
    last = cosines.shape[1] - n_neighbors
    cutoff = np.partition(cosines, last, axis=1)[:, [last]]
    is_near = cosines > cutoff * (1 + TIED)
    is_tied = (cosines >= cutoff * (1 - TIED)) & ~is_near
    n_left = n_neighbors - is_near.sum(axis=1, keepdims=True)
    part = is_near + is_tied * (n_left / is_tied.sum(axis=1, keepdims=True))
    return np.where(cosines.any(axis=1, keepdims=True), cosines, 1.0) * part if weighted else part


def euclidean_lengths(X: sparse.csr_array) -> np.ndarray:
    """Compute the Euclidean length of each document without overflow."""
    largest = X.max(axis=1).toarray().ravel()
    scaled = X.data / per_entry(X, largest)
    rows = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))
    return largest * np.sqrt(np.bincount(rows, scaled**2, minlength=X.shape[0]))
