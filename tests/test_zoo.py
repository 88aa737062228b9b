"""The zoo: every name makes a model that works, and says where it comes from."""

from pathlib import Path

import numpy as np
import pytest
from sklearn.base import clone

from honeybayes import TextClassifier, describe_model, list_models, make_model
from honeybayes.classifier.choices import SEMISUPERVISED, SUPERVISED
from honeybayes.utils.digests import settings_text
from honeybayes.zoo import RECOMMENDED, is_model_name, settings_of

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
    *("MNBTree", "CNBTree", "OVATree", "LWWMNB", "LWWCNB", "LWWOVA", "LWCNB", "LWOVA"),  # hmnb
    "SMO-IHOSK",  # ihosk-2014
]


def test_published_names():
    assert all(map(is_model_name, PUBLISHED))
    assert len(set(list_models())) == len(list_models())
    assert list_models()[: len(RECOMMENDED)] == list(RECOMMENDED)


@pytest.mark.parametrize("name", sorted({*PUBLISHED, *list_models()} - {*list_models()}))
def test_another_name_of_a_model_is_accepted_but_not_listed(name):
    usual = describe_model(name).same_as
    assert usual in list_models()
    assert settings_text(make_model(name)) == settings_text(make_model(usual))


def test_an_entry_of_one_caller_is_not_that_of_another():
    describe_model("HCNB").parameters["rule"] = "other"
    assert describe_model("HCNB").parameters == {"rule": "complement"}


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


def parameters_of(name):
    """Return the parameters of the estimator, which is the last step of a pipeline."""
    model = make_model(name)
    return (model.steps[-1][1] if hasattr(model, "steps") else model).get_params()


@pytest.mark.parametrize("name", list_models())
def test_every_setting_can_be_typed(name):
    settings = settings_of(name)
    typed = " ".join(f"{setting}={value}" for setting, (value, _) in settings.items() if value)
    same, usual = (
        {key: list(value) if isinstance(value, tuple) else value for key, value in known.items()}
        for known in (parameters_of(f"{name} {typed}"), parameters_of(name))
    )
    assert same == usual
    assert not set(settings) & {"unlabeled", "n_dense"}
    of_ours = describe_model(name).estimator.startswith("honeybayes")
    assert all(about for _, about in settings.values()) or not of_ours


@pytest.mark.parametrize(
    ("typed", "parameters"),
    [
        ("HONB order=3", {"order": 3}),
        ("pure HONB pure=class alpha=.5", {"pure": "class", "alpha": 0.5}),
        ("HOS frequencies=log beta=0.3 alpha=0", {"frequencies": "log", "beta": 0.3, "alpha": 0}),
        ("SMO-N-IHOSK n_iter=3 normalize=none weighting=tf-idf", {"n_iter": 3, "normalize": None}),
        ("HOSVM kernel=rbf multiclass=one-vs-rest", {"multiclass": "one-vs-rest"}),
        ("SVM Cs=0.1,1 per_pair=no", {"Cs": [0.1, 1], "per_pair": False}),
        ("FewLabels outliers", {"outliers": True}),
    ],
)
def test_settings_after_a_name_are_parameters(typed, parameters):
    model = make_model(typed)
    assert parameters.items() <= model.get_params().items()
    assert describe_model(typed).name == typed
    first, value = next(iter(parameters.items()))
    assert TextClassifier(typed).get_params()[f"model__{first}"] == value
    assert is_model_name(typed)


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("HOS betta=1", "HOS has no setting 'betta'. .* Did you mean 'beta'"),
        ("HOS beta=2", "HOS beta=2: beta must be a number from 0 to 1; got 2"),
        ("HOS beta=much", "got 'much'"),
        ("HOS beta", "'beta' of HOS needs a value, without spaces: beta=0.5"),
        ("HOS beta = 0.3", "needs a value, without spaces"),
        ("HOS unlabeled=-1", "no setting 'unlabeled'"),
        ("LogisticRegression-tfidf C=-1", "The 'C' parameter of LogisticRegression must be"),
        ("HOSS beta=0.3", "No model is called 'HOSS'"),
    ],
)
def test_wrong_settings_are_refused_by_name(typed, message):
    with pytest.raises(ValueError, match=message):
        make_model(typed)


def test_a_classifier_with_settings_answers_as_with_parameters():
    texts, labels = ["red sea", "red hill", "blue sea", "blue hill", "red", "blue"], list("aabbab")
    typed, given = (
        TextClassifier(model, calibrate=None).fit(texts, labels).predict_proba(texts)
        for model in ("HOS beta=0.1 alpha=0.5", make_model("HOS", beta=0.1, alpha=0.5))
    )
    np.testing.assert_array_equal(typed, given)


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
