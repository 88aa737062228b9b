"""Comparisons of models: splits, runs that can be resumed, and significance tests."""

from honeybayes.charts.pictures import plot_critical_difference
from honeybayes.evaluate._compare import compare
from honeybayes.evaluate._comparison import TESTS as TESTS
from honeybayes.evaluate._comparison import Comparison
from honeybayes.evaluate._metrics import count_words_once, measure
from honeybayes.evaluate._records import Cell, Result, read_results, rewrite_results
from honeybayes.evaluate._significance import (
    Outcome,
    average_ranks,
    corrected_t_test,
    count_wins,
    critical_difference,
    friedman_test,
    paired_t_test,
    two_level_test,
    wilcoxon_test,
)
from honeybayes.evaluate._splits import FixedSplit, RandomSplits, RepeatedFolds
from honeybayes.evaluate._summaries import Difference, Summary

__all__ = [
    "Cell",
    "Comparison",
    "Difference",
    "FixedSplit",
    "Outcome",
    "RandomSplits",
    "RepeatedFolds",
    "Result",
    "Summary",
    "average_ranks",
    "compare",
    "corrected_t_test",
    "count_wins",
    "count_words_once",
    "critical_difference",
    "friedman_test",
    "measure",
    "paired_t_test",
    "plot_critical_difference",
    "read_results",
    "rewrite_results",
    "two_level_test",
    "wilcoxon_test",
]
