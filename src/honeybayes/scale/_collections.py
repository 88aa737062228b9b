"""Series, bags and arrays of Dask: their partitions as parts of texts, and lazy answers."""

from collections.abc import Sequence
from copy import copy
from functools import partial
from typing import Any

import numpy as np

from honeybayes.scale._engines import TextPart, TextSource
from honeybayes.utils.optional import import_optional
from honeybayes.utils.texts import check_texts

NO_LABELS = "fit requires y to be passed, but the target y is None. Label each text."


def has_parts_of_dask(X: Any) -> bool:
    """Return whether this is a collection of Dask."""
    return hasattr(X, "__dask_graph__")


def make_sources(
    X: Any, y: Any = None, may_lack_labels: bool = False, name: str = "X"
) -> list[TextSource]:
    """Return the partitions of collections of Dask as parts, and texts in memory as one part."""
    if X is None:
        return []
    needs_labels = name == "X" and not (y is None and may_lack_labels)
    if not has_parts_of_dask(X):
        return _sources_in_memory(X, y, needs_labels, name)
    texts = _partitions(X, name)
    if not needs_labels:
        return [
            TextSource(f"partition {number} of {name}", _take, (part,))
            for number, part in enumerate(texts)
        ]
    if y is None:
        raise ValueError(NO_LABELS)
    if not has_parts_of_dask(y):
        raise ValueError(
            f"X is a collection of Dask, but y is {type(y).__name__}. Take both from one data "
            'frame of Dask: fit(frame["text"], frame["label"]).'
        )
    labels = _partitions(y, "y")
    if len(labels) != len(texts):
        raise ValueError(
            f"X has {len(texts)} partitions, y has {len(labels)}. Take both from one data frame of "
            'Dask: fit(frame["text"], frame["label"]).'
        )
    return [
        TextSource(f"partition {number}", _take, parts)
        for number, parts in enumerate(zip(texts, labels, strict=True))
    ]


def _sources_in_memory(X: Any, y: Any, needs_labels: bool, name: str) -> list[Any]:
    """Return sources as they are, and texts in memory as one source."""
    texts = check_texts(X, name) if isinstance(X, str) else list(X)  # a single text is an error
    if all(isinstance(each, TextSource) for each in texts):
        if y is not None and texts:
            raise ValueError("Sources have their labels in each part. Leave out y.")
        return texts
    if has_parts_of_dask(y):
        raise ValueError(
            f"y is a collection of Dask, but X is {type(X).__name__}. Pass both alike."
        )
    if needs_labels and y is None:
        raise ValueError(NO_LABELS)
    labels = None if y is None else list(y)
    # in a function, because Dask would look for its collections among the arguments
    return [TextSource(name, partial(TextPart, check_texts(texts, name), labels))]


def _partitions(collection: Any, name: str) -> list[Any]:
    if getattr(collection, "ndim", 1) != 1:
        raise ValueError(
            f"{name} must be one column of Dask, got {type(collection).__name__} with "
            f'{collection.ndim} dimensions. Pass a column, such as frame["text"].'
        )
    if not hasattr(collection, "to_delayed"):
        raise ValueError(
            f"{name} must be a Series or a Bag of Dask; got {type(collection).__name__}."
        )
    return np.ravel(collection.to_delayed()).tolist()


def _take(texts: Any, labels: Any = None) -> TextPart:
    """Return a partition as lists; a partition of a bag may be an iterator."""
    return TextPart(list(texts), None if labels is None else list(labels))


def predict_collection(classifier: Any, X: Any, method: str) -> Any:
    """Return the answers to the texts of Dask. Nothing is computed yet.

    Parameters
    ----------
    classifier : TextClassifier
        Fitted.
    X : Series or Bag of Dask
        The texts.
    method : {"predict", "predict_proba"}
        What to compute.

    Returns
    -------
    Series, DataFrame or Bag of Dask
        Of a Series, a Series "label" or a frame with a column per class, with the same index. Of a
        Bag, a Bag of classes or of arrays.
    """
    # a copy, so that the answers stay those of this classifier if it is fitted again; sent once
    model = import_optional("dask", "scale").delayed(copy(classifier), traverse=False)
    _partitions_of(X)
    if not hasattr(X, "_meta"):
        return X.map_partitions(partial(_answer_list, method=method), model)
    meta = _answer_series(X._meta.iloc[:0], classifier, method)
    return X.map_partitions(_answer_series, model, method, meta=meta)


def _partitions_of(X: Any) -> None:
    if getattr(X, "ndim", 1) != 1 or not hasattr(X, "map_partitions"):
        raise ValueError(
            f"X must be a Series or a Bag of Dask, got {type(X).__name__}. Pass a column, such as "
            'frame["text"].'
        )


def _answer(texts: Sequence[str], classifier: Any, method: str) -> np.ndarray:
    """Return the answers to one partition, which may be empty."""
    if texts:
        return getattr(classifier, method)(texts)
    classes = classifier.classes_
    return classes[:0] if method == "predict" else np.zeros((0, len(classes)))


def _answer_list(texts: Any, classifier: Any, *, method: str) -> list[Any]:
    found = _answer(list(texts), classifier, method)
    return found.tolist() if method == "predict" else list(found)


def _answer_series(texts: Any, classifier: Any, method: str) -> Any:
    """Return the answers to a Series of pandas, with its index."""
    pandas = import_optional("pandas", "scale")
    found = _answer(list(texts), classifier, method)
    if method == "predict":
        return pandas.Series(found, index=texts.index, name="label")
    return pandas.DataFrame(found, index=texts.index, columns=classifier.classes_.tolist())
