"""The machine on the semantic kernel: its kernel, its rule for C, its answers."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV
from sklearn.svm import SVC

from honeybayes import IterativeHigherOrderKernel, SemanticSVC
from honeybayes.vectors import _base
from honeybayes.vectors.semantic_svc import scaled_penalty
from tests.vectors.chi_sim_oracle import kernel, similarity_of_terms

RNG = np.random.default_rng(0)
MEANS = np.full((3, 20), 0.2)
for group in range(3):
    MEANS[group, 6 * group : 6 * group + 6] = 1.0
LABELS = np.array(["a", "b", "c"])[np.arange(45) % 3]
X = RNG.poisson(MEANS[np.arange(45) % 3])
NEW = RNG.poisson(MEANS[np.arange(30) % 3])


@pytest.mark.parametrize("n_iter", [1, 2, 3])
@pytest.mark.parametrize("normalize", ["length", None])
def test_decides_as_an_svc_on_the_kernel_of_the_paper(n_iter, normalize):
    model = SemanticSVC(n_iter=n_iter, normalize=normalize).fit(sparse.csr_array(X), LABELS)
    SC = similarity_of_terms(X, n_iter)
    svc = SVC(kernel="precomputed", C=model.C_).fit(kernel(X, X, SC, normalize), LABELS)
    expected = svc.decision_function(kernel(NEW, X, SC, normalize))
    assert_allclose(model.decision_function(NEW), expected, atol=0.02)  # libsvm stops at 1e-3
    assert model.score(X, LABELS) > 0.9


def test_the_scale_is_that_of_the_centered_kernel():
    """Five over the median of K_ii - 2 mean_j K_ij + mean K: no features needed."""
    K = kernel(X, X, similarity_of_terms(X, 2))
    distances = np.diag(K) - 2 * K.mean(axis=1) + K.mean()
    model = SemanticSVC().fit(X, LABELS)
    assert_allclose(model.C_, 5 / np.median(distances))


@pytest.mark.parametrize("factor", [1e-3, 1.0, 1e4])
def test_the_scale_makes_units_irrelevant(factor):
    """Features in other units, the same answers: C undoes the factor."""
    features = IterativeHigherOrderKernel().fit(X).transform(X)
    assert scaled_penalty(features * factor) == pytest.approx(scaled_penalty(features) / factor**2)
    assert scaled_penalty(features + 7) == pytest.approx(scaled_penalty(features))


def test_the_scale_of_documents_that_hardly_differ():
    assert scaled_penalty(np.zeros((4, 2))) == 1
    most_alike = np.array([[0.0], [0.0], [0.0], [4.0]])
    assert scaled_penalty(most_alike) == 5  # distances 1, 1, 1, 9
    assert scaled_penalty(np.array([[0.0], [0.0], [1.0], [-1.0], [0.0]])) == pytest.approx(12.5)


@pytest.mark.parametrize("n_documents", [5, 7, 50])
@pytest.mark.parametrize("value", [1.0, 0.1, 1e6])
def test_rounding_is_no_distance(n_documents, value):
    """Copies of a document less their mean are not always zero."""
    features = np.full((n_documents, 3), value / 7)
    assert scaled_penalty(features) == 1
    features[0] *= 2
    features[1] *= 0  # now the median is rounding, and the mean is not
    assert scaled_penalty(features) == pytest.approx(5 * n_documents / (2 * 3 * (value / 7) ** 2))
    assert SemanticSVC().fit(np.full((n_documents, 3), value), np.arange(n_documents) % 2).C_ == 1


def test_a_machine_that_does_not_converge_says_so(monkeypatch):
    monkeypatch.setattr(_base, "MOST_STEPS", 3)
    with pytest.warns(ConvergenceWarning, match=r"C=30 within 3 steps") as caught:
        SemanticSVC(C=30.0).fit(X, LABELS)
    assert len(caught) == 1
    assert caught[0].filename == __file__


def test_other_ways_to_c():
    assert SemanticSVC(C=30.0).fit(X, LABELS).C_ == 30
    by_accuracy = SemanticSVC(C="training-accuracy", Cs=[1e6, 1e-3, 1e4]).fit(X, LABELS)
    accuracies = {C: SemanticSVC(C=C).fit(X, LABELS).score(X, LABELS) for C in (1e-3, 1e4, 1e6)}
    best = max(accuracies.values())
    expected = min(C for C, accuracy in accuracies.items() if accuracy == best)
    assert expected == by_accuracy.C_
    search = GridSearchCV(SemanticSVC(), {"C": ["scale", 10.0], "n_iter": [1, 2]}, cv=3)
    assert search.fit(X, LABELS).best_score_ > 0.7


def test_two_classes_and_a_document_without_terms():
    two = LABELS != "c"
    model = SemanticSVC().fit(X[two], LABELS[two])
    margins = model.decision_function(NEW)
    assert margins.shape == (30,)
    np.testing.assert_array_equal(model.predict(NEW), np.where(margins > 0, "b", "a"))
    K = kernel(X[two], X[two], similarity_of_terms(X[two], 2))
    svc = SVC(kernel="precomputed", C=model.C_).fit(K, LABELS[two])
    nothing = model.decision_function(np.zeros((1, 20)))
    assert nothing == pytest.approx(svc.intercept_, abs=0.02)  # its kernel is zero


def test_documents_that_differ_by_little():
    """Uncentered, libsvm would not come to an end: it keeps the kernel in single precision."""
    rng = np.random.default_rng(0)
    model = SemanticSVC().fit(5 + rng.random((100, 4)), rng.integers(0, 2, 100))
    assert model.model_.n_iter_.max() < 10_000


def test_no_probabilities():
    assert not hasattr(SemanticSVC().fit(X, LABELS), "predict_proba")


def test_what_the_kernel_learned_can_be_read():
    model = SemanticSVC().fit(X, LABELS)
    assert {column // 6 for column, _ in model.kernel_.similar_terms(7, 3)} == {1}


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"C": "auto"}, "C must be a number above 0 or 'scale' or 'training-accuracy'"),
        ({"C": 0}, "C must be a finite number above 0"),
        ({"C": True}, "C must be a number above 0"),
        ({"Cs": []}, "Cs must be a non-empty list"),
        ({"n_iter": 0}, "n_iter must be an integer"),
        ({"normalize": True}, "normalize must be one of"),
    ],
)
def test_parameters_without_sense(parameters, message):
    with pytest.raises(ValueError, match=message):
        SemanticSVC(**parameters).fit(X, LABELS)


def test_negative_counts():
    with pytest.raises(ValueError, match="Negative values"):
        SemanticSVC().fit(-X, LABELS)


def test_a_subclass_without_vectors_or_a_model_cannot_be_made():
    class Forgetful(_base.BaseVectorSVC):
        pass

    with pytest.raises(TypeError, match=r"abstract methods '?_features'?, '?_fit_model'?"):
        Forgetful()
