"""Comparisons of models: splits, runs that can be resumed, and significance tests."""

from honeybayes.charts.pictures import plot_critical_difference as plot_critical_difference
from honeybayes.evaluate._compare import compare as compare
from honeybayes.evaluate._comparison import TESTS as TESTS
from honeybayes.evaluate._comparison import Comparison as Comparison
from honeybayes.evaluate._metrics import count_words_once as count_words_once
from honeybayes.evaluate._metrics import measure as measure
from honeybayes.evaluate._records import Cell as Cell
from honeybayes.evaluate._records import Result as Result
from honeybayes.evaluate._records import read_results as read_results
from honeybayes.evaluate._records import rewrite_results as rewrite_results
from honeybayes.evaluate._significance import Outcome as Outcome
from honeybayes.evaluate._significance import average_ranks as average_ranks
from honeybayes.evaluate._significance import corrected_t_test as corrected_t_test
from honeybayes.evaluate._significance import count_wins as count_wins
from honeybayes.evaluate._significance import critical_difference as critical_difference
from honeybayes.evaluate._significance import friedman_test as friedman_test
from honeybayes.evaluate._significance import paired_t_test as paired_t_test
from honeybayes.evaluate._significance import two_level_test as two_level_test
from honeybayes.evaluate._significance import wilcoxon_test as wilcoxon_test
from honeybayes.evaluate._splits import FixedSplit as FixedSplit
from honeybayes.evaluate._splits import RandomSplits as RandomSplits
from honeybayes.evaluate._splits import RepeatedFolds as RepeatedFolds
from honeybayes.evaluate._summaries import Difference as Difference
from honeybayes.evaluate._summaries import Summary as Summary
