"""Transform the counts of terms in a matrix that also holds dense features."""

from dataclasses import field
from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn import clone
from sklearn.base import BaseEstimator, MetaEstimatorMixin, OneToOneFeatureMixin, TransformerMixin
from sklearn.pipeline import Pipeline
from sklearn.utils import Tags, get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted

from honeybayes.utils.parameters import estimator
from honeybayes.utils.state import Fitted, Integer, State
from honeybayes.utils.validation import FromZero, MatrixInputMixin, check_n_dense, validate_plain


@estimator
class OnTerms(MatrixInputMixin, MetaEstimatorMixin, TransformerMixin, BaseEstimator):
    """Transform the counts of terms, and leave the dense features in the last columns as they are.

    Parameters
    ----------
    transformer : transformer
        Gets all columns but the last ``n_dense``, for example a ``TfidfTransformer`` or a
        `honeybayes.text.TermSelector`.
    n_dense : int, default=0
        Number of dense features.

    Attributes
    ----------
    transformer_ : transformer
        The transformer, fitted to the counts.

    Examples
    --------
    >>> from sklearn.feature_extraction.text import TfidfTransformer
    >>> from honeybayes.text import OnTerms
    >>> X = [[3, 4, -0.5], [1, 0, 0.25]]
    >>> tfidf = OnTerms(TfidfTransformer(use_idf=False), n_dense=1)
    >>> tfidf.fit_transform(X).toarray()
    array([[ 0.6 ,  0.8 , -0.5 ],
           [ 1.  ,  0.  ,  0.25]])
    """

    transformer: Any = field(kw_only=False)
    n_dense: FromZero = 0

    fitted_attributes = State(transformer_=Fitted("transform"), _n_dense=Integer())

    def fit(self, X: Any, y: Any = None) -> Self:
        """Fit the transformer to the counts.

        Parameters
        ----------
        y : array-like of shape (n_samples,), default=None
            Labels, if the transformer uses them.
        """
        self._check_parameters()
        X = validate_plain(self, X)
        check_n_dense(self.n_dense, X.shape[1])
        self._n_dense = self.n_dense
        self.transformer_ = clone(self.transformer).fit(self._split(X)[0], y)
        return self

    def transform(self, X: Any) -> Any:
        """Transform the counts.

        Returns
        -------
        {ndarray, csr_matrix}
            The transformed counts, then the dense features.
        """
        check_is_fitted(self)
        counts, dense = self._split(validate_plain(self, X, reset=False))
        counts = self.transformer_.transform(counts)
        if sparse.issparse(counts) or sparse.issparse(dense):
            return sparse.hstack([counts, dense], format="csr")
        return np.hstack([counts, dense])

    @available_if(lambda self: _maps_terms_to_terms(self.transformer))
    def get_support(self, indices: bool = False) -> np.ndarray:
        """Return which columns are kept.

        Available if the transformer keeps or drops terms without mixing them.

        Parameters
        ----------
        indices : bool, default=False
            Return positions of columns instead of a mask.
        """
        check_is_fitted(self)
        mask = np.ones(self.n_features_in_, dtype=np.bool_)
        if hasattr(self.transformer_, "get_support"):
            mask[: len(mask) - self._n_dense] = self.transformer_.get_support()
        return np.flatnonzero(mask) if indices else mask

    @available_if(lambda self: _maps_terms_to_terms(self.transformer))
    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Return the names of the columns that are kept.

        Parameters
        ----------
        input_features : array-like of str or None, default=None
            Names of the columns.
        """
        check_is_fitted(self)
        return _check_feature_names_in(self, input_features)[self.get_support()]

    def _split(self, X: Any) -> tuple[Any, Any]:
        n_terms = X.shape[1] - self._n_dense
        return X[:, :n_terms], X[:, n_terms:]

    def _check_state(self) -> None:
        expected = self.n_features_in_ - self._n_dense
        if expected < 1 or getattr(self.transformer_, "n_features_in_", expected) != expected:
            raise ValueError(f"transformer_ does not take {expected} columns")

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        inner = get_tags(self.transformer)
        tags.input_tags.sparse = inner.input_tags.sparse
        tags.input_tags.positive_only = inner.input_tags.positive_only
        tags.target_tags.required = inner.target_tags.required
        tags.transformer_tags.preserves_dtype = []
        return tags


def _maps_terms_to_terms(transformer: Any) -> bool:
    return isinstance(transformer, OneToOneFeatureMixin) or hasattr(transformer, "get_support")


def expect_dense(model: Any, n_dense: int) -> Any:
    """Return a model for matrices whose last columns are dense features."""
    if isinstance(model, Pipeline):
        *steps, (name, last) = model.steps
        kept = (None, "passthrough")
        wrapped = [
            (each, step if step in kept else OnTerms(step, n_dense=n_dense)) for each, step in steps
        ]
        return Pipeline([*wrapped, (name, expect_dense(last, n_dense))])
    if inner := getattr(model, "inner_model", None):
        model.set_params(**{inner: expect_dense(getattr(model, inner), n_dense)})
    if "n_dense" in getattr(model, "get_params", dict)():
        model.set_params(n_dense=n_dense)
    return model
