"""The counts of chosen and free cells follow from one table; what a fit is worth; other seeds."""

import re
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse, stats
from sklearn.metrics import recall_score

from honeybayes.evaluate import read_results
from honeybayes.tables import Corpus
from reproduction.__main__ import PAGES, results_file
from reproduction.figures import CLASSES, log_ratios, plot_log_ratios, term_matrices
from reproduction.null import compare_with_plain
from reproduction.page import write_page
from reproduction.published import PublishedResult, published_results
from reproduction.readings import READINGS, is_free
from reproduction.rerun import HardScores, ReproducedCell, Reproduction, judge, pool, reproduce
from reproduction.rules import describe_paper, list_papers

# Written down apart from the table: paper, datasets (None for all) and models of the free cells.
FREE = (
    ("honb-2009", {"Citeseer"}, {"NB", "HONB"}),
    ("hos-2012", {"20News-18828"}, {"MVNB", "HONB"}),
    ("hmnb", None, {"MNB", "CNB", "HMNB", "HCNB"}),
)


def free_by_hand(cell):
    return any(
        cell.paper == paper
        and cell.model in models
        and (datasets is None or cell.dataset in datasets)
        for paper, datasets, models in FREE
    )


def test_free_cells():
    cells = [c for c in published_results() if c.table not in describe_paper(c.paper).quoted]
    assert [is_free(cell) for cell in cells] == [free_by_hand(cell) for cell in cells]
    assert (len(cells), sum(map(is_free, cells))) == (569, 66)
    assert sum(is_free(cell) for cell in cells if cell.paper == "hmnb") == 44


def test_every_reading_is_about_cells_that_exist():
    for reading in READINGS:
        rule = describe_paper(reading.paper)
        assert set(reading.datasets) <= set(rule.corpora)
        assert set(reading.models) <= set(rule.models)
        assert any(reading.matches(cell) for cell in published_results())


@pytest.mark.parametrize("paper", list_papers())
def test_the_pages_have_the_counts_of_the_recorded_trials(paper):
    """Counted here from the lines of the file, without `Reproduction.tally`."""
    rule = describe_paper(paper)
    least = rule.folds or 5
    metrics = {"accuracy": "accuracy", "f1": "macro_f1", "auc": "auc"}
    scores = {}
    for result in read_results(results_file(paper)):
        cell = result.cell
        key = cell.corpus, cell.split, cell.model
        scores.setdefault(key, {}).setdefault(cell.seed, []).append(result.scores)
    fit = free = far = by_interval = 0
    for p in published_results():
        if p.paper != paper or p.table in rule.quoted:
            continue
        split = f"{rule.folds} folds" if rule.folds else f"{p.percent} %"
        trials = scores.get((rule.corpora[p.dataset], split, p.model), {})
        by_seed = [
            [100 * t[metrics[p.metric]] for t in trials.get(seed, []) if metrics[p.metric] in t]
            for seed in (0, 1, 2)
        ]
        measured = [np.mean(values) for values in by_seed if len(values) >= least]
        if not measured:
            continue
        pooled = len(measured) == 3
        mean = np.mean(measured if pooled else measured[:1])
        distance = round(abs(mean - p.value), 6)
        limit = max(2, 2 * (p.deviation or 0))
        if p.deviation is None and not rule.folds:  # the interval of the difference of two means
            own = by_seed if pooled else by_seed[:1]
            n = sum(map(len, own))
            variance = np.mean([np.var(values, ddof=1) for values in own])
            variance += np.var([np.mean(values) for values in own])
            width = stats.t.ppf(0.975, n - 1) * np.sqrt(variance * (1 / n + 1 / rule.trials))
            limit = max(limit, width)
        if distance <= limit:
            fit += 1
            free += free_by_hand(p)
            far += distance > 2 and p.deviation is not None
            by_interval += distance > 2 and p.deviation is None
    page = (PAGES / f"{paper}.md").read_text(encoding="utf-8")
    assert f"**{fit} of " in page
    assert f"{fit - free} of these use a reading that was chosen" in page
    assert f"knowledge of the published accuracies, {free} do not" in page
    assert (f"{far} cell(s) are more than 2 points away" in page) == (far > 0)
    assert f"interval of the difference of two means ({by_interval})" in page


def test_the_free_cells_of_all_papers_are_added_up():
    summary = (PAGES / "README.md").read_text(encoding="utf-8")
    total, *papers = map(int, re.findall(r"accuracies, (\d+) do not", summary))
    assert len(papers) == 5
    assert total == sum(papers) <= 66


def cell(model, published, measured, dataset="oh0", deviation=None, percent=None, paper="hmnb"):
    p = PublishedResult(paper, 2, dataset, model, percent, "accuracy", published, deviation, "")
    verdict = judge(measured, published, deviation)
    return ReproducedCell(p, measured, 1.0, 10, verdict, True, True)


def test_plain_models_in_place_of_the_others():
    cells = (
        cell("MNB", 80.0, 80.5),
        cell("HMNB", 83.0, 83.1),
        cell("MNBTree", 82.0, 81.7),
        cell("OVA", 81.0, 81.0),
        cell("Rw,cOVA", 90.0, 90.3),
        cell("SECNB", 70.0, 70.0),  # no CNB to compare with
    )
    own, plain = compare_with_plain(Reproduction("hmnb", cells, ()))
    assert (own.cells, own.fit, plain.fit) == (3, 3, 1)
    assert_allclose([own.lowest, own.mean, own.highest], [0.1, 0.7 / 3, 0.3])
    assert_allclose([plain.lowest, plain.mean, plain.highest], [1.5, 13 / 3, 9.0])
    assert compare_with_plain(Reproduction("hmnb", (), ())) is None


def test_the_null_of_the_recorded_trials():
    reproduction = reproduce("hmnb", results=results_file("hmnb"), run=False)
    own, plain = compare_with_plain(reproduction)
    assert (own.cells, own.fit, plain.fit) == (198, 198, 146)
    assert (round(own.lowest, 2), round(own.highest, 2)) == (0.15, 0.44)


def test_far_cells_and_other_seeds():
    def run(*measured):
        named = zip(("NB", "HONB", "SVM"), (60.0, 70.0, 80.0), (4.0, None, 3.0), strict=True)
        return Reproduction(
            "honb-2009",
            tuple(
                cell(model, published, m, "RELIGION", deviation, 5, "honb-2009")
                for (model, published, deviation), m in zip(named, measured, strict=True)
            ),
            (),
        )

    seeds = [run(67.0, 71.9, 82.5), run(68.5, 72.1, 82.0), run(67, 71, 84)]
    pooled = pool(seeds)
    assert_allclose([c.measured for c in pooled.cells], [67.5, 215 / 3, 248.5 / 3])
    assert {c.trials for c in pooled.cells} == {30}
    assert [c.fits for c in pooled.cells] == [True, True, True]
    text = write_page(pooled, seeds=seeds)
    assert (
        "2 cell(s) are more than 2 points away, 1 of them more than 5, and fit because the printed "
        "deviation is large: Table 2 RELIGION 5 % NB +7.5; Table 2 RELIGION 5 % SVM +2.8." in text
    )
    hangs = "hangs on the draw: fits with 2 of 3"
    assert f"| RELIGION | 5 % | HONB | 70 | 71.9 | 72.1 | 71.0 | +1.7 | {hangs} |" in text
    assert f"| 60 ± 4 | 67.0 | 68.5 | 67.0 | +7.5 | {hangs} |" in text
    assert "| SVM | 80 ± 3 | 82.5 | 82.0 | 84.0 | +2.8 | fits |" in text
    assert "## Three seeds" not in write_page(seeds[0], seeds=seeds[:1])
    assert pool(seeds[:1]) == seeds[0]


def test_pooled_deviation_is_that_of_all_trials():
    random = np.random.default_rng(0)
    samples = random.normal(70, 3, (3, 500))
    cells = [
        replace(cell("NB", 70.0, s.mean(), deviation=1.0), deviation=s.std(ddof=1)) for s in samples
    ]
    (one,) = pool([Reproduction("hmnb", (c,), ()) for c in cells]).cells
    assert one.measured == pytest.approx(samples.mean())
    assert one.deviation == pytest.approx(samples.std(), rel=1e-2)


def test_hard_scores_give_the_area_of_predicted_classes():
    from sklearn.metrics import roc_auc_score
    from sklearn.naive_bayes import MultinomialNB

    random = np.random.default_rng(0)
    X, y = random.poisson(1, (60, 5)), random.choice(["a", "b", "c"], 60)
    model = HardScores(MultinomialNB()).fit(X, y)
    for column, label in enumerate(model.classes_):
        own, found = y == label, model.predict(X) == label
        expected = (recall_score(own, found) + recall_score(~own, ~found)) / 2
        assert roc_auc_score(own, model.predict_proba(X)[:, column]) == pytest.approx(expected)


def test_log_ratios():
    """By Eq. 6 and 10 written out; Eq. 12 keeps the signs."""
    random = np.random.default_rng(0)
    labels = np.repeat([*CLASSES, "talk.religion.misc"], 100)
    X = sparse.csr_array((random.random((300, 20)) < 0.2).astype(int))
    ratios = log_ratios(Corpus("religion", X, labels))
    n = ratios["first order"].shape[1]
    assert n <= 20
    assert_allclose(ratios["normalized"] ** 2, np.abs(ratios["higher order"]), atol=1e-12)
    assert_array_equal(np.sign(ratios["normalized"]), np.sign(ratios["higher order"]))
    steps = np.exp(ratios["first order"][0])  # (1 + a) / (1 + b) with five documents of each
    possible = [(1 + a) / (1 + b) for a in range(6) for b in range(6)]
    assert all(np.isclose(step, possible).any() for step in steps)
    assert len(plot_log_ratios(ratios).axes) == 4


def test_term_matrices():
    """honb-tkde: human and user never occur together, but have a value in two dimensions."""
    terms, X, together, truncated = term_matrices()
    assert X.shape == (9, 12)
    human, user = terms.index("human"), terms.index("user")
    assert together[human, user] == 0
    assert truncated[human, user] > 0.9
    assert np.linalg.matrix_rank(truncated) == 2
    values, vectors = np.linalg.eigh(together)
    assert_allclose(truncated, (vectors[:, -2:] * values[-2:]) @ vectors[:, -2:].T, atol=1e-10)
