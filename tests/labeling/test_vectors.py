"""Sessions with an encoder: the model gets a vector of each text beside its words."""

import numpy as np
from numpy.testing import assert_allclose

from honeybayes.labeling import LabelingSession
from honeybayes.labeling.pool import Pool
from honeybayes.text import TextEncoder
from honeybayes.text._load_encoder import PROBES
from tests.encoders import WordHasher, hash_words


def test_vectors_of_an_encoder_reach_the_model(topical):
    """Texts that share no word with a labeled text are known by their vectors."""
    texts, labels = topical
    topics = list(dict.fromkeys(labels))
    hidden = ["zzz" if at >= 60 else text for at, text in enumerate(texts)]
    hidden = [f"{text} q{at}" for at, text in enumerate(hidden)]
    known = dict(zip(hidden, labels, strict=True))

    def encode(asked):
        return (
            np.array(
                [
                    [topics.index(known.get(text, topics[0])) == i for i in range(3)]
                    for text in asked
                ]
            )
            + 0.1
        )

    given = [label if at < 30 else None for at, label in enumerate(labels)]
    options = {"labels": given, "batch": 5}
    right = np.mean(np.array(LabelingSession(hidden, **options, encoder=None).predict()) == labels)
    session = LabelingSession(hidden, **options, encoder=TextEncoder(encode, cache=False))
    assert right < 0.8
    with_vectors = np.mean(np.array(session.predict()) == labels)
    assert with_vectors > right + 0.1
    assert session.pool.vectors.shape[1] == 3
    words = [word for each in session.turn.chosen for word, _ in each.words]
    assert set(words) <= {word for text in hidden for word in text.split()}
    assert session.fit_classifier().n_dense_ == 3


def test_texts_are_encoded_in_parts(topical):
    texts, labels = topical
    encoder = WordHasher()
    session = LabelingSession(texts, labels=labels[:9] + [None] * 111, encoder=encoder)
    assert [session.pool.encode(50) for _ in range(4)] == [70, 20, 0, 0]
    assert [text for text in encoder.encoded if text not in PROBES] == texts
    at_once = LabelingSession(texts, labels=labels[:9] + [None] * 111, encoder=hash_words)
    np.testing.assert_allclose(
        at_once.refit().answers.confidence, session.refit().answers.confidence, atol=1e-4
    )
    np.testing.assert_array_equal(session.pool.vectors, at_once.pool.vectors)
    assert LabelingSession(texts, encoder=None).pool.encode() == 0


def count_letters(texts):
    return np.array([[text.count("a"), text.count("b"), 1.0] for text in texts])


def test_axes_are_words_and_centered_vectors_as_soon_as_these_are_there():
    texts = ["a a ship song", "b b song", "a b ship", " "]
    pool = Pool(texts, encoder=TextEncoder(count_letters, cache=False).fit(texts))
    before = pool.axes
    assert before.shape[0] == 4
    assert pool.encode(2) == 2
    assert pool.axes is before
    assert pool.encode() == 0
    vectors = pool.vectors - pool.vectors.mean(axis=0)
    vectors[3] = 0  # no word, no vector: nothing is like it
    both = pool.axes @ pool.axes.T
    length = np.linalg.norm(vectors[:3], axis=1, keepdims=True)
    of_vectors = vectors[:3] @ vectors[:3].T / (length @ length.T)
    assert_allclose(both[:3, :3], (before[:3] @ before[:3].T + of_vectors) / 2, atol=1e-6)
    assert not pool.axes[3].any()


def test_a_suggestion_says_how_far_words_and_meaning_lead(topical):
    """Each part is what the scores of the model lose without it."""
    texts, labels = topical
    given = [label if at < 30 else None for at, label in enumerate(labels)]
    session = LabelingSession(texts, labels=given, encoder=hash_words)
    pool, model = session.pool, session._measured

    def lead(suggestion, has_words, has_meaning):
        features = pool.features(model.stop_words, pool.place[[suggestion.row]]).toarray()
        n_terms = features.shape[1] - pool.vectors.shape[1]
        features[:, :n_terms] *= has_words
        features[:, n_terms:] *= has_meaning
        scores = model.classifier.predict_joint_log_proba(features)[0]
        best, second = (list(model.classifier.classes_).index(id) for id in suggestion.likely[:2])
        return scores[best] - scores[second]

    chosen = [each for each in session.suggest(8) if each.purpose == "chosen"]
    assert len(chosen) > 5
    for each in chosen:
        neither = lead(each, 0, 0)
        # vectors and their weights are float32
        assert_allclose(each.lead_of_words, lead(each, 1, 0) - neither, atol=1e-4)
        assert_allclose(each.lead_of_meaning, lead(each, 0, 1) - neither, atol=1e-4)
        assert each.lead_of_meaning != 0
    words_only = LabelingSession(texts, labels=given, encoder=None).suggest()[0]
    assert words_only.lead_of_words > 0
    assert words_only.lead_of_meaning == 0


def test_a_text_without_words_lies_nowhere_beside_a_single_term():
    pool = Pool(["ship", "ship ship a", "ship b ship", "."])
    assert pool.axes.tolist() == [[1], [1], [1], [0]]
