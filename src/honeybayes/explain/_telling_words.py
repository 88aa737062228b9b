"""The most telling words of each class."""

from typing import Any

import numpy as np
from scipy import sparse

from honeybayes.explain._opened_model import OpenedModel, names_unchecked
from honeybayes.utils.parameters import described_like
from honeybayes.utils.scores import added_scores
from honeybayes.utils.validation import check_integer

BLOCK_WORDS = 4096


@names_unchecked()
def telling_words(
    classifier: Any, k: int = 10, *, feature_names: Any = None
) -> dict[Any, list[tuple[str, float]]]:
    """Find the words that support each class most.

    Each word is scored as a document with no other words, so this works for every model with
    scores. The lead of a word is what it adds to the score of the class, minus what it adds to the
    other classes on average.

    Parameters
    ----------
    classifier : TextClassifier, Pipeline or estimator
        Fitted.
    k : int, default=10
        Number of words per class.
    feature_names : sequence of str, optional
        Names of the columns, if the classifier does not know them.

    Returns
    -------
    dict of list
        For each class, pairs (word, lead), the largest lead first. There may be fewer than ``k``,
        because only leads above 0 are listed. Words are terms of the model, which may be stems;
        see ``spellings_`` of `TextClassifier`.

    Examples
    --------
    >>> from honeybayes import CountNB, telling_words
    >>> X = [[2, 1, 0], [1, 0, 0], [0, 1, 3]]
    >>> model = CountNB().fit(X, ["sea", "sea", "land"])
    >>> for label, words in telling_words(model, feature_names=["wave", "calm", "hill"]).items():
    ...     print(label, [word for word, lead in words])
    land ['hill']
    sea ['wave']
    """
    check_integer("k", k, least=1)
    opened = OpenedModel(classifier, feature_names)
    n_columns = opened.outermost.n_features_in_
    names = opened.names(n_columns)
    n_terms = n_columns - opened.n_dense
    alone = sparse.csr_array(sparse.eye(n_terms, n_columns))
    added = np.concatenate(
        [
            added_scores(opened.model, opened.prepare(alone[start : start + BLOCK_WORDS]))
            for start in range(0, n_terms, BLOCK_WORDS)
        ]
    )
    classes = opened.model.classes_.tolist()
    n_others = max(1, len(classes) - 1)
    lead = added - (added.sum(axis=1, keepdims=True) - added) / n_others
    # rounded, so that equal words are in the order of their columns on every machine
    best = np.argsort(-lead.round(12), axis=0, kind="stable")[:k]
    return {
        label: [(str(names[w]), float(lead[w, c])) for w in best[:, c] if lead[w, c] > 0]
        for c, label in enumerate(classes)
    }


@described_like(telling_words)
def readable_telling_words(classifier: Any, k: int = 10) -> dict[Any, str]:
    """Return the words of `telling_words` for each class as people spell them, with commas."""
    spellings = OpenedModel(classifier).spellings
    return {
        label: ", ".join(spellings.get(word, word) for word, _ in own)
        for label, own in telling_words(classifier, k).items()
    }
