"""Learning from labeled and unlabeled documents together."""

from honeybayes.semisupervised.few_labels import FewLabelsClassifier as FewLabelsClassifier
