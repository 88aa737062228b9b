"""Checks of parameters, weights and document-term matrices, each written once.

A check raises ValueError with the name, the value and what is allowed; it returns nothing unless
it converts. scikit-learn is imported when it is needed: counting paths needs none of it.
"""

import inspect
from dataclasses import replace
from functools import cache, partial
from numbers import Integral, Real
from types import NoneType
from typing import Annotated, Any, ClassVar, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np
from scipy import sparse

from honeybayes.utils.matrices import SPARSE_FORMATS, check_format, without_duplicates

SMALLEST, LARGEST = 1e-100, 1e100  # of a parameter, so that products stay within float64


def validate_counts(model: Any, X: Any, y: Any = "no_validation", *, reset: bool) -> Any:
    """Validate X, and y if given, as scikit-learn does; raise ValueError if X contains texts."""
    from sklearn.utils.validation import validate_data

    first = next(iter(X), None) if isinstance(X, list | tuple | np.ndarray) else None
    if isinstance(first, str):
        raise ValueError(
            f"X contains texts, but {type(model).__name__} takes counts of terms. Use "
            f"TextClassifier({type(model).__name__}()), or put a TextVectorizer in front."
        )
    check_format(X)
    if not reset and isinstance(y, str) and is_valid_already(model, X):
        return X
    check_format(y, "y")
    return validate_data(model, X, y, accept_sparse=SPARSE_FORMATS, reset=reset)


def validate_plain(model: Any, X: Any, y: Any = "no_validation", *, reset: bool = True) -> Any:
    """Validate X, and y if given, for a model of another library: CSR without duplicates."""
    checked = validate_counts(model, X, y, reset=reset)
    if isinstance(checked, tuple):
        return without_duplicates(checked[0]), checked[1]
    return without_duplicates(checked)


def is_valid_already(model: Any, X: Any) -> bool:
    """Return True for counts of `honeybayes.TextVectorizer`, which the check returns unchanged.

    For one text, scikit-learn's check takes longer than the prediction.
    """
    return (
        type(X) is sparse.csr_matrix
        and X.dtype == np.int64
        and X.shape[0] > 0
        and X.shape[1] == getattr(model, "n_features_in_", None)
        and not hasattr(model, "feature_names_in_")
    )


def check_option(name: str, value: Any, options: tuple) -> None:
    """Raise ValueError if a parameter is not one of the options."""
    if not (value is None or isinstance(value, str)) or value not in options:
        allowed = ", ".join(map(repr, options))
        raise ValueError(f"{name} must be one of {allowed}; got {value!r}.")


def check_number(name: str, value: Any, low: float, high: float, allowed: str) -> None:
    """Raise ValueError if a parameter is not a number from ``low`` to ``high``, as words say it."""
    if not isinstance(value, Real) or not low <= float(value) <= high:
        raise ValueError(f"{name} must be {allowed}; got {value!r}.")
    if value and high > 1 and not SMALLEST <= float(value) <= LARGEST:
        raise ValueError(f"{name} must be between {SMALLEST} and {LARGEST}; got {value!r}.")


TINY, HUGE = np.nextafter(0.0, 1.0), np.finfo(np.float64).max
check_positive = partial(check_number, low=TINY, high=HUGE, allowed="a finite number above 0")
check_not_negative = partial(check_number, low=0, high=HUGE, allowed="a finite number, 0 or more")
check_fraction = partial(check_number, low=0, high=1, allowed="a number from 0 to 1")


def check_integer(name: str, value: Any, least: int = 0) -> None:
    """Raise ValueError if a parameter is not an integer greater than or equal to ``least``."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise ValueError(f"{name} must be an integer, {least} or more; got {value!r}.")


def check_n_jobs(name: str, n_jobs: Any) -> None:
    """Raise ValueError if a parameter is not a number of jobs, as joblib takes it."""
    is_integer = isinstance(n_jobs, Integral) and not isinstance(n_jobs, bool)
    if n_jobs is not None and not (is_integer and n_jobs):
        raise ValueError(
            f"{name} must be a number of jobs, -1 for all cores, or None; got {n_jobs!r}."
        )


def check_n_dense(n_dense: Any, n_columns: int) -> None:
    """Raise ValueError if no column is left for terms before the ``n_dense`` dense features."""
    check_integer("n_dense", n_dense)
    if n_dense >= n_columns:
        raise ValueError(
            f"X has {n_columns} feature(s), and the last n_dense={n_dense} are dense features, "
            "so there is no term. Lower n_dense."
        )


def check_bool(name: str, value: Any) -> None:
    """Raise ValueError if a parameter is not True or False."""
    if not isinstance(value, bool | np.bool_):
        raise ValueError(f"{name} must be True or False; got {value!r}.")


def check_threshold(name: str, value: Any) -> None:
    """Raise ValueError if a parameter is neither None nor a finite number."""
    if value is not None and not (isinstance(value, Real) and np.isfinite(float(value))):
        raise ValueError(f"{name} must be None or a finite number; got {value!r}.")


def check_weights(sample_weight: Any, X: Any) -> np.ndarray:
    """Return the weights of the documents of X as float64: not negative, not all zero."""
    from sklearn.utils.validation import _check_sample_weight

    check_format(sample_weight, "sample_weight")
    weights = _check_sample_weight(sample_weight, X, dtype=np.float64)
    if (least := weights.min()) < 0:
        raise ValueError(f"Negative values in sample_weight: they must be 0 or more; got {least}.")
    with np.errstate(over="ignore"):
        if not np.isfinite(weights.sum()):
            raise ValueError("The sum of sample_weight is too large for float64.")
    if not weights.any():
        raise ValueError("All values of sample_weight are 0, so there is nothing to learn from.")
    return weights


def check_term(term: Any, n_terms: int, name: str = "term") -> int:
    """Return the index of a column as int; raise ValueError if it is none."""
    if isinstance(term, bool | np.bool_) or not isinstance(term, int | np.integer):
        raise ValueError(f"{name} must be the index of a column of X; got {term!r}.")
    if not 0 <= term < n_terms:
        raise ValueError(
            f"{name}={term} is not a column of X. X has {n_terms} columns, counted from 0."
        )
    return int(term)


def check_is_random(is_random: Any, n_documents: int) -> np.ndarray:
    """Return which documents are a random sample as an array of bool, one for each document."""
    found = np.asarray(is_random)
    # values of pandas that can be missing are objects
    wrong = [each for each in found.ravel().tolist() if not isinstance(each, bool)]
    if wrong or found.shape != (n_documents,):
        got = repr(wrong[0]) if wrong else f"shape {found.shape}"
        raise ValueError(
            f"is_random must contain True or False for each of the {n_documents} documents; got "
            f"{got}. Convert it to bool."
        )
    return found.astype(bool)


def check_term_weights(name: str, weights: Any, n_terms: int) -> np.ndarray:
    """Return the weights of the terms as float64: one per term, finite and not negative."""
    weights = np.array(weights, dtype=np.float64)
    if weights.shape != (n_terms,):
        raise ValueError(
            f"{name} must contain one weight for each of the {n_terms} terms; "
            f"got shape {weights.shape}."
        )
    wrong = ~np.isfinite(weights) | (weights < 0)
    if wrong.any():
        raise ValueError(f"{name} must be finite and 0 or more; got {weights[wrong][0]}.")
    return weights


Positive = Annotated[float, check_positive]
NotNegative = Annotated[float, check_not_negative]
Fraction = Annotated[float, check_fraction]
Flag = Annotated[bool, check_bool]
Threshold = Annotated[float | None, check_threshold]
FromZero = Annotated[int, check_integer]
FromOne = Annotated[int, partial(check_integer, least=1)]
Jobs = Annotated[int | None, check_n_jobs]


class ParametersMixin:
    """Checks parameters by the types that a class, or its base, declares for them.

    ``_input_tags`` and ``_poor_score`` are tags of scikit-learn: what the estimator takes, and
    whether it cannot classify the documents of scikit-learn's checks.
    """

    _input_tags: ClassVar[dict] = {}
    _poor_score: ClassVar[bool] = False

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags = replace(tags.input_tags, **self._input_tags)
        if self._poor_score and tags.classifier_tags is not None:
            tags.classifier_tags.poor_score = True
        return tags

    def _check_parameters(self) -> None:
        """Raise ValueError if a parameter is not allowed, before anything is changed."""
        for name, declared in _declared_parameters(type(self)).items():  # type: ignore[arg-type]
            value = getattr(self, name)
            if get_origin(declared) is Union:  # as Positive | None, or Literal["scale"] | Positive
                first, second, *_ = types = get_args(declared)
                if value is None and NoneType in types:
                    continue
                if get_origin(first) is not Literal:
                    declared = first
                elif isinstance(value, str):
                    declared, name = first, f"{name}, if it is a string,"
                else:
                    declared = second
            if get_origin(declared) is Literal:
                check_option(name, value, get_args(declared))
            elif get_origin(declared) is Annotated:
                for check in declared.__metadata__:
                    check(name, value)


@cache
def _declared_parameters(cls: Any) -> dict[str, Any]:
    types = get_type_hints(cls, include_extras=True)
    return {name: types[name] for name in inspect.signature(cls).parameters if name in types}


class MatrixInputMixin(ParametersMixin):
    """An estimator of documents by terms, dense or sparse.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        Documents by terms.
    y : array-like of shape (n_samples,)
        Label of each document.
    sample_weight : array-like of shape (n_samples,), optional
        Weight of each document, 0 or more. A weight of 2 is the same as passing the document
        twice, a weight of 0 the same as leaving it out. By default, every weight is 1.
    classes : array-like of shape (n_classes,), optional
        All labels of this and later calls. Required on the first call.
    is_random : array-like of bool, shape (n_samples,), optional
        Which documents are a random sample, if others were chosen: ``held_out_`` contains only
        answers to these. By default, all labeled documents are taken as random.
    columns : list of int
        Positions of the classes to explain.
    feature_names : sequence of str, optional
        Names of the columns. By default ``feature_names_in_``, or column numbers.
    binarize : float or None, default=0.0
        A term is present if its value is above this threshold. With None, a term is present if
        its value is not zero, and negative values raise an error.
    unlabeled : label, default=None
        The value in y that marks a document without a label, such as -1. By default every value is
        a class.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Sorted labels.
    n_features_in_ : int
        Number of terms.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the terms, if ``X`` was a data frame with string columns.
    """

    _input_tags: ClassVar[dict] = {"sparse": True}


class CountsInputMixin(MatrixInputMixin):
    """An estimator of counts, which are 0 or more.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        Documents by terms: counts, or other weights of 0 or more, such as tf-idf.
    """

    _input_tags: ClassVar[dict] = {"sparse": True, "positive_only": True}
    _poor_score = True  # the checks classify Gaussian blobs, which are not counts


class TextInputMixin(ParametersMixin):
    """An estimator of raw texts.

    Parameters
    ----------
    X : iterable of str
        The texts.
    y : array-like of shape (n_samples,), default=None
        Label of each text, if labels are used.
    input_features : object, default=None
        Ignored.
    """

    _input_tags: ClassVar[dict] = {"string": True, "one_d_array": True, "two_d_array": False}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        if tags.transformer_tags is not None:
            tags.transformer_tags.preserves_dtype = []
        return tags
