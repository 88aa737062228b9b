"""HigherOrderTransformer: honb-2009 section 4.2, and what "shifted" leaves the same."""

import hypothesis.strategies as st
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.exceptions import NotFittedError
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.multiclass import OneVsOneClassifier
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC, LinearSVC

from honeybayes import HigherOrderTransformer, NoPathWarning
from tests.paths.path_oracle import all_paths, entries_from, tally

RNG = np.random.default_rng(3)
X = (RNG.random((12, 6)) < 0.5).astype(int)
Y = np.repeat(["ham", "spam"], 6)
NEW = np.array([[0, 0, 0, 0, 0, 0], [1, 1, 1, 1, 1, 1], [1, 0, 0, 3, 0, 1]])


def probability(documents, order):
    """Eq. 8, the paths enumerated; Eq. 6 for order 0."""
    if order == 0:
        return (1 + documents.sum(axis=0)) / (2 + len(documents))
    per_term, total = tally(all_paths(documents, order), documents.shape[1])
    return (1 + per_term) / (2 + total)


def equation_12(X, y, new, order, normalize):
    """Eq. 10-12, term by term; c_j is the second class."""
    p_k, p_j = (probability(X[y == label], order) for label in np.unique(y))
    vectors = np.zeros(new.shape)
    for document, counts in enumerate(new):
        for term, count in enumerate(counts):
            if count:
                phi = np.log(p_j[term] / p_k[term])  # Eq. 10
            else:
                phi = np.log((1 - p_j[term]) / (1 - p_k[term]))  # Eq. 11
            if phi != 0:
                vectors[document, term] = phi / np.sqrt(abs(phi)) if normalize else phi
    return vectors


@pytest.mark.parametrize("normalize", [True, False])
@pytest.mark.parametrize("order", [1, 2, 3])
def test_equation_12(order, normalize):
    model = HigherOrderTransformer(order=order, normalize=normalize)
    assert_allclose(model.fit_transform(X, Y), equation_12(X, Y, X, order, normalize), atol=1e-12)
    assert_allclose(model.transform(NEW), equation_12(X, Y, NEW, order, normalize), atol=1e-12)
    assert model.order_ == order


@pytest.mark.parametrize("normalize", [True, False])
def test_first_order_estimates(normalize):
    """The same with Eq. 6 in place of Eq. 8: the vectors of the paper's NBSVM."""
    model = HigherOrderTransformer(estimates="first-order", normalize=normalize).fit(X, Y)
    assert_allclose(model.transform(NEW), equation_12(X, Y, NEW, 0, normalize), atol=1e-12)
    assert model.order_ == 0


two_classes = st.integers(3, 6).flatmap(
    lambda n_terms: st.tuples(
        entries_from([1, 1, 0], (4, n_terms)), entries_from([1, 1, 0], (4, n_terms))
    )
)


@pytest.mark.filterwarnings("ignore::honeybayes.NoPathWarning")
@given(two_classes)
def test_shifted_differs_by_the_vector_of_an_empty_document(parts):
    documents, labels = np.vstack(parts), np.repeat([0, 1], 4)
    exact = HigherOrderTransformer().fit(documents, labels)
    shifted = HigherOrderTransformer(absent="shifted").fit(documents, labels)
    moved = shifted.transform(documents)
    empty = exact.transform(np.zeros((1, documents.shape[1])))
    assert_array_equal(empty[0], exact.absent_)
    assert_allclose(moved.toarray() + empty, exact.transform(documents), atol=1e-12)
    assert moved.nnz <= np.count_nonzero(documents)
    assert_allclose(
        euclidean_distances(moved.toarray()),
        euclidean_distances(exact.transform(documents)),
        atol=1e-6,
    )


@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("estimates", ["higher-order", "first-order"])
def test_an_svc_decides_the_same_on_both(C, estimates):
    """Its intercept is free, and takes up what the constant vector adds to every score.

    To the precision of libsvm, which keeps the kernel in float32.
    """
    documents = (RNG.random((60, 40)) < 0.2).astype(int)
    labels, new = np.repeat([0, 1], 30), (RNG.random((200, 40)) < 0.2).astype(int)
    decisions = [
        make_pipeline(
            HigherOrderTransformer(estimates=estimates, absent=absent),
            SVC(kernel="linear", C=C, tol=1e-9),
        )
        .fit(documents, labels)
        .decision_function(new)
        for absent in ("exact", "shifted")
    ]
    spread = np.ptp(decisions[0])
    assert spread > 1e-3
    assert_allclose(*decisions, atol=1e-5 * spread)
    assert_array_equal(*(np.sign(scores) for scores in decisions))


def test_a_linear_svc_does_not():
    """It penalizes the intercept, which "shifted" asks more of."""
    documents = (RNG.random((60, 40)) < 0.2).astype(int)
    labels = RNG.permutation(np.repeat([0, 1], [10, 50]))
    decisions = [
        make_pipeline(
            HigherOrderTransformer(estimates="first-order", absent=absent),
            LinearSVC(C=1e-3, tol=1e-8, max_iter=100_000),
        )
        .fit(documents, labels)
        .decision_function(documents)
        for absent in ("exact", "shifted")
    ]
    assert np.abs(decisions[0] - decisions[1]).max() > 1e-2


@pytest.mark.parametrize("form", [sparse.csr_array, sparse.csc_array, sparse.coo_matrix])
def test_any_form_of_counts(form):
    model = HigherOrderTransformer(binarize=None).fit(form(X), Y)
    assert_array_equal(model.transform(form(3 * X)), HigherOrderTransformer().fit_transform(X, Y))


def test_a_word_of_one_class_speaks_for_it():
    documents = [[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1], [0, 1, 1, 1]]
    with pytest.warns(NoPathWarning):
        model = HigherOrderTransformer().fit(documents, ["first", "first", "second", "second"])
    assert model.present_[0] < 0 < model.present_[2]
    assert model.absent_[2] < 0 < model.absent_[0]


def test_names_of_the_columns_are_kept():
    frame = pd.DataFrame(X, columns=list("abcdef"))
    model = HigherOrderTransformer().set_output(transform="pandas").fit(frame, Y)
    assert list(model.transform(frame).columns) == list("abcdef")


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"estimates": "zeroth"}, "estimates must be one of 'higher-order', 'first-order'"),
        ({"absent": "gone"}, "absent must be one of 'exact', 'shifted'"),
        ({"normalize": "l2"}, "normalize must be True or False"),
        ({"order": 0}, "order"),
        ({"binarize": "yes"}, "binarize must be"),
    ],
)
def test_parameters(parameters, message):
    with pytest.raises(ValueError, match=message):
        HigherOrderTransformer(**parameters).fit(X, Y)


def test_more_classes_are_sent_to_one_vs_one():
    three = np.repeat(["a", "b", "c"], [4, 4, 4])
    with pytest.raises(ValueError, match=r"but y has 3.*OneVsOneClassifier\(make_pipeline\("):
        HigherOrderTransformer().fit(X, three)
    model = OneVsOneClassifier(make_pipeline(HigherOrderTransformer(), SVC(kernel="linear")))
    assert model.fit(X, three).predict(NEW).shape == (3,)


def test_one_class():
    with pytest.raises(ValueError, match="compares two classes, but y has one class only"):
        HigherOrderTransformer().fit(X, ["ham"] * 12)


def test_not_fitted():
    with pytest.raises(NotFittedError):
        HigherOrderTransformer().transform(X)
