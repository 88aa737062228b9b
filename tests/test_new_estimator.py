"""The estimator that CONTRIBUTING.md shows: it declares its state, and everything else works."""

import importlib
import re
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from sklearn.utils.estimator_checks import check_estimator

from honeybayes import ModelFileError, TextClassifier, explain_decision, load_model, save_model
from honeybayes.utils.state import check_state
from tests.estimators import all_estimators, storable_classes

CONTRIBUTING = Path(__file__).parents[1] / "CONTRIBUTING.md"
X = np.array([[2.0, 1, 0, 0], [1, 3, 0, 0], [0, 0, 1, 2], [0, 1, 3, 1], [4, 0, 0, 4]])
Y = ["sea", "sea", "land", "land", "shore"]


@pytest.fixture(scope="module")
def module(tmp_path_factory):
    (code,) = re.findall("```python\n(.*?)```", CONTRIBUTING.read_text(encoding="utf-8"), re.DOTALL)
    assert len([line for line in code.splitlines() if line]) <= 30
    folder = tmp_path_factory.mktemp("new")
    (folder / "centroid.py").write_text(code, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        yield importlib.import_module("centroid")
    del sys.modules["centroid"]


def test_it_passes_the_checks_of_scikit_learn(module):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_estimator(module.CentroidNB(), on_skip=None)


@pytest.mark.parametrize("y", [Y, ["a", "a", "b", "b", "b"]], ids=["three classes", "two classes"])
def test_it_is_saved_loaded_and_explained(y, module, tmp_path):
    model = module.CentroidNB().fit(X, y)
    check_state(model)
    save_model(model, tmp_path / "model.hb")
    with pytest.raises(ModelFileError, match=r"not allowed: centroid\.CentroidNB"):
        load_model(tmp_path / "model.hb")
    loaded = load_model(tmp_path / "model.hb", trusted=[module.CentroidNB])
    assert loaded.predict_joint_log_proba(X).tobytes() == model.predict_joint_log_proba(X).tobytes()
    assert vars(loaded).keys() == vars(model).keys()
    decision = explain_decision(loaded, X[:1], feature_names=["boat", "wave", "hill", "river"])
    assert decision.label == model.predict(X[:1])[0]
    parts = {each.word: each.lead for each in decision.contributions}
    assert set(parts) == {"boat", "wave"}
    assert decision.baseline_lead + sum(parts.values()) == pytest.approx(decision.lead)


def test_it_classifies_texts(module):
    texts = ["the boat on the wave", "a wave", "the hill by the river", "a hill and a hill"]
    classifier = TextClassifier(module.CentroidNB()).fit(texts, ["sea", "sea", "land", "land"])
    assert classifier.predict(["a river below a hill"]).tolist() == ["land"]
    assert explain_decision(classifier, "boat").label == "sea"


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("means_", np.zeros((3, 3)), r"means_ has shape \(3, 3\), expected \(3, 4\)"),
        ("means_", np.full((3, 4), np.nan), "means_ contains NaN"),
        ("offsets_", None, "offsets_ is NoneType"),
        ("predict", 1, "predict is not a declared attribute of CentroidNB"),
    ],
)
def test_a_broken_state_is_refused(name, value, message, module, tmp_path):
    model = module.CentroidNB().fit(X, Y)
    setattr(model, name, value)
    with pytest.raises(ModelFileError, match=message):
        save_model(model, tmp_path / "model.hb")


def test_inside_honeybayes_it_is_found_without_a_list(module, monkeypatch):
    """As a module of a package that holds estimators; nothing else names it."""
    monkeypatch.setitem(sys.modules, "honeybayes.bayes.centroid", module)
    monkeypatch.setattr(module.CentroidNB, "__module__", "honeybayes.bayes.centroid")
    monkeypatch.setattr(
        "honeybayes.utils.tags._module_names", lambda: ("honeybayes.bayes.centroid",)
    )
    assert all_estimators.__wrapped__() == (("CentroidNB", module.CentroidNB),)
    assert list(storable_classes()) == ["honeybayes.bayes.centroid.CentroidNB"]
