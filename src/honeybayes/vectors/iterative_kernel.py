"""A kernel between documents, from iterated similarities of terms and documents.

No term-by-term matrix is built. D contains the counts, documents by terms. R and C are the diagonal
matrices of the reciprocals of the row sums and of the column sums of D (0 if the sum is 0). chi-Sim
starts from SR_0 = I and SC_0 = I and repeats

    SR_t = R D SC_(t-1) D' R         similarity of documents, Equation 4
    SC_t = C D' SR_(t-1) D C         similarity of terms, Equation 5 with corrected shapes

With G = D C the second is G' SR_(t-1) G. Inserted into the first, only documents remain:

    SR_t = (R D G') SR_(t-2) (R D G')'

If the diagonals are set to one after each step, SC_t is G' SR_(t-1) G + diag(e), where e is one
minus the diagonal, and R D diag(e) D' R is added to SR_(t+1).
"""

from typing import Any, Literal, Self, get_args

import numpy as np
from scipy import sparse
from scipy.linalg import lapack
from scipy.special import xlogy
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, check_non_negative

from honeybayes.bayes.base import Names, term_names
from honeybayes.utils import matrices, validation
from honeybayes.utils.parameters import estimator
from honeybayes.utils.state import Array, OneOf, SparseCounts, State

TERMS_IN_A_BLOCK = 256
ROUNDING = 1e-10  # of similarities that are equal
Normalization = Literal[
    "length", "row", "column", "min-max", "z-score", "weight", "complement", None
]
Weighting = Literal["tf-idf", "log-entropy", None]


@estimator
class IterativeHigherOrderKernel(
    validation.CountsInputMixin, ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator
):
    """Semantic kernel of iterated higher-order relations: IHOSK and N-IHOSK.

    Two terms are similar if they occur in similar documents, and two documents are similar if they
    contain similar terms. The chi-Sim algorithm starts with identity matrices and updates each
    similarity matrix from the previous value of the other. Documents are then compared through
    their terms, so two documents without a common term can be similar. No labels are used.

    Parameters
    ----------
    n_iter : int, default=2
        Number of iterations used to compute the term similarities (SC). With 1, terms are similar
        if they occur in the same document. With 2, they are also similar if their documents share a
        term (second-order paths).
    normalize : {"length", "row", "column", "min-max", "z-score", "weight", "complement", None}, \
default="length"
        ``"length"`` (N-IHOSK) divides each kernel value by the lengths of the two documents. The
        length of a document is the sum of its counts. None (IHOSK) does not divide. The others were
        tried in the paper, and change the similarities of terms SC in the kernel: ``"row"`` and
        ``"column"`` divide each row or column by its maximum; ``"min-max"`` maps each column to 0
        to 1; ``"z-score"`` subtracts the mean of a column and divides by its standard deviation,
        and a column of equal values becomes 0 in these two. The paper names the last two without a
        definition: ``"weight"`` divides each row by its sum, and ``"complement"`` replaces each
        value by the sum of the other values of its column.
    unit_diagonal : bool, default=False
        Whether the similarity of every term and document with itself is set to one after each
        step. If so, ``transform`` returns one feature per term.
    weighting : {None, "tf-idf", "log-entropy"}, default=None
        Weights of the terms, used for the similarities and in the kernel. ``"tf-idf"`` multiplies a
        count by log(N / n), where n of the N training documents contain the term (Equation 6).
        ``"log-entropy"`` replaces a count f by log(1 + f) (1 + sum over the training documents of
        p log p / log N), where p is the share of the document in all occurrences of the term
        (Equation 7, which the paper prints with a wrong sign).

    Attributes
    ----------
    document_similarity_ : ndarray of shape (n_documents, n_documents)
        Similarities of the training documents (SR) after ``n_iter - 1`` iterations. The
        similarities of terms are computed from it.

    Notes
    -----
    Let D be the counts (documents by terms), and R and C the diagonal matrices of the inverse row
    and column sums of D. Then SR = R D SC D' R (Equation 4) and SC = C D' SR D C (Equation 5, which
    the paper prints with the shapes of Equation 4). The kernel is K = d SC SC' d' (Equation 8),
    divided by the lengths of both documents (Equation 10). ``fit`` keeps three document-by-document
    matrices: it is suitable for thousands of documents, and refuses more than fit in memory.

    Chi-Sim sets the similarity of each object with itself to one. The results match the table of
    the paper without this step.

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

    n_iter: validation.FromOne = 2
    normalize: Normalization = "length"
    unit_diagonal: validation.Flag = False
    weighting: Weighting = None

    fitted_attributes = State(
        document_similarity_=Array(("documents", "documents")),
        _weights=SparseCounts(("documents", "features")),
        _projection=Array(("documents", "components"), optional=True),
        _lacking=Array(("features",), optional=True),
        _normalize=OneOf(get_args(Normalization), optional=True),
        _weighting=OneOf(get_args(Weighting), optional=True),
        _term_weights=Array(("features",), optional=True),
        _row_scale=Array(("features",), optional=True),
        _column_scale=Array(("features",), optional=True),
        _offset=Array(("components",), optional=True),
    )

    def _check_state(self) -> None:
        if (self._projection is None) == (self._lacking is None):
            raise ValueError("exactly one of _projection and _lacking must be set")
        if (self._weighting is None) != (self._term_weights is None):
            raise ValueError("_weighting and _term_weights must be set together")

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the similarities from training documents.

        Parameters
        ----------
        y : None
            Ignored.
        """
        self._check_parameters()
        counts = self._validate(X, reset=True)
        matrices.check_pairs_of_documents(self, counts.shape[0])
        self._normalize, self._weighting = self.normalize, self.weighting
        self._term_weights = term_weights(counts, self.weighting)
        counts = self._weigh(counts)
        self._weights = scale_columns(counts, matrices.inverse_or_zero(counts.sum(axis=0))).tocsc()
        self._weights.eliminate_zeros()
        self.document_similarity_ = document_similarity(
            counts, self._weights, self.n_iter - 1, self.unit_diagonal
        )
        self._lacking = self._projection = self._offset = None
        if self.unit_diagonal:
            self._lacking = lacking_to_one(self._weights, self.document_similarity_)
        self._row_scale, shift, self._column_scale = normalize_similarity(
            self._weights, self.document_similarity_, self._lacking, self.normalize
        )
        if self.unit_diagonal:
            self._offset = shift
            return self
        rows = self._weights  # the features need as many columns as the rank of S
        if self._column_scale is not None:
            rows = scale_columns(sparse.csr_array(rows), self._column_scale)
        if shift is not None:
            rows = sparse.vstack([rows, sparse.csr_array(shift[np.newaxis])])
        triangle = factor((rows @ rows.T).toarray())
        if shift is not None:
            triangle, self._offset = triangle[:-1], triangle[-1]
        self._projection = self.document_similarity_ @ triangle
        return self

    def transform(self, X: Any) -> np.ndarray:
        """Return features of documents whose inner products are the kernel.

        Returns
        -------
        ndarray of shape (n_samples, n_features_out)
            At most one feature per training document; one per term with ``unit_diagonal``.
        """
        check_is_fitted(self)
        counts = self._weigh(self._validate(X, reset=False))
        if self._normalize == "length":
            counts = scale_rows(counts, matrices.inverse_or_zero(counts.sum(axis=1)))
        scaled = counts if self._row_scale is None else scale_columns(counts, self._row_scale)
        in_documents = (scaled @ self._weights.T).toarray()
        if self._lacking is None:
            features = in_documents @ self._projection
        else:
            features = (in_documents @ self.document_similarity_) @ self._weights
            features += scale_columns(scaled, self._lacking).toarray()
            if self._column_scale is not None:
                features *= self._column_scale
        if self._offset is not None:
            features -= counts.sum(axis=1)[:, np.newaxis] * self._offset
        return features

    def _validate(self, X: Any, *, reset: bool) -> sparse.csr_array:
        X = validation.validate_counts(self, X, reset=reset)
        check_non_negative(X, f"{type(self).__name__} (counts of terms)")
        return matrices.canonical_counts(X)

    def _weigh(self, counts: sparse.csr_array) -> sparse.csr_array:
        """Multiply the counts, or their logs, by the weights of the terms, if there are any."""
        if self._term_weights is None:
            return counts
        if self._weighting == "log-entropy":
            arrays = (np.log1p(counts.data), counts.indices, counts.indptr)
            counts = sparse.csr_array(arrays, counts.shape)
        return matrices.canonical_counts(scale_columns(counts, self._term_weights))

    def kernel(self, A: Any, B: Any = None) -> np.ndarray:
        """Return the kernel between new or training documents.

        Parameters
        ----------
        A : {array-like, sparse matrix} of shape (n_samples_a, n_features)
            Documents by terms: counts, 0 or more.
        B : {array-like, sparse matrix} of shape (n_samples_b, n_features), default=None
            The documents to compare with; ``A`` if None.

        Returns
        -------
        ndarray of shape (n_samples_a, n_samples_b)
            Larger for more similar documents.
        """
        features = self.transform(A)
        return features @ (features if B is None else self.transform(B)).T

    def similar_terms(
        self, term: int | str, k: int = 10, *, feature_names: Names = None
    ) -> list[tuple[Any, float]]:
        """List the terms that are most similar to a given term in the training documents.

        Parameters
        ----------
        term : int or str
            Column of the term, or its name.
        k : int, default=10
            Maximum number of terms.
        feature_names : sequence of str, default=None
            Names of all terms, such as ``vectorizer.get_feature_names_out()``. By default
            ``feature_names_in_``, which is set if X was a data frame.

        Returns
        -------
        list of (term, similarity)
            The most similar term comes first. Terms are names if names are known, otherwise
            columns. The similarity of terms t and u is SC(t, u) / sqrt(SC(t, t) SC(u, u)), from 0
            to 1. Without this division, the rarest terms would be first in every list. Terms with
            similarity 0 are left out.
        """
        check_is_fitted(self)
        validation.check_integer("k", k, 1)
        names = np.array(term_names(self, feature_names), dtype=object)
        if isinstance(term, str):
            found = np.flatnonzero(names == term)
            if not len(found):
                raise ValueError(
                    f"There is no term {term!r}: pass feature_names, or the column of {term!r}."
                )
            term = int(found[0])
        column = validation.check_term(term, len(names))
        of_term = self._weights[:, [column]].toarray().ravel()
        similarity = self._weights.T @ (self.document_similarity_ @ of_term)
        with_itself = 1 - lacking_to_one(self._weights, self.document_similarity_)
        if self._lacking is not None:
            with_itself += self._lacking
        weight = matrices.inverse_or_zero(with_itself)
        similarity *= np.sqrt(weight * weight[column])
        similarity[column] = 0
        best = np.argsort(-similarity, kind="stable")[:k]
        listed = names.tolist()
        return [(listed[i], float(similarity[i])) for i in best if similarity[i] > 0]

    @property
    def _n_features_out(self) -> int:
        return self.n_features_in_ if self._projection is None else self._projection.shape[1]


def scale_rows(X: sparse.csr_array, factors: np.ndarray) -> sparse.csr_array:
    """Multiply each row by its factor."""
    return sparse.csr_array((X.data * matrices.per_entry(X, factors), X.indices, X.indptr), X.shape)


def scale_columns(X: sparse.csr_array, factors: np.ndarray) -> sparse.csr_array:
    """Multiply each column by its factor."""
    return sparse.csr_array((X.data * factors[X.indices], X.indices, X.indptr), X.shape)


def document_similarity(
    D: sparse.csr_array, G: sparse.csc_array, t: int, unit_diagonal: bool
) -> np.ndarray:
    """Return SR_t of the documents D; G is D with each column divided by its sum."""
    shares = scale_rows(D, matrices.inverse_or_zero(D.sum(axis=1)))
    if t % 2 == 0:
        similarity = np.eye(D.shape[0])
    else:
        similarity = (shares @ shares.T).toarray()
        if unit_diagonal:
            np.fill_diagonal(similarity, 1)
    if t < 2:
        return similarity
    step = (shares @ G.T).toarray()
    for _ in range(t // 2):
        lacking = lacking_to_one(G, similarity) if unit_diagonal else None
        similarity = step @ similarity @ step.T
        if lacking is not None:
            similarity += (scale_columns(shares, lacking) @ shares.T).toarray()
            np.fill_diagonal(similarity, 1)
    return similarity


def lacking_to_one(G: sparse.csc_array, similarity: np.ndarray) -> np.ndarray:
    """Return one minus the diagonal of G' SR G."""
    by_term = G.T
    blocks = []
    for start in range(0, by_term.shape[0], TERMS_IN_A_BLOCK):
        block = by_term[start : start + TERMS_IN_A_BLOCK]
        blocks.append(np.ravel(block.multiply(block @ similarity).sum(axis=1)))
    return 1 - np.concatenate(blocks)


def factor(Q: np.ndarray) -> np.ndarray:
    """Return L with L L' = Q, for a positive semidefinite Q; as many columns as its rank.

    If Q is zero, L is one column of zeros, because learners need at least one column.
    """
    triangle, order, rank, _ = lapack.dpstrf(Q, lower=1)
    L = np.empty((len(Q), max(rank, 1)))
    L[order - 1] = np.tril(triangle)[:, : max(rank, 1)]
    return L


def term_weights(counts: sparse.csr_array, weighting: str | None) -> np.ndarray | None:
    """Return log(N / n), or one plus the sum of p log p / log N, or None; see the kernel.

    A term that no document has, and the only document, give 1: there is nothing to compare.
    """
    if weighting is None:
        return None
    n_documents, n_terms = counts.shape
    if weighting == "tf-idf":
        frequency = np.bincount(counts.indices, minlength=n_terms)
        return np.where(frequency > 0, np.log(n_documents / np.maximum(frequency, 1)), 1.0)
    if n_documents == 1:
        return np.ones(n_terms)
    share = counts.data * matrices.inverse_or_zero(counts.sum(axis=0))[counts.indices]
    entropy = np.bincount(counts.indices, xlogy(share, share), minlength=n_terms)
    weights = 1 + entropy / np.log(n_documents)
    rounding = 8 * n_documents * np.finfo(np.float64).eps
    return np.where(weights > rounding, weights, 0.0)


def normalize_similarity(
    G: sparse.csc_array, similarity: np.ndarray, lacking: np.ndarray | None, normalize: str | None
) -> tuple[np.ndarray | None, np.ndarray | None, np.ndarray | None]:
    """Return ``rows``, ``shift`` and ``columns`` of S = diag(rows) SC diag(columns) - 1 shift'.

    None has no effect. SC is G' SR G, plus the diagonal ``lacking``; it is symmetric, so the values
    of a row are those of a column. A row or column that cannot be divided becomes 0.
    """
    if normalize in (None, "length"):
        return None, None, None
    by_term = G.T.tocsr()
    found = np.empty((4, by_term.shape[0]))  # of each row of SC
    for start in range(0, by_term.shape[0], TERMS_IN_A_BLOCK):
        rows = (by_term[start : start + TERMS_IN_A_BLOCK] @ similarity) @ G
        own = slice(start, start + len(rows))
        if lacking is not None:
            at = np.arange(len(rows))
            rows[at, start + at] += lacking[own]
        found[:, own] = [getattr(rows, what)(axis=1) for what in ("min", "max", "mean", "std")]
    low, high, mean, deviation = found
    total = mean * G.shape[1]
    if normalize == "row":
        return matrices.inverse_or_zero(high), None, None
    if normalize == "weight":
        return matrices.inverse_or_zero(total), None, None
    if normalize == "column":
        return None, None, matrices.inverse_or_zero(high)
    if normalize == "complement":
        return None, -total, np.full(len(total), -1.0)
    least, spread = (low, high - low) if normalize == "min-max" else (mean, deviation)
    columns = matrices.inverse_or_zero(np.where(high - low > ROUNDING * high, spread, 0))
    return None, least * columns, columns
