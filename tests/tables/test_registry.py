"""Corpora by name: the bundled one, files in the data folders, and what scikit-learn fetches."""

import gzip
import json
import sys
from pathlib import Path
from urllib.error import URLError

import numpy as np
import pytest
from sklearn.utils import Bunch

from honeybayes.tables import describe_corpus, find_data_file, list_corpora, load_corpus
from honeybayes.utils.writing import cache_folder


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """Two empty folders: that of the variable, and the cache."""
    monkeypatch.setenv("HONEYBAYES_DATA", str(tmp_path / "named"))
    monkeypatch.delenv("HONEYBAYES_CACHE")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folders = tmp_path / "named", tmp_path / "cache" / "honeybayes"
    for folder in folders:
        folder.mkdir(parents=True)
    return folders


def test_find_data_file_looks_in_the_named_folder_first(folders):
    named, cache = folders
    (cache / "x.npz").touch()
    (cache / "y.npz").touch()
    assert find_data_file("x.npz") == cache / "x.npz"
    (named / "x.npz").touch()
    assert find_data_file("x.npz") == named / "x.npz"
    assert find_data_file("z.npz", "y.npz") == cache / "y.npz"


def test_a_missing_file_is_named_with_the_folders(folders):
    with pytest.raises(FileNotFoundError) as caught:
        find_data_file("absent.npz")
    message = str(caught.value)
    assert message.startswith("absent.npz was not found in ")
    assert all(str(folder) in message for folder in folders)
    assert "export HONEYBAYES_DATA=" in message


@pytest.mark.parametrize(
    ("platform", "variable", "value", "expected"),
    [
        ("linux", "XDG_CACHE_HOME", None, Path("~/.cache/honeybayes")),
        ("linux", "XDG_CACHE_HOME", "/var/mine", Path("/var/mine/honeybayes")),
        ("darwin", "XDG_CACHE_HOME", None, Path("~/Library/Caches/honeybayes")),
        ("win32", "LOCALAPPDATA", "/local", Path("/local/honeybayes")),
    ],
)
def test_the_cache_folder_is_that_of_the_platform(monkeypatch, platform, variable, value, expected):
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.delenv("HONEYBAYES_CACHE")
    monkeypatch.delenv(variable, raising=False)
    if value is not None:
        monkeypatch.setenv(variable, value)
    assert cache_folder() == expected.expanduser()


def test_a_variable_names_the_cache_folder(monkeypatch):
    monkeypatch.setenv("HONEYBAYES_CACHE", "~/mine")
    assert cache_folder() == Path("~/mine").expanduser()


LINES = "".join(
    json.dumps({"text": text, "label": label}) + "\n"
    for text, label in [("late", "a"), ("no", "b")]
)


def test_a_file_is_loaded_by_its_name(folders):
    named, cache = folders
    (named / "Own.Mail.csv").write_text("text,label\nlate,a\nno,b\n")
    (named / "sms-spam.jsonl.gz").write_bytes(gzip.compress(LINES.encode()))
    (cache / "sms-spam.tsv").write_text("text\tlabel\nother,c\n")  # the named folder comes first
    (cache / "counts.svmlight").write_text("1 1:2\n2 2:1\n")
    (cache / "counts.npz").write_bytes(b"PK")
    (cache / "notes.txt").write_text("not a corpus")
    (cache / "folder.csv").mkdir()
    assert list_corpora() == [
        "20news-bydate",
        "Own.Mail",
        "counts",
        "mailbox",
        "messages",
        "sms-spam",
    ]
    corpus = load_corpus("sms-spam")
    assert (corpus.name, corpus.documents) == ("sms-spam", ["late", "no"])
    assert corpus.labels.tolist() == ["a", "b"]
    assert load_corpus("own.mail").name == "Own.Mail"
    assert load_corpus("counts").n_terms == 2
    described = describe_corpus("OWN.MAIL")
    assert described.file == str(named / "Own.Mail.csv")
    assert str(described) == f"Own.Mail: the file {described.file}"


def test_a_file_does_not_hide_the_bundled_corpus(folders):
    (folders[0] / "messages.csv").write_text("text,label\nlate,a\n")
    assert len(load_corpus("messages")) == 600


def test_a_data_folder_need_not_exist(monkeypatch, tmp_path):
    monkeypatch.setenv("HONEYBAYES_DATA", str(tmp_path / "absent"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "absent, too"))
    monkeypatch.setattr(sys, "platform", "linux")
    assert list_corpora() == ["20news-bydate", "mailbox", "messages"]


@pytest.mark.parametrize("ask", [load_corpus, describe_corpus])
def test_an_unknown_name_gets_near_ones(folders, ask):
    (folders[0] / "SMS-spam.csv").touch()
    with pytest.raises(ValueError, match=r"no corpus 'mesages'\. Did you mean 'messages'\?"):
        ask("mesages")
    with pytest.raises(ValueError, match=r"Did you mean 'SMS-spam'\?"):
        ask("sms-spam2")
    with pytest.raises(ValueError, match=r"no corpus 'xyzzy'\. See list_corpora\(\)") as caught:
        ask("xyzzy")
    assert f"put xyzzy.csv or xyzzy.jsonl in {folders[0]} or {folders[1]}" in str(caught.value)


def test_newsgroups_by_date_are_fetched_whole(folders, monkeypatch):
    def fake(subset, shuffle, download_if_missing, n_retries):
        assert (subset, download_if_missing) == ("all", True)
        names = [f"group{i:02d}" for i in range(20)]
        return Bunch(data=["x"] * 18_846, target=np.arange(18_846) % 20, target_names=names)

    monkeypatch.setattr("sklearn.datasets.fetch_20newsgroups", fake)
    corpus = load_corpus("20news-bydate")
    assert (len(corpus), corpus.labels[21]) == (18_846, "group01")


def test_an_offline_machine_gets_one_clear_message(folders, monkeypatch):
    def offline(**asked):
        raise URLError("Name or service not known")

    monkeypatch.setattr("sklearn.datasets.fetch_20newsgroups", offline)
    with pytest.raises(
        FileNotFoundError, match=r"could not be downloaded \(<urlopen error Name .*Try"
    ):
        load_corpus("20news-bydate")


def test_nothing_is_downloaded_if_that_is_not_allowed(folders, monkeypatch):
    def fake(download_if_missing, **asked):
        assert not download_if_missing
        raise OSError("20Newsgroups dataset not found")

    monkeypatch.setattr("sklearn.datasets.fetch_20newsgroups", fake)
    with pytest.raises(FileNotFoundError, match="'20news-bydate' is not on this machine"):
        load_corpus("20news-bydate", download_if_missing=False)


def test_the_bundled_corpus_needs_no_folder(folders):
    corpus = load_corpus("messages")
    labels, sizes = np.unique(corpus.labels, return_counts=True)
    assert len(labels) == 8
    assert set(sizes) == {75}
    assert len(set(corpus.documents)) == 600


@pytest.mark.parametrize("name", ["messages", "20news-bydate"])
def test_every_published_corpus_is_described(name):
    description = describe_corpus(name.upper())
    assert description.name == name
    for text in (description.summary, description.published, description.citation):
        assert text
    printed = str(description).splitlines()
    assert printed[0].startswith(f"{name}: ")
    assert f"{description.documents:,} documents in {description.classes} classes" in printed[1]
    assert len(printed) == 4


@pytest.mark.usefixtures("corpora")
def test_a_corpus_of_the_papers_is_loaded_as_a_file():
    corpus = load_corpus("1150haber")
    assert (len(corpus), len(corpus.classes)) == (1150, 5)
