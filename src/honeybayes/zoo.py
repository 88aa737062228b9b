"""Names for configured estimators: the acronyms of the papers, and common models."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any

from honeybayes.utils.suggestions import did_you_mean
from honeybayes.utils.tags import ModelTags, model_tags


@dataclass(frozen=True)
class ModelEntry:
    """A configured estimator and its name.

    Parameters
    ----------
    name : str
        As in the paper's tables.
    summary : str
        Short description.
    estimator : str
        Module and class, ``"package.module:Class"``.
    parameters : mapping
        Arguments of the class.
    paper : str
        Source of the model.
    equations : str
        Equations of the paper that define the model.
    tfidf : bool
        Whether counts are first converted to tf-idf (sublinear, unit length).
    """

    name: str
    summary: str
    estimator: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    paper: str = ""
    equations: str = ""
    tfidf: bool = False

    def __post_init__(self) -> None:
        # read-only, because all callers share the entry
        object.__setattr__(self, "parameters", MappingProxyType(dict(self.parameters)))


@cache
def _entries() -> dict[str, ModelEntry]:
    """Read ``zoo.toml``, which says how its entries are written."""
    table = tomllib.loads(Path(__file__).with_name("zoo.toml").read_text("utf-8"))
    found: list[tuple[str, dict[str, Any]]] = []
    for name, entry in table["models"].items():
        entry["paper"] = table["papers"].get(entry.get("paper"), entry.get("paper", ""))
        found += _entries_by_rule(name, entry, table["rules"]) if "*" in name else [(name, entry)]
    return {name: ModelEntry(name, **entry) for name, entry in found}


def _entries_by_rule(
    pattern: str, entry: dict[str, Any], rules: dict[str, str]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield three entries for one: in the name, a rule replaces the asterisk."""
    equations = entry["equations"]
    for number, (name, rule) in enumerate(rules.items()):
        own = {
            "summary": entry["summary"].format(name=name, rule=rule),
            "parameters": {"rule": rule, **entry.get("parameters", {})},
            "equations": equations if isinstance(equations, str) else equations[number],
        }
        yield pattern.replace("*", name), entry | own


# The advice of docs/choosing-a-model.md for text: name -> situation.
RECOMMENDED = {
    "FewLabels": "few labels and many unlabeled texts",
    "LogisticRegression-tfidf": "few labels and nothing else",
    "LinearSVC-tfidf": "hundreds of labels per class",
}


def list_models() -> list[str]:
    """List the names of all models.

    Returns
    -------
    list of str
        In the order of the papers. Other common models are last.

    Examples
    --------
    >>> from honeybayes import list_models
    >>> list_models()[:4]
    ['NB', 'MVNB', 'MVNB+JM', 'HONB']
    """
    return list(_entries())


def models_with(tag: str) -> list[str]:
    """List the names of the models whose class declares a tag.

    Parameters
    ----------
    tag : str
        A field of `honeybayes.utils.tags.ModelTags`.

    Returns
    -------
    list of str

    Examples
    --------
    >>> from honeybayes.zoo import models_with
    >>> models_with("learns_from_unlabeled")
    ['HOS', 'HOS-alpha0', 'FewLabels']
    """
    return [name for name, tags in _tags_of_models().items() if getattr(tags, tag)]


@cache
def _tags_of_models() -> dict[str, ModelTags]:
    """Return what each class declares; this imports them all."""
    return {name: model_tags(_load(entry)) for name, entry in _entries().items()}


def describe_model(name: str) -> ModelEntry:
    """Return the description, source and configuration of a model.

    Parameters
    ----------
    name : str
        One of `list_models`.

    Returns
    -------
    ModelEntry
        The entry with paper, equations, class and parameters.

    Examples
    --------
    >>> from honeybayes import describe_model
    >>> entry = describe_model("HCNB")
    >>> entry.estimator, dict(entry.parameters), entry.equations
    ('honeybayes.bayes:HiddenNB', {'rule': 'complement'}, 'Eq. 15, 17-18, Algorithms 3-4')
    """
    if name not in _entries():
        hint = did_you_mean(name, _entries(), n=3, cutoff=0.5)
        raise ValueError(
            f"No model is called {name!r}.{hint} See list_models() or `honeybayes models`."
        )
    return _entries()[name]


def make_model(name: str, **parameters: Any) -> Any:
    """Make an unfitted model from its name.

    Parameters
    ----------
    name : str
        One of `list_models`.
    **parameters
        Parameters that replace the parameters of the entry.

    Returns
    -------
    estimator
        An unfitted model for counts of terms. Models on tf-idf are pipelines.

    Examples
    --------
    >>> from honeybayes import make_model
    >>> make_model("HCNB")
    HiddenNB(rule='complement')
    >>> make_model("HOS", beta=0.3)
    HigherOrderSmoothingNB(beta=0.3)
    """
    entry = describe_model(name)
    model = _load(entry)(**{**entry.parameters, **parameters})
    if not entry.tfidf:
        return model
    from sklearn.feature_extraction.text import TfidfTransformer
    from sklearn.pipeline import make_pipeline

    return make_pipeline(TfidfTransformer(sublinear_tf=True), model)


def _load(entry: ModelEntry) -> Any:
    module, _, class_name = entry.estimator.partition(":")
    return getattr(import_module(module), class_name)
