"""Strategies, compared with literal versions of their definitions."""

from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeybayes.labeling import STRATEGIES, Situation, strategies
from honeybayes.labeling.strategies import find_strategy, margin, representative


def points_in_groups(sizes, seed=0):
    """Return unit vectors: groups along the axes, with one exact center in each group."""
    rng = np.random.default_rng(seed)
    found = []
    for axis, size in enumerate(sizes):
        group = np.eye(len(sizes))[[axis] * size] + rng.normal(0, 0.1, (size, len(sizes)))
        group[0] = np.eye(len(sizes))[axis]
        found.append(group)
    points = np.vstack(found)
    return points / np.linalg.norm(points, axis=1, keepdims=True)


def represented(axes, labeled, weight):
    """Return how far all texts are represented: literally the definition."""
    return sum(
        w * max([max(0.0, float(axis @ axes[other])) ** 2 for other in labeled], default=0.0)
        for axis, w in zip(axes, weight, strict=True)
    )


@pytest.mark.parametrize("with_model", [False, True])
@pytest.mark.parametrize("block", [2, 1000])
@given(seed=st.integers(0, 1000), n_labeled=st.integers(0, 4))
def test_representative_takes_the_text_that_adds_most(with_model, block, seed, n_labeled):
    rng = np.random.default_rng(seed)
    axes = rng.normal(size=(12, 3))
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    labeled, candidates = np.arange(n_labeled), np.arange(n_labeled, 12)
    probabilities = rng.dirichlet(np.ones(3), 12) if with_model else None
    weight = np.ones(12)
    if probabilities is not None:
        best = np.sort(probabilities, axis=1)
        weight = 1 - (best[:, 2] - best[:, 1])
    weight[labeled] = 0  # a text with a label needs no other one
    situation = Situation(candidates, labeled, axes, probabilities)
    known = labeled.tolist()
    with mock.patch.object(strategies, "BLOCK", block):
        found = representative(situation, 5, rng)
    for chosen in found.tolist():
        gains = {
            at: represented(axes, [*known, at], weight) for at in candidates if at not in known
        }
        # leads and gains are rounded to three digits
        assert gains[chosen] == pytest.approx(max(gains.values()), abs=0.008)
        known.append(chosen)


def test_representative_takes_large_groups_and_leaves_those_with_a_label_for_later():
    axes, groups = points_in_groups([10, 30, 20]), np.repeat([0, 1, 2], [10, 30, 20])
    rng = np.random.default_rng(0)
    chosen = representative(Situation(np.arange(60), np.zeros(0, dtype=int), axes), 3, rng)
    assert groups[chosen].tolist() == [1, 2, 0]
    labeled = np.array([12])  # in the largest group
    situation = Situation(np.setdiff1d(np.arange(60), labeled), labeled, axes)
    assert groups[representative(situation, 2, rng)].tolist() == [2, 0]


def test_representative_takes_groups_of_which_the_model_is_unsure():
    axes, groups = points_in_groups([30, 20]), np.repeat([0, 1], [30, 20])
    probabilities = np.where(groups[:, np.newaxis] == 0, [0.99, 0.01], [0.6, 0.4])
    situation = Situation(np.arange(50), np.zeros(0, dtype=int), axes, probabilities)
    assert groups[representative(situation, 1, np.random.default_rng(0))] == [1]


def test_of_equal_texts_those_come_first_of_which_the_model_is_unsure():
    # form letters: random directions, so that rounding errors differ between equal texts
    directions = np.random.default_rng(0).normal(size=(4, 7)).astype(np.float32)
    axes = np.repeat(directions / np.linalg.norm(directions, axis=1, keepdims=True), 50, axis=0)
    labeled = np.arange(0, 200, 50)
    probabilities = np.repeat([[0.999, 0.001], [0.5, 0.5]], [150, 50], axis=0)
    situation = Situation(np.setdiff1d(np.arange(200), labeled), labeled, axes, probabilities)
    chosen = representative(situation, 8, np.random.default_rng(0))
    assert chosen.tolist() == [*range(151, 159)]


def test_gains_that_differ_by_rounding_errors_are_ties(monkeypatch):
    """The same directions, with the errors that another processor may make."""
    rng = np.random.default_rng(1)
    directions = rng.normal(size=(5, 7))
    axes = np.repeat(directions / np.linalg.norm(directions, axis=1, keepdims=True), 40, axis=0)
    probabilities = rng.dirichlet(np.ones(3), 200)
    nothing = np.zeros(0, dtype=int)

    def choose(error):
        moved = axes * (1 + error * np.random.default_rng(2).normal(size=axes.shape))
        return representative(Situation(np.arange(200), nothing, moved, probabilities), 60, rng)

    expected = choose(0).tolist()
    assert choose(1e-7).tolist() == expected


def test_nan_among_the_probabilities_ends_nothing():
    nan, nothing = np.full((4, 2), np.nan), np.zeros(0, dtype=int)
    chosen = representative(Situation(np.arange(4), nothing, np.eye(4), nan), 3, None)
    assert len(set(chosen.tolist())) == 3


def test_representative_compares_a_sample_of_many_texts(monkeypatch):
    monkeypatch.setattr(strategies, "MOST_COMPARED", 8)
    axes = points_in_groups([30, 20])
    situation = Situation(np.arange(50), np.zeros(0, dtype=int), axes)
    chosen = representative(situation, 20, np.random.default_rng(0))
    assert len(set(chosen.tolist())) == 8


def test_texts_without_words_are_chosen_only_if_there_are_no_others():
    axes = np.vstack([np.zeros((3, 2)), np.eye(2)])
    nothing = np.zeros(0, dtype=int)
    rng = np.random.default_rng(0)
    assert set(representative(Situation(np.arange(5), nothing, axes), 2, rng)) == {3, 4}
    assert set(representative(Situation(np.arange(3), nothing, axes), 2, rng)) < {0, 1, 2}


@given(st.integers(0, 1000), st.integers(2, 4))
def test_margin_takes_the_smallest_lead(seed, n_classes):
    probabilities = np.random.default_rng(seed).dirichlet(np.ones(n_classes), 20)
    candidates = np.arange(3, 20)
    situation = Situation(candidates, np.arange(3), np.ones((20, 1)), probabilities)
    leads = [(lambda best: best[0] - best[1])(sorted(row, reverse=True)) for row in probabilities]
    expected = sorted(candidates, key=lambda at: leads[at])[:4]
    assert margin(situation, 4, np.random.default_rng(0)).tolist() == expected


@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.parametrize("with_model", [False, True])
@given(data=st.data())
def test_every_strategy_returns_distinct_candidates(name, with_model, data):
    n = data.draw(st.integers(2, 40))
    labeled = np.array(data.draw(st.lists(st.integers(0, n - 1), unique=True, max_size=n - 1)), int)
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    axes = rng.normal(size=(n, 3)) * rng.choice([0, 1, 1], n)[:, np.newaxis]
    axes /= np.maximum(np.linalg.norm(axes, axis=1, keepdims=True), 1e-9)
    candidates = np.setdiff1d(np.arange(n), labeled)
    probabilities = rng.dirichlet(np.ones(3), n) if with_model else None
    wanted = data.draw(st.integers(1, 10))
    found = STRATEGIES[name](
        Situation(candidates, np.sort(labeled), axes, probabilities), wanted, rng
    )
    assert len(found) == len(set(found.tolist())) <= wanted
    assert len(found) >= min(wanted, len(candidates), 1)
    assert set(found.tolist()) <= set(candidates.tolist())


def test_an_unknown_strategy_is_an_error():
    with pytest.raises(ValueError, match=r"There is no strategy 'representativ'.*Did you mean"):
        find_strategy("representativ")
    assert find_strategy(margin) is margin
