import json
import re

import numpy as np
import pytest

from honeybayes import TextClassifier, list_models, load_model, make_model
from honeybayes.evaluate import RandomSplits, compare
from honeybayes.tables import list_corpora, load_corpus, read_corpus, write_corpus

SETTINGS = [
    ("HONB", "order=3", {"order": 3}),
    ("HONB", "pure=class", {"pure": "class"}),
    ("HOS", "beta=0.3", {"beta": 0.3}),
    ("HOS", "alpha=0.1", {"alpha": 0.1}),
    ("HONB", "frequencies=log", {"frequencies": "log"}),
    ("HMNB", "em_steps=2", {"em_steps": 2}),
    ("SMO-N-IHOSK", "n_iter=1", {"n_iter": 1}),
    ("SMO-N-IHOSK", "normalize=complement", {"normalize": "complement"}),
    ("SMO-N-IHOSK", "normalize=none", {"normalize": None}),
    ("SMO-N-IHOSK", "weighting=tf-idf", {"weighting": "tf-idf"}),
    ("HOSVM", "normalize=no", {"normalize": False}),
    ("HOSVM", "kernel=rbf", {"kernel": "rbf"}),
    ("HOSVM", "multiclass=one-vs-rest", {"multiclass": "one-vs-rest"}),
]


@pytest.fixture
def mail(tmp_path):
    """Return a small table with three classes."""
    write_corpus(
        load_corpus("messages").keep_classes(["billing", "delivery", "returns"]).draw(24, seed=0),
        tmp_path / "mail.csv",
    )
    return read_corpus(tmp_path / "mail.csv")


def scores_of(classifier, texts):
    """Return probabilities, or margins where a model has none."""
    has_them = hasattr(classifier, "predict_proba")
    return (classifier.predict_proba if has_them else classifier.decision_function)(texts)


@pytest.mark.parametrize(("name", "setting", "parameters"), SETTINGS)
def test_a_setting_is_listed_and_reaches_fit_and_compare(
    tmp_path, works, mail, name, setting, parameters
):
    """The same answers as in Python, and not those of the model without the setting."""
    listed = json.loads(works(f"models {name} --json"))["settings"]
    assert listed[setting.partition("=")[0]]["meaning"]
    words = "stop-words=remove"
    works(f"fit mail.csv --model '{name} {setting}' --words {words} -o m.hb")
    own, usual = (
        TextClassifier(model, stop_words=True).fit(mail.documents, mail.labels)
        for model in (make_model(name, **parameters), make_model(name))
    )
    found = scores_of(load_model(tmp_path / "m.hb"), mail.documents)
    np.testing.assert_allclose(found, scores_of(own, mail.documents), rtol=1e-9)
    assert not np.allclose(found, scores_of(usual, mail.documents))
    [row] = json.loads(
        works(f"compare mail.csv -m '{name} {setting}' --labels 12 --draws 2 --json")
    )
    expected = compare(
        {"own": make_model(name, **parameters)}, mail, RandomSplits(per_class=12, repetitions=2)
    )
    assert row["mean"] == pytest.approx(expected.summaries()[0].mean)


def test_models_lists_the_zoo_with_those_to_try_first_at_the_top(works):
    header, *rows = [line.split("\t") for line in works("models").splitlines()]
    assert header == ["model", "what it is", "paper"]
    assert rows.pop(0)[0] == "auto"
    assert sorted(name for name, *_ in rows) == sorted(list_models())
    recommended = [name for name, about, _ in rows if about.startswith("Recommended with ")]
    assert recommended == [name for name, *_ in rows[:3]]
    assert recommended == ["FewLabels", "LogisticRegression-tfidf", "LinearSVC-tfidf"]


def test_models_tells_all_about_one(works):
    told = json.loads(works("models HCNB --json"))
    assert told["estimator"] == "honeybayes.bayes.HiddenNB"
    assert told["parameters"] == {"rule": "complement"}
    assert "Eq. 15" in works("models HCNB")


def test_models_tells_what_auto_is(works):
    assert works("models auto").startswith("name\tauto\nsummary\tThe default of `fit`: chooses")
    about = json.loads(works("models auto --json"))
    assert "FewLabels" in about["summary"]
    listed = json.loads(works("models --json"))
    assert [about.pop("settings"), listed[0]] == [{}, about]
    assert all(each.keys() == about.keys() for each in listed)


def test_models_lists_the_settings_of_one(works):
    assert "\nbeta\t0.5\tWeight of the paths, from 0 to 1.\n" in works("models HOS")
    settings = json.loads(works("models 'pure HONB' --json"))["settings"]
    assert settings["pure"]["value"] == "corpus"
    assert "documents on a path" in settings["order"]["meaning"]


def test_an_unknown_model_is_refused_with_near_names(fails):
    assert "Did you mean" in fails("models HCNBB")


def test_data_lists_every_corpus(works):
    assert [corpus["name"] for corpus in json.loads(works("data list --json"))] == list_corpora()
    assert len(works("data list").splitlines()) == len(list_corpora()) + 1


def test_data_shows_one(works):
    assert json.loads(works("data show messages --json"))["documents"] == 600
    assert "  cite: " in works("data show 20news-bydate")


@pytest.mark.parametrize("command", ["data show messages", "models LinearSVC-tfidf"])
def test_a_fact_that_is_missing_is_not_shown(works, command):
    told = works(command)
    assert not re.search(r"None|\(\)|\{\}|\t$", told, re.MULTILINE)


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl"])
def test_data_gets_a_corpus_that_the_readers_read_back(tmp_path, works, ending):
    works(f"data get messages -o mail.{ending}")
    read, ours = read_corpus(tmp_path / f"mail.{ending}"), load_corpus("messages")
    assert read.documents == ours.documents
    assert read.labels.tolist() == ours.labels.tolist()


def test_data_refuses_what_it_does_not_know(fails):
    assert "Did you mean 'messages'" in fails("data show mesages")
    assert "mail.npz: the ending of a table to write must be one of .csv" in fails(
        "data get messages -o mail.npz"
    )
