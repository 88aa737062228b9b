"""Small corpora with few labels."""

import numpy as np
from scipy import sparse

from honeybayes import FewLabelsClassifier
from honeybayes.semisupervised._labels import collect_votes
from honeybayes.semisupervised._prepared import Prepared
from honeybayes.semisupervised._teacher import Settings


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


def model(**options):
    """A classifier for the mark "?"; options are its parameters, or settings that users lack."""
    changed = {name: options.pop(name) for name in Settings._fields if name in options}
    made = FewLabelsClassifier(unlabeled="?", **options)
    if changed:
        made._settings = Settings(**changed)
    return made


def teacher_of(X, y, max_pool=None, **changed):
    """The first expert as `fit` teaches it; and the terms it knows, the idf, and the classes."""
    classes = np.unique(y[y != "?"])
    position = np.where(y == "?", -1, np.searchsorted(classes, y))
    prepared = Prepared(sparse.csr_array(X).astype(float), None, Settings(**changed))
    n_documents = prepared.distinct.shape[0]
    labels = collect_votes(position, np.ones(len(y)), prepared.group, n_documents, len(classes))
    rows = prepared.choose(labels.known, max_pool)
    view, terms, idf = prepared.view(rows, has_pool=True)
    return view.teach(labels.take(rows)), terms, idf, classes


def log_posterior(linear, x, labels, pool_weight=0.3, shrinkage=0.3, seeds=0.0):
    """What EM climbs: the labels, the evidence of the pool, and the priors of the parameters."""
    joint, known = linear.scores(x), labels >= 0
    value = joint[known, labels[known]].sum()
    value += pool_weight * np.logaddexp.reduce(joint[~known], axis=1).sum()
    value += linear.intercept.sum() + ((0.01 + seeds) * linear.coef).sum()
    if shrinkage < 1:  # equal shares are as more documents of every class
        size = known.sum() + 3 + pool_weight * (~known).sum()
        value += shrinkage / (1 - shrinkage) * size / 3 * linear.intercept.sum()
    return value
