"""Nearest neighbors in the space of latent semantic indexing."""

from typing import Any, Self

import numpy as np
from scipy.linalg import eigh
from scipy.special import softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.preprocessing import normalize
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from honeybayes.utils.labels import encode_labels
from honeybayes.utils.matrices import canonical_counts, check_pairs_of_documents, inverse_or_zero
from honeybayes.utils.parameters import estimator
from honeybayes.utils.state import Array, Indices, Integer, State
from honeybayes.utils.validation import FromOne, MatrixInputMixin, validate_counts

DOCUMENTS_IN_A_BLOCK = 1024
DIGITS = 12  # of a cosine; further digits are rounding and must not order neighbors
LEAK = 1e-9  # probability of a class without neighbors, times its share


@estimator
class LSIKNeighborsClassifier(MatrixInputMixin, ClassifierMixin, BaseEstimator):
    """Nearest neighbors by cosine after a truncated singular value decomposition: LSI kNN.

    Documents are projected on the singular vectors of the training documents whose singular values
    are above one (Kaiser's criterion), or on that with the largest value if none is. The nearest
    training documents vote for their classes, with the cosine similarity as weight. A noisy OR
    combines the votes.

    Parameters
    ----------
    n_neighbors : int, default=25
        Number of neighbors that vote; all training documents if there are fewer.

    Attributes
    ----------
    components_ : ndarray of shape (n_components_, n_features_in_)
        Singular vectors of the terms.
    singular_values_ : ndarray of shape (n_components_,)
        The singular values, in descending order.
    n_components_ : int
        Number of singular vectors kept.

    Notes
    -----
    Let s be the cosine of a neighbor (0 if negative). For each class, P = 1 - prod(1 - s) over the
    neighbors of this class. Of equally distant ones, the earlier rows are used. ``predict_proba``
    is the odds P / (1 - P) divided by their sum, and far too extreme. Each class also gets one
    additional vote: 1e-9 times its share in the training documents.

    The paper names only the noisy OR, the cosine and the criterion. Cosines include the singular
    values. ``fit`` needs a document-by-document matrix, so it is not for tens of thousands.

    References
    ----------
    .. [1] Ganiz, M. C., George, C., Pottenger, W. M., "Higher Order Naive Bayes: A Novel Non-IID
       Approach to Text Classification", IEEE Transactions on Knowledge and Data Engineering
       23(7) (2011), section V.

    Examples
    --------
    >>> from honeybayes import LSIKNeighborsClassifier
    >>> X = [[1, 1, 0, 0], [1, 1, 1, 0], [0, 0, 1, 1], [0, 0, 2, 1]]
    >>> model = LSIKNeighborsClassifier(n_neighbors=2).fit(X, ["sea", "sea", "land", "land"])
    >>> model.singular_values_.round(2)
    array([2.83, 1.93])
    >>> model.predict([[0, 1, 0, 0], [0, 0, 0, 1]])
    array(['sea', 'land'], dtype='<U4')
    """

    n_neighbors: FromOne = 25

    fitted_attributes = State(
        components_=Array(("components", "features")),
        singular_values_=Array(("components",), low=0),
        _documents=Array(("documents", "components")),
        _label=Indices(("documents",), below="classes"),
        _leak=Array(("classes",), above=0),
        _n_neighbors=Integer(1),
    )

    def fit(self, X: Any, y: Any) -> Self:
        """Decompose the training documents and keep them.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents by terms: presence as in the paper, counts, or weights.
        """
        self._check_parameters()
        X, y = validate_counts(self, X, y, reset=True)
        check_classification_targets(y)
        counts = canonical_counts(X)
        check_pairs_of_documents(self, counts.shape[0])
        self.classes_, self._label = encode_labels(y)
        self._n_neighbors = self.n_neighbors
        squares, vectors = eigh((counts @ counts.T).toarray())
        squares, vectors = squares[::-1], vectors[:, ::-1]
        # a value of exactly one is common, and rounding must not decide whether to keep it
        rounding = len(squares) * np.finfo(np.float64).eps * squares[0]
        keep = max(np.count_nonzero(squares > 1 + rounding), 1)
        self.singular_values_ = np.sqrt(np.maximum(squares[:keep], 0))
        self.components_ = (vectors[:, :keep] * inverse_or_zero(self.singular_values_)).T @ counts
        self._documents = normalize(counts @ self.components_.T)
        self._leak = LEAK * np.bincount(self._label) / len(self._label)
        return self

    def decision_function(self, X: Any) -> np.ndarray:
        """Return log(P_c / (1 - P_c)) for each class c.

        P_c is the noisy-OR combination of the votes of the neighbors.

        Returns
        -------
        ndarray of shape (n_samples, n_classes), or (n_samples,) if there are two classes
            For two classes, the log odds of the second class minus the log odds of the first.
        """
        log_odds = self._log_odds(X)
        return log_odds[:, 1] - log_odds[:, 0] if len(self.classes_) == 2 else log_odds

    def predict(self, X: Any) -> np.ndarray:
        """Predict the most probable class of each document."""
        best = np.argmax(self._log_odds(X), axis=1)
        return self.classes_[best]

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the probability of each class, given that exactly one applies."""
        return softmax(self._log_odds(X), axis=1)

    @property
    def n_components_(self) -> int:
        """Number of singular vectors that were kept."""
        return len(self.components_)

    def _log_odds(self, X: Any) -> np.ndarray:
        check_is_fitted(self)
        counts = canonical_counts(validate_counts(self, X, reset=False))
        blocks = []
        for start in range(0, counts.shape[0], DOCUMENTS_IN_A_BLOCK):
            block = counts[start : start + DOCUMENTS_IN_A_BLOCK]
            cosines = np.round(normalize(block @ self.components_.T) @ self._documents.T, DIGITS)
            nearest = np.argsort(-cosines, axis=1, kind="stable")[:, : self._n_neighbors]
            votes = np.clip(np.take_along_axis(cosines, nearest, axis=1), 0, 1 - 10.0**-DIGITS)
            evidence = np.tile(self._leak, (len(votes), 1))  # -log(1 - P), which does not saturate
            rows = np.arange(len(votes))[:, np.newaxis]
            np.add.at(evidence, (rows, self._label[nearest]), -np.log1p(-votes))
            blocks.append(evidence + np.log(-np.expm1(-evidence)))
        return np.concatenate(blocks)
