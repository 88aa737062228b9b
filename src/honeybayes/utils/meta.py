"""What meta-estimators have in common: how they fit, and predict with, an inner model."""

from typing import Any

import numpy as np
from sklearn import config_context
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted, has_fit_parameter

from honeybayes.utils.parameters import documented
from honeybayes.utils.state import Fitted, State, check_inner
from honeybayes.utils.tags import last_step
from honeybayes.utils.validation import MatrixInputMixin, validate_plain


def same_settings(one: Any, other: Any) -> bool:
    """Return whether two estimators, perhaps of two processes, have the same type and parameters.

    Their ``repr`` would not tell: that of a set depends on the process.
    """
    if type(one) is not type(other):
        return False
    if hasattr(one, "get_params") and not isinstance(one, type):
        ours, theirs = one.get_params(deep=False), other.get_params(deep=False)
        return ours.keys() == theirs.keys() and all(
            same_settings(value, theirs[name]) for name, value in ours.items()
        )
    if isinstance(one, list | tuple):  # such as the steps of a pipeline
        return len(one) == len(other) and all(map(same_settings, one, other))
    if isinstance(one, np.ndarray):
        return bool(one.shape == other.shape and one.dtype == other.dtype and np.all(one == other))
    return bool(one == other or (one != one and other != other))  # NaN


def check_takes_weights(model: Any) -> None:
    """Raise ValueError if a model cannot use weights of documents."""
    last = last_step(model)[1]
    if not has_fit_parameter(last, "sample_weight"):
        raise ValueError(
            f"{type(last).__name__} cannot use sample_weight, because its fit "
            "counts every document once. Leave out sample_weight, or use a model such as CNB or NB."
        )


def fit_weighted(model: Any, X: Any, y: Any, sample_weight: Any = None, **more: Any) -> Any:
    """Fit a model; in a pipeline, only the last step gets the weights and ``more``.

    Metadata routing is switched off inside, because the caller has already received the weights.
    """
    if sample_weight is not None:
        check_takes_weights(model)
        more["sample_weight"] = sample_weight
    if not more:
        return model.fit(X, y)
    prefix = last_step(model)[0]
    with config_context(enable_metadata_routing=False):
        return model.fit(X, y, **{f"{prefix}{name}": each for name, each in more.items()})


@documented
class InnerModelMixin(MatrixInputMixin):
    """A classifier with an inner model ``estimator_``.

    Parameters
    ----------
    min_df : int, default=1
        A term that occurs in fewer training documents of a fold is dropped in that fold.
    selector : transformer or None, default=None
        Selects terms before the model. It is fitted with the labels, so each fold fits its own.
    n_dense : int, default=0
        Number of last columns that hold dense features: these are not dropped in any fold.

    Attributes
    ----------
    estimator_ : estimator
        The model, fitted to all documents.
    selector_ : transformer or None
        The selector, fitted to all documents.
    """

    min_df: int
    n_dense: int
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
        """Predict the class of each document."""
        X = self._prepare(X)
        return self.estimator_.predict(X)

    def _prepare(self, X: Any) -> Any:
        """Return the columns of X that the model takes."""
        check_is_fitted(self)
        X = validate_plain(self, X, reset=False)
        return X if self.selector_ is None else self.selector_.transform(X)

    def _check_state(self) -> None:
        width = self.n_features_in_
        if self.selector_ is not None:
            if self.selector_.n_features_in_ != width:
                raise ValueError(f"selector_ does not take {width} columns")
            width = int(self.selector_.get_support().sum())
        check_inner(self, "estimator_", width)
