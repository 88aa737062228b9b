"""scikit-learn's own checks on every public estimator of the room."""

import warnings

from sklearn.utils.estimator_checks import parametrize_with_checks

from honeybayes import HigherOrderSVC, HigherOrderTransformer, NoPathWarning, TunedSVC

ESTIMATORS = [
    HigherOrderTransformer(),
    HigherOrderTransformer(absent="shifted", estimates="first-order"),
    HigherOrderSVC(Cs=(0.01, 1.0)),
    HigherOrderSVC(estimates="first-order", C=1.0),
    TunedSVC(),
    TunedSVC(kernel="rbf", C=1.0, gamma="auto", per_pair=True, binarize=0.0),
]
# check name -> reason; nothing is expected to fail
EXPECTED_FAILURES: dict[str, str] = {}


@parametrize_with_checks(ESTIMATORS, expected_failed_checks=lambda _: EXPECTED_FAILURES)
def test_scikit_learn_checks(estimator, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NoPathWarning)
        check(estimator)
