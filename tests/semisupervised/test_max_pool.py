"""Learning from a sample of a large pool: who is in it, and what is learned from it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

from honeybayes.semisupervised import few_labels
from honeybayes.semisupervised._prepared import Prepared
from honeybayes.semisupervised._teacher import Settings
from tests.semisupervised.corpora import model, teacher_of, topics
from tests.semisupervised.em_oracle import Oracle, as_documents


def prepare(X):
    return Prepared(sparse.csr_array(X).astype(float), None, Settings())


known_documents = st.lists(st.booleans(), min_size=1, max_size=40).map(np.array)


@given(known_documents, st.integers(1, 45), st.data())
def test_labeled_documents_stay_and_one_label_changes_one_document(known, most, data):
    prepared = prepare(np.eye(len(known)))
    rows = prepared.choose(known, most)
    assert_array_equal(rows, np.unique(rows))
    assert set(np.flatnonzero(known)) <= set(rows)
    assert (~known[rows]).sum() == min(most, (~known).sum())
    assert_array_equal(prepared.choose(known, None), np.arange(len(known)))

    more = known.copy()
    more[data.draw(st.integers(0, len(known) - 1))] = True
    new = prepared.choose(more, most)
    assert len(set(rows) - set(new)) == 0
    assert len(set(new) - set(rows)) <= 1


def test_the_sample_is_spread_evenly_over_the_order_by_length():
    known = np.zeros(10_000, dtype=bool)
    rows = prepare(sparse.csr_array(sparse.eye(10_000))).choose(known, 1000)
    tenths = np.bincount(rows // 1000, minlength=10)
    assert_allclose(tenths, 100, atol=40)  # four standard deviations


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 99), st.integers(1, 25), st.sampled_from([0.0, 0.9]))
def test_the_rounds_on_the_sample_equal_the_loops(seed, most, walk):
    """The idf comes from all documents, the rest from the sample and its repeated terms."""
    X, y, _ = topics(n_documents=30, seed=seed)
    X, first = np.unique(X, axis=0, return_index=True)
    y = y[first]
    teacher, terms, idf, _ = teacher_of(X, y, max_pool=most, walk=walk)

    prepared = prepare(X)
    position = prepared.group  # of each document, among those in the order of their content
    rows = prepared.choose((y != "?")[np.argsort(position)], most)
    chosen = np.isin(position, rows)
    assert chosen[y != "?"].all()
    plain = np.log((1 + len(X)) / (1 + (X > 0).sum(axis=0)))
    repeated = np.flatnonzero((X[chosen] > 0).sum(axis=0) >= 2)
    assert_array_equal(terms, np.arange(40) if chosen.all() else repeated)
    offset = (idf - plain)[terms[0]]
    expected = np.full(40, 1e-6)
    expected[terms] = np.maximum(plain + offset, 1e-6)[terms]
    assert_allclose(idf, expected)
    x = np.where(X > 0, 1 + np.log(np.maximum(X, 1)), 0)[:, terms] * idf[terms]
    x /= np.maximum(np.linalg.norm(x, axis=1, keepdims=True), 1e-300)
    labels = [None if label == "?" else label for label in y[chosen].tolist()]
    oracle = Oracle(as_documents(x[chosen]), labels, len(terms), 0.01, 0.3, 0.3, walk)
    for _ in range(3):
        oracle.round()
    assert_allclose(np.exp(teacher.linear.coef.T), [oracle.word[c] for c in "abc"], rtol=1e-6)
    assert_allclose(np.exp(teacher.linear.intercept), [oracle.prior[c] for c in "abc"], rtol=1e-6)


def test_a_pool_that_is_not_larger_changes_nothing():
    X, y, _ = topics()
    expected = model(max_pool=None).fit(X, y)
    n_unlabeled = len(np.unique(X[y == "?"], axis=0))
    for most in (n_unlabeled, 10_000):
        assert_array_equal(model(max_pool=most).fit(X, y).coef_, expected.coef_)
    assert (model(max_pool=n_unlabeled - 1).fit(X, y).coef_ != expected.coef_).any()


def test_students_and_confidence_see_the_sample_only(monkeypatch):
    X, y, truth = topics(n_documents=300)
    seen = []
    teach = few_labels.teach_students

    def remember(views, labels, guesses, *others):
        seen.append((views[0].x.shape[0], labels.known.sum(), len(guesses)))
        return teach(views, labels, guesses, *others)

    monkeypatch.setattr(few_labels, "teach_students", remember)
    fitted = model(max_pool=100).fit(X, y)
    assert seen == [(106, 6, 100)]
    assert fitted.score(X, truth) > 0.8


@pytest.mark.parametrize("n_dense", [0, 5])
def test_order_and_copies_make_no_difference(n_dense):
    X, y, _ = topics(n_documents=200)
    X = np.hstack([X, np.random.default_rng(0).normal(size=(len(X), n_dense))])
    expected = model(max_pool=50, n_dense=n_dense).fit(X, y)
    rows = np.random.default_rng(1).permutation(len(y))
    rows = np.concatenate([rows, rows[y[rows] == "?"][:80]])
    shuffled = model(max_pool=50, n_dense=n_dense).fit(X[rows], y[rows])
    assert shuffled.n_repeats_ == expected.n_repeats_ + 80
    assert_array_equal(shuffled.predict_proba(X), expected.predict_proba(X))


def test_a_warm_start_with_a_sample():
    X, y, truth = topics(n_documents=300)
    warm = model(max_pool=100, warm_start=True).fit(X, y)
    y[50:60] = truth[50:60]  # some were in the sample, some not
    cold = model(max_pool=100).fit(X, y)
    assert np.mean(warm.fit(X, y).predict(X) == cold.predict(X)) >= 0.99
    everything = warm.set_params(max_pool=None).fit(X, y)
    assert np.mean(everything.predict(X) == model(max_pool=None).fit(X, y).predict(X)) >= 0.99


def test_the_limit_of_memory_knows_the_sample(monkeypatch):
    X, y, _ = topics(n_documents=300)
    monkeypatch.setattr("honeybayes.utils.matrices.MOST_BYTES", 40 * 300 * 3)
    model(max_pool=50).fit(X, y)
    with pytest.raises(ValueError, match="The guesses for 300 documents and 3 classes"):
        model(max_pool=None).fit(X, y)


def test_seeds_and_outliers_with_a_sample():
    X, y, truth = topics(n_documents=300)
    X = np.hstack([X, np.eye(300, dtype=int)])  # each document has a term of its own
    seeds = {"a": np.eye(340)[0], "b": np.eye(340)[1], "c": np.eye(340)[2]}
    fitted = model(max_pool=100, outliers=True).fit(X, y, seeds=seeds)
    assert fitted.score(X, truth) > 0.8
    assert (fitted._outlier_weights[40:] == 0).all()
    assert fitted._outlier_weights[:40].any()
    assert_allclose(fitted.outlier_score(X), fitted.outlier_score(X[:, :40] @ np.eye(40, 340)))


def test_terms_that_occur_once_do_not_count():
    X, y, _ = topics(n_documents=300)
    own = np.eye(300, dtype=int)
    fitted = model(max_pool=100).fit(np.hstack([X, own]), y)
    assert (fitted.coef_[:, 40:] == 0).all()
    # terms of other documents, because documents of the pool have a factor of their own
    with_own, without = np.hstack([X, np.roll(own, 1, axis=1)]), np.hstack([X, 0 * own])
    assert_allclose(fitted.predict_proba(with_own), fitted.predict_proba(without), atol=1e-9)


def test_a_sample_without_repeated_terms_keeps_all():
    fitted = model(max_pool=1).fit(np.eye(5), ["a", "b", "?", "?", "?"])
    assert fitted.predict(np.eye(5))[:2].tolist() == ["a", "b"]
