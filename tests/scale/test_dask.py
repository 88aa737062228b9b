"""Every engine gives what one process gives; Dask is skipped without the extra ``scale``."""

import pickle
import sys
import time
from functools import partial
from itertools import pairwise

import pytest

from honeybayes import HigherOrderNB, HigherOrderSmoothingNB, TextClassifier, save_model
from honeybayes.bayes import CountNB
from honeybayes.scale import (
    DaskEngine,
    LocalEngine,
    Part,
    ProcessEngine,
    _text_tasks,
    fit_in_parts,
    start_statistics,
)
from tests.scale.test_statistics import assert_same_model, random_documents
from tests.scale.test_texts import assert_same_classifier, cut
from tests.scale.worker_parts import LABELS, TEXTS, load_or_fail

CUTS = [0, 7, 7, 30, 41, 50]


@pytest.fixture
def dask():
    return pytest.importorskip("dask", reason="needs dask (extra: scale)")


@pytest.mark.parametrize("model", [CountNB(), HigherOrderNB(), HigherOrderSmoothingNB()], ids=repr)
def test_dask_learns_what_fit_learns(dask, model):
    X, y = random_documents(50, 20)
    parts = [
        Part(f"part {first}", tuple, (dask.delayed((X[first:last], y[first:last])),))
        for first, last in pairwise(CUTS)
    ]
    with dask.config.set(scheduler="sync"):
        learned = fit_in_parts(model, parts)
    assert learned.n_labeled == 50
    assert_same_model(learned.model, model.fit(X, y))


def test_an_error_names_the_part(dask):
    parts = [Part("a.csv", tuple, (dask.delayed(([[1, 0]], ["a"])),))]
    parts += [Part("b.csv", tuple, (dask.delayed(([[1]], ["a", "b"])),))]
    with dask.config.set(scheduler="sync"):
        with pytest.raises(ValueError, match=r"b\.csv: .*inconsistent numbers"):
            fit_in_parts(CountNB(), parts)
        learned = fit_in_parts(CountNB(), parts, keep_going=True)
    assert list(learned.left_out) == ["b.csv"]


def test_dask_gets_the_task_once_for_all_parts(dask):
    """It holds terms and sums: in every task, they would be sent with every part."""
    X, y = random_documents(50, 20)
    parts = [Part(str(number), tuple, ((X, y),)) for number in range(9)]
    holders = []

    def get(graph, keys, **options):
        tasks = dict(graph.__dask_graph__() if hasattr(graph, "__dask_graph__") else graph)
        holders.append(sum(b"TermCounts" in pickle.dumps(each) for each in tasks.values()))
        return dask.get(tasks, keys)

    with dask.config.set(scheduler=get):
        empty = _text_tasks.TermCounts({"all": start_statistics(CountNB())})
        DaskEngine().collect(
            "Counts", partial(_text_tasks.add_counts, empty), dict(enumerate(parts))
        )
    assert holders == [1]


@pytest.mark.process
def test_an_error_ends_the_work_on_other_parts(client, tmp_path):
    arguments = [(number, str(tmp_path)) for number in range(200)]
    parts = [Part(f"part {each[0]}", load_or_fail, each) for each in arguments]
    with pytest.raises(ValueError, match="part 1: gone"):
        fit_in_parts(TextClassifier("CNB"), parts, engine=DaskEngine())
    end = time.monotonic() + 60
    while (states := {each.status for each in client.futures.values()}) > {"error"}:
        assert time.monotonic() < end, states
        time.sleep(0.05)
    assert len(list(tmp_path.iterdir())) < len(parts)


def test_engines_call_a_task_with_every_item(dask):
    for engine in (LocalEngine(), DaskEngine()):
        with dask.config.set(scheduler="sync"):
            assert sorted(engine.map(str.upper, iter("abc"))) == ["A", "B", "C"]


@pytest.mark.process
def test_processes_learn_what_fit_learns():
    engine, script = ProcessEngine(2), sys.modules["__main__"]
    found = TextClassifier("CNB")
    for number, _ in enumerate(engine.map(str.upper, iter("abcdefgh"))):
        assert sys.modules["__main__"] is script, number  # also while processes are at work
    fit_in_parts(found, cut(TEXTS, LABELS), engine=engine)
    assert_same_classifier(found, TextClassifier("CNB").fit(TEXTS, LABELS))


@pytest.mark.process
@pytest.mark.filterwarnings("default")  # of pyspark, which does not know the newest pandas
def test_the_recipe_for_spark_runs(tmp_path, monkeypatch, recipe_of_spark):
    sql = pytest.importorskip("pyspark.sql", reason="needs pyspark and Java")
    classifier = TextClassifier("CNB").fit(TEXTS, LABELS)
    save_model(classifier, tmp_path / "model.hb")
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    builder = sql.SparkSession.builder.master("local[1]").config("spark.ui.enabled", False)
    for each in ("bindAddress", "host"):  # the name of the machine may have no address
        builder = builder.config(f"spark.driver.{each}", "127.0.0.1")
    session = builder.getOrCreate()
    try:
        mails = session.createDataFrame([(text,) for text in TEXTS[:9]], "body string")
        names = {"mails": mails}
        exec(recipe_of_spark.replace("/shared/model.hb", str(tmp_path / "model.hb")), names)
        found = names["answers"].toPandas()
    finally:
        session.stop()
    assert found["label"].tolist() == classifier.predict(TEXTS[:9]).tolist()


def test_the_recipe_for_spark_answers_frame_by_frame(tmp_path, recipe_of_spark):
    """With a stand-in for Spark, which calls the function as mapInPandas does."""
    pandas = pytest.importorskip("pandas")

    class Frame:
        def mapInPandas(self, function, schema):
            parts = [pandas.DataFrame({"body": TEXTS[:4]}), pandas.DataFrame({"body": TEXTS[4:9]})]
            return pandas.concat(function(iter(parts)))

    classifier = TextClassifier("CNB").fit(TEXTS, LABELS)
    save_model(classifier, tmp_path / "model.hb")
    names = {"mails": Frame()}
    exec(recipe_of_spark.replace("/shared/model.hb", str(tmp_path / "model.hb")), names)
    found = names["answers"]
    assert found["label"].tolist() == classifier.predict(TEXTS[:9]).tolist()
    expected = classifier.predict_proba(TEXTS[:9]).max(axis=1)
    assert found["confidence"].tolist() == pytest.approx(expected.tolist(), rel=1e-9)
