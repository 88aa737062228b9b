"""The papers' corpora: names, files, and the real corpora if they are on this machine."""

import gzip
import json
import re
import sys
from urllib.error import URLError

import numpy as np
import pytest
from scipy import sparse
from sklearn.utils import Bunch

from reproduction.corpora import ENTRIES, SHA256, describe_corpus, list_corpora, load_corpus

CORA_CLASSES = [
    "Case_Based",
    "Genetic_Algorithms",
    "Neural_Networks",
    "Probabilistic_Methods",
    "Reinforcement_Learning",
    "Theory",
]
POLITICS = ["talk.politics.guns", "talk.politics.mideast", "talk.politics.misc"]


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """Two empty folders: that of the variable, and the cache."""
    monkeypatch.setenv("HONEYBAYES_DATA", str(tmp_path / "named"))
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.delenv("HONEYBAYES_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folders = tmp_path / "named", tmp_path / "cache" / "honeybayes"
    for folder in folders:
        folder.mkdir(parents=True)
    return folders


def test_without_a_corpus_the_message_says_which_file_to_put_where(folders):
    with pytest.raises(FileNotFoundError) as caught:
        load_corpus("cora-7")
    message = str(caught.value)
    assert "The corpus 'cora-7' is not on this machine." in message
    assert "linqs-cora.npz or cora.content was not found in " in message
    assert all(str(folder) in message for folder in folders)
    assert "or set HONEYBAYES_DATA to the folder with the file" in message
    assert "LINQS" in message


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("20news-18823", "no corpus '20news-18823'. Did you mean '20news-18828'"),
        ("Citesear", "Did you mean 'citeseer'?"),
        ("xyzzy", r"See list_corpora\(\)"),
    ],
)
@pytest.mark.parametrize("ask", [load_corpus, describe_corpus])
def test_an_unknown_name_gets_near_ones(ask, name, message):
    with pytest.raises(ValueError, match=message):
        ask(name)


def write_news(folder, labels):
    lines = "".join(json.dumps({"text": "words", "label": label}) + "\n" for label in labels)
    (folder / "20news-18828.jsonl.gz").write_bytes(gzip.compress(lines.encode()))


def test_a_file_with_other_counts_is_not_the_corpus(folders):
    write_news(folders[0], [*POLITICS, "sci.space"])
    expected = "expected 2,625 documents in 3 classes, texts; found 3 documents in 3 classes, texts"
    with pytest.raises(ValueError, match=expected):
        load_corpus("politics")


def test_a_file_without_a_class_is_not_the_corpus(folders):
    write_news(folders[0], POLITICS[:2])
    with pytest.raises(ValueError, match=r"has no class 'talk.politics.misc'"):
        load_corpus("politics")


def write_cora(path, n_terms=1433):
    classes = [*CORA_CLASSES, "Rule_Learning"]
    with path.open("w") as file:
        for number in range(2708):
            label = classes[6] if number < 180 else classes[number % 6]
            file.write(f"p{number}\t" + "0\t" * n_terms + f"{label}\n")


def test_the_publishers_own_form_will_do(folders):
    write_cora(folders[1] / "cora.content")
    corpus = load_corpus("Cora-6")
    assert (corpus.name, len(corpus), corpus.n_terms) == ("cora-6", 2528, 1433)
    assert corpus.classes.tolist() == CORA_CLASSES
    write_cora(folders[1] / "cora.content", n_terms=3)
    with pytest.raises(ValueError, match=r"expected .* of 1,433 terms; found .* of 3 terms"):
        load_corpus("cora-7")


def test_another_file_with_the_right_counts_is_taken_with_a_warning(folders):
    np.savez(
        folders[0] / "linqs-citeseer.npz",
        data=[1],
        indices=[0],
        indptr=[0] + [1] * 3312,
        shape=[3312, 3703],
        labels=np.array(["AI", "Agents", "DB", "HCI", "IR", "ML"] * 552),
    )
    with pytest.warns(UserWarning, match=r"linqs-citeseer.npz has the right .* results may differ"):
        assert len(load_corpus("citeseer")) == 3312


# What scikit-learn fetches, without a network.


def fake_openml(**asked):
    assert asked["name"] == "oh0.wc"
    counts = sparse.random(1003, 3182, density=0.001, format="csr", random_state=0)
    return Bunch(
        data=sparse.csr_matrix(counts),
        target=np.array([f"Class{i % 10}" for i in range(1003)], dtype=object),
        feature_names=[f"w{i}" for i in range(3182)],
    )


def test_counts_are_fetched_from_openml(folders, monkeypatch):
    monkeypatch.setattr("sklearn.datasets.fetch_openml", fake_openml)
    corpus = load_corpus("oh0")
    assert corpus.documents.shape == (1003, 3182)
    assert isinstance(corpus.documents, sparse.csr_array)
    assert corpus.labels[:2].tolist() == ["Class0", "Class1"]
    assert corpus.labels.dtype.kind == corpus.vocabulary.dtype.kind == "U"


def test_something_else_fetched_is_refused(folders, monkeypatch):
    def fake(**asked):
        bunch = fake_openml(**asked)
        return Bunch(
            data=bunch.data[:9], target=bunch.target[:9], feature_names=bunch.feature_names
        )

    monkeypatch.setattr("sklearn.datasets.fetch_openml", fake)
    with pytest.raises(ValueError, match=r"What scikit-learn fetched is not the published .*oh0'"):
        load_corpus("oh0")


def offline(**asked):
    raise URLError("Name or service not known")


def test_an_offline_machine_gets_one_clear_message(folders, monkeypatch):
    monkeypatch.setattr("sklearn.datasets.fetch_openml", offline)
    with pytest.raises(FileNotFoundError) as caught:
        load_corpus("fbis")
    message = str(caught.value)
    assert "'fbis' is not on this machine and could not be fetched (<urlopen error Name" in message
    assert f"wc-fbis.npz or fbis.wc.arff was not found in {folders[0]} or {folders[1]}" in message


def test_nothing_is_fetched_if_that_is_not_wanted(folders, monkeypatch):
    def fail(**asked):
        pytest.fail("fetched")

    monkeypatch.setattr("sklearn.datasets.fetch_openml", fail)
    with pytest.raises(FileNotFoundError, match=r"'fbis' is not on this machine. wc-fbis.npz or"):
        load_corpus("fbis", download_if_missing=False)


@pytest.mark.parametrize("name", list_corpora())
def test_every_corpus_is_described(name):
    entry = ENTRIES[name]
    assert re.fullmatch("[0-9a-f]{64}", SHA256[entry.source.files[0]])
    first, sizes, published, cite, file, *_ = describe_corpus(name.upper()).splitlines()
    assert re.match(f"{name}: .+", first)
    assert f"{entry.documents:,} documents in {entry.classes} classes" in sizes
    assert re.match("  published: .+", published)
    assert re.match("  cite: .+", cite)
    assert entry.source.files[0] in file


# Documents, classes and, for a matrix, terms, as the papers and the publishers give them.
PUBLISHED = {
    "20news-18828": (18_828, 20, None),
    "religion": (799 + 997 + 628, 3, None),
    "science": (991 + 981 + 990 + 987, 4, None),
    "politics": (910 + 940 + 775, 3, None),
    "comp": (973 + 985 + 982 + 961 + 980, 5, None),
    "religion-500": (1_500, 3, None),
    "science-500": (2_000, 4, None),
    "politics-500": (1_500, 3, None),
    "comp-500": (2_500, 5, None),
    "mini-newsgroups": (2_000, 20, None),
    "webkb-pages": (8_282, 7, None),
    "webkb5": (4_336, 5, None),
    "webkb4": (4_199, 4, None),
    "webkb4-pages": (4_199, 4, None),
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
    corpus = load_corpus(name.upper(), download_if_missing=False)  # warns of another digest
    assert corpus.name == name
    assert len(corpus) == documents
    assert len(corpus.classes) == classes
    if terms is None:
        assert all(isinstance(text, str) for text in corpus.documents)
    else:
        assert corpus.documents.shape == (documents, terms)
    if corpus.vocabulary is not None:
        assert len(corpus.vocabulary) == terms
