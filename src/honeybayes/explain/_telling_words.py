"""The most telling words of each class."""

from typing import Any

import numpy as np
from scipy import sparse

from honeybayes.explain._models import open_model, scores, spellings_of_terms
from honeybayes.utils.explaining import added_scores

BLOCK_WORDS = 4096


def telling_words(
    classifier: Any, k: int = 10, *, feature_names: Any = None
) -> dict[Any, list[tuple[str, float]]]:
    """Find the words that speak most for each class.

    Each word is judged as a document that holds nothing else, so any model with scores will do:
    how much the word adds to the score of the class, less what it adds to those of the others on
    average.

    Parameters
    ----------
    classifier : TextClassifier, Pipeline or estimator
        Fitted.
    k : int, default=10
        Words for each class.
    feature_names : sequence of str, optional
        Names of the columns, if the classifier knows none.

    Returns
    -------
    dict of list
        By label: pairs (word, lead over the average of the other classes), the largest first.
        Words that speak against the class are left out, so there may be fewer than ``k``. They
        are terms of the model, stems perhaps; ``spellings_`` of a `TextClassifier` has words.

    See Also
    --------
    explain_decision : The words behind one decision.

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
    if isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 1:
        raise ValueError(f"k must be a whole number, 1 or more; got {k!r}.")
    opened = open_model(classifier, feature_names)
    outermost = opened.steps[0] if opened.steps else opened.model
    n_columns = outermost.n_features_in_
    names = opened.names(n_columns)
    alone = sparse.csr_array(sparse.eye(n_columns))
    blocks = [
        added_scores(
            lambda X: scores(opened.model, X), opened.prepare(alone[start : start + BLOCK_WORDS])
        )
        for start in range(0, n_columns, BLOCK_WORDS)
    ]
    added = np.concatenate(blocks)
    n_others = max(1, len(opened.classes) - 1)
    lead = added - (added.sum(axis=1, keepdims=True) - added) / n_others
    best = np.argsort(-lead, axis=0, kind="stable")[:k]
    return {
        label: [(str(names[w]), float(lead[w, c])) for w in best[:, c] if lead[w, c] > 0]
        for c, label in enumerate(opened.classes.tolist())
    }


def readable_telling_words(classifier: Any, k: int = 10) -> dict[Any, str]:
    """Find the same as `telling_words`, with commas between the words, for people to read.

    Parameters
    ----------
    classifier : TextClassifier, Pipeline or estimator
        Fitted. A `TextClassifier` knows how the training texts spell its terms.
    k : int, default=10
        Words for each class.

    Returns
    -------
    dict of str
        By label.
    """
    spelling = spellings_of_terms(classifier)
    return {
        label: ", ".join(spelling.get(word, word) for word, _ in own)
        for label, own in telling_words(classifier, k).items()
    }
