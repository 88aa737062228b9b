"""Which model to take: a fixed choice with few labels, cross-validation with more."""

from typing import Any

import numpy as np

from honeybayes.utils.folds import LabeledCounts, fit_per_fold, held_out_folds
from honeybayes.utils.tags import unlabeled_parameter
from honeybayes.zoo import make_model

SUPERVISED = "LogisticRegression-tfidf"  # leads in docs/choosing-a-default.md
SEMISUPERVISED = "FewLabels"  # leads with a pool of unlabeled documents
CANDIDATES = (SUPERVISED, "LinearSVC-tfidf", "ComplementNB-tfidf", "CNB", "HOS-alpha0")
ENOUGH_LABELS = 10  # a class, on average
N_REPEATS = 2
MOST_HELD_OUT = 2000  # by each candidate: with many labels a few folds tell as much


def choose_model(documents: LabeledCounts, unlabeled: Any = None) -> dict[str, Any]:
    """Choose a model of the zoo for some documents.

    With fewer than ten labels a class, on average, differences between models drown in chance,
    and the choice is fixed: the model that did best on other corpora. From ten on, each candidate
    is fitted without a fifth of the labeled documents and asked about them, for every fifth,
    twice over (less, if there are thousands). The one that is right most often is taken, if
    it is ahead of the fixed choice by more than one standard error of the difference, or two if
    there are unlabeled documents. These are there for models that can use them.

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
    fixed = SUPERVISED if unlabeled is None else SEMISUPERVISED
    labels = documents.position[documents.position >= 0]
    labels_of_class = len(labels) / (labels.max() + 1)
    if labels_of_class < ENOUGH_LABELS:
        pool = "" if unlabeled is None else " and unlabeled documents"
        reason = (
            f"{labels_of_class:.2g} labels a class are too few to compare models: {fixed} did best "
            f"on other corpora with so few{pool}"
        )
        return {"model": fixed, "reason": reason, "accuracy": {}}
    names = dict.fromkeys([fixed, *CANDIDATES])
    right = {name: _share_of_right_answers(name, documents, unlabeled) for name in names}
    accuracy = {name: float(np.nanmean(share)) for name, share in right.items()}
    best = max(accuracy, key=lambda name: accuracy[name])
    lead = right[best] - right[fixed]
    error = np.nanstd(lead) / np.sqrt(np.isfinite(lead).sum())
    # with unlabeled documents there is little to gain by leaving the fixed choice, much to lose
    errors, clearly = (1, "a standard error") if unlabeled is None else (2, "two standard errors")
    most = f"right most often about labeled texts that were held out ({accuracy[best]:.1%})"
    if best == fixed:
        reason = f"it was {most}"
    elif np.nanmean(lead) > errors * error:
        reason = f"it was {most}, ahead of {fixed} by more than {clearly}"
    else:
        reason = f"{best} was {most}, but ahead of {fixed} by no more than {clearly}"
        best = fixed
    return {"model": best, "reason": reason, "accuracy": accuracy}


def _share_of_right_answers(name: str, documents: LabeledCounts, unlabeled: Any) -> np.ndarray:
    """How often a model was right about each labeled document; NaN if it was not asked."""
    model = make_model(name)
    mark = unlabeled_parameter(model)
    if mark is None or unlabeled is None:
        documents = documents.labeled_only()
    else:
        model.set_params(**{mark: unlabeled})
    times, right = np.zeros((2, len(documents.y)))
    for repeat in range(N_REPEATS):
        folds = held_out_folds(documents.position, seed=repeat)
        for fitted, held_out, rows in fit_per_fold(model, documents, folds):
            times[rows] += 1
            right[rows] += fitted.predict(held_out) == documents.y[rows]
            if times.sum() >= MOST_HELD_OUT:
                break
        if times.sum() >= MOST_HELD_OUT:
            break
    with np.errstate(invalid="ignore"):
        return (right / times)[documents.position >= 0]
