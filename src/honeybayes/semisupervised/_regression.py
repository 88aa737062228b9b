"""Logistic regression as plain arrays: coefficients (terms, classes) and intercepts."""

import numpy as np
from scipy import sparse
from sklearn.linear_model import LogisticRegression


def regress(
    x: sparse.csr_array,
    position: np.ndarray,
    n_classes: int,
    C: float,
    weight: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Fit a logistic regression; ``position`` is the class of each document as a number."""
    model = LogisticRegression(C=C, max_iter=1000, solver="newton-cg")
    model.fit(x, position, sample_weight=weight)
    coef, intercept = model.coef_.T, model.intercept_
    if n_classes == 2:  # one score, for the second class against the first
        coef, intercept = np.hstack([-coef / 2, coef / 2]), np.append(-intercept, intercept) / 2
    return coef, intercept


def regress_on_labels(
    x: sparse.csr_array, position: np.ndarray, n_classes: int, C: float
) -> tuple[np.ndarray, np.ndarray]:
    """Fit a logistic regression to the labeled documents; the position of the others is -1.

    Terms that occur in no labeled document are left out, because their weight would be zero.
    """
    labeled = x[position >= 0]
    seen = np.flatnonzero(np.bincount(labeled.indices, minlength=x.shape[1]))
    if not len(seen):
        seen = np.arange(1)  # a regression needs at least one column
    coef = np.zeros((x.shape[1], n_classes))
    labels = position[position >= 0]
    coef[seen], intercept = regress(labeled[:, seen], labels, n_classes, C)
    return coef, intercept


def balanced(weight: np.ndarray, position: np.ndarray) -> np.ndarray:
    """Scale the weights of documents so that all classes have the same sum."""
    of_class = np.bincount(position, weight)
    return weight * (weight.sum() / (len(of_class) * of_class))[position]
