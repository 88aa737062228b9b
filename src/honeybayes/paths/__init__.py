"""Counting and listing higher-order paths of a boolean document-term matrix.

A path of order r joins r + 1 distinct words through r distinct documents,
``w0 - d0 - w1 - d1 - ... - wr``, where each document holds the words on both sides of it. A path
and its reversal are one path. Plain arrays in, plain arrays out; no estimator lives here.
"""

from honeybayes.paths._bridges import BridgeCounts, count_bridges, count_label_bridges
from honeybayes.paths._counting import PathCounts, count_paths
from honeybayes.paths._labels import count_label_paths
from honeybayes.paths._listing import count_distinct_representatives, iter_paths

__all__ = [
    "BridgeCounts",
    "PathCounts",
    "count_bridges",
    "count_distinct_representatives",
    "count_label_bridges",
    "count_label_paths",
    "count_paths",
    "iter_paths",
]
