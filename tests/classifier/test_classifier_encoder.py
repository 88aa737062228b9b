"""TextClassifier(encoder=...): words and vectors for one model, from fit to files."""

from functools import partial

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.utils.validation import validate_data

from honeybayes import (
    FewDocumentsWarning,
    ModelFileError,
    TextClassifier,
    TextVectorizer,
    explain_decision,
    load_model,
    save_model,
    telling_words,
)
from honeybayes.explain import readable_telling_words
from honeybayes.tables import load_corpus
from honeybayes.text import TextEncoder
from honeybayes.utils.state import Array, Integer, State
from honeybayes.utils.tags import ModelTags
from tests.encoders import WIDTH, WordHasher, hash_words

CORPUS = load_corpus("messages")
TEXTS, LABELS = CORPUS.documents[::4], CORPUS.labels[::4]
NEW = CORPUS.documents[1::8]


class TwoViews(ClassifierMixin, BaseEstimator):
    """A model with ``n_dense``: the nearest centroid of the dense columns, if there are any."""

    model_tags = ModelTags(learns_from_unlabeled=True)
    fitted_attributes = State(centroids_=Array(("classes", "dense")), _n_dense=Integer())

    def __init__(self, *, n_dense=0, unlabeled=None):
        self.n_dense = n_dense
        self.unlabeled = unlabeled

    def fit(self, X, y):
        X, y = validate_data(self, X, y, accept_sparse="csr")
        labeled = y != self.unlabeled if self.unlabeled is not None else np.ones(len(y), bool)
        self.classes_, self._n_dense = np.unique(y[labeled]), self.n_dense
        dense = self._dense(X)
        self.centroids_ = np.array([dense[y == label].mean(axis=0) for label in self.classes_])
        return self

    def _dense(self, X):
        return X[:, X.shape[1] - self._n_dense :].toarray()

    def decision_function(self, X):
        scores = self._dense(validate_data(self, X, accept_sparse="csr", reset=False))
        scores = scores @ self.centroids_.T
        return scores if len(self.classes_) > 2 else scores[:, 1] - scores[:, 0]

    def predict(self, X):
        scores = self.decision_function(X)
        best = scores.argmax(axis=1) if scores.ndim == 2 else (scores > 0).astype(int)
        return self.classes_[best]


def unit(texts):
    vectors = hash_words(texts)
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-300)


# --- fit and predict ------------------------------------------------------------------------------


def test_linear_models_get_tf_idf_beside_vectors():
    vectorizer, tfidf = TextVectorizer(), TfidfTransformer(sublinear_tf=True)
    words = tfidf.fit_transform(vectorizer.fit_transform(TEXTS))
    model = LogisticRegression(C=10, max_iter=1000)
    model.fit(sparse.hstack([words, unit(TEXTS)]).tocsr(), LABELS)
    new = sparse.hstack([tfidf.transform(vectorizer.transform(NEW)), unit(NEW)]).tocsr()
    linear = TextClassifier("LogisticRegression-tfidf", encoder=hash_words)
    classifier = clone(linear).set_params(calibrate=None).fit(TEXTS, LABELS)
    np.testing.assert_allclose(classifier.predict_proba(NEW), model.predict_proba(new), atol=1e-4)
    calibrated = linear.fit(TEXTS, LABELS)
    assert calibrated.n_held_out_ == len(TEXTS)
    assert calibrated.predict(NEW).tolist() == classifier.predict(NEW).tolist()
    assert calibrated.temperature_ != 1


def test_the_parts():
    linear = TextClassifier("LogisticRegression-tfidf", encoder=hash_words, n_terms=20)
    classifier = linear.fit(TEXTS, LABELS)
    assert [name for name, _ in classifier.pipeline_.steps] == ["features", "calibrated"]
    assert len(classifier.terms_) == len(classifier.spellings_) == 20
    assert classifier.n_dense_ == WIDTH
    features = classifier.compute_features(NEW)
    assert features.shape == (len(NEW), 20 + WIDTH)
    np.testing.assert_array_equal(features[:, :20].toarray(), classifier.count_terms(NEW).toarray())
    np.testing.assert_allclose(features[:, 20:].toarray(), unit(NEW), atol=1e-6)
    alone = TextClassifier(n_terms=20).fit(TEXTS, LABELS)
    assert alone.terms_.tolist() == classifier.terms_.tolist()
    assert alone.n_dense_ == 0
    assert alone.compute_features(NEW).shape == (len(NEW), 20)


@pytest.mark.parametrize(
    "options", [{}, {"n_terms": 20}, {"min_df": 3, "calibrate": None}], ids=str
)
def test_a_model_with_n_dense_gets_the_vectors_last(options):
    """The answers of a model that looks at the dense columns alone do not depend on the words."""
    classifier = TextClassifier(TwoViews(), encoder=hash_words, **options).fit(TEXTS, LABELS)
    assert classifier.model_.n_dense == WIDTH
    centroids = [unit(TEXTS)[label == LABELS].mean(axis=0) for label in classifier.classes_]
    np.testing.assert_allclose(classifier.model_.centroids_, centroids, atol=1e-6)
    expected = classifier.classes_[(unit(NEW) @ np.transpose(centroids)).argmax(axis=1)]
    assert classifier.predict(NEW).tolist() == expected.tolist()


def test_vectors_with_numbers_that_are_always_zero():
    """In the folds of the calibration, terms that do not occur are dropped, dense columns not."""

    def padded(texts):
        return np.hstack([hash_words(texts), np.zeros((len(texts), 3))])

    classifier = TextClassifier(TwoViews(), encoder=padded).fit(TEXTS, LABELS)
    assert classifier.model_.centroids_.shape[1] == WIDTH + 3
    with_zeros = TextClassifier(encoder=padded).fit(TEXTS, LABELS)
    without = TextClassifier(encoder=hash_words).fit(TEXTS, LABELS)
    np.testing.assert_allclose(with_zeros.predict_proba(NEW), without.predict_proba(NEW), atol=1e-3)


def test_a_pool_is_encoded_too():
    encoder = WordHasher()
    classifier = TextClassifier(TwoViews(), encoder=TextEncoder(encoder, cache=False))
    classifier.fit(TEXTS, LABELS, pool=["pooled words"])
    assert "pooled words" in encoder.encoded
    assert classifier.predict(NEW).shape == (len(NEW),)


@pytest.mark.parametrize(
    ("pool", "step", "most", "chosen"),
    [
        (NEW, 4, 2000, "FewLabels"),
        (None, 4, 2000, "FewLabels"),
        (None, 4, 50, "LogisticRegression-tfidf"),
        (None, 2, 50, "LinearSVC-tfidf"),
    ],
)
def test_the_choice_of_a_model(pool, step, most, chosen, monkeypatch):
    monkeypatch.setattr("honeybayes.classifier.choices.MOST_WITH_VECTORS", most)
    classifier = TextClassifier(encoder=hash_words, min_df=2)
    classifier.fit(CORPUS.documents[::step], CORPUS.labels[::step], pool=pool)
    assert classifier.predict(NEW).shape == (len(NEW),)
    assert classifier.choice_["model"] == chosen
    assert classifier.n_dense_ == len(hash_words(["a"])[0])


def test_weights_searches_and_clones():
    encoder = WordHasher()
    classifier = TextClassifier(encoder=encoder, calibrate=None)
    assert clone(classifier).encoder is encoder
    weights = np.where(LABELS[0] == LABELS, 9.0, 1.0)
    assert (classifier.fit(TEXTS, LABELS, sample_weight=weights).predict(NEW) == LABELS[0]).any()
    assert cross_val_score(classifier, TEXTS, LABELS, cv=2).shape == (2,)
    search = GridSearchCV(classifier, {"model__C": [1, 10]}, cv=2)
    assert search.fit(TEXTS, LABELS).best_estimator_.encoder is encoder


def test_blank_texts_and_unknown_words():
    classifier = TextClassifier(encoder=hash_words).fit(TEXTS, LABELS)
    probabilities = classifier.predict_proba(["", "qwertz"])
    assert np.isfinite(probabilities).all()
    assert probabilities[0].tolist() != probabilities[1].tolist()  # the vector is not empty


# --- refusals -------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", ["CNB", "HONB", "ComplementNB-tfidf", "SVM"])
def test_models_of_counts_refuse_before_anything_is_encoded(model):
    encoder = WordHasher()
    message = "cannot learn from the vectors .* one of .*LogisticRegression-tfidf, LinearSVC-tfidf"
    with pytest.raises(ValueError, match=message):
        TextClassifier(model, encoder=encoder).fit(TEXTS, LABELS)
    assert encoder.encoded == []


def test_partial_fit_refuses():
    with pytest.raises(ValueError, match=r"partial_fit adds every term .* encoder=None"):
        TextClassifier("CNB", encoder=hash_words).partial_fit(TEXTS, LABELS, np.unique(LABELS))
    classifier = TextClassifier(encoder=hash_words).fit(TEXTS, LABELS)
    classifier.set_params(encoder=None, model="CNB")
    assert not hasattr(classifier, "partial_fit")


def test_a_wrong_encoder():
    with pytest.raises(ValueError, match="encoder must be the name of a model, a function"):
        TextClassifier(encoder=3).fit(TEXTS, LABELS)


# --- explanations ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options", [{}, {"n_terms": 40}, {"calibrate": None, "n_terms": 40}], ids=str
)
def test_the_vector_is_one_line_of_an_explanation(options):
    classifier = TextClassifier("LogisticRegression-tfidf", encoder=hash_words, **options)
    classifier.fit(TEXTS, LABELS)
    for text in NEW[:5]:
        explanation = explain_decision(classifier, text)
        (meaning,) = [c for c in explanation.contributions if c.word == "meaning of the text"]
        (row,) = np.flatnonzero(classifier.classes_ == explanation.label)
        weights = classifier.model_[-1].coef_[row, -WIDTH:]
        assert meaning.score == pytest.approx(float((weights @ unit([text]).T)[0]), abs=1e-5)
        total = explanation.baseline + sum(c.score for c in explanation.contributions)
        assert total == pytest.approx(explanation.score)
        words = {c.word for c in explanation.contributions} - {"meaning of the text"}
        assert words <= set(classifier.terms_)
        assert "meaning of the text      1" in str(explanation)
    assert all(word != "meaning of the text" for _, word, _ in _told(classifier))
    assert readable_telling_words(classifier).keys() == set(classifier.classes_)


def _told(classifier):
    return [(label, *pair) for label, own in telling_words(classifier, 50).items() for pair in own]


def test_a_text_of_unknown_words_and_a_blank_one():
    classifier = TextClassifier(encoder=hash_words).fit(TEXTS, LABELS)
    (only,) = explain_decision(classifier, "qwertz").contributions
    assert only.word == only.spelling == "meaning of the text"
    assert explain_decision(classifier, "").contributions == ()


# --- model files ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def classifier():
    return TextClassifier(encoder=hash_words, n_terms=40).fit(TEXTS, LABELS)


@pytest.fixture(scope="module")
def path(classifier, tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "model.hb"
    save_model(classifier, path)
    return path


def test_a_file_holds_the_name_and_no_code(classifier, path):
    content = path.read_bytes()
    assert b"tests.encoders.hash_words" in content
    assert b"FunctionNode" not in content
    assert classifier.encoder is hash_words  # saving changes nothing


@pytest.mark.parametrize(
    "encoder",
    [
        hash_words,
        WordHasher(),
        lambda texts: 7 * hash_words(texts) + 1e-6,  # another scale, and rounding
        lambda texts: hash_words(texts).astype(np.float32).tolist(),
    ],
    ids=["function", "object", "rounded", "float32"],
)
def test_the_same_encoder_is_accepted(encoder, classifier, path):
    loaded = load_model(path, encoder=encoder)
    assert loaded.encoder is encoder
    np.testing.assert_allclose(loaded.predict_proba(NEW), classifier.predict_proba(NEW), atol=1e-5)
    assert loaded.fit(TEXTS, LABELS).predict(NEW).tolist() == classifier.predict(NEW).tolist()


@pytest.mark.parametrize(
    ("encoder", "message"),
    [
        (None, r"needs the encoder 'tests.encoders.hash_words'.* with `encoder`"),
        (lambda texts: hash_words([text.upper() + "!" for text in texts]), "another encoder than"),
        (lambda texts: -hash_words(texts), r"differ by up to .* \(at most 0.001 is allowed\)"),
        (lambda texts: hash_words(texts)[:, 1:], "vectors of 15 numbers instead of 16"),
        (lambda texts: hash_words(texts) * np.nan, "contains NaN"),
        (3, "encoder must be the name of a model"),
    ],
)
def test_another_encoder_is_refused(encoder, message, path):
    with pytest.raises(ModelFileError, match=message):
        load_model(path, encoder=encoder)


def test_an_encoder_that_fails_is_no_damaged_file(path):
    def fail(texts):
        raise ConnectionError("no network")

    with pytest.raises(ConnectionError, match="no network"):
        load_model(path, encoder=fail)


def test_an_encoder_for_a_model_without_one(tmp_path):
    save_model(TextClassifier("CNB").fit(TEXTS, LABELS), tmp_path / "model.hb")
    with pytest.raises(ModelFileError, match="uses no encoder"):
        load_model(tmp_path / "model.hb", encoder=hash_words)


def test_settings_of_a_text_encoder_and_a_model_of_the_user(tmp_path):
    encoder = TextEncoder(partial(hash_words), batch_size=7, cache=False)
    classifier = TextClassifier(TwoViews(), encoder=encoder).fit(TEXTS, LABELS)
    save_model(classifier, tmp_path / "model.hb")
    loaded = load_model(tmp_path / "model.hb", trusted=[TwoViews], encoder=hash_words)
    assert loaded.encoder.encoder is hash_words
    assert (loaded.encoder.batch_size, loaded.encoder.cache) == (7, False)
    assert loaded.predict(NEW).tolist() == classifier.predict(NEW).tolist()


def test_a_pipeline_with_a_text_encoder(tmp_path):
    model = make_pipeline(TextEncoder(hash_words), LogisticRegression()).fit(TEXTS, LABELS)
    save_model(model, tmp_path / "model.hb")
    loaded = load_model(tmp_path / "model.hb", encoder=hash_words)
    np.testing.assert_array_equal(loaded.predict_proba(NEW), model.predict_proba(NEW))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda c: setattr(c, "encoder", None), "does not begin with a TextVectorizer and a Text"),
        (lambda c: c.pipeline_[0].transformer_list.reverse(), "does not begin with a TextV"),
        (
            lambda c: setattr(c.pipeline_[0]["meaning"], "probes_", np.ones((5, 16), "f4")),
            "probes_",
        ),
    ],
)
def test_a_file_with_parts_that_do_not_match(change, message, tmp_path):
    broken = TextClassifier(encoder=hash_words).fit(TEXTS, LABELS)
    change(broken)
    with pytest.raises(ModelFileError, match=message):
        save_model(broken, tmp_path / "model.hb")


def test_a_file_with_an_encoder_of_other_columns(tmp_path):
    broken = TextClassifier(encoder=hash_words).fit(TEXTS, LABELS)
    broken.pipeline_[0]["meaning"].probes_ = np.eye(5, dtype="f4")
    save_model(broken, tmp_path / "model.hb")
    with pytest.raises(ModelFileError, match="encoder"):
        load_model(tmp_path / "model.hb", encoder=hash_words)


def test_a_file_leaves_out_the_number_of_processes(tmp_path):
    classifier = TextClassifier(encoder=hash_words).fit(TEXTS, LABELS)
    classifier.pipeline_[0].set_params(n_jobs=2)
    save_model(classifier, tmp_path / "model.hb")
    assert load_model(tmp_path / "model.hb", encoder=hash_words).pipeline_[0].n_jobs is None


@pytest.mark.filterwarnings("ignore", category=FewDocumentsWarning)
def test_two_classes(tmp_path):
    classifier = TextClassifier(encoder=hash_words).fit(["a boat", "a hill"], ["sea", "land"])
    save_model(classifier, tmp_path / "model.hb")
    loaded = load_model(tmp_path / "model.hb", encoder=hash_words)
    assert loaded.predict(["boat", "hill"]).tolist() == ["sea", "land"]
    assert explain_decision(loaded, "boat").label == "sea"
