"""The pool of a comparison, models on texts, repeated texts, the largest class, equal models."""

import os
import signal
import subprocess
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyClassifier
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.linear_model import RidgeClassifier
from sklearn.metrics import accuracy_score, f1_score
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline, make_union

from honeybayes import FewLabelsClassifier, NoPathWarning, TextClassifier, make_model
from honeybayes.evaluate import (
    FixedSplit,
    RandomSplits,
    RepeatedFolds,
    compare,
    read_results,
    write_results,
)
from honeybayes.evaluate.trial import takes_texts
from honeybayes.tables import Corpus, load_corpus
from honeybayes.utils.tags import ModelTags
from honeybayes.utils.texts import digest_texts

MESSAGES = load_corpus("messages")
SPLITS = RandomSplits(per_class=5, repetitions=2)
PLACE = ("messages", "5 per class")
ACCURACY = {"metrics": ["accuracy"]}


class Recorder(ClassifierMixin, BaseEstimator):
    """Remembers the labels it was given."""

    model_tags = ModelTags(learns_from_unlabeled=True)
    seen: list

    def __init__(self, unlabeled="auto"):
        self.unlabeled = unlabeled

    def fit(self, X, y):
        Recorder.seen.append((X, np.asarray(y), self.unlabeled))
        self.classes_ = np.unique(y[y != self.unlabeled])
        return self

    def predict(self, X):
        return np.repeat(self.classes_[:1], X.shape[0])


@pytest.fixture
def seen():
    Recorder.seen = []
    return Recorder.seen


def small(n=40):
    random = np.random.default_rng(0)
    labels = np.repeat(["a", "b"], n // 2)
    return Corpus("small", sparse.csr_array(random.poisson(0.8, (n, 12))), labels)


def test_by_default_the_rows_outside_a_draw_are_the_pool_without_their_labels(seen):
    corpus = small()
    split = FixedSplit([0, 1, 20, 21], [5, 6, 30])
    comparison = compare({"r": Recorder()}, corpus, split, **ACCURACY)
    X, y, mark = seen[0]
    assert X.shape[0] == len(corpus)
    assert (y == mark).sum() == 36
    np.testing.assert_array_equal(np.flatnonzero(y != mark), [0, 1, 20, 21])
    np.testing.assert_array_equal(y[[0, 1, 20, 21]], corpus.labels[[0, 1, 20, 21]])
    np.testing.assert_array_equal(X.toarray(), corpus.documents.toarray())
    assert comparison.results[0].n_pool == 36
    assert comparison.notes[0].startswith(
        "The rows outside a draw, without their labels, are the pool of r (up to 36 texts"
    )


@pytest.mark.parametrize("options", [{"pool": False}, {"protocol": "paper"}])
def test_without_a_pool(seen, options):
    comparison = compare({"r": Recorder()}, small(), SPLITS, **ACCURACY, **options)
    assert all((y != mark).all() for _, y, mark in seen)
    assert comparison.results[0].n_pool == 0
    assert comparison.notes == []


def test_a_model_whose_mark_is_none_gets_no_pool(seen):
    compare({"r": Recorder(unlabeled=None)}, small(), SPLITS, **ACCURACY)
    assert all(X.shape[0] == 10 for X, _, _ in seen)


def test_few_labels_with_its_pool_is_what_one_gets_by_hand():
    [result] = compare(
        ["FewLabels"], MESSAGES, RandomSplits(per_class=5, repetitions=1), **ACCURACY
    ).results
    split = next(RandomSplits(per_class=5).split(MESSAGES.labels, "messages", 0))
    texts = np.array(MESSAGES.documents, dtype=object)
    classifier = TextClassifier("FewLabels", stop_words=True, calibrate=None)
    classifier.fit(texts[split.train], MESSAGES.labels[split.train], pool=texts[split.test])
    assert result.scores["accuracy"] == classifier.score(
        texts[split.test], MESSAGES.labels[split.test]
    )


def test_models_that_are_equal_without_a_pool_are_named():
    names = ["LogisticRegression-tfidf", "FewLabels"]
    without = compare(names, MESSAGES, SPLITS, pool=False, **ACCURACY)
    assert without.twins()["FewLabels"][0] == "LogisticRegression-tfidf"
    [note] = without.notes
    assert note.startswith("FewLabels answered as LogisticRegression-tfidf in 9")
    assert note.endswith("% of the tests. Without a pool they are practically one model.")
    with_pool = compare(names, MESSAGES, SPLITS, **ACCURACY)
    assert with_pool.twins() == {}
    scores = [with_pool.scores(name, PLACE).mean() for name in names]
    assert scores[1] > scores[0]


def test_a_run_with_a_pool_is_not_taken_for_one_without(tmp_path):
    path = tmp_path / "results.jsonl"
    names = ["NB", "FewLabels"]
    for pool in (False, True, True):
        compare(names, MESSAGES, SPLITS, pool=pool, results=path, **ACCURACY)
    by_model = [result.cell.model for result in read_results(path)]
    assert (by_model.count("NB"), by_model.count("FewLabels")) == (2, 4)


def test_auto_takes_part_on_texts_and_on_counts():
    splits = RandomSplits(per_class=3, repetitions=1)
    [of_texts] = compare(["auto"], MESSAGES, splits, **ACCURACY).results
    split = next(splits.split(MESSAGES.labels, "messages", 0))
    texts = np.array(MESSAGES.documents, dtype=object)
    classifier = TextClassifier("auto", stop_words=True)
    classifier.fit(texts[split.train], MESSAGES.labels[split.train], pool=texts[split.test])
    expected = classifier.score(texts[split.test], MESSAGES.labels[split.test])
    assert of_texts.scores["accuracy"] == expected
    assert of_texts.n_pool == len(split.test)
    [of_counts] = compare(["auto"], small(), splits, **ACCURACY).results
    assert of_counts.cell.model == "auto"


def test_pipelines_on_texts_stand_beside_models_on_counts():
    pipeline = make_pipeline(TfidfVectorizer(sublinear_tf=True), RidgeClassifier())
    models = ["NB", pipeline, TextClassifier(stem=False, calibrate=None), MultinomialNB()]
    comparison = compare(models, MESSAGES, SPLITS, **ACCURACY)
    assert comparison.models == [
        *("NB", "TfidfVectorizer + RidgeClassifier", "TextClassifier", "MultinomialNB")
    ]
    texts = np.array(MESSAGES.documents, dtype=object)
    expected = []
    for split in SPLITS.split(MESSAGES.labels, "messages", 0):
        pipeline.fit(texts[split.train], MESSAGES.labels[split.train])
        expected.append(pipeline.score(texts[split.test], MESSAGES.labels[split.test]))
    np.testing.assert_array_equal(comparison.scores(comparison.models[1], PLACE), expected)
    alone = compare(["NB"], MESSAGES, SPLITS, **ACCURACY)
    np.testing.assert_array_equal(comparison.scores("NB", PLACE), alone.scores("NB", PLACE))


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        (TextClassifier(), True),
        (make_pipeline(make_union(TfidfVectorizer(), CountVectorizer()), MultinomialNB()), True),
        (GridSearchCV(make_pipeline(TfidfVectorizer(), MultinomialNB()), {}), True),
        (make_model("LogisticRegression-tfidf"), False),
        (FewLabelsClassifier(), False),
        (DummyClassifier(), False),
    ],
)
def test_what_takes_texts(model, expected):
    assert takes_texts(model) == expected


def test_objects_of_one_class_get_different_names():
    models = [MultinomialNB(), MultinomialNB(alpha=0.1)]
    assert compare(models, small(), SPLITS, **ACCURACY).models == [
        "MultinomialNB",
        "MultinomialNB 2",
    ]
    with pytest.raises(ValueError, match="is not a model: it needs fit and predict"):
        compare([MultinomialNB], small(), SPLITS)


def with_copies():
    """The messages, with thirty of them once more in upper case."""
    texts = [*MESSAGES.documents, *(text.upper() + " " for text in MESSAGES.documents[:30])]
    return Corpus("copies", texts, np.concatenate([MESSAGES.labels, MESSAGES.labels[:30]]))


@pytest.mark.parametrize("splits", [RandomSplits(per_class=20, repetitions=3), RepeatedFolds(3)])
def test_identical_texts_never_stand_on_both_sides(splits):
    corpus = with_copies()
    digests = digest_texts(corpus.documents, salt=0)
    comparison = compare(["MNB"], corpus, splits, **ACCURACY)
    drawn = list(splits.split(corpus.labels, "copies", 0))
    assert any(result.n_repeated for result in comparison.results)
    for result, split in zip(comparison.results, drawn, strict=True):
        rows = result.answers().rows
        assert not set(digests[rows]) & set(digests[split.train])
        assert len(rows) + result.n_repeated == len(split.test)
    most = max(result.n_repeated for result in comparison.results)
    assert f"Up to {most} texts per draw were not tested" in comparison.notes[0]


def test_nothing_left_to_test_is_an_error():
    corpus = Corpus("same", ["apple", "pear"] * 4, np.array(["a", "b"] * 4))
    with pytest.raises(ValueError, match="every test document has the text of a training document"):
        compare(["MNB"], corpus, RandomSplits(per_class=2, repetitions=1))


def test_the_largest_class_is_a_line_of_its_own():
    """On SMS, a model of 26.7 % was listed while always saying "ham" has 86.5 %."""
    corpus = Corpus("uneven", small().documents, np.repeat(["ham", "spam"], [34, 6]))
    comparison = compare(["NB"], corpus, RandomSplits(per_class=2, repetitions=4))
    place = ("uneven", "2 per class")
    expected = {"accuracy": [], "macro_f1": []}
    for result in comparison.results:
        truth = corpus.labels[result.answers().rows]
        answers = np.repeat("ham", len(truth))
        expected["accuracy"].append(accuracy_score(truth, answers))
        expected["macro_f1"].append(f1_score(truth, answers, average="macro", zero_division=0))
    for metric, values in expected.items():
        assert comparison.baseline(place, metric) == pytest.approx(np.mean(values), abs=1e-12)
    assert np.isnan(comparison.baseline(place, "log_loss"))
    head, _, row = comparison.table().split("\n")[2:]
    assert head.endswith("| largest class |")
    assert row.endswith(f"| {100 * np.mean(expected['accuracy']):.2f} |")
    assert "largest class" not in comparison.table("log_loss")


def test_answers_are_those_of_the_model_and_survive_a_file(tmp_path):
    comparison = compare(["NB"], MESSAGES, SPLITS)
    split = next(SPLITS.split(MESSAGES.labels, "messages", 0))
    answers = comparison.results[0].answers()
    np.testing.assert_array_equal(answers.rows, split.test)
    classes = np.unique(MESSAGES.labels)
    np.testing.assert_array_equal(classes[answers.truth], MESSAGES.labels[split.test])
    right = (answers.truth == answers.answers).mean()
    assert right == comparison.results[0].scores["accuracy"]
    write_results(tmp_path / "out.jsonl", comparison.results)
    read = read_results(tmp_path / "out.jsonl")
    assert [r.outcomes for r in read] == [r.outcomes for r in comparison.results]


def test_a_frame_has_a_row_per_result():
    comparison = compare(["NB", "CNB"], MESSAGES, SPLITS, **ACCURACY)
    frame = comparison.to_frame()
    assert list(frame.columns)[:6] == ["corpus", "protocol", "split", "repetition", "fold", "model"]
    assert frame["accuracy"].tolist() == [r.scores["accuracy"] for r in comparison.results]
    assert (frame["n_train"] == 40).all()


class Warner(MultinomialNB):
    """Warns as a model that finds no path."""

    def fit(self, X, y):
        warnings.warn("No path of order 2.", NoPathWarning, stacklevel=1)
        return super().fit(X, y)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_warning_names_its_model_once(n_jobs):
    models = {"one": Warner(), "two": Warner()}
    with pytest.warns(NoPathWarning) as caught:
        compare(models, small(), RandomSplits(per_class=2, repetitions=3), n_jobs=n_jobs)
    assert sorted(str(warning.message) for warning in caught) == [
        f"No path of order 2. (model {name!r}, 2 per class)" for name in models
    ]


WAITING = """
import os, sys, time
from pathlib import Path
import numpy as np
from scipy import sparse
from sklearn.naive_bayes import MultinomialNB
from honeybayes.tables import Corpus
from honeybayes.evaluate import RandomSplits, compare

class Waiting(MultinomialNB):
    def fit(self, X, y):
        Path(sys.argv[1], str(os.getpid())).touch()
        time.sleep(600)

if __name__ == "__main__":
    corpus = Corpus("toy", sparse.csr_array(np.eye(20, dtype=int)), np.repeat(["a", "b"], 10))
    compare([Waiting()], corpus, RandomSplits(per_class=2), n_jobs=2)
"""


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks at processes in /proc")
@pytest.mark.process
def test_workers_end_with_a_parent_that_is_killed(tmp_path):
    script, folder = tmp_path / "run.py", tmp_path / "pids"
    script.write_text(WAITING.replace("sys.argv[1]", repr(str(folder))))
    folder.mkdir()
    process = subprocess.Popen([sys.executable, script])
    while len(list(folder.iterdir())) < 2:
        assert process.poll() is None
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    workers = [int(path.name) for path in folder.iterdir()]
    last = time.monotonic() + 60
    while any(_is_running(worker) for worker in workers):
        assert time.monotonic() < last, "a worker outlived its parent"
        time.sleep(0.1)


def _is_running(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"  # ended, but nobody has asked for its end


def test_auto_learns_from_the_unlabeled_rows_of_a_table_of_counts():
    random = np.random.default_rng(0)
    labels = np.repeat(["a", "b", ""], 20)
    counts = sparse.csr_array(random.poisson(1 + 2.0 * (labels == "a")[:, np.newaxis], (60, 9)))
    splits = RandomSplits(per_class=5, repetitions=1)
    found = compare(["auto"], Corpus("counts", counts, labels), splits, pool=False)
    assert [result.n_pool for result in found.results] == [20]
