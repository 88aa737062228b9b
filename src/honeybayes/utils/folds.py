"""Folds of the labeled documents, and models fitted without each fold.

The only document of a class is never held out, and neither is an unlabeled document. Unlike
scikit-learn's stratified folds, a class may have fewer documents than there are folds.
"""

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import clone
from sklearn.model_selection import PredefinedSplit

from honeybayes.utils.matrices import group_repeats
from honeybayes.utils.meta import fit_weighted

N_FOLDS = 5


def shuffled_folds(position: np.ndarray, seed: int = 0) -> PredefinedSplit:
    """Distribute the labeled documents over `N_FOLDS` folds, in a random order within each class.

    ``position`` is -1 for an unlabeled document, which does not change the folds of the others.
    """
    order = np.random.default_rng(seed).permutation(np.flatnonzero(position >= 0))
    order = order[np.argsort(position[order], kind="stable")]
    documents = np.bincount(position[order])
    order = order[documents[position[order]] > 1]
    fold = np.full(len(position), -1)
    fold[order] = np.arange(len(order)) % N_FOLDS
    return PredefinedSplit(fold)


def folds_of_distinct(position: np.ndarray, X: Any) -> tuple[PredefinedSplit, np.ndarray]:
    """Distribute the labeled documents over folds, copies of a document together.

    Also returns the first labeled copy of each document of X; that of an unlabeled one is itself.
    """
    labeled = np.flatnonzero(position >= 0)
    first, group = group_repeats(sparse.csr_array(X[labeled]))
    leader = np.arange(len(position))
    leader[labeled] = labeled[first[group]]
    is_first = leader == np.arange(len(position))
    fold = shuffled_folds(np.where(is_first, position, -1)).test_fold
    # a copy with another label is never held out: it may be the only label of its class
    return PredefinedSplit(np.where(position == position[leader], fold[leader], -1)), leader


def fit_on_folds(
    model: Any,
    X: Any,
    y: np.ndarray,
    folds: PredefinedSplit,
    *,
    min_df: int = 1,
    n_dense: int = 0,
    selector: Any = None,
    sample_weight: np.ndarray | None = None,
) -> Iterator[tuple[Any, Any, np.ndarray]]:
    """Fit a clone of a model once for each fold, to all other documents.

    Yields the fitted model, the held-out documents as it takes them, and their rows in X.

    Terms that occur in fewer than ``min_df`` of the training documents are dropped, from the
    held-out documents too: they are unknown, as words of new texts can be. If they were kept, they
    would count in the length of tf-idf vectors, and the model would seem less sure of new documents
    than it is. The last ``n_dense`` columns, which are dense features, are never dropped. A
    ``selector`` of terms is cloned and fitted in each fold.
    """
    for training, rows in folds.split():
        seen, unseen = X[training], X[rows]
        is_known = _document_frequency(seen) >= min_df
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


def _document_frequency(X: Any) -> np.ndarray:
    if sparse.issparse(X):
        return np.bincount(X.indices, minlength=X.shape[1])
    return np.count_nonzero(X, axis=0)
