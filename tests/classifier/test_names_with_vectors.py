"""Class names through an encoder, in the classifier and in a session."""

import numpy as np
import pytest

from honeybayes import TextClassifier
from honeybayes.labeling import LabelingSession
from honeybayes.text import TextEncoder

TOPICS = {"music": "song band melody concert", "ships": "boat harbor sail captain"}


def encode_topics(texts):
    """Tell the topic by any of its words, also by its name, which occurs in no text."""
    kinds = [set(words.split()) | {name} for name, words in TOPICS.items()]
    found = [[len(kind & set(text.split())) for kind in kinds] for text in texts]
    return np.array(found, dtype=float) + 0.01


def make_texts(n=120):
    """Each text has one word of its topic and words that tell nothing."""
    random = np.random.default_rng(0)
    kinds = [words.split() for words in TOPICS.values()]
    words = [[random.choice(kinds[i % 2]), *random.choice(list("pqrstuvw"), 4)] for i in range(n)]
    return [" ".join(each) for each in words], [list(TOPICS)[i % 2] for i in range(n)]


def test_names_that_occur_in_no_text_find_the_classes():
    texts, truth = make_texts()
    names = dict.fromkeys(TOPICS, "")
    by_meaning = TextClassifier("FewLabels", encoder=encode_topics, stem=False)
    by_meaning.fit(texts, None, seeds=names)
    assert np.mean(by_meaning.predict(texts) == np.array(truth)) > 0.95
    assert by_meaning.seeds_check_["verdict"] == "good"
    by_words = TextClassifier("FewLabels", encoder=None, stem=False).fit(texts, None, seeds=names)
    assert by_words.seeds_check_["verdict"] == "poor"


@pytest.mark.parametrize("encoder", [encode_topics, None])
def test_a_session_uses_the_meaning_of_names(encoder, tmp_path):
    texts, truth = make_texts()
    session = LabelingSession(
        texts, list(TOPICS), path=tmp_path / "a.hbproject", encoder=encoder, audit_share=0
    )
    right = np.mean(np.array(session.predict()) == np.array(truth))
    assert bool(right > 0.95) is (encoder is not None)


def test_a_word_that_is_also_the_name_counts_once():
    asked = []

    def encode(texts):
        asked.extend(texts)
        return encode_topics(texts)

    texts, _ = make_texts()
    seeds = {"music": "Music song", "ships": "sail"}
    encoder = TextEncoder(encode, cache=False)
    TextClassifier("FewLabels", encoder=encoder).fit(texts, None, seeds=seeds)
    assert asked[-2:] == ["music song", "ships sail"]
