"""TermSelector: the best terms of the training part, and nothing of the test part."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.feature_selection import SelectKBest
from sklearn.naive_bayes import BernoulliNB
from sklearn.pipeline import make_pipeline

from honeybayes.text import TermSelector, term_scores

FUNCTIONS = {
    "information-gain": term_scores.information_gain,
    "gain-ratio": term_scores.gain_ratio,
    "chi-square": term_scores.chi_square,
    "weka-gain": term_scores.weka_gain,
}


@pytest.fixture(scope="module")
def counts():
    rng = np.random.default_rng(1)
    y = rng.choice(["a", "b", "c"], size=60)
    X = rng.poisson(np.where(y[:, np.newaxis] == "a", 0.5, 0.2) * rng.uniform(0, 2, size=30))
    return X, y


@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_name_means_its_score(name, counts):
    X, y = counts
    selector = TermSelector(score_func=name, n_terms=5).fit(sparse.csr_array(X), y)
    assert_array_equal(selector.scores_, FUNCTIONS[name](X, y))
    n_above_zero = min(5, np.count_nonzero(selector.scores_))  # SelectKBest breaks ties otherwise
    selector.set_params(n_terms=n_above_zero).fit(X, y)
    reference = SelectKBest(FUNCTIONS[name], k=n_above_zero).fit(X, y)
    assert_array_equal(selector.get_support(), reference.get_support())


def test_a_callable_is_a_score_too(counts):
    X, y = counts
    selector = TermSelector(score_func=lambda X, y: -np.arange(X.shape[1]), n_terms=3).fit(X, y)
    assert_array_equal(selector.get_support(indices=True), [0, 1, 2])


def by_first_row(X, y):
    """Take the numbers of the first document for the scores."""
    return X[0]


@given(scores=st.lists(st.integers(0, 3), min_size=1, max_size=12), n_terms=st.integers(1, 14))
def test_best_scores_win_and_earlier_columns_break_ties(scores, n_terms):
    X = np.array([scores, scores])
    selector = TermSelector(score_func=by_first_row, n_terms=n_terms).fit(X, [0, 1])
    by_rank = sorted(range(len(scores)), key=lambda term: (-scores[term], term))
    assert_array_equal(selector.get_support(indices=True), sorted(by_rank[:n_terms]))


def test_fewer_terms_than_wanted_are_all_kept(counts):
    X, y = counts
    assert_array_equal(TermSelector(n_terms=1000).fit_transform(X, y), X)


@pytest.mark.parametrize("make", [np.asarray, sparse.csr_array, sparse.csc_matrix])
def test_columns_come_out_as_they_went_in(make, counts):
    X, y = counts
    selector = TermSelector(n_terms=4).fit(make(X), y)
    kept = selector.transform(make(X))
    assert sparse.issparse(kept) == sparse.issparse(make(X))
    assert_array_equal(
        kept.toarray() if sparse.issparse(kept) else kept, X[:, selector.get_support()]
    )


def test_selection_in_a_pipeline_sees_the_training_part_alone():
    texts = ["red apple", "red plum", "blue sky", "blue sea", "green leaf", "green tree"]
    y = np.array([0, 0, 1, 1, 0, 1])
    pipeline = make_pipeline(CountVectorizer(), TermSelector(n_terms=2), BernoulliNB())
    pipeline.fit(texts[:4], y[:4])
    assert pipeline[:-1].get_feature_names_out().tolist() == ["blue", "red"]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        (
            {"score_func": "luck"},
            "score_func, if it is not callable, must be one of 'chi-square', .* got 'luck'",
        ),
        ({"n_terms": 0}, "n_terms must be an integer, 1 or more; got 0"),
        ({"n_terms": 2.5}, "n_terms must be an integer, 1 or more; got 2.5"),
        (
            {"score_func": lambda X, y: (np.ones(2), np.ones(2))},
            r"one number for each of the 2 terms; it returned shape \(2, 2\)",
        ),
    ],
)
def test_wrong_parameters_are_refused_by_fit(parameters, message):
    selector = TermSelector(**parameters)
    with pytest.raises(ValueError, match=message):
        selector.fit([[1, 0], [0, 1]], ["a", "b"])
    assert not hasattr(selector, "scores_")
