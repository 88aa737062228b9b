"""``--encoder``: fit with the name of a model, and name it again wherever the model is loaded."""

import json
import sys
import types

import pytest

from honeybayes.tables import load_corpus, write_corpus
from honeybayes.text._load_encoder import load_encoder
from tests.encoders import WordHasher


class Backwards(WordHasher):
    def encode(self, texts):
        return super().encode([text[::-1] for text in texts])


@pytest.fixture(autouse=True)
def _library(monkeypatch):
    """A library with two models."""
    library = types.ModuleType("model2vec")
    library.__spec__ = types.SimpleNamespace()
    models = {"mini": WordHasher(), "other": Backwards()}
    library.StaticModel = types.SimpleNamespace(from_pretrained=models.__getitem__)
    monkeypatch.setitem(sys.modules, "model2vec", library)
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    load_encoder.cache_clear()
    yield
    load_encoder.cache_clear()


@pytest.fixture
def works(run):
    """Run a command that must succeed; return what it prints.

    scikit-learn's FeatureUnion warns if there is no filter of warnings at all, as in ``run``.
    """

    def works(command, stdin=""):
        done = run(command, stdin)
        assert done.returncode == 0, done.stderr
        told = [line for line in done.stderr.splitlines() if "sklearn.utils.parallel" not in line]
        assert told == []
        return done.stdout

    return works


@pytest.fixture
def table(tmp_path):
    write_corpus(load_corpus("messages").draw(12), tmp_path / "mail.csv")


@pytest.mark.usefixtures("table")
def test_an_encoder_from_fit_to_explain(works, run, fails):
    told = works("fit mail.csv --model LogisticRegression-tfidf --encoder mini -o model.hb --json")
    assert json.loads(told)["model"] == "LogisticRegression-tfidf"
    (answer,) = works(
        "predict model.hb - --encoder mini --json", stdin="where is my parcel?\n"
    ).splitlines()
    assert json.loads(answer)["label"] == "delivery"
    done = run("evaluate model.hb mail.csv --encoder mini")
    assert "accuracy" in done.stdout
    assert "has learned from the texts of all" in done.stderr
    assert "meaning of the text" in works("explain model.hb 'where is my parcel' --encoder mini")
    assert "password" in works("explain model.hb --encoder mini")
    for command in ("evaluate model.hb mail.csv", "explain model.hb", "explain model.hb parcel"):
        assert "needs the encoder 'mini'" in fails(command)
        assert "with `encoder`." in fails(command)
        assert "is another encoder than" in fails(f"{command} --encoder other")


@pytest.mark.usefixtures("table")
def test_auto_and_wrong_names(works, fails):
    assert "learned 8 classes" in works("fit mail.csv --encoder mini -o model.hb")
    message = fails("fit mail.csv --encoder absent -o new.hb")
    assert "The encoder 'absent' could not be loaded (model2vec: KeyError" in message
    message = fails("fit mail.csv --encoder mini --model CNB -o new.hb")
    assert "cannot learn from the vectors of an encoder. Leave the vectors" in message
    works("fit mail.csv --model CNB -o words.hb")
    assert "uses no encoder. Leave out `encoder`." in fails("explain words.hb --encoder mini")
