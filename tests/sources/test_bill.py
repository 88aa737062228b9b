"""Answers of sources, the weights that they earn, and the bill."""

import numpy as np
import pytest
from scipy.stats import hypergeom

from honeybayes import TextClassifier, load_model, save_model
from honeybayes.calibration.coverage import wilson_interval
from honeybayes.sources import describe_bill, map_answers
from honeybayes.sources.answers import encode_answers
from honeybayes.sources.bill import advise_to_keep, count_more_labels, make_bill, measure_share

CLASSES = np.array(["animals", "food", "sport"])
WORDS = [
    ["cat", "dog", "horse", "tail", "paw", "fur", "barn", "hoof", "kitten", "puppy"],
    ["bread", "soup", "salt", "cook", "oven", "taste", "lunch", "plate", "sugar", "butter"],
    ["ball", "goal", "match", "team", "score", "race", "coach", "league", "medal", "referee"],
]


@pytest.fixture(scope="module")
def texts():
    """300 texts, two of three words of their class and the others at random."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 300)
    made = []
    for each in y:
        classes = np.where(rng.random(6) < 0.5, each, rng.integers(0, 3, 6))
        made.append(" ".join(rng.choice(WORDS[one]) for one in classes))
    return made, y


def noisy(y, accuracy, seed):
    rng = np.random.default_rng(seed)
    wrong = (y + rng.integers(1, 3, len(y))) % 3
    return CLASSES[np.where(rng.random(len(y)) < accuracy, y, wrong)]


def few(y, n=5):
    labels = np.full(len(y), "", dtype=CLASSES.dtype)
    for each in range(3):
        rows = np.flatnonzero(y == each)[:n]
        labels[rows] = CLASSES[each]
    return labels


def fit(texts, labels, sources, **more):
    return TextClassifier("FewLabels", encoder=None, stem=False).fit(
        texts, labels, sources=sources, **more
    )


def accuracy(classifier, texts, y, sources):
    return np.mean(classifier.combine(texts, sources).argmax(axis=1) == y)


def test_together_is_better_than_each_alone(texts):
    documents, y = texts
    sources = {"model": noisy(y, 0.75, 1), "rules": noisy(y, 0.7, 2)}
    alone = TextClassifier("FewLabels", encoder=None, stem=False).fit(documents, few(y))
    together = accuracy(fit(documents, few(y), sources), documents, y, sources)
    best = max(np.mean(alone.predict(documents) == CLASSES[y]), 0.75)
    assert together > best + 0.02


def test_without_any_label_the_sources_teach(texts):
    documents, y = texts
    sources = {"model": noisy(y, 0.8, 1), "other": noisy(y, 0.7, 3)}
    classifier = fit(documents, None, sources)
    assert classifier.classes_.tolist() == CLASSES.tolist()
    assert accuracy(classifier, documents, y, sources) > 0.85
    assert np.mean(classifier.predict(documents) == CLASSES[y]) > 0.8
    assert classifier.sources_["model"]["accuracy"] is None


def test_random_answers_have_no_weight_and_change_nothing(texts):
    documents, y = texts
    good, random = noisy(y, 0.8, 1), CLASSES[np.random.default_rng(5).integers(0, 3, len(y))]
    alone, both = {"good": good}, {"good": good, "random": random}
    one, two = fit(documents, few(y), alone), fit(documents, few(y), both)
    assert two.sources_["random"]["weight"] == 0
    assert two.sources_["random"]["share"] == two.sources_["random"]["adds"] == 0
    np.testing.assert_allclose(
        one.combine(documents, alone), two.combine(documents, both), rtol=1e-5, atol=1e-9
    )


def test_a_repetition_adds_nothing(texts):
    documents, y = texts
    answers = noisy(y, 0.8, 1)
    once, twice = {"one": answers}, {"one": answers, "again": answers}
    first, second = fit(documents, few(y), once), fit(documents, few(y), twice)
    assert [each["weight"] for each in second.sources_.values()] == pytest.approx(
        [0.5, 0.5], abs=0.03
    )
    assert abs(second.sources_["again"]["adds"]) < 0.005
    same = first.combine(documents, once).argmax(1) == second.combine(documents, twice).argmax(1)
    assert same.mean() > 0.98


def test_texts_show_that_labels_mislead(texts):
    """The few labels say that a good source is poor, and that a poor one is good."""
    documents, y = texts
    labels, rows = few(y, 3), np.flatnonzero(few(y, 3) != "")
    good, poor = noisy(y, 0.9, 1), noisy(y, 0.5, 2)
    good[rows[:7]], poor[rows] = CLASSES[(y[rows[:7]] + 1) % 3], CLASSES[y[rows]]
    sources = {"good": good, "poor": poor}
    found = fit(documents, labels, sources)
    assert accuracy(found, documents, y, sources) > 0.9
    assert found.sources_["good"]["share"] > found.sources_["poor"]["share"]


def test_a_source_is_believed_if_nothing_else_is_known(texts):
    documents, y = texts
    answers = {"random": CLASSES[np.random.default_rng(5).integers(0, 3, len(y))]}
    found = fit(documents, None, answers)
    assert found.sources_["random"]["weight"] == 1
    assert "label 25 texts" in describe_bill(found.sources_)[0]
    assert fit(documents, few(y), answers).sources_["random"]["weight"] == 0


def test_a_source_that_means_another_class_is_understood(texts):
    documents, y = texts
    shifted = {"shifted": CLASSES[(y + 1) % 3]}
    classifier = fit(documents, few(y, 20), shifted)
    assert accuracy(classifier, documents, y, shifted) > 0.9


def test_partial_answers_and_probabilities(texts):
    documents, y = texts
    answers = np.where(np.arange(len(y)) % 3 == 0, noisy(y, 0.9, 1), "")
    as_lists = {"some": [answer or (None, -1)[n % 2] for n, answer in enumerate(answers)]}
    as_columns = {"some": {label: (answers == label) * 1.0 for label in CLASSES}}
    one, two = fit(documents, few(y), as_lists), fit(documents, few(y), as_columns)
    assert one.sources_["some"]["coverage"] == pytest.approx(1 / 3)
    np.testing.assert_allclose(one.combine(documents, as_lists), two.combine(documents, as_columns))


def test_pool_seeds_auto_and_a_model_file(texts, tmp_path):
    documents, y = texts
    sources = {"model": noisy(y[:200], 0.8, 1)}
    classifier = TextClassifier("auto", encoder=None).fit(
        documents[:200],
        few(y)[:200],
        pool=documents[200:],
        seeds=["animals", "food", "sport"],
        sources=sources,
    )
    assert classifier.choice_["model"] == "FewLabels"
    save_model(classifier, tmp_path / "model.hb")
    loaded = load_model(tmp_path / "model.hb")
    assert loaded.sources_ == classifier.sources_
    np.testing.assert_array_equal(
        loaded.combine(documents[:200], sources), classifier.combine(documents[:200], sources)
    )


def test_names_of_classes_are_asked_for():
    with pytest.raises(ValueError, match=r"'Sports'\. Did you mean 'sport'\?"):
        encode_answers({"s": ["Sports", "food"]}, 2, ["sport", "food"])
    mapped = map_answers(["Sports", "food"], {"Sports": "sport"})
    assert set(encode_answers({"s": mapped}, 2, ["sport", "food"])["s"]) == {"sport", "food"}
    rambling = ["sport"] * 150 + ["food"] * 49 + ["I cannot help with that."]
    with pytest.warns(UserWarning, match="taken as no answer: 'I cannot help"):
        found = encode_answers({"s": rambling}, 200, ["sport", "food"])
    assert set(found["s"]) == {"sport", "food"}
    new = encode_answers({"s": ["sport", "weather"]}, 2, ["sport", "food"])  # a class of its own
    assert set(new["s"]) == {"sport", "weather"}


@pytest.mark.parametrize(
    ("sources", "message"),
    [
        (["a"], "must be a dict from names to answers"),
        ({"s": ["a"]}, r"has \[1\] answers, but there are 2 texts"),
        ({"s": ["", None]}, "no answer at all"),
        ({"s": [1, -1]}, "are 1 and -1, and -1 means no answer. If -1 is a class"),
        ({"s": [-1, 0], "t": np.array([0, -1])}, "are 0 and -1, and -1 means no answer"),
    ],
)
def test_bad_sources(sources, message):
    with pytest.raises(ValueError, match=message):
        encode_answers(sources, 2, [])


def test_minus_one_is_no_answer_beside_two_classes_or_known_ones():
    found = encode_answers({"s": [-1, 0], "t": [1, -1]}, 2, [])
    assert {name: set(each) for name, each in found.items()} == {"s": {0}, "t": {1}}
    assert set(encode_answers({"s": [-1, 1]}, 2, [0, 1])["s"]) == {1}
    assert set(encode_answers({"s": [-1, 1]}, 2, [-1, 1])["s"]) == {-1, 1}


def test_other_sources_than_those_of_fit(texts):
    documents, y = texts
    classifier = fit(documents, few(y), {"model": noisy(y, 0.8, 1)})
    with pytest.raises(ValueError, match=r"The sources must be \['model'\]"):
        classifier.combine(documents, {"other": noisy(y, 0.8, 1)})
    plain = TextClassifier("FewLabels", encoder=None).fit(documents, few(y))
    with pytest.raises(ValueError, match="without sources"):
        plain.combine(documents, {})
    with pytest.raises(ValueError, match="cannot learn from"):
        TextClassifier("CNB").fit(documents, CLASSES[y], sources={"s": noisy(y, 0.8, 1)})


def test_bill_by_hand():
    answers = {"s": ["a", "a", "a", "b", "b", ""]}
    labels = ["a", "b", "b", "b", None, "a"]
    encoded = encode_answers(answers, 6, ["a", "b"])
    bill = make_bill(encoded, labels, None, [1.0], [0.4], [0.1])["s"]
    assert bill["coverage"] == pytest.approx(5 / 6)
    assert (bill["accuracy"]["accuracy"], bill["accuracy"]["n"]) == (0.5, 4)
    assert not bill["from_random"]
    assert bill["confusions"] == {"takes b for a": "2 of 3"}
    random = make_bill(encoded, labels, [True, True, *[False] * 4], [1.0], [0.4], [0.1])["s"]
    assert random["from_random"]
    assert (random["accuracy"]["accuracy"], random["accuracy"]["n"]) == (0.5, 2)
    assert "50 % right" in describe_bill({"s": random})[0]
    assert "random checks" in describe_bill({"s": random})[0]


def test_interval_is_wilson_for_a_large_table_and_exact_for_a_whole_one():
    of_many, wilson = measure_share(47, 50, 10**9), wilson_interval(47, 50)
    assert of_many[:3] == pytest.approx(wilson[:3], abs=1e-6)
    assert measure_share(47, 50, 50)[:3] == (0.94, 0.94, 0.94)
    half = measure_share(40, 80, 100)
    assert half.low >= 0.4
    assert half.high <= 0.8


@pytest.mark.parametrize("n", [20, 50, 100, 200])
@pytest.mark.parametrize("n_all", [250, 1000, 20000])
def test_intervals_hold_the_truth(n, n_all):
    """Exact probabilities, by the hypergeometric distribution of random checks."""
    held = []
    for percent in range(60, 97, 3):
        right = round(percent / 100 * n_all)
        drawn = np.arange(n + 1)
        chance = hypergeom(n_all, right, n).pmf(drawn)
        found = [measure_share(int(each), n, n_all) for each in drawn]
        held.append(
            sum(
                p
                for p, each in zip(chance, found, strict=True)
                if each.low <= right / n_all <= each.high
            )
        )
    assert 0.93 < np.mean(held) < 0.97


def test_more_labels_reach_the_width():
    more = count_more_labels(0.9, 50, 5000)
    assert (
        measure_share(0.9 * (50 + more), 50 + more, 5000).high
        - measure_share(0.9 * (50 + more), 50 + more, 5000).low
        <= 0.1
    )
    less = measure_share(0.9 * (49 + more), 49 + more, 5000)
    assert less.high - less.low > 0.1
    assert count_more_labels(0.9, 5000, 5000) == 0


def test_advice_to_keep_a_column():
    found = {
        "coverage": 1.0,
        "from_random": True,
        "accuracy": measure_share(188, 200, 900)._asdict(),
    }
    assert advise_to_keep({"gpt4": found}) == (
        "The column gpt4 is already 94 % right (90 to 96, from 200 random checks): you may keep it."
    )
    assert advise_to_keep({"gpt4": found | {"from_random": False}}) is None
    assert advise_to_keep({"gpt4": found | {"coverage": 0.9}}) is None
