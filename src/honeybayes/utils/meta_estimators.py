"""Meta-estimators: how they fit an inner model, to all documents and without each fold.

The only document of a class is never held out, and neither is an unlabeled document. Unlike
scikit-learn's stratified folds, a class may have fewer documents than there are folds. Copies of a
document are in the fold of the document, and count once: a model would know the copies of its
training documents by heart.
"""

import warnings
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol, Self, TypeVar

import numpy as np
from sklearn import config_context
from sklearn.base import clone
from sklearn.utils import metaestimators
from sklearn.utils.validation import has_fit_parameter

from honeybayes.utils.matrices import canonical_counts, group_repeats
from honeybayes.utils.tags import last_step

N_FOLDS = 5
Method = TypeVar("Method", bound=Callable)


class Classifier(Protocol):
    """What type checkers know of a model made by its name; some models have more."""

    classes_: np.ndarray

    def fit(self, X: Any, y: Any) -> Self: ...  # noqa: D102
    def predict(self, X: Any) -> np.ndarray: ...  # noqa: D102
    def score(self, X: Any, y: Any) -> float: ...  # noqa: D102
    def get_params(self, deep: bool = True) -> dict[str, Any]: ...  # noqa: D102
    def set_params(self, **params: Any) -> Self: ...  # noqa: D102
    def __getattr__(self, name: str) -> Any: ...


def available_if(check: Callable[[Any], bool]) -> Callable[[Method], Method]:
    """Make a method available if a check of the object says so; type checkers always know it."""
    return metaestimators.available_if(check)


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


class Folds(NamedTuple):
    """The fold of each document, -1 if it is never held out, and the first of its copies."""

    fold: np.ndarray
    first: np.ndarray
    is_copy: np.ndarray  # of an earlier document

    def split(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield the training rows and the held-out rows of each fold."""
        for number in range(N_FOLDS):
            held_out = self.fold == number
            if held_out.any():
                yield np.flatnonzero(~held_out), np.flatnonzero(held_out & ~self.is_copy)


def shuffled_folds(position: np.ndarray, X: Any = None, seed: int = 0) -> Folds:
    """Distribute the labeled documents over `N_FOLDS` folds, in a random order within each class.

    ``position`` is -1 for an unlabeled document, which does not change the folds of the others.
    Rows of X that are equal and have the same label are copies. Without X, there are no copies.
    """
    first, rows = np.arange(len(position)), np.flatnonzero(position >= 0)
    if X is not None:
        first_of_group, group = group_repeats(canonical_counts(X[rows]), position[rows, np.newaxis])
        first[rows] = rows[first_of_group[group]]
    is_copy = first != np.arange(len(position))
    order = np.random.default_rng(seed).permutation(rows[~is_copy[rows]])
    order = order[np.argsort(position[order], kind="stable")]
    documents = np.bincount(position[order])
    order = order[documents[position[order]] > 1]
    fold = np.full(len(position), -1)
    fold[order] = np.arange(len(order)) % N_FOLDS
    return Folds(fold[first], first, is_copy)


def fit_on_folds(
    model: Any,
    X: Any,
    y: np.ndarray,
    folds: Folds,
    *,
    min_df: int = 1,
    n_dense: int = 0,
    selector: Any = None,
    sample_weight: np.ndarray | None = None,
) -> Iterator[tuple[Any, Any, np.ndarray]]:
    """Fit a clone of a model once for each fold, to all other documents.

    Yields the fitted model, the held-out documents as it takes them, and their rows in X.

    Terms in fewer than ``min_df`` of the training documents are dropped, also from those held out,
    as unknown words of new texts are: they would count in the length of tf-idf vectors, and the
    model would seem less sure than it is. The last ``n_dense`` columns are never dropped. A
    ``selector`` of terms is fitted in each fold.
    """
    for training, rows in folds.split():
        seen, unseen = X[training], X[rows]
        is_known = np.asarray((seen != 0).sum(axis=0)).ravel() >= min_df
        is_known[len(is_known) - n_dense :] = True
        known = np.flatnonzero(is_known)
        seen, unseen = seen[:, known], unseen[:, known]
        weights = None if sample_weight is None else sample_weight[training]
        # the fit to all documents repeats all warnings
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                if selector is not None:
                    fitted_selector = clone(selector).fit(seen, y[training])
                    seen, unseen = map(fitted_selector.transform, (seen, unseen))
                fitted = fit_weighted(clone(model), seen, y[training], weights)
            except ValueError as error:
                error.add_note(
                    f"This happened in a fit to {len(training)} of {X.shape[0]} documents; the "
                    "others were held out to measure the model. Label more documents, or avoid "
                    "this measurement: set calibrate=None and give the name of one model."
                )
                raise
        yield fitted, unseen, rows
