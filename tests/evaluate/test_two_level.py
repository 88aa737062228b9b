"""The test for draws of a few labels: against analysis of variance, and by simulation."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import f1_score

from honeybayes.evaluate import (
    Cell,
    Comparison,
    RandomSplits,
    RepeatedFolds,
    Result,
    compare,
    paired_t_test,
    two_level_test,
)
from honeybayes.evaluate._records import pack, unpack
from honeybayes.evaluate._significance import estimate_two_levels
from honeybayes.tables import load_corpus

SPLITS = RandomSplits(per_class=5, repetitions=4)
PLACE = ("messages", "5 per class")


@pytest.fixture(scope="module")
def comparison():
    return compare(["NB", "CNB"], load_corpus("messages"), SPLITS)


def effects(random, n_draws, n_documents, of_draw=0.02, of_document=0.3, rest=0.4):
    """Differences with an effect of each draw and of each document, and the rest."""
    draws = random.normal(0, of_draw, (n_draws, 1))
    documents = random.normal(0, of_document, (1, n_documents))
    return draws + documents + random.normal(0, rest, (n_draws, n_documents))


def test_variance_components_are_those_of_the_analysis_of_variance():
    """Two-way layout without replication, method of moments; all documents tested."""
    n_draws, n_documents = 6, 80
    table = effects(np.random.default_rng(1), n_draws, n_documents, of_draw=0.3)
    by_draw, by_document = table.mean(axis=1), table.mean(axis=0)
    residual = table - by_draw[:, None] - by_document + table.mean()
    of_rest = (residual**2).sum() / (n_draws - 1) / (n_documents - 1)
    of_document = by_document.var(ddof=1) - of_rest / n_draws
    variance = by_draw.var(ddof=1) / n_draws + of_document / n_documents
    found = estimate_two_levels(table)
    assert found.mean == pytest.approx(table.mean())
    assert found.error**2 == pytest.approx(variance, rel=0.01)  # n and n - 1 documents
    assert found.freedom == n_draws - 1


def test_only_draws_count_if_documents_have_no_effect_of_their_own():
    table = np.random.default_rng(0).normal(0, 1, (5, 1)) + np.zeros((5, 40))
    found = estimate_two_levels(table)
    expected = paired_t_test(table[:, 0], np.zeros(5))
    assert found.freedom == 4
    assert found.test() == pytest.approx(expected)


@pytest.mark.parametrize("n_draws", [2, 3, 10])
@pytest.mark.statistics
def test_the_variance_is_that_of_the_mean_over_new_draws_and_new_documents(n_draws):
    random = np.random.default_rng(0)
    found = [estimate_two_levels(effects(random, n_draws, 60)) for _ in range(4000)]
    true = 0.02**2 / n_draws + 0.3**2 / 60 + 0.4**2 / 60 / n_draws
    assert np.mean([each.error**2 for each in found]) == pytest.approx(true, rel=0.05)
    assert np.var([each.mean for each in found]) == pytest.approx(true, rel=0.08)


@pytest.mark.parametrize(
    ("of_draw", "n_documents", "least"),
    # if nearly all variance is that of documents, 9 degrees of freedom are too few, and it is safe
    [(0.04, 600, 0.03), (0.02, 400, 0.02)],
)
@pytest.mark.statistics
def test_it_rejects_five_percent_without_a_difference_and_finds_five_points(
    of_draw, n_documents, least
):
    random = np.random.default_rng(0)
    p_values, of_draws, with_difference = [], [], []
    for _ in range(1500):
        table = effects(random, 10, n_documents, of_draw)
        table[random.random(table.shape) < 0.05] = np.nan  # drawn for training
        p_values.append(two_level_test(table, np.zeros_like(table)).p_value)
        of_draws.append(paired_t_test(np.nanmean(table, axis=1), np.zeros(10)).p_value)
        with_difference.append(two_level_test(table + 0.05, np.zeros_like(table)).p_value)
    assert least < np.mean(np.array(p_values) <= 0.05) < 0.07
    # all draws share the documents: the test of draws alone is wrong about new documents
    assert np.mean(np.array(of_draws) <= 0.05) > 0.1
    assert np.mean(np.array(with_difference) <= 0.05) > 0.6


def test_the_interval_is_what_the_test_does_not_reject():
    table = effects(np.random.default_rng(3), 8, 50)
    found = estimate_two_levels(table)
    for end in found.interval(0.95):
        assert found._replace(mean=found.mean - end).test().p_value == pytest.approx(0.05)


def test_no_difference_at_all_and_a_sure_one():
    same = np.ones((3, 5))
    assert two_level_test(same, same) == (0.0, 1.0)
    assert two_level_test(same, np.zeros((3, 5))).p_value == 0.0


@pytest.mark.parametrize(
    ("table", "message"),
    [(np.ones((1, 5)), "at least two draws"), (np.ones((3, 1)), "two test documents")],
)
def test_refusals(table, message):
    with pytest.raises(ValueError, match=message):
        two_level_test(table, table)


def test_differences_of_a_comparison_use_it(comparison):
    [found] = comparison.differences("CNB", "NB")
    right = np.full((2, 4, 600), np.nan)
    for number, model in enumerate(("CNB", "NB")):
        for trial, result in enumerate(comparison.trials(model, PLACE)):
            rows, truth, answers = result.answers()
            right[number, trial, rows] = truth == answers
    assert found.test == "two-level"
    assert found.p_value == pytest.approx(two_level_test(*right).p_value)
    assert found.low < found.mean < found.high
    assert found.mean == pytest.approx(np.diff(comparison_means(comparison))[0])
    assert "new draws of labels, and new texts" in found.claim


def comparison_means(comparison):
    return [comparison.scores(model, PLACE).mean() for model in comparison.models]


def test_the_corrected_test_stays_and_answers_as_before(comparison):
    [found] = comparison.differences("CNB", "NB", test="corrected-t")
    a, b = (comparison.scores(model, PLACE) for model in ("CNB", "NB"))
    expected = paired_t_test(a, b, 560 / 40)
    assert found.p_value == expected.p_value
    reach = stats.t.ppf(0.975, 3) * abs(found.mean / expected.statistic)
    assert (found.low, found.high) == pytest.approx((found.mean - reach, found.mean + reach))
    [folds] = compare(["NB", "CNB"], "messages", RepeatedFolds(3)).differences("CNB", "NB")
    assert folds.test == "corrected-t"


def test_answers_for_other_documents_are_refused(comparison):
    own, theirs = (comparison.trials(model, PLACE) for model in ("CNB", "NB"))
    others = [
        replace(r, outcomes=o.outcomes)
        for r, o in zip(theirs, [*theirs[1:], theirs[0]], strict=True)
    ]
    with pytest.raises(ValueError, match="'CNB' and 'NB' were not tested on the same documents"):
        Comparison((*own, *others)).differences("CNB", "NB")


def test_what_has_no_answers_per_document_is_tested_by_draw(comparison):
    [found] = comparison.differences("CNB", "NB", "log_loss")
    assert found.test == "paired-t"
    assert "this table" in found.claim
    older = Comparison(tuple(r.__class__(r.cell, 40, 560, r.scores) for r in comparison.results))
    assert older.differences("CNB", "NB")[0].test == "paired-t"
    with pytest.raises(ValueError, match="needs the answers for the same documents"):
        older.differences("CNB", "NB", test="two-level")
    assert np.isnan(comparison.differences("CNB", "NB", test="wilcoxon")[0].low)


@pytest.mark.statistics
def test_values_of_documents_have_the_metric_as_mean_and_its_variance():
    """The variance of macro-F1 by these values agrees with a bootstrap over documents."""
    random = np.random.default_rng(0)
    truth = random.choice(3, 400, p=[0.6, 0.3, 0.1])
    answers = np.where(random.random(400) < 0.7, truth, random.choice(3, 400))
    outcomes = unpack(pack(np.arange(400), truth, answers))
    values = outcomes.values("macro_f1")
    assert values.mean() == pytest.approx(f1_score(truth, answers, average="macro"))
    drawn = random.integers(0, 400, (600, 400))
    bootstrap = [f1_score(truth[rows], answers[rows], average="macro") for rows in drawn]
    assert values.std() / 20 == pytest.approx(np.std(bootstrap), rel=0.1)
    right = outcomes.values("accuracy")
    np.testing.assert_array_equal(right, truth == answers)


@pytest.mark.parametrize("text", ["", "3", "0:", "x:eJw=", "2:????", "2:eJw=", "99999:eJw="])
def test_damaged_outcomes_are_refused(text):
    with pytest.raises(ValueError, match=r".+"):
        unpack(text)


@pytest.mark.parametrize("text", ["2:????", "2:eJ", "2:AAAA"])
def test_outcomes_that_cannot_be_decoded_are_named(text):
    with pytest.raises(ValueError, match="outcomes cannot be read: "):
        unpack(text)


def test_outcomes_that_would_fill_the_memory_are_refused(monkeypatch):
    packed = pack(np.arange(5000), np.zeros(5000, int), np.ones(5000, int))
    monkeypatch.setattr("honeybayes.evaluate._records.MOST_BYTES", 1000)
    with pytest.raises(ValueError, match="incomplete"):
        unpack(packed)


def test_single_draws_that_are_far_off_are_named():
    """Finding: a model fails in one draw of 25, and ten draws do not show how often."""
    scores = {"A": [0.8, 0.81, 0.79, 0.8, 0.82, 0.3], "B": [0.8, 0.7, 0.6, 0.9, 0.75, 0.85]}
    results = [
        Result(Cell("toy", "clean", "5 %", number, 0, model, 0, "x"), 5, 9, {"accuracy": value})
        for model, values in scores.items()
        for number, value in enumerate(values)
    ]
    [note] = Comparison(tuple(results)).notes
    assert note.startswith(
        "toy, 5 %: A is far off in 1 of 6 draws (accuracy 30.0 %, usually 80.0 %)"
    )
    usual = [each for each in results if each.cell.repetition < 5]
    assert Comparison(tuple(usual)).notes == []
