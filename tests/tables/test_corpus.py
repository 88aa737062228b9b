"""Corpus, with texts and with counts."""

import dataclasses

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse

from honeybayes.tables import Corpus

LABELS = np.array(["b", "a", "c", "a"])
TEXTS = Corpus("letters", ["one", "two", "three", "four"], LABELS)
COUNTS = Corpus(
    "counts", sparse.csr_array(np.arange(8).reshape(4, 2)), LABELS, np.array(["uno", "dos"])
)


def test_size_classes_and_a_short_repr():
    assert len(TEXTS) == len(COUNTS) == 4
    assert_array_equal(TEXTS.classes, ["a", "b", "c"])
    assert repr(TEXTS) == "Corpus('letters', 4 texts, 3 classes)"
    assert (TEXTS.n_terms, COUNTS.n_terms) == (None, 2)
    assert repr(COUNTS) == "Corpus('counts', 4 documents with 2 terms, 3 classes)"


def test_nothing_can_be_set():
    with pytest.raises(dataclasses.FrozenInstanceError):
        TEXTS.name = "other"


def test_keep_classes_keeps_the_order_of_texts():
    part = TEXTS.keep_classes(["a", "b"], name="part")
    assert part.name == "part"
    assert part.documents == ["one", "two", "four"]
    assert_array_equal(part.labels, ["b", "a", "a"])


def test_keep_classes_keeps_the_columns_of_a_matrix():
    part = COUNTS.keep_classes({"a"})
    assert part.name == "counts"
    assert_array_equal(part.documents.toarray(), [[2, 3], [6, 7]])
    assert_array_equal(part.labels, ["a", "a"])
    assert_array_equal(part.vocabulary, ["uno", "dos"])


def test_keep_classes_names_a_class_that_is_not_there():
    with pytest.raises(
        ValueError, match=r"'letters' has no class 'x', 'y'. Its classes are: a, b, c"
    ):
        TEXTS.keep_classes(["x", "a", "y"])


def test_draw_takes_as_many_of_each_class_and_keeps_the_order():
    corpus = Corpus("many", [str(i) for i in range(60)], np.array(["a", "b", "c"] * 20))
    part = corpus.draw(5, seed=1, name="few")
    assert part.name == "few"
    assert np.unique(part.labels, return_counts=True)[1].tolist() == [5, 5, 5]
    numbers = [int(text) for text in part.documents]
    assert numbers == sorted(set(numbers))
    assert all(
        "abc"[number % 3] == label for number, label in zip(numbers, part.labels, strict=True)
    )
    assert corpus.draw(5, seed=1).documents == part.documents
    assert corpus.draw(5, seed=2).documents != part.documents
    assert corpus.draw(20).documents == corpus.documents


@pytest.mark.parametrize("per_class", [0, 2])
def test_draw_refuses_more_than_a_class_has(per_class):
    with pytest.raises(
        ValueError,
        match=rf"^Cannot draw {per_class} documents .* 'letters': .* 1 and [12], .* class '[ab]'",
    ):
        TEXTS.draw(per_class)


@pytest.mark.parametrize("corpus", [TEXTS, COUNTS])
def test_documents_without_a_label_can_be_split_off(corpus):
    labels = np.array(["b", "", "c", ""])
    corpus = dataclasses.replace(corpus, labels=labels)
    documents, known, pool = corpus.split_unlabeled()
    assert_array_equal(known, ["b", "c"])
    if isinstance(corpus.documents, list):
        assert (documents, pool) == (["one", "three"], ["two", "four"])
    else:
        assert_array_equal(documents.toarray(), [[0, 1], [4, 5]])
        assert_array_equal(pool.toarray(), [[2, 3], [6, 7]])


def test_parts_of_a_corpus_know_their_rows():
    labels = np.array(["a", "b", "a", "c", "b"])
    corpus = Corpus("toy", list("vwxyz"), labels)
    assert corpus.rows is None
    kept = corpus.keep_classes(["b", "c"])
    assert kept.rows.tolist() == [1, 3, 4]
    assert kept.keep_classes(["c"]).rows.tolist() == [3]
    assert [corpus.documents[row] for row in kept.rows] == kept.documents
