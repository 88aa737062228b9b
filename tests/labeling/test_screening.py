"""The certificate of recall: exact coverage by enumeration, and the search that it follows."""

from contextlib import closing
from math import comb

import numpy as np
import pytest

from honeybayes.labeling import Project, checks_needed, recall_bound, simulate_screening
from honeybayes.labeling.quality import LEAST_RECALL, describe_recall, prove_recall, random_order
from honeybayes.tables import load_corpus
from honeybayes.text._load_encoder import installed_version


def chance_of(x, n_unread, missing, n_checked):
    """Return the probability of x relevant texts in a random check, by counting."""
    ways = comb(missing, x) * comb(n_unread - missing, n_checked - x)
    return ways / comb(n_unread, n_checked)


def bound_by_counting(n_found, n_unread, n_checked, n_relevant, certainty):
    """Return the bound with every number of missing texts that the check does not refute."""
    possible = [
        missing
        for missing in range(n_relevant, n_unread - n_checked + n_relevant + 1)
        if sum(chance_of(x, n_unread, missing, n_checked) for x in range(n_relevant + 1))
        > 1 - certainty
    ]
    most = max(possible, default=n_relevant)
    return (n_found + n_relevant) / (n_found + most) if n_found + most else 1


@pytest.mark.parametrize("certainty", [0.8, 0.95])
@pytest.mark.parametrize("n_found", [0, 3, 40])
def test_the_bound_follows_its_definition(n_found, certainty):
    for n_checked in (0, 1, 7, 20, 30):
        for n_relevant in range(min(n_checked, 6) + 1):
            numbers = n_found, 30, n_checked, n_relevant
            expected = bound_by_counting(*numbers, certainty)
            assert recall_bound(*numbers, certainty) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("n_checked", [5, 20, 45])
@pytest.mark.parametrize("certainty", [0.8, 0.95])
def test_the_bound_holds_as_often_as_it_says(n_checked, certainty):
    """The probability over all checks, for every number of missing texts."""
    for missing in range(61):
        held = 0.0
        for x in range(min(missing, n_checked) + 1):
            if n_checked - x > 60 - missing:
                continue  # not so many others
            recall = (10 + x) / (10 + missing)
            if recall_bound(10, 60, n_checked, x, certainty) <= recall + 1e-12:
                held += chance_of(x, 60, missing, n_checked)
        assert held >= certainty - 1e-12


@pytest.mark.parametrize(("n_found", "n_unread"), [(0, 50), (5, 50), (40, 50), (200, 300), (9, 0)])
@pytest.mark.parametrize("recall", [0.5, 0.95, 1])
def test_the_needed_checks_are_the_fewest(n_found, n_unread, recall):
    n = checks_needed(n_found, n_unread, recall)
    assert recall_bound(n_found, n_unread, n, 0) >= recall or n_found == 0
    if n:
        assert recall_bound(n_found, n_unread, n - 1, 0) < recall


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        ((1, 10, 11, 0), "must not decrease"),
        ((1, 10, 5, 6), "must not decrease"),
        ((-1, 10, 5, 0), "n_found must be an integer, 0 or more; got -1"),
    ],
)
def test_impossible_numbers_are_refused(numbers, message):
    with pytest.raises(ValueError, match=message):
        recall_bound(*numbers)


@pytest.mark.parametrize("words", ["none", "multilingual"])
def test_a_search_finds_most_and_proves_it(monkeypatch, words):
    monkeypatch.setenv("HONEYBAYES_ENCODER", words)
    if words != "none" and installed_version() is None:
        pytest.skip("needs the extra vectors")
    corpus = load_corpus("messages")
    is_relevant = corpus.labels == "returns"
    first, *_ = runs = simulate_screening(corpus.documents, is_relevant, n_runs=4)
    assert (first.n_texts, first.n_relevant) == (len(is_relevant), is_relevant.sum())
    assert first == simulate_screening(corpus.documents, is_relevant, n_runs=1)[0]
    assert sum(run.bound <= run.recall for run in runs) >= 3
    assert np.mean([run.recall for run in runs]) > 0.9
    assert all(run.n_read + run.n_checked <= run.n_texts for run in runs)
    assert len({run.n_read for run in runs}) > 1
    eager = {"patience": 5, "recall": 0.5, "certainty": 0.5}
    [short] = simulate_screening(corpus.documents, is_relevant, n_runs=1, **eager)
    assert short.n_read < first.n_read
    assert short.n_checked < short.n_texts - short.n_read
    with pytest.raises(ValueError, match="patience must be"):
        simulate_screening(corpus.documents, is_relevant, patience=0)


def test_a_search_needs_relevant_texts_and_others():
    with pytest.raises(ValueError, match="some must be relevant, and some not"):
        simulate_screening(["a", "b"], [True, True])


def search_on_the_page(
    seed, n_texts=150, n_relevant=15, n_labels=60, help=2, stops_when_told=False
):
    """Label texts, every third at random, the others those that seem relevant."""
    rng = np.random.default_rng([7, seed])
    relevant = set(rng.choice(n_texts, n_relevant, replace=False).tolist())
    project = Project.create(
        None, [f"text {row}" for row in range(n_texts)], settings={"random_state": seed}
    )
    rare, other = (project.add_class(name).id for name in ("rare", "other"))
    seeming = rng.normal(size=n_texts) + help * np.isin(np.arange(n_texts), list(relevant))
    by_chance, by_look = random_order(project, n_texts), np.argsort(-seeming)
    for n in range(n_labels):
        left = by_chance if n % 3 == 0 else by_look
        row = next(int(each) for each in left if int(each) not in project.ledger.state.labels)
        purpose = "chosen" if n % 3 else "audit"
        project.label(row, rare if row in relevant else other, purpose)
        if stops_when_told and prove_recall(project).get("rare", 0) >= LEAST_RECALL:
            break
    labels = project.ledger.state.labels
    with closing(project):
        return prove_recall(project)["rare"], len(relevant & labels.keys()) / n_relevant


@pytest.mark.statistics
def test_the_share_that_the_page_proves_is_true():
    runs = [search_on_the_page(seed) for seed in range(200)]
    assert np.mean([proved <= share for proved, share in runs]) >= 0.94
    assert np.mean([proved for proved, _ in runs]) > 0.3


@pytest.mark.statistics
def test_it_is_true_for_whoever_looks_after_every_label_and_stops_when_it_is_told():
    """The search is no better than chance, which is harder: a good one has found more by then."""
    settings = {"n_labels": 150, "help": 0, "stops_when_told": True}
    runs = [search_on_the_page(seed, **settings) for seed in range(200)]
    assert all(proved >= LEAST_RECALL for proved, _ in runs)
    assert np.mean([proved <= share for proved, share in runs]) >= 0.94


def test_what_the_page_proves_by_hand():
    """Of 20 texts, 4 were chosen, and 10 of the others checked."""
    with closing(Project.create(None, [f"text {row}" for row in range(20)])) as project:
        rare, other = (project.add_class(name).id for name in ("rare", "other"))
        order = random_order(project, 20).tolist()
        for row in order[-4:]:
            project.label(row, rare, "chosen")
        for row in order[:10]:
            project.label(row, other, "audit")
        expected = {"rare": recall_bound(4, 16, 10, 0), "other": recall_bound(0, 16, 10, 10)}
        assert prove_recall(project) == expected
        told = f"at least {int(100 * expected['rare'])} % of the texts of rare are labeled."
        assert any(told in each for each in describe_recall(project))
        project.skip(order[10], "audit")  # it may be one of them
        project.label(order[11], other, "audit")
        expected = recall_bound(4, 16, 12, 1) * 4 / 5  # and nobody has found it
        assert prove_recall(project)["rare"] == pytest.approx(expected)


@pytest.mark.parametrize("purpose", ["accepted", "imported"])
def test_labels_that_nobody_read_prove_nothing(purpose):
    with closing(Project.create(None, [f"text {row}" for row in range(20)])) as project:
        rare, other = (project.add_class(name).id for name in ("rare", "other"))
        order = random_order(project, 20).tolist()
        for row in order[:2]:
            project.label(row, rare, "chosen")
        for row in order[2:6]:
            project.label(row, other, "audit")
        before = prove_recall(project)
        assert before["rare"] == recall_bound(2, 18, 4, 0) < LEAST_RECALL
        for row in order[6:]:
            project.label(row, other, purpose)
        assert prove_recall(project) == before
        project.label(order[6], other, "review")  # now somebody has read it
        assert prove_recall(project)["rare"] == recall_bound(2, 17, 4, 0)
        project.label(order[8], other, "audit")  # and not the one before this
        assert prove_recall(project)["rare"] == pytest.approx(recall_bound(2, 17, 6, 1) * 2 / 3)
