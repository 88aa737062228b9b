"""scikit-learn's own checks on the semantic kernel, its machine, and the latent neighbors."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from honeybayes import IterativeHigherOrderKernel, LSIKNeighborsClassifier, SemanticSVC

ESTIMATORS = [
    IterativeHigherOrderKernel(),
    IterativeHigherOrderKernel(n_iter=3, normalize=None, unit_diagonal=True),
    SemanticSVC(),
    SemanticSVC(C="training-accuracy", Cs=(0.1, 10), unit_diagonal=True),
    LSIKNeighborsClassifier(),
    LSIKNeighborsClassifier(n_neighbors=5, n_components=2),
]
# check name -> reason; nothing is expected to fail
EXPECTED_FAILURES: dict[str, str] = {}


# Some checks learn random labels from a handful of points, which takes an SVC for ever.
@pytest.mark.filterwarnings("ignore:The support vector machine stopped")
@parametrize_with_checks(ESTIMATORS, expected_failed_checks=lambda _: EXPECTED_FAILURES)
def test_scikit_learn_checks(estimator, check):
    check(estimator)
