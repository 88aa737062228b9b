"""The pool: the distinct texts of a project as counts and as points of a latent space."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.preprocessing import normalize

from honeybayes.classifier.word_choice import ENOUGH_TEXTS, OPENING
from honeybayes.labeling.ledger import find_representatives
from honeybayes.text import STOP_WORDS, TextVectorizer

N_AXES = 100
MOST_FOR_AXES = 20_000  # texts that the axes are computed from
ALMOST_EQUAL = 0.85  # cosine of texts that are offered together
MOST_ALIKE = 20


class Pool:
    """The distinct texts, each one once, in the order of their first rows.

    Parameters
    ----------
    texts : sequence of str
        All texts.
    representative : ndarray of shape (n_texts,), optional
        For each row, the first row with the same text.
    language : str, default="english"
        As in `honeybayes.text.TextAnalyzer`.
    stem : bool, default=True
        As in `honeybayes.text.TextAnalyzer`.
    stop_words : "auto", bool or collection of str, default="auto"
        As in `honeybayes.TextClassifier`.
    random_state : int, default=0
        Seed of the latent space.

    Attributes
    ----------
    rows : ndarray of shape (n_distinct,)
        The first row with each text.
    position : dict
        The position in the pool of each of these rows.
    opening : int
        Number of first words that give terms of their own; see `honeybayes.text.TextAnalyzer`.
    """

    def __init__(
        self,
        texts: Sequence[str],
        representative: np.ndarray | None = None,
        *,
        language: str = "english",
        stem: bool = True,
        stop_words: Any = "auto",
        random_state: int = 0,
    ) -> None:
        if representative is None:
            representative = find_representatives(texts)
        self.rows = np.unique(representative)
        self.position = {row: position for position, row in enumerate(self.rows.tolist())}
        self.texts = [texts[row] for row in self.rows]
        self.language, self.stem, self.stop_words = language, stem, stop_words
        self.random_state = random_state
        self.opening = OPENING if len(self.rows) >= ENOUGH_TEXTS else 0
        self._counted: dict[Any, tuple[TextVectorizer, sparse.csr_array]] = {}

    def __len__(self) -> int:
        return len(self.rows)

    def default_stop_words(self) -> Any:
        """Return which stop words are removed before there is evidence."""
        return self.language in STOP_WORDS if self.stop_words == "auto" else self.stop_words

    def count(self, stop_words: Any) -> tuple[TextVectorizer, sparse.csr_array]:
        """Return the vectorizer and the counts of terms; each choice is computed once."""
        key = stop_words if isinstance(stop_words, bool) else frozenset(stop_words)
        if key not in self._counted:
            # other seed words are other stop words: old lists are not needed again
            self._counted = {
                key: each for key, each in self._counted.items() if key in (True, False)
            }
            vectorizer = TextVectorizer(
                language=self.language,
                stem=self.stem,
                stop_words=stop_words,
                opening=self.opening,
            )
            counts = sparse.csr_array(vectorizer.fit_transform(self.texts), dtype=np.float64)
            self._counted[key] = vectorizer, counts
        return self._counted[key]

    @cached_property
    def tfidf(self) -> sparse.csr_array:
        """The texts as unit vectors of tf-idf."""
        _, counts = self.count(self.default_stop_words())
        return sparse.csr_array(TfidfTransformer(sublinear_tf=True).fit_transform(counts))

    @cached_property
    def _plain(self) -> sparse.csr_array:
        """The texts as unit vectors of log counts: a rare name in a form letter counts little."""
        counts = self.count(self.default_stop_words())[1].astype(np.float32)
        counts.data = 1 + np.log(counts.data)
        return normalize(counts)

    @cached_property
    def axes(self) -> np.ndarray:
        """The texts in the latent semantic space, as unit vectors, shape (n_distinct, n_axes).

        The space is spanned by the first singular vectors of the tf-idf matrix.
        """
        n_axes = min(N_AXES, min(self.tfidf.shape) - 1)
        if n_axes < 1:
            return np.ones((len(self), 1), dtype=np.float32)
        svd = TruncatedSVD(n_axes, random_state=self.random_state)
        step = -(-len(self) // MOST_FOR_AXES)
        svd.fit(self.tfidf[::step])
        return normalize(svd.transform(self.tfidf)).astype(np.float32)

    def almost_equal(self, position: int) -> np.ndarray:
        """Return positions of texts that are almost the same as one text, the nearest first."""
        one = self._plain[[position]]
        if not one.nnz:
            return np.zeros(0, dtype=int)
        likeness = (self._plain @ one.T).toarray().ravel()
        likeness[position] = 0
        found = np.flatnonzero(likeness >= ALMOST_EQUAL)
        return found[np.argsort(-likeness[found], kind="stable")][:MOST_ALIKE]
