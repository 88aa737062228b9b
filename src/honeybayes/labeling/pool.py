"""The pool: the distinct texts of a project as counts, as points of a space, and in groups."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.cluster import KMeans
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.preprocessing import normalize

from honeybayes.classifier.choices import are_long, stop_words_without_seeds
from honeybayes.labeling.ledger import find_representatives
from honeybayes.text import TextEncoder, TextVectorizer, list_words, look_at, stop_words_of
from honeybayes.utils.labels import is_auto

N_AXES = 100
MOST_FOR_AXES = 20_000  # texts that the axes are computed from
ALMOST_EQUAL = 0.85  # cosine of texts that are offered together
MOST_ALIKE = 20
N_WORDS = 8
N_EXAMPLES = 3


class Pool:
    """The distinct texts, each one once, in the order of their first rows.

    ``rows`` has the first row with each text, and ``place`` the position of the text of each row.
    """

    def __init__(
        self,
        texts: Sequence[str],
        language: str = "auto",
        random_state: int = 0,
        encoder: TextEncoder | None = None,
    ) -> None:
        self.rows, self.place = np.unique(find_representatives(texts), return_inverse=True)
        self.texts = [texts[row] for row in self.rows]
        found = look_at(self.texts)
        self.language = found.language if is_auto(language) else language
        self._removes_stop_words = bool(stop_words_of(self.language)) and are_long(self.texts)
        self.clean_html, self.random_state = found.clean_html, random_state
        self._counted: dict[Any, tuple[TextVectorizer, sparse.csr_array]] = {}
        self.vectors = np.zeros((len(self), 0), np.float32)  # one row per text
        self.encoder, self._parts = encoder, list[np.ndarray]()

    def __len__(self) -> int:
        return len(self.rows)

    def choose_stop_words(self, seeds: Collection[str]) -> Any:
        """Return which stop words to remove; those that are seed words stay."""
        if not seeds or not self._removes_stop_words:
            return self._removes_stop_words
        return stop_words_without_seeds(seeds, self.language)

    def count(self, stop_words: Any = True) -> tuple[TextVectorizer, sparse.csr_array]:
        """Return the vectorizer and the counts of terms, by default without stop words."""
        if stop_words not in self._counted:
            # other seed words are other stop words: old lists are not needed again
            kept = self._counted.keys() & {True, False}
            self._counted = {key: self._counted[key] for key in kept}
            vectorizer = TextVectorizer(
                language=self.language, stop_words=stop_words, clean_html=self.clean_html
            )
            counts = sparse.csr_array(vectorizer.fit_transform(self.texts), dtype=np.float64)
            self._counted[stop_words] = vectorizer, counts
        return self._counted[stop_words]

    def encode(self, most: int | None = None) -> int:
        """Encode the next texts, at most ``most``; return how many are left."""
        start = sum(map(len, self._parts))
        some = self.texts[start:] if most is None else self.texts[start : start + most]
        if self.encoder is None or not some:
            return 0
        ask = self.encoder.transform if start else self.encoder.fit_transform
        self._parts.append(ask(some))
        n_left = len(self) - start - len(some)
        if not n_left:  # the model gets all vectors at once
            self.vectors = np.vstack(self._parts)
            self._parts = [self.vectors]
            vars(self).pop("axes", None)  # which were those of the words
        return n_left

    def features(self, stop_words: Any, rows: np.ndarray) -> sparse.csr_array:
        """Return counts of terms, and the vectors as soon as all are there, of some texts."""
        counts = self.count(stop_words)[1][rows]
        if not self.vectors.size:
            return counts
        return sparse.hstack([counts, sparse.csr_array(self.vectors[rows])], format="csr")

    @cached_property
    def tfidf(self) -> sparse.csr_array:
        """The texts as unit vectors of tf-idf."""
        return sparse.csr_array(TfidfTransformer(sublinear_tf=True).fit_transform(self.count()[1]))

    @cached_property
    def _plain(self) -> sparse.csr_array:
        """The texts as unit vectors of log counts: a rare name in a form letter counts little."""
        counts = self.count()[1].astype(np.float32)
        counts.data = 1 + np.log(counts.data)
        return normalize(counts)

    @cached_property
    def axes(self) -> np.ndarray:
        """The texts as unit vectors, which are close if the texts are alike.

        They are the first singular axes of tf-idf and, as soon as these are there, the centered
        vectors of the encoder; both count the same.
        """
        words = self._axes_of_words
        if not self.vectors.size:
            return words
        is_empty = ~self.vectors.any(axis=1, keepdims=True)
        centered = normalize(np.where(is_empty, 0, self.vectors - self.vectors.mean(axis=0)))
        return normalize(np.hstack([centered, words])).astype(np.float32)

    @cached_property
    def _axes_of_words(self) -> np.ndarray:
        n_axes = min(N_AXES, min(self.tfidf.shape) - 1)
        if n_axes < 1:
            has_words = np.diff(self.tfidf.indptr) > 0
            return has_words[:, np.newaxis].astype(np.float32)
        svd = TruncatedSVD(n_axes, random_state=self.random_state)
        step = -(-len(self) // MOST_FOR_AXES)
        svd.fit(self.tfidf[::step])
        return normalize(svd.transform(self.tfidf)).astype(np.float32)

    def almost_equal(self, position: int) -> np.ndarray:
        """Return positions of texts that are almost the same as one text, the nearest first."""
        likeness = (self._plain @ self._plain[[position]].T).toarray().ravel()
        likeness[position] = 0
        found = np.flatnonzero(likeness >= ALMOST_EQUAL)
        return found[np.argsort(-likeness[found], kind="stable")][:MOST_ALIKE]


@dataclass(frozen=True)
class Group:
    """Similar texts."""

    rows: tuple[int, ...]  # the first row of each text, the most typical first
    words: tuple[str, ...]  # words that are much more frequent here than elsewhere

    @property
    def examples(self) -> tuple[int, ...]:
        """Rows of the most typical texts."""
        return self.rows[:N_EXAMPLES]


def find_groups(pool: Pool, n: int = 10) -> list[Group]:
    """Divide the texts into groups by their words."""
    positions = np.flatnonzero(pool.axes.any(axis=1))
    points = pool.axes[positions]
    n = min(n, len(np.unique(points.round(4), axis=0)))
    if not n:
        return []
    found = KMeans(n, n_init=3, random_state=pool.random_state).fit(points)
    spellings = pool.count()[0].spellings_
    average = np.asarray(pool.tfidf.mean(axis=0)).ravel()
    groups = []
    for each in range(n):
        members = positions[found.labels_ == each]
        likeness = pool.axes[members] @ found.cluster_centers_[each]
        members = members[np.argsort(-likeness, kind="stable")]
        difference = np.asarray(pool.tfidf[members].mean(axis=0)).ravel() - average
        best = np.argsort(-difference)
        ranked = spellings[best[difference[best] > 0]]
        words = list_words(ranked, N_WORDS, [pool.texts[at] for at in members])
        groups.append(Group(tuple(pool.rows[members].tolist()), tuple(words)))
    return sorted(groups, key=lambda group: -len(group.rows))
