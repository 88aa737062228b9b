"""Choose which words are terms, by labels, the length of texts, and seed words."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.feature_extraction.text import TfidfTransformer

from honeybayes.semisupervised import FewLabelsClassifier
from honeybayes.text import TextAnalyzer, TextVectorizer, stop_words_of
from honeybayes.utils.labels import encode_labels
from honeybayes.utils.meta_estimators import Folds, fit_on_folds, shuffled_folds
from honeybayes.zoo import make_model

MOST_LABELED = 2000  # texts to look at; more hardly change the answer
# Words of the median text. In corpora of texts with 10 to 40 words, stop words helped by up to 28
# points, or cost up to 4. With 130 words and more, they cost up to 15 points, or helped by up to 2.
# See docs/results/defaults.md.
LONG = 60
FEWEST_HELD_OUT = 10
REGRESSION = "LogisticRegression-tfidf"


def weighs_by_idf(model: Any) -> bool:
    """Return True if a model gives frequent words little weight, so that stop words may stay."""
    has_idf = any(isinstance(step, TfidfTransformer) for _, step in getattr(model, "steps", []))
    return has_idf or isinstance(model, FewLabelsClassifier)


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

    Parameters
    ----------
    vectorizer : TextVectorizer
        It has the language, and removes stop words. It is not changed.
    texts : sequence of str
        The texts.
    y : array-like of shape (n_texts,)
        Labels, or ``unlabeled``.
    unlabeled : label, default=None
        The mark of unlabeled texts; None if there are none.
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
    kept, removed = (_held_out_right(X, y, folds) for X in (with_all, without))
    return bool(kept.sum() - removed.sum() <= np.sqrt((kept != removed).sum()))


def are_long(texts: Sequence[str]) -> bool:
    """Return whether the median text is so long that stop words hide its topic."""
    return bool(np.median([len(text.split()) for text in texts]) > LONG)


def _held_out_right(X: Any, y: np.ndarray, folds: Folds) -> np.ndarray:
    """Return for each label whether a regression on the other folds is right; 0 if not held out."""
    right = np.zeros(len(y), dtype=int)
    for fitted, held_out, rows in fit_on_folds(make_model(REGRESSION), X, y, folds):
        right[rows] = fitted.predict(held_out) == y[rows]
    return right
