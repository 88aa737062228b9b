"""Rerunning tables: published and measured side by side, and what our runs say to the claims."""

import re
from collections import defaultdict

import numpy as np
import pytest
from scipy import sparse
from sklearn.svm import LinearSVC

from honeybayes.evaluate import Cell, RandomSplits, Result, read_results
from honeybayes.tables import Corpus
from reproduction import rerun
from reproduction.__main__ import FOLDER, tidy
from reproduction.claims import CLAIMS, check_claims, recompute_marks, recompute_wilcoxon
from reproduction.explanations import EXPLANATIONS
from reproduction.page import write_page
from reproduction.plots import _tick_labels, plot_sizes
from reproduction.preprocessing import prepare
from reproduction.published import published_results, published_wilcoxon_marks
from reproduction.rerun import Reproduction, interval, judge, reproduce
from reproduction.rules import describe_paper, list_papers


@pytest.fixture
def small_corpora(monkeypatch):
    """Random documents in place of the papers' corpora, under their names."""

    def prepare(paper, dataset, seed=0):
        random = np.random.default_rng(len(dataset))
        labels = np.repeat(["a", "b", "c"], 40)
        rates = 0.2 + 0.6 * (labels[:, None] == np.resize(["a", "b", "c"], 30))
        name = describe_paper(paper).corpora[dataset]
        return Corpus(name, sparse.csr_array(random.poisson(rates)), labels)

    monkeypatch.setattr("reproduction.rerun.prepare", prepare)


@pytest.mark.parametrize(
    ("measured", "deviation", "verdict"),
    [
        (80.5, 1.0, "within one deviation"),
        (81.0, 1.0, "within one deviation"),
        (81.5, 1.0, "within two deviations"),
        (78.5, 0.3, "within 2 points"),
        (81.9, None, "within 2 points"),
        (75.0, 3.0, "within two deviations"),
        (82.1, None, "off"),
        (77.0, 1.0, "off"),
    ],
)
def test_verdicts(measured, deviation, verdict):
    assert judge(measured, 80.0, deviation) == verdict


def test_without_a_printed_deviation_the_interval_of_two_means_decides():
    rule = describe_paper("honb-tkde")
    rng = np.random.default_rng(0)
    trials = rng.normal(70, 6, (20_000, 2, rule.trials))  # ours and theirs
    ours, theirs = trials.mean(axis=2).T
    widths = [interval(rule, s, rule.trials) for s in trials[:, 0].std(axis=1, ddof=1)]
    assert np.mean(np.abs(ours - theirs) <= widths) == pytest.approx(0.95, abs=0.02)
    assert judge(83.0, 80.0, None, limit=3.0) == "within the interval of two means"
    assert judge(83.1, 80.0, None, limit=3.0) == "off"
    assert judge(83.0, 80.0, 1.0, limit=3.0) == "off"  # a deviation is printed
    assert interval(describe_paper("hmnb"), 3.0, 10) == 0


def test_a_table_of_percentages(small_corpora, tmp_path):
    path = tmp_path / "honb-2009.jsonl"
    options = {"table": 2, "trials": 2, "results": path}
    reproduction = reproduce("honb-2009", models=["NB", "HONB"], **options)
    assert len(reproduction.cells) == 12
    by_model = {cell.published.model: cell for cell in reproduction.cells}
    nb = by_model["NB"]
    own = [r for r in reproduction.results if (r.cell.corpus, r.cell.model) == ("cora-7", "NB")]
    scores = 100 * np.array([r.scores["accuracy"] for r in own])
    assert (nb.trials, nb.published.dataset) == (2, "Cora")
    assert nb.measured == pytest.approx(scores.mean())
    assert nb.deviation == pytest.approx(scores.std(ddof=1))
    assert {r.cell.protocol for r in reproduction.results} == {"paper"}
    assert {r.n_train for r in reproduction.results} == {6}  # floor(5 % of 40) of each class
    again = reproduce("honb-2009", models=["NB", "HONB"], **options)
    assert [r.scores for r in again.results] == [r.scores for r in reproduction.results]
    read = reproduce("honb-2009", run=False, **options)
    own = tuple(cell for cell in read.cells if cell.published.model in ("NB", "HONB"))
    assert own == reproduction.cells
    svm = next(cell for cell in read.cells if cell.published.model == "SVM")
    assert svm.verdict == "not run"
    assert svm.difference is None
    fit, measured, counted = read.count()
    assert fit <= measured == 12
    assert counted == 24
    row = "| 2 | RELIGION | 5 | SVM | accuracy | 69.90 ± 2.20 |  | 0 |  | not run |"
    assert row in read.table()


def test_one_run_serves_all_tables_with_the_same_splits(small_corpora, tmp_path):
    path = tmp_path / "hos-2012.jsonl"
    options = {"trials": 1, "models": ["MVNB", "HOS"], "datasets": ["WebKB4"], "results": path}
    reproduce("hos-2012", table=3, sizes=[80], **options)
    before = path.read_bytes()
    for table, metric in ((8, "macro_f1"), (9, "auc")):
        reproduction = reproduce("hos-2012", table=table, **options)
        for cell in reproduction.cells:
            (own,) = [r for r in reproduction.results if r.cell.model == cell.published.model]
            assert cell.measured == 100 * own.scores[metric]
    assert path.read_bytes() == before


def test_sizes_of_the_figures_are_run_and_kept(small_corpora):
    reproduction = reproduce(
        "honb-2009", table=2, trials=1, sizes=[20], models=["NB"], datasets=["Cora"]
    )
    assert reproduction.cells == ()
    assert [r.cell.split for r in reproduction.results] == ["20 %"]


def test_the_printed_c_and_the_scaling_of_weka(small_corpora, monkeypatch):
    """ihosk-2014 prints C = 0.1 for POLITICS at 5 %, and 1 at 70 %."""
    made = []

    def make_model(name, **parameters):
        made.append((name, parameters))
        return LinearSVC(**parameters)

    monkeypatch.setattr("reproduction.rerun.make_model", make_model)
    options = {"trials": 1, "sizes": [5, 70], "models": ["SMO-linear"]}
    reproduction = reproduce("ihosk-2014", table=5, **options)
    assert made == [("SMO-linear", {"C": 0.1}), ("SMO-linear", {"C": 1})]
    corpus = rerun.prepare("ihosk-2014", "20News-POLITICS")
    (split,) = RandomSplits(percent=5, repetitions=1).split(corpus.labels, corpus.name, 0)
    X = corpus.documents.toarray()
    scaled = X / np.maximum(X[split.train].max(axis=0), 1)
    model = LinearSVC(C=0.1).fit(scaled[split.train], corpus.labels[split.train])
    expected = model.score(scaled[split.test], corpus.labels[split.test])
    assert reproduction.results[0].scores["accuracy"] == pytest.approx(expected, abs=0.02)


def test_the_tuned_c_is_the_best_of_the_recorded_trials():
    """Of equal accuracies, the smallest C."""
    rule = describe_paper("ihosk-2014")
    accuracies = defaultdict(list)
    for result in read_results(FOLDER / "results" / "beyond.jsonl"):
        model, _, C = result.cell.model.partition(", C = ")
        if model in rule.tuned_c and C:
            cell = model, result.cell.corpus, result.cell.split, float(C)
            accuracies[cell].append(result.scores["accuracy"])
    for model, datasets in rule.tuned_c.items():
        for dataset, sizes in datasets.items():
            for percent, tuned in sizes.items():
                means = {
                    C: np.mean(accuracies[model, rule.corpora[dataset], f"{percent} %", C])
                    for C in (0.01, 0.1, 1.0, 10.0, 100.0)
                }
                assert tuned == max(means, key=means.get)


def test_folds(small_corpora):
    reproduction = reproduce("hmnb", table=2, trials=1, models=["MNB"], datasets=["oh0"])
    (cell,) = reproduction.cells
    assert cell.trials == 10
    assert cell.measured == pytest.approx(
        100 * np.mean([r.scores["accuracy"] for r in reproduction.results])
    )


def test_the_tally_counts_few_trials_and_chosen_readings_apart(small_corpora, monkeypatch):
    """NB of Citeseer rests on nothing that was chosen, NB of Cora on its seven classes."""
    monkeypatch.setattr("reproduction.rerun.judge", lambda *_: "within 2 points")
    options = {"table": 2, "models": ["NB"]}
    few = reproduce("honb-2009", trials=4, datasets=["Cora"], **options)
    assert few.tally() == (1, 0, 0, 0, 0, 1, 0)
    enough = reproduce("honb-2009", trials=5, datasets=["Cora", "Citeseer"], **options)
    assert enough.tally() == (2, 2, 1, 2, 0, 0, 0)
    assert [cell.chosen_after_results for cell in enough.cells] == [False, True]
    assert reproduce("honb-2009", table=2, run=False).tally() == (24, 0, 0, 0, 0, 0, 24)
    text = write_page(enough)
    assert "**2 of 2 published cells (100 %) are measured with 5 or more trials" in text
    assert "1 of these use a reading that was chosen" in text
    assert "- Chosen after results: seven classes" in text


def test_results_of_other_papers_are_not_pooled(small_corpora, tmp_path):
    options = {"table": 2, "models": ["NB"], "datasets": ["Cora"], "trials": 2}
    path = tmp_path / "results.jsonl"
    own = reproduce("honb-2009", results=path, **options)
    content = path.read_bytes()
    # another protocol, seed, split, corpus or model
    for old, new in (
        ('"protocol": "paper"', '"protocol": "clean"'),
        ('"seed": 0', '"seed": 1'),
        ('"split": "5 %"', '"split": "5 a class"'),
        ('"corpus": "cora-7"', '"corpus": "cora"'),
        ('"model": "NB"', '"model": "MNB"'),
    ):
        assert old.encode() in content
        path.write_bytes(content + content.replace(old.encode(), new.encode()))
        assert reproduce("honb-2009", results=path, run=False, **options) == own
    path.write_bytes(content)
    reproduce("honb-tkde", results=path, **options)
    with pytest.raises(ValueError, match="two results of 'NB' on 'cora-7', 5 %, repetition 0"):
        reproduce("honb-2009", results=path, run=False, **options)
    assert reproduce("honb-2009", results=path, **options) == own


def test_tidy_drops_what_was_run_again_and_keeps_the_rest(small_corpora, tmp_path):
    options = {"table": 2, "models": ["NB"], "datasets": ["Cora"]}
    path = tmp_path / "results.jsonl"
    reproduce("honb-2009", results=path, trials=3, **options)
    path.write_bytes(re.sub(rb'"setup": "[^"]*"', b'"setup": "old"', path.read_bytes()))
    current = reproduce("honb-2009", results=path, trials=2, **options).results
    assert len(read_results(path)) == 5
    tidy(path, current)
    kept = read_results(path)
    assert [r.cell.repetition for r in kept] == [0, 1, 2]
    assert tuple(kept[:2]) == current
    assert kept[2].cell.setup == "old"


def test_a_quoted_table_is_not_counted(small_corpora):
    reproduction = reproduce("honb-2009", table=3, trials=1, models=["mNB"])
    assert reproduction.count() == (0, 0, 0)
    assert all(cell.measured is not None for cell in reproduction.cells)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"table": 1}, r"tables \[2, 3, 4, 8, 9\]; got table=1"),
        ({"models": ["HMNB"]}, r"no models \['HMNB'\]"),
        ({"datasets": ["Cora"]}, r"no datasets \['Cora'\]"),
    ],
)
def test_refusals(options, message):
    with pytest.raises(ValueError, match=message):
        reproduce("hos-2012", **options)


def as_results(accuracies, noise=0.0):
    """Ten folds of each published accuracy of hmnb, as if they had been measured."""
    random = np.random.default_rng(0)
    results = []
    for (corpus, model), value in accuracies.items():
        wobble = random.normal(size=10)
        wobble -= wobble.mean()
        for fold in range(10):
            cell = Cell(corpus, "paper", "10 folds", 0, fold, model, 0, "x")
            accuracy = value / 100 + noise * wobble[fold]
            results.append(Result(cell, 900, 100, {"accuracy": accuracy}))
    return results


HMNB = {(c.dataset, c.model): c.value for c in published_results() if c.paper == "hmnb"}


def test_recomputed_from_the_published_accuracies_all_wilcoxon_marks_agree():
    tables = recompute_wilcoxon(as_results(HMNB))
    assert [(t.agreeing, t.marks) for t in tables] == [(42, 42), (42, 42), (42, 42), (6, 6)]


def test_recomputed_marks():
    """With folds that hardly vary every difference is a win or a loss."""
    results = as_results(HMNB, noise=1e-6)
    marks = recompute_marks(results)
    assert len(marks) == 18
    first = marks[0]
    assert (first.model, first.other, first.published) == ("HMNB", "MNB", (8, 3, 0))
    own = [HMNB[c, "HMNB"] > HMNB[c, "MNB"] for c in describe_paper("hmnb").corpora]
    assert first.measured == (sum(own), 0, 11 - sum(own))


def test_claims():
    orderings = check_claims("hmnb", as_results(HMNB, noise=0.01))
    assert [str(o.claim) for o in orderings] == ["HMNB over MNB", "HCNB over CNB", "HOVA over OVA"]
    for ordering in orderings[:2]:
        assert len(ordering.paired) == 11
        wins, _, losses = ordering.wins(corrected=True)
        assert ordering.verdict == (
            f"holds over all by the papers' tests ({ordering.wins()[2]} losses); "
            f"corrected: {wins} wins and {losses} losses in 11"
        )
        assert sum(ordering.wins()) == sum(ordering.wins(corrected=True)) == 11


def test_a_claim_that_only_the_uncorrected_tests_see():
    """Five trials with a gain of 1 to 1.8 points: enough for the paired test alone."""
    rule = describe_paper("honb-2009")
    results = [
        Result(
            Cell(corpus, "paper", "5 %", trial, 0, model, 0, "x"), 50, 950, {"accuracy": accuracy}
        )
        for corpus in rule.corpora.values()
        for trial in range(5)
        for model, accuracy in (("NB", 0.5), ("HONB", 0.51 + 0.002 * trial))
    ]
    ordering = check_claims("honb-2009", results)[0]
    assert ordering.wins() == (6, 0, 0)
    assert ordering.wins(corrected=True) == (0, 6, 0)
    assert ordering.verdict == (
        "holds everywhere by the papers' tests (0 losses); corrected: 0 wins and 0 losses in 6"
    )
    reproduction = Reproduction("honb-2009", (), tuple(results))
    assert f"| 6/0/0 | 0/6/0 | 0.031 | {ordering.verdict} |" in write_page(reproduction)


def test_sizes_of_the_figures_count_for_claims_about_the_figures_alone(small_corpora):
    options = {"table": 2, "trials": 2, "models": ["NB", "HONB"], "datasets": ["RELIGION"]}
    tables, figures = (
        reproduce("honb-2009", sizes=sizes, **options) for sizes in ([5], [5, 20, 60])
    )
    assert figures.cells == tables.cells
    assert figures.tally() == tables.tally()
    places = {
        str(ordering.claim): [difference.split for difference in ordering.paired]
        for ordering in check_claims("honb-2009", figures.results)
    }
    assert places["HONB over NB"] == ["5 %"]
    about_figures = "HONB over NB on RELIGION, SCIENCE, POLITICS, COMP at all sizes of the figures"
    assert places[about_figures] == ["5 %", "20 %", "60 %"]
    sentence = "For 10 %, 20 %, 30 %, 40 %, 50 %, 60 % the paper has only figures"
    assert sentence in write_page(figures, ["x.svg"])
    assert "our 2 trials there are not counted" in write_page(figures, ["x.svg"])
    assert "the paper has only figures" not in write_page(tables, ["x.svg"])


def test_open_parameters_are_no_explanations():
    for known in EXPLANATIONS:
        silent = re.search(r"not (said|restate|given)|(is|are) given|not available", known.text)
        assert not (silent and known.explained), known.text


def test_a_claim_while_one_model_is_ahead():
    """Trials that only one of the two has are left out, and places with a single trial."""
    results = as_results(HMNB, noise=0.01)
    ahead = [r for r in results if not (r.cell.model == "HMNB" and r.cell.fold > 6)]
    ahead = [r for r in ahead if not (r.cell.corpus == "wap" and r.cell.fold > 0)]
    ordering = check_claims("hmnb", ahead)[0]
    assert len(ordering.paired) == 10
    whole = check_claims("hmnb", [r for r in results if r.cell.fold <= 6])[0]
    assert ordering.paired == tuple(d for d in whole.paired if d.corpus != "wap")


def test_a_claim_that_was_not_run():
    (ordering,) = check_claims("ihosk-2014", [])
    assert ordering.verdict == "not run"


def test_claims_and_explanations_name_what_the_papers_have():
    for claim in CLAIMS:
        rule = describe_paper(claim.paper)
        assert {claim.better, claim.worse} <= set(rule.models)
        assert set(claim.datasets) <= set(rule.corpora)
    for known in EXPLANATIONS:
        assert any(known.matches(cell) for cell in published_results())


@pytest.mark.parametrize("paper", list_papers())
def test_pages_hold_every_table_whatever_was_run(paper):
    text = write_page(reproduce(paper, run=False), notes="## Notes\n\nWell.")
    for table in {cell.table for cell in published_results() if cell.paper == paper}:
        assert f"## Table {table}" in text
    assert text.endswith("Well.\n")
    assert re.search(r"\*\*0 of \d+ published cells \(0 %\)", text)


def test_a_page_with_results(small_corpora):
    reproduction = reproduce("hos-2012", table=3, trials=2, sizes=[5, 10], models=["MVNB", "HOS"])
    text = write_page(reproduction, ["../images/x.svg"])
    assert "![](../images/x.svg)" in text
    assert "## What does not fit" in text
    pytest.importorskip("matplotlib", reason="the extra report is not installed")
    figure = plot_sizes(reproduction, "WebKB4")
    labels = figure.axes[0].get_legend_handles_labels()[1]
    assert labels == ["MVNB", "HOS", "as published"]
    one_size = reproduce("hos-2012", table=3, trials=1, sizes=[5], models=["MVNB"])
    assert plot_sizes(one_size, "WebKB4") is None


def test_tables_end_with_the_mean_distance(small_corpora):
    reproduction = reproduce("honb-2009", table=2, trials=1, models=["NB"])
    distances = [abs(cell.difference) for cell in reproduction.cells]
    assert f"| mean distance |  | {np.mean(distances):.2f} |" in write_page(reproduction)


def test_all_wilcoxon_marks_name_models_of_the_tables():
    models = {model for _, model in HMNB}
    assert {m.row for m in published_wilcoxon_marks()} <= models


def test_prepare_takes_headers_tags_and_classes_as_the_rule_says(monkeypatch):
    """ihosk-2014: all headers of Mini-NewsGroups stay; the header, tags and a class of WEBKB5 go.

    The words of WEBKB5 are stemmed, and are those of all its classes.
    """
    text = "Newsgroups: sci.space\nSubject: rockets\n\n<title>engines</title> engine"
    labels = np.repeat(["course", "faculty", "staff", "student"], 501)
    # a document of staff among the drawn would bring one more term
    texts = [text + (" staff" if label == "staff" else "") for label in labels]
    monkeypatch.setattr(
        "reproduction.preprocessing.load_corpus", lambda name: Corpus(name, texts, labels)
    )
    prepared = {
        dataset: prepare("ihosk-2014", dataset) for dataset in describe_paper("ihosk-2014").corpora
    }
    # subject, rockets, engines, engine; title, staff; newsgroups, sci, space
    assert {dataset: corpus.documents.shape for dataset, corpus in prepared.items()} == {
        "20News-SCIENCE": (2004, 6),
        "20News-POLITICS": (2004, 6),
        "WEBKB5": (1500, 2),  # engin, staff
        "Mini-NewsGroups": (2004, 9),
    }
    classes, sizes = np.unique(prepared["WEBKB5"].labels, return_counts=True)
    assert classes.tolist() == ["course", "faculty", "student"]
    assert sizes.tolist() == [500, 500, 500]


def test_prepare_draws_and_selects(corpora):
    corpus = prepare("honb-2009", "RELIGION")
    assert corpus.documents.shape == (1500, 2000)
    assert set(np.unique(corpus.documents.data)) == {1}
    with pytest.raises(ValueError, match="has no dataset 'religion'"):
        prepare("honb-2009", "religion")


def test_the_papers_own_trials(corpora, tmp_path):
    """The first trial of NB and HONB on RELIGION, as measured before this code was written."""
    path = tmp_path / "results.jsonl"
    reproduce(
        "honb-2009", table=2, trials=1, datasets=["RELIGION"], models=["NB", "HONB"], results=path
    )
    accuracies = {r.cell.model: r.scores["accuracy"] for r in read_results(path)}
    assert accuracies == {"NB": 1015 / 1425, "HONB": 1064 / 1425}  # correct of the test documents


def test_ticks_of_a_plot_do_not_run_into_each_other():
    assert _tick_labels([1, 5, 10, 70, 80, 90]) == ["1", "5", "10", "70", "", "90"]
    assert _tick_labels([5, 70, 80, 90]) == ["5", "70", "80", "90"]
