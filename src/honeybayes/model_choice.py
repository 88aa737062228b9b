"""Which model to take: a fixed choice with few labels, cross-validation with more."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from honeybayes._held_out import LabeledCounts, fit_without_folds, held_out_folds
from honeybayes.zoo import list_models, make_model

SUPERVISED = "LogisticRegression-tfidf"  # leads in docs/choosing-a-default.md
SEMISUPERVISED = "HOS-alpha0"
CANDIDATES = (SUPERVISED, "LinearSVC-tfidf", "ComplementNB-tfidf", "CNB", "HOS-alpha0")
ENOUGH_LABELS = 10  # of the smallest class
N_REPEATS = 3
MOST_HELD_OUT = 3000  # by each candidate: with many labels a few folds tell as much


def choose_model(documents: LabeledCounts, unlabeled: Any = None) -> dict[str, Any]:
    """Choose a model of the zoo for some documents.

    With fewer than ten labels of any class, differences between models drown in chance, and the
    choice is fixed: the model that did best on other corpora. From ten on, each candidate is
    fitted without a fifth of the labeled documents and asked about them, for every fifth, three
    times over (once or less, if there are thousands); the one that is right most often is taken,
    of equals the first. Unlabeled documents are there for models that can use them.

    Parameters
    ----------
    documents : LabeledCounts
        Labeled documents, and unlabeled ones if there are any.
    unlabeled : label, default=None
        The mark of the unlabeled ones.

    Returns
    -------
    dict
        ``model``, its name; ``reason``, in a sentence; ``accuracy``, of each candidate on the
        documents held out, empty if the choice was fixed.
    """
    labels_of_class = np.bincount(documents.position[documents.position >= 0])
    fixed = SUPERVISED if unlabeled is None else SEMISUPERVISED
    if labels_of_class.min() < ENOUGH_LABELS:
        reason = (
            f"a class has fewer than {ENOUGH_LABELS} labels ({labels_of_class.min()}), too few to "
            f"compare models: {fixed} did best on other corpora with so few"
            + ("" if unlabeled is None else " and unlabeled documents")
        )
        return {"model": fixed, "reason": reason, "accuracy": {}}
    names = dict.fromkeys([fixed, *CANDIDATES])
    accuracy = {name: _held_out_accuracy(name, documents, unlabeled) for name in names}
    best = max(accuracy, key=lambda name: accuracy[name])
    reason = f"the most accurate of {len(accuracy)} models in cross-validation on the labeled texts"
    return {"model": best, "reason": reason, "accuracy": accuracy}


def _held_out_accuracy(name: str, documents: LabeledCounts, unlabeled: Any) -> float:
    model = make_model(name)
    mark = unlabeled_parameter(model)
    if mark is None or unlabeled is None:
        documents = documents.labeled_only()
    else:
        model.set_params(**{mark: unlabeled})
    right: list[bool] = []
    for answers in _held_out_answers(model, documents):
        right.extend(answers)
        if len(right) >= MOST_HELD_OUT:
            break
    return float(np.mean(right))


def _held_out_answers(model: Any, documents: LabeledCounts) -> Iterator[np.ndarray]:
    for repeat in range(N_REPEATS):
        folds = held_out_folds(documents.position, seed=repeat)
        for fitted, held_out, rows in fit_without_folds(model, documents, folds):
            yield fitted.predict(held_out) == documents.y[rows]


def unlabeled_parameter(model: Any) -> str | None:
    """Find the parameter, of the model or of a step of it, that names the mark of unlabeled rows.

    Parameters
    ----------
    model : estimator
        Any.

    Returns
    -------
    str or None
        For ``set_params``; None if the model learns from labeled documents only.
    """
    names = model.get_params()
    return next((name for name in names if name.split("__")[-1] == "unlabeled"), None)


def models_for_unlabeled() -> list[str]:
    """List the models of the zoo that learn from unlabeled documents too.

    Returns
    -------
    list of str
    """
    return [name for name in list_models() if unlabeled_parameter(make_model(name)) is not None]
