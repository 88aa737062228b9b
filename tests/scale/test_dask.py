"""The workers of Dask give what one process gives; skipped without the extra ``scale``."""

import os
import signal
import sys
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

from honeybayes import HigherOrderNB, HigherOrderSmoothingNB, TextClassifier, save_model
from honeybayes.bayes import CountNB
from honeybayes.scale import fit_with_dask, make_spark_predictor, predict_frame
from tests.scale.test_statistics import assert_same_model, random_documents

TEXTS = ["My parcel is late", "Where is my parcel?", "I was charged twice", "Wrong charge"]


@pytest.fixture(scope="module")
def classifier():
    return TextClassifier("CNB").fit(TEXTS, ["delivery", "delivery", "billing", "billing"])


@pytest.fixture
def dask():
    return pytest.importorskip("dask", reason="needs dask (extra: scale)")


@pytest.fixture
def frame():
    return pd.DataFrame({"id": range(40), "text": [*TEXTS, None] * 8}, index=range(100, 140))


@pytest.fixture
def model_file(classifier, tmp_path):
    save_model(classifier, tmp_path / "model.hb")
    return tmp_path / "model.hb"


def test_a_frame_gets_the_answers_of_the_classifier(classifier, model_file, frame):
    found = predict_frame(classifier, frame)
    known = frame["text"].notna()
    assert found.loc[known, "label"].tolist() == classifier.predict(frame["text"][known]).tolist()
    probabilities = classifier.predict_proba(frame["text"][known].tolist()).max(axis=1)
    np.testing.assert_array_equal(found.loc[known, "confidence"], probabilities)
    assert found.loc[~known, ["label", "confidence"]].isna().all(axis=None)
    pd.testing.assert_frame_equal(predict_frame(model_file, frame), found)


@pytest.mark.parametrize("n_parts", [1, 3])
def test_dask_keeps_the_index_and_gives_the_same(dask, classifier, model_file, frame, n_parts):
    frames = pytest.importorskip("dask.dataframe", reason="needs dask (extra: scale)")
    parts = frames.from_pandas(frame, npartitions=n_parts)
    expected = predict_frame(classifier, frame)
    for model in (classifier, model_file):
        found = predict_frame(model, parts).compute(scheduler="sync")
        assert found.index.tolist() == frame.index.tolist()
        assert found["id"].tolist() == frame["id"].tolist()
        np.testing.assert_array_equal(found["confidence"], expected["confidence"])
        known = frame["text"].notna()
        assert found["label"][known].tolist() == expected["label"][known].tolist()
    nothing = parts[parts["id"] < 0]
    assert len(predict_frame(classifier, nothing).compute(scheduler="sync")) == 0


@pytest.mark.parametrize("model", [CountNB(), HigherOrderNB(), HigherOrderSmoothingNB()], ids=repr)
def test_dask_learns_what_fit_learns(dask, model):
    X, y = random_documents(50, 20)
    cuts = [0, 7, 7, 30, 41, 50]
    parts = [dask.delayed((X[first:last], y[first:last])) for first, last in pairwise(cuts)]
    with dask.config.set(scheduler="sync"):
        assert_same_model(fit_with_dask(model, parts), model.fit(X, y))


def test_an_error_names_the_part(dask):
    parts = [dask.delayed(([[1, 0]], ["a"])), dask.delayed(([[1]], ["a", "b"]))]
    with dask.config.set(scheduler="sync"):
        with pytest.raises(ValueError, match=r"Part 1: .*inconsistent numbers"):
            fit_with_dask(CountNB(), parts)
        with pytest.raises(ValueError, match=r"b\.csv: .*inconsistent numbers"):
            fit_with_dask(CountNB(), parts, names=["a.csv", "b.csv"])
        with pytest.raises(ValueError, match="There are 2 parts and 1 names"):
            fit_with_dask(CountNB(), parts, names=["a.csv"])
        with pytest.raises(ValueError, match="There are no parts"):
            fit_with_dask(CountNB(), [])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"text": "texts"}, r"no column 'texts'. .* Did you mean 'text'"),
        ({"label": "id"}, "a column 'id' already"),
        ({"text": "id"}, "the value 0, which is no text"),
    ],
)
def test_a_frame_that_does_not_fit_is_refused(classifier, frame, options, message):
    with pytest.raises(ValueError, match=message):
        predict_frame(classifier, frame, **options)


def test_the_spark_predictor_answers_frame_by_frame(classifier, model_file, frame):
    predictor = make_spark_predictor(model_file)
    found = pd.concat(predictor(iter([frame[:7], frame[7:]])))
    pd.testing.assert_frame_equal(found, predict_frame(classifier, frame))


@pytest.mark.filterwarnings("default")  # of pyspark, which does not know the newest pandas
def test_spark_runs_the_predictor(model_file, frame, monkeypatch):
    sql = pytest.importorskip("pyspark.sql", reason="needs pyspark and Java")
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    builder = sql.SparkSession.builder.master("local[1]").config("spark.ui.enabled", False)
    for each in ("bindAddress", "host"):  # the name of the machine may have no address
        builder = builder.config(f"spark.driver.{each}", "127.0.0.1")
    session = builder.getOrCreate()
    try:
        table = session.createDataFrame(frame.dropna())
        schema = "id long, text string, label string, confidence double"
        found = table.mapInPandas(make_spark_predictor(model_file), schema).toPandas()
    finally:
        session.stop()
    expected = predict_frame(model_file, frame.dropna())
    assert found["label"].tolist() == expected["label"].tolist()
    assert found["confidence"].tolist() == pytest.approx(expected["confidence"].tolist())


def load_slowly(folder, number):
    """Load a part; the first process that loads part 3 ends as if it were killed."""
    mark = folder / "killed"
    if number == 3 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    X, y = random_documents(60, 20)
    return X[number::6], y[number::6]


@pytest.mark.filterwarnings("default")  # of a cluster whose worker ends
def test_a_worker_that_is_killed_loses_nothing(dask, client, tmp_path):
    X, y = random_documents(60, 20)
    parts = [dask.delayed(load_slowly)(tmp_path, number) for number in range(6)]
    found = fit_with_dask(HigherOrderNB(), parts)
    assert (tmp_path / "killed").exists()
    assert_same_model(found, HigherOrderNB().fit(X, y))
