"""Seed words: with and without labels, and how far they are trusted."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse
from scipy.special import softmax
from sklearn.metrics import cohen_kappa_score

from honeybayes import FewLabelsClassifier
from honeybayes.semisupervised._evidence import weight_of_evidence
from honeybayes.semisupervised._labels import LabelVotes, no_votes
from honeybayes.semisupervised._prepared import Whitening
from honeybayes.semisupervised._regression import Documents
from honeybayes.semisupervised._seed_evidence import prepare_seeds, stability
from honeybayes.semisupervised._teacher import Settings, teach, teach_directions, unit
from tests.semisupervised.corpora import log_posterior, model, topics

HOW = Settings()


def typical(X, truth, n_words=4, classes="abc"):
    """The words of each class that are most frequent there, compared with the other classes."""
    seeds = {}
    for label in classes:
        ratio = (X[truth == label].mean(axis=0) + 0.1) / (X[truth != label].mean(axis=0) + 0.1)
        seeds[label] = np.zeros(X.shape[1])
        seeds[label][np.argsort(-ratio)[:n_words]] = 1
    return seeds


def corpus(n_labels=0):
    X, y, truth = topics(n_documents=300, n_labels=n_labels)
    return X, y, truth, typical(X, truth)


@pytest.mark.parametrize("missing", [None, np.nan, ""])
def test_seeds_without_labels(missing):
    X, _, truth, seeds = corpus()
    fitted = FewLabelsClassifier().fit(X, [missing] * len(X), seeds=seeds)
    assert fitted.classes_.tolist() == ["a", "b", "c"]
    assert np.mean(fitted.predict(X) == truth) > 0.85
    assert fitted.seeds_verdict_ == "good"
    assert 0.35 < fitted.seeds_trust_ <= 1


def test_classes_of_seeds_may_be_numbers():
    X, _, truth, seeds = corpus()
    numbered = {10: seeds["c"], 2: seeds["a"], 5: seeds["b"]}
    fitted = FewLabelsClassifier().fit(X, [None] * len(X), seeds=numbered)
    assert fitted.classes_.tolist() == [2, 5, 10]
    named = FewLabelsClassifier().fit(X, [None] * len(X), seeds=seeds)
    assert_array_equal(fitted.predict_proba(X), named.predict_proba(X))
    assert fitted.score(X, np.array([2, 5, 10])[np.searchsorted(list("abc"), truth)]) > 0.85


def test_seeds_help_a_few_labels():
    X, y, truth, seeds = corpus(n_labels=1)
    X = np.minimum(X, np.random.default_rng(0).integers(0, 2, X.shape))
    rest = y == "?"
    alone, both = model().fit(X, y), model().fit(X, y, seeds=seeds)
    accuracies = [np.mean(each.predict(X[rest]) == truth[rest]) for each in (alone, both)]
    assert accuracies[1] > accuracies[0]
    assert (alone.seeds_verdict_, alone.seeds_trust_) == ("none", 0)
    assert both.seeds_verdict_ == "good"


def test_a_class_with_seeds_and_no_label():
    X, y, truth, seeds = corpus(n_labels=5)
    y = np.where(y == "c", "?", y)
    fitted = model().fit(X, y, seeds=seeds)
    assert fitted.classes_.tolist() == ["a", "b", "c"]
    assert np.mean(fitted.predict(X[truth == "c"]) == "c") > 0.7
    assert fitted.score(X, truth) > 0.8
    only_c = model().fit(X, y, seeds={"c": seeds["c"]})  # and classes with labels and no seeds
    assert only_c.classes_.tolist() == ["a", "b", "c"]
    assert np.isfinite(only_c.predict_proba(X)).all()


def test_seeds_of_other_classes_are_not_trusted():
    """With labels, seeds under the wrong names do little harm."""
    X, y, truth, seeds = corpus(n_labels=5)
    wrong = {"a": seeds["b"], "b": seeds["c"], "c": seeds["a"]}
    fitted = model().fit(X, y, seeds=wrong)
    assert fitted.seeds_verdict_ == "poor"
    assert fitted.seeds_trust_ < 0.15
    rest = y == "?"
    alone = np.mean(model().fit(X, y).predict(X[rest]) == truth[rest])
    assert np.mean(fitted.predict(X[rest]) == truth[rest]) > alone - 0.02


def test_words_of_no_topic_are_not_trusted():
    random = np.random.default_rng(0)
    X = random.poisson(0.4, (300, 40))
    seeds = {label: np.eye(40)[i * 2] + np.eye(40)[i * 2 + 1] for i, label in enumerate("abc")}
    fitted = FewLabelsClassifier().fit(X, [None] * 300, seeds=seeds)
    assert fitted.seeds_verdict_ == "poor"


def test_trust_without_labels_is_the_stability():
    X, _, _, seeds = corpus()
    x = sparse.csr_array(X / np.linalg.norm(X, axis=1, keepdims=True))
    documents = Documents(x)
    idf = np.full(X.shape[1], 5.0)
    words = np.column_stack(list(seeds.values()))
    nothing = LabelVotes(np.zeros((len(X), 3)), np.zeros(len(X)))
    found = prepare_seeds(documents, None, nothing, words, None, idf, HOW)
    assert found.trust == stability(x, words, HOW)
    half = words * [1, 1, 0]  # a class without words
    covered = prepare_seeds(documents, None, nothing, half, None, idf, HOW)
    own = np.mean(covered.words.guesses.argmax(axis=1) != 2)  # documents of the other classes
    assert 0 < own < 2 / 3
    assert covered.trust == stability(x, half, HOW) * own
    assert covered.verdict != "good"


def test_a_class_without_words_that_gets_most_documents_lowers_the_trust():
    """Finding: its guesses are stable, so names that were right for 30 % were called good."""
    X, _, truth = topics(n_documents=300, n_labels=0)
    rare = {}
    X = np.hstack([X, np.zeros((len(X), 2), dtype=int)])
    for column, label in ((-2, "a"), (-1, "b")):  # words of a few texts, and none of "c"
        X[np.flatnonzero(truth == label)[:8], column] = 1
        rare[label] = np.eye(X.shape[1])[column]
    rare["c"] = np.zeros(X.shape[1])
    fitted = model(walk=0, n_rounds=0).fit(X, ["?"] * len(X), seeds=rare)
    share = np.mean(fitted.predict(X) != "c")
    assert share < 0.5
    assert fitted.seeds_trust_ <= share + 0.1


def test_confidence_is_bounded_by_the_trust():
    """As two models that know the class of a share of the documents, and guess otherwise."""
    random = np.random.default_rng(0)
    X = random.poisson(0.4, (300, 40))
    seeds = {label: np.eye(40)[i * 2] + np.eye(40)[i * 2 + 1] for i, label in enumerate("abc")}
    fitted = FewLabelsClassifier().fit(X, [None] * 300, seeds=seeds)
    known = np.sqrt(fitted.seeds_trust_)
    assert fitted.expected_accuracy_ == pytest.approx(known + (1 - known) / 3)
    assert fitted.predict_proba(X).max(axis=1).mean() < fitted.expected_accuracy_ + 0.1
    X, _, truth, seeds = corpus()
    fitted = FewLabelsClassifier().fit(X, [None] * len(X), seeds=seeds)
    assert fitted.expected_accuracy_ <= np.sqrt(fitted.seeds_trust_) * 2 / 3 + 1 / 3
    found = fitted.predict_proba(X)
    right = np.mean(fitted.classes_[found.argmax(axis=1)] == truth)
    assert abs(found.max(axis=1).mean() - right) < 0.15


def test_the_objective_with_seeds_never_decreases():
    """The seeds are labeled documents in EM, so each round still maximizes."""
    for n_labels in (0, 3):
        X, y, _, seeds = corpus(n_labels=n_labels)
        x = X / np.linalg.norm(X, axis=1, keepdims=True)
        labels = np.array(["abc".find(label) for label in y])
        known = labels >= 0
        votes = LabelVotes(np.eye(3)[labels] * known[:, None], known.astype(float))
        words, documents = np.column_stack(list(seeds.values())), Documents(sparse.csr_array(x))
        taught = [teach(documents, votes, Settings(n_rounds=n), words) for n in range(13)]
        values = [log_posterior(each.linear, x, labels, seeds=words) for each in taught]
        assert (np.diff(values) >= -1e-9 * np.abs(values[1:])).all()
        assert values[-1] > values[0]


def test_words_that_are_everywhere_count_less():
    X, _, _, seeds = corpus()
    x = sparse.csr_array(X / np.linalg.norm(X, axis=1, keepdims=True))
    documents = Documents(x)
    words, idf = np.column_stack(list(seeds.values())), np.full(X.shape[1], 5.0)
    first = np.flatnonzero(words[:, 0])[0]
    idf[first] = 0.5
    nothing = LabelVotes(np.zeros((len(X), 3)), np.zeros(len(X)))
    weighed = prepare_seeds(documents, None, nothing, words, None, idf, HOW).weighed
    others = words[:, 0] * (np.arange(len(words)) != first)
    assert weighed[first, 0] == pytest.approx(weighed[others > 0, 0][0] / 4)
    assert np.linalg.norm(weighed, axis=0) == pytest.approx([10, 10, 10])


def test_no_seeds_are_the_same_as_none():
    X, y, _, _ = corpus(n_labels=2)
    fitted = model().fit(X, y, seeds={})
    assert fitted.seeds_verdict_ == "none"
    assert_array_equal(fitted.coef_, model().fit(X, y).coef_)


def with_names(noise_of_names=0.3, n_labels=0):
    """Words that tell nothing, dense features that tell the class, and a vector for each name."""
    random = np.random.default_rng(0)
    truth = np.array(list("abc"))[np.arange(300) % 3]
    points = random.normal(size=(3, 12))
    vectors = points[np.arange(300) % 3] + 0.8 * random.normal(size=(300, 12))
    X = np.hstack([random.poisson(0.4, (300, 40)), vectors])
    names = points + noise_of_names * random.normal(size=points.shape)
    words = np.eye(40)[:3]
    seeds = {c: np.concatenate([words[i], names[i]]) for i, c in enumerate("abc")}
    y = np.full(300, "?", dtype=object)
    for label in "abc"[: 3 if n_labels else 0]:
        y[np.flatnonzero(truth == label)[:n_labels]] = label
    return X, y, truth, seeds


@pytest.mark.parametrize("n_labels", [0, 2])
def test_names_are_also_vectors(n_labels):
    X, y, truth, seeds = with_names(n_labels=n_labels)
    rest = y == "?"
    fitted = model(n_dense=12).fit(X, y, seeds=seeds)
    assert fitted.seeds_verdict_ == "good"
    assert fitted.score(X[rest], truth[rest]) > 0.9
    words = {label: each[:40] for label, each in seeds.items()}
    of_words = model(n_dense=12).fit(X, y, seeds=words)
    assert of_words.seeds_trust_ < fitted.seeds_trust_
    if not n_labels:
        assert of_words.score(X, truth) < 0.7


def test_vectors_of_wrong_names_are_not_trusted():
    X, y, truth, seeds = with_names(n_labels=5)
    wrong = {"a": seeds["b"], "b": seeds["c"], "c": seeds["a"]}
    fitted = model(n_dense=12).fit(X, y, seeds=wrong)
    assert fitted.seeds_verdict_ == "poor"
    rest = y == "?"
    alone = model(n_dense=12).fit(X, y).score(X[rest], truth[rest])
    assert fitted.score(X[rest], truth[rest]) > alone - 0.02


def test_trust_of_vectors_is_the_agreement_of_halves():
    """By hand: words and vectors by what each promises, and halves of the pool that agree."""
    X, _, _, seeds = with_names()
    whitening = Whitening.of(X[:, 40:])
    h = whitening(X[:, 40:])
    directions = whitening(unit(np.stack([each[40:] for each in seeds.values()])))
    x = sparse.csr_array(X[:, :40] / np.maximum(np.linalg.norm(X[:, :40], axis=1), 1)[:, None])
    words, idf = np.column_stack([each[:40] for each in seeds.values()]), np.full(40, 5.0)
    nothing = no_votes(300, 3)
    found = prepare_seeds(Documents(x), h, nothing, words, directions, idf, HOW)
    random, kappas = np.random.default_rng(0), []
    for _ in range(4):
        side = random.permutation(300) % 2
        answers = []
        for half in (0, 1):
            part = h[side == half]
            start = softmax(30 * part @ directions.T, axis=1)
            found_in_half = teach_directions(part, no_votes(150, 3), HOW, start, 10, 30.0)
            answers.append(found_in_half.linear.scores(h).argmax(axis=1))
        kappas.append(cohen_kappa_score(*answers))
    trust = (0.92 * np.mean(kappas)) ** 2
    assert found.dense.trust == pytest.approx(trust)
    of_words = stability(x, words, HOW)
    promised = [np.sqrt(each) * 2 / 3 + 1 / 3 for each in (of_words, trust)]
    say = weight_of_evidence(np.array(promised), 100)
    assert found.trust == pytest.approx(np.average([of_words, trust], weights=say))
    assert found.accuracy == pytest.approx(np.average(promised, weights=say))


def test_a_name_without_a_vector():
    X, y, _, seeds = with_names()
    seeds["c"] = seeds["c"] * (np.arange(52) < 40)
    fitted = model(n_dense=12).fit(X, y, seeds=seeds)
    assert np.isfinite(fitted.predict_proba(X)).all()
    seeds["c"][45] = np.nan
    with pytest.raises(ValueError, match=r"class 'c' have a vector .* not finite"):
        model(n_dense=12).fit(X, y, seeds=seeds)


@pytest.mark.parametrize(
    ("seeds", "message"),
    [
        (["a", "b"], "seeds must be a dict .* got list"),
        (
            {"a": [1, 0], "b": [0, 1]},
            r"class 'a' must contain one weight .* 40 .*\(2,\)",
        ),
        ({"a": np.full(40, np.nan), "b": np.ones(40)}, "finite"),
        ({"a": np.full(40, -1.0), "b": np.ones(40)}, "0 or more"),
        ({"a": np.ones(40)}, "only one class, 'a'"),
        ({"a": np.ones(40), 1: np.ones(40)}, "same type"),
    ],
)
def test_bad_seeds(seeds, message):
    X = topics()[0]
    with pytest.raises(ValueError, match=message):
        FewLabelsClassifier().fit(X, [None] * len(X), seeds=seeds)


def test_seeds_of_another_type_than_the_labels():
    X, y, _, seeds = corpus(n_labels=2)
    with pytest.raises(ValueError, match="same type"):
        model().fit(X, y, seeds={1: seeds["a"]})


@pytest.mark.parametrize("n_labels", [[2, 1, 1, 1], [5, 1, 1, 1], [2, 2, 2, 2]])
@pytest.mark.parametrize("seed", range(4))
def test_a_few_uneven_labels_do_not_outweigh_the_names(seed, n_labels):
    """Finding: after six labels, most of one class, 34 % were right; by the names alone, 84 %."""
    rng = np.random.default_rng(seed)
    directions = np.linalg.qr(rng.normal(size=(24, 4)))[0].T
    labels, topics = rng.integers(4, size=(2, 300))  # the words are about something else
    vectors = directions[labels] + rng.normal(0, 0.22, (300, 24))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    words = rng.poisson(np.where(np.arange(40) // 10 == topics[:, np.newaxis], 0.8, 0.1))
    seeds = {each: np.append(np.eye(40)[10 * each], directions[each]) for each in range(4)}
    given = np.full(300, -1)
    for each, n in enumerate(n_labels):
        given[np.flatnonzero(labels == each)[:n]] = each
    X = np.hstack([words, vectors])
    model = FewLabelsClassifier(n_dense=24, unlabeled=-1).fit(X, given, seeds=seeds)
    assert (model.predict(X) == labels).mean() > 0.9
