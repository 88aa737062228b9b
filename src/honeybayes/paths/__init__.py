"""Count and list the higher-order paths of a document-term matrix.

A path of order r connects r + 1 different terms through r different documents,
``w0 - d0 - w1 - d1 - ... - wr``. Each document contains the terms on both sides of it. A path and
its reversal are the same path. All functions take and return plain arrays.
"""

from honeybayes.paths._counting import PathCounts, count_paths
from honeybayes.paths._listing import count_distinct_representatives, iter_paths
from honeybayes.paths.bridges import BridgeCounts, count_bridges, count_label_bridges
from honeybayes.paths.label_paths import count_label_paths

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
