"""Multinomial logistic regression on sparse documents, with soft targets and a warm start.

Truncated Newton: conjugate gradients solve each step only as exactly as the gradient justifies. All
costs are products of the documents with a matrix (features, classes). scikit-learn's solvers find
the same minimum, but take no soft targets and need several times as long.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

MOST_STEPS = 100
MOST_PRODUCTS = 50  # per step
# Products of single precision can raise a false alarm: with AVX-512, OpenBLAS computes with numbers
# that lie behind the array, too, and drops them.
quiet_products = np.errstate(invalid="ignore")
ENOUGH_DECREASE = 1e-4  # of the loss, as a share of what the slope promises
ROUNDING = {"float64": 1e-15, "float32": 1e-7}  # of a loss, as a share of it


class Linear(NamedTuple):
    """Scores x @ coef + intercept; the shapes are (features, classes) and (classes,)."""

    coef: np.ndarray
    intercept: np.ndarray

    def scores(self, x: Any) -> np.ndarray:
        return x @ self.coef + self.intercept


class Beside:
    """Sparse features, and dense ones after them.

    Products cost a tenth of those of one sparse matrix that holds both.
    """

    def __init__(self, words: sparse.csr_array, dense: np.ndarray) -> None:
        self.words, self.dense, self.dtype = words, dense, words.dtype
        self.shape = (words.shape[0], words.shape[1] + dense.shape[1])

    def __matmul__(self, other: np.ndarray) -> np.ndarray:
        cut = self.words.shape[1]
        return self.words @ other[:cut] + self.dense @ other[cut:]


class Above:
    """The transpose of `Beside`."""

    def __init__(self, x: Beside) -> None:
        self.words, self.dense = x.words.T.tocsr(), np.ascontiguousarray(x.dense.T)

    def __matmul__(self, other: np.ndarray) -> np.ndarray:
        return np.concatenate([self.words @ other, self.dense @ other])


class Documents:
    """Features of documents, and their transpose, which is computed once."""

    def __init__(self, x: Any) -> None:
        self.x = x
        self.transposed: Any
        if isinstance(x, Beside):
            self.transposed = Above(x)
        else:
            self.transposed = x.T.tocsr() if sparse.issparse(x) else np.ascontiguousarray(x.T)

    @cached_property
    def of_terms(self) -> np.ndarray:
        """The sum of each column."""
        return self.x.sum(axis=0)

    @cached_property
    def of_documents(self) -> np.ndarray:
        """The sum of each row."""
        return self.x.sum(axis=1)


@quiet_products
def regress(
    documents: Documents,
    targets: np.ndarray,
    weight: np.ndarray,
    C: float,
    start: Linear | None = None,
    tolerance: float = 1e-4,
) -> Linear:
    """Fit a logistic regression to soft targets (documents, classes), whose rows add up to 1.

    The minimum is that of scikit-learn's ``LogisticRegression(C)``. The search ends if the norm of
    the gradient is below ``tolerance`` times the square root of the sum of the weights.
    """
    x, x_t = documents.x, documents.transposed
    n_features, n_classes = x.shape[1], targets.shape[1]
    # two classes have one coefficient per feature in scikit-learn, half of a difference here
    penalty = (2.0 if n_classes == 2 else 1.0) / C
    # the last row holds the intercepts
    point = np.zeros((n_features + 1, n_classes), dtype=x.dtype)
    if start is not None:
        point[:-1], point[-1] = start.coef, start.intercept - start.intercept.mean()
    targets, weight = targets.astype(x.dtype, copy=False), weight.astype(x.dtype, copy=False)
    column = weight[:, np.newaxis]
    # Losses are as exact as the features. NumPy 1.26 would add a float to them in float64, and the
    # search would look for decreases that are smaller than their rounding.
    rounded = x.dtype.type

    def scores(point: np.ndarray) -> np.ndarray:
        return x @ point[:-1] + point[-1]

    def back(errors: np.ndarray, point: np.ndarray) -> np.ndarray:
        """Return the derivative by each coefficient from that by each score."""
        result = np.empty_like(point)
        result[:-1] = x_t @ errors
        result[:-1] += rounded(penalty) * point[:-1]
        result[-1] = errors.sum(axis=0)
        return result

    def loss(z: np.ndarray, point: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the loss, and the probabilities."""
        largest = z.max(axis=1, keepdims=True)
        powers = np.exp(z - largest)
        sums = powers.sum(axis=1, keepdims=True)
        likelihood = weight @ ((targets * z).sum(axis=1) - (largest + np.log(sums))[:, 0])
        value = rounded(0.5 * penalty * _dot(point[:-1], point[:-1])) - likelihood
        return value, powers / sums

    def curve(direction: np.ndarray) -> np.ndarray:
        """Multiply a direction by the second derivative."""
        moved = proba * scores(direction)
        moved -= proba * moved.sum(axis=1, keepdims=True)
        return back(column * moved, direction)

    z = scores(point)
    value, proba = loss(z, point)
    total = max(weight.sum(), np.finfo(np.float64).tiny)
    enough = tolerance * np.sqrt(total)
    for _ in range(MOST_STEPS):
        gradient = back(column * (proba - targets), point)
        norm = np.sqrt(_dot(gradient, gradient))
        if norm <= enough:
            break
        # intercepts bend the loss much more than coefficients, of which each document has few
        bend = np.maximum(weight @ (proba - proba * proba) / penalty, 1.0)
        error = max(min(0.3, np.sqrt(norm / total)) * norm, 0.9 * enough)
        step = _solve(curve, -gradient, error, bend)
        slope, moved, share = _dot(gradient, step), scores(step), 1.0
        while True:
            new_value, new_proba = loss(z + share * moved, point + share * step)
            enough_below = value + rounded(ENOUGH_DECREASE * share * slope)
            if new_value <= enough_below or share < 1e-6:
                break
            share /= 2
        point += share * step
        z += share * moved
        gain, value, proba = value - new_value, new_value, new_proba
        if gain <= ROUNDING[x.dtype.name] * abs(value):  # the search would only follow rounding
            break
    # the same constant for all intercepts changes no probability
    return Linear(point[:-1], point[-1] - point[-1].mean())


def regress_on_labels(
    x: Any, targets: np.ndarray, weight: np.ndarray, C: float, start: Linear | None = None
) -> Linear:
    """Fit to few documents; terms that occur in none of them are left out, their weight is 0.

    With dense features, the search begins at ``start``.
    """
    if not sparse.issparse(x):
        return regress(Documents(x), targets, weight, C, start)
    seen = np.flatnonzero(np.bincount(x.indices, minlength=x.shape[1]))
    fitted = regress(Documents(x[:, seen]), targets, weight, C)
    coef = np.zeros((x.shape[1], targets.shape[1]))
    coef[seen] = fitted.coef
    return Linear(coef, fitted.intercept)


def balanced(weight: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Scale the weights of documents so that all classes that occur have the same sum."""
    of_class = targets.T @ weight
    factor = np.divide(1.0, of_class, out=np.zeros_like(of_class), where=of_class > 0)
    scaled = weight * (targets @ factor)
    return scaled * (weight.sum() / scaled.sum())


def _dot(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.vdot(a, b))


def _solve(
    curve: Callable[[np.ndarray], np.ndarray], goal: np.ndarray, error: float, bend: np.ndarray
) -> np.ndarray:
    """Find a direction whose product with the second derivative is the goal, up to an error.

    Conjugate gradients, scaled in the last row by ``bend``, the second derivative of the intercepts
    in units of that of the coefficients.
    """
    found = np.zeros_like(goal)
    rest, direction = goal, goal.copy()  # the goal is not used again
    direction[-1] /= bend
    square = _dot(rest, direction)
    for _ in range(MOST_PRODUCTS):
        curved = curve(direction)
        curvature = _dot(direction, curved)
        if curvature <= 1e-14 * square:  # flat: only rounding is left
            break
        length = square / curvature
        found += length * direction
        rest -= length * curved
        left = _dot(rest, rest)
        if left <= error * error:
            break
        last = rest[-1] / bend
        square, before = left + _dot(rest[-1], last - rest[-1]), square
        direction *= square / before
        direction[:-1] += rest[:-1]
        direction[-1] += last
    return found
