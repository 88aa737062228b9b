"""What a model says of labeled documents that it has not seen."""

import warnings
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import clone
from sklearn.model_selection import PredefinedSplit

N_FOLDS = 5


def held_out_folds(position: np.ndarray, seed: int = 0) -> PredefinedSplit:
    """Deal the labeled documents into folds, those of each class to as many as there are.

    Other than scikit-learn's stratified folds, a class may have fewer documents than there are
    folds. One with a single document is never held out, nor is a document without a label: so
    every class is among the training documents of every fold.

    Parameters
    ----------
    position : ndarray of int, shape (n_documents,)
        Place of each label among the classes; -1 for an unlabeled document.
    seed : int
        Of the order within a class.
    """
    # of the labeled documents alone, so that the unlabeled ones do not change their folds
    order = np.random.default_rng(seed).permutation(np.flatnonzero(position >= 0))
    order = order[np.argsort(position[order], kind="stable")]
    documents = np.bincount(position[order])
    order = order[documents[position[order]] > 1]
    fold = np.full(len(position), -1)
    fold[order] = np.arange(len(order)) % N_FOLDS
    return PredefinedSplit(fold)


@dataclass(frozen=True)
class LabeledCounts:
    """Documents to learn from.

    Parameters
    ----------
    X : csr_matrix of shape (n_documents, n_terms)
        Counts of terms.
    y : ndarray of shape (n_documents,)
        Labels, with the mark of unlabeled documents if the model knows one.
    position : ndarray of int, shape (n_documents,)
        Place of each label among the classes; -1 for an unlabeled document.
    min_df : int
        Documents that a term must occur in to be kept.
    selector : transformer or None
        Selection of terms by the labeled documents, not fitted.
    """

    X: sparse.csr_matrix
    y: np.ndarray
    position: np.ndarray
    min_df: int = 1
    selector: Any = None

    def labeled_only(self) -> "LabeledCounts":
        """Leave out the documents without a label."""
        rows = self.position >= 0
        return replace(self, X=self.X[rows], y=self.y[rows], position=self.position[rows])


def fit_per_fold(
    model: Any, documents: LabeledCounts, folds: PredefinedSplit
) -> Iterator[tuple[Any, sparse.csr_matrix, np.ndarray]]:
    """Fit the model once for each fold, to all other documents.

    Terms that these do not have are left out, of the held-out documents too: so would be unknown
    words of new texts. Kept, they would take part in the length of tf-idf vectors, and the model
    would seem less sure of new documents than it is.

    Parameters
    ----------
    model : estimator
        Not fitted; it is cloned.
    documents : LabeledCounts
        All of them.
    folds : PredefinedSplit
        From `held_out_folds`.

    Yields
    ------
    fitted, held_out, rows
        The model, the documents as it takes them, and their places in X.
    """
    X, y, position = documents.X, documents.y, documents.position
    for training, rows in folds.split():
        seen, unseen = X[training], X[rows]
        known = np.flatnonzero(np.bincount(seen.indices, minlength=X.shape[1]) >= documents.min_df)
        seen, unseen = seen[:, known], unseen[:, known]
        # whatever there is to warn of, the fit to all documents will tell
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                if documents.selector is not None:
                    labeled = position[training] >= 0
                    selector = clone(documents.selector).fit(seen[labeled], y[training][labeled])
                    seen, unseen = selector.transform(seen), selector.transform(unseen)
                fitted = clone(model).fit(seen, y[training])
            except ValueError as error:
                error.add_note(
                    f"This came up with {len(training)} of {X.shape[0]} documents, the others "
                    "being held out to measure the model. Label more, or go without: "
                    "calibrate=None, and a model by its name."
                )
                raise
        yield fitted, unseen, rows
