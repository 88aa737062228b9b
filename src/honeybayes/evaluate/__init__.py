"""Comparisons of models: splits, runs, significance tests; new texts against old ones."""

from honeybayes.charts.pictures import plot_critical_difference as plot_critical_difference
from honeybayes.evaluate._compare import compare as compare
from honeybayes.evaluate._comparison import FEWEST_DRAWS as FEWEST_DRAWS
from honeybayes.evaluate._comparison import TESTS as TESTS
from honeybayes.evaluate._comparison import Comparison as Comparison
from honeybayes.evaluate._comparison import Difference as Difference
from honeybayes.evaluate._comparison import Summary as Summary
from honeybayes.evaluate._new_texts import Finding as Finding
from honeybayes.evaluate._new_texts import Judgement as Judgement
from honeybayes.evaluate._new_texts import NewTextsCheck as NewTextsCheck
from honeybayes.evaluate._new_texts import check_new_texts as check_new_texts
from honeybayes.evaluate._new_texts import remember_texts as remember_texts
from honeybayes.evaluate._records import Cell as Cell
from honeybayes.evaluate._records import Result as Result
from honeybayes.evaluate._records import read_results as read_results
from honeybayes.evaluate._records import write_results as write_results
from honeybayes.evaluate._significance import Outcome as Outcome
from honeybayes.evaluate._significance import critical_difference as critical_difference
from honeybayes.evaluate._significance import paired_t_test as paired_t_test
from honeybayes.evaluate._significance import two_level_test as two_level_test
from honeybayes.evaluate._significance import wilcoxon_test as wilcoxon_test
from honeybayes.evaluate._splits import FixedSplit as FixedSplit
from honeybayes.evaluate._splits import LabeledFolds as LabeledFolds
from honeybayes.evaluate._splits import RandomSplits as RandomSplits
from honeybayes.evaluate._splits import RepeatedFolds as RepeatedFolds
