"""Choose what "auto" stands for: the model, by what there is to learn from, and the stop words."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from sklearn.base import clone

from honeybayes.text import TextAnalyzer, TextVectorizer, stop_words_of
from honeybayes.utils.labels import encode_labels
from honeybayes.utils.meta_estimators import fit_on_folds, shuffled_folds
from honeybayes.zoo import make_model

SUPERVISED = "LogisticRegression-tfidf"  # best with few labels: docs/results/default.md
WITH_MANY_LABELS = "LinearSVC-tfidf"
SEMISUPERVISED = "FewLabels"  # best with a pool of unlabeled documents
# Per class, on average. With 25, the SVM was ahead of the regression on 15 of 20 corpora, by 0.5
# points in the mean and at worst 0.8 behind; with 90 % of a corpus, on 18, by 0.7 and 0.4.
MANY_LABELS = 25
# In all. With more, vectors still help a little, but a linear model of the words answers a hundred
# times as fast.
MOST_WITH_VECTORS = 2000
MOST_LABELED = 2000  # texts to look at; more hardly change the answer
# Words of the median text. In corpora of texts with 10 to 40 words, stop words helped by up to 28
# points, or cost up to 4. With 130 words and more, they cost up to 15 points, or helped by up to 2.
# See docs/results/defaults.md.
LONG = 60
FEWEST_HELD_OUT = 10


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


def stop_words_without_seeds(seeds: Iterable[str], language: str | None) -> Any:
    """Return the stop words of a language without those that somebody gave as seed words.

    Whoever names "who" and "where" as typical of classes needs them.
    """
    words = TextAnalyzer(language=language, stop_words=False, stem=False)
    given = {word for text in seeds for word in words(text)}
    listed = stop_words_of(language)
    return listed - given if listed & given else True


def should_remove_stop_words(
    vectorizer: TextVectorizer, texts: Sequence[str], y: Any, unlabeled: Any = None
) -> bool:
    """Decide whether stop words are removed.

    They help with short texts, such as questions ("who", "when", "how many"), and hide the topic of
    long ones. With unlabeled texts, they are removed if the median text has more than 60 words: see
    the page "Defaults, with and without". Without, a logistic regression is fitted to the labels.
    The stop words are kept if it is then right about more held-out labels, by more than the square
    root of the number of labels on which the two differ. They are removed if fewer than ten labels
    can be held out.

    The vectorizer has the language, and removes stop words. It is not changed. ``unlabeled`` is the
    mark of unlabeled texts, or None.
    """
    if not stop_words_of(vectorizer.language):
        return False
    y = np.asarray(y)
    position = encode_labels(y, unlabeled)[1]
    if (position < 0).any():
        return are_long(texts)
    order = np.argsort(position, kind="stable")
    rows = order[:: max(1, -(-len(order) // MOST_LABELED))]  # at equal distances
    y, position = y[rows], position[rows]
    size = np.bincount(position, minlength=2)
    if (size > 0).sum() < 2 or size[size > 1].sum() < FEWEST_HELD_OUT:
        return True
    sample = [texts[row] for row in rows]
    vectorizer = clone(vectorizer).set_params(min_df=1)
    with_all = clone(vectorizer).set_params(stop_words=False).fit_transform(sample)
    try:
        without = vectorizer.fit_transform(sample)
    except ValueError:  # no other word
        return False
    folds = shuffled_folds(position, with_all)
    right = np.zeros((2, len(y)), dtype=int)  # 0 also for a label that is not held out
    for number, X in enumerate((with_all, without)):
        for fitted, held_out, rows in fit_on_folds(make_model(SUPERVISED), X, y, folds):
            right[number, rows] = fitted.predict(held_out) == y[rows]
    kept, removed = right
    return bool(kept.sum() - removed.sum() <= np.sqrt((kept != removed).sum()))


def are_long(texts: Sequence[str]) -> bool:
    """Return whether the median text is so long that stop words hide its topic."""
    return bool(np.median([len(text.split()) for text in texts]) > LONG)
