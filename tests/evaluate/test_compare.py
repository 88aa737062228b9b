"""Comparing models: same splits, no leak, the same figures however it is run."""

import io
import os
import runpy
import signal
import subprocess
import sys
import time
from dataclasses import replace
from typing import ClassVar

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import SGDClassifier
from sklearn.naive_bayes import BernoulliNB, MultinomialNB

from honeybayes import CountNB, TextClassifier
from honeybayes.evaluate import (
    Comparison,
    FixedSplit,
    RandomSplits,
    RepeatedFolds,
    compare,
    read_results,
    write_results,
)
from honeybayes.evaluate.metrics import TIMES
from honeybayes.tables import Corpus, load_corpus
from honeybayes.utils.messages import count_steps
from honeybayes.utils.tags import ModelTags

RNG = np.random.default_rng(0)
LABELS = np.repeat(["a", "b", "c"], [30, 25, 20])
RATES = 0.5 + 0.4 * (LABELS[:, None] == np.resize(["a", "b", "c"], 40))
COUNTS = sparse.csr_array(RNG.poisson(RATES))
TOY = Corpus("toy", COUNTS, LABELS)
SPLITS = RandomSplits(percent=40, repetitions=3)


def without_times(results):
    return [
        replace(r, scores={k: v for k, v in r.scores.items() if k not in TIMES}) for r in results
    ]


def same(a, b):
    """Equal in all but the timings; NaN counts as equal to NaN."""
    return [r.to_line() for r in without_times(a)] == [r.to_line() for r in without_times(b)]


def test_names_and_estimators_give_the_same():
    by_name = compare(["MNB"], TOY, SPLITS)
    by_hand = compare({"MNB": CountNB()}, TOY, SPLITS)
    assert same(by_name.results, by_hand.results)


def test_figures_are_those_of_fit_and_score():
    split = FixedSplit(np.arange(0, 75, 2), np.arange(1, 75, 2))
    comparison = compare({"model": MultinomialNB()}, TOY, split, unseen_terms="keep")
    (result,) = comparison.results
    model = MultinomialNB().fit(COUNTS[::2], LABELS[::2])
    assert result.scores["accuracy"] == model.score(COUNTS[1::2], LABELS[1::2])
    assert (result.n_train, result.n_test) == (38, 37)


@pytest.mark.process
def test_every_model_gets_the_same_splits_and_any_number_of_processes_the_same_figures():
    models = {"sgd": SGDClassifier(), "MNB": MultinomialNB(), "again": MultinomialNB()}
    one = compare(models, TOY, SPLITS, n_jobs=1)
    two = compare(models, TOY, SPLITS, n_jobs=2)
    assert same(one.results, two.results)
    place = ("toy", "40 %")
    np.testing.assert_array_equal(one.scores("MNB", place), one.scores("again", place))


class Recorder(ClassifierMixin, BaseEstimator):
    """Remember what it was shown."""

    seen: ClassVar = []
    model_tags = ModelTags(learns_from_unlabeled=True)

    def __init__(self, unlabeled=None):
        self.unlabeled = unlabeled

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        Recorder.seen.append((X, np.asarray(y)))
        return self

    def predict(self, X):
        Recorder.seen[-1] += (X,)
        return np.repeat(self.classes_[:1], len(X) if isinstance(X, list) else X.shape[0])


@pytest.fixture
def seen():
    Recorder.seen = []
    return Recorder.seen


def recorded(seen, **options):
    compare({"recorder": Recorder()}, TOY, FixedSplit([0, 1, 30, 31, 60], [5, 40, 70]), **options)
    return seen[-1]


def test_clean_terms_are_those_of_the_training_part(seen):
    train, _, test = recorded(seen, metrics=["accuracy"])
    present = np.flatnonzero(COUNTS[[0, 1, 30, 31, 60]].toarray().any(axis=0))
    np.testing.assert_array_equal(train.toarray(), COUNTS[[0, 1, 30, 31, 60]][:, present].toarray())
    np.testing.assert_array_equal(test.toarray(), COUNTS[[5, 40, 70]][:, present].toarray())


def test_clean_selection_does_not_look_at_the_test_part(seen):
    train, *_ = recorded(seen, n_terms=5, metrics=["accuracy"])
    flipped = LABELS.copy()
    flipped[[5, 40, 70]] = ["b", "c", "a"]
    other = Corpus("toy", COUNTS, flipped)
    split = FixedSplit([0, 1, 30, 31, 60], [5, 40, 70])
    compare({"recorder": Recorder()}, other, split, n_terms=5, metrics=["accuracy"])
    assert train.shape[1] == 5
    np.testing.assert_array_equal(train.toarray(), seen[-1][0].toarray())


@pytest.mark.parametrize(("unseen", "n_columns"), [("keep", 40), ("drop", 33)])
def test_paper_protocol_keeps_or_drops_unseen_terms(seen, unseen, n_columns):
    columns = np.zeros(40, int)
    columns[:33] = 1  # in the training documents
    counts = np.ones((75, 40), int) * columns
    counts[70] = 1
    corpus = Corpus("toy", sparse.csr_array(counts), LABELS)
    split = FixedSplit([0, 1, 30, 31, 60], [5, 40, 70])
    options = {"protocol": "paper", "unseen_terms": unseen, "metrics": ["accuracy"]}
    comparison = compare({"recorder": Recorder()}, corpus, split, **options)
    assert seen[-1][0].shape[1] == n_columns
    assert comparison.results[0].cell.protocol == "paper"


def test_min_df_of_the_training_part(seen):
    train, *_ = recorded(seen, min_df=4, metrics=["accuracy"])
    frequency = (COUNTS[[0, 1, 30, 31, 60]].toarray() > 0).sum(axis=0)
    assert train.shape[1] == (frequency >= 4).sum() < 40


def test_unlabeled_documents_train_who_can_use_them_and_are_never_tested(seen):
    labels = LABELS.copy()
    labels[::5] = "?"
    corpus = Corpus("half", COUNTS, labels)
    models = {"without": Recorder(), "with": Recorder(unlabeled="?")}
    options = {"unlabeled": "?", "metrics": ["accuracy"], "pool": False}
    comparison = compare(models, corpus, SPLITS, **options)
    n_labeled = (labels != "?").sum()
    for result, (X, y, _) in zip(comparison.results, seen, strict=True):
        assert result.n_train + result.n_test == n_labeled
        n_unlabeled = 15 if result.cell.model == "with" else 0
        assert (y == "?").sum() == n_unlabeled
        assert X.shape[0] == result.n_train + n_unlabeled


def test_texts_go_through_the_analyzer_or_to_the_model():
    corpus = load_corpus("messages")
    splits = RandomSplits(per_class=4, repetitions=2)
    counted = compare(["LogisticRegression-tfidf"], corpus, splits, metrics=["accuracy"])
    models = {"LogisticRegression-tfidf": TextClassifier("LogisticRegression-tfidf")}
    raw = compare(models, corpus, splits, analyzer=None, metrics=["accuracy"])
    np.testing.assert_array_equal(
        counted.scores("LogisticRegression-tfidf", ("messages", "4 per class")),
        raw.scores("LogisticRegression-tfidf", ("messages", "4 per class")),
    )


def test_random_labels_leak_through_selection_before_the_split():
    """Nothing can be learned; the papers' protocol seems to learn all the same."""
    random = np.random.default_rng(0)
    corpus = Corpus(
        "noise",
        sparse.csr_array(random.random((200, 4000)) < 0.05).astype(int),
        random.permutation(np.repeat(["a", "b"], 100)),
    )
    splits = RandomSplits(percent=50, repetitions=5)
    accuracy = {
        protocol: compare(
            ["NB"], corpus, splits, n_terms=100, protocol=protocol, metrics=["accuracy"]
        )
        .summaries()[0]
        .mean
        for protocol in ("clean", "paper")
    }
    assert abs(accuracy["clean"] - 0.5) < 0.06
    assert accuracy["paper"] > 0.75


def test_finished_cells_are_not_run_again(tmp_path, seen):
    path = tmp_path / "deep" / "results.jsonl"
    first = compare({"r": Recorder()}, TOY, SPLITS, results=path, metrics=["accuracy"])
    again = compare({"r": Recorder()}, TOY, SPLITS, results=path, metrics=["accuracy"])
    assert len(seen) == 3
    assert [r.to_line() for r in first.results] == [r.to_line() for r in again.results]
    # more repetitions run what is new, a wider metric runs all
    more = replace(SPLITS, repetitions=4)
    compare({"r": Recorder()}, TOY, more, results=path, metrics=["accuracy"])
    assert len(seen) == 4
    compare({"r": Recorder()}, TOY, SPLITS, results=path, metrics=["accuracy", "macro_f1"])
    assert len(seen) == 7


@pytest.mark.parametrize(
    "options",
    [{"models": {"m": BernoulliNB(alpha=0.5)}}, {"n_terms": 7}, {"protocol": "paper"}, {"seed": 1}],
)
def test_another_setup_is_not_taken_for_the_same(tmp_path, options):
    path = tmp_path / "results.jsonl"
    usual = {"models": {"m": BernoulliNB()}, "metrics": ["accuracy"], "results": path}
    compare(corpus=TOY, splits=SPLITS, **usual)
    compare(corpus=TOY, splits=SPLITS, **{**usual, **options})
    assert len(read_results(path)) == 6


def test_a_torn_last_line_is_not_lengthened(tmp_path):
    path = tmp_path / "results.jsonl"
    whole = compare(["MNB"], TOY, SPLITS, results=path)
    content = path.read_bytes()
    path.write_bytes(content[:-25])
    assert len(read_results(path)) == 2
    assert same(compare(["MNB"], TOY, SPLITS, results=path).results, whole.results)
    with pytest.warns(
        UserWarning, match=r"results\.jsonl: skipped 1 line\(s\) .* the first is line 3"
    ):
        assert same(read_results(path), whole.results)
    with pytest.warns(UserWarning, match="skipped 1 line"):
        write_results(path, read_results(path))
    assert same(read_results(path), whole.results)


def test_names_may_hold_any_character(tmp_path):
    """U+2028 ends a line for str.splitlines, but is written as it is in JSON."""
    path = tmp_path / "results.jsonl"
    corpus = replace(TOY, name="to\u2028y\x85")
    whole = compare(["MNB"], corpus, SPLITS, results=path)
    assert same(read_results(path), whole.results)


WRITER = """
import sys
from pathlib import Path
from honeybayes.evaluate import Cell, Result
from honeybayes.evaluate._records import append_result
path, name = Path(sys.argv[1]), sys.argv[2]
for number in range(60):
    cell = Cell("toy", "clean", "5 %", number, 0, name, 0, "x")
    append_result(path, Result(cell, 1, 1, {"accuracy": 0.5}))
"""


@pytest.mark.process
def test_processes_that_share_a_file_lose_nothing(tmp_path):
    path = tmp_path / "results.jsonl"
    path.write_bytes(b"")
    names = ["a", "b", "c"]
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, path, name]) for name in names]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    found = {(r.cell.model, r.cell.repetition) for r in read_results(path)}
    assert found == {(name, number) for name in names for number in range(60)}


def test_scores_of_two_runs_are_put_together(tmp_path, seen):
    path = tmp_path / "results.jsonl"
    for metrics in (["accuracy", "macro_f1"], ["accuracy", "micro_f1"]):
        comparison = compare({"r": Recorder()}, TOY, SPLITS, results=path, metrics=metrics)
    every = {"accuracy", "macro_f1", "micro_f1", *TIMES}
    assert all(result.scores.keys() == every for result in comparison.results)
    assert all(result.scores.keys() == every for result in read_results(path))
    compare({"r": Recorder()}, TOY, SPLITS, results=path, metrics=["macro_f1", "micro_f1"])
    assert len(seen) == 6


def test_numbers_and_names_of_numpy_give_the_same_splits():
    models = {"sgd": SGDClassifier()}
    plain = compare(models, TOY, [SPLITS, RepeatedFolds(3)], seed=1)
    corpus, splits = replace(TOY, name=np.str_("toy")), replace(SPLITS, percent=np.float64(40))
    theirs = compare(models, corpus, [splits, RepeatedFolds(3)], seed=np.int64(1))
    assert same(plain.results, theirs.results)
    with pytest.raises(TypeError):
        compare(models, TOY, SPLITS, seed=1.5)


def test_a_broken_line_is_named(tmp_path):
    path = tmp_path / "results.jsonl"
    path.write_text('{"corpus": "toy"}\n')
    with pytest.raises(ValueError, match=r"results\.jsonl, line 1 is not a result of compare"):
        compare(["MNB"], TOY, SPLITS, results=path)


class Seeded(Recorder):
    """Remember the random state that it was given."""

    def __init__(self, unlabeled=None, random_state=None):
        super().__init__(unlabeled)
        self.random_state = random_state

    def fit(self, X, y):
        Seeded.seeds.append(self.random_state)
        return super().fit(X, y)


def test_random_states_stay_those_of_the_label_a_class():
    """The results in benchmarks/results were measured with them."""
    Seeded.seeds = []
    compare({"s": Seeded()}, TOY, RandomSplits(per_class=4, repetitions=2), metrics=["accuracy"])
    assert Seeded.seeds == [702899047, 1399708518]


def test_results_survive_a_file(tmp_path):
    comparison = compare({"svc": SGDClassifier()}, TOY, SPLITS)
    assert np.isnan(comparison.results[0].scores["log_loss"])
    write_results(tmp_path / "out.jsonl", comparison.results)
    read = read_results(tmp_path / "out.jsonl")
    assert [r.to_line() for r in read] == [r.to_line() for r in comparison.results]


SLOW_RUN = """
import os, sys, time
from pathlib import Path
import numpy as np
from scipy import sparse
from sklearn.naive_bayes import MultinomialNB
from honeybayes.tables import Corpus
from honeybayes.evaluate import RandomSplits, compare

class Slow(MultinomialNB):
    def fit(self, X, y):
        path, most = os.environ.get("WAIT_FOR", "|").split("|")
        while path and Path(path).read_bytes().count(b"accuracy") >= int(most):
            time.sleep(0.01)  # until it is killed
        return super().fit(X, y)

if __name__ == "__main__":
    random = np.random.default_rng(0)
    counts = sparse.csr_array(random.poisson(0.4, (60, 30)))
    corpus = Corpus("toy", counts, np.repeat(["a", "b"], 30))
    models = {"slow": Slow(), "slower": Slow(alpha=0.5)}
    splits = RandomSplits(percent=30, repetitions=10)
    compare(models, corpus, splits, results=sys.argv[1], n_jobs=int(sys.argv[2]))
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no SIGKILL here")
@pytest.mark.process
def test_killed_twice_and_resumed(tmp_path, monkeypatch):
    """A run that was killed twice gives the same table as one that was not."""
    script = tmp_path / "run.py"
    script.write_text(SLOW_RUN)
    undisturbed, killed = tmp_path / "undisturbed.jsonl", tmp_path / "killed.jsonl"
    monkeypatch.setattr(sys, "argv", [str(script), str(undisturbed), "1"])
    runpy.run_path(str(script), run_name="__main__")

    def start(n_jobs, environment=None):
        command = [sys.executable, script, killed, str(n_jobs)]
        return subprocess.Popen(
            command, start_new_session=True, env={**os.environ, **(environment or {})}
        )

    for n_lines, n_jobs in ((3, 1), (7, 2)):
        process = start(n_jobs, {"WAIT_FOR": f"{killed}|{n_lines}"})
        while len(read_results(killed)) < n_lines:
            assert process.poll() is None
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGKILL)  # the workers as well: nobody tidies up
        process.wait()
        assert n_lines <= len(read_results(killed)) < 20
    with killed.open("ab") as file:
        file.write(b'{"corpus": "to')  # as if the last line had been on its way
    assert start(1).wait() == 0
    write_results(undisturbed, read_results(undisturbed))
    with pytest.warns(UserWarning, match=r"1 line\(s\) that are not results"):
        write_results(killed, read_results(killed))
    assert len(read_results(killed)) == 20
    assert same(read_results(undisturbed), read_results(killed))


class Broken(MultinomialNB):
    def fit(self, X, y):
        raise ZeroDivisionError("out of luck")


@pytest.mark.parametrize("n_jobs", [1, pytest.param(2, marks=pytest.mark.process)])
def test_a_failing_cell_does_not_end_the_others(tmp_path, n_jobs):
    path = tmp_path / "results.jsonl"
    models = {"broken": Broken(), "MNB": MultinomialNB()}
    twin = replace(TOY, name="twin")
    with pytest.raises(ZeroDivisionError) as caught:
        compare(models, [TOY, twin], SPLITS, results=path, n_jobs=n_jobs)
    assert len(caught.value.__notes__) == 2
    assert caught.value.__notes__[1].startswith("6 cell(s) failed; 6 are finished and saved in")
    assert [r.cell.model for r in read_results(path)] == ["MNB"] * 6


def test_a_failing_cell_is_named():
    with pytest.raises(ZeroDivisionError) as caught:
        compare({"broken": Broken()}, TOY, SPLITS)
    assert caught.value.__notes__ == ["In compare: 'broken' on 'toy', 40 %, repetition 0, fold 0."]


def test_summaries_differences_and_ranks():
    models = {
        "good": MultinomialNB(),
        "bad": MultinomialNB(alpha=1e9, class_prior=[0.1, 0.1, 0.8]),
        "same": MultinomialNB(),
    }
    comparison = compare(models, [TOY, replace(TOY, name="twin")], RepeatedFolds(5, 2))
    assert comparison.places == [("toy", "5 folds"), ("twin", "5 folds")]
    good = comparison.summaries()[0]
    scores = comparison.scores("good", ("toy", "5 folds"))
    assert (good.model, good.trials, good.mean) == ("good", 10, scores.mean())
    assert good.deviation == scores.std(ddof=1)
    assert good.low < good.mean < good.high
    surer = comparison.summaries(confidence=0.99)[0]
    assert surer.low < good.low < good.high < surer.high or surer.high == good.high == 1
    found = comparison.differences("good", "bad")[0]
    stricter = comparison.differences("good", "bad", level=found.p_value / 2)[0]
    assert (stricter.verdict, stricter.p_value) == ("tie", found.p_value)
    assert stricter.low < 0 < found.low
    for test in ("corrected-t", "paired-t", "wilcoxon"):
        assert [d.verdict for d in comparison.differences("good", "bad", test=test)] == ["win"] * 2
        assert [d.verdict for d in comparison.differences("bad", "good", test=test)] == ["loss"] * 2
        assert [d.verdict for d in comparison.differences("good", "same", test=test)] == ["tie"] * 2
    # less is better
    assert comparison.differences("good", "bad", "log_loss")[0].verdict == "win"
    assert comparison.ranks() == {"good": 1.5, "same": 1.5, "bad": 3}
    assert comparison.ranks("log_loss") == {"good": 1.5, "same": 1.5, "bad": 3}
    table = comparison.table()
    assert table.startswith("accuracy, protocol: clean\n\n| corpus | split | good | bad | same |")
    assert f"**{100 * good.mean:.2f} ± {100 * good.deviation:.2f}**" in table


def test_results_that_cannot_be_told_apart_are_refused(tmp_path):
    options = {"metrics": ["accuracy"]}
    clean = compare(["MNB"], TOY, SPLITS, **options).results
    paper = compare(["MNB"], TOY, SPLITS, protocol="paper", **options).results
    with pytest.raises(ValueError, match=r"several protocols \(clean, paper\)"):
        Comparison(clean + paper)
    other = compare({"MNB": CountNB(alpha=2)}, TOY, SPLITS, **options).results
    with pytest.raises(ValueError, match=r"2 results of 'MNB' on 'toy', 40 %, repetition 0"):
        Comparison(clean + other)
    with pytest.raises(ValueError, match="Two splits are called '40 %'"):
        compare(["MNB"], TOY, [SPLITS, replace(SPLITS, max_test=5)])
    with pytest.raises(ValueError, match="Two corpora are called 'toy'"):
        compare(["MNB"], [TOY, replace(TOY, labels=LABELS[::-1])], SPLITS)


def test_models_on_different_splits_cannot_be_tested():
    results = compare(["NB", "MNB"], TOY, SPLITS, metrics=["accuracy"]).results
    with pytest.raises(ValueError, match="not run on the same splits"):
        Comparison(results[:-1]).differences("NB", "MNB")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"models": "NB"}, r"Try \['NB'\]"),
        ({"models": []}, "models is empty"),
        ({"models": ["NBB"]}, "Did you mean"),
        ({"protocol": "dirty"}, "'clean', 'paper'; got 'dirty'"),
        ({"metrics": ["f1"]}, "metrics must be one or more of accuracy, macro_f1"),
        ({"unseen_terms": "forget"}, "'drop', 'keep'; got 'forget'"),
        ({"corpus": "toys"}, "no corpus 'toys'"),
        (
            {"corpus": Corpus("t", ["x y"] * 4, LABELS[:4]), "analyzer": None, "n_terms": 3},
            "analyzer",
        ),
    ],
)
def test_refusals(options, message):
    with pytest.raises(ValueError, match=message):
        compare(**{"models": ["NB"], "corpus": TOY, **options})


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_on_a_terminal():
    stream = Terminal()
    with count_steps("", 2, stream=stream) as count:
        count(1, "toy, [NB]")
        assert "1/2" in stream.getvalue()
        assert " left " in stream.getvalue()
        count(1, "toy, MNB")
    assert "toy, [NB]" in stream.getvalue()
    assert stream.getvalue().rindex("2/2") < stream.getvalue().rindex("toy, MNB")


def test_no_progress_elsewhere():
    stream = io.StringIO()
    with count_steps("", 1, stream=stream) as count:
        count(1, "toy")
    assert stream.getvalue() == ""
    with count_steps("", 1, shown=True, stream=stream) as count:
        count(1, "toy")
    assert "1/1" in stream.getvalue()
    with count_steps("", 1, shown=False, stream=(terminal := Terminal())) as count:
        count(1, "toy")
    assert terminal.getvalue() == ""


OTHER_POOL = """
import time
from joblib import Parallel, delayed
from honeybayes.evaluate import RandomSplits, compare
from honeybayes.tables import load_corpus

corpus, splits = load_corpus("messages").draw(10, seed=0), RandomSplits(per_class=5, repetitions=2)
run = Parallel(n_jobs=2, return_as="generator")
for number, _ in enumerate(run(delayed(time.sleep)(0.05) for _ in range(40))):
    if number == 5:
        compare(["NB"], corpus, splits, n_jobs=2, metrics=["accuracy"])
print(number)
"""


@pytest.mark.process
def test_another_pool_of_the_program_goes_on():
    """Finding: other settings of joblib's shared pool ended it, and both waited for each other."""
    ran = subprocess.run(
        [sys.executable, "-c", OTHER_POOL], capture_output=True, text=True, timeout=120
    )
    assert (ran.stdout, ran.stderr, ran.returncode) == ("39\n", "", 0)
