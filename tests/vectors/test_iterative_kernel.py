"""The semantic kernel: the paper's definition, its worked example, what people read in it."""

import hypothesis.strategies as st
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis.extra import numpy as st_numpy
from numpy.testing import assert_allclose
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

from honeybayes import IterativeHigherOrderKernel
from honeybayes.vectors import iterative_kernel
from tests.vectors.chi_sim_oracle import kernel, normalize_similarities, similarity_of_terms, weigh

RNG = np.random.default_rng(0)
TRAINING = RNG.poisson(0.4, (12, 17)) * RNG.integers(1, 4, (12, 17))
TRAINING[3] = 0  # an empty document
TRAINING[:, [2, 9]] = 0  # terms that no training document has
TRAINING[7] = TRAINING[6]  # a document that occurs twice
NEW = RNG.poisson(0.4, (5, 17))
NEW[1] = 0
NEW[2] = 0
NEW[2, 9] = 3  # nothing but a term that was never seen

TABLE_1 = np.array([[1, 1, 0], [0, 0, 1], [0, 1, 1]])


def assert_equal_to(expected, actual):
    assert_allclose(actual, expected, rtol=1e-9, atol=1e-9 * max(np.abs(expected).max(), 1e-300))


@pytest.mark.parametrize("unit_diagonal", [False, True])
@pytest.mark.parametrize("normalize", ["length", None])
@pytest.mark.parametrize("n_iter", [1, 2, 3, 4, 5])
def test_definition(n_iter, normalize, unit_diagonal):
    """Equations 4, 5 (shapes put right), 8 and 10; training and new documents."""
    model = IterativeHigherOrderKernel(
        n_iter=n_iter, normalize=normalize, unit_diagonal=unit_diagonal
    ).fit(sparse.csr_array(TRAINING))
    SC = similarity_of_terms(TRAINING, n_iter, unit_diagonal)
    for A, B in [(TRAINING, TRAINING), (NEW, TRAINING), (NEW, NEW)]:
        assert_equal_to(kernel(A, B, SC, normalize), model.kernel(A, sparse.csc_array(B)))
    assert_equal_to(kernel(NEW, NEW, SC, normalize), model.kernel(NEW))


@given(
    D=st_numpy.arrays(np.int64, (5, 6), elements=st.integers(0, 4)),
    n_iter=st.integers(1, 5),
    unit_diagonal=st.booleans(),
)
def test_definition_on_any_counts(D, n_iter, unit_diagonal):
    model = IterativeHigherOrderKernel(n_iter=n_iter, unit_diagonal=unit_diagonal).fit(D)
    new = np.eye(6) + D[:1]
    SC = similarity_of_terms(D, n_iter, unit_diagonal)
    assert_equal_to(kernel(new, D, SC), model.kernel(new, D))


OF_SIMILARITIES = ["row", "column", "min-max", "z-score", "weight", "complement"]


@pytest.mark.parametrize("normalize", OF_SIMILARITIES)
@given(
    D=st_numpy.arrays(np.int64, (5, 6), elements=st.integers(0, 4)),
    n_iter=st.integers(1, 3),
    unit_diagonal=st.booleans(),
)
def test_normalized_similarities(normalize, D, n_iter, unit_diagonal):
    """Those that section 3 of the paper lists, of the matrix S in Equation 8."""
    options = {"n_iter": n_iter, "unit_diagonal": unit_diagonal, "normalize": normalize}
    model = IterativeHigherOrderKernel(**options).fit(D)
    new = np.vstack([np.eye(6, dtype=int) + D[:1], D])
    S = normalize_similarities(similarity_of_terms(D, n_iter, unit_diagonal), normalize)
    assert_allclose(model.kernel(new), kernel(new, new, S, None), rtol=1e-7, atol=1e-8)


@pytest.mark.parametrize("normalize", OF_SIMILARITIES)
@pytest.mark.parametrize("unit_diagonal", [False, True])
def test_normalized_similarities_in_blocks(monkeypatch, normalize, unit_diagonal):
    options = {"normalize": normalize, "unit_diagonal": unit_diagonal}
    whole = IterativeHigherOrderKernel(**options).fit(TRAINING).kernel(NEW)
    monkeypatch.setattr(iterative_kernel, "TERMS_IN_A_BLOCK", 3)
    blocks = IterativeHigherOrderKernel(**options).fit(TRAINING).kernel(NEW)
    assert_allclose(blocks, whole, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("weighting", ["tf-idf", "log-entropy"])
@pytest.mark.parametrize("normalize", ["length", None])
@given(D=st_numpy.arrays(np.int64, (5, 6), elements=st.integers(0, 4)), n_iter=st.integers(1, 3))
def test_weights_of_terms(weighting, normalize, D, n_iter):
    """Equations 6 and 7; the sign of the latter is Dumais's."""
    new = np.eye(6, dtype=int) + D[:1]
    training, vectors = weigh(D, new, weighting)
    training[training < 1e-12] = 0  # a term with the same count in all documents
    vectors[:, ~training.any(axis=0) & D.any(axis=0)] = 0
    SC = similarity_of_terms(training, n_iter)
    options = {"n_iter": n_iter, "normalize": normalize, "weighting": weighting}
    model = IterativeHigherOrderKernel(**options).fit(D)
    assert_equal_to(kernel(vectors, vectors, SC, normalize), model.kernel(new))


def test_one_document_has_no_entropy():
    model = IterativeHigherOrderKernel(weighting="log-entropy").fit([[1, 2]])
    plain = IterativeHigherOrderKernel().fit(np.log1p([[1, 2]]))
    assert_allclose(model.kernel([[1, 2]]), plain.kernel(np.log1p([[1, 2]])))


def test_table_1_of_the_paper():
    """d1 and d2 share no term, and are alike only through d3."""
    assert TABLE_1[0] @ TABLE_1[1] == 0
    with_d3 = IterativeHigherOrderKernel(n_iter=1).fit(TABLE_1).kernel(TABLE_1)
    # SC = [[1, 1/2, 0], [1/2, 1/2, 1/4], [0, 1/4, 1/2]]
    # d1 SC = (3/2, 1, 1/4) and d2 SC = (0, 1/4, 1/2), lengths 2 and 1
    assert with_d3[0, 1] == pytest.approx((1 / 4 + 1 / 8) / 2)
    for n_iter in range(1, 6):
        without_d3 = IterativeHigherOrderKernel(n_iter=n_iter).fit(TABLE_1[:2]).kernel(TABLE_1[:2])
        assert without_d3[0, 1] == 0


def test_features():
    """Their inner products are the kernel; there are no more than the rank asks for."""
    model = IterativeHigherOrderKernel().fit(TRAINING)
    features = model.transform(NEW)
    assert_allclose(features @ features.T, model.kernel(NEW), rtol=1e-12)
    assert features.shape[1] == np.linalg.matrix_rank(TRAINING) == 10
    names = model.get_feature_names_out()
    assert names[0] == "iterativehigherorderkernel0"
    assert len(names) == features.shape[1]
    with_ones = IterativeHigherOrderKernel(unit_diagonal=True).fit(TRAINING)
    assert with_ones.transform(NEW).shape == (5, 17)
    assert len(with_ones.get_feature_names_out()) == 17


def test_nothing_to_learn_from():
    model = IterativeHigherOrderKernel().fit(np.zeros((3, 4)))
    assert_allclose(model.transform(np.ones((2, 4))), np.zeros((2, 1)))


@pytest.mark.parametrize("unit_diagonal", [False, True])
def test_similar_terms(unit_diagonal):
    model = IterativeHigherOrderKernel(unit_diagonal=unit_diagonal).fit(TRAINING)
    SC = similarity_of_terms(TRAINING, 2, unit_diagonal)
    for term in range(TRAINING.shape[1]):
        found = model.similar_terms(term, 20)
        with np.errstate(invalid="ignore"):
            expected = np.nan_to_num(SC[term] / np.sqrt(SC[term, term] * np.diag(SC)))
        expected[term] = 0
        assert [value for _, value in found] == pytest.approx(sorted(expected[expected > 0])[::-1])
        for column, value in found:
            assert expected[column] == pytest.approx(value)
    assert model.similar_terms(9) == []  # never seen
    assert len(model.similar_terms(np.int64(0), 3)) == 3


def test_similar_terms_by_name():
    frame = pd.DataFrame(TABLE_1, columns=["sea", "boat", "wave"])
    model = IterativeHigherOrderKernel(n_iter=1).fit(frame)
    assert model.similar_terms("wave") == [("boat", pytest.approx(0.5))]
    names = ["a", "b", "c"]
    assert model.similar_terms("c", feature_names=names) == [("b", pytest.approx(0.5))]
    assert IterativeHigherOrderKernel(n_iter=1).fit(TABLE_1).similar_terms(2)[0][0] == 1


def test_similarities_in_blocks(monkeypatch):
    whole = IterativeHigherOrderKernel(n_iter=4, unit_diagonal=True).fit(TRAINING).kernel(NEW)
    monkeypatch.setattr(iterative_kernel, "TERMS_IN_A_BLOCK", 3)
    blocks = IterativeHigherOrderKernel(n_iter=4, unit_diagonal=True).fit(TRAINING).kernel(NEW)
    assert_allclose(blocks, whole, rtol=1e-12)


def test_in_a_pipeline():
    texts = ["sea and boat", "boat on the wave", "green hill", "hill and river"] * 3
    labels = ["sea", "sea", "land", "land"] * 3
    model = make_pipeline(CountVectorizer(), IterativeHigherOrderKernel(), SVC(C=1e4))
    assert model.fit(texts, labels).score(texts, labels) == 1


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_iter": 0}, "n_iter must be an integer, 1 or more; got 0"),
        ({"n_iter": 1.5}, "n_iter must be an integer"),
        ({"normalize": "cosine"}, "normalize must be one of 'length', 'row', 'column'"),
        ({"weighting": "bm25"}, "weighting must be one of 'tf-idf', 'log-entropy', None"),
        ({"unit_diagonal": "no"}, "unit_diagonal must be True or False"),
    ],
)
def test_parameters_without_sense(parameters, message):
    with pytest.raises(ValueError, match=message):
        IterativeHigherOrderKernel(**parameters).fit(TABLE_1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda model: model.similar_terms("sea"), "pass feature_names, or the column of 'sea'"),
        (
            lambda model: model.similar_terms("x", feature_names=list("abc")),
            "There is no term 'x'",
        ),
        (
            lambda model: model.similar_terms(0, feature_names=["a"]),
            "has 1 names, but the model was fitted to 3 terms",
        ),
        (lambda model: model.similar_terms(3), "term=3 is not a column of X. X has 3 columns"),
        (lambda model: model.similar_terms(-1), "term=-1 is not a column of X. X has 3 columns"),
        (lambda model: model.similar_terms(1, 0), "k must be an integer, 1 or more"),
        (lambda model: model.transform(["a text"]), "X contains texts, .* TextVectorizer in front"),
        (lambda model: model.transform(-TABLE_1), "Negative values"),
    ],
)
def test_calls_without_sense(call, message):
    with pytest.raises(ValueError, match=message):
        call(IterativeHigherOrderKernel().fit(TABLE_1))


def test_weights_leave_the_documents_as_they_are():
    """The first term has weight 0; its entries must not be removed from the caller's matrix."""
    X = sparse.csr_array([[2, 1, 0], [2, 0, 0], [2, 1, 1]], dtype=np.float64)
    before = X.toarray()
    IterativeHigherOrderKernel(weighting="log-entropy").fit(X).transform(X)
    assert_allclose(X.toarray(), before)
