"""Statistics of parts give the model that ``fit`` learns from the whole."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse

from honeybayes import HigherOrderNB, HigherOrderSmoothingNB, SmoothedBernoulliNB
from honeybayes.bayes import CountNB, HiddenNB
from honeybayes.exceptions import NoPathWarning
from honeybayes.paths import _counting, count_paths
from honeybayes.scale import Part, _statistics, fit_in_parts, start_statistics

MODELS = [
    CountNB(),
    CountNB(rule="complement", fit_prior=False),
    CountNB(rule="one-vs-rest"),
    SmoothedBernoulliNB(),
    SmoothedBernoulliNB(smoothing="jelinek-mercer"),
    HigherOrderNB(),
    HigherOrderNB(order=1, prior="documents"),
    HigherOrderSmoothingNB(),
    HigherOrderSmoothingNB(unlabeled="?", path_total="all"),
]
ids = [repr(model) for model in MODELS]


@st.composite
def split_corpora(draw):
    """Documents with labels, and parts of them in any order; a part may be empty."""
    shape = draw(st.tuples(st.integers(1, 12), st.integers(1, 8)))
    X = draw(arrays(np.int64, shape, elements=st.integers(0, 2)))
    y = np.array(
        draw(st.lists(st.sampled_from(["a", "bb", "c", "?"]), min_size=shape[0], max_size=shape[0]))
    )
    y[0] = "a"
    part_of = draw(st.lists(st.integers(0, 4), min_size=shape[0], max_size=shape[0]))
    order = draw(st.permutations(range(5)))
    return X, y, [np.flatnonzero(np.array(part_of) == part) for part in order]


def learn_merged(model, X, y, parts):
    """Learn as a cluster does: one object per part and pass, merged in pairs."""
    before = None
    while True:
        found = []
        for rows in parts:
            own = start_statistics(model) if before is None else before.next_pass()
            found.append(own.add(sparse.csr_array(X[rows]), y[rows]))
        while len(found) > 1:
            found = [found[0].merge(found[-1]), *found[1:-1]][::-1]
        if not found[0].n_passes_left:
            return found[0].finish()
        before = found[0]


def as_parts(parts):
    return [Part(f"part {number}", tuple, (part,)) for number, part in enumerate(parts)]


def fitted_state(model):
    return {
        name: value for name, value in vars(model).items() if name.endswith("_") or name[0] == "_"
    }


def assert_same_model(found, expected):
    state, wanted = fitted_state(found), fitted_state(expected)
    assert state.keys() == wanted.keys()
    for name, value in wanted.items():
        if isinstance(value, np.ndarray):
            assert state[name].dtype == value.dtype, name
            np.testing.assert_array_equal(state[name], value, err_msg=name)
        else:
            assert state[name] == value, name


@pytest.mark.filterwarnings("ignore::honeybayes.exceptions.NoPathWarning")
@pytest.mark.parametrize("model", MODELS, ids=ids)
@settings(max_examples=30, deadline=None)
@given(split_corpora())
def test_merged_parts_give_the_model_of_the_whole(model, corpus):
    X, y, parts = corpus
    expected = type(model)(**model.get_params()).fit(X, y)
    assert_same_model(learn_merged(model, X, y, parts), expected)
    in_turn = fit_in_parts(model, as_parts((X[rows], y[rows]) for rows in parts))
    assert_same_model(in_turn.model, expected)


@pytest.mark.filterwarnings("ignore::honeybayes.exceptions.NoPathWarning")
@settings(max_examples=50, deadline=None)
@given(split_corpora(), st.integers(1, 60), st.sampled_from([1, 40, 2**62]))
def test_ranges_of_terms_give_the_paths_of_each_class(corpus, max_pairs, limit):
    """A low limit makes classes count in both types, as those with huge counts do."""
    X, y, parts = corpus
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_statistics, "MAX_PAIRS", max_pairs)
        patch.setattr(_statistics, "EXACT_LIMIT", limit)
        patch.setattr(_counting, "EXACT_LIMIT", limit)
        expected = [count_paths(X[y == label]) for label in np.unique(y)]
        found = learn_merged(HigherOrderNB(), X, y, parts)
        if found.order_ == 2:
            np.testing.assert_array_equal(found.path_count_, [each.per_term for each in expected])
            assert found.total_paths_.tolist() == [each.total for each in expected]
        fitted = HigherOrderNB().fit(X, y)
    assert_same_model(found, fitted)


def test_a_range_bounds_the_pairs_in_memory():
    X, y = random_documents(200, 60)
    first = start_statistics(HigherOrderNB()).add(X, y)
    n_pairs = sum((X[y == label].T @ X[y == label]).nnz for label in "ab")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_statistics, "MAX_PAIRS", 1000)
        later, sizes = first.next_pass(), []
    while True:
        later.add(X, y)
        sizes.append(sum(sums["gram"].nnz for sums in later.by_class.values()))
        if not later.n_passes_left:
            break
        later = later.next_pass()
    assert len(sizes) > 5
    assert max(sizes) <= 1000 + 2 * 60
    assert sum(sizes) == n_pairs
    assert_same_model(later.finish(), HigherOrderNB().fit(X, y))


def test_paths_of_order_1_need_one_pass():
    X, y = random_documents(40, 20)
    found = start_statistics(HigherOrderNB(order=1)).add(X, y).finish()
    assert_same_model(found, HigherOrderNB(order=1).fit(X, y))


def test_a_class_without_a_path_warns_once_as_in_fit():
    X, y = np.array([[1, 1, 0], [0, 1, 1], [1, 0, 0]]), np.array(["a", "a", "b"])
    with pytest.warns(NoPathWarning) as of_fit:
        HigherOrderNB().fit(X, y)
    with pytest.warns(NoPathWarning) as of_parts:
        fit_in_parts(HigherOrderNB(), as_parts([(X[:1], y[:1]), (X[1:], y[1:])]))
    assert [str(each.message) for each in of_parts] == [str(each.message) for each in of_fit]


def random_documents(n_documents, n_terms):
    generator = np.random.default_rng(0)
    X = sparse.csr_array((generator.random((n_documents, n_terms)) < 0.1).astype(np.float64))
    return X, np.where(np.arange(n_documents) % 2, "a", "b")


def test_a_text_pipeline_learned_in_parts_predicts_the_same():
    X, y = random_documents(60, 30)
    for model in MODELS[:-1]:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = fit_in_parts(
                model, as_parts((X[at : at + 7], y[at : at + 7]) for at in range(0, 60, 7))
            ).model
        np.testing.assert_array_equal(found.predict(X), model.fit(X, y).predict(X))


BAD = [
    (lambda: start_statistics(HiddenNB()), "HiddenNB cannot be learned in parts"),
    (lambda: start_statistics(HigherOrderNB(order=3)), "order=3.* cannot be learned in parts"),
    (lambda: start_statistics(HigherOrderNB(pure="class")), "pure paths"),
    (lambda: start_statistics(CountNB()).finish(), "No document was added"),
    (lambda: start_statistics(HigherOrderNB()).next_pass(), "No document was added"),
    (lambda: start_statistics(HigherOrderNB()).add([[1]], ["a"]).finish(), "call next_pass"),
    (lambda: start_statistics(CountNB()).next_pass(), "needs no further pass"),
    (
        lambda: start_statistics(HigherOrderNB()).add([[1]], ["a"]).next_pass().add([[1]], ["b"]),
        "which the first one had not",
    ),
    (
        lambda: (
            start_statistics(HigherOrderNB())
            .add([[1], [1]], ["a", "b"])
            .next_pass()
            .add([[1]], ["b"])
            .finish()
        ),
        "This pass has 1 documents, but the first one had 2",
    ),
    (
        lambda: start_statistics(CountNB()).add([[1]], ["a"]).add([[1, 2]], ["a"]),
        "A part has 2 terms, but others have 1",
    ),
    (
        lambda: start_statistics(CountNB()).merge(start_statistics(CountNB(alpha=2.0))),
        "cannot be merged",
    ),
    (
        lambda: CountNB().fit([[1]], ["a"]).merge(CountNB().fit([[1, 2]], ["a"])),
        "The other model has 2 features",
    ),
]


@pytest.mark.parametrize(("act", "message"), BAD)
def test_what_does_not_fit_together_is_refused(act, message):
    with pytest.raises(ValueError, match=message):
        act()
