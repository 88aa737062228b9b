"""Documents made ready for learning. None of it depends on the labels."""

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from scipy import linalg, sparse

from honeybayes.semisupervised._experts import Dense, View
from honeybayes.semisupervised._labels import LabelVotes
from honeybayes.semisupervised._regression import Documents
from honeybayes.semisupervised._seed_evidence import Names, Seeds, prepare_seeds
from honeybayes.semisupervised._teacher import Settings, latent_axes, unit
from honeybayes.utils.matrices import group_repeats

MOST_IN_EVIDENCE = 1000  # documents; more hardly change the weights of the experts
MOST_IN_DOUBLE = 200_000  # stored entries; with more, half the digits take half of time and memory
# Added to the idf; scikit-learn adds 1. If stop words are kept, less is better: it lets words of
# nearly every document count little. Choosing by evidence from labels is no more accurate.
IDF_OFFSET, IDF_OFFSET_WITH_STOP_WORDS = 1.0, 0.25
FREQUENT, MANY_FREQUENT = 0.3, 0.1  # share of documents with a term; share of such entries
SMALLEST_IDF = 1e-6
# A term in one document of a sample says little, and there are many of them: with all terms and
# 5 labels per class, samples of 1,000 and 4,000 texts of 20 Newsgroups were 14 and 6 points less
# accurate, on the mean of five draws.
FEWEST_IN_SAMPLE = 2
MOST_AXES = 200  # of vectors; all are slower and no more accurate
MOST_FOR_AXES = 2000  # documents at equal distances; more hardly turn the axes
NO_VARIANCE = {"float64": 1e-12, "float32": 1e-6}  # as a share of the largest


class Whitening(NamedTuple):
    """A quarter of whitening: variances v of vectors become v to the 3/4, then unit length.

    Only the axes with the largest variances are kept. If there is no pool, vectors are centered
    only: axes of a few labeled documents would fit these much better than new ones.
    """

    mean: np.ndarray
    axes: np.ndarray

    @classmethod
    def of(cls, vectors: np.ndarray, only_center: bool = False) -> "Whitening":
        mean = vectors.sum(axis=0, dtype=np.float64) / max(vectors.any(axis=1).sum(), 1)
        if only_center:
            return cls(mean, np.eye(vectors.shape[1]))
        centered = _from_mean(vectors[:: -(-len(vectors) // MOST_FOR_AXES) or 1], mean)
        largest = (max(0, vectors.shape[1] - MOST_AXES), vectors.shape[1] - 1)
        variance, axes = linalg.eigh(centered.T @ centered, subset_by_index=largest)
        # Axes without variance would only add rounding errors, or drown the others in new documents
        # if there are more axes than documents.
        varies = variance > NO_VARIANCE[vectors.dtype.name] * variance.max()
        scale = np.power(variance, -0.125, out=np.zeros_like(variance), where=varies)
        return cls(mean, (axes * scale).astype(np.float64))  # as model files have them

    def __call__(self, vectors: np.ndarray) -> np.ndarray:
        return self.turned(_from_mean(vectors, self.mean))

    def split(self, vector: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """Return what each number of a vector (1, numbers) adds to scores of its direction."""
        centered = _from_mean(vector, self.mean)
        length = np.linalg.norm(centered @ self.axes)
        return centered.T * (self.axes @ weights) / (length or 1.0)

    def turned(self, centered: np.ndarray) -> np.ndarray:
        """Return directions on the axes, of vectors from which the mean is subtracted."""
        return unit(centered @ self.axes.astype(centered.dtype, copy=False))


def _from_mean(vectors: np.ndarray, mean: np.ndarray) -> np.ndarray:
    """Subtract the mean; a text without a vector has none, instead of an arbitrary direction."""
    centered = vectors - mean.astype(vectors.dtype, copy=False)
    centered[~vectors.any(axis=1)] = 0.0
    return centered


class Prepared:
    """Distinct documents in an order that their content fixes, with their idf."""

    def __init__(
        self,
        counts: sparse.csr_array,
        vectors: np.ndarray | None,
        settings: Settings,
        has_pool: bool = True,
    ) -> None:
        self.has_pool = has_pool
        self.counts, self.vectors, self.settings = counts, vectors, settings
        first, group = group_repeats(counts, vectors)
        distinct = counts[first]
        frequency = np.bincount(distinct.indices, minlength=distinct.shape[1])
        self.idf = np.log((1 + len(first)) / (1 + frequency))
        of_frequent = frequency[frequency > FREQUENT * len(first)].sum()
        has_stop_words = of_frequent > MANY_FREQUENT * frequency.sum()
        self.offset = IDF_OFFSET_WITH_STOP_WORDS if has_stop_words else IDF_OFFSET
        length = weigh(distinct, with_offset(self.idf, 1.0)).sum(axis=1)
        order = order_by_content(distinct, None if vectors is None else vectors[first], length)
        self.distinct = distinct[order]
        # the position of each document among the distinct ones
        self.group = np.argsort(order)[group]
        self.whitening = self.dense = None
        if vectors is not None:
            ordered = vectors[first[order]]
            self.whitening = Whitening.of(ordered, only_center=not has_pool)
            centered = _from_mean(ordered, self.whitening.mean)
            self.dense = Dense(unit(centered), self.whitening.turned(centered))
        self._last: Any = None, None, None

    def choose(self, known: np.ndarray, most: int | None) -> np.ndarray:
        """Return the documents with a label, and at most this many others at random.

        The choice depends on the documents only, and one more label changes one document of it.
        """
        pool = np.flatnonzero(~known)
        if most is not None and len(pool) > most:
            rank = np.random.default_rng(0).permutation(len(known))[pool]
            pool = pool[np.argpartition(rank, most)[:most]]
        return np.union1d(np.flatnonzero(known), pool)

    def view(self, rows: np.ndarray, has_pool: bool) -> tuple[View, np.ndarray, np.ndarray]:
        """Return some documents, the columns of their terms, and the idf with its offset."""
        offset = self.offset if has_pool else IDF_OFFSET
        last_offset, last_rows, chosen = self._last
        if last_offset == offset and np.array_equal(last_rows, rows):
            return chosen
        idf, documents = with_offset(self.idf, offset), self.distinct[rows]
        terms = np.arange(len(idf))
        if len(rows) < self.distinct.shape[0]:
            frequency = np.bincount(documents.indices, minlength=len(idf))
            repeated = frequency >= FEWEST_IN_SAMPLE
            if repeated.any():
                terms, idf[~repeated] = np.flatnonzero(repeated), SMALLEST_IDF
        x = weigh(documents, idf)
        x = x if len(terms) == len(idf) else x[:, terms]
        x = x.astype(np.float32) if x.nnz > MOST_IN_DOUBLE else x
        chosen = View(x, self._dense_of(rows), self.settings), terms, idf
        self._last = offset, rows, chosen
        return chosen

    @cached_property
    def some(self) -> np.ndarray:
        """The documents, at most `MOST_IN_EVIDENCE`, from which the evidence is gathered."""
        n_documents = self.distinct.shape[0]
        return np.arange(0, n_documents, -(-n_documents // MOST_IN_EVIDENCE) or 1)

    def sample(self, rows: np.ndarray) -> tuple[View, np.ndarray]:
        """Return some documents, and the columns of the terms that occur in them."""
        x, seen = self._take(rows)
        axes = None
        if self.settings.n_axes:
            found, terms = self._axes
            axes = np.zeros((len(seen), found.shape[1]), dtype=found.dtype)
            axes[np.searchsorted(seen, terms)] = found
        return View(x, self._dense_of(rows), self.settings, axes), seen

    @cached_property
    def _axes(self) -> tuple[np.ndarray, np.ndarray]:
        """The singular axes of `some`, and the columns of their terms."""
        x, terms = self._take(self.some)
        return latent_axes(Documents(x), self.settings.n_axes), terms

    def _take(self, rows: np.ndarray) -> tuple[sparse.csr_array, np.ndarray]:
        """Return x of some documents, for the terms in them, in single precision."""
        x = weigh(self.distinct[rows], with_offset(self.idf, self.offset))
        seen = np.flatnonzero(np.bincount(x.indices, minlength=x.shape[1]))
        seen = seen if len(seen) else np.arange(1)  # probabilities of terms need one
        return x[:, seen].astype(np.float32), seen

    def learn_seeds(
        self, view: View, labels: LabelVotes, seeds: np.ndarray | None, terms: np.ndarray
    ) -> Seeds | None:
        """Turn the weights of seed words, and seed vectors, into evidence.

        ``terms`` are the columns of the terms of the view.
        """
        if seeds is None:
            return None
        words, vectors = np.split(seeds, [len(self.idf)])
        whitened = directions = None
        if self.whitening is not None and view.dense is not None:
            whitened = view.dense.whitened
            if vectors.any():
                directions = self.whitening(unit(vectors.T)).astype(whitened.dtype)
        of_words = words[terms], directions, self.idf[terms]
        return prepare_seeds(view.documents, whitened, labels, *of_words, self.settings)

    def to_names(self, vectors: np.ndarray | None) -> Names | None:
        """Turn vectors of the names of classes (classes, dense) into directions.

        Names have something in common that texts have not, so their mean is subtracted.
        """
        if vectors is None or self.whitening is None or not vectors.any(axis=1).all():
            return None
        differences = vectors - vectors.mean(axis=0)
        return Names(unit(differences), unit(differences @ self.whitening.axes))

    def _dense_of(self, rows: np.ndarray) -> Dense | None:
        return None if self.dense is None else Dense(*(each[rows] for each in self.dense))

    def is_of(
        self, counts: sparse.csr_array, vectors: Any, settings: Settings, has_pool: bool
    ) -> bool:
        """Return True if it was made from the same documents."""
        before = self.settings, self.has_pool, self.counts.shape
        if before != (settings, has_pool, counts.shape):
            return False
        arrays = ("indptr", "indices", "data")
        pairs = [(getattr(self.counts, name), getattr(counts, name)) for name in arrays]
        return all(np.array_equal(*pair) for pair in [*pairs, (self.vectors, vectors)])


def with_offset(idf: np.ndarray, offset: float) -> np.ndarray:
    """Add a constant; a term of every document keeps a little, so that no document is empty."""
    return np.maximum(idf + offset, SMALLEST_IDF)


def weigh(counts: sparse.csr_array, idf: np.ndarray) -> sparse.csr_array:
    """Turn counts into tf-idf of unit length. One text is common, so no sparse matrix helps."""
    size = np.diff(counts.indptr)
    start, size = counts.indptr[:-1][size > 0], size[size > 0]
    x = np.where(counts.data < 1, counts.data, 1 + np.log(np.maximum(counts.data, 1)))
    if len(x):
        # Squares of tiny numbers would be zero. Scaling by a power of two changes no digit.
        exponent = np.frexp(np.maximum.reduceat(x, start))[1]
        x = np.ldexp(x, np.repeat(-exponent, size)) * idf[counts.indices]
        x /= np.repeat(np.sqrt(np.add.reduceat(x * x, start)), size)
    return sparse.csr_array((x, counts.indices, counts.indptr), shape=counts.shape)


def order_by_content(
    counts: sparse.csr_array, vectors: np.ndarray | None, length: np.ndarray
) -> np.ndarray:
    """Order distinct documents by length, then by content.

    The order in which documents came then makes no difference, not even in the last bit of a sum.
    A sum with a random weight per column orders documents of equal length.
    """
    random = np.random.default_rng(0)
    content = counts @ random.uniform(size=counts.shape[1])
    if vectors is not None:
        content += vectors @ random.uniform(size=vectors.shape[1:]).astype(vectors.dtype)
    return np.lexsort((content, length))
