"""The tests against published and independent values."""

import csv

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.datasets import make_moons
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score
from sklearn.svm import SVC

from honeybayes.evaluate import (
    Cell,
    Comparison,
    Result,
    critical_difference,
    paired_t_test,
    wilcoxon_test,
)
from reproduction.published import TABLES

# Demsar (2006), Table 6: areas under the ROC curve of C4.5, C4.5+m, C4.5+cf and C4.5+m+cf.
DEMSAR = np.array(
    [
        [0.763, 0.768, 0.771, 0.798],
        [0.599, 0.591, 0.590, 0.569],
        [0.954, 0.971, 0.968, 0.967],
        [0.628, 0.661, 0.654, 0.657],
        [0.882, 0.888, 0.886, 0.898],
        [0.936, 0.931, 0.916, 0.931],
        [0.661, 0.668, 0.609, 0.685],
        [0.583, 0.583, 0.563, 0.625],
        [0.775, 0.838, 0.866, 0.875],
        [1.000, 1.000, 1.000, 1.000],
        [0.940, 0.962, 0.965, 0.962],
        [0.619, 0.666, 0.614, 0.669],
        [0.972, 0.981, 0.9751, 0.975],  # printed alike, but ranked 2 and 3
        [0.957, 0.978, 0.946, 0.970],
    ]
)


def read(name):
    text = (TABLES / name).read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


def published_accuracies():
    accuracies = {}
    for row in read("results.csv"):
        if row["paper"] == "hmnb":
            accuracies.setdefault(row["model"], {})[row["dataset"]] = float(row["value"])
    return accuracies


@pytest.mark.parametrize(
    "row",
    read("wilcoxon.csv"),
    ids=lambda r: f"{r['row_model']}-{r['column_model']}-{r['triangle']}",
)
def test_published_wilcoxon_marks(row):
    """hmnb, Tables 5 to 8: below the diagonal at 0.05, above it at 0.1."""
    accuracies = published_accuracies()
    own, other = accuracies[row["row_model"]], accuracies[row["column_model"]]
    a, b = [own[corpus] for corpus in sorted(own)], [other[corpus] for corpus in sorted(own)]
    level = {"lower": 0.05, "upper": 0.1}[row["triangle"]]
    significant = wilcoxon_test(a, b).p_value <= level
    better = "row better" if np.mean(a) > np.mean(b) else "column better"
    assert row["mark"] == (better if significant else "none")


@given(st.lists(st.integers(-6, 6), min_size=1, max_size=9))
def test_wilcoxon_against_all_signs(differences):
    """The definition: every way to put signs on the ranks is as likely as any other."""
    d = np.array([x for x in differences if x])
    outcome = wilcoxon_test(differences, np.zeros(len(differences)))
    if not len(d):
        assert outcome == (0, 1)
        return
    ranks = stats.rankdata(np.abs(d))
    signs = np.array(np.meshgrid(*[[0, 1]] * len(d))).reshape(len(d), -1)
    sums = ranks @ signs
    smaller = min(ranks[d > 0].sum(), ranks[d < 0].sum())
    assert outcome.statistic == smaller
    assert outcome.p_value == pytest.approx(min(1, 2 * np.mean(sums <= smaller + 1e-9)))


@given(st.lists(st.floats(-1, 1).filter(lambda x: abs(x) > 1e-3), min_size=2, max_size=12))
def test_wilcoxon_against_scipy_without_ties(differences):
    if len(np.unique(np.round(np.abs(differences), 9))) < len(differences):
        return
    ours = wilcoxon_test(differences, np.zeros(len(differences)))
    theirs = stats.wilcoxon(differences, method="exact")
    assert ours.p_value == pytest.approx(theirs.pvalue)


def test_demsar_ranks_and_critical_difference():
    """Demsar (2006), sections 3.2.2 and 3.2.3, worked example."""
    comparison = Comparison(
        tuple(
            Result(Cell(f"corpus {row}", "clean", "5 %", 0, 0, model, 0, ""), 1, 1, {"accuracy": x})
            for row, scores in enumerate(DEMSAR)
            for model, x in zip("abcd", scores, strict=True)
        )
    )
    expected = {"a": 3.143, "b": 2.000, "c": 2.893, "d": 1.964}
    assert comparison.ranks() == pytest.approx(expected, abs=5e-4)
    partly = Comparison(comparison.results[1:])
    with (
        pytest.raises(ValueError, match="A model has no accuracy on one of"),
        pytest.warns(RuntimeWarning),
    ):
        partly.ranks()
    assert critical_difference(4, 14, 0.05) == pytest.approx(1.25, abs=0.005)
    assert critical_difference(4, 14, 0.10) == pytest.approx(1.12, abs=0.005)


@pytest.mark.parametrize(
    ("n_models", "q"),
    [(2, 1.960), (3, 2.343), (4, 2.569), (5, 2.728), (6, 2.850), (7, 2.949), (10, 3.164)],
)
def test_demsar_table_5a(n_models, q):
    """Critical values of the two-tailed Nemenyi test at 0.05."""
    scale = (n_models * (n_models + 1) / 6) ** 0.5
    assert critical_difference(n_models, 1) / scale == pytest.approx(q, abs=1e-3)


def test_corrected_t_against_the_example_of_scikit_learn():
    """Its page "Statistical comparison of models using grid search", rerun.

    Two kernels on 100 noisy moons, ten ten-fold cross-validations: it prints t = 0.750 and
    one-sided p = 0.227 with the correction, t = 2.611 and p = 0.005 without.
    """
    X, y = make_moons(noise=0.352, random_state=1, n_samples=100)
    folds = RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0)
    rbf, linear = (
        cross_val_score(SVC(kernel=kernel, random_state=0), X, y, cv=folds, scoring="roc_auc")
        for kernel in ("rbf", "linear")
    )
    t, p = paired_t_test(rbf, linear, 10 / 90)
    assert (round(t, 3), round(p / 2, 3)) == (0.750, 0.227)
    t, p = paired_t_test(rbf, linear)
    assert (round(t, 3), round(p / 2, 3)) == (2.611, 0.005)


def test_corrected_t_of_ten_folds():
    """For r x k folds the factor is 1/(r k) + 1/(k - 1), Bouckaert and Frank (2004)."""
    random = np.random.default_rng(0)
    a, b = random.normal(0.82, 0.02, 100), random.normal(0.80, 0.02, 100)
    plain = paired_t_test(a, b).statistic
    corrected = paired_t_test(a, b, 10 / 90).statistic
    assert corrected / plain == pytest.approx((1 / (1 + 100 / 9)) ** 0.5)
    assert plain == pytest.approx(stats.ttest_rel(a, b).statistic)
    assert paired_t_test(a, b).p_value == pytest.approx(stats.ttest_rel(a, b).pvalue)


def test_without_any_difference():
    same = [0.5, 0.6, 0.7]
    assert paired_t_test(same, same) == wilcoxon_test(same, same) == (0, 1)
    assert paired_t_test([1, 1], [0, 0], 1 / 9) == (np.inf, 0)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: paired_t_test([1], [2]), "at least two trials"),
        (lambda: paired_t_test([1, 2], [1, 2, 3]), "of equal length"),
        (lambda: wilcoxon_test([1, np.nan], [1, 2]), "must be finite"),
        (lambda: paired_t_test([1, 2], [2, 1], -1), "overlap must be 0 or more"),
        (lambda: critical_difference(1, 5), "at least two models and one corpus; got n_models=1"),
    ],
)
def test_refusals(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_noise_of_rounding_is_no_difference():
    noisy, plain = [0.1 + 0.2] * 6, [0.3] * 6
    assert noisy != plain
    assert wilcoxon_test(noisy, plain) == (0, 1)
    assert paired_t_test(noisy, plain) == (0, 1)
    assert paired_t_test(noisy, plain, 1 / 9) == (0, 1)
    # in any unit
    assert wilcoxon_test([1e-9 * x for x in noisy], [1e-9 * x for x in plain]) == (0, 1)
    assert wilcoxon_test([2e-15] * 6, [1e-15] * 6).p_value == 2 / 64
    # the same difference each time
    a = np.array([0.1, 0.25, 0.4, 0.75])
    assert paired_t_test(a + 0.1, a) == (np.inf, 0)


@pytest.mark.parametrize("unit", [1e6, 10])
def test_many_pairs(unit, monkeypatch):
    """Without ties and with them, as scipy has it and as the exact distribution has it."""
    random = np.random.default_rng(0)
    a = np.rint(unit * random.normal(size=1030))
    b = a + np.rint(unit * random.normal(0.05, 1, size=1030))
    outcome = wilcoxon_test(a, b)
    expected = stats.wilcoxon(a, b, correction=True)  # by the normal distribution, for so many
    assert outcome.statistic == expected.statistic
    assert outcome.p_value == pytest.approx(expected.pvalue, abs=1e-4)
    exact = wilcoxon_test(a[:200], b[:200])
    monkeypatch.setattr("honeybayes.evaluate._significance.MOST_EXACT", 0)
    assert exact.p_value == pytest.approx(wilcoxon_test(a[:200], b[:200]).p_value, abs=1e-3)
