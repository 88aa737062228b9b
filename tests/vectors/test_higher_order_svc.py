"""HigherOrderSVC and TunedSVC: honb-2009 section 5, pair by pair."""

from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.multiclass import OneVsOneClassifier
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

from honeybayes import HigherOrderSVC, HigherOrderTransformer, NoPathWarning, TunedSVC

RNG = np.random.default_rng(5)
PROFILES = RNG.random((3, 12)) * 0.8
Y = np.repeat(["a", "b", "c"], 12)
X = (RNG.random((36, 12)) < np.repeat(PROFILES, 12, axis=0)).astype(int)
NEW = (RNG.random((90, 12)) < np.repeat(PROFILES, 30, axis=0)).astype(int)
GRID = (0.001, 0.01, 0.1, 1.0, 10.0)


def best_on_training(fit, vectors, labels, grid):
    """Section 5, note 3: all of the grid, then the smallest of the best."""
    scored = [(fit(C).score(vectors, labels), -C) for C in grid]
    return -max(scored)[1]


def by_votes(X, y, new, make_vectors, grid, kernel="linear", **more):
    """One against one: a transformation, a C and a binary SVM a pair, then the majority."""
    classes = np.unique(y)
    votes, penalties = np.zeros((len(new), len(classes)), int), []
    for first, second in combinations(range(len(classes)), 2):
        own = np.isin(y, classes[[first, second]])
        vectors, new_vectors = make_vectors(X[own], y[own], new)

        def fit(C, vectors=vectors, labels=y[own]):
            return SVC(kernel=kernel, C=C, **more).fit(vectors, labels)

        penalties.append(best_on_training(fit, vectors, y[own], grid))
        said = fit(penalties[-1]).predict(new_vectors)
        votes[:, first] += said == classes[first]
        votes[:, second] += said == classes[second]
    return classes, votes, penalties


@pytest.mark.parametrize("estimates", ["higher-order", "first-order"])
@pytest.mark.parametrize("normalize", [True, False])
def test_the_papers_way(estimates, normalize):
    def exact_vectors(documents, labels, new):
        model = HigherOrderTransformer(estimates=estimates, normalize=normalize)
        return model.fit_transform(documents, labels), model.transform(new)

    classes, votes, penalties = by_votes(X, Y, NEW, exact_vectors, GRID)
    model = HigherOrderSVC(estimates=estimates, normalize=normalize, Cs=GRID).fit(X, Y)
    assert_array_equal(model.C_, penalties)
    assert_has_most_votes(model.predict(NEW), classes, votes)


@pytest.mark.parametrize(
    ("kernel", "more"),
    [
        *(("rbf", {}), ("poly", {}), ("sigmoid", {}), ("rbf", {"gamma": 0.3})),
        ("poly", {"degree": 2, "coef0": 1.0, "gamma": "auto"}),
    ],
)
def test_another_kernel_on_the_exact_vectors(kernel, more):
    def exact_vectors(documents, labels, new):
        model = HigherOrderTransformer()
        return model.fit_transform(documents, labels), model.transform(new)

    classes, votes, penalties = by_votes(X, Y, NEW, exact_vectors, GRID, kernel, **more)
    model = HigherOrderSVC(kernel=kernel, Cs=GRID, **more).fit(X, Y)
    assert_array_equal(model.C_, penalties)
    own = votes[np.arange(len(votes)), np.searchsorted(classes, model.predict(NEW))]
    assert_array_equal(own, votes.max(axis=1))


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
@pytest.mark.parametrize("classes", [["a", "b"], ["a", "b", "c"]])
def test_one_class_against_the_rest(kernel, classes):
    """A transformation, a C and an SVM per class; the largest margin decides."""
    own = np.isin(Y, classes)
    documents, labels, margins, penalties = X[own], Y[own], [], []
    for label in classes if len(classes) > 2 else classes[1:]:
        is_class = (labels == label).astype(int)
        transformer = HigherOrderTransformer()
        vectors = transformer.fit_transform(documents, is_class)

        def fit(C, vectors=vectors, is_class=is_class):
            return SVC(kernel=kernel, C=C).fit(vectors, is_class)

        penalties.append(best_on_training(fit, vectors, is_class, GRID))
        margins.append(fit(penalties[-1]).decision_function(transformer.transform(NEW)))
    model = HigherOrderSVC(kernel=kernel, multiclass="one-vs-rest", Cs=GRID).fit(documents, labels)
    assert_array_equal(model.C_, penalties)
    found = np.atleast_2d(model.decision_function(NEW).T)
    assert_allclose(found, margins, atol=2e-3)  # the tolerance of libsvm
    best = found.argmax(axis=0) if len(classes) > 2 else (found[0] > 0).astype(int)
    assert_array_equal(model.predict(NEW), np.array(classes)[best])


def test_one_against_the_rest_names_classes_without_paths():
    lonely = [[1, 0, 0], [1, 1, 0], [0, 1, 1], [0, 0, 1]]
    model = HigherOrderSVC(multiclass="one-vs-rest", C=1.0)
    with pytest.warns(NoPathWarning, match="a and the rest"):
        model.fit(lonely, ["a", "b", "b", "c"])


def assert_has_most_votes(predicted, classes, votes):
    """Where two classes have as many, either will do."""
    own = votes[np.arange(len(votes)), np.searchsorted(classes, predicted)]
    assert_array_equal(own, votes.max(axis=1))
    assert (np.sort(votes, axis=1)[:, -2] < votes.max(axis=1)).mean() > 0.9


def test_c_per_pair_on_the_documents_as_they_are():
    classes, votes, penalties = by_votes(X, Y, NEW, lambda own, _, new: (own, new), GRID)
    model = TunedSVC(Cs=GRID, per_pair=True, binarize=0.0).fit(3 * X, Y)
    assert_array_equal(model.C_, penalties)
    assert_has_most_votes(model.predict(NEW), classes, votes)


@pytest.mark.parametrize("kernel", ["linear", "poly", "rbf", "sigmoid"])
def test_one_c_for_all_pairs(kernel):
    def fit(C):
        return SVC(kernel=kernel, C=C, coef0=0.5, degree=2).fit(X, Y)

    model = TunedSVC(kernel=kernel, Cs=GRID, coef0=0.5, degree=2).fit(X, Y)
    assert best_on_training(fit, X, Y, GRID) == model.C_
    assert_allclose(model.decision_function(NEW), fit(model.C_).decision_function(NEW))


def test_a_number_for_c_is_a_plain_svc():
    ours = TunedSVC(C=0.3).fit(X, Y)
    theirs = SVC(kernel="linear", C=0.3).fit(X, Y)
    assert ours.C_ == 0.3
    assert_array_equal(ours.predict(NEW), theirs.predict(NEW))
    assert_allclose(ours.decision_function(NEW), theirs.decision_function(NEW))


def test_the_one_line_pipeline_is_the_same():
    pair = make_pipeline(HigherOrderTransformer(), SVC(kernel="linear", C=0.1, tol=1e-8))
    theirs = OneVsOneClassifier(pair).fit(X, Y)
    ours = HigherOrderSVC(C=0.1).fit(X, Y)
    assert_array_equal(ours.predict(NEW), theirs.predict(NEW))
    assert_allclose(ours.decision_function(NEW), theirs.decision_function(NEW), atol=1e-2)


@pytest.mark.parametrize(
    "model", [HigherOrderSVC(), TunedSVC(kernel="rbf"), TunedSVC(per_pair=True)]
)
def test_sparse_with_indices_of_64_bits(model):
    wide = sparse.csr_array(X.astype(float))
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    assert_array_equal(
        clone(model).fit(wide, Y).predict(wide), clone(model).fit(wide.tocsc(), Y).predict(wide)
    )


@pytest.mark.parametrize(
    "model", [HigherOrderSVC(C=0.1), TunedSVC(C=0.1, per_pair=True), TunedSVC(C=0.1)], ids=str
)
def test_the_margin_of_two_classes_has_two_sides(model):
    two = Y != "c"
    margins = clone(model).fit(X[two], Y[two]).decision_function(NEW)
    vectors, new = X[two], NEW
    if isinstance(model, HigherOrderSVC):
        transformer = HigherOrderTransformer().fit(X[two], Y[two])
        vectors, new = transformer.transform(vectors), transformer.transform(new)
    svc = SVC(kernel="linear", C=0.1).fit(vectors, Y[two])
    assert_allclose(margins, svc.decision_function(new), atol=5e-3)  # libsvm stops at 1e-3
    names = {"a": "b", "b": "a"}
    swapped = clone(model).fit(X[two], [names[label] for label in Y[two]])
    assert_allclose(swapped.decision_function(NEW), -margins, atol=5e-3)


def test_documents_that_hardly_vary():
    """scikit-learn's gamma="scale" comes out below 0 on such sparse data."""
    constant = sparse.csr_array(np.full((6, 3), 0.1))
    assert TunedSVC().fit(constant, [0, 0, 0, 1, 1, 1]).predict(constant).shape == (6,)


def test_classes_without_paths_are_named():
    labels = Y.copy()
    labels[:-1][labels[:-1] == "c"] = "b"  # one document of c is left
    with pytest.warns(NoPathWarning) as caught:
        HigherOrderSVC().fit(X, labels)
    (warning,) = caught
    assert "a and c (1), b and c (1)" in str(warning.message)
    assert warning.filename == __file__
    HigherOrderSVC(estimates="first-order").fit(X, labels)


def test_grid_search():
    search = GridSearchCV(HigherOrderSVC(), {"C": [0.1, "training-accuracy"]}, cv=2).fit(X, Y)
    assert search.best_score_ > 0.5


@pytest.mark.parametrize("model", [HigherOrderSVC, TunedSVC])
@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"C": 0}, "C must be a finite number above 0"),
        ({"C": True}, "C must be a number above 0 or 'training-accuracy'"),
        ({"C": "best"}, "C must be a number above 0 or 'training-accuracy'"),
        ({"Cs": ()}, "Cs must be a non-empty list"),
        ({"Cs": iter((0.1, 1.0))}, "Cs must be a non-empty list"),
        ({"binarize": "yes"}, "binarize must be"),
    ],
)
def test_parameters(model, parameters, message):
    with pytest.raises(ValueError, match=message):
        model(**parameters).fit(X, Y)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (TunedSVC(kernel="precomputed"), "kernel must be one of"),
        (TunedSVC(gamma="nope"), "gamma, if it is a string, must be one of 'scale', 'auto'"),
        (TunedSVC(gamma=-1), "gamma must be a finite number, 0 or more"),
        (TunedSVC(gamma=None), "gamma must be a finite number, 0 or more"),
        (TunedSVC(per_pair=3), "per_pair must be True or False"),
        (HigherOrderSVC(order=0), "order"),
        (HigherOrderSVC(estimates="both"), "estimates must be one of"),
    ],
    ids=str,
)
def test_parameters_of_their_own(model, message):
    with pytest.raises(ValueError, match=message):
        model.fit(X, Y)


@pytest.mark.parametrize("model", [HigherOrderSVC(), TunedSVC()], ids=str)
def test_no_probability_is_made_up(model):
    assert not hasattr(model.fit(X, Y), "predict_proba")


@pytest.mark.parametrize("model", [HigherOrderSVC(), TunedSVC()], ids=str)
def test_texts_are_sent_to_where_they_go(model):
    with pytest.raises(ValueError, match=rf"TextClassifier\({type(model).__name__}\(\)\)"):
        model.fit(["red boat", "green hill"], ["a", "b"])
