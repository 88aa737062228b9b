import json
import re

import pytest

from honeybayes import list_models
from honeybayes.tables import list_corpora, load_corpus, read_corpus


def test_models_lists_the_zoo_with_those_to_try_first_at_the_top(works):
    header, *rows = [line.split("\t") for line in works("models").splitlines()]
    assert header == ["model", "what it is", "paper"]
    assert sorted(name for name, *_ in rows) == sorted(list_models())
    recommended = [name for name, about, _ in rows if about.startswith("Recommended with ")]
    assert recommended == [name for name, *_ in rows[:3]]
    assert recommended == ["FewLabels", "LogisticRegression-tfidf", "LinearSVC-tfidf"]


def test_models_tells_all_about_one(works):
    told = json.loads(works("models HCNB --json"))
    assert told["estimator"] == "honeybayes.bayes.HiddenNB"
    assert told["parameters"] == {"rule": "complement"}
    assert "Eq. 15" in works("models HCNB")


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
