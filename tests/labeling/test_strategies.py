"""Strategies, compared with literal versions of their definitions."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeybayes.labeling import STRATEGIES, Situation
from honeybayes.labeling.strategies import (
    find_strategy,
    margin,
    typical,
    typical_then_unsure,
    unsure,
)


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


def test_typical_takes_the_largest_group_without_a_label_first():
    axes = points_in_groups([10, 30, 20])
    situation = Situation(np.arange(60), np.zeros(0, dtype=int), axes, batch=3)
    chosen = typical(situation, 3, np.random.default_rng(0))
    groups = np.repeat([0, 1, 2], [10, 30, 20])
    assert groups[chosen].tolist() == [1, 2, 0]


def test_typical_leaves_groups_with_a_label_for_later():
    axes = points_in_groups([10, 30, 20])
    labeled = np.array([12])  # in the largest group
    candidates = np.setdiff1d(np.arange(60), labeled)
    situation = Situation(candidates, labeled, axes, batch=2)
    chosen = typical(situation, 2, np.random.default_rng(0))
    groups = np.repeat([0, 1, 2], [10, 30, 20])
    assert sorted(groups[chosen]) == [0, 2]


def test_typical_takes_the_text_with_the_nearest_neighbors():
    rng = np.random.default_rng(1)
    axes = np.column_stack([np.ones(40), rng.normal(0, 0.3, (40, 3))])
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    situation = Situation(np.arange(40), np.zeros(0, dtype=int), axes, batch=1)
    [chosen] = typical(situation, 1, np.random.default_rng(0))
    # the definition: the mean similarity to the 20 nearest others is largest
    likeness = axes @ axes.T - 2 * np.eye(40)
    assert chosen == np.sort(likeness, axis=1)[:, -20:].mean(axis=1).argmax()


def test_texts_without_words_are_chosen_only_if_there_are_no_others():
    axes = np.vstack([np.zeros((3, 2)), np.eye(2)])
    nothing = np.zeros(0, dtype=int)
    rng = np.random.default_rng(0)
    assert set(typical(Situation(np.arange(5), nothing, axes), 2, rng)) == {3, 4}
    assert set(typical(Situation(np.arange(3), nothing, axes), 2, rng)) < {0, 1, 2}


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


def test_unsure_takes_typical_texts_of_the_third_with_the_smallest_margins():
    axes = points_in_groups([45, 45])
    lead = np.linspace(0.01, 0.99, 90)
    np.random.default_rng(0).shuffle(lead)
    probabilities = np.column_stack([(1 + lead) / 2, (1 - lead) / 2])
    situation = Situation(np.arange(90), np.zeros(0, dtype=int), axes, probabilities)
    chosen = unsure(situation, 2, np.random.default_rng(0))
    assert (lead[chosen] <= np.sort(lead)[29]).all()
    assert sorted(chosen // 45) == [0, 1]


def test_the_default_alternates_after_some_labels():
    rng = np.random.default_rng(0)
    axes = points_in_groups([100, 100])
    probabilities = rng.dirichlet(np.ones(2), 200)
    situation = Situation(np.arange(50, 200), np.arange(50), axes, probabilities)
    chosen = typical_then_unsure(situation, 4, np.random.default_rng(5)).tolist()
    again = np.random.default_rng(5)
    first = typical(situation, 4, again).tolist()
    second = unsure(situation, 5, again).tolist()
    assert chosen[::2] == second[:2]
    assert chosen[1::2] == first[:2]
    few = replace(situation, labeled=np.arange(10))
    expected = typical(few, 4, np.random.default_rng(5)).tolist()
    assert typical_then_unsure(few, 4, np.random.default_rng(5)).tolist() == expected


def test_an_unknown_strategy_is_an_error():
    with pytest.raises(ValueError, match=r"There is no strategy 'typcal'.*Did you mean"):
        find_strategy("typcal")
    assert find_strategy(margin) is margin
