# ruff: noqa: RUF001 (the dotless i is the point)
"""The chains of the papers against the same chain written out."""

import pickle
import re
from collections import Counter

import numpy as np
import pytest
import Stemmer
from numpy.testing import assert_array_equal
from scipy import sparse
from sklearn.base import clone
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import BernoulliNB
from sklearn.pipeline import make_pipeline

from honeybayes.text.term_scores import information_gain, weka_gain
from reproduction.corpora import load_corpus
from reproduction.preprocessing import paper_preprocessing

PAPERS = ["honb-2009", "honb-tkde", "hos-2012", "ihosk-2014"]
MESSAGES = [
    f"Path: x!y\nFrom: {author}@example.org\nSubject: {subject}\n\nThe {word}s are {word}ing {word}"
    for author, subject, word in [
        ("ann", "orbits", "launch"),
        ("ann", "orbits", "launch"),
        ("ann", "orbit", "land"),
        ("bob", "bats", "pitch"),
        ("bob", "bat", "pitch"),
        ("bob", "bats", "pitch"),
    ]
]
Y = np.array(["space"] * 3 + ["sport"] * 3)


def literal_counts(texts, drop=()):
    """Counts of terms in three documents or more, by plain loops."""
    stem = Stemmer.Stemmer("english").stemWord
    counts = []
    for text in texts:
        header, body = text.split("\n\n", 1)
        kept = [line for line in header.split("\n") if not line.startswith(("Path", *drop))]
        words = re.findall("[a-z]{2,}", "\n".join([*kept, body]).lower())
        counts.append(Counter(stem(word) for word in words if word not in ENGLISH_STOP_WORDS))
    frequency = Counter(term for count in counts for term in count)
    terms = sorted(term for term in frequency if frequency[term] >= 3)
    return terms, np.array([[count[term] for term in terms] for count in counts])


@pytest.mark.parametrize("paper", PAPERS)
def test_the_chain_gives_the_terms_of_its_paper(paper):
    chain = paper_preprocessing(paper)
    X = chain.fit_transform(MESSAGES, Y).toarray()
    terms, counts = literal_counts(MESSAGES, drop=("From",) if paper == "honb-2009" else ())
    assert chain.get_feature_names_out().tolist() == terms
    assert ("ann" in terms) == (paper != "honb-2009")
    assert counts.max() == 3
    binary = paper.startswith("honb")
    assert_array_equal(X, np.minimum(counts, 1) if binary else counts)


def test_the_2000_terms_of_highest_information_gain_are_kept():
    rng = np.random.default_rng(0)
    letters = "bcdfghjklmnpqrtvwxz"
    words = ["".join(rng.choice(list(letters), 6)) for _ in range(2500)]
    texts = [" ".join(rng.choice(words, 400)) for _ in range(60)]
    y = rng.integers(3, size=60)
    chain = paper_preprocessing("hos-2012", stem=False)
    assert chain.fit_transform(texts, y).shape == (60, 2000)
    before = chain[:-1].transform(texts)
    gains = information_gain(before, y)
    kept = chain["terms"].get_support()
    assert gains[kept].min() >= gains[~kept].max()


def test_three_occurrences_in_one_document_may_be_enough():
    texts = ["apple apple apple", "plum plum", "pear", "pear plum", "fig fig", "pear"]
    counted = {
        occurrences: paper_preprocessing("ihosk-2014", stem=False, occurrences=occurrences)
        .fit(texts, [0, 0, 1, 1, 1, 1])
        .get_feature_names_out()
        .tolist()
        for occurrences in (True, False)
    }
    assert counted == {True: ["apple", "pear", "plum"], False: ["pear"]}


def test_terms_may_be_chosen_by_the_gain_of_weka():
    chain = paper_preprocessing("hos-2012", weka_gain=True)
    X = chain[:2].fit_transform(MESSAGES, Y)
    chain.fit(MESSAGES, Y)
    assert_array_equal(chain["terms"].scores_, weka_gain(X, Y))


def test_language_and_stems_can_be_chosen():
    texts = ["IŞIKLAR ve evler", "ışıklar bir ev", "Işıklar"]
    chain = paper_preprocessing("hos-2012", language="turkish").fit(texts, [0, 1, 1])
    assert chain.get_feature_names_out().tolist() == ["ışık"]
    chain = paper_preprocessing("hos-2012", language="turkish", stem=False).fit(texts, [0, 1, 1])
    assert chain.get_feature_names_out().tolist() == ["ışıklar"]


def test_hmnb_takes_counts_as_they_are():
    X = sparse.csr_array([[1, 0], [0, 3]])
    assert paper_preprocessing("hmnb").fit_transform(X, [0, 1]) is X


@pytest.mark.parametrize("paper", [*PAPERS, "hmnb"])
def test_chains_can_be_copied_and_pickled(paper):
    chain = paper_preprocessing(paper)
    for copied in (clone(chain), pickle.loads(pickle.dumps(chain))):
        assert repr(copied) == repr(chain)


def test_in_a_pipeline_terms_come_from_the_training_part_alone():
    texts, y = MESSAGES * 2, np.tile(Y, 2)
    model = make_pipeline(paper_preprocessing("hos-2012"), BernoulliNB())
    assert_array_equal(cross_val_predict(model, texts, y, cv=2), y)
    model.fit(texts[:3] + texts[6:9] + ["Unseen unseen"], [*Y[:3], *Y[:3], "sport"])
    names = model[:-1].get_feature_names_out()
    assert "ann" in names
    assert "bob" not in names


def test_an_unknown_paper_is_refused():
    with pytest.raises(ValueError, match=r"Unknown paper 'hob'. The papers are: honb-2009, honb-t"):
        paper_preprocessing("hob")


@pytest.mark.usefixtures("corpora")
def test_only_from_and_subject_stay_of_real_headers():
    headers = paper_preprocessing("ihosk-2014")["headers"]
    messages = headers.transform(load_corpus("mini-newsgroups").documents)
    given_away = re.compile(r"^(newsgroups|xref|path):", re.IGNORECASE)
    assert not any(given_away.match(message) for message in messages)
    messages = paper_preprocessing("honb-2009")["headers"].transform(
        load_corpus("politics").documents
    )
    assert all(message.startswith("Subject:") for message in messages)
