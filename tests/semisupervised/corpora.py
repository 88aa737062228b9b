"""Small corpora with few labels."""

import numpy as np

from honeybayes import FewLabelsClassifier


def topics(n_documents=60, n_classes=3, n_labels=2, seed=0, marks="abc"):
    """Documents of some topics, whose words overlap, and labels for the first of each class."""
    random = np.random.default_rng(seed)
    truth = np.arange(n_documents) % n_classes
    rates = random.gamma(0.4, 0.5, (n_classes, 40))
    X = random.poisson(rates[truth])
    X[X.sum(axis=1) == 0, 0] = 1
    y = np.array(list(marks))[truth].astype(object)
    y[n_labels * n_classes :] = "?"
    return X, y.astype(str), np.array(list(marks))[truth]


def model(**parameters):
    return FewLabelsClassifier(unlabeled="?", **parameters)
