"""Links between neighbours, by definition: loops over pairs of documents."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from sklearn.linear_model import LogisticRegression

from honeybayes.semisupervised import _teacher
from honeybayes.semisupervised._experts import Dense, View
from honeybayes.semisupervised._labels import LabelVotes
from honeybayes.semisupervised._seed_evidence import Names
from honeybayes.semisupervised._teacher import (
    Links,
    Settings,
    link_neighbors,
    say_of_neighbors,
    spread_guesses,
    teach_directions,
    unit,
)

HOW, SAY = Settings(), 0.6


def linked_by_loops(h, k, some):
    """Cubes of cosines to the k nearest of some documents, in both directions, then scaled."""
    n = len(h)
    links = np.zeros((n, n))
    for i in range(n):
        others = sorted((j for j in some if j != i), key=lambda j: -float(h[i] @ h[j]))
        for j in others[:k]:
            links[i, j] = max(float(h[i] @ h[j]), 0.0) ** 3
    links = np.maximum(links, links.T)
    sums = links.sum(axis=1)
    for i in range(n):
        for j in range(n):
            links[i, j] /= np.sqrt(sums[i] * sums[j]) if links[i, j] else 1.0
    return links


def some_documents(n=40, width=6, seed=0):
    return unit(np.random.default_rng(seed).normal(size=(n, width)))


def votes_of(position, n_classes):
    known = position >= 0
    return LabelVotes(np.eye(n_classes)[position] * known[:, None], known.astype(float))


def test_links_equal_the_loops():
    h = some_documents()
    assert_allclose(link_neighbors(h).toarray(), linked_by_loops(h, 10, range(40)), atol=1e-12)


def test_of_many_documents_only_some_are_found(monkeypatch):
    monkeypatch.setattr(_teacher, "MOST_NEAREST", 15)
    h = some_documents()
    found = link_neighbors(h).toarray()
    assert_allclose(found, linked_by_loops(h, 10, range(0, 40, 6)), atol=1e-12)
    assert not found[1, 2]


@pytest.mark.parametrize("n", [0, 1, 2])
def test_hardly_any_document(n):
    links = link_neighbors(some_documents(n))
    assert links.shape == (n, n)
    assert np.isfinite(links.data).all()


def test_a_document_without_a_vector_has_no_links():
    h = some_documents()
    h[3] = 0
    links = link_neighbors(h)
    assert np.abs(links.toarray()[3]).max() == 0
    position = np.array([0, 1, *[-1] * 38])
    guesses = np.random.default_rng(1).dirichlet(np.ones(2), 40)
    scores = spread_guesses(Links(links, SAY), votes_of(position, 2), guesses)
    assert_allclose(np.exp(scores[3]), guesses[3])


def test_guesses_spread_to_a_fixed_point(monkeypatch):
    """Many rounds solve the equation mixed = (1 - say) own + say links @ mixed."""
    monkeypatch.setattr(_teacher, "N_SPREAD", 200)
    links = link_neighbors(some_documents())
    position = np.array([0, 1, 2, *[-1] * 37])
    guesses = np.random.default_rng(1).dirichlet(np.ones(3), 40)
    own = np.vstack([np.eye(3), guesses[3:]])
    mixed = np.linalg.solve(np.eye(40) - SAY * links.toarray(), (1 - SAY) * own)
    expected = mixed / mixed.sum(axis=1, keepdims=True)
    scores = spread_guesses(Links(links, SAY), votes_of(position, 3), guesses)
    assert_allclose(np.exp(scores), expected)


def test_directions_with_links_equal_the_loops():
    h = some_documents()
    position = np.array([0, 1, 2, 0, *[-1] * 36])
    labels, links = votes_of(position, 3), linked_by_loops(h, 10, range(40))
    weights, mixed = labels.targets.copy(), None
    for _ in range(4):  # three rounds, and the last means
        size = 1 + weights.sum(axis=0)
        scores = np.zeros((40, 3))
        for c in range(3):
            mean = sum(weights[i, c] * h[i] for i in range(40))
            share = 0.7 * size[c] / size.sum() + 0.1
            scores[:, c] = 20 * h @ mean / np.linalg.norm(mean) + np.log(share)
        own = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
        own[:4] = labels.targets[:4]
        mixed = (1 - SAY) * own + SAY * links @ (own if mixed is None else mixed)
        guesses = mixed / mixed.sum(axis=1, keepdims=True)
        weights = np.vstack([labels.targets[:4], HOW.pool_weight * guesses[4:]])
    of_all = Links(link_neighbors(h), SAY)
    found = teach_directions(h, labels, HOW, None, 3, 20.0, None, of_all)
    assert_allclose(found.guesses, guesses)
    assert_allclose(found.scores, np.log(guesses))


def test_the_regression_knows_the_names():
    """A name is one more labeled document; then guesses spread."""
    h, random = some_documents(), np.random.default_rng(2)
    position = np.array([0, 1, 2, 0, 1, 2, *[-1] * 34])
    labels, names = votes_of(position, 3), unit(h[:3] + 0.1 * random.normal(size=(3, 6)))
    view = View(sparse.csr_array(np.eye(40)), Dense(h, h), HOW)
    view.names = Names(names, names)
    worth = view.weigh_names(labels)
    assert worth > 0
    texts, y = np.vstack([h[:6], names]), [0, 1, 2, 0, 1, 2, 0, 1, 2]
    fitted = LogisticRegression(C=10, tol=1e-8).fit(texts, y, [1.0] * 6 + [worth] * 3)
    links = Links(link_neighbors(h), say_of_neighbors(h, labels))
    expected = spread_guesses(links, labels, fitted.predict_proba(h))
    assert_allclose(view.experts(labels)[-1], expected, atol=5e-3)


def test_neighbors_count_as_far_as_labels_confirm_them():
    """The definition: the nearest other labeled document names the class, compared with chance."""
    h, position = some_documents(), np.array([0, 1, 1, 0, 2, 1, 0, *[-1] * 33])
    h[3] = unit(h[[0]] + 0.1 * h[[3]])[0]
    answers = []
    for i in range(7):
        nearest = max((j for j in range(7) if j != i), key=lambda j: float(h[i] @ h[j]))
        answers.append(position[nearest])
    chance = sum((position[:7] == c).mean() * np.mean(np.array(answers) == c) for c in range(3))
    accuracy = ((np.array(answers) == position[:7]).sum() + 4 * chance) / (7 + 4)
    expected = max(0, accuracy - chance) / (1 - chance)
    assert 0 < expected < SAY
    assert say_of_neighbors(h, votes_of(position, 3)) == pytest.approx(expected)


def test_neighbors_have_no_say_if_classes_are_not_what_is_near():
    """Two topics, and in each of them praise and blame."""
    topics = np.repeat(np.eye(2), 20, axis=0)
    h = unit(topics + 0.05 * np.random.default_rng(0).normal(size=topics.shape))
    labels = votes_of(np.tile([0, 1], 20), 2)
    assert say_of_neighbors(h, labels) < 0.15
    assert say_of_neighbors(h, votes_of(np.repeat([0, 1], 20), 2)) == SAY
    assert say_of_neighbors(h, votes_of(np.full(40, -1), 2)) == 0
