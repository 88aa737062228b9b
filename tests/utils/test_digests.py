import hashlib

import numpy as np
import pytest

from honeybayes import TextClassifier, load_model, save_model
from honeybayes.utils import texts

TEXTS = ["My parcel is late", "Where is my parcel?", "I was charged twice", "Wrong charge"]
LABELS = ["delivery", "delivery", "billing", "billing"]


def test_a_digest_is_a_keyed_hash_of_the_normalized_text():
    salt, found = texts.make_digests(["Stra\u00dfe \n 7 ", "B"])
    expected = [
        int.from_bytes(
            hashlib.blake2b(text, digest_size=8, key=salt.to_bytes(8, "little")).digest(), "little"
        )
        for text in (b"strasse 7", b"b")
    ]
    assert found.dtype == np.uint64
    assert found.tolist() == sorted(expected)


def test_the_salt_depends_on_the_texts_only():
    one, two = texts.make_digests(["a", "b"]), texts.make_digests(["a", "c"])
    assert one[0] != two[0]
    assert not np.isin(one[1], two[1]).any()  # even of the text that both have
    again = texts.make_digests(["a", "b"])
    assert one[0] == again[0]
    np.testing.assert_array_equal(one[1], again[1])


def test_the_number_is_bounded(monkeypatch):
    monkeypatch.setattr(texts, "MAX_DIGESTS", 3)
    salt, found = texts.make_digests("abcde")
    assert len(found) == 3
    np.testing.assert_array_equal(texts.add_digests(found, texts.digest_texts("xy", salt)), found)


def test_half_a_character_has_a_digest():
    assert len(texts.digest_texts(["\ud800"], 1)) == 1


def test_the_classifier_knows_its_labeled_texts_after_saving(tmp_path):
    classifier = TextClassifier("FewLabels").fit(TEXTS, LABELS, pool=["A refund", "The courier"])
    save_model(classifier, tmp_path / "model.hb")
    for model in (classifier, load_model(tmp_path / "model.hb")):
        asked = ["wrong  CHARGE", "A refund", "wrong charges"]
        assert model.has_seen(asked).tolist() == [True, False, False]


def test_marked_texts_are_not_known():
    classifier = TextClassifier("FewLabels").fit([*TEXTS, "A refund"], [*LABELS, ""])
    assert classifier.has_seen([*TEXTS, "A refund"]).tolist() == [True] * 4 + [False]


@pytest.mark.parametrize("start", ["fit", "partial_fit"])
def test_partial_fit_adds_texts(start):
    classifier = TextClassifier("CNB")
    classifier.fit(TEXTS, LABELS) if start == "fit" else classifier.partial_fit(
        TEXTS, LABELS, classes=["billing", "delivery"]
    )
    classifier.partial_fit(["A refund"], ["billing"])
    assert classifier.has_seen([*TEXTS, "A refund", "new"]).tolist() == [True] * 5 + [False]
