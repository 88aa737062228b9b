"""Count and list the higher-order paths of a document-term matrix.

A path of order r connects r + 1 different terms through r different documents,
``w0 - d0 - w1 - d1 - ... - wr``. Each document contains the terms on both sides of it. A path and
its reversal are the same path. All functions take and return plain arrays.
"""

from honeybayes.paths._counting import PathCounts as PathCounts
from honeybayes.paths._counting import count_paths as count_paths
from honeybayes.paths._counting import iter_paths as iter_paths
from honeybayes.paths.label_paths import count_label_paths as count_label_paths
