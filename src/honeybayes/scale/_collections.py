"""Series, bags and arrays of Dask: their partitions as parts of texts, and lazy answers."""

from copy import copy
from functools import partial
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from honeybayes.scale._engines import Part
from honeybayes.utils.optional import import_optional
from honeybayes.utils.texts import check_labels_of_texts, check_texts

ONE_FRAME = 'Take both from one data frame of Dask: fit(frame["text"], frame["label"]).'


def make_parts(X: Any, y: Any = None, *, name: str = "X", needs_labels: bool = True) -> list[Part]:
    """Return the partitions of collections of Dask as parts, and texts in memory as one part.

    ``name`` is that of the texts in messages.
    """
    if X is None:
        return []
    if y is None and needs_labels:
        check_labels_of_texts(y)  # which says what is wrong
    is_of_dask = hasattr(X, "__dask_graph__")
    if y is not None and hasattr(y, "__dask_graph__") != is_of_dask:
        no_dask = f"y, {type(y).__name__}," if is_of_dask else f"X, {type(X).__name__},"
        raise ValueError(f"{no_dask} is no collection of Dask, but the other is. {ONE_FRAME}")
    if not is_of_dask:
        documents = check_texts(X, name), None if y is None else list(y)
        # in a function, because Dask would look for its collections among the arguments
        return [Part(name, partial(tuple, documents))]
    texts = _partitions(X, name)
    if y is None:
        return [Part(f"partition {n} of {name}", _take, (part,)) for n, part in enumerate(texts)]
    labels = _partitions(y, "y")
    if len(labels) != len(texts):
        raise ValueError(
            f"X has {len(texts)} partitions, y has {len(labels)} partitions. {ONE_FRAME}"
        )
    both = zip(texts, labels, strict=True)
    return [Part(f"partition {number}", _take, parts) for number, parts in enumerate(both)]


def _partitions(collection: Any, name: str) -> list[Any]:
    _check_column(collection, name, "to_delayed")
    return np.ravel(collection.to_delayed()).tolist()


def _check_column(collection: Any, name: str, method: str) -> None:
    if getattr(collection, "ndim", 1) != 1 or not hasattr(collection, method):
        raise ValueError(
            f"{name} must be one column or a Bag of Dask, got {type(collection).__name__}. Pass a "
            'column, such as frame["text"].'
        )


def _take(texts: Any, labels: Any = None) -> tuple[list[str], list[Any] | None]:
    """Return a partition as lists; a partition of a bag may be an iterator."""
    return list(texts), None if labels is None else list(labels)


def predict_collection(classifier: Any, X: Any, method: str) -> Any:
    """Return what a method of a classifier answers to texts of Dask. Nothing is computed yet.

    Of a Series, the answers are a Series "label" or a frame with a column per class, with the same
    index. Of a Bag, they are a Bag of classes or of arrays.
    """
    check_is_fitted(classifier)
    _check_column(X, "X", "map_partitions")
    # a copy, so that the answers stay those of this classifier if it is fitted again; sent once
    model = import_optional("dask", "scale").delayed(copy(classifier), traverse=False)
    if not hasattr(X, "_meta"):
        return X.map_partitions(_answer, model, method)
    meta = _answer(X._meta.iloc[:0], classifier, method)
    return X.map_partitions(_answer, model, method, meta=meta)


def _answer(texts: Any, classifier: Any, method: str) -> Any:
    """Return the answers to one partition, which may be empty: as a list, or with the index."""
    is_series, given, classes = hasattr(texts, "iloc"), list(texts), classifier.classes_
    if given:
        found = getattr(classifier, method)(given)
    else:
        found = classes[:0] if method == "predict" else np.zeros((0, len(classes)))
    if not is_series:
        return found.tolist() if method == "predict" else list(found)
    import pandas

    if method == "predict":
        return pandas.Series(found, index=texts.index, name="label")
    return pandas.DataFrame(found, index=texts.index, columns=classes.tolist())
