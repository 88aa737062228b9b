"""Naive Bayes estimators."""

from honeybayes.bayes.higher_order import HigherOrderNB
from honeybayes.bayes.higher_order_smoothing import HigherOrderSmoothingNB
from honeybayes.bayes.smoothed_bernoulli import SmoothedBernoulliNB

__all__ = ["HigherOrderNB", "HigherOrderSmoothingNB", "SmoothedBernoulliNB"]
