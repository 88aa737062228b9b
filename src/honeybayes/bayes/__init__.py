"""Naive Bayes estimators on the presence of terms and on counts."""

from honeybayes.bayes.association_weighted import AssociationWeightedNB as AssociationWeightedNB
from honeybayes.bayes.count import CountNB as CountNB
from honeybayes.bayes.feature_selected import FeatureSelectedNB as FeatureSelectedNB
from honeybayes.bayes.feature_weighted import FeatureWeightedNB as FeatureWeightedNB
from honeybayes.bayes.hidden import HiddenNB as HiddenNB
from honeybayes.bayes.higher_order import HigherOrderNB as HigherOrderNB
from honeybayes.bayes.higher_order_smoothing import HigherOrderSmoothingNB as HigherOrderSmoothingNB
from honeybayes.bayes.instance_weighted import InstanceWeightedNB as InstanceWeightedNB
from honeybayes.bayes.locally_weighted import LocallyWeightedNB as LocallyWeightedNB
from honeybayes.bayes.smoothed_bernoulli import SmoothedBernoulliNB as SmoothedBernoulliNB
from honeybayes.bayes.structure_extended import StructureExtendedNB as StructureExtendedNB
from honeybayes.bayes.tree import TreeNB as TreeNB
from honeybayes.bayes.word_cluster import WordClusterNB as WordClusterNB
