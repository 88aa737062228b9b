"""Naive Bayes estimators: on the presence of words, and on their counts."""

from honeybayes.bayes.association_weighted import AssociationWeightedNB
from honeybayes.bayes.count import CountNB
from honeybayes.bayes.feature_selected import FeatureSelectedNB
from honeybayes.bayes.feature_weighted import FeatureWeightedNB
from honeybayes.bayes.hidden import HiddenNB
from honeybayes.bayes.higher_order import HigherOrderNB
from honeybayes.bayes.higher_order_smoothing import HigherOrderSmoothingNB
from honeybayes.bayes.instance_weighted import InstanceWeightedNB
from honeybayes.bayes.locally_weighted import LocallyWeightedNB
from honeybayes.bayes.smoothed_bernoulli import SmoothedBernoulliNB
from honeybayes.bayes.structure_extended import StructureExtendedNB
from honeybayes.bayes.tree import TreeNB
from honeybayes.bayes.word_cluster import WordClusterNB

__all__ = [
    "AssociationWeightedNB",
    "CountNB",
    "FeatureSelectedNB",
    "FeatureWeightedNB",
    "HiddenNB",
    "HigherOrderNB",
    "HigherOrderSmoothingNB",
    "InstanceWeightedNB",
    "LocallyWeightedNB",
    "SmoothedBernoulliNB",
    "StructureExtendedNB",
    "TreeNB",
    "WordClusterNB",
]
