"""Learn from more documents than fit in memory: statistics of parts that are added up.

`start_statistics` makes an object with ``add``, ``merge`` and ``finish``. What it gives is the
model that ``fit`` learns from all documents at once. `fit_in_parts` learns a model of counts or a
`honeybayes.TextClassifier` from parts. An engine says who reads them: this process, several
processes, or the workers of Dask. `TextSample` draws a sample of texts that come in parts.
"""

from honeybayes.scale._collections import make_parts as make_parts
from honeybayes.scale._collections import predict_collection as predict_collection
from honeybayes.scale._engines import DaskEngine, LocalEngine, Part, ProcessEngine, connect_dask
from honeybayes.scale._engines import PartError as PartError
from honeybayes.scale._fit import PartsFit, fit_in_parts
from honeybayes.scale._fit import TextPlan as TextPlan
from honeybayes.scale._statistics import Statistics, start_statistics
from honeybayes.scale._text_tasks import POOL_SIZE as POOL_SIZE
from honeybayes.scale._text_tasks import TextSample

__all__ = [
    "DaskEngine",
    "LocalEngine",
    "Part",
    "PartsFit",
    "ProcessEngine",
    "Statistics",
    "TextSample",
    "connect_dask",
    "fit_in_parts",
    "start_statistics",
]
