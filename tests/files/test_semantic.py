"""The semantic kernel, its machine and the latent neighbors in model files."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone

from honeybayes import IterativeHigherOrderKernel, LSIKNeighborsClassifier, SemanticSVC
from honeybayes.utils.state import check_state
from tests.estimators import COUNTS, Y
from tests.files.test_round_trip import assert_same, there_and_back

CLASSIFIERS = [
    SemanticSVC(),
    SemanticSVC(n_iter=3, normalize=None, C=2.0),
    SemanticSVC(unit_diagonal=True, C="training-accuracy"),
    SemanticSVC(normalize="z-score", weighting="log-entropy"),
    LSIKNeighborsClassifier(),
    LSIKNeighborsClassifier(n_neighbors=2),
]
KERNELS = [
    IterativeHigherOrderKernel(n_iter=3),
    IterativeHigherOrderKernel(unit_diagonal=True),
    IterativeHigherOrderKernel(normalize="min-max", weighting="tf-idf"),
]


@pytest.mark.parametrize("X", [COUNTS, COUNTS.toarray()], ids=["sparse", "dense"])
@pytest.mark.parametrize("y", [Y, Y > 1], ids=["three classes", "two classes"])
@pytest.mark.parametrize("model", CLASSIFIERS, ids=repr)
def test_classifiers(model, X, y, tmp_path):
    model.fit(X, y)
    loaded = there_and_back(model, tmp_path)
    assert_same(loaded, model, X[::-1])
    assert repr(loaded) == repr(model)


@pytest.mark.parametrize("model", KERNELS, ids=repr)
def test_kernels(model, tmp_path):
    model.fit(COUNTS)
    loaded = there_and_back(model, tmp_path)
    assert loaded.transform(COUNTS[::-1]).tobytes() == model.transform(COUNTS[::-1]).tobytes()
    assert loaded.similar_terms(1) == model.similar_terms(1)


def test_counts_with_zeros_that_are_stored(tmp_path):
    X = sparse.csr_array(([1.0, 0.0, 2.0], [0, 1, 2], [0, 2, 3]), shape=(2, 3))
    model = IterativeHigherOrderKernel().fit(X)
    loaded = there_and_back(model, tmp_path)
    np.testing.assert_array_equal(loaded.kernel(X), model.kernel(X))


@pytest.mark.parametrize(
    ("model", "spoiled", "message"),
    [
        (KERNELS[0], {"_projection": None}, "exactly one of _projection and _lacking"),
        (KERNELS[1], {"_projection": np.ones((5, 2))}, "exactly one of _projection and _lacking"),
        (KERNELS[0], {"_projection": np.ones((4, 2))}, "_projection has shape"),
        (KERNELS[0], {"document_similarity_": np.ones((5, 4))}, "document_similarity_ has shape"),
        (KERNELS[2], {"_term_weights": None}, "_weighting and _term_weights must be set together"),
        (KERNELS[2], {"_offset": np.ones(3)}, "_offset has shape"),
        (KERNELS[0], {"_weights": np.ones((5, 5))}, "_weights is ndarray, expected a csc matrix"),
        (CLASSIFIERS[0], {"n_features_in_": 4}, "kernel_ expects a different number of features"),
        (
            CLASSIFIERS[0],
            {"classes_": np.array([1, 2, 3])},
            "classes_ and the classes of model_ are different",
        ),
        (
            CLASSIFIERS[0],
            {"kernel_": clone(KERNELS[1]).fit(COUNTS[:, :4])},
            "kernel_ expects a different number of features",
        ),
        (CLASSIFIERS[0], {"C_": "scale"}, "C_ is str"),
        (
            CLASSIFIERS[0],
            {"_center": np.zeros(2)},
            "_center does not have the . features of kernel_",
        ),
        (CLASSIFIERS[4], {"_label": np.array([0, 1, 2, 3, 0])}, "_label contains 3"),
        (CLASSIFIERS[4], {"_documents": np.ones((5, 1))}, "_documents has shape"),
        (CLASSIFIERS[4], {"n_neighbors": 0}, "n_neighbors must be an integer"),
    ],
)
def test_what_does_not_fit_together_is_refused(model, spoiled, message):
    model = clone(model).fit(COUNTS, Y)
    vars(model).update(spoiled)
    with pytest.raises(ValueError, match=message):
        check_state(model)
