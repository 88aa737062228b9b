"""Choose a model by what there is to learn from: labels, unlabeled texts, or names of classes."""

from typing import Any

SUPERVISED = "LogisticRegression-tfidf"  # best with few labels: docs/results/default.md
WITH_MANY_LABELS = "LinearSVC-tfidf"
SEMISUPERVISED = "FewLabels"  # best with a pool of unlabeled documents
# Per class, on average. With 25, the SVM was ahead of the regression on 15 of 20 corpora, by 0.5
# points in the mean and at worst 0.8 behind; with 90 % of a corpus, on 18, by 0.7 and 0.4.
MANY_LABELS = 25
# In all. With more, vectors still help a little, but a linear model of the words answers a hundred
# times as fast.
MOST_WITH_VECTORS = 2000


def choose_model(
    labels_per_class: float,
    *,
    has_unlabeled: bool = False,
    has_seeds: bool = False,
    is_calibrated: bool = True,
    has_vectors: bool = False,
) -> dict[str, Any]:
    """Choose a model of the zoo, as ``TextClassifier(model="auto")`` does.

    Unlabeled texts, names of classes, or vectors call for "FewLabels". With words and labels alone,
    it is "LogisticRegression-tfidf", and from 25 labels per class on "LinearSVC-tfidf". The choice
    looks at nothing else, so it costs nothing and does not change with a few texts more. See the
    page "Choosing a model" for figures.

    Parameters
    ----------
    labels_per_class : float
        Number of labeled texts divided by the number of classes.
    has_unlabeled : bool, default=False
        Whether there are texts without a label.
    has_seeds : bool, default=False
        Whether there are names of classes, seed words or sources.
    is_calibrated : bool, default=True
        Whether the confidence is measured on held-out texts. Without, a model is needed that has
        probabilities of its own.
    has_vectors : bool, default=False
        Whether an encoder gives the texts vectors. ``encoder="auto"`` does so, if the extra
        ``vectors`` is installed, for at most 2,000 labels and texts of 60 words or fewer.

    Returns
    -------
    dict
        ``model``: the name of the chosen model. ``reason``: the reason as a sentence.

    Examples
    --------
    >>> from honeybayes.classifier import choose_model
    >>> choose_model(5, has_unlabeled=True)["model"], choose_model(5)["model"]
    ('FewLabels', 'LogisticRegression-tfidf')
    """
    for is_given, reason in (
        (has_seeds, "it learns from class names, seed words and sources"),
        (has_unlabeled, "it also learns from texts without a label"),
        (has_vectors, "it weighs words and vectors by held-out labels"),
    ):
        if is_given:
            return {"model": SEMISUPERVISED, "reason": reason}
    best = "it was the most accurate model on other corpora"
    if labels_per_class < MANY_LABELS or not is_calibrated:
        reason = f"every text has a label, and {best} with few labels per class"
        return {"model": SUPERVISED, "reason": reason}
    reason = f"every text has a label, and with {MANY_LABELS} or more labels per class {best}"
    return {"model": WITH_MANY_LABELS, "reason": reason}
