"""From texts to counts of the terms that they have."""

from collections import Counter

import numpy as np
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer

from honeybayes.text._analyzer import TextAnalyzer
from honeybayes.text._spellings import SpellingCounter


def learn_vocabulary(
    analyzer: TextAnalyzer, texts: list[str], min_df: int = 1
) -> tuple[CountVectorizer, np.ndarray, sparse.csr_matrix]:
    """Count the terms of texts, and find their spellings; if none is left, tell what to do.

    Parameters
    ----------
    analyzer : TextAnalyzer
        Makes terms of a text.
    texts : list of str
        All that there are.
    min_df : int, default=1
        Texts that a term must occur in.

    Returns
    -------
    vectorizer : CountVectorizer
        Fitted.
    spellings : ndarray of str
        The most frequent word of each term.
    counts : sparse matrix of shape (n_texts, n_terms)
        How often each term occurs in each text.
    """
    counter = SpellingCounter(analyzer)
    vectorizer = CountVectorizer(analyzer=counter, min_df=min_df)
    try:
        counts = vectorizer.fit_transform(texts)
    except ValueError as error:
        documents = Counter(term for text in texts for term in dict.fromkeys(analyzer(text)))
        if not documents:
            kept = analyzer.stop_words is False
            advice = (
                "other texts" if kept else "other texts, or keep the stop words: stop_words=False"
            )
            raise ValueError(
                f"No word is left of {len(texts)} text(s), for digits, punctuation, single letters "
                f"{'' if kept else 'and stop words '}do not count. Take {advice}."
            ) from error
        [(term, most)] = documents.most_common(1)
        raise ValueError(
            f"No word is left: min_df={min_df} keeps words that occur in so many of the "
            f"{len(texts)} texts, and the most frequent, {counter.spellings()[term]!r}, occurs in "
            f"{most}. Take a lower number, or more texts."
        ) from error
    vectorizer.set_params(analyzer=analyzer)
    return vectorizer, counter.of_terms(vectorizer.get_feature_names_out()), counts
