"""OnTerms: the counts are transformed, the dense features stay."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

from honeybayes import CountNB, TemperatureScaledClassifier
from honeybayes.text import OnTerms, TermSelector, expect_dense
from honeybayes.utils.tags import model_tags

COUNTS = np.array([[2, 1, 0, 0], [1, 0, 1, 0], [0, 3, 1, 0], [0, 0, 1, 2], [1, 0, 0, 1]])
DENSE = np.array([[-1.5, 0.25], [0, 0], [3, -2], [0.5, 0], [0, 1]])
X, Y = np.hstack([COUNTS, DENSE]), np.array([0, 0, 1, 1, 1])


@pytest.mark.parametrize("make", [np.asarray, sparse.csr_array, sparse.csr_matrix])
@pytest.mark.parametrize("inner", [TfidfTransformer(), TermSelector(n_terms=2), TruncatedSVD(2)])
def test_it_is_the_transformer_beside_the_dense_features(inner, make):
    found = OnTerms(inner, n_dense=2).fit(make(X), Y).transform(make(X))
    alone = inner.fit(COUNTS, Y).transform(COUNTS)
    alone = alone.toarray() if sparse.issparse(alone) else alone
    found = found.toarray() if sparse.issparse(found) else found
    np.testing.assert_allclose(found, np.hstack([alone, DENSE]))


def test_support_and_names():
    names = np.array([*"abcd", "length", "price"], dtype=object)
    selector = OnTerms(TermSelector(n_terms=2), n_dense=2).fit(X, Y)
    support = [*selector.transformer_.get_support(), True, True]
    np.testing.assert_array_equal(selector.get_support(), support)
    np.testing.assert_array_equal(selector.get_support(indices=True), np.flatnonzero(support))
    assert selector.get_feature_names_out(names).tolist() == names[support].tolist()
    tfidf = OnTerms(TfidfTransformer(), n_dense=2).fit(X)
    assert tfidf.get_feature_names_out(names).tolist() == names.tolist()
    mixes = OnTerms(TruncatedSVD(2), n_dense=2).fit(X)
    assert not hasattr(mixes, "get_support")
    assert not hasattr(mixes, "get_feature_names_out")


@pytest.mark.parametrize(
    ("n_dense", "message"),
    [(6, "so there is no term"), (-1, "0 or more; got -1"), (1.5, "must be an integer")],
)
def test_wrong_numbers_of_dense_features(n_dense, message):
    tfidf = TfidfTransformer()
    for estimator in (OnTerms(tfidf), TemperatureScaledClassifier()):
        with pytest.raises(ValueError, match=message):
            estimator.set_params(n_dense=n_dense).fit(np.abs(X), Y)


def test_dense_features_of_the_user_enter_the_same_way():
    model = expect_dense(make_pipeline(TfidfTransformer(), LogisticRegression()), 2).fit(X, Y)
    by_hand = np.hstack([TfidfTransformer().fit_transform(COUNTS).toarray(), DENSE])
    expected = LogisticRegression().fit(by_hand, Y).predict_proba(by_hand)
    np.testing.assert_allclose(model.predict_proba(X), expected)


def test_models_learn_how_many_columns_are_dense():
    scaled = TemperatureScaledClassifier(make_pipeline(TfidfTransformer(), LinearSVC()))
    expected = expect_dense(scaled, 2)
    assert expected.n_dense == expected.estimator[0].n_dense == 2
    kept = expect_dense(make_pipeline("passthrough", None, CountNB()), 2)
    assert [step for _, step in kept.steps[:2]] == ["passthrough", None]


@pytest.mark.parametrize(
    ("model", "takes_dense"),
    [
        (LogisticRegression(), True),
        (make_pipeline(TfidfTransformer(), LinearSVC()), True),
        (TemperatureScaledClassifier(), True),
        (CountNB(), False),
        (TemperatureScaledClassifier(CountNB()), False),
    ],
)
def test_which_models_take_dense_features(model, takes_dense):
    assert model_tags(model).takes_dense == takes_dense
