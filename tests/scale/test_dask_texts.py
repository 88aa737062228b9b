"""TextClassifier on Series and bags of Dask; skipped without the extra ``scale``."""

import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from honeybayes import TextClassifier
from honeybayes.scale import (
    DaskEngine,
    Part,
    connect_dask,
    fit_in_parts,
)
from tests.scale.test_texts import assert_same_classifier, cut, show_in
from tests.scale.worker_parts import LABELS, NEW, TEXTS, documents, load_or_die

dask = pytest.importorskip("dask", reason="needs dask (extra: scale)")
frames = pytest.importorskip("dask.dataframe", reason="needs dask (extra: scale)")
bags = pytest.importorskip("dask.bag", reason="needs dask (extra: scale)")

FRAME = pd.DataFrame({"text": TEXTS, "label": LABELS}, index=range(100, 100 + len(TEXTS)))
ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def in_this_process():
    with dask.config.set(scheduler="sync"):
        yield


@pytest.fixture(scope="module")
def classifier():
    return TextClassifier("CNB").fit(TEXTS, LABELS)


def as_collections(kind, n_parts=3):
    if kind == "bag":
        return (bags.from_sequence(list(each), npartitions=n_parts) for each in (TEXTS, LABELS))
    frame = frames.from_pandas(FRAME, npartitions=n_parts)
    frame = frame[frame["text"] != TEXTS[-1]] if kind == "filtered" else frame
    return frame["text"], frame["label"]


@pytest.mark.parametrize("kind", ["series", "bag"])
@pytest.mark.parametrize("model", ["CNB", "HONB", "HOS", "LogisticRegression-tfidf"])
def test_fit_learns_what_it_learns_in_memory(model, kind):
    expected = TextClassifier(model).fit(TEXTS, LABELS)
    found = TextClassifier(model).fit(*as_collections(kind))
    assert_array_equal(found.predict(NEW), expected.predict(NEW))
    assert_allclose(found.predict_proba(NEW), expected.predict_proba(NEW), rtol=1e-6)
    assert found.terms_.tolist() == expected.terms_.tolist()


def test_a_pool_of_dask_is_used():
    labels = pd.Series(np.where(np.arange(len(TEXTS)) < 60, LABELS, ""), index=FRAME.index)
    y = frames.from_pandas(labels, npartitions=3)
    pool = bags.from_sequence(NEW[:80], npartitions=2)
    found = (
        TextClassifier("HOS")
        .set_params(model__unlabeled="")
        .fit(frames.from_pandas(FRAME["text"], npartitions=3), y, pool=pool)
    )
    expected = TextClassifier("HOS").fit(TEXTS[:60], LABELS[:60], pool=[*TEXTS[60:], *NEW[:80]])
    assert_array_equal(found.predict_proba(NEW), expected.predict_proba(NEW))
    # few labels in memory, and a large pool
    few = TextClassifier("HOS").fit(TEXTS[:60], LABELS[:60], pool=pool)
    expected = TextClassifier("HOS").fit(TEXTS[:60], LABELS[:60], pool=NEW[:80])
    assert_array_equal(few.predict_proba(NEW), expected.predict_proba(NEW))


@pytest.mark.parametrize("n_parts", [1, 4])
def test_answers_are_lazy_and_keep_the_index(classifier, n_parts):
    texts, _ = as_collections("series", n_parts)
    found = classifier.predict(texts)
    assert hasattr(found, "__dask_graph__")
    assert found.npartitions == texts.npartitions
    computed = found.compute()
    assert computed.dtype == found.dtype
    assert computed.index.tolist() == FRAME.index.tolist()
    assert computed.tolist() == classifier.predict(TEXTS).tolist()
    proba = classifier.predict_proba(texts)
    assert list(proba.columns) == classifier.classes_.tolist()
    assert_array_equal(proba.compute(), classifier.predict_proba(TEXTS))
    assert proba.compute().index.tolist() == FRAME.index.tolist()
    nothing = texts[texts == ""]
    assert len(classifier.predict(nothing).compute()) == 0
    assert classifier.predict_proba(nothing).compute().shape == (0, len(classifier.classes_))


@pytest.mark.parametrize("kind", ["series", "bag"])
def test_lazy_answers_stay_those_of_the_classifier_that_gave_them(kind):
    texts, _ = as_collections(kind)
    found = TextClassifier("CNB").fit(TEXTS[:60], LABELS[:60])
    expected, proba = found.predict(TEXTS), found.predict_proba(TEXTS)
    lazy, lazy_proba = found.predict(texts), found.predict_proba(texts)
    for _ in range(2):
        found.partial_fit(TEXTS[60:], np.roll(LABELS[60:], 1))
        assert (found.predict(TEXTS) != expected).any()
        assert_array_equal(list(lazy.compute()), expected)
        assert_array_equal(np.array(lazy_proba.compute()), proba)
        found.fit(TEXTS, np.roll(LABELS, 1))


@pytest.mark.parametrize("model", ["HOS", "FewLabels"])
def test_a_pool_may_be_a_function_that_returns_a_bag(model):
    pool = bags.from_sequence(NEW[:80], npartitions=2)
    expected = TextClassifier(model).fit(TEXTS[:60], LABELS[:60], pool=pool)
    found = TextClassifier(model).fit(TEXTS[:60], LABELS[:60], pool=lambda: pool)
    assert_array_equal(found.predict_proba(NEW), expected.predict_proba(NEW))


def test_parts_that_do_not_fit_together_are_not_read_again():
    read = []

    def note(texts):
        read.append(len(texts))
        return texts

    texts, _ = as_collections("series", 2)
    labels = bags.from_sequence([*LABELS[:120].tolist(), *range(120)], npartitions=2)
    texts = texts.map_partitions(note, meta=texts._meta)
    read.clear()
    with pytest.raises(ValueError, match="strings in some parts and numbers in others"):
        TextClassifier("CNB", language="english", clean_html=False).fit(texts, labels)
    assert read == [120, 120]


def test_columns_of_answers_can_be_added_to_the_frame(classifier):
    frame = frames.from_pandas(FRAME, npartitions=3)
    frame["found"] = classifier.predict(frame["text"])
    frame["confidence"] = classifier.predict_proba(frame["text"]).max(axis=1)
    computed = frame.compute()
    assert computed["found"].tolist() == classifier.predict(TEXTS).tolist()
    assert_allclose(computed["confidence"], classifier.predict_proba(TEXTS).max(axis=1), rtol=1e-9)


def test_a_bag_gives_a_bag(classifier):
    texts, _ = as_collections("bag")
    assert classifier.predict(texts).compute() == classifier.predict(TEXTS).tolist()
    proba = classifier.predict_proba(texts)
    assert_array_equal(np.array(proba.compute()), classifier.predict_proba(TEXTS))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda x, y: (x, None), "target y is None"),
        (
            lambda x, y: (x, LABELS),
            "y, ndarray, is no collection of Dask, but .* from one data frame",
        ),
        (lambda x, y: (x, y.repartition(npartitions=1)), "X has 3 partitions, y has 1"),
        (lambda x, y: (TEXTS, y), "X, list, is no collection of Dask, but .* from one data frame"),
        (lambda x, y: (x.to_frame(), y), "X must be one column or a Bag of Dask, got DataFrame"),
        (lambda x, y: (x, y.to_frame()), "y must be one column or a Bag of Dask, got DataFrame"),
        (lambda x, y: (x, y.where(y == "billing")), r"^partition \d: y has missing labels"),
        (lambda x, y: (x.where(y == "billing"), y), r"^partition \d: .* is not a text but"),
        (lambda x, y: (x, y[y == "billing"]), r"^partition \d: X has \d+ texts, y has \d+ labels"),
        (lambda x, y: (x.map_partitions(fail, meta=x), y), r"^partition \d: damaged"),
    ],
)
def test_what_does_not_fit_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        TextClassifier("CNB").fit(*make(*as_collections("series")))


def fail(texts):
    raise ValueError("damaged")


def test_more_is_refused(classifier):
    texts, labels = as_collections("series")
    with pytest.raises(ValueError, match="have no weights"):
        TextClassifier("CNB").fit(texts, labels, sample_weight=np.ones(len(TEXTS)))
    with pytest.raises(ValueError, match=r"got DataFrame\. Pass a column"):
        classifier.predict(texts.to_frame())
    with pytest.raises(ValueError, match="X has 3 partitions, y has 2"):
        TextClassifier("CNB").fit(texts, bags.from_sequence(LABELS.tolist(), npartitions=2))


def test_a_damaged_file_that_dask_reads_is_named_by_its_partition(tmp_path):
    for number in range(3):
        FRAME[number::3].to_parquet(tmp_path / f"{number}.parquet")
    frame = frames.read_parquet(tmp_path / "*.parquet")
    (tmp_path / "1.parquet").write_bytes(b"not what it was")
    with pytest.raises(ValueError, match=r"^partition 1: "):
        TextClassifier("CNB").fit(frame["text"], frame["label"])


@pytest.mark.process
@pytest.mark.filterwarnings("default")  # of a cluster whose worker ends
def test_a_worker_that_is_killed_loses_no_text(client, tmp_path):
    sources = [Part(f"part {n}", load_or_die, (str(tmp_path), n)) for n in range(6)]
    found, shown = TextClassifier("HONB"), []
    learned = fit_in_parts(found, sources, engine=DaskEngine(show_in(shown)))
    assert (tmp_path / "killed").exists()
    assert learned.n_labeled == len(TEXTS)
    assert_same_classifier(found, TextClassifier("HONB").fit(TEXTS, LABELS))
    assert [what for what, _, _ in shown] == ["Language", "Terms", "Counts", "Counts"]
    # collections, on the same cluster
    frame = frames.from_pandas(FRAME, npartitions=3)
    found = TextClassifier("CNB").fit(frame["text"], frame["label"])
    assert_same_classifier(found, TextClassifier("CNB").fit(TEXTS, LABELS))
    computed = found.predict(frame["text"]).compute()
    assert computed.tolist() == found.predict(TEXTS).tolist()
    with pytest.raises(ValueError, match=r"^part 7: X has 1 texts, y has 2"):
        fit_in_parts(
            found,
            [*cut(TEXTS, LABELS), Part("part 7", documents, (["a"], ["b", "c"]))],
            engine=DaskEngine(),
        )


@pytest.mark.process
def test_a_scheduler_that_cannot_be_reached_is_named(monkeypatch):
    from honeybayes.scale import _engines

    monkeypatch.setattr(_engines, "PATIENCE", 1)
    with (
        pytest.raises(ConnectionError, match=r"at tcp://127.0.0.1:9 cannot be reached .*Check the"),
        connect_dask("tcp://127.0.0.1:9"),
    ):
        pass


def test_something_that_listens_and_says_nothing_is_no_scheduler(monkeypatch):
    from honeybayes.scale import _engines

    monkeypatch.setattr(_engines, "PATIENCE", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        with (
            pytest.raises(ConnectionError, match=rf"at {address} cannot be reached"),
            connect_dask(address),
        ):
            pass


@pytest.mark.process
def test_another_user_cannot_use_the_local_cluster():
    """Whoever may talk to a scheduler runs code on its workers."""
    pytest.importorskip("cryptography", reason="needs cryptography (extra: scale)")
    distributed = pytest.importorskip("distributed")
    with connect_dask(n_workers=1) as engine:
        assert list(engine.map(abs, [-1])) == [1]
        client = distributed.default_client()
        workers = client.scheduler_info()["workers"]
        addresses = [client.scheduler.address, *workers, *(w["nanny"] for w in workers.values())]
        assert len(addresses) == 3
        other = distributed.Security.temporary()  # with keys, but not those of the cluster
        for address in addresses:
            assert address.startswith("tls://127.0.0.1:")
            for security, scheme in ((other, "tls"), (None, "tcp")):
                with pytest.raises(OSError, match=r"."):
                    distributed.Client(
                        address.replace("tls", scheme),
                        security=security,
                        timeout=1,
                        set_as_default=False,
                    )


@pytest.mark.process
def test_the_block_of_the_page_runs(tmp_path):
    """The Dask block of docs/text-classifier.md, as a script, with a local cluster."""
    page = (ROOT / "docs" / "text-classifier.md").read_text(encoding="utf-8")
    [block] = re.findall(r"<!-- run -->\n```python\n(.*?)```", page, re.DOTALL)
    (tmp_path / "mails").mkdir()
    for number in range(3):
        part = FRAME[number::3].rename(columns={"text": "body", "label": "queue"})
        part.to_parquet(tmp_path / "mails" / f"{number}.parquet")
    (tmp_path / "example.py").write_text(block, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "example.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answers = pd.read_parquet(tmp_path / "answers")
    assert len(answers) == len(TEXTS)
    assert set(answers["label"]) <= set(LABELS)
    assert (tmp_path / "model.hb").exists()
