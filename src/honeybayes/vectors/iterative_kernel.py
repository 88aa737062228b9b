"""A kernel of documents from similarities of terms and of documents, learned in turns."""

from collections.abc import Sequence
from numbers import Integral
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from honeybayes.utils.matrices import inverse_or_zero
from honeybayes.utils.state import Array, SparseCounts, State
from honeybayes.utils.validation import check_integer, check_option
from honeybayes.vectors._chi_sim import (
    document_similarity,
    factor,
    lacking_to_one,
    scale_columns,
    scale_rows,
)
from honeybayes.vectors._counts import counts_as_csr


class IterativeHigherOrderKernel(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Semantic kernel of iterated higher-order relations: IHOSK and N-IHOSK.

    Two terms are alike if they occur in documents that are alike, and two documents are alike if
    they hold terms that are alike. The chi-Sim iteration starts from "each is like itself only"
    and follows that in turns. A document is then compared with another through the similarities
    of their terms, so that two documents without a common term can be alike. No labels are used.

    Parameters
    ----------
    n_iter : int, default=2
        Iterations: the kernel uses the similarity of terms SC after so many. 1 counts
        co-occurrences, 2 goes by way of one more document and term.
    normalize : {"length", None}, default="length"
        ``"length"`` divides the kernel by the lengths of both documents, the sums of their counts:
        N-IHOSK. None leaves it: IHOSK.
    unit_diagonal : bool, default=False
        Whether every term and every document is set to similarity one with itself after each
        step. If so, `transform` gives a feature for each term.

    Attributes
    ----------
    document_similarity_ : ndarray of shape (n_documents, n_documents)
        SR of the training documents after ``n_iter - 1`` iterations, from which the similarities
        of terms follow.
    n_features_in_ : int
        Number of terms.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the terms, if ``X`` was a data frame.

    See Also
    --------
    SemanticSVC : A support vector machine with this kernel.
    LSIKNeighborsClassifier : Another way from terms to latent relations.

    Notes
    -----
    With counts D, documents by terms, R and C the inverse sums of its rows and columns:
    SR = R D SC D' R (Equation 4) and SC = C D' SR D C (Equation 5, which is printed with the
    shapes of Equation 4), each from the other's previous value. The kernel is K = d SC SC' d'
    (Equation 8), over the lengths of both documents (Equation 10). All of it is computed in
    matrices of documents by documents; a matrix of terms by terms is never made. ``fit`` takes a
    few products of such matrices and keeps three of them: meant for few labeled documents, and
    thousands rather than tens of thousands of them.

    The paper does not say whether chi-Sim's own step, setting the similarity with oneself to one,
    was taken. Its table is met without.

    References
    ----------
    .. [1] Altinel, B., Ganiz, M. C., Diri, B., "A Semantic Kernel for Text Classification Based on
       Iterative Higher-Order Relations between Words and Documents" (2014), Equations 4 to 10.
    .. [2] Bisson, G., Hussain, F., "Chi-Sim: A New Similarity Measure for the Co-clustering Task",
       ICMLA (2008).

    Examples
    --------
    Table 1 of the paper: d1 and d2 share no term, but both share one with d3.

    >>> import numpy as np
    >>> from honeybayes import IterativeHigherOrderKernel
    >>> D = np.array([[1, 1, 0], [0, 0, 1], [0, 1, 1]])
    >>> D @ D.T
    array([[2, 0, 1],
           [0, 1, 1],
           [1, 1, 2]])
    >>> IterativeHigherOrderKernel(n_iter=1).fit(D).kernel(D).round(2)
    array([[0.83, 0.19, 0.42],
           [0.19, 0.31, 0.28],
           [0.42, 0.28, 0.34]])
    """

    fitted_attributes = State(
        document_similarity_=Array(("documents", "documents")),
        _weights=SparseCounts(("documents", "features")),
        _projection=Array(("documents", "components"), optional=True),
        _lacking=Array(("features",), optional=True),
    )

    def __init__(
        self, n_iter: int = 2, *, normalize: str | None = "length", unit_diagonal: bool = False
    ) -> None:
        self.n_iter = n_iter
        self.normalize = normalize
        self.unit_diagonal = unit_diagonal

    def _check_state(self) -> None:
        if (self._projection is None) == (self._lacking is None):
            raise ValueError("exactly one of _projection and _lacking must be set")

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the similarities from training documents.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents by terms: counts, not negative.
        y : None
            Ignored.

        Returns
        -------
        self : object
            Fitted.
        """
        self._check_parameters()
        counts = counts_as_csr(self, X, reset=True)
        self._weights = scale_columns(counts, inverse_or_zero(counts.sum(axis=0))).tocsc()
        self._weights.eliminate_zeros()
        self.document_similarity_ = document_similarity(
            counts, self._weights, self.n_iter - 1, self.unit_diagonal
        )
        self._lacking = self._projection = None
        if self.unit_diagonal:
            self._lacking = lacking_to_one(self._weights, self.document_similarity_)
        else:
            among_terms = (self._weights @ self._weights.T).toarray()
            self._projection = self.document_similarity_ @ factor(among_terms)
        return self

    def transform(self, X: Any) -> np.ndarray:
        """Features of documents, whose inner products are the kernel.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents by terms: counts, not negative.

        Returns
        -------
        ndarray of shape (n_samples, n_features_out)
            At most one feature for each training document; one for each term with
            ``unit_diagonal``.
        """
        check_is_fitted(self)
        counts = counts_as_csr(self, X, reset=False)
        if self.normalize == "length":
            counts = scale_rows(counts, inverse_or_zero(counts.sum(axis=1)))
        in_documents = (counts @ self._weights.T).toarray()
        if self._lacking is None:
            return in_documents @ self._projection
        through_others = (in_documents @ self.document_similarity_) @ self._weights
        return through_others + scale_columns(counts, self._lacking).toarray()

    def kernel(self, A: Any, B: Any = None) -> np.ndarray:
        """Kernel between documents, new ones or those of the training.

        Parameters
        ----------
        A : {array-like, sparse matrix} of shape (n_samples_a, n_features)
            Documents by terms: counts, not negative.
        B : {array-like, sparse matrix} of shape (n_samples_b, n_features), default=None
            The documents to compare with; those of ``A`` if None.

        Returns
        -------
        ndarray of shape (n_samples_a, n_samples_b)
            Larger for documents that are more alike.
        """
        features = self.transform(A)
        return features @ (features if B is None else self.transform(B)).T

    def similar_terms(
        self, term: int | str, k: int = 10, *, feature_names: Sequence[str] | None = None
    ) -> list[tuple[Any, float]]:
        """Terms most like a given one, as the training documents tell.

        Parameters
        ----------
        term : int or str
            Column of the term, or its name.
        k : int, default=10
            How many to give, at most.
        feature_names : sequence of str, default=None
            Names of all terms, such as ``vectorizer.get_feature_names_out()``. By default
            ``feature_names_in_``, which a data frame leaves.

        Returns
        -------
        list of (term, similarity)
            The most similar first: names where there are names, else columns. The similarity of
            two terms is that of chi-Sim, SC, divided by the root of the product of their
            similarities with themselves: from 0 to 1. Without the division the rarest terms
            would lead every list. Terms without any similarity are left out.
        """
        check_is_fitted(self)
        check_integer("k", k, 1)
        names = getattr(self, "feature_names_in_", None) if feature_names is None else feature_names
        column = self._find_column(term, names)
        of_term = self._weights[:, [column]].toarray().ravel()
        similarity = self._weights.T @ (self.document_similarity_ @ of_term)
        with_itself = 1 - lacking_to_one(self._weights, self.document_similarity_)
        if self._lacking is not None:
            with_itself += self._lacking
        similarity *= np.sqrt(inverse_or_zero(with_itself) * inverse_or_zero(with_itself)[column])
        similarity[column] = 0
        best = np.argsort(-similarity, kind="stable")[:k]
        return [
            (int(i) if names is None else str(names[i]), float(similarity[i]))
            for i in best
            if similarity[i] > 0
        ]

    def _find_column(self, term: int | str, names: Sequence[str] | None) -> int:
        n_terms = self.n_features_in_
        if names is not None and len(names) != n_terms:
            raise ValueError(f"feature_names has {len(names)} names for {n_terms} terms.")
        if isinstance(term, str):
            if names is None:
                raise ValueError(
                    f"The names of the terms are not known: pass feature_names, or the column of "
                    f"{term!r} in place of the name."
                )
            places = np.flatnonzero(np.asarray(names) == term)
            if not len(places):
                raise ValueError(f"No term is called {term!r}.")
            return int(places[0])
        if not isinstance(term, Integral) or not 0 <= term < n_terms:
            raise ValueError(
                f"term must be a name or a column from 0 to {n_terms - 1}; got {term!r}."
            )
        return int(term)

    def _check_parameters(self) -> None:
        check_integer("n_iter", self.n_iter, 1)
        check_option("normalize", self.normalize, ("length", None))
        if not isinstance(self.unit_diagonal, bool | np.bool_):
            raise ValueError(f"unit_diagonal must be True or False; got {self.unit_diagonal!r}.")

    @property
    def _n_features_out(self) -> int:
        return self.n_features_in_ if self._projection is None else self._projection.shape[1]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = True
        return tags
