"""Naive Bayes estimators: on the presence of words, and on their counts."""

from honeybayes.bayes.count import CountNB
from honeybayes.bayes.hidden import HiddenNB
from honeybayes.bayes.higher_order import HigherOrderNB
from honeybayes.bayes.higher_order_smoothing import HigherOrderSmoothingNB
from honeybayes.bayes.smoothed_bernoulli import SmoothedBernoulliNB
from honeybayes.bayes.structure_extended import StructureExtendedNB

__all__ = [
    "CountNB",
    "HiddenNB",
    "HigherOrderNB",
    "HigherOrderSmoothingNB",
    "SmoothedBernoulliNB",
    "StructureExtendedNB",
]
