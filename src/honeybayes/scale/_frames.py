"""Answers to the texts of data frames, on the workers of Dask or Spark."""

from collections.abc import Callable, Iterator
from copy import copy
from functools import lru_cache
from os import PathLike, stat
from typing import Any

import numpy as np

from honeybayes.files import load_model
from honeybayes.utils.optional import import_optional
from honeybayes.utils.suggestions import did_you_mean

BATCH_SIZE = 2_000  # texts that are classified at one time


def predict_frame(
    model: Any,
    frame: Any,
    *,
    text: str = "text",
    label: str = "label",
    confidence: str = "confidence",
) -> Any:
    """Add the predicted class and the confidence to a data frame of pandas or Dask.

    Parameters
    ----------
    model : TextClassifier, str or path-like
        A fitted classifier of texts, or its model file, which each worker loads once. Dask sends a
        classifier to the workers; a file must be where every worker finds it.
    frame : DataFrame
        Of pandas, or of Dask (``pip install 'honeybayes[scale]'``).
    text : str, default="text"
        The column with the texts. A missing text gets no class.
    label : str, default="label"
        Name of the new column with the class.
    confidence : str, default="confidence"
        Name of the new column with its probability.

    Returns
    -------
    DataFrame
        The same kind of frame with the same index. For Dask, nothing is computed yet.

    Raises
    ------
    ValueError
        If the frame has no column ``text``, or has a new column already.

    Examples
    --------
    >>> import pandas as pd
    >>> from honeybayes import TextClassifier
    >>> from honeybayes.scale import predict_frame
    >>> texts = ["parcel late", "parcel lost", "charged twice", "wrong charge"]
    >>> classifier = TextClassifier("CNB").fit(texts, ["delivery"] * 2 + ["billing"] * 2)
    >>> frame = pd.DataFrame({"text": ["my parcel", None]}, index=[7, 9])
    >>> predict_frame(classifier, frame)["label"].fillna("").tolist()
    ['delivery', '']
    """
    columns = [str(name) for name in frame.columns]
    if text not in columns:
        raise ValueError(
            f"The frame has no column {text!r}. Its columns are: {', '.join(columns)}."
            f"{did_you_mean(text, columns)} Name the column with text=."
        )
    for name in (label, confidence):
        if name in columns:
            raise ValueError(
                f"The frame has a column {name!r} already. Name another one with label= or "
                "confidence=."
            )
    options = {"text": text, "label": label, "confidence": confidence}
    if not hasattr(frame, "map_partitions"):
        return _add_answers(frame, model, **options)
    import_optional("dask.dataframe", "scale")
    if not isinstance(model, str | PathLike):
        # sent once, not with every part; a copy, because it may be fitted again before
        model = import_optional("dask", "scale").delayed(copy(model), traverse=False)
    answers = {label: np.array([], dtype=object), confidence: np.array([], dtype=float)}
    meta = frame._meta.assign(**answers)
    return frame.map_partitions(_add_answers, model, **options, meta=meta)


def make_spark_predictor(
    model: str | PathLike[str],
    *,
    text: str = "text",
    label: str = "label",
    confidence: str = "confidence",
) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """Make a function for ``mapInPandas`` of Spark from a model file.

    Parameters
    ----------
    model : str or path-like
        The model file, where every worker finds it, such as a file of ``SparkContext.addFile`` or
        of a shared disk. Each worker loads it once.
    text : str, default="text"
        As in `predict_frame`.
    label : str, default="label"
        As in `predict_frame`.
    confidence : str, default="confidence"
        As in `predict_frame`.

    Returns
    -------
    callable
        Takes an iterator of data frames of pandas and returns one with more columns. The schema for
        Spark is that of the frame with ``label string, confidence double``.

    Examples
    --------
    >>> from honeybayes.scale import make_spark_predictor
    >>> predictor = make_spark_predictor("model.hb", text="body")
    >>> # mails.mapInPandas(predictor, "body string, label string, confidence double")
    """
    path = str(model)

    def predict(frames: Iterator[Any]) -> Iterator[Any]:
        for frame in frames:
            yield predict_frame(path, frame, text=text, label=label, confidence=confidence)

    return predict


def _add_answers(frame: Any, model: Any, *, text: str, label: str, confidence: str) -> Any:
    """Return one frame of pandas with its answers; a part of Dask may be empty."""
    if isinstance(model, str | PathLike):
        model = _load(str(model), stat(model).st_mtime_ns)
    known = frame[text].notna().to_numpy()
    texts = frame[text].to_numpy()[known]
    for wrong in (each for each in texts.tolist() if not isinstance(each, str)):
        raise ValueError(
            f"The column {text!r} has the value {wrong!r}, which is no text. Name the column with "
            "the texts with text=."
        )
    labels, shares = np.full(len(frame), None, dtype=object), np.full(len(frame), np.nan)
    rows = np.flatnonzero(known)
    for first in range(0, len(rows), BATCH_SIZE):
        probabilities = model.predict_proba(texts[first : first + BATCH_SIZE].tolist())
        at = rows[first : first + BATCH_SIZE]
        labels[at] = model.classes_[probabilities.argmax(axis=1)]
        shares[at] = probabilities.max(axis=1)
    return frame.assign(**{label: labels, confidence: shares})


@lru_cache(maxsize=2)
def _load(path: str, changed: int) -> Any:
    return load_model(path)
