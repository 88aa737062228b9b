"""scikit-learn's checks on every estimator, and the declarations of what ``fit`` leaves."""

import warnings

import pytest
from sklearn.base import clone
from sklearn.utils.estimator_checks import estimator_checks_generator

from honeybayes.utils.state import EVERY_ESTIMATOR, check_state, declared_attributes
from tests.estimators import CONFIGURATIONS, all_estimators, instances, small_data
from tests.expected_failures import EXPECTED_FAILURES, expected_failures


def checks():
    with warnings.catch_warnings():
        # estimators of texts: their own tests run the checks that make sense
        warnings.filterwarnings("ignore", "Can't test estimator")
        for estimator in instances():
            yield from estimator_checks_generator(
                estimator,
                expected_failed_checks=expected_failures(estimator),
                mark="xfail",
            )


def name_of(value):
    return value.func.__name__ if hasattr(value, "func") else repr(value)


@pytest.mark.filterwarnings(
    "ignore::honeybayes.exceptions.NoPathWarning",
    # some checks learn random labels from a few points, for which SVC needs too many steps
    "ignore:The support vector machine stopped",
    # sublinear tf-idf of fractions is negative, which ComplementNB refuses
    "ignore:The model 'ComplementNB-tfidf' was left out",
)
@pytest.mark.parametrize(("estimator", "check"), list(checks()), ids=name_of)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("name", [*CONFIGURATIONS, *EXPECTED_FAILURES])
def test_tables_name_estimators(name):
    assert name.partition("(")[0] in dict(all_estimators())


@pytest.mark.parametrize(("name", "cls"), all_estimators())
def test_every_estimator_declares_its_state(name, cls):
    assert hasattr(cls, "fitted_attributes")


@pytest.mark.filterwarnings("ignore::honeybayes.exceptions.NoPathWarning")
@pytest.mark.parametrize("estimator", instances(), ids=repr)
def test_fit_leaves_what_is_declared(estimator):
    estimator = clone(estimator)
    parameters = set(vars(estimator))
    declared = declared_attributes(type(estimator))
    assert not parameters & {*declared, *EVERY_ESTIMATOR}
    estimator.fit(*small_data(estimator))
    assert set(vars(estimator)) - parameters <= {*declared, *EVERY_ESTIMATOR}
    for name, kind in declared.items():
        assert kind.optional or vars(estimator).get(name) is not None, name
    check_state(estimator)
