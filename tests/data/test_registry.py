"""The registry: names, the folder, and the real corpora where they are at hand."""

import gzip
import json

import pytest

from honeybayes.data import find_data_file, list_corpora, load_corpus

POLITICS = ["talk.politics.guns", "talk.politics.mideast", "talk.politics.misc"]


def test_find_data_file_looks_in_the_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("HONEYBAYES_DATA", str(tmp_path))
    (tmp_path / "there.npz").touch()
    assert find_data_file("there.npz") == tmp_path / "there.npz"


def test_a_missing_file_is_named_with_the_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("HONEYBAYES_DATA", str(tmp_path))
    with pytest.raises(FileNotFoundError) as caught:
        find_data_file("absent.npz")
    message = str(caught.value)
    assert "'absent.npz'" in message
    assert str(tmp_path) in message
    assert "set HONEYBAYES_DATA" in message


@pytest.mark.parametrize("value", [None, ""])
def test_without_a_folder_the_variable_is_explained(monkeypatch, value):
    monkeypatch.delenv("HONEYBAYES_DATA", raising=False)
    if value is not None:
        monkeypatch.setenv("HONEYBAYES_DATA", value)
    with pytest.raises(FileNotFoundError, match=r"'linqs-cora.npz' is wanted.*export HONEYBAYES_"):
        load_corpus("cora-7")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("20news-18823", "no corpus '20news-18823'. Did you mean '20news-18828'?"),
        ("Citesear", "Did you mean 'citeseer'?"),
        ("xyzzy", r"See list_corpora\(\)"),
    ],
)
def test_an_unknown_name_gets_near_ones(name, message):
    with pytest.raises(ValueError, match=message):
        load_corpus(name)


def write_news(folder, labels):
    lines = "".join(json.dumps({"text": "words", "label": label}) + "\n" for label in labels)
    (folder / "20news-18828.jsonl.gz").write_bytes(gzip.compress(lines.encode()))


def test_a_file_with_other_counts_is_not_the_corpus(tmp_path, monkeypatch):
    monkeypatch.setenv("HONEYBAYES_DATA", str(tmp_path))
    write_news(tmp_path, [*POLITICS, "sci.space"])
    expected = "expected, 3 in 3 found"
    with pytest.raises(ValueError, match=f"2625 documents in 3 classes are {expected}"):
        load_corpus("politics")


def test_a_file_without_a_class_is_not_the_corpus(tmp_path, monkeypatch):
    monkeypatch.setenv("HONEYBAYES_DATA", str(tmp_path))
    write_news(tmp_path, POLITICS[:2])
    with pytest.raises(ValueError, match=r"has no class 'talk.politics.misc'"):
        load_corpus("politics")


# Documents, classes and, for a matrix, terms, as the papers and the publishers give them.
PUBLISHED = {
    "20news-18828": (18_828, 20, None),
    "religion": (799 + 997 + 628, 3, None),
    "science": (991 + 981 + 990 + 987, 4, None),
    "politics": (910 + 940 + 775, 3, None),
    "comp": (973 + 985 + 982 + 961 + 980, 5, None),
    "mini-newsgroups": (2_000, 20, None),
    "webkb-pages": (8_282, 7, None),
    "webkb5": (4_336, 5, None),
    "webkb4": (4_199, 4, None),
    "webkb": (877, 5, 1_703),
    "1150haber": (1_150, 5, None),
    "citeseer": (3_312, 6, 3_703),
    "cora-6": (2_708 - 180, 6, 1_433),
    "cora-7": (2_708, 7, 1_433),
    "fbis": (2_463, 17, 2_000),
    "la1": (3_204, 6, 31_472),
    "la1s": (3_204, 6, 13_195),
    "la2": (3_075, 6, 31_472),
    "la2s": (3_075, 6, 12_432),
    "oh0": (1_003, 10, 3_182),
    "oh5": (918, 10, 3_012),
    "oh10": (1_050, 10, 3_238),
    "oh15": (913, 10, 3_100),
    "ohscal": (11_162, 10, 11_465),
    "re0": (1_504, 13, 2_886),
    "re1": (1_657, 25, 3_758),
    "wap": (1_560, 20, 8_460),
}


def test_every_name_is_in_the_table():
    assert list_corpora() == sorted(PUBLISHED)


@pytest.mark.parametrize("name", sorted(PUBLISHED))
@pytest.mark.usefixtures("corpora")
def test_the_real_corpora_have_the_published_sizes(name):
    documents, classes, terms = PUBLISHED[name]
    corpus = load_corpus(name.upper())
    assert corpus.name == name
    assert len(corpus) == documents
    assert len(corpus.classes) == classes
    if terms is None:
        assert all(isinstance(text, str) for text in corpus.documents)
    else:
        assert corpus.documents.shape == (documents, terms)
    if corpus.vocabulary is not None:
        assert len(corpus.vocabulary) == terms
