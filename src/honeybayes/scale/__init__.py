"""Learn from more documents than fit in memory: statistics of parts that are added up.

`start_statistics` makes an object with ``add``, ``merge`` and ``finish``. What it gives is the
model that ``fit`` learns from all documents at once. `fit_in_parts` does it on one machine,
`fit_with_dask` on the workers of Dask. `TextSample` draws a sample of texts that come in parts.
`predict_frame` classifies texts of Dask, and `make_spark_predictor` is for Spark.
"""

from honeybayes.scale._dask import fit_with_dask
from honeybayes.scale._frames import make_spark_predictor, predict_frame
from honeybayes.scale._sample import TextSample
from honeybayes.scale._statistics import Statistics, fit_in_parts, start_statistics

__all__ = [
    "Statistics",
    "TextSample",
    "fit_in_parts",
    "fit_with_dask",
    "make_spark_predictor",
    "predict_frame",
    "start_statistics",
]
