"""Texts with other columns of their table: numbers and categories."""

import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self

import numpy as np
import pandas as pd
from scipy import stats
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from honeybayes.utils import texts, validation
from honeybayes.utils.labels import is_missing, is_unlabeled
from honeybayes.utils.parameters import estimator
from honeybayes.utils.state import Array, State, Strings

KINDS = ("text", "numbers", "categories")
LARGEST_P = 0.05
EXAMPLE = 'columns={"text": "body", "numbers": ["price"], "categories": ["shop"]}'


class TextRow(str):
    """A text that knows the other cells of its row, so it can go wherever a text can."""

    cells: Mapping[str, Any]


def check_columns(columns: Any) -> None:
    """Raise ValueError unless columns are named as in the example."""
    is_complete = isinstance(columns, Mapping) and "text" in columns and len(columns) > 1
    if not is_complete or not set(columns) <= set(KINDS):
        raise ValueError(
            f"columns must name the text and others, as in {EXAMPLE}; got {columns!r}."
        )
    for kind in columns.keys() - {"text"}:
        if isinstance(columns[kind], str):
            raise ValueError(f"columns: {kind} must be a list of names; got {columns[kind]!r}.")


def read_rows(X: Any, columns: Mapping[str, Any], name: str = "X") -> Any:
    """Return the texts of a data frame with the other cells of their rows."""
    others = [*columns.get("numbers", ()), *columns.get("categories", ())]
    if isinstance(X, list) and all(isinstance(each, TextRow) for each in X):
        return X
    if not hasattr(X, "columns"):
        missing = f"so {', '.join(others)} are taken as missing. Pass a data frame."
        warnings.warn(f"{name} has no columns, {missing}", UserWarning, stacklevel=3)
        return X
    absent = [each for each in (columns["text"], *others) if each not in list(X.columns)]
    if absent:
        known = ", ".join(map(str, X.columns))
        raise ValueError(f"{name} has no column {absent[0]!r}. It has the columns {known}.")
    rows = [TextRow(text) for text in texts.check_texts(X[columns["text"]], name)]
    cells = [list(X[each]) for each in others]
    for row, *values in zip(rows, *cells, strict=True):
        row.cells = dict(zip(others, values, strict=True))
    return rows


@estimator
class ColumnFeatures(validation.TextInputMixin, TransformerMixin, BaseEstimator):
    """Turn the numbers and categories beside a text into features.

    A number is divided by its standard deviation, after subtracting the mean; a missing one counts
    as the mean. Each category that occurs in training is one feature.

    A column stays only if the labels show that it differs between the classes, because with few
    labels, columns that have nothing to do with the classes cost much accuracy: an F-test for
    numbers, a chi-square test for categories, at the level of 5 % divided by the number of columns.
    If no class has two labels, all columns stay.

    Parameters
    ----------
    text : str
        The column of the texts.
    numbers : sequence of str, default=()
        Columns of numbers.
    categories : sequence of str, default=()
        Columns of categories.
    unlabeled : object, default=None
        The label that means "no label".

    Attributes
    ----------
    numbers_ : ndarray of str, shape (n_numbers,)
        The columns of numbers that stay.
    means_ : ndarray of shape (n_numbers,)
        Mean of each column of numbers.
    scales_ : ndarray of shape (n_numbers,)
        Standard deviation of each; 1 if it is 0.
    levels_ : ndarray of str, shape (n_levels,)
        The categories of columns that stay, as "column=category".
    left_out_ : ndarray of str, shape (n_left_out,)
        The columns that do not stay.

    Examples
    --------
    >>> import pandas
    >>> from honeybayes.classifier.columns import ColumnFeatures, read_rows
    >>> table = pandas.DataFrame({"body": ["a", "b"], "price": [1, 3], "shop": ["x", "y"]})
    >>> columns = {"text": "body", "numbers": ["price"], "categories": ["shop"]}
    >>> ColumnFeatures(**columns).fit_transform(read_rows(table, columns))
    array([[-1.,  1.,  0.],
           [ 1.,  0.,  1.]])
    """

    text: str = "text"
    numbers: Sequence[str] = ()
    categories: Sequence[str] = ()
    unlabeled: Any = None

    fitted_attributes = State(
        numbers_=Strings("numbers"),
        means_=Array(("numbers",)),
        scales_=Array(("numbers",)),
        levels_=Strings("levels"),
        left_out_=Strings("left out"),
    )

    def fit(self, X: Any, y: Any = None) -> Self:
        """Choose the columns, measure the numbers, and list the categories.

        Parameters
        ----------
        X : list of str
            Rows of `read_rows`. Texts without columns count as missing.
        y : array-like of shape (n_samples,), optional
            The labels.
        """
        rows = texts.check_texts(X)
        numbers = _numbers(rows, self.numbers)
        kept = self._find_related(rows, numbers, y)
        every = [*self.numbers, *self.categories]
        self.left_out_ = np.array([name for name in every if name not in kept], dtype=object)
        self.numbers_ = np.array([name for name in self.numbers if name in kept], dtype=object)
        numbers = numbers[:, [name in kept for name in self.numbers]]
        with warnings.catch_warnings(action="ignore"):  # of a column without any number
            self.means_ = np.nan_to_num(np.nanmean(numbers, axis=0))
            spread = np.nan_to_num(np.nanstd(numbers, axis=0))
        self.scales_ = np.where(spread > 0, spread, 1.0)
        categories = [name for name in self.categories if name in kept]
        levels = sorted({level for row in rows for level in _levels(row, categories)})
        self.levels_ = np.array(levels, dtype=object)
        return self

    def _find_related(self, rows: list[str], numbers: np.ndarray, y: Any) -> list[str]:
        """Return the columns that differ between classes by more than chance explains."""
        columns = [*self.numbers, *self.categories]
        if y is None:
            return columns
        labels = np.asarray(y)
        is_labeled = ~is_unlabeled(labels, self.unlabeled)
        labels, rows = labels[is_labeled], [rows[at] for at in np.flatnonzero(is_labeled)]
        numbers = numbers[is_labeled]
        if len(np.unique(labels)) == len(labels):
            return columns
        chances = [_chance_of_numbers(each, labels) for each in numbers.T]
        for name in self.categories:
            levels = [next(iter(_levels(row, [name])), None) for row in rows]
            chances.append(_chance_of_levels(levels, labels))
        most = LARGEST_P / max(len(columns), 1)
        return [name for name, chance in zip(columns, chances, strict=True) if chance <= most]

    def transform(self, X: Any) -> np.ndarray:
        """Return the features.

        Returns
        -------
        ndarray of shape (n_samples, n_numbers + n_levels)
        """
        check_is_fitted(self)
        rows = texts.check_texts(X)
        numbers = (_numbers(rows, self.numbers_) - self.means_) / self.scales_
        place = {level: at for at, level in enumerate(self.levels_)}
        levels = np.zeros((len(rows), len(place)))
        for at, row in enumerate(rows):
            levels[at, [place[each] for each in _levels(row, self.categories) if each in place]] = 1
        return np.hstack([np.nan_to_num(numbers), levels])

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Return the columns of numbers, and the categories."""
        check_is_fitted(self)
        return np.array([*self.numbers_, *self.levels_], dtype=object)


def _numbers(rows: list[str], names: Iterable[str]) -> np.ndarray:
    """Return columns of numbers, NaN for missing ones."""
    names = list(names)
    found = np.full((len(rows), len(names)), np.nan)
    for at, row in enumerate(rows):
        for column, name in enumerate(names):
            value: Any = getattr(row, "cells", {}).get(name)
            if is_missing(value):
                continue
            try:
                found[at, column] = float(value)
            except (TypeError, ValueError) as error:
                wrong = f"The column {name!r} has {value!r} in row {at}, which is not a number."
                raise ValueError(f"{wrong} Convert it, or list it under categories.") from error
    if np.isinf(found).any():
        raise ValueError("A column of numbers is infinite. Leave the cell empty instead.")
    return found


def _levels(row: str, names: Iterable[str]) -> list[str]:
    """Return the categories of a row, without missing ones."""
    cells = getattr(row, "cells", {})
    values = ((name, cells.get(name)) for name in names)
    # pandas makes 1.0 of 1 where another cell is missing
    whole = ((name, int(v) if isinstance(v, float) and v.is_integer() else v) for name, v in values)
    return [f"{name}={value}" for name, value in whole if not is_missing(value)]


def _chance_of_numbers(numbers: np.ndarray, labels: np.ndarray) -> float:
    """Return how often numbers that do not depend on the class differ as much between classes."""
    is_known = ~np.isnan(numbers)
    groups = pd.Series(numbers[is_known]).groupby(labels[is_known])
    if (groups.nunique() <= 1).all():  # no variance within classes
        return 1.0 if len(np.unique(numbers[is_known])) <= 1 else 0.0
    if len(groups) < 2:
        return 1.0
    return float(stats.f_oneway(*(group for _, group in groups)).pvalue)


def _chance_of_levels(levels: list[str | None], labels: np.ndarray) -> float:
    """Return how often categories that do not depend on the class differ as much."""
    table = pd.crosstab(np.array(levels, dtype=object), labels)
    if min(table.shape) < 2:
        return 1.0
    return float(stats.chi2_contingency(table, correction=False).pvalue)
