"""Agreement of several persons, compared with published values and an independent library."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeybayes.labeling import krippendorff_alpha, measure_agreement

# Krippendorff, "Computing Krippendorff's Alpha-Reliability", 2011, section C: four observers
PUBLISHED = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]


def by_text(observers):
    return [[each for each in votes if each is not None] for votes in zip(*observers, strict=True)]


def test_the_published_example():
    found = krippendorff_alpha(by_text(PUBLISHED))
    assert found.alpha == pytest.approx(0.743, abs=0.0005)
    assert found.n_texts == 11
    assert found.low < found.alpha < found.high


@given(
    st.lists(
        st.lists(st.sampled_from([None, 1, 2, 3]), min_size=3, max_size=3), min_size=2, max_size=30
    )
)
def test_it_is_that_of_an_independent_library(texts):
    krippendorff = pytest.importorskip("krippendorff", reason="krippendorff is not installed")
    units = [[each for each in votes if each is not None] for votes in texts]
    paired = [unit for unit in units if len(unit) > 1]
    found = krippendorff_alpha(units)
    assert found.n_texts == len(paired)
    if len({id for unit in paired for id in unit}) < 2:
        assert found.alpha is None
        return
    data = np.array([[np.nan if each is None else each for each in votes] for votes in texts]).T
    expected = krippendorff.alpha(data, level_of_measurement="nominal")
    assert found.alpha == pytest.approx(expected, abs=1e-9)


def test_full_agreement_on_few_texts_is_not_certain():
    few, many = (krippendorff_alpha([[1, 1], [2, 2]] * n) for n in (3, 300))
    assert few.alpha == many.alpha == few.high == 1
    assert few.low < 0.4 < 0.95 < many.low


def test_the_interval_contains_the_truth():
    """Two persons who name one of three classes by chance in 20 % of the texts."""
    rng, truth = np.random.default_rng(0), 0.8**2
    n_inside = 0
    for _ in range(400):
        right = rng.integers(1, 4, size=60)
        votes = [np.where(rng.random(60) < 0.8, right, rng.integers(1, 4, size=60)) for _ in "ab"]
        found = krippendorff_alpha(np.transpose(votes).tolist())
        n_inside += found.low <= truth <= found.high
    assert n_inside >= 0.9 * 400


def test_agreement_by_class():
    votes = {row: {"ann": 1 + row % 3, "ben": 1 + row % 3} for row in range(9)}
    votes |= {9: {"ann": 1, "ben": 2}, 10: {"ann": 2, "ben": 1}, 11: {"ann": 3}}
    found = measure_agreement(votes)
    assert (found.share, found.n_people) == (9 / 11, 2)
    assert found.by_class[3].alpha == 1
    assert found.by_class[1].alpha < found.overall.alpha < 1
    assert measure_agreement({0: {"ann": 1}}) is None
