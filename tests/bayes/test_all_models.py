"""Rules that every classifier of the package `bayes` follows."""

import inspect
import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn import config_context
from sklearn.base import clone
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline

from honeybayes.bayes import (
    CountNB,
    FeatureSelectedNB,
    FeatureWeightedNB,
    HiddenNB,
    HigherOrderNB,
    HigherOrderSmoothingNB,
    LocallyWeightedNB,
    SmoothedBernoulliNB,
    StructureExtendedNB,
    TreeNB,
)
from honeybayes.exceptions import NoPathWarning
from honeybayes.utils.state import check_state
from tests.bayes.count_oracle import RULES, random_counts
from tests.estimators import all_estimators

CLASSES = [cls for _, cls in all_estimators() if cls.__module__.startswith("honeybayes.bayes.")]
every_class = pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)

# a value of each parameter that differs from its default, and changes the model (but for n_jobs)
OTHER_VALUES = {
    "n_jobs": 2,
    "alpha": 7.5,
    "beta": 0.9,
    "binarize": 1.5,
    "em_steps": 2,
    "event_model": "multinomial",
    "first_order_alpha": 3.5,
    "fit_prior": False,
    "frequencies": "counts",
    "max_iter": 1,
    "min_share": 0.1,
    "n_clusters": 3,
    "n_neighbors": 2,
    "order": 1,
    "ovr_score": "paper",
    "parents": np.ones(40),
    "path_total": "all",
    "prior": "uniform",
    "pure": "class",
    "random_state": 1,
    "rule": "complement",
    "score_func": "chi-square",
    "shares": (0.3,),
    "smoothing": "jelinek-mercer",
    "unlabeled": 0,
    "weighting": "cfs",
    "weights": "uniform",
}
WITHOUT_WEIGHTS = (FeatureSelectedNB, LocallyWeightedNB)
WEIGHTED = [
    *(cls() for cls in CLASSES if cls not in WITHOUT_WEIGHTS),
    *(FeatureWeightedNB(rule="one-vs-rest", weighting=name) for name in ("cfs", "tree")),
    *(HiddenNB(rule=rule) for rule in RULES[1:]),
    HiddenNB(parents=np.arange(40.0)),
    HiddenNB(em_steps=3),
    *(StructureExtendedNB(rule=rule) for rule in RULES[1:]),
    HigherOrderNB(order=1, prior="documents"),
    HigherOrderNB(pure="class", prior="uniform"),
    HigherOrderNB(pure="corpus"),
    *(HigherOrderNB(frequencies=kind) for kind in ("counts", "log", "length")),
    HigherOrderNB(event_model="multinomial", frequencies="log"),
    HigherOrderSmoothingNB(alpha=0, unlabeled=3),
    HigherOrderSmoothingNB(frequencies="length"),
    *(TreeNB(min_share=0.2, rule=rule) for rule in RULES),
]
every_weighted = pytest.mark.parametrize("model", WEIGHTED, ids=lambda model: repr(model)[:50])
X, y = random_counts()
NEW, _ = random_counts(seed=5)


@every_class
def test_constructors_are_keyword_only(cls):
    parameters = list(inspect.signature(cls.__init__).parameters.values())[1:]
    assert parameters
    assert all(parameter.kind is parameter.KEYWORD_ONLY for parameter in parameters)


@every_class
@pytest.mark.parametrize("rule", RULES)
def test_parameters_are_frozen_at_fit(cls, rule):
    model = cls(rule=rule) if "rule" in cls().get_params() else cls()
    model.fit(X, y)
    expected = model.predict_joint_log_proba(NEW)
    for name in model.get_params():
        changed = clone(model).fit(X, y).set_params(**{name: OTHER_VALUES[name]})
        assert_array_equal(changed.predict_joint_log_proba(NEW), expected, err_msg=name)
        check_state(changed)


@every_weighted
def test_integer_weights_repeat_documents(model):
    times = np.random.default_rng(1).integers(0, 4, len(y))
    weighted = clone(model).fit(X, y, sample_weight=times)
    repeated = clone(model).fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    check_state(weighted)
    scores = weighted.predict_joint_log_proba(NEW)
    assert_allclose(scores, repeated.predict_joint_log_proba(NEW), rtol=1e-9, atol=1e-9)
    plain = clone(model).fit(X, y).predict_joint_log_proba(NEW)
    assert not np.allclose(scores, plain)


@every_weighted
def test_weights_of_one_change_nothing(model):
    ones = clone(model).fit(X, y, sample_weight=np.ones(len(y)))
    plain = clone(model).fit(X, y)
    assert_allclose(ones.predict_joint_log_proba(NEW), plain.predict_joint_log_proba(NEW))


@every_weighted
def test_fractional_weights(model):
    weights = np.random.default_rng(2).choice([0, 0.1, 0.5, 1.7], len(y))
    fitted = clone(model).fit(X, y, sample_weight=weights)
    check_state(fitted)
    assert np.isfinite(fitted.predict_joint_log_proba(NEW)).all()
    if getattr(model, "weighting", None) == "tree":
        return  # a small change decides between terms that split equally well
    moved = weights + 1e-9 * (weights > 0)
    nearly = clone(model).fit(X, y, sample_weight=moved).predict_joint_log_proba(NEW)
    assert_allclose(fitted.predict_joint_log_proba(NEW), nearly, rtol=1e-5, atol=1e-5)


@every_weighted
def test_class_without_weight(model):
    """Its documents are not there, so it is as improbable as the smoothing of priors allows."""
    weights = (y != 1).astype(float)
    with warnings.catch_warnings():
        warnings.simplefilter("error", NoPathWarning)
        fitted = clone(model).fit(X, y, sample_weight=weights)
    assert not np.isnan(fitted.predict_log_proba(NEW)).any()
    if isinstance(model, SmoothedBernoulliNB | HigherOrderNB | HigherOrderSmoothingNB):
        assert fitted.class_log_prior_[1] == -np.inf
        assert not (fitted.predict(NEW) == 1).any()


@every_weighted
@pytest.mark.parametrize("bad", [-1.0, np.nan, 0.0])
def test_unusable_weights(model, bad):
    with pytest.raises(ValueError, match=r"[Ss]ample.weight|NaN"):
        clone(model).fit(X, y, sample_weight=np.full(len(y), bad))


@pytest.mark.parametrize("cls", WITHOUT_WEIGHTS, ids=lambda cls: cls.__name__)
def test_models_without_weights_say_why(cls):
    assert "sample_weight" not in inspect.signature(cls.fit).parameters
    assert "There is no ``sample_weight``, because" in cls.__doc__


def test_settings_without_weights():
    with pytest.raises(ValueError, match="available for orders 1 and 2; got order=3"):
        HigherOrderNB(order=3).fit(X, y, sample_weight=np.ones(len(y)))
    with pytest.raises(ValueError, match="callable, which cannot use sample_weight"):
        FeatureWeightedNB(weighting=lambda X, y: np.ones(40)).fit(X, y, sample_weight=y + 1)
    labels = np.where(y == 0, 0, -1)
    with pytest.raises(ValueError, match="All labeled documents have weight 0"):
        HigherOrderSmoothingNB(unlabeled=-1).fit(X, labels, sample_weight=(labels == -1) * 1.0)


@every_weighted
def test_metadata_routing(model):
    weights = np.random.default_rng(3).integers(1, 4, len(y))
    with config_context(enable_metadata_routing=True):
        pipeline = Pipeline(
            [("tf", TfidfTransformer(use_idf=False, norm=None)), ("model", clone(model))]
        )
        pipeline.named_steps["model"].set_fit_request(sample_weight=True)
        routed = pipeline.fit(X, y, sample_weight=weights).predict_proba(NEW)
    expected = clone(model).fit(X, y, sample_weight=weights).predict_proba(NEW)
    assert_allclose(routed, expected)


def test_metadata_routing_through_a_search():
    weights = np.random.default_rng(3).integers(1, 4, len(y))
    with config_context(enable_metadata_routing=True):
        model = CountNB().set_fit_request(sample_weight=True).set_score_request(sample_weight=False)
        search = GridSearchCV(model, {"alpha": [1.0]}, cv=3).fit(X, y, sample_weight=weights)
    expected = CountNB().fit(X, y, sample_weight=weights)
    assert_array_equal(search.best_estimator_.feature_count_, expected.feature_count_)


SUMS = [cls for cls in CLASSES if cls not in (LocallyWeightedNB, TreeNB)]


@pytest.mark.parametrize("cls", SUMS, ids=lambda cls: cls.__name__)
@pytest.mark.parametrize("rule", RULES)
def test_parts_add_up_to_the_score(cls, rule):
    model = cls(rule=rule) if "rule" in cls().get_params() else cls()
    model.fit(X, y)
    empty = model.predict_joint_log_proba(np.zeros((1, 40)))[0]
    for document in NEW[:5]:
        parts = model.decompose_scores(document[np.newaxis], [2, 0])
        score = model.predict_joint_log_proba(document[np.newaxis])[0]
        assert_allclose(parts.contributions.sum(axis=0), (score - empty)[[2, 0]], atol=1e-9)
        assert_array_equal(parts.terms, np.flatnonzero(document))
        has_parents = cls in (HiddenNB, StructureExtendedNB)
        assert (parts.parents is not None) == has_parents


def test_models_whose_score_is_no_sum_have_no_parts():
    assert not hasattr(LocallyWeightedNB(), "decompose_scores")
    assert not hasattr(TreeNB(), "decompose_scores")


def test_path_settings():
    model = HigherOrderNB(pure="corpus").fit(X, y)
    settings = model.path_settings()
    assert settings[:3] == (False, 2, "corpus")
    assert settings.counts is model.path_count_
    assert not settings.weighted
    smoothing = HigherOrderSmoothingNB().fit(X, y, sample_weight=y + 1)
    assert smoothing.path_settings()[:3] == (True, 2, None)
    assert smoothing.path_settings().weighted
    assert HigherOrderSmoothingNB(beta=0).fit(X, y).path_settings().order == 0
    assert_array_equal(model.presence(X).toarray(), X > 0)
    assert_array_equal(HigherOrderNB(binarize=1).fit(X, y).presence(X).toarray(), X > 1)
