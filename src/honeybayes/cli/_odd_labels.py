"""Labels that are hardly what a person meant: warned of, and taken as they are."""

import warnings
from collections import defaultdict

import numpy as np

from honeybayes.exceptions import FewDocumentsWarning

MISSING = {"nan", "n/a", "na", "none", "null", "?"}  # so programs write what is not there
MANY_ROWS = 20  # from here on scikit-learn, too, wonders about many classes


def warn_of_odd_labels(labels: np.ndarray, column: str) -> None:
    """Warn of far too many classes, of words for a missing label, and of differences in case.

    Parameters
    ----------
    labels : ndarray of str
        Of all rows; empty strings are no labels.
    column : str
        Where they stand.
    """
    classes, rows = np.unique(labels[labels != ""], return_counts=True)
    if rows.sum() > MANY_ROWS and len(classes) > rows.sum() / 2:
        _warn(
            f"{len(classes)} classes in {rows.sum()} rows: is {column!r} really the label column?"
        )
        # they would say the same once more, in other words
        warnings.filterwarnings("ignore", "The number of unique classes is greater than 50%")
        warnings.simplefilter("ignore", FewDocumentsWarning)
        return
    alike = defaultdict(list)
    for name, count in zip(classes.tolist(), rows.tolist(), strict=True):
        alike[name.casefold()].append(name)
        if name.casefold() in MISSING:
            _warn(
                f"{name!r} is taken as a class of {count} row{'s' if count > 1 else ''}. If it "
                "means that there is no label, empty these cells."
            )
    for names in alike.values():
        if len(names) > 1:
            _warn(f"The classes {', '.join(map(repr, names))} differ only in upper and lower case.")


def _warn(message: str) -> None:
    warnings.warn(message, UserWarning, stacklevel=4)
