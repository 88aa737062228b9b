"""The zoo: every name makes a model that works, and says where it comes from."""

from pathlib import Path

import numpy as np
import pytest
from sklearn.base import clone

from honeybayes import describe_model, list_models, make_model
from honeybayes.classifier.model_choice import SEMISUPERVISED, SUPERVISED
from honeybayes.zoo import RECOMMENDED

RNG = np.random.default_rng(0)
X = RNG.poisson(0.6, (40, 20))
y = RNG.choice(["a", "b", "c"], 40)

# The names of the tables of the papers whose models are built.
PUBLISHED = [
    *("NB", "HONB", "pure HONB", "mNB", "SVM", "HOSVM", "NBSVM"),  # honb-2009
    *("NB", "HONB", "pure HONB", "mNB", "NBWC"),  # honb-2009
    "HONB pure",  # honb-tkde
    *("Rw,cMNB", "Rw,cCNB", "Rw,cOVA", "GRSMNB", "GRSCNB", "GRSOVA"),  # hmnb
    *("DWMNB", "DWCNB", "DWOVA"),  # hmnb
    *("HONB pure", "LSI kNN"),  # honb-tkde
    *("SMO-linear", "SMO-polynomial", "SMO-RBF", "SMO-N-IHOSK"),  # ihosk-2014
    *("MVNB", "MVNB+JM", "HOS"),  # hos-2012
    *("MNB", "CNB", "OVA", "SEMNB", "SECNB", "SEOVA", "HMNB", "HCNB", "HOVA"),  # hmnb
    *("MNBTree", "CNBTree", "OVATree", "LWWMNB", "LWWCNB", "LWWOVA"),  # hmnb
]


def test_published_names():
    assert set(PUBLISHED) <= set(list_models())
    assert len(set(list_models())) == len(list_models())


@pytest.mark.filterwarnings("ignore::honeybayes.NoPathWarning")
@pytest.mark.parametrize("name", list_models())
def test_every_name_makes_a_working_model(name):
    model = make_model(name)
    assert clone(model).get_params().keys() == model.get_params().keys()
    assert set(model.fit(X, y).predict(X)) <= {"a", "b", "c"}


@pytest.mark.parametrize("name", list_models())
def test_every_name_is_described(name):
    entry = describe_model(name)
    assert entry.name == name
    assert entry.summary
    assert bool(entry.paper) == bool(entry.equations) == (not entry.tfidf)


def test_the_recommended_models_are_those_that_auto_takes_and_the_guide_names():
    assert {SUPERVISED, SEMISUPERVISED} <= set(RECOMMENDED) <= set(list_models())
    guide = (Path(__file__).parents[1] / "docs" / "choosing-a-model.md").read_text("utf-8")
    assert all(f"| `{name}`" in guide for name in RECOMMENDED)


def test_parameters_can_be_changed():
    assert make_model("HCNB", alpha=0.5).alpha == 0.5
    assert make_model("LogisticRegression-tfidf", C=3)[-1].C == 3


@pytest.mark.parametrize(
    ("name", "hint"), [("HNCB", "'HCNB'"), ("honb", "'HONB'"), ("linearsvc", "'LinearSVC-tfidf'")]
)
def test_near_matches(name, hint):
    with pytest.raises(ValueError, match=f"No model is called '{name}'. Did you mean .*{hint}"):
        make_model(name)


def test_nothing_near():
    with pytest.raises(ValueError, match=r"No model is called 'zzzzzz'\. See list_models\(\)"):
        describe_model("zzzzzz")


def test_nobody_can_change_the_zoo():
    with pytest.raises(TypeError):
        describe_model("HCNB").parameters["rule"] = "multinomial"
