"""scikit-learn's own checks on the estimators of texts."""

import warnings

import pytest
from sklearn.exceptions import SkipTestWarning
from sklearn.utils.estimator_checks import estimator_checks_generator, parametrize_with_checks

from honeybayes import FewDocumentsWarning, TextClassifier, TextVectorizer
from honeybayes.text import TextEncoder
from tests.encoders import PlainWordHasher
from tests.expected_failures import expected_failures
from tests.text.numbers_as_texts import ClassifierOnNumbers, VectorizerOnNumbers

ON_NUMBERS = [
    ClassifierOnNumbers(),
    ClassifierOnNumbers("CNB"),
    ClassifierOnNumbers(n_terms=20, stop_words=False, encoder=PlainWordHasher(), calibrate=None),
    ClassifierOnNumbers("LinearSVC-tfidf", stop_words=False, calibrate=None),
    VectorizerOnNumbers(),
    VectorizerOnNumbers(ngram_range=(1, 2)),
]

READERS_OF_TEXTS = [
    TextClassifier(),
    TextClassifier(encoder=PlainWordHasher()),
    TextVectorizer(),
    TextEncoder(PlainWordHasher()),
]


@parametrize_with_checks(ON_NUMBERS, expected_failed_checks=expected_failures)
def test_scikit_learn_checks(estimator, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FewDocumentsWarning)
        check(estimator)


@pytest.mark.parametrize("estimator", READERS_OF_TEXTS, ids=str)
def test_checks_that_need_no_numbers(estimator):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SkipTestWarning)
        checks = list(estimator_checks_generator(estimator))
    assert checks
    for each, check in checks:
        check(each)
