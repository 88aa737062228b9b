"""scikit-learn's own checks on every public estimator of the Bernoulli family."""

import warnings

from sklearn.utils.estimator_checks import parametrize_with_checks

from honeybayes import (
    HigherOrderNB,
    HigherOrderSmoothingNB,
    NoPathWarning,
    SmoothedBernoulliNB,
)
from tests.expected_failures import expected_failures

ESTIMATORS = [
    SmoothedBernoulliNB(),
    SmoothedBernoulliNB(smoothing="jelinek-mercer"),
    HigherOrderNB(),
    HigherOrderNB(pure="class", prior="documents"),
    HigherOrderNB(pure="corpus", prior="uniform"),
    HigherOrderNB(order=3),
    HigherOrderSmoothingNB(),
    HigherOrderSmoothingNB(alpha=0),
]


@parametrize_with_checks(ESTIMATORS, expected_failed_checks=expected_failures)
def test_scikit_learn_checks(estimator, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NoPathWarning)
        check(estimator)
