"""Compare term scores with their definitions on dense tables, with SciPy, and with WEKA."""

import math
import os
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from scipy.stats import chi2_contingency
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.feature_selection import mutual_info_classif

from honeybayes.tables import find_data_file, read_corpus
from honeybayes.text.term_scores import (
    chi_square,
    gain_ratio,
    information_gain,
    symmetrical_uncertainty,
    weka_gain,
)

OF_PRESENCE = [information_gain, gain_ratio, symmetrical_uncertainty, chi_square]
SCORES = [*OF_PRESENCE, weka_gain]
WEKA = Path(os.environ.get("WEKA_JAR", "/usr/share/java/weka.jar"))  # Debian's package weka
needs_weka = pytest.mark.skipif(
    not WEKA.exists() or shutil.which("javac") is None,
    reason="needs weka.jar (WEKA_JAR or Debian's package weka) and a JDK",
)
WEKA_GAINS = """
import java.io.*;
import weka.attributeSelection.InfoGainAttributeEval;
import weka.core.Instances;
public class Gains {
  public static void main(String[] files) throws Exception {
    Instances data = new Instances(new BufferedReader(new FileReader(files[0])));
    data.setClassIndex(data.numAttributes() - 1);
    InfoGainAttributeEval gains = new InfoGainAttributeEval();
    gains.buildEvaluator(data);
    for (int i = 0; i < data.numAttributes() - 1; i++)
      System.out.println(gains.evaluateAttribute(i));
  }
}
"""


def entropy(values):
    """Return the entropy of a list of values in bits."""
    return -sum(n / len(values) * math.log2(n / len(values)) for n in Counter(values).values() if n)


def oracle_information_gain(column, y):
    gain = entropy(y)
    for presence in (False, True):
        classes = [c for count, c in zip(column, y, strict=True) if (count > 0) is presence]
        if classes:
            gain -= len(classes) / len(y) * entropy(classes)
    return gain


def oracle_gain_ratio(column, y):
    split = entropy([count > 0 for count in column])
    return oracle_information_gain(column, y) / split if split > 0 else 0.0


def oracle_symmetrical_uncertainty(column, y):
    both = entropy([count > 0 for count in column]) + entropy(y)
    return 2 * oracle_information_gain(column, y) / both if both > 0 else 0.0


def oracle_chi_square(column, y):
    present = [count > 0 for count in column]
    total = 0.0
    for presence in (False, True):
        for c in set(y):
            observed = sum(p is presence and k == c for p, k in zip(present, y, strict=True))
            expected = present.count(presence) * y.count(c) / len(y)
            total += (observed - expected) ** 2 / expected if expected else 0.0
    return total


def oracle_intervals(documents):
    """Cut a sorted list of (value, class) by Fayyad and Irani's rule; return lists of classes."""

    def classes_of(part):
        return [c for _, c in part]

    def after(cut):
        halves = documents[:cut], documents[cut:]
        return sum(len(half) / len(documents) * entropy(classes_of(half)) for half in halves)

    cuts = [i for i in range(1, len(documents)) if documents[i - 1][0] < documents[i][0]]
    whole = classes_of(documents)
    if not cuts:
        return [whole]
    best = min(cuts, key=lambda cut: round(after(cut), 12))
    k, k_left, k_right = (len(set(part)) for part in (whole, whole[:best], whole[best:]))
    delta = math.log2(3**k - 2) - (
        k * entropy(whole) - k_left * entropy(whole[:best]) - k_right * entropy(whole[best:])
    )
    if entropy(whole) - after(best) <= (math.log2(len(cuts)) + delta) / len(documents) + 1e-13:
        return [whole]
    return oracle_intervals(documents[:best]) + oracle_intervals(documents[best:])


def oracle_weka_gain(column, y):
    intervals = oracle_intervals(sorted(zip(column, y, strict=True)))
    return entropy(y) - sum(len(each) / len(y) * entropy(each) for each in intervals)


ORACLES = {
    weka_gain: oracle_weka_gain,
    information_gain: oracle_information_gain,
    gain_ratio: oracle_gain_ratio,
    symmetrical_uncertainty: oracle_symmetrical_uncertainty,
    chi_square: oracle_chi_square,
}


@st.composite
def labeled_counts(draw):
    """Draw a small table of counts with many zeros, and a class for every row."""
    n_documents = draw(st.integers(1, 12))
    n_terms = draw(st.integers(0, 6))
    count = st.sampled_from([0, 0, 0, 1, 2])
    rows = st.lists(count, min_size=n_terms, max_size=n_terms)
    X = draw(st.lists(rows, min_size=n_documents, max_size=n_documents))
    y = draw(st.lists(st.sampled_from("abcd"), min_size=n_documents, max_size=n_documents))
    return np.array(X, dtype=np.int64).reshape(n_documents, n_terms), y


@pytest.mark.parametrize("score", SCORES)
@given(data=labeled_counts())
def test_scores_follow_the_definition(score, data):
    X, y = data
    expected = [ORACLES[score](column, y) for column in X.T.tolist()]
    got = score(sparse.csr_array(X), y)
    assert got.shape == (X.shape[1],)
    assert got.dtype == np.float64
    assert_allclose(got, expected, atol=1e-12)
    assert (got >= 0).all()


@given(data=labeled_counts())
def test_bounds(data):
    X, y = data
    assert (information_gain(X, y) <= entropy(y) + 1e-12).all()
    assert (gain_ratio(X, y) <= 1 + 1e-12).all()
    assert (symmetrical_uncertainty(X, y) <= 1 + 1e-12).all()
    assert (chi_square(X, y) <= len(y) + 1e-9).all()  # Cramer's V of a two-row table is at most 1


@pytest.mark.parametrize("score", SCORES)
@given(data=labeled_counts(), seed=st.integers(0, 2**32 - 1))
def test_order_of_documents_does_not_matter_to_the_last_bit(score, data, seed):
    X, y = data
    order = np.random.default_rng(seed).permutation(len(y))
    assert_array_equal(score(X[order], np.array(y)[order]), score(X, y))


@pytest.fixture(scope="module")
def corpus():
    rng = np.random.default_rng(0)
    y = rng.choice(["sport", "health", "economy"], size=200, p=[0.6, 0.3, 0.1])
    rate = np.where(y[:, np.newaxis] == "sport", 0.3, 0.1) * rng.uniform(0.2, 2, size=40)
    return rng.poisson(rate), y


def test_chi_square_agrees_with_scipy(corpus):
    X, y = corpus
    expected = [
        chi2_contingency(
            [[np.sum((column > 0) & (y == c)), np.sum((column == 0) & (y == c))] for c in set(y)],
            correction=False,
        ).statistic
        for column in X.T
    ]
    assert_allclose(chi_square(X, y), expected)


def test_information_gain_agrees_with_scikit_learn(corpus):
    X, y = corpus
    nats = mutual_info_classif(X > 0, y, discrete_features=True)
    assert_allclose(information_gain(X, y), nats / np.log(2), atol=1e-14)


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize(
    "make",
    [sparse.csr_matrix, sparse.csc_array, sparse.coo_array, np.ndarray.tolist, np.float32],
    ids=["csr_matrix", "csc", "coo", "list", "float32"],
)
def test_all_matrix_types_give_the_same_scores(score, make, corpus):
    X, y = corpus
    assert_array_equal(score(make(X), y), score(X, y))


@pytest.mark.parametrize("score", SCORES)
def test_explicit_zeros_and_duplicates_are_not_presence_twice(score):
    y = [0, 0, 1]
    stored = sparse.coo_array(([0, 2, 3, 1], ([0, 1, 1, 2], [0, 1, 1, 0])), shape=(3, 2))
    assert_array_equal(score(stored, y), score([[0, 0], [0, 1], [1, 0]], y))


@pytest.mark.parametrize("score", OF_PRESENCE)
def test_term_in_all_or_no_documents_scores_zero(score):
    X = np.array([[1, 0], [2, 0], [1, 0], [4, 0]])
    assert_array_equal(score(X, ["a", "b", "b", "c"]), [0.0, 0.0])


@pytest.mark.parametrize("score", SCORES)
def test_independent_term_scores_exactly_zero(score):
    y = ["a"] * 3 + ["b"] * 6 + ["c"] * 9  # a third of every class has the term
    column = [1, 0, 0] * 6
    assert_array_equal(score(np.array([column]).T, y), [0.0])


@pytest.mark.parametrize("score", SCORES)
def test_one_class_scores_zero(score):
    assert_array_equal(score([[1, 0], [0, 1]], ["a", "a"]), [0.0, 0.0])


def test_large_counts_of_documents_do_not_overflow():
    """The squared deviation of a million documents does not fit in 64 bits."""
    n = 1_000_000
    half = sparse.csr_array(np.repeat([[1], [0]], n // 2, axis=0))
    assert_allclose(chi_square(half, np.repeat([0, 1], n // 2)), [n])
    assert_allclose(information_gain(half, np.repeat([0, 1], n // 2)), [1.0])


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        ([[1], [0]], ["a"], r"each of the 2 document\(s\); got shape \(1,\)"),
        ([[1], [0]], [["a"], ["b"]], r"y must be one-dimensional.*got shape \(2, 1\)"),
        ([[1], [0]], "a", r"y must be one-dimensional.*got shape \(\)"),
        (np.zeros((0, 3)), [], "X has no documents"),
        ([[1], [0]], [0.0, math.nan], "y contains NaN"),
        ([[1], [0]], np.array(["a", math.nan], dtype=object), "y contains NaN"),
        ([[1], [-1]], ["a", "b"], "Negative values in X"),
        ([[1], [math.nan]], ["a", "b"], "X contains NaN"),
    ],
)
def test_bad_input(score, X, y, message):
    with pytest.raises(ValueError, match=message):
        score(X, y)


@pytest.mark.parametrize("score", SCORES)
def test_integer_weights_repeat_documents(score):
    rng = np.random.default_rng(4)
    X, y, times = rng.random((30, 12)) < 0.3, rng.integers(0, 3, 30), rng.integers(0, 4, 30)
    X[:, 0] = y == 0
    found = score(X, y, sample_weight=times)
    assert_allclose(found, score(np.repeat(X, times, axis=0), np.repeat(y, times)), atol=1e-12)
    assert found.any()
    if score is not weka_gain:  # fewer documents pay for fewer cuts
        scaled = score(X, y, sample_weight=0.3 * times)
        assert_allclose(scaled, found * (0.3 if score is chi_square else 1))


def test_weights_leave_no_rounding_errors():
    weights = np.full(6, 0.1)
    X = [[1, 1], [1, 0], [1, 1], [1, 0], [1, 1], [1, 0]]
    assert_array_equal(information_gain(X, [0, 0, 1, 1, 2, 2], sample_weight=weights), [0, 0])


def write_arff(path, X, y):
    """Write counts as WEKA reads them; every value is stated, so that the first class is one."""
    lines = ["@relation counts", *(f"@attribute t{i} numeric" for i in range(X.shape[1]))]
    lines += [f"@attribute label {{{','.join(map(str, sorted(set(y))))}}}", "@data"]
    lines += [",".join(map(str, [*row, c])) for row, c in zip(X.tolist(), y, strict=True)]
    path.write_text("\n".join(lines) + "\n")


def intervals_corpus(seed):
    """Make terms whose numbers of occurrences, not only their presence, depend on the class."""
    rng = np.random.default_rng(seed)
    y = rng.choice(5, 400)
    rate = rng.choice([0, 0.2, 1, 4], (5, 150), p=[0.3, 0.4, 0.2, 0.1])
    mixed = rng.random((400, 150)) < 0.5
    return rng.poisson(np.where(mixed, rate[y], rate.mean(axis=0))), y


@pytest.mark.parametrize("seed", range(3))
def test_many_intervals_follow_the_definition(seed):
    X, y = intervals_corpus(seed)
    expected = [oracle_weka_gain(column, y.tolist()) for column in X.T.tolist()]
    found = weka_gain(X, y)
    assert_allclose(found, expected, atol=1e-12)
    assert 0 < (found > 0).sum() < len(found)
    assert (found > information_gain(X, y) + 0.01).any()


def gains_of_weka(folder, X, y):
    """Return the gain of each term by WEKA's own program."""
    write_arff(folder / "counts.arff", X, y)
    (folder / "Gains.java").write_text(WEKA_GAINS)
    told = subprocess.run(
        ["java", "-cp", str(WEKA), "Gains.java", "counts.arff"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return np.array(told.stdout.split(), dtype=float)


def assert_same_gains_and_ranks(found, expected):
    assert_allclose(found, expected, atol=1e-12)
    ranks = [np.argsort(-each.round(10), kind="stable") for each in (found, expected)]
    assert_array_equal(*ranks)


@pytest.mark.process
@needs_weka
@pytest.mark.parametrize("seed", range(3))
def test_weka_gain_agrees_with_weka(tmp_path, seed):
    X, y = intervals_corpus(seed)
    assert_same_gains_and_ranks(weka_gain(X, y), gains_of_weka(tmp_path, X, y))


@pytest.mark.process
@needs_weka
@pytest.mark.parametrize("name", ["1150haber.jsonl.gz", "mini-newsgroups.jsonl.gz", "wc-oh0.npz"])
def test_weka_gain_agrees_with_weka_on_corpora(tmp_path, name):
    """All terms that occur three times or more, but at most 8,000."""
    try:
        path = find_data_file(name)
    except FileNotFoundError:
        pytest.skip(f"needs {name} in the folder HONEYBAYES_DATA")
    if path.suffix == ".npz":
        with np.load(path) as file:
            X = sparse.csr_array((file["data"], file["indices"], file["indptr"]), file["shape"])
            labels = file["labels"]
    else:
        corpus = read_corpus(path)
        X, labels = CountVectorizer().fit_transform(corpus.documents), corpus.labels
    X = sparse.csc_array(X)
    X = X[:, np.flatnonzero(X.sum(axis=0) >= 3)[:8000]]
    y = np.unique(labels, return_inverse=True)[1]
    found = weka_gain(X, y)
    assert_same_gains_and_ranks(found, gains_of_weka(tmp_path, X.toarray(), y.tolist()))
    assert 0 < (found > 0).sum() < len(found)


def test_real_values_are_cut_between_neighbors():
    X = np.array([[0.1, 0.2, 0.25, 0.3, 0.7, 0.75, 0.8, 0.9]]).T
    assert_allclose(weka_gain(X, [0] * 4 + [1] * 4), [1.0])
