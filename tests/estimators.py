"""Every estimator of honeybayes, in the configurations that the tests run, and data to fit them.

A new estimator is found by `all_estimators` and runs with its default parameters. It needs an entry
in `CONFIGURATIONS` only if other parameters should run instead.
"""

import inspect
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, is_classifier
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.pipeline import Pipeline
from sklearn.svm import LinearSVC
from sklearn.utils import get_tags

from honeybayes import CountNB, list_models, make_model
from honeybayes.text import TermSelector
from honeybayes.utils import tags
from tests.encoders import WordHasher

BY_RULE = [{"rule": rule} for rule in ("multinomial", "complement", "one-vs-rest")]
CONFIGURATIONS: dict[str, list[dict[str, Any]]] = {
    "AssociationWeightedNB": [{"rule": "one-vs-rest"}],
    "ColumnFeatures": [{}, {"numbers": ["price"], "categories": ["shop"]}],
    "CountNB": BY_RULE,
    "FeatureSelectedNB": [{"rule": "one-vs-rest"}],
    "FeatureWeightedNB": [
        {"rule": "one-vs-rest"},
        {"rule": "complement", "weighting": "cfs"},
        {"weighting": "tree"},
    ],
    "FewLabelsClassifier": [
        {},
        {"outliers": True, "n_dense": 1},
    ],
    "HiddenNB": [*BY_RULE, {"rule": "one-vs-rest", "ovr_score": "paper"}, {"em_steps": 2}],
    "HigherOrderNB": [
        {},
        {"pure": "class", "prior": "documents"},
        {"pure": "corpus", "prior": "uniform"},
        {"order": 3},
        {"frequencies": "counts"},
    ],
    "HigherOrderSVC": [{"Cs": (0.01, 1.0)}, {"estimates": "first-order", "C": 1.0}],
    "HigherOrderSmoothingNB": [{}, {"alpha": 0}, {"frequencies": "length"}],
    "HigherOrderTransformer": [{}, {"absent": "shifted", "estimates": "first-order"}],
    "InstanceWeightedNB": [{"rule": "complement"}],
    "IterativeHigherOrderKernel": [
        {},
        {"n_iter": 3, "normalize": None, "unit_diagonal": True},
        {"normalize": "z-score", "weighting": "log-entropy"},
    ],
    "LSIKNeighborsClassifier": [{}, {"n_neighbors": 5}],
    "LocallyWeightedNB": [
        {},
        {"n_neighbors": 3, "rule": "complement"},
        {"n_neighbors": 3, "weights": "uniform", "rule": "one-vs-rest"},
    ],
    "OnTerms": [
        {"transformer": TfidfTransformer()},
        {"transformer": TermSelector(n_terms=2), "n_dense": 1},
    ],
    "SemanticSVC": [{}, {"C": "training-accuracy", "Cs": (0.1, 10), "unit_diagonal": True}],
    "SmoothedBernoulliNB": [{}, {"smoothing": "jelinek-mercer"}],
    "StructureExtendedNB": BY_RULE,
    "TemperatureScaledClassifier": [
        {},
        {"estimator": LinearSVC()},
        {"estimator": CountNB(), "selector": TermSelector(n_terms=50)},
    ],
    "TermSelector": [
        {},
        {"n_terms": 2},
        {"score_func": "gain-ratio"},
        {"score_func": "chi-square"},
    ],
    "TextClassifier": [
        {},
        {"model": "CNB", "n_terms": 5},
        {"model": "NB", "calibrate": None},
        {"n_terms": 5, "encoder": WordHasher()},
    ],
    "TextEncoder": [{"encoder": WordHasher()}, {"encoder": WordHasher(), "cache": False}],
    "TextVectorizer": [{}, {"ngram_range": (1, 2), "min_df": 2}],
    "TreeNB": BY_RULE,
    "TunedSVC": [
        {},
        {"kernel": "rbf", "C": 1.0, "gamma": "auto", "per_pair": True, "binarize": 0.0},
    ],
    "WordClusterNB": [{"n_clusters": 2, **rule} for rule in BY_RULE],
}

COUNTS = sparse.csr_array(
    [[2, 1, 0, 0, 1], [1, 0, 1, 0, 0], [0, 3, 1, 0, 0], [0, 0, 1, 2, 1], [1, 0, 0, 1, 2]]
)
Y = np.array([3, 3, 1, 1, 7])
TEXTS = [
    "The red boat is on the sea",
    "waves and sand by the sea",
    "a boat in the waves",
    "green hills and a river",
    "the river runs through the hills",
    "sand and stones on the hill",
]
LABELS = np.array(["sea", "sea", "sea", "land", "land", "land"])


def instances() -> list[Any]:
    """Make every estimator in every configuration. Meta-estimators get a CountNB."""
    made = []
    for name, cls in all_estimators():
        required = {
            parameter.name: CountNB()
            for parameter in inspect.signature(cls).parameters.values()
            if parameter.default is parameter.empty
        }
        made += [cls(**{**required, **options}) for options in CONFIGURATIONS.get(name, [{}])]
    return made


def implementations() -> list[str]:
    """Return the first model of the zoo that each class implements."""
    made: dict[type, str] = {}
    for name in list_models():
        model = make_model(name)
        made.setdefault(type(model[-1] if isinstance(model, Pipeline) else model), name)
    return list(made.values())


def small_data(estimator: Any) -> tuple[Any, np.ndarray]:
    """Return labeled texts for an estimator that reads texts, otherwise labeled counts.

    There are two classes for transformers, which may not support more.
    """
    if not get_tags(estimator).input_tags.two_d_array:
        return TEXTS, LABELS
    return COUNTS, Y if is_classifier(estimator) else Y > 1


def classes_of(module_name: str) -> dict[str, type]:
    """Return the public concrete classes that a module defines, by name."""
    return {
        name: cls
        for name, cls in inspect.getmembers(import_module(module_name), inspect.isclass)
        if cls.__module__ == module_name
        and cls.__name__ == name
        and not name.startswith(("_", "Base"))
        and not inspect.isabstract(cls)
    }


@cache
def all_estimators() -> tuple[tuple[str, type], ...]:
    """List the public estimator classes of honeybayes with their names, sorted by name."""
    found = {
        cls.__name__: cls
        for module in tags._module_names()
        for cls in classes_of(module).values()
        if issubclass(cls, BaseEstimator)
    }
    return tuple(sorted(found.items()))


def storable_classes() -> dict[str, type]:
    """Return all classes of honeybayes that declare their state, by full name."""
    return {
        f"{module}.{name}": cls
        for module in tags._module_names()
        for name, cls in classes_of(module).items()
        if hasattr(cls, "fitted_attributes")
    }
