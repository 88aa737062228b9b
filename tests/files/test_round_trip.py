"""What is loaded answers as what was saved, to the last bit."""

import json
import subprocess
import sys
import zipfile
from collections import Counter

import hypothesis.strategies as st
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis.extra import numpy as st_numpy
from scipy import sparse
from sklearn import config_context
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer, TfidfVectorizer
from sklearn.feature_selection import SelectKBest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import BernoulliNB, MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer
from sklearn.svm import LinearSVC

from honeybayes import (
    CountNB,
    FeatureSelectedNB,
    FeatureWeightedNB,
    HiddenNB,
    HigherOrderNB,
    HigherOrderSmoothingNB,
    InstanceWeightedNB,
    LocallyWeightedNB,
    ModelFileError,
    SmoothedBernoulliNB,
    TextClassifier,
    TreeNB,
    WordClusterNB,
    load_model,
    make_model,
    save_model,
)
from honeybayes.text import TermSelector, TextAnalyzer
from honeybayes.text.term_scores import chi_square, information_gain
from honeybayes.utils.state import Array, State, Strings
from tests.estimators import COUNTS, LABELS, TEXTS, Y, implementations, instances, small_data

OURS = [
    *instances(),
    SmoothedBernoulliNB(smoothing="jelinek-mercer", beta=0.3),
    SmoothedBernoulliNB(binarize=None),
    HigherOrderSmoothingNB(alpha=0, unlabeled=7),
    HiddenNB(rule="one-vs-rest", ovr_score="paper", parents=np.arange(5.0)),
    FeatureSelectedNB(rule="complement", shares=[0.5, 1.0]),
    FeatureWeightedNB(rule="one-vs-rest", weighting=np.arange(5.0)),
    FeatureWeightedNB(weighting="cfs"),
    InstanceWeightedNB(max_iter=3),
    InstanceWeightedNB(rule="complement"),
    LocallyWeightedNB(n_neighbors=2, weights="uniform"),
    TreeNB(min_share=0.1, rule="one-vs-rest"),
    WordClusterNB(n_clusters=3),
]
SKLEARN = [
    LogisticRegression(),
    LinearSVC(),
    LinearSVC(fit_intercept=False),
    MultinomialNB(alpha=0.0, force_alpha=True),
    BernoulliNB(),
]
TEXT_PIPELINES = [
    make_pipeline(CountVectorizer(analyzer=TextAnalyzer()), HiddenNB(rule="complement")),
    make_pipeline(
        CountVectorizer(
            analyzer=TextAnalyzer(language="turkish", stop_words={"ve", "bir"}, min_length=3)
        ),
        TermSelector(score_func="chi-square", n_terms=4),
        HigherOrderNB(),
    ),
    make_pipeline(CountVectorizer(stop_words=["the"], ngram_range=(1, 2)), CountNB()),
    make_pipeline(CountVectorizer(max_features=7, dtype=np.float32), "passthrough", LinearSVC()),
    make_pipeline(TfidfVectorizer(sublinear_tf=True), SelectKBest(k=5), LogisticRegression()),
    make_pipeline(CountVectorizer(), TfidfTransformer(), Normalizer("l1"), MultinomialNB()),
    make_pipeline(TfidfVectorizer(), TruncatedSVD(2, random_state=0), LogisticRegression()),
]


def there_and_back(model, folder, **options):
    save_model(model, folder / "model.hb")
    return load_model(folder / "model.hb", encoder=getattr(model, "encoder", None), **options)


def answers(model, documents):
    methods = ("predict", "predict_proba", "predict_joint_log_proba", "decision_function")
    return {name: getattr(model, name)(documents) for name in methods if hasattr(model, name)}


def assert_same(loaded, model, documents):
    expected = answers(model, documents)
    for method, found in answers(loaded, documents).items():
        assert found.dtype == expected[method].dtype
        assert found.tobytes() == expected[method].tobytes(), method
    assert len(expected) >= 2


def assert_same_state(loaded, model, path="model"):
    """Compare all attributes, through the estimators that they hold."""
    assert type(loaded) is type(model), path
    if sparse.issparse(model):
        assert loaded.shape == model.shape, path
        np.testing.assert_array_equal(loaded.indices, model.indices)  # scipy chooses the dtype
        np.testing.assert_array_equal(loaded.indptr, model.indptr)
        assert_same_state(loaded.data, model.data, path)
    elif isinstance(model, np.ndarray) and model.dtype != object:
        assert loaded.dtype == model.dtype, path
        if model.flags.forc:  # a view with gaps is saved without them
            assert loaded.flags.c_contiguous == model.flags.c_contiguous, path
        assert loaded.tobytes() == model.tobytes(), path
    elif isinstance(model, dict | BaseEstimator):
        parts, found = (each if type(each) is dict else vars(each) for each in (model, loaded))
        assert sorted(found) == sorted(parts), path
        for name, part in parts.items():
            assert_same_state(found[name], part, f"{path}.{name}")
    elif isinstance(model, list | tuple | np.ndarray):
        assert len(loaded) == len(model), path
        for position, part in enumerate(model):
            assert_same_state(loaded[position], part, f"{path}[{position}]")
    else:
        assert loaded == model, path


@pytest.mark.filterwarnings("ignore::honeybayes.exceptions.NoPathWarning")
@pytest.mark.parametrize("model", OURS, ids=repr)
def test_every_estimator(model, tmp_path):
    X, y = small_data(model)
    model.fit(X, y)
    loaded = there_and_back(model, tmp_path)
    assert repr(loaded) == repr(model)
    assert_same_state(loaded, model)
    if hasattr(model, "predict"):
        assert_same(loaded, model, X[::-1])
    else:
        transformed = loaded.transform(X), model.transform(X)
        if sparse.issparse(transformed[0]):
            transformed = [matrix.toarray() for matrix in transformed]
        np.testing.assert_array_equal(*transformed)


@pytest.mark.filterwarnings("ignore:divide by zero")
@pytest.mark.parametrize("model", SKLEARN, ids=repr)
def test_models_of_scikit_learn(model, tmp_path):
    model.fit(COUNTS, Y)
    loaded = there_and_back(model, tmp_path)
    assert_same(loaded, model, COUNTS[::-1])
    assert repr(loaded) == repr(model)


def test_our_scores_of_terms_as_parameters(tmp_path):
    for model in (
        FeatureSelectedNB(rule="one-vs-rest", score_func=information_gain),
        FeatureWeightedNB(rule="complement", weighting=chi_square),
    ):
        model.fit(COUNTS, Y)
        loaded = there_and_back(model, tmp_path)
        assert loaded.get_params() == model.get_params()
        assert_same(loaded, model, COUNTS)


@pytest.mark.filterwarnings("ignore::honeybayes.exceptions.NoPathWarning")
@pytest.mark.parametrize("model", TEXT_PIPELINES, ids=lambda model: str(model.steps[-1][1]))
def test_pipelines_of_text(model, tmp_path):
    model.fit(TEXTS, LABELS)
    assert_same(there_and_back(model, tmp_path), model, [*TEXTS, "", "never seen"])


@pytest.mark.filterwarnings("ignore::honeybayes.exceptions.NoPathWarning")
@pytest.mark.parametrize("name", implementations())
def test_every_implementation_of_the_zoo(name, tmp_path):
    model = make_model(name).fit(COUNTS, Y)
    assert_same(there_and_back(model, tmp_path), model, COUNTS)
    classifier = TextClassifier(model=name).fit(TEXTS, LABELS)
    assert_same(there_and_back(classifier, tmp_path), classifier, [*TEXTS, "", "never seen"])


def test_text_classifier_with_a_temperature_and_a_choice(tmp_path):
    days = ["monday", "tuesday", "wednesday", "thursday"]  # copies would count once
    texts, labels = [f"{text} {day}" for day in days for text in TEXTS], np.tile(LABELS, 4)
    classifier = TextClassifier("auto").fit(texts, labels)
    assert classifier.n_held_out_ == 24
    loaded = there_and_back(classifier, tmp_path)
    assert_same(loaded, classifier, [*TEXTS, "", "never seen"])
    assert loaded.choice_ == classifier.choice_
    assert loaded.choice_["model"] == "LogisticRegression-tfidf"
    assert loaded.temperature_ == classifier.temperature_ != 1
    assert loaded.n_held_out_ == 24
    without = TextClassifier("CNB", calibrate=None).fit(TEXTS, LABELS)
    assert there_and_back(without, tmp_path).temperature_ is None


@pytest.mark.parametrize(
    ("part", "name", "value", "message"),
    [
        (-1, "temperature_", -1.0, "temperature_ is -1.0, which is too small"),
        (-1, "temperature_", "hot", "temperature_ is 'hot', expected a finite number"),
        (-1, "n_held_out_", None, "n_held_out_ is None, expected an integer"),
        (None, "choice_", "CNB", "choice_ is str, expected a dict"),
        (None, "choice_", {"model": {"deep": [1]}}, "choice_ contains list"),
        (0, "spellings_", 1.0, "spellings_ is float, expected an object array of strings"),
        (0, "spellings_", "sea land", "spellings_ is str, expected an object array of strings"),
        (0, "spellings_", np.array(["sea"], dtype=object), r"spellings_ has shape"),
        (0, "spellings_", np.array([1] * 10, dtype=object), "spellings_ contains a value"),
    ],
)
def test_text_classifier_with_a_wrong_attribute(part, name, value, message, tmp_path):
    classifier = TextClassifier("CNB").fit(TEXTS, LABELS)
    setattr(classifier if part is None else classifier.pipeline_[part], name, value)
    with pytest.raises(ModelFileError, match=message):
        there_and_back(classifier, tmp_path)


def test_text_classifier_with_its_spellings(tmp_path):
    classifier = TextClassifier("CNB").fit(TEXTS, LABELS)
    loaded = there_and_back(classifier, tmp_path)
    assert loaded.spellings_.tolist() == classifier.spellings_.tolist() != loaded.terms_.tolist()


def test_text_classifier_with_its_own_model_and_terms(tmp_path):
    template = make_pipeline(TfidfTransformer(), LinearSVC())
    classifier = TextClassifier(template, stop_words=["boat"], n_terms=4).fit(TEXTS, LABELS)
    assert_same(there_and_back(classifier, tmp_path), classifier, TEXTS)


@pytest.mark.filterwarnings("ignore:.*constant", "ignore:invalid value")
def test_scores_that_are_no_numbers(tmp_path):
    X = np.column_stack([COUNTS.toarray(), np.zeros(5)])
    model = make_pipeline(SelectKBest(k=3), MultinomialNB()).fit(X, Y)
    assert np.isnan(model[0].scores_).any()
    assert_same(there_and_back(model, tmp_path), model, X)


@pytest.mark.parametrize(
    "labels",
    [
        np.array([True, True, False, False, True]),
        np.array(["ş", "ş", "ğ", "ğ", "İ"], dtype=object),
        np.array([2, 2, 9, 9, 2], dtype=np.uint8),
    ],
    ids=lambda labels: str(labels.dtype),
)
def test_labels_of_any_kind(labels, tmp_path):
    model = CountNB().fit(COUNTS, labels)
    loaded = there_and_back(model, tmp_path)
    assert loaded.classes_.dtype == model.classes_.dtype
    assert loaded.predict(COUNTS).tolist() == model.predict(COUNTS).tolist()


def test_names_of_columns(tmp_path):
    frame = pd.DataFrame(COUNTS.toarray(), columns=list("abcde"))
    loaded = there_and_back(CountNB().fit(frame, Y), tmp_path)
    loaded.predict(frame)
    with pytest.raises(ValueError, match="feature names should match"):
        loaded.predict(frame.rename(columns={"a": "z"}))


@pytest.mark.parametrize("model", [CountNB(rule="one-vs-rest"), SmoothedBernoulliNB()], ids=repr)
def test_learning_goes_on_after_loading(model, tmp_path):
    model.partial_fit(COUNTS[:2], Y[:2], classes=np.unique(Y))
    loaded = there_and_back(model, tmp_path)
    for each in (model, loaded):
        each.partial_fit(COUNTS[2:], Y[2:])
    assert_same(loaded, model, COUNTS)


@given(
    X=st_numpy.arrays(np.int64, (6, 4), elements=st.integers(0, 5)),
    y=st_numpy.arrays(np.int64, 6, elements=st.integers(-2, 2)),
)
def test_any_counts(X, y, tmp_path_factory):
    folder = tmp_path_factory.mktemp("any")
    for model in (CountNB(rule="one-vs-rest"), SmoothedBernoulliNB(smoothing="jelinek-mercer")):
        assert_same(there_and_back(model.fit(X, y), folder), model, X)


def test_a_vocabulary_of_numpy_integers_takes_no_member_a_word(tmp_path):
    model = make_pipeline(TfidfVectorizer(max_features=9), CountNB()).fit(TEXTS, LABELS)
    before = dict(model[0].vocabulary_)
    assert {type(column) for column in before.values()} == {np.int64}
    assert_same(there_and_back(model, tmp_path), model, TEXTS)
    assert all(model[0].vocabulary_[word] is column for word, column in before.items())
    with zipfile.ZipFile(tmp_path / "model.hb") as archive:
        assert len(archive.namelist()) == 2 + 1 + 6  # schema and about, idf_, CountNB's arrays


# --- classes and functions of the user ------------------------------------------------------------


def cut_at_spaces(text):
    return text.split()


class Doubler(TransformerMixin, BaseEstimator):
    def fit(self, X, y=None):
        self.factor_ = 2
        return self

    def transform(self, X):
        return self.factor_ * X


def test_types_of_the_user_have_to_be_trusted(tmp_path):
    model = make_pipeline(CountVectorizer(analyzer=cut_at_spaces), Doubler(), CountNB())
    model.fit(TEXTS, LABELS)
    names = [f"{__name__}.cut_at_spaces", f"{__name__}.Doubler"]
    with pytest.raises(ModelFileError, match="that are not allowed") as refusal:
        there_and_back(model, tmp_path)
    for name in names:
        assert name in str(refusal.value)
    assert_same(there_and_back(model, tmp_path, trusted=names), model, TEXTS)
    assert_same(there_and_back(model, tmp_path, trusted=[cut_at_spaces, Doubler]), model, TEXTS)


def test_a_counter_of_the_user_comes_back(tmp_path):
    model = Doubler().fit(COUNTS)
    model.seen_ = [Counter({1: 3, 2: 1}), Counter(a=2)]
    assert there_and_back(model, tmp_path, trusted=[Doubler, Counter]).seen_ == model.seen_


class Named(TransformerMixin, BaseEstimator):
    """An estimator of a user that declares its state."""

    fitted_attributes = State(words_=Strings("words"), weight_=Array(("words",), above=0))

    def fit(self, X, y=None):
        self.words_ = np.array(["plain", "with, comma", '"quoted"\n', "İstanbul", "", "\\"], object)
        self.weight_ = np.ones(6)
        return self

    def transform(self, X):
        return self.weight_.sum() * X


def test_a_class_of_the_user_is_checked_by_its_declaration(tmp_path):
    model = Named().fit(COUNTS)
    with pytest.raises(ModelFileError, match=rf"that are not allowed: {__name__}\.Named"):
        there_and_back(model, tmp_path)
    assert_same_state(there_and_back(model, tmp_path, trusted=[Named]), model)
    for name, value, message in [
        ("weight_", np.zeros(6), "weight_ contains 0.0, which is too small: more than 0"),
        ("weight_", np.ones(5), r"weight_ has shape \(5,\), expected \(6,\)"),
        ("words_", None, "words_ is NoneType, expected an object array of strings"),
        ("more_", 1, "more_ is not a declared attribute of Named: add it to fitted_attributes"),
    ]:
        broken = Named().fit(COUNTS)
        setattr(broken, name, value)
        with pytest.raises(ModelFileError, match=message):
            save_model(broken, tmp_path / "broken")


def test_strings_are_a_plain_list_in_the_file(tmp_path):
    save_model(Named().fit(COUNTS), tmp_path / "model")
    with zipfile.ZipFile(tmp_path / "model") as archive:
        attributes = json.loads(archive.read("model.json"))["content"]["content"]
    assert attributes["words_"]["content"] == [[6], Named().fit(COUNTS).words_.tolist()]


def test_a_transformer_with_set_output(tmp_path):
    frame = pd.DataFrame(COUNTS.toarray(), columns=list("abcde"))
    model = TermSelector(n_terms=2).set_output(transform="pandas").fit(frame, Y)
    pd.testing.assert_frame_equal(
        there_and_back(model, tmp_path).transform(frame), model.transform(frame)
    )


def test_metadata_requests_are_left_out(tmp_path):
    with config_context(enable_metadata_routing=True):
        model = CountNB().set_fit_request(sample_weight=True)
        model = make_pipeline(TfidfTransformer(), model).fit(COUNTS, Y)
        loaded = there_and_back(model, tmp_path)
    assert_same(loaded, model, COUNTS)
    assert "_metadata_request" in vars(model[-1])
    assert "_metadata_request" not in vars(loaded[-1])


def test_n_jobs_is_no_part_of_a_model(tmp_path):
    one, many = (TextClassifier(HigherOrderNB(n_jobs=n)) for n in (None, 1000))
    save_model(one.fit(TEXTS, LABELS), tmp_path / "one.hb")
    save_model(many.fit(TEXTS, LABELS), tmp_path / "many.hb")
    assert (tmp_path / "one.hb").read_bytes() == (tmp_path / "many.hb").read_bytes()
    loaded = load_model(tmp_path / "many.hb")
    assert loaded.get_params()["model__n_jobs"] is None
    assert loaded.model_.n_jobs is None


def test_trusted_is_no_string(tmp_path):
    save_model(CountNB().fit(COUNTS, Y), tmp_path / "model")
    with pytest.raises(TypeError, match="list of names"):
        load_model(tmp_path / "model", trusted="os.system")


# --- the file -------------------------------------------------------------------------------------


def test_nothing_is_compressed_and_the_file_says_what_wrote_it(tmp_path):
    save_model(HiddenNB().fit(COUNTS, Y), tmp_path / "model")
    with zipfile.ZipFile(tmp_path / "model") as archive:
        assert {member.compress_type for member in archive.infolist()} == {zipfile.ZIP_STORED}
        about = archive.read("honeybayes.json")
    assert b'"format": 1, "honeybayes": "' in about


def imported_by(code):
    script = f"import sys\n{code}\nprint(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    return set(run.stdout.split())


def test_loading_imports_what_the_model_needs_and_no_more(tmp_path):
    needless = {"numba", "matplotlib", "typer", "honeybayes.cli"}
    for model in (CountNB(), HiddenNB()):
        save_model(model.fit(COUNTS, Y), tmp_path / "model")
        modules = imported_by(
            f"from honeybayes.files import load_model; load_model({str(tmp_path / 'model')!r})"
        )
        assert type(model).__module__ in modules
        assert not modules & needless
        needless.discard("numba")  # HiddenNB needs it for the trial prediction
