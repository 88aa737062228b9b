"""Learn from more documents than fit in memory: statistics of parts that are added up.

`start_statistics` makes an object with ``add``, ``merge`` and ``finish``. What it gives is the
model that ``fit`` learns from all documents at once. `fit_in_parts` does it on one machine,
`fit_with_dask` on the workers of Dask. `fit_texts` learns a `honeybayes.TextClassifier` from texts
of Dask or in parts, and `predict_frame` classifies texts of Dask. `TextSample` draws a sample of
texts that come in parts. `make_spark_predictor` is for Spark.
"""

from honeybayes.scale._collections import predict_collection as predict_collection
from honeybayes.scale._dask import fit_with_dask
from honeybayes.scale._engines import (
    DaskEngine,
    LocalEngine,
    PartError,
    TextPart,
    TextSource,
    connect_dask,
)
from honeybayes.scale._frames import make_spark_predictor, predict_frame
from honeybayes.scale._sample import TextSample
from honeybayes.scale._statistics import Statistics, fit_in_parts, start_statistics
from honeybayes.scale._text_tasks import POOL_SIZE as POOL_SIZE
from honeybayes.scale._texts import TextFit, fit_texts

__all__ = [
    "DaskEngine",
    "LocalEngine",
    "PartError",
    "Statistics",
    "TextFit",
    "TextPart",
    "TextSample",
    "TextSource",
    "connect_dask",
    "fit_in_parts",
    "fit_texts",
    "fit_with_dask",
    "make_spark_predictor",
    "predict_frame",
    "start_statistics",
]
