"""Common code of meta-estimators: an optional selection of terms, then a fitted model."""

from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted, validate_data

from honeybayes.utils.state import Fitted, State
from honeybayes.utils.validation import check_integer
from honeybayes.utils.weighting import fit_weighted


class InnerModelMixin:
    """A classifier with the parameters ``min_df`` and ``selector``, and a model ``estimator_``."""

    min_df: int
    selector: Any
    classes_: np.ndarray
    n_features_in_: int
    fitted_attributes = State(
        estimator_=Fitted("predict"), selector_=Fitted("transform", optional=True)
    )

    def _fit_inner(self, model: Any, X: Any, y: Any, sample_weight: Any) -> None:
        selector = None if self.selector is None else clone(self.selector).fit(X, y)
        counts = X if selector is None else selector.transform(X)
        self.estimator_ = fit_weighted(model, counts, y, sample_weight)
        self.selector_, self.classes_ = selector, self.estimator_.classes_

    def predict(self, X: Any) -> np.ndarray:
        """Predict the class of each document.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Counts of terms.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        X = self._prepare(X)
        return self.estimator_.predict(X)

    def _prepare(self, X: Any) -> Any:
        """Return the columns of X that the model takes."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", reset=False)
        return X if self.selector_ is None else self.selector_.transform(X)

    def _check_parameters(self) -> None:
        check_integer("min_df", self.min_df, least=1)

    def _check_state(self) -> None:
        if not np.array_equal(self.classes_, self.estimator_.classes_):
            raise ValueError("classes_ and the classes of estimator_ are different")
        width = self.n_features_in_
        if self.selector_ is not None:
            if self.selector_.n_features_in_ != width:
                raise ValueError(f"selector_ does not take {width} columns")
            width = int(self.selector_.get_support().sum())
        if self.estimator_.n_features_in_ != width:
            raise ValueError(f"estimator_ does not take {width} columns")
