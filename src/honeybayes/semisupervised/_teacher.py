"""The teachers: they learn from labels, then from their own guesses.

The first teacher is naive Bayes on the terms: EM in which unlabeled documents weigh less is
EM-lambda of Nigam, McCallum, Thrun and Mitchell (2000), here on tf-idf. The second one compares
directions of dense features. Arrays of parameters have the classes last.
"""

from typing import NamedTuple

import numpy as np
from scipy import sparse
from scipy.special import softmax

from honeybayes.semisupervised._evidence import above_chance
from honeybayes.semisupervised._labels import LabelVotes, no_votes
from honeybayes.semisupervised._regression import Documents, Linear, quiet_products
from honeybayes.utils.matrices import inverse_or_zero, per_entry

NO_AXIS = 1e-6  # the smallest square of a singular value, as a share of the largest
# How fast the probability of a class falls with the angle to its mean direction.
KAPPA = 20.0  # of singular axes
DENSE_KAPPA = 30.0  # of dense features
DENSE_ROUNDS = 10
# Of dense features: links of a document, documents to which others are linked, and what these count
# in a guess at most.
N_NEAREST, MOST_NEAREST, SAY_OF_NEAREST = 10, 1000, 0.6
N_SPREAD = 5  # rounds in which guesses of a regression spread
SMALLEST_GUESS = 1e-30


class Settings(NamedTuple):
    """How teachers, experts and students learn. Benchmarks and tests change it, users do not."""

    walk: float = 0.9  # share of the first estimate that goes through all documents
    n_rounds: int = 3  # of EM
    pool_weight: float = 0.3  # of an unlabeled document in EM; a label has 1
    alpha: float = 0.01  # added to the weight of each term in each class
    prior_shrinkage: float = 0.3  # of P(class), from the shares that EM finds to equal ones
    n_axes: int = 50  # singular axes of the second expert; with 0 there is none
    n_folds: int = 5  # of the labels; with 0 there is no evidence
    C: float = 10.0  # inverse strength of the regularization of regressions
    guess_weight: float = 0.1  # of a sure guess in a regression; a label has 1


class Teacher(NamedTuple):
    """The result of EM; scores and guesses have the shape (documents, classes)."""

    linear: Linear
    scores: np.ndarray
    guesses: np.ndarray


@quiet_products
def teach(
    documents: Documents,
    labels: LabelVotes,
    how: Settings,
    seeds: np.ndarray | None = None,
    start: tuple[float, np.ndarray] | None = None,
) -> Teacher:
    """Estimate from the labels, then run rounds of EM with the unlabeled documents.

    ``seeds`` are documents (terms, classes) with their weight as length. A class without labels and
    seeds starts as the average document. ``start`` are other guesses, and their share in the first
    guesses.
    """
    x, x_t = documents.x, documents.transposed
    pool = (~labels.known)[:, np.newaxis]
    known = np.flatnonzero(labels.known)
    votes = labels.votes[known].astype(x.dtype)
    given = x[known].T @ votes
    if seeds is not None:
        seeds = seeds.astype(x.dtype, copy=False)
        given = given + seeds
    of_documents = 1.0 + votes.sum(axis=0, dtype=np.float64)

    first = walked(documents, given, how.walk)
    # As if every class had the same number of labels: with the same smoothing, words that no class
    # knows would otherwise speak for the class with the fewest.
    n_given = votes.sum(axis=0) + (0 if seeds is None else np.linalg.norm(seeds, axis=0))
    first *= n_given.sum() / max((n_given > 0).sum(), 1) * inverse_or_zero(n_given)
    unknown = given.sum(axis=0) == 0
    if unknown.any():
        first[:, unknown] = (documents.of_terms / x.shape[0])[:, np.newaxis]
    linear = _estimate(first, of_documents, how)
    scores = linear.scores(x)
    guesses = softmax(scores, axis=1)
    if start is not None:
        guesses = (1 - start[0]) * guesses + start[0] * start[1]
    for _ in range(how.n_rounds):
        weighed = how.pool_weight * guesses * pool
        linear = _estimate(given + x_t @ weighed, of_documents + weighed.sum(axis=0), how)
        scores = linear.scores(x)
        guesses = softmax(scores, axis=1)
    return Teacher(linear, scores, guesses)


def learn_from_votes(documents: Documents, votes: np.ndarray, how: Settings) -> Linear:
    """Return naive Bayes for votes (documents, classes), as after one round of EM."""
    of_terms = documents.transposed @ votes.astype(documents.x.dtype)
    return _estimate(of_terms, 1.0 + votes.sum(axis=0), how)


def _estimate(of_terms: np.ndarray, of_classes: np.ndarray, how: Settings) -> Linear:
    """Return naive Bayes for weights of terms (terms, classes) and of classes."""
    shrinkage, n_classes = how.prior_shrinkage, len(of_classes)
    share = (1 - shrinkage) * of_classes / of_classes.sum() + shrinkage / n_classes
    smoothed = of_terms + how.alpha
    log_sums = np.log(np.ones(len(smoothed), dtype=smoothed.dtype) @ smoothed)
    return Linear(np.log(smoothed, out=smoothed) - log_sums, np.log(share).astype(smoothed.dtype))


def walked(documents: Documents, given: np.ndarray, share: float) -> np.ndarray:
    """Move a share of the weight of each class by one step term - document - term.

    The weight of a term is distributed over its documents, and then over the terms of these
    documents, in proportion to their entries. So terms that occur in no labeled document also get
    weight. The total weight of a class does not change. Weights are (terms, classes).
    """
    if share == 0:
        return given.copy()
    sums = documents.of_terms, documents.of_documents
    per_term, per_document = (inverse_or_zero(each)[:, np.newaxis] for each in sums)
    to_documents = documents.x @ (given * per_term.astype(given.dtype))
    to_terms = documents.transposed @ (to_documents * per_document.astype(given.dtype))
    return (1 - share) * given + share * to_terms


class Links(NamedTuple):
    """Weights of the links between documents (documents, documents), and what these count."""

    weights: sparse.csr_array
    say: float

    def mix(self, own: np.ndarray, last: np.ndarray) -> np.ndarray:
        """Mix the guess for each document with the last result for those linked with it."""
        return np.asarray((1 - self.say) * own + self.say * (self.weights @ last))


def teach_directions(
    h: np.ndarray,
    labels: LabelVotes,
    how: Settings,
    guesses: np.ndarray | None = None,
    n_rounds: int = DENSE_ROUNDS,
    kappa: float = DENSE_KAPPA,
    named: np.ndarray | None = None,
    links: Links | None = None,
) -> Teacher:
    """Compare documents with the mean direction of each class, in rounds of EM.

    ``h`` are dense features of unit length. The first means come from the labels and from
    ``guesses`` for the other documents, or from the labels alone. ``named`` (classes, features) are
    the directions of the names of the classes; their lengths are weights, as of labels. With
    ``links``, a guess is mixed with the last ones for the documents that are linked with it.
    """
    votes, pool = labels.votes.astype(h.dtype, copy=False), (~labels.known)[:, np.newaxis]
    n_classes, mixed = votes.shape[1], None
    weighed = votes if guesses is None else votes + how.pool_weight * guesses * pool
    weighed = weighed.astype(h.dtype, copy=False)  # or each product would copy h
    for _ in range(n_rounds + 1):
        size = 1.0 + weighed.sum(axis=0)
        share = (1 - how.prior_shrinkage) * size / size.sum() + how.prior_shrinkage / n_classes
        means = weighed.T @ h if named is None else (weighed.T @ h + named).astype(h.dtype)
        linear = Linear(kappa * unit(means).T, np.log(share).astype(h.dtype))
        scores = linear.scores(h)
        found = softmax(scores, axis=1)
        if links is not None:
            own = np.where(pool, found, labels.targets).astype(h.dtype, copy=False)
            mixed = links.mix(own, own if mixed is None else mixed)
            found = mixed / mixed.sum(axis=1, keepdims=True)
        weighed = votes + how.pool_weight * found * pool
    if links is not None:
        scores = np.log(np.maximum(found, SMALLEST_GUESS))
    return Teacher(linear, scores, found)


def teach_by_names(whitened: np.ndarray, names: np.ndarray, how: Settings) -> Teacher:
    """Run EM on dense features, from the angles to vectors of the classes (classes, features)."""
    first = softmax(DENSE_KAPPA * (whitened @ names.T), axis=1)
    return teach_directions(whitened, no_votes(*first.shape), how, first)


def spread_guesses(links: Links, labels: LabelVotes, guesses: np.ndarray) -> np.ndarray:
    """Return scores of documents, from labels and guesses that spread along links in rounds."""
    own = np.where(labels.known[:, np.newaxis], labels.targets, guesses)
    mixed = own = own.astype(links.weights.dtype, copy=False)
    for _ in range(N_SPREAD):
        mixed = links.mix(own, mixed)
    return np.log(np.maximum(mixed / mixed.sum(axis=1, keepdims=True), SMALLEST_GUESS))


def say_of_neighbors(h: np.ndarray, labels: LabelVotes) -> float:
    """Return what neighbors count in a guess, as far as the labels confirm it.

    What is near in meaning may be of another class, such as praise and blame of the same product.
    So each labeled document gets the label of the nearest other one.
    """
    known = np.flatnonzero(labels.known)
    known = known[:: -(-len(known) // MOST_NEAREST) or 1]
    if len(known) < 2:
        return 0.0
    cosines, truth = h[known] @ h[known].T, labels.targets[known]
    np.fill_diagonal(cosines, -np.inf)
    answers = truth[cosines.argmax(axis=1)].argmax(axis=1)
    return min(SAY_OF_NEAREST, above_chance(answers, truth))


def link_neighbors(h: np.ndarray) -> sparse.csr_array:
    """Link each document to the nearest ones; the result is symmetric.

    ``h`` are dense features of unit length. A link weighs as much as the cube of the cosine,
    divided by the square roots of the sums for both documents: one that is near to many says less.
    Of more than 1,000 documents, only 334 to 500 at equal distances are found, which saves time.
    """
    n = len(h)
    some = np.arange(0, n, 1 if n <= MOST_NEAREST else -(-2 * n // MOST_NEAREST))
    k = min(N_NEAREST, len(some) - 1)
    if k < 1:
        return sparse.csr_array((n, n), dtype=h.dtype)
    nearest, weights = [], []
    for start in range(0, n, MOST_NEAREST):
        cosines = h[start : start + MOST_NEAREST] @ h[some].T
        own = np.flatnonzero((some >= start) & (some < start + MOST_NEAREST))
        cosines[some[own] - start, own] = -1
        found = np.sort(np.argpartition(cosines, -k, axis=1)[:, -k:], axis=1)
        nearest.append(some[found].ravel())
        weights.append(np.maximum(np.take_along_axis(cosines, found, axis=1), 0).ravel() ** 3)
    entries = np.concatenate(weights), np.concatenate(nearest), np.arange(0, n * k + 1, k)
    links = sparse.csr_array(entries, shape=(n, n))
    links = links.maximum(links.T).tocsr()
    scale = np.sqrt(inverse_or_zero(links.sum(axis=1))).astype(h.dtype)
    links.data *= scale[links.indices] * per_entry(links, scale)
    return links


def unit(rows: np.ndarray) -> np.ndarray:
    """Scale rows to length 1; a row of zeros stays."""
    length = np.sqrt(np.einsum("ij,ij->i", rows, rows))[:, np.newaxis]
    return rows / np.where(length > 0, length, 1)


def latent_axes(documents: Documents, n_axes: int) -> np.ndarray:
    """Return the first singular axes (terms, axes), on which documents are projected.

    This is latent semantic analysis. An axis is scaled such that a document has its singular value
    to the 3/4 as factor, so that the first axes do not outweigh all others. The range is
    found by a random combination of documents, whose order is fixed by their content, and two steps
    of the power method.
    """
    x, x_t = documents.x, documents.transposed
    n_axes = min(n_axes, *x.shape)
    wide = min(n_axes + 10, *x.shape)
    basis = np.random.default_rng(0).normal(size=(x.shape[0], wide)).astype(x.dtype)
    for _ in range(3):
        basis = np.linalg.qr(x @ (x_t @ basis))[0]
    projected = x_t @ basis
    squares, turn = np.linalg.eigh(projected.T @ projected)
    squares, turn = squares[: -n_axes - 1 : -1], turn[:, : -n_axes - 1 : -1]
    exists = squares > NO_AXIS * squares.max(initial=0)
    scale = np.power(squares, -0.625, out=np.zeros_like(squares), where=exists)
    return projected @ (turn * scale)
