"""HigherOrderNB: the paper's equations, and classes without a path."""

import threading
import warnings

import numpy as np
import pytest
from joblib import parallel_config
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.exceptions import NotFittedError

from honeybayes import HigherOrderNB, NoPathWarning, SmoothedBernoulliNB
from honeybayes.bayes import higher_order
from honeybayes.bayes._binary_events import laplace
from honeybayes.paths import count_paths
from tests.paths.path_oracle import all_paths, pure_paths, tally

RNG = np.random.default_rng(2)
X = (RNG.random((15, 7)) < 0.5).astype(int)
y = np.repeat(["a", "b", "c"], 5)
PARTS = [X[y == c] for c in "abc"]


@pytest.mark.parametrize("order", [1, 2, 3])
def test_estimates_from_paths(order):
    """honb-2009 Eq. 8 and 9, the paths enumerated."""
    tallies = [tally(all_paths(part, order), 7) for part in PARTS]
    totals = np.array([total for _, total in tallies])
    assert totals.all()
    model = HigherOrderNB(order=order).fit(X, y)
    assert model.order_ == order
    assert_array_equal(model.total_paths_, totals)
    for c, (per_term, total) in enumerate(tallies):
        assert_array_equal(model.path_count_[c], per_term)
        p = (1 + per_term) / (2 + total)
        assert_allclose(np.exp(model.feature_log_prob_[c]), p)
        assert_allclose(np.exp(model.feature_log_absence_prob_[c]), 1 - p)
    assert_allclose(np.exp(model.class_log_prior_), totals / totals.sum())


@pytest.mark.parametrize("pure", ["class", "corpus"])
def test_pure_paths(pure):
    thin = np.array(
        [[1, 1, 0, 0, 0], [0, 1, 1, 0, 0], [0, 0, 1, 1, 0], [0, 0, 0, 1, 1], [1, 0, 1, 0, 0]] * 2
    )
    labels = np.array([0, 0, 0, 0, 1, 1, 1, 1, 1, 1])
    model = HigherOrderNB(pure=pure).fit(thin, labels)
    for c in (0, 1):
        part = thin[labels == c]
        per_term, total = tally(pure_paths(part, part if pure == "class" else thin), 5)
        assert_array_equal(model.path_count_[c], per_term)
        assert model.total_paths_[c] == total > 0
    assert model.pure_ == pure
    assert model.path_count_.sum() < HigherOrderNB().fit(thin, labels).path_count_.sum()


def test_priors():
    sizes = np.array([4, 5, 6])
    labels = np.repeat([0, 1, 2], sizes)
    by_documents = HigherOrderNB(prior="documents").fit(X, labels)
    assert_allclose(np.exp(by_documents.class_log_prior_), sizes / 15)
    uniform = HigherOrderNB(prior="uniform").fit(X, labels)
    assert_allclose(np.exp(uniform.class_log_prior_), 1 / 3)


def test_integers_until_the_logs():
    """Of 2^60 paths a word misses one: in float64, 1 - P would be 0 or 256 times too large."""
    total = 2**60
    counts = np.array([[total - 1, total, 0]])
    estimate = laplace(counts, np.array([total]), np.array([1.0]), 1.0)
    log_total = np.log(float(total))
    assert_allclose(estimate.absent, [[np.log(2) - log_total, -log_total, 0]], rtol=1e-12)
    assert_allclose(estimate.present, [[0, 0, -log_total]], rtol=1e-12, atol=1e-12)


def test_rounded_counts_above_their_total():
    counts, total = np.array([[1e19 + 4096, 5.0]]), np.array([1e19])
    estimate = laplace(counts, total, np.array([1.0]), 1.0)
    assert np.isfinite(estimate.absent).all()


def test_totals_beyond_int64():
    many = (np.random.default_rng(0).random((700, 900)) < 0.9).astype(int)
    documents, labels = np.vstack([many, many[:60]]), [0] * 700 + [1] * 60
    model = HigherOrderNB(order=3).fit(documents, labels)
    assert model.total_paths_[0] > 2**64
    assert np.isfinite(model.predict_log_proba(documents)).all()


def test_failed_fit_leaves_no_half_fitted_model():
    model = HigherOrderNB(alpha=-1)
    with pytest.raises(ValueError, match="alpha"):
        model.fit(X, y)
    with pytest.raises(NotFittedError):
        model.predict(X)
    model.set_params(alpha=1.0).fit(X, y)
    expected = model.predict(X)
    with pytest.raises(ValueError, match="order"):
        model.set_params(order=0).fit(X, np.repeat(["x", "y", "z"], 5))
    assert_array_equal(model.predict(X), expected)


SHORT = np.array([1, 1, 1, 0, 0, 0, 0])


def test_one_document_class_falls_back_to_pairs_for_all_classes():
    documents, labels = np.vstack([X, SHORT]), [*y, "one"]
    with pytest.warns(NoPathWarning, match=r"order 2 in the classes \['one'\].*paths of order 1"):
        model = HigherOrderNB().fit(documents, labels)
    assert model.order_ == 1
    pairs = [count_paths(part, 1) for part in [*PARTS, SHORT[np.newaxis]]]
    assert_array_equal(model.path_count_, [count.per_term for count in pairs])
    totals = np.array([count.total for count in pairs])
    assert_allclose(np.exp(model.class_log_prior_), totals / totals.sum())
    # alpha in proportion to the paths: a word that is nowhere is as unlikely in every class
    alpha = totals / totals.max()
    expected = (alpha[:, np.newaxis] + model.path_count_) / (2 * alpha + totals)[:, np.newaxis]
    assert_allclose(np.exp(model.feature_log_prob_), expected)
    assert model.predict(SHORT[np.newaxis])[0] == "one"


@pytest.mark.parametrize("seed", range(20))
def test_one_document_class_wins_its_own_document(seed):
    rng = np.random.default_rng(seed)
    documents = (rng.random((30, 50)) < rng.uniform(0.1, 0.5, 50)).astype(int)
    labels = np.array([0] * 15 + [1] * 14 + [2])
    with pytest.warns(NoPathWarning):
        model = HigherOrderNB().fit(documents, labels)
    assert model.predict(documents[-1:])[0] == 2


def test_one_short_document_does_not_take_the_others():
    """With the same alpha for all classes it would: an unseen word would be likelier there."""
    rng = np.random.default_rng(0)
    topics = np.repeat(np.eye(3), 30, axis=1) * 0.25 + 0.02
    labels = np.array([0] * 15 + [1] * 15 + [2])
    documents = (rng.random((31, 90)) < topics[labels]).astype(int)
    documents[-1, 62:] = 0
    new_labels = np.repeat([0, 1], 200)
    new = (rng.random((400, 90)) < topics[new_labels]).astype(int)
    with pytest.warns(NoPathWarning):
        model = HigherOrderNB().fit(documents, labels)
    assert model.score(new, new_labels) > 0.9


def test_documents_if_a_class_has_no_pair():
    """One-word documents have no path of any order: Laplace on documents, Eq. 6 and 7."""
    documents = np.vstack([X, np.eye(7, dtype=int)[:2]])
    labels = [*y, "single", "single"]
    with pytest.warns(NoPathWarning, match=r"\['single'\]; all classes use document counts"):
        model = HigherOrderNB().fit(documents, labels)
    assert model.order_ == 0
    plain = SmoothedBernoulliNB().fit(documents, labels)
    assert_allclose(model.feature_log_prob_, plain.feature_log_prob_)
    assert_allclose(model.class_log_prior_, plain.class_log_prior_)


def test_falls_one_order_at_a_time():
    documents = np.vstack([X, [[1, 1, 0, 0, 0, 0, 0], [0, 1, 1, 0, 0, 0, 0]]])
    labels = [*y, "two", "two"]
    with pytest.warns(NoPathWarning, match="order 3 .*paths of order 2"):
        assert HigherOrderNB(order=3).fit(documents, labels).order_ == 2


def test_class_without_pure_path_falls_back_to_all_paths():
    documents = np.vstack([X, np.ones((2, 7), int)])
    labels = [*y, "full", "full"]
    with pytest.warns(NoPathWarning, match="No pure path of order 2.*'full'"):
        model = HigherOrderNB(pure="class").fit(documents, labels)
    assert model.pure_ is None
    assert_array_equal(model.path_count_, HigherOrderNB().fit(documents, labels).path_count_)


def test_no_warning_without_reason():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        HigherOrderNB().fit(X, y)


def test_warning_points_at_the_caller():
    with pytest.warns(NoPathWarning) as record:
        HigherOrderNB().fit(np.vstack([X, SHORT]), [*y, "one"])
    assert record[0].filename == __file__


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"order": 0}, "order must be an integer, 1 or more; got 0"),
        ({"order": "second"}, "order must be an integer, 1 or more; got 'second'"),
        ({"order": 3, "pure": "class"}, "pure paths are defined for order 2 only"),
        ({"pure": "all"}, "pure must be one of None, 'class', 'corpus'; got 'all'"),
        ({"pure": True}, "pure must be one of None, 'class', 'corpus'; got True"),
        ({"prior": "flat"}, "prior must be one of 'paths', 'documents', 'uniform'"),
        ({"alpha": 0}, "alpha must be a finite number above 0"),
        (
            {"n_jobs": 0},
            "n_jobs must be a number of jobs, -1 for all cores, or None; got 0",
        ),
        ({"n_jobs": True}, "n_jobs must be a number of jobs"),
        ({"n_jobs": "2"}, "n_jobs must be a number of jobs"),
    ],
)
def test_bad_parameters(parameters, message):
    with pytest.raises(ValueError, match=message):
        HigherOrderNB(**parameters).fit(X, y)


def test_counts_do_not_add_up_over_batches_so_there_is_no_partial_fit():
    assert not hasattr(HigherOrderNB(), "partial_fit")


@pytest.mark.parametrize("pure", [None, "class", "corpus"])
def test_threads_give_the_same_integers(pure, monkeypatch):
    threads = set()

    def count_in_thread(*arguments, **options):
        threads.add(threading.get_ident())
        return count_paths(*arguments, **options)

    monkeypatch.setattr(higher_order, "count_paths", count_in_thread)
    monkeypatch.setattr(higher_order, "SHARED_LINKS", 1)
    many = (np.random.default_rng(0).random((80, 150)) < 0.05).astype(int)
    labels = np.arange(80) % 4
    alone = HigherOrderNB(pure=pure).fit(many, labels)
    assert threads == {threading.get_ident()}
    assert alone.path_count_.dtype == np.int64
    for n_jobs in (None, 3):
        threads.clear()
        with parallel_config("threading", n_jobs=None if n_jobs else 3):
            together = HigherOrderNB(pure=pure, n_jobs=n_jobs).fit(many, labels)
        assert threads - {threading.get_ident()}
        assert_array_equal(together.path_count_, alone.path_count_)
        assert_array_equal(together.feature_log_prob_, alone.feature_log_prob_)
