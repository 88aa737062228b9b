"""A TextClassifier that learns from parts is the one that ``fit`` makes of all texts."""

import warnings
from contextlib import contextmanager
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone

from honeybayes import FewDocumentsWarning, HigherOrderSmoothingNB, TextClassifier
from honeybayes.calibration import calibrate_on, class_scores
from honeybayes.scale import LocalEngine, TextPart, TextSample, TextSource, _texts, fit_texts
from honeybayes.utils.doubt import doubt_of
from honeybayes.utils.state import check_state
from tests.scale.test_statistics import assert_same_model
from tests.scale.worker_parts import LABELS, NEW, TEXTS

COUNTING = ["NB", "MVNB", "MVNB+JM", "mNB", "MNB", "CNB", "OVA", "HONB", "HOS"]
GATHERED = ["LogisticRegression-tfidf", "FewLabels", "HCNB", "auto"]
CUTS = [0, 9, 9, 90, 91, 240]


def cut(texts, labels=None, cuts=CUTS):
    """Parts with names; one is empty."""
    return [
        TextSource(
            f"part {number}",
            TextPart,
            (texts[first:last], None if labels is None else labels[first:last]),
        )
        for number, (first, last) in enumerate(pairwise(cuts))
    ]


def assert_same_classifier(found, expected, new=NEW):
    assert found.terms_.tolist() == expected.terms_.tolist()
    assert found.spellings_.tolist() == expected.spellings_.tolist()
    assert_same_model(found.model_, expected.model_)
    assert_array_equal(found.predict(new), expected.predict(new))
    check_state(found)


@pytest.mark.parametrize("options", [{}, {"min_df": 2, "ngram_range": (1, 2), "opening": 1}])
@pytest.mark.parametrize("model", COUNTING)
def test_a_counting_model_learns_the_same_from_parts(model, options):
    expected = TextClassifier(model, **options).fit(TEXTS, LABELS)
    found = TextClassifier(model, **options)
    learned = fit_texts(found, cut(TEXTS, LABELS))
    assert_same_classifier(found, expected)
    # with few labels, the same texts are held out: also the confidence is the same
    assert_allclose(found.predict_proba(NEW), expected.predict_proba(NEW), rtol=1e-6)
    assert found.n_held_out_ == expected.n_held_out_ == len(TEXTS)
    assert found.has_seen(TEXTS).all()
    assert not found.has_seen(NEW).any()
    assert (learned.n_labeled, learned.n_unlabeled, learned.left_out) == (240, 0, {})
    assert learned.sizes == {label: (label == LABELS).sum() for label in set(LABELS.tolist())}


@pytest.mark.parametrize("model", GATHERED)
def test_another_model_learns_from_the_same_texts(model):
    expected = TextClassifier(model).fit(TEXTS, LABELS)
    found = TextClassifier(model)
    assert fit_texts(found, cut(TEXTS, LABELS)).n_pool == 0
    assert_array_equal(found.predict_proba(NEW), expected.predict_proba(NEW))


WORDS = ["parcel", "late", "charge", "twice", "the", "who"]


@pytest.mark.filterwarnings("ignore::honeybayes.exceptions.NoPathWarning")
@pytest.mark.parametrize("model", ["CNB", "HONB", "HOS"])
@settings(max_examples=25, deadline=None)
@given(st.data())
def test_any_split_gives_the_same(model, data):
    texts = data.draw(
        st.lists(st.lists(st.sampled_from(WORDS), min_size=1).map(" ".join), max_size=9)
    )
    texts = ["parcel late", "charge twice", *texts]
    labels = np.array(
        [
            "a",
            "b",
            *data.draw(
                st.lists(st.sampled_from("abc"), min_size=len(texts) - 2, max_size=len(texts) - 2)
            ),
        ]
    )
    inner = data.draw(st.lists(st.integers(0, len(texts)), max_size=4).map(sorted))
    order = data.draw(st.permutations(cut(texts, labels, [0, *inner, len(texts)])))
    found = TextClassifier(model, calibrate=None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FewDocumentsWarning)
        expected = TextClassifier(model, calibrate=None).fit(texts, labels)
        fit_texts(found, order)
    assert_same_classifier(found, expected, texts)


def test_numbers_stay_numbers_and_types_must_agree():
    numbers = np.unique(LABELS, return_inverse=True)[1] - 3
    expected = TextClassifier("CNB").fit(TEXTS, numbers)
    found = TextClassifier("CNB")
    fit_texts(found, cut(TEXTS, numbers))
    assert_same_classifier(found, expected)
    assert found.classes_.dtype == expected.classes_.dtype
    mixed = [*cut(TEXTS, LABELS), TextSource("numbers", TextPart, (["late"], [3]))]
    with pytest.raises(ValueError, match="strings in some parts and numbers in others"):
        fit_texts(found, mixed)


@pytest.mark.parametrize("mark", [None, "?", "auto"])
def test_higher_order_smoothing_learns_from_unlabeled_texts(mark):
    labels = LABELS.astype(object)
    if mark is not None:
        labels[::3] = "?" if mark == "?" else ""
    pool = NEW[:50]
    model = HigherOrderSmoothingNB(unlabeled=mark)
    expected = TextClassifier(model).fit(TEXTS, labels, pool=pool)
    found = TextClassifier(model)
    learned = fit_texts(found, cut(TEXTS, labels), pool=cut(pool, cuts=[0, 20, 50]))
    assert_same_classifier(found, expected)
    n_unlabeled = 50 + (0 if mark is None else 80)
    assert (learned.n_unlabeled, learned.n_pool) == (n_unlabeled, n_unlabeled)
    assert found.n_held_out_ == expected.n_held_out_


def test_few_labels_learns_from_a_sample_of_the_pool(monkeypatch):
    monkeypatch.setattr(_texts, "POOL_SIZE", 60)
    labels = np.where(np.arange(len(TEXTS)) < 40, LABELS, "")
    unlabeled = [*TEXTS[40:], *NEW[:100]]
    sample = TextSample(60, _texts.SEED).add(unlabeled).finish()
    expected = TextClassifier("FewLabels").fit(TEXTS[:40], LABELS[:40], pool=sample)
    found = TextClassifier("FewLabels")
    learned = fit_texts(found, cut(TEXTS, labels), pool=cut(NEW[:100], cuts=[0, 100]))
    assert_array_equal(found.predict_proba(NEW), expected.predict_proba(NEW))
    assert (learned.n_labeled, learned.n_unlabeled, learned.n_pool) == (40, 300, 60)


def test_class_names_are_enough():
    seeds = {"billing": "invoice charge", "delivery": "parcel late"}
    found = TextClassifier("FewLabels")
    fit_texts(found, cut(TEXTS), seeds=seeds)
    sample = TextSample(_texts.POOL_SIZE, _texts.SEED).add(TEXTS).finish()
    expected = TextClassifier("FewLabels").fit([], None, pool=sample, seeds=seeds)
    assert_array_equal(found.predict_proba(NEW), expected.predict_proba(NEW))
    assert found.seeds_check_ == expected.seeds_check_


@pytest.mark.filterwarnings("ignore::honeybayes.FewDocumentsWarning")
@pytest.mark.parametrize("model", ["CNB", "HOS"])
def test_with_many_labels_other_texts_measure_the_confidence(monkeypatch, model):
    """The held-out texts are answered by the model of all others, which a fit can check."""
    monkeypatch.setattr(_texts, "MANY_LABELS", 100)
    monkeypatch.setattr(_texts, "N_HELD_OUT", 30)
    rows = held_out_rows()
    labels = np.where(np.arange(len(TEXTS)) == rows[4], "rare", LABELS)
    rows = np.delete(rows, 4)  # the only text of a class cannot be held out
    found = TextClassifier(model)
    fit_texts(found, cut(TEXTS, labels))
    assert_same_classifier(found, TextClassifier(model).fit(TEXTS, labels))
    rest = np.setdiff1d(np.arange(len(TEXTS)), rows)
    count = found.vectorizer_.transform
    others = clone(found.model_).fit(count([TEXTS[row] for row in rest]), labels[rest])
    expected = calibrate_on(
        class_scores(others, count([TEXTS[row] for row in rows])),
        np.searchsorted(others.classes_, labels[rows]),
        doubt_of(len(TEXTS), len(others.classes_)),
        Fraction(1, len(TEXTS) - 1),
    )
    assert_allclose(found.temperature_, expected.temperature)
    assert_allclose(found.held_out_, expected.held_out, rtol=1e-5)
    assert found.n_held_out_ == len(rows) == 29


def held_out_rows():
    """The definition: a random number per row of a part; the smallest 30."""
    keys = []
    for number, (first, last) in enumerate(pairwise(CUTS)):
        random = np.random.default_rng([_texts.SEED, number]).random(last - first)
        keys += zip(random.tolist(), range(first, last), strict=True)
    return np.array(sorted(row for _, row in sorted(keys)[:30]))


def test_the_number_of_terms_is_bounded():
    found = TextClassifier("CNB")
    with pytest.warns(UserWarning, match="more than 100 terms. Those of the most documents"):
        learned = fit_texts(found, cut(TEXTS, LABELS), max_terms=50)
    assert len(found.terms_) == 50
    assert learned.max_error > 0
    known = TextClassifier("CNB").fit(TEXTS, LABELS)
    frequency = (known.vectorizer_.transform(TEXTS) > 0).sum(axis=0)
    best = known.terms_[np.asarray(frequency).ravel() >= 2 * learned.max_error + 20]
    assert set(best) <= set(found.terms_)


def broken(path):
    raise OSError(5, "Input/output error", path)


BAD = [
    (TextSource("mail.csv", broken, ("mail.csv",)), "^mail.csv: Input/output error"),
    (TextSource("a", TextPart, (["late", None], ["x", "y"])), r"^a: X\[1\] is not a text but None"),
    (TextSource("a", TextPart, (["late"], ["x", "y"])), "^a: X has 1 texts, y has 2 labels"),
    (TextSource("a", TextPart, ([], ["x", "y"])), "^a: X has no texts, y has 2 labels"),
    (TextSource("a", TextPart, (["late"], [None])), "^a: y has missing labels"),
    (TextSource("a", TextPart, (["late"], [""])), "^a: y has missing labels"),
]


@pytest.mark.parametrize("model", ["CNB", "HCNB"])
@pytest.mark.parametrize(("source", "message"), BAD)
def test_an_error_names_the_part_and_can_be_left_out(source, message, model):
    sources = [*cut(TEXTS, LABELS), source]
    with pytest.raises(ValueError, match=message):
        fit_texts(TextClassifier(model), sources)
    found, shown = TextClassifier(model), []
    learned = fit_texts(found, sources, keep_going=True, engine=LocalEngine(show_in(shown)))
    assert list(learned.left_out) == [source.name]
    assert_array_equal(found.predict(NEW), TextClassifier(model).fit(TEXTS, LABELS).predict(NEW))
    passes = [["Terms", 6, 6], ["Counts", 5, 5]] if model == "CNB" else [["Texts", 6, 6]]
    assert shown == passes
    with pytest.raises(
        ValueError, match=f"None of the 1 parts could be read. The first: {message[1:]}"
    ):
        fit_texts(found, [source], keep_going=True)


def show_in(shown):
    @contextmanager
    def show(what, total):
        shown.append([what, total, 0])

        def count(more):
            shown[-1][2] += more

        yield count

    return show


def test_too_many_labeled_texts_are_refused_with_advice(monkeypatch):
    monkeypatch.setattr(_texts, "MOST_GATHERED", 200)
    with pytest.raises(ValueError, match=r"There are 240 labeled texts.* the limit is 200.*CNB"):
        fit_texts(TextClassifier(), cut(TEXTS, LABELS))
    with pytest.raises(ValueError, match="There are 240 labeled texts"):
        fit_texts(TextClassifier("CNB", n_terms=20), cut(TEXTS, LABELS))


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (([],), {}, "X has no parts"),
        ((TEXTS,), {}, "the target y is None"),
        ((TEXTS, LABELS[:9]), {}, "^X has 240 texts, y has 9 labels"),
        ((cut(TEXTS, LABELS), LABELS), {}, "Leave out y"),
        ((cut(TEXTS, LABELS), None, cut(NEW, cuts=[0, 9])), {}, "learns from labeled texts only"),
        ((cut(TEXTS, np.full(240, "a")),), {}, "has the label 'a', so there is only one class"),
        ((cut(["the", "of"], ["a", "b"], [0, 1, 2]),), {}, "No terms left in 2 documents"),
        ((cut(TEXTS, LABELS),), {"max_terms": 0}, "max_terms"),
        ((cut(TEXTS, LABELS),), {"q": "guess"}, "guess"),
    ],
)
@pytest.mark.filterwarnings("ignore::honeybayes.FewDocumentsWarning")
def test_what_does_not_fit_is_refused(arguments, options, message):
    with pytest.raises(ValueError, match=message):
        fit_texts(TextClassifier("CNB" if "q" not in options else "HONB"), *arguments, **options)


@pytest.mark.parametrize("model", ["FewLabels", "auto", "HOS"])
def test_without_labels_nothing_is_learned(model):
    with pytest.raises(ValueError, match="No text has a label"):
        fit_texts(TextClassifier(model), cut(TEXTS), pool=cut(NEW, cuts=[0, 9]))
