"""explain_decision: the parts add up to each model's own score, and agree with its definition."""

import json
import math
import re
import unicodedata
import warnings
from copy import deepcopy

import numpy as np
import pandas as pd
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.decomposition import TruncatedSVD
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer, TfidfVectorizer
from sklearn.feature_selection import SelectKBest, chi2
from sklearn.linear_model import LogisticRegression, Perceptron, RidgeClassifier, SGDClassifier
from sklearn.naive_bayes import BernoulliNB, ComplementNB, MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC, NuSVC

from honeybayes import (
    AssociationWeightedNB,
    CountNB,
    FeatureSelectedNB,
    FeatureWeightedNB,
    FewLabelsClassifier,
    HiddenNB,
    HigherOrderNB,
    HigherOrderSmoothingNB,
    InstanceWeightedNB,
    SmoothedBernoulliNB,
    StructureExtendedNB,
    TemperatureScaledClassifier,
    TextClassifier,
    TextVectorizer,
    explain_decision,
    list_models,
    make_model,
)
from honeybayes.charts import pictures
from honeybayes.utils.scores import ScoreParts
from tests.paths.path_oracle import entries_from

RULES = ("multinomial", "complement", "one-vs-rest")
MODELS = {
    "Bernoulli": SmoothedBernoulliNB(),
    "Jelinek-Mercer": SmoothedBernoulliNB(smoothing="jelinek-mercer"),
    "HONB": HigherOrderNB(),
    "pure HONB": HigherOrderNB(pure="class"),
    "HOS": HigherOrderSmoothingNB(),
    **{f"counts, {rule}": CountNB(rule=rule) for rule in RULES},
    **{f"hidden, {rule}": HiddenNB(rule=rule) for rule in RULES},
    "hidden, paper": HiddenNB(rule="one-vs-rest", ovr_score="paper"),
    **{f"extended, {rule}": StructureExtendedNB(rule=rule) for rule in RULES},
    "weighted words": FeatureWeightedNB(rule="one-vs-rest"),
    "association": AssociationWeightedNB(rule="one-vs-rest"),
    "selected words": FeatureSelectedNB(rule="complement"),
    "weighted documents": InstanceWeightedNB(rule="complement"),
    "few labels": FewLabelsClassifier(),
    "MultinomialNB": MultinomialNB(),
    "ComplementNB": ComplementNB(norm=True),
    "BernoulliNB": BernoulliNB(),
    "logistic, tf-idf": make_pipeline(TfidfTransformer(sublinear_tf=True), LogisticRegression()),
    "LinearSVC, tf-idf": make_pipeline(TfidfTransformer(), LinearSVC()),
    "ComplementNB, tf-idf": make_pipeline(TfidfTransformer(), ComplementNB()),
    "ridge": RidgeClassifier(),
    "perceptron": Perceptron(),
    "gradient descent": SGDClassifier(random_state=0),
}
TEXTS = [
    "refund my order",
    "a refund was promised",
    "courier lost my order",
    "courier late again",
    "the courier was rude about the refund",
    "rude staff, rude courier",
]
QUEUES = ["billing", "billing", "delivery", "delivery", "complaint", "complaint"]


def corpora():
    """Counts of a few training documents, and of one new document."""
    shapes = st.tuples(st.integers(6, 9), st.integers(3, 7))
    return shapes.flatmap(
        lambda shape: st.tuples(
            entries_from([0, 0, 1, 1, 2, 3], shape), entries_from([0, 1, 5], (1, shape[1]))
        )
    )


def own_scores(model, X):
    """Scores as each library returns them."""
    if isinstance(model, Pipeline):
        model, X = model[-1], model[:-1].transform(X)
    if hasattr(model, "predict_joint_log_proba"):
        return model.predict_joint_log_proba(X)
    decision = model.decision_function(X)
    return np.column_stack([-decision, decision]) if decision.ndim == 1 else decision


def add_up(explanation):
    return explanation.baseline + math.fsum(word.score for word in explanation.contributions)


@pytest.mark.filterwarnings("ignore::honeybayes.NoPathWarning")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("name", MODELS)
def test_parts_add_up_to_the_score(name):
    with_words = []

    @settings(max_examples=10, phases=[Phase.generate])
    @given(corpora(), st.integers(2, 3))
    def check(corpus, n_classes):
        X, new = corpus
        X[:, 0] = 1  # no document is empty
        y = np.arange(len(X)) % n_classes
        model = deepcopy(MODELS[name]).fit(X, y)
        score, empty = own_scores(model, np.vstack([new, np.zeros_like(new)]))
        explanation = explain_decision(model, new)
        assert explanation.label == model.predict(new)[0]
        assert isinstance(explanation.label, int)
        for label in range(n_classes):
            explanation = explain_decision(model, sparse.csr_array(new), label)
            assert explanation.label == label
            assert explanation.baseline == pytest.approx(empty[label], abs=1e-9)
            assert explanation.score == pytest.approx(score[label], abs=1e-9)
            assert add_up(explanation) == pytest.approx(score[label], abs=1e-9)
            assert len(explanation.contributions) == np.count_nonzero(new)
            leads = [word.lead for word in explanation.contributions]
            assert leads == sorted(leads, reverse=True)
            rival = explanation.against
            assert explanation.lead == pytest.approx(score[label] - score[rival], abs=1e-9)
            total = explanation.baseline_lead + math.fsum(leads)
            assert total == pytest.approx(explanation.lead, abs=1e-9)
            rivals = [rival.score for rival in explanation.rivals]
            assert rivals == sorted(rivals, reverse=True)
            assert rivals == pytest.approx(sorted(np.delete(score, label), reverse=True), abs=1e-9)
        with_words.append(new.any())

    check()
    assert sum(with_words) > 3


@pytest.mark.filterwarnings("ignore::honeybayes.NoPathWarning")
@pytest.mark.parametrize("name", list_models())
def test_every_model_of_the_zoo_is_explained_or_says_why_not(name):
    classifier = TextClassifier(make_model(name)).fit(TEXTS, QUEUES)
    text = "the courier lost my refund refund"
    try:
        explanation = explain_decision(classifier, text)
    except ValueError as error:
        assert re.search("Models that can be explained|mixes terms", str(error))  # noqa: PT017
        return
    expected = own_scores(classifier.model_, classifier.count_terms([text]))[0].max()
    assert explanation.label == classifier.predict([text])[0]
    assert add_up(explanation) == pytest.approx(expected, abs=1e-9)
    assert {word.word for word in explanation.contributions} == {"courier", "lost", "refund"}


MUST_BE_EXPLAINED = (
    "NB MVNB+JM HONB HOS HOS-alpha0 MNB CNB OVA SEMNB SECNB SEOVA HMNB HCNB HOVA "
    "ComplementNB-tfidf LogisticRegression-tfidf LinearSVC-tfidf"
)


@pytest.mark.filterwarnings("ignore::honeybayes.NoPathWarning")
@pytest.mark.parametrize("name", MUST_BE_EXPLAINED.split())
def test_these_models_of_the_zoo_are_explained(name):
    classifier = TextClassifier(name).fit(TEXTS, QUEUES)
    assert len(explain_decision(classifier, "courier refund").contributions) == 2


def test_tfidf_times_weight():
    pipeline = make_pipeline(CountVectorizer(), TfidfTransformer(), LogisticRegression())
    pipeline.fit(TEXTS, QUEUES)
    explanation = explain_decision(pipeline, TEXTS[4], "delivery")
    tfidf = pipeline[:-1].transform([TEXTS[4]]).toarray()[0]
    weight = pipeline[-1].coef_[list(pipeline.classes_).index("delivery")]
    column = pipeline[0].vocabulary_
    for word in explanation.contributions:
        expected = tfidf[column[word.word]] * weight[column[word.word]]
        assert word.score == pytest.approx(expected, abs=1e-12)
    assert {word.word: word.count for word in explanation.contributions}["the"] == 2


def test_count_times_log_probability_by_equations_6_and_7():
    X, y = np.array([[2, 1, 0], [1, 0, 0], [0, 1, 3]]), ["sea", "sea", "land"]
    names = ["wave", "calm", "hill"]
    model = CountNB(rule="complement").fit(X, y)
    explanation = explain_decision(model, [3, 0, 1], "sea", feature_names=names)
    score = {word.word: word.score for word in explanation.contributions}
    assert score == {  # the complement of sea is the last document, and one is added to each count
        "wave": pytest.approx(-3 * math.log(1 / 7)),
        "hill": pytest.approx(-1 * math.log(4 / 7)),
    }


def test_presence_adds_the_log_odds():
    X = np.array([[1, 1, 0], [1, 0, 1], [0, 1, 1]])
    model = HigherOrderNB(prior="uniform").fit(np.vstack([X, X]), [0] * 3 + [1] * 3)
    explanation = explain_decision(model, [4, 0, 0], 0)
    present, absent = np.exp(model.feature_log_prob_[0]), np.exp(model.feature_log_absence_prob_[0])
    assert explanation.baseline == pytest.approx(math.log(0.5) + np.log(absent).sum())
    (word,) = explanation.contributions
    assert (word.word, word.count) == ("x0", 4)
    assert word.score == pytest.approx(math.log(present[0] / absent[0]))


@pytest.mark.parametrize("name", [n for n in MODELS if n.startswith(("hidden", "extended"))])
def test_leads_of_parents_are_what_is_lost_without_them(name):
    rng = np.random.default_rng(3)
    X, y = rng.integers(0, 3, (12, 8)), np.arange(12) % 3
    model, new = deepcopy(MODELS[name]).fit(X, y), rng.integers(0, 3, (1, 8))
    explanation = explain_decision(model, new)
    sums = {}
    for word in explanation.contributions:
        assert word.parents == () or sum(p.share for p in word.parents) == pytest.approx(1)
        assert word.word not in {parent.word for parent in word.parents}
        for parent in word.parents:
            sums[parent.word] = sums.get(parent.word, 0.0) + parent.lead
    if name.startswith("extended"):
        assert sum(parent.share for parent in explanation.parents) == pytest.approx(1)
        sums = {parent.word: parent.lead for parent in explanation.parents}
    assert sums
    for parent, lead in sums.items():
        without = deepcopy(model)
        without.parent_weights_[int(parent[1:])] = 0
        label, rival = explanation.label, explanation.against
        score = without.predict_joint_log_proba(new)[0]
        assert lead == pytest.approx(explanation.lead - (score[label] - score[rival]), abs=1e-9)


def test_a_word_without_parents_is_scored_by_the_plain_model():
    X, y = np.array([[1, 2], [2, 1], [1, 1]]), [0, 1, 1]
    for model in (HiddenNB(parents=[0, 0]), HiddenNB(parents=[1, 0])):
        plain = explain_decision(CountNB().fit(X, y), [2, 0]).contributions
        assert explain_decision(model.fit(X, y), [2, 0]).contributions[0].parents == ()
        assert explain_decision(model, [2, 0]).contributions[0].score == plain[0].score
    extended = StructureExtendedNB().fit(X, y)
    extended.parent_weights_[:] = 0
    explanation = explain_decision(extended, [2, 0])
    assert explanation.parents == ()
    assert explanation.contributions[0].score == pytest.approx(plain[0].score)


def test_the_rival_can_be_chosen():
    classifier = TextClassifier("HOS").fit(TEXTS, QUEUES)
    explanation = explain_decision(classifier, "rude courier", "delivery", against="billing")
    assert (explanation.label, explanation.against) == ("delivery", "billing")
    scores = {rival.label: rival.score for rival in explanation.rivals}
    assert explanation.lead == pytest.approx(explanation.score - scores["billing"])


@pytest.mark.parametrize(
    "pipeline",
    [
        make_pipeline(TfidfVectorizer(), LinearSVC()),
        make_pipeline(CountVectorizer(), SelectKBest(chi2, k=13), "passthrough", MultinomialNB()),
        TextClassifier("CNB", n_terms=4),
        TextClassifier(make_pipeline(SelectKBest(chi2, k=8), TfidfTransformer(), LinearSVC())),
        make_pipeline(TextVectorizer(), make_pipeline(TfidfTransformer(), LinearSVC())),
        make_pipeline(TextVectorizer(), TemperatureScaledClassifier(CountNB())),
        make_pipeline(
            TextVectorizer(),
            TemperatureScaledClassifier(CountNB(), selector=SelectKBest(chi2, k=8)),
        ),
    ],
)
def test_words_keep_their_names_on_the_way(pipeline):
    pipeline.fit(TEXTS, QUEUES)
    explanation = explain_decision(pipeline, "courier refund rude zebra")
    assert add_up(explanation) == pytest.approx(explanation.score, abs=1e-9)
    words = {word.word for word in explanation.contributions}
    assert words == {"courier", "refund", "rude"}
    assert "zebra" in explanation.unknown


def test_frames_name_the_words_and_give_no_warning():
    frame = pd.DataFrame([[2, 1, 0], [1, 0, 0], [0, 1, 3]], columns=["wave", "calm", "hill"])
    for model in (CountNB(), SmoothedBernoulliNB(), make_pipeline(TfidfTransformer(), LinearSVC())):
        model.fit(pd.concat([frame, frame]), ["sea", "sea", "land"] * 2)
        explanation = explain_decision(model, frame.iloc[[0]])
        assert {word.word for word in explanation.contributions} == {"wave", "calm"}


def test_models_that_require_dense_data():
    X, y = np.random.default_rng(0).integers(0, 3, (9, 3)), [0, 0, 0, 1, 1, 1, 2, 2, 2]
    model = LinearDiscriminantAnalysis().fit(X, y)
    explanation = explain_decision(model, X[0])
    assert add_up(explanation) == pytest.approx(model.decision_function(X[:1]).max(), abs=1e-9)
    two = SVC(kernel="linear").fit(X[:6], y[:6])
    assert add_up(explain_decision(two, X[0], 1)) == pytest.approx(
        two.decision_function(X[:1])[0], abs=1e-9
    )


def test_presence_below_zero():
    X = np.array([[0.0, -2.0], [-2.0, 0.0], [1.0, -3.0]])
    model = SmoothedBernoulliNB(binarize=-1.0).fit(X, [0, 1, 0])
    explanation = explain_decision(model, [0.0, -2.0])
    assert [word.word for word in explanation.contributions] == ["x0"]
    assert add_up(explanation) == pytest.approx(model.predict_joint_log_proba(X[:1]).max())


def test_a_class_without_documents_and_a_single_class():
    model = SmoothedBernoulliNB().partial_fit([[1, 0], [0, 1]], ["a", "b"], ["a", "b", "c"])
    explanation = explain_decision(model, [1, 0], against="c")
    assert explanation.lead == math.inf
    sklearn_model = BernoulliNB(fit_prior=True).partial_fit([[1, 0]], ["a"], ["a", "b"])
    assert add_up(explain_decision(sklearn_model, [1, 0], "a")) == pytest.approx(
        sklearn_model.predict_joint_log_proba([[1, 0]])[0, 0]
    )
    alone = explain_decision(CountNB().fit([[1, 2]], ["a"]), [1, 1])
    assert (alone.rivals, alone.against, alone.lead) == ((), None, alone.score)
    assert "ahead" not in str(alone)


def test_an_empty_document_has_only_its_baseline():
    explanation = explain_decision(TextClassifier("HCNB").fit(TEXTS, QUEUES), "zebra")
    assert explanation.contributions == ()
    assert explanation.score == explanation.baseline
    assert explanation.unknown == ("zebra",)


def test_words_are_printed_as_the_text_spells_them():
    classifier = TextClassifier("HOS").fit(TEXTS, QUEUES)
    explanation = explain_decision(classifier, "Couriers! A courier promises refunds")
    spelling = {word.word: word.spelling for word in explanation.contributions}
    assert spelling == {"courier": "couriers", "promis": "promises", "refund": "refunds"}
    assert "promises" in str(explanation)


def test_characters_and_pairs_are_explained_and_printed_in_columns():
    texts = ["我的包裹在哪里", "包裹没有到", "发票是错的", "请退还发票的钱"]
    classifier = TextClassifier("CNB").fit(texts, ["delivery"] * 2 + ["billing"] * 2)
    explanation = explain_decision(classifier, "包裹 ﾃﾚﾋﾞ DHL")
    assert {word.spelling for word in explanation.contributions} == {"包", "包裹", "裹"}
    assert explanation.unknown == ("テ", "テレ", "レ", "レビ", "ビ", "dhl")
    assert explanation.label == "delivery"
    _, head, *rows, _ = str(explanation).splitlines()
    ends = {len(row) + sum(unicodedata.east_asian_width(c) == "W" for c in row) for row in rows}
    assert ends == {len(head)}


@pytest.mark.parametrize("ngram_range", [(1, 2), (2, 2)])
def test_terms_of_several_words_are_spelled_as_in_training(ngram_range):
    classifier = TextClassifier("CNB", ngram_range=ngram_range)
    classifier.fit(["late deliveries", "late refunds"] * 2, ["delivery", "billing"] * 2)
    contributions = explain_decision(classifier, "late delivery").contributions
    spelling = {word.word: word.spelling for word in contributions}
    assert spelling["late deliveri"] == "late deliveries"
    assert spelling.get("deliveri", "delivery") == "delivery"


def test_a_text_classifier_takes_counts_of_its_terms():
    classifier = TextClassifier("CNB").fit(TEXTS, QUEUES)
    counts = classifier.count_terms(TEXTS[:1])
    one, *others = (
        explain_decision(classifier, X) for X in (counts, counts.toarray(), counts.toarray()[0])
    )
    assert others == [one, one]


class ClosestTo(ClassifierMixin, BaseEstimator):
    """A classifier of another library, with the hook."""

    def fit(self, X, y):
        self.classes_, self.n_features_in_ = np.unique(y), X.shape[1]
        self.means_ = np.array([X[y == label].mean(axis=0) for label in self.classes_])
        return self

    def decision_function(self, X):
        return X @ self.means_.T - 1

    def decompose_scores(self, X, columns):
        terms = np.flatnonzero(X[0])
        return ScoreParts(terms, X[0, terms, np.newaxis] * self.means_[columns][:, terms].T)


class Weighted(ClosestTo):
    """Has weights instead of the hook."""

    decompose_scores = property()

    @property
    def coef_(self):
        return self.means_


class Pairs(Weighted):
    """Says that its decision function compares pairs of classes."""

    decision_function_shape = "ovr"


def test_hooks_and_public_attributes_decide_not_classes():
    y = np.array(Y)
    expected = explain_decision(ClosestTo().fit(X, y), X[0])
    assert [word.score for word in expected.contributions] == [4, 1]
    assert explain_decision(Weighted().fit(X, y), X[0]) == expected
    with pytest.raises(ValueError, match="Pairs is not a sum over terms"):
        explain_decision(Pairs().fit(X, y), X[0])
    assert len(explain_decision(Pairs().fit(X, y > 0), X[0]).contributions) == 2


def test_text_and_json():
    explanation = explain_decision(
        TextClassifier("HCNB").fit(TEXTS, QUEUES), "courier lost my refund refund zebra"
    )
    text = str(explanation)
    assert text.startswith(f"{explanation.label}: score {explanation.score:.3f}, ahead of ")
    assert "unknown to the model: zebra" in text
    assert "  with " in text
    assert text.splitlines()[3].split()[1] in ("1", "2")
    loaded = json.loads(json.dumps(explanation.to_dict()))
    assert loaded["lead"] == explanation.lead
    assert loaded["contributions"][0]["word"] == explanation.contributions[0].word
    assert loaded["contributions"][0]["parents"][0]["share"] > 0


def test_long_documents_are_cut_in_print_but_still_add_up():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, (10, 30))
    explanation = explain_decision(CountNB().fit(X, np.arange(10) % 2), np.ones(30))
    lines = str(explanation).splitlines()
    assert "(18 more)" in lines[-1]
    leads = [float(line.split()[-1]) for line in lines[2:]]
    assert sum(leads) == pytest.approx(explanation.lead, abs=0.01)


def test_plot():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    explanation = explain_decision(TextClassifier("HOS").fit(TEXTS, QUEUES), "courier lost refund")
    axes = explanation.plot(n_words=2)
    assert len(axes.patches) == 4  # two words, the rest, and no words at all
    width = sum(bar.get_width() for bar in axes.patches)
    assert width == pytest.approx(explanation.lead)
    assert axes.get_title(loc="left").startswith(f"{explanation.label} over")
    _, own = plt.subplots()
    assert explanation.plot(ax=own) is own
    plt.close("all")


@pytest.mark.parametrize("is_there", [True, False])
def test_plot_takes_missing_letters_from_fonts_that_are_installed(caplog, monkeypatch, is_there):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    monkeypatch.setattr(pictures, "FONTS", ("No such font", "DejaVu Sans" if is_there else "None"))
    word = "ᐃᓄᒃᑎᑐᑦ"  # in DejaVu Sans, but not in DejaVu Sans Mono
    model = CountNB().fit([[1, 0], [0, 1]], ["a", word])
    with matplotlib.rc_context({"font.family": ["DejaVu Sans Mono"]}):
        axes = explain_decision(model, [2, 1], feature_names=[word, "b"]).plot()
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            axes.figure.canvas.draw()
    assert bool(told) is not is_there
    assert not caplog.records  # "findfont: Font family 'No such font' not found."
    plt.close("all")


X, Y = np.array([[2, 1, 0], [1, 0, 1], [0, 1, 3]] * 2), [0, 1, 2] * 2


class Curved(CountNB):
    """Has decompose_scores, but is not linear."""

    def _log_likelihood(self, X, side):
        return super()._log_likelihood(X, side) ** 2


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (SVC(), "SVC is not a sum over terms.*LogisticRegression and LinearSVC"),
        (SVC(kernel="linear"), "SVC is not a sum over terms"),  # with three classes
        (NuSVC(kernel="linear", nu=0.1), "NuSVC is not a sum over terms"),
        (KNeighborsClassifier(2), "KNeighborsClassifier is not a sum over terms"),
        (make_pipeline(TruncatedSVD(2), LinearSVC()), "TruncatedSVD mixes terms"),
        (
            make_pipeline(StandardScaler(), LinearSVC()),
            "gives the empty document values that are not 0",
        ),
        (Curved(), "Curved gives the scores .* not linear in the terms"),
    ],
)
def test_models_that_are_refused(model, message):
    with pytest.raises(ValueError, match=message):
        explain_decision(model.fit(X, Y), X[0])


@pytest.mark.parametrize(
    ("document", "options", "message"),
    [
        (X[:2], {}, "one document at a time; got an array of shape \\(2, 3\\)"),
        ("some text", {}, "takes counts of terms, not texts"),
        (X[0], {"label": 7}, "label=7 is not a class of the model, which has \\[0, 1, 2\\]"),
        (X[0], {"label": 1, "against": 1}, "against=1 is the class to explain"),
        (X[0], {"against": "x"}, "against='x' is not a class"),
        (X[0], {"feature_names": ["a", "b"]}, "one name for each of the 3 columns"),
        (X[0, :2], {}, "features"),
    ],
)
def test_input_that_is_refused(document, options, message):
    with pytest.raises(ValueError, match=message):
        explain_decision(CountNB().fit(X, Y), document, **options)


def test_not_fitted():
    for classifier in (CountNB(), TextClassifier(), make_pipeline(TfidfTransformer(), LinearSVC())):
        with pytest.raises(NotFittedError):
            explain_decision(classifier, [1, 0])


@pytest.mark.parametrize(
    ("language", "text", "spelled"),
    [
        ("turkish", "IŞIKLAR İzmir'in", {"ışık": "ışıklar", "izmir": "izmir"}),  # noqa: RUF001
        ("hindi", "किताबों", {"किताब": "किताबों"}),  # vowels are marks
        ("english", "cafe\N{COMBINING ACUTE ACCENT}s", {"café": "cafés"}),
        ("english", "late_deliveries", {"late": "late", "deliveri": "deliveries"}),
    ],
)
def test_words_are_spelled_with_the_letters_of_their_language(language, text, spelled):
    classifier = TextClassifier("CNB", language=language, stop_words=False)
    classifier.fit([text, "xx"] * 2, [0, 1] * 2)
    contributions = explain_decision(classifier, text).contributions
    assert {word.word: word.spelling for word in contributions} == spelled


def test_stems_are_not_printed():
    texts = ["the delivery was late", "late delivery", "charged for a delivery", "charged twice"]
    labels = ["delivery", "delivery", "billing", "billing"]
    classifier = TextClassifier("SEMNB").fit(texts, labels)
    explanation = explain_decision(classifier, "deliveries charged, parties")
    assert explanation.unknown == ("parties",)
    [parents] = [line for line in str(explanation).splitlines() if "depends on" in line]
    assert "deliveries" in parents
    counts = classifier.count_terms(["deliveries charged"])  # no text, so no spelling of its own
    shown = {
        word.word: word.spelling for word in explain_decision(classifier, counts).contributions
    }
    assert shown == {"deliveri": "delivery", "charg": "charged"}


def test_the_column_of_numbers_is_named_after_what_they_are():
    texts, labels = ["late parcel parcel", "a lost parcel", "wrong charge"], ["d", "d", "b"]
    for vectorizer, measure in ((TfidfVectorizer(), "tf-idf"), (CountVectorizer(), "count")):
        pipeline = make_pipeline(vectorizer, LogisticRegression()).fit(texts, labels)
        explanation = explain_decision(pipeline, texts[0])
        row = vectorizer.transform(texts[:1]).toarray()[0]
        shown = dict(zip(vectorizer.get_feature_names_out().tolist(), row.tolist(), strict=True))
        assert {w.word: w.count for w in explanation.contributions} == {
            word: value for word, value in shown.items() if value
        }
        assert explanation.measure == measure
        assert explanation.to_dict().get("measure", "count") == measure
        head = str(explanation).splitlines()[1].split()
        assert head == ["word", measure, "score", "lead"]
    model = LogisticRegression().fit([[0.5, 1], [2, 0.1]], ["d", "b"])
    assert explain_decision(model, [0.5, 1]).measure == "value"
