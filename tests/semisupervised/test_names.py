"""Names of classes as dense features, and how far dense features count beside the words."""

import numpy as np
import pytest
from scipy import sparse

from honeybayes import FewLabelsClassifier, TextClassifier
from honeybayes.semisupervised._evidence import Evidence
from honeybayes.semisupervised._labels import LabelVotes
from honeybayes.semisupervised._seed_evidence import NAME_WORTH, Names, add_names
from honeybayes.semisupervised._students import FACTORS, _choose_factors
from honeybayes.tables import load_corpus
from honeybayes.text import TextEncoder, encode_names

CLASSES = ["fruit", "metal", "music"]
N_WORDS, N_DENSE, N_DOCUMENTS = 5, 12, 240


def make_documents(seed=0, noise=0.8):
    """Return words that say nothing, directions near those of their class, classes, and names."""
    random = np.random.default_rng(seed)
    names = np.linalg.qr(random.normal(size=(N_DENSE, 3)))[0].T
    truth = np.arange(N_DOCUMENTS) % 3
    dense = names[truth] + noise * random.normal(size=(N_DOCUMENTS, N_DENSE))
    words = random.poisson(1.0, (N_DOCUMENTS, N_WORDS))
    X = np.hstack([words, dense / np.linalg.norm(dense, axis=1, keepdims=True)])
    return X, np.array(CLASSES)[truth], names


def with_labels(y, n_per_class):
    """Return the labels with only the first ones of each class."""
    rows = np.concatenate([np.flatnonzero(y == each)[:n_per_class] for each in CLASSES])
    return np.where(np.isin(np.arange(len(y)), rows), y, "")


def accuracy(y, names, X, truth):
    model = FewLabelsClassifier(n_dense=N_DENSE).fit(X, y, names=names)
    return (model.predict(X) == truth).mean()


# --- weight ---------------------------------------------------------------------------------------


def test_the_weight_of_names_by_hand():
    """Three of four labels are of the nearest name; four more are right by chance, one in two."""
    names = Names(np.eye(2), np.eye(2))
    documents = np.array([[1.0, 0.1], [0.9, 0.2], [0.1, 1.0], [0.2, 1.0], [0.5, 0.1]])
    labels = LabelVotes(np.eye(2)[[0, 1, 1, 1, 0]], np.array([1.0, 1.0, 1.0, 1.0, 0.0]))
    right = (3 + 4 / 2) / (4 + 4)
    assert names.weight(documents, labels) == pytest.approx(NAME_WORTH * (2 * right - 1))


def test_names_that_labels_contradict_weigh_nothing():
    names = Names(np.eye(2)[::-1], np.eye(2)[::-1])
    labels = LabelVotes(np.eye(2)[[0, 1]], np.ones(2))
    assert names.weight(np.eye(2), labels) == 0


def test_names_that_always_mean_the_most_frequent_class_weigh_nothing():
    names = Names(np.eye(2), np.eye(2))
    labels = LabelVotes(np.eye(2)[[0] * 9 + [1]], np.ones(10))
    assert names.weight(np.tile([1.0, 0.0], (10, 1)), labels) == pytest.approx(0)
    only_one_class = LabelVotes(np.eye(2)[[0, 0]], np.ones(2))
    assert names.weight(np.array([[1.0, 0.0], [1.0, 0.0]]), only_one_class) == 0


def test_names_are_documents_without_words():
    words, dense = np.arange(4.0).reshape(2, 2), np.arange(4.0, 8.0).reshape(2, 2)
    parts = [sparse.csr_array(words), dense]
    parts, targets, weight = add_names(parts, np.eye(2), np.array([1.0, 2.0]), np.eye(2), 3.0)
    np.testing.assert_array_equal(parts[0].toarray(), [*words, [0, 0], [0, 0]])
    np.testing.assert_array_equal(parts[1], [*dense, [1, 0], [0, 1]])
    np.testing.assert_array_equal(targets, np.eye(2)[[0, 1, 0, 1]])
    np.testing.assert_array_equal(weight, [1, 2, 3, 3])


# --- what they change -----------------------------------------------------------------------------


@pytest.mark.parametrize(("n_labels", "gain"), [(2, 0.1), (3, 0.03)])
def test_names_help_with_few_labels_and_wrong_ones_hardly_hurt(n_labels, gain):
    gains, losses = [], []
    for seed in range(5):
        X, truth, directions = make_documents(seed)
        y = with_labels(truth, n_labels)
        named = dict(zip(CLASSES, directions, strict=True))
        wrong = dict(zip(CLASSES, np.roll(directions, 1, axis=0), strict=True))
        without = accuracy(y, None, X, truth)
        gains.append(accuracy(y, named, X, truth) - without)
        losses.append(without - accuracy(y, wrong, X, truth))
    assert np.mean(gains) > gain
    assert np.mean(losses) < 0.01


def test_names_help_with_labels_alone():
    gains = []
    for seed in range(5):
        X, truth, directions = make_documents(seed, noise=0.5)
        named, right = dict(zip(CLASSES, directions, strict=True)), []
        for names in (None, named):
            model = FewLabelsClassifier(n_dense=N_DENSE).fit(X[:6], truth[:6], names=names)
            right.append((model.predict(X[6:]) == truth[6:]).mean())
        gains.append(right[1] - right[0])
    assert np.mean(gains) > 0.1


def test_a_pool_that_repeats_labeled_texts_can_have_names():
    """It is a pool when vectors are prepared, but no document is left without a label."""
    X, truth, directions = make_documents(noise=0.3)
    wide = 210  # more than the axes that are kept
    X, directions = (np.pad(each, ((0, 0), (0, wide - N_DENSE))) for each in (X, directions))
    named = dict(zip(CLASSES, directions, strict=True))
    repeated, y = np.vstack([X[:30], X[:1]]), np.append(truth[:30], "")
    model = FewLabelsClassifier(n_dense=wide).fit(repeated, y, names=named)
    assert (model.predict(X[30:]) == truth[30:]).mean() > 0.8


def test_a_class_without_a_name_leaves_all_names_out():
    X, truth, directions = make_documents()
    y = with_labels(truth, 3)
    some = dict(zip(CLASSES[:2], directions, strict=False))
    with_some, without = (
        FewLabelsClassifier(n_dense=N_DENSE).fit(X, y, names=names) for names in (some, None)
    )
    np.testing.assert_array_equal(with_some.predict_proba(X), without.predict_proba(X))


@pytest.mark.parametrize("names", [dict.fromkeys(CLASSES, np.zeros(N_DENSE + 1)), CLASSES, 5])
def test_names_of_another_kind_or_size_are_refused(names):
    X, truth, _ = make_documents()
    with pytest.raises(ValueError, match=f"names must be .* arrays of n_dense={N_DENSE} finite"):
        FewLabelsClassifier(n_dense=N_DENSE).fit(X, truth, names=names)


# --- names of texts -------------------------------------------------------------------------------


def letters(texts):
    """Return how often each of some letters occurs."""
    return [[text.count(letter) for letter in "abcdefgh"] for text in texts]


def test_names_are_split_into_words_and_padded():
    encoder = TextEncoder(letters, cache=False)
    names = encode_names(np.array(["headBag", "cafe_bed"]), encoder, n_dense=10)
    expected = np.array(letters(["head Bag", "cafe bed"]), dtype=float)
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    np.testing.assert_allclose(np.stack([*names.values()]), np.pad(expected, ((0, 0), (0, 2))))


@pytest.mark.parametrize("classes", [[1, 2], ["a", "b"], ["billing", "2"]], ids=str)
def test_numbers_and_letters_are_no_names(classes):
    assert encode_names(np.array(classes), TextEncoder(letters, cache=False), 8) == {}


# --- words and dense features ---------------------------------------------------------------------


def answers_of(right):
    """Return evidence in which models are right about these labels, of the first of two classes."""
    held_out = np.stack([1.0 * np.array(right), 0.5 * np.ones(np.shape(right))], axis=-1)
    n = held_out.shape[1]
    return Evidence(held_out, np.tile([1.0, 0.0], (n, 1)), [], 0.0, np.arange(n))


@pytest.mark.parametrize(
    ("right", "chosen"),
    [
        ([[1, 1, 0, 0], [1, 1, 0, 0], [1, 1, 0, 0]], 0),
        ([[1, 1, 0, 0], [1, 1, 1, 0], [1, 1, 0, 0]], 1),
        ([[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0]], 2),
        # one more of seven on which they differ is less than half the root of seven
        ([[1, 1, 1, 0, 0, 0, 0], [0, 0, 0, 1, 1, 1, 1], [0, 0, 0, 0, 0, 0, 0]], 0),
    ],
)
def test_dense_features_count_more_if_held_out_labels_show_it(right, chosen):
    assert _choose_factors(answers_of(right)) == chosen


@pytest.mark.parametrize(("noise", "heavier"), [(0.3, True), (50.0, False)])
def test_the_factors_follow_what_dense_features_are_worth(noise, heavier):
    random = np.random.default_rng(1)
    X, truth, _ = make_documents(noise=noise)
    if not heavier:  # the words tell the class instead
        X[:, :3] = 3 * np.eye(3)[np.arange(N_DOCUMENTS) % 3] + random.poisson(1, (N_DOCUMENTS, 3))
    model = FewLabelsClassifier(n_dense=N_DENSE).fit(X[:60], truth[:60])
    of_words, of_dense = np.split(np.abs(model.coef_), [N_WORDS], axis=1)
    assert (of_dense.mean() > of_words.mean()) == heavier
    assert FACTORS[0][1] < FACTORS[0][0]  # the cautious ones are the first


def test_the_confidence_of_labels_alone_is_that_of_new_texts():
    """Held-out texts have words that no other text has, and new texts do, too."""
    corpus = load_corpus("messages")
    order = np.random.default_rng(0).permutation(len(corpus.documents))
    known, new = order[:200], order[200:]
    texts = np.array(corpus.documents, dtype=object)
    model = TextClassifier("FewLabels", encoder=None).fit(texts[known], corpus.labels[known])
    confidence = model.predict_proba(texts[new]).max(axis=1).mean()
    assert confidence == pytest.approx(model.held_out_[:, 0].mean(), abs=0.05)
