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

from honeybayes import CountNB, FewDocumentsWarning, HigherOrderSmoothingNB, TextClassifier
from honeybayes.calibration.temperature import calibrate_on, class_scores, doubt_of
from honeybayes.scale import (
    LocalEngine,
    Part,
    PartError,
    TextSample,
    _fit,
    _text_tasks,
    fit_in_parts,
    make_parts,
)
from honeybayes.utils.state import check_state
from tests.scale.test_statistics import assert_same_model
from tests.scale.worker_parts import LABELS, NEW, TEXTS, documents

COUNTING = ["NB", "MVNB", "MVNB+JM", "mNB", "MNB", "CNB", "OVA", "HONB", "HOS"]
GATHERED = ["LogisticRegression-tfidf", "FewLabels", "HCNB", "auto"]
CUTS = [0, 9, 9, 90, 91, 240]


def cut(texts, labels=None, cuts=CUTS):
    """Parts with names; one is empty."""
    return [
        Part(
            f"part {number}",
            documents,
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


@pytest.mark.parametrize("options", [{}, {"min_df": 2, "ngram_range": (1, 2)}])
@pytest.mark.parametrize("model", COUNTING)
def test_a_counting_model_learns_the_same_from_parts(model, options):
    expected = TextClassifier(model, **options).fit(TEXTS, LABELS)
    found = TextClassifier(model, **options)
    learned = fit_in_parts(found, cut(TEXTS, LABELS))
    assert_same_classifier(found, expected)
    # with few labels, the same texts are held out: also the confidence is the same
    assert_allclose(found.predict_proba(NEW), expected.predict_proba(NEW), rtol=1e-6)
    rows = found.vectorizer_.transform(TEXTS).toarray()
    n_different = len(np.unique(rows, axis=0))  # texts with the same terms count once
    assert found.n_held_out_ == expected.n_held_out_ == n_different >= len(TEXTS) - 1
    assert found.has_seen(TEXTS).all()
    assert not found.has_seen(NEW).any()
    assert (learned.n_labeled, learned.n_unlabeled, learned.left_out) == (240, 0, {})
    assert learned.sizes == {label: (label == LABELS).sum() for label in set(LABELS.tolist())}


@pytest.mark.parametrize("model", GATHERED)
def test_another_model_learns_from_the_same_texts(model):
    expected = TextClassifier(model).fit(TEXTS, LABELS)
    found = TextClassifier(model)
    assert fit_in_parts(found, cut(TEXTS, LABELS)).n_pool == 0
    assert_array_equal(found.predict_proba(NEW), expected.predict_proba(NEW))


WORDS = ["parcel", "late", "charge", "twice", "the", "who"]


@pytest.mark.filterwarnings("ignore::honeybayes.exceptions.NoPathWarning")
@pytest.mark.parametrize("model", ["CNB", "HONB", "HOS"])
@settings(max_examples=15, deadline=None)
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
        fit_in_parts(found, order)
    assert_same_classifier(found, expected, texts)


def test_numbers_stay_numbers_and_types_must_agree():
    numbers = np.unique(LABELS, return_inverse=True)[1] - 3
    expected = TextClassifier("CNB").fit(TEXTS, numbers)
    found = TextClassifier("CNB")
    fit_in_parts(found, cut(TEXTS, numbers))
    assert_same_classifier(found, expected)
    assert found.classes_.dtype == expected.classes_.dtype
    mixed = [*cut(TEXTS, LABELS), Part("numbers", documents, (["late"], [3]))]
    with pytest.raises(ValueError, match="strings in some parts and numbers in others"):
        fit_in_parts(found, mixed)


@pytest.mark.parametrize("mark", [None, "?", "auto"])
def test_higher_order_smoothing_learns_from_unlabeled_texts(mark):
    labels = LABELS.astype(object)
    if mark is not None:
        labels[::3] = "?" if mark == "?" else ""
    pool = NEW[:50]
    model = HigherOrderSmoothingNB(unlabeled=mark)
    expected = TextClassifier(model).fit(TEXTS, labels, pool=pool)
    found = TextClassifier(model)
    learned = fit_in_parts(found, cut(TEXTS, labels), pool=cut(pool, cuts=[0, 20, 50]))
    assert_same_classifier(found, expected)
    n_unlabeled = 50 + (0 if mark is None else 80)
    assert (learned.n_unlabeled, learned.n_pool) == (n_unlabeled, n_unlabeled)
    assert found.n_held_out_ == expected.n_held_out_


MARKS = [None, float("nan"), " ", "", -1]


@pytest.mark.parametrize(
    ("model", "mark"),
    [*(("HOS", mark) for mark in MARKS), ("FewLabels", None), ("auto", -1)],
)
def test_every_usual_mark_means_no_label(model, mark):
    """In all passes, and also where a part has no class but -1, or one other class."""
    is_number = mark == -1
    labels = (np.unique(LABELS, return_inverse=True)[1] + 1 if is_number else LABELS).tolist()
    known = np.arange(len(TEXTS)) % 3 > 0
    marked = [label if is_known else mark for label, is_known in zip(labels, known, strict=True)]
    texts = [TEXTS[row] for row in np.flatnonzero(known)]
    pool = [TEXTS[row] for row in np.flatnonzero(~known)]
    classifier = TextClassifier(model)
    if model == "HOS":
        classifier.set_params(model__unlabeled="auto")
        expected = clone(classifier).fit(TEXTS, marked)
    else:
        pool = TextSample(_text_tasks.POOL_SIZE, _text_tasks.SEED).add(pool).finish()
        given = [labels[row] for row in np.flatnonzero(known)]
        expected = clone(classifier).fit(texts, given, pool=pool)
    learned = fit_in_parts(classifier, cut(TEXTS, marked))
    assert (learned.n_labeled, learned.n_unlabeled) == (160, 80)
    assert classifier.classes_.tolist() == expected.classes_.tolist()
    assert learned.sizes.keys() == set(labels)
    assert_array_equal(classifier.predict(NEW), expected.predict(NEW))
    if model == "HOS":
        assert_same_classifier(classifier, expected)
        assert classifier.n_held_out_ == expected.n_held_out_


def test_minus_one_is_a_class_if_there_is_one_other():
    labels = np.where(LABELS == "billing", -1, 1)
    model = HigherOrderSmoothingNB(unlabeled="auto")
    expected, found = TextClassifier(model).fit(TEXTS, labels), TextClassifier(model)
    assert fit_in_parts(found, cut(TEXTS, labels)).n_labeled == len(TEXTS)
    assert_same_classifier(found, expected)
    assert found.classes_.tolist() == [-1, 1]


def test_a_set_of_stop_words_has_no_order():
    """Each task has a copy of the set, whose order may be another one."""
    found = TextClassifier("CNB", stop_words={"parcel", "the", "my", "order", "is", "refund"})
    expected = clone(found).fit(TEXTS, LABELS)
    fit_in_parts(found, cut(TEXTS, LABELS))
    assert_same_classifier(found, expected)


def test_few_labels_learns_from_a_sample_of_the_pool(monkeypatch):
    monkeypatch.setattr(_text_tasks, "POOL_SIZE", 60)
    labels = np.where(np.arange(len(TEXTS)) < 40, LABELS, "")
    unlabeled = [*TEXTS[40:], *NEW[:100]]
    sample = TextSample(60, _text_tasks.SEED).add(unlabeled).finish()
    expected = TextClassifier("FewLabels").fit(TEXTS[:40], LABELS[:40], pool=sample)
    found = TextClassifier("FewLabels")
    learned = fit_in_parts(found, cut(TEXTS, labels), pool=cut(NEW[:100], cuts=[0, 100]))
    assert_array_equal(found.predict_proba(NEW), expected.predict_proba(NEW))
    assert (learned.n_labeled, learned.n_unlabeled, learned.n_pool) == (40, 300, 60)


def test_class_names_are_enough():
    seeds = {"billing": "invoice charge", "delivery": "parcel late"}
    found = TextClassifier("FewLabels")
    fit_in_parts(found, cut(TEXTS), seeds=seeds)
    sample = TextSample(_text_tasks.POOL_SIZE, _text_tasks.SEED).add(TEXTS).finish()
    expected = TextClassifier("FewLabels").fit([], None, pool=sample, seeds=seeds)
    assert_array_equal(found.predict_proba(NEW), expected.predict_proba(NEW))
    assert found.seeds_check_ == expected.seeds_check_


@pytest.mark.filterwarnings("ignore::honeybayes.FewDocumentsWarning")
@pytest.mark.parametrize("model", ["CNB", "HOS"])
def test_with_many_labels_other_texts_measure_the_confidence(monkeypatch, model):
    """The held-out texts are answered by the model of all others, which a fit can check."""
    monkeypatch.setattr(_text_tasks, "ENOUGH_LABELS", 100)
    monkeypatch.setattr(_text_tasks, "N_HELD_OUT", 30)
    rows = held_out_rows()
    labels = np.where(np.arange(len(TEXTS)) == rows[4], "rare", LABELS)
    rows = np.delete(rows, 4)  # the only text of a class cannot be held out
    found = TextClassifier(model)
    fit_in_parts(found, cut(TEXTS, labels))
    assert_same_classifier(found, TextClassifier(model).fit(TEXTS, labels))
    plain = np.array([" ".join(text.lower().split()) for text in TEXTS])
    rows = rows[np.sort(np.unique(plain[rows], return_index=True)[1])]  # copies count once
    rest = np.flatnonzero(~np.isin(plain, plain[rows]))
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


def test_copies_of_held_out_texts_are_held_out(monkeypatch):
    """Finding: 1,200 texts ten times promised that all answers are right; 49 % were."""
    monkeypatch.setattr(_text_tasks, "ENOUGH_LABELS", 100)
    monkeypatch.setattr(_text_tasks, "N_HELD_OUT", 60)
    random = np.random.default_rng(0)
    words = [f"w{letter}{other}" for letter in "abcdefghij" for other in "abcdefghij"]
    texts = [" ".join(random.choice(words, 8)) for _ in range(120)]
    labels = random.choice(["a", "b", "c"], 120)  # nothing to learn
    found = TextClassifier("CNB")
    fit_in_parts(found, cut(texts * 5, np.tile(labels, 5), [0, 200, 400, 600]))
    assert found.n_held_out_ <= 60
    confidence, of_label = found.held_out_.T
    assert (of_label >= confidence).mean() < 0.6


def held_out_rows():
    """The definition: a random number per row of a part; the smallest 30."""
    keys = []
    for number, (first, last) in enumerate(pairwise(CUTS)):
        random = np.random.default_rng([_text_tasks.SEED, number]).random(last - first)
        keys += zip(random.tolist(), range(first, last), strict=True)
    return np.array(sorted(row for _, row in sorted(keys)[:30]))


def test_the_number_of_terms_is_bounded(monkeypatch):
    monkeypatch.setattr(_fit, "MAX_TERMS", 50)
    found = TextClassifier("CNB")
    with pytest.warns(UserWarning, match="more than 50 terms.* too low"):
        fit_in_parts(found, cut(TEXTS, LABELS))
    assert len(found.terms_) == 50
    known = TextClassifier("CNB").fit(TEXTS, LABELS)
    frequency = np.asarray((known.vectorizer_.transform(TEXTS) > 0).sum(axis=0)).ravel()
    assert set(known.terms_[np.argsort(frequency)[-10:]]) <= set(found.terms_)


def test_the_warning_about_terms_says_what_is_so(monkeypatch):
    monkeypatch.setattr(_fit, "MAX_TERMS", len(TextClassifier("CNB").fit(TEXTS, LABELS).terms_))
    fit_in_parts(TextClassifier("CNB"), cut(TEXTS, LABELS))  # a warning would be an error
    monkeypatch.setattr(_fit, "MAX_TERMS", _fit.MAX_TERMS // 2 + 1)  # all terms are counted
    with pytest.warns(UserWarning, match="more than .* terms") as told:
        fit_in_parts(TextClassifier("CNB"), cut(TEXTS, LABELS))
    assert "too low" not in str(told[0].message)


def broken(path):
    raise OSError(5, "Input/output error", path)


BAD = [
    (Part("mail.csv", broken, ("mail.csv",)), "^mail.csv: Input/output error"),
    (Part("a", documents, (["late", None], ["x", "y"])), r"^a: X\[1\] is not a text but None"),
    (Part("a", documents, (["late"], ["x", "y"])), "^a: X has 1 texts, y has 2 labels"),
    (Part("a", documents, ([], ["x", "y"])), "^a: X has no texts, y has 2 labels"),
    (Part("a", documents, (["late"], [None])), "^a: y has missing labels"),
    (Part("a", documents, (["late"], [""])), "^a: y has missing labels"),
]


@pytest.mark.parametrize("model", ["CNB", "HCNB"])
@pytest.mark.parametrize(("source", "message"), BAD)
def test_an_error_names_the_part_and_can_be_left_out(source, message, model):
    sources = [*cut(TEXTS, LABELS), source]
    with pytest.raises(ValueError, match=message):
        fit_in_parts(TextClassifier(model), sources)
    found, shown = TextClassifier(model), []
    learned = fit_in_parts(found, sources, keep_going=True, engine=LocalEngine(show_in(shown)))
    assert list(learned.left_out) == [source.name]
    assert_array_equal(found.predict(NEW), TextClassifier(model).fit(TEXTS, LABELS).predict(NEW))
    counting = [["Language", 1, 1], ["Terms", 6, 6], ["Counts", 5, 5]]
    assert shown == (counting if model == "CNB" else [["Texts", 6, 6]])
    with pytest.raises(
        ValueError, match=f"None of the 1 parts could be read. The first: {message[1:]}"
    ):
        fit_in_parts(found, [source], keep_going=True)


def test_a_part_that_has_the_name_of_a_bad_one_is_kept():
    """Such as one file that is the table and the pool, but lacks the column of labels."""
    pool = NEW[:50]
    sources = [*cut(TEXTS, LABELS), Part("mails", broken, ("mails",))]
    good = Part("mails", documents, (pool,))
    found = TextClassifier("HOS")
    learned = fit_in_parts(found, sources, pool=[good], keep_going=True)
    assert list(learned.left_out) == ["mails"]
    assert learned.n_unlabeled == 50
    assert_same_classifier(found, TextClassifier("HOS").fit(TEXTS, LABELS, pool=pool))
    both = fit_in_parts(found, sources, pool=[good, sources[-1]], keep_going=True)
    assert list(both.left_out) == ["mails", "mails (part 7)"]


class Changing:
    """A part that can be read once."""

    n_read = 0

    def __call__(self):
        self.n_read += 1
        return documents(["late"], ["delivery"]) if self.n_read == 1 else broken("mail.csv")


def test_a_part_that_fails_in_a_later_pass_has_another_message():
    sources = [*cut(TEXTS, LABELS), Part("mail.csv", Changing())]
    with pytest.raises(ValueError, match=r"^mail.csv: .* may have changed since") as told:
        fit_in_parts(TextClassifier("CNB"), sources, keep_going=True)
    assert not isinstance(told.value, PartError)  # to which the command line adds --keep-going


@pytest.mark.parametrize("model", ["CNB", "HCNB"])
def test_sizes_can_be_checked_after_the_first_pass(model):
    def check(sizes, n_blank):
        found.append((sum(sizes.values()), n_blank))
        raise ValueError("Not these.")

    found, shown = [], []
    parts = [*cut(TEXTS, LABELS), Part("pool", documents, ([], [], ["late", "lost"]))]
    engine = LocalEngine(show_in(shown))
    classifier = TextClassifier(model, language="english", clean_html=False)
    with pytest.raises(ValueError, match="Not these"):
        fit_in_parts(classifier, parts, engine=engine, check_sizes=check)
    assert found == [(240, 2)]
    assert len(shown) == 1


def show_in(shown):
    @contextmanager
    def show(what, total):
        shown.append([what, total, 0])

        def count(more):
            shown[-1][2] += more

        yield count

    return show


def test_too_many_labeled_texts_are_refused_with_advice(monkeypatch):
    monkeypatch.setattr(_text_tasks, "MOST_GATHERED", 200)
    with pytest.raises(ValueError, match=r"There are 240 labeled texts.* the limit is 200.*CNB"):
        fit_in_parts(TextClassifier(), cut(TEXTS, LABELS))
    with pytest.raises(ValueError, match="There are 240 labeled texts"):
        fit_in_parts(TextClassifier("CNB", n_terms=20), cut(TEXTS, LABELS))


def test_labeled_texts_beyond_the_limit_are_only_counted(monkeypatch):
    """They would be sorted again, and sent to another worker, with every further part."""
    monkeypatch.setattr(_text_tasks, "MOST_GATHERED", 500)
    total, held = _text_tasks.Survey(None, False), []
    for number in range(4):
        part = _text_tasks.survey(total, _text_tasks.LabelMarks(None), (TEXTS, LABELS), number)
        total.merge(part)
        held.append(len(total.labeled.rows))
    assert held == [240, 480, 0, 0]
    assert total.sizes.total() == 960


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([],), "There are no parts"),
        ((make_parts(TEXTS, LABELS[:9]),), "^X has 240 texts, y has 9 labels"),
        ((cut(TEXTS, LABELS), cut(NEW, cuts=[0, 9])), "cannot learn from a pool"),
        ((cut(TEXTS, np.full(240, "a")),), "has the label 'a', so there is only one class"),
        ((cut(["the", "of"], ["a", "b"], [0, 1, 2]),), "No terms left in 2 documents"),
    ],
)
@pytest.mark.filterwarnings("ignore::honeybayes.FewDocumentsWarning")
def test_what_does_not_fit_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        fit_in_parts(TextClassifier("CNB"), *arguments)


def test_models_of_counts_have_no_pool_and_no_seeds():
    parts = [Part("a", documents, ([[1, 0]], ["a"]))]
    for options in ({"pool": parts}, {"seeds": ["a", "b"]}):
        with pytest.raises(ValueError, match="for classifiers of texts, and CountNB is"):
            fit_in_parts(CountNB(), parts, **options)


@pytest.mark.parametrize("model", ["FewLabels", "auto", "HOS"])
def test_without_labels_nothing_is_learned(model):
    with pytest.raises(ValueError, match="No text has a label"):
        fit_in_parts(TextClassifier(model), cut(TEXTS), pool=cut(NEW, cuts=[0, 9]))
