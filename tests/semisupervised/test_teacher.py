"""The teachers: the walk, mean directions, and latent directions."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings
from numpy.testing import assert_allclose
from scipy import sparse

from honeybayes.semisupervised._labels import LabelVotes, collect_votes
from honeybayes.semisupervised._regression import Documents
from honeybayes.semisupervised._teacher import (
    Settings,
    latent_axes,
    teach_directions,
    unit,
    walked,
)
from honeybayes.utils.matrices import group_repeats

HOW = Settings()


@settings(max_examples=40)
@given(
    X=st.lists(
        st.lists(st.sampled_from([0, 0, 0.5, 1, 2, 5]), min_size=4, max_size=4),
        min_size=3,
        max_size=8,
    ),
    share=st.floats(0, 1),
)
def test_the_walk_keeps_the_weight_of_each_class(X, share):
    X = sparse.csr_array(np.array(X, dtype=float))
    weight = X.T @ np.random.default_rng(0).uniform(size=(X.shape[0], 2))
    after = walked(Documents(X), weight, share)
    assert_allclose(after.sum(axis=0), weight.sum(axis=0), atol=1e-12)


def documents(n_documents=40, n_terms=15, seed=0):
    random = np.random.default_rng(seed)
    x = random.uniform(size=(n_documents, n_terms)) * (random.uniform(size=(40, 15)) < 0.4)
    return unit(x)


def directions(x, n_axes):
    return unit(x @ latent_axes(Documents(sparse.csr_array(x)), n_axes))


@pytest.mark.parametrize("n_axes", [1, 5, 15, 100])
def test_latent_directions_are_those_of_the_full_svd(n_axes):
    x = documents()
    found = directions(x, n_axes)
    u, s, _ = np.linalg.svd(x, full_matrices=False)
    expected = unit(u[:, :n_axes] * s[:n_axes] ** 0.75)
    # axes have no sign, and the angles are what counts
    assert_allclose(found @ found.T, expected @ expected.T, atol=1e-3)


def test_latent_directions_of_few_or_empty_documents():
    assert directions(np.zeros((3, 4)), 2).tolist() == [[0, 0]] * 3
    one = directions(documents()[:1], 5)
    assert_allclose(np.abs(one), [[1]])


def by_loops(h, position, n_classes, guesses, n_rounds):
    """Mean directions and guesses in turn, document by document."""
    h, position = np.asarray(h), list(position)
    weights = np.zeros((len(h), n_classes))
    for i, label in enumerate(position):
        if label >= 0:
            weights[i, label] = 1
        elif guesses is not None:
            weights[i] = HOW.pool_weight * guesses[i]
    for left in range(n_rounds, -1, -1):
        scores = np.zeros((len(h), n_classes))
        size = [1 + sum(weights[:, c]) for c in range(n_classes)]
        for c in range(n_classes):
            mean = sum(weights[i, c] * h[i] for i in range(len(h)))
            mean = mean / np.linalg.norm(mean)
            share = 0.7 * size[c] / sum(size) + 0.3 / n_classes
            for i in range(len(h)):
                scores[i, c] = 20 * float(h[i] @ mean) + np.log(share)
        if left:
            for i, label in enumerate(position):
                if label < 0:
                    powers = np.exp(scores[i] - scores[i].max())
                    weights[i] = HOW.pool_weight * powers / powers.sum()
    return scores


@pytest.mark.parametrize("with_guesses", [False, True])
@pytest.mark.parametrize("n_rounds", [0, 1, 3])
def test_directions_equal_the_loops(n_rounds, with_guesses):
    random = np.random.default_rng(1)
    h = unit(random.normal(size=(12, 4)))
    position = np.array([0, 1, 2, 0, *[-1] * 8])
    known = position >= 0
    labels = LabelVotes(np.eye(3)[position] * known[:, None], known.astype(float))
    guesses = random.dirichlet(np.ones(3), 12) if with_guesses else None
    found = teach_directions(h, labels, HOW, guesses, n_rounds, 20.0).scores
    assert_allclose(found, by_loops(h, position, 3, guesses, n_rounds), rtol=1e-9)


def test_groups_of_identical_documents():
    X = sparse.csr_array([[1.0, 0], [0, 2], [1, 0], [0, 0], [0, 1], [0, 0]])
    first, group = group_repeats(X)
    assert first.tolist() == [0, 1, 3, 4]
    assert group.tolist() == [0, 1, 0, 2, 3, 2]
    vectors = np.array([[0.0], [0], [1], [0], [0], [0]])
    assert group_repeats(X, vectors)[1].tolist() == [0, 1, 2, 3, 4, 3]


def test_votes():
    position = np.array([0, 1, 0, -1, 1, 0, 1])
    weight = np.array([1.0, 1.0, 1.0, 1.0, 0.25, 0.25, 0.0])
    group = np.array([0, 0, 0, 1, 2, 2, 3])
    labels = collect_votes(position, weight, group, 4, 2)
    assert_allclose(labels.targets, [[2 / 3, 1 / 3], [0, 0], [0.5, 0.5], [0, 0]])
    assert_allclose(labels.weight, [1, 0, 0.5, 0])  # copies are not new evidence
    assert labels.position.tolist() == [0, -1, 0, -1]
    heavy = collect_votes(np.array([0, 0]), np.array([3.0, 2.0]), np.array([0, 0]), 1, 2)
    assert heavy.weight.tolist() == [3]
