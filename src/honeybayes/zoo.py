"""Names for configured estimators: the acronyms of the papers, and common models.

A name may be followed by settings, which are parameters of the estimator: "HOS beta=0.3". So they
can be typed wherever a name can: in Python, on the command line, in a table of results.
"""

import inspect
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

from honeybayes.utils.messages import did_you_mean
from honeybayes.utils.parameters import describe_parameters
from honeybayes.utils.tags import model_tags

if TYPE_CHECKING:
    from honeybayes.utils.meta_estimators import Classifier

__all__ = ["ModelEntry", "describe_model", "list_models", "make_model", "models_with"]

WORDS = {"yes": True, "no": False, "true": True, "false": False, "none": None}
SET_BY_DATA = ("unlabeled", "n_dense")  # parameters that no setting changes


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
    same_as : str
        The usual name of the same model, if another paper calls it by this one.
    """

    name: str
    summary: str
    estimator: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    paper: str = ""
    equations: str = ""
    tfidf: bool = False
    same_as: str = ""


@cache
def _entries() -> dict[str, ModelEntry]:
    """Read ``zoo.toml``, which says how its entries are written."""
    table = tomllib.loads(Path(__file__).with_name("zoo.toml").read_text("utf-8"))
    found = {}
    for pattern, entry in table["models"].items():
        entry["paper"] = table["papers"].get(entry.get("paper"), entry.get("paper", ""))
        parameters = entry.get("parameters", {}).items()
        entry["parameters"] = {key: None if v == "none" else v for key, v in parameters}
        if "*" not in pattern:
            found[pattern] = entry
            continue
        equations = entry["equations"]
        for number, (name, rule) in enumerate(table["rules"].items()):  # for the asterisk
            found[pattern.replace("*", name)] = entry | {
                "summary": entry["summary"].format(name=name, rule=rule),
                "parameters": {"rule": rule, **entry["parameters"]},
                "equations": equations if isinstance(equations, str) else equations[number],
            }
    return {name: ModelEntry(name, **entry) for name, entry in found.items()}


# The advice of docs/choosing-a-model.md for text: name -> situation.
RECOMMENDED = {
    "FewLabels": "few labels and many unlabeled texts",
    "LogisticRegression-tfidf": "few labels and nothing else",
    "LinearSVC-tfidf": "25 labels per class or more",
}


def list_models() -> list[str]:
    """List the names of all models.

    Returns
    -------
    list of str
        The recommended models, then the others in the order of the papers. A model has one name
        here; names that other papers give it are accepted, too.

    Examples
    --------
    >>> from honeybayes import list_models
    >>> list_models()[:5]
    ['FewLabels', 'LogisticRegression-tfidf', 'LinearSVC-tfidf', 'NB', 'MVNB+JM']

    A table of them:

    >>> import pandas
    >>> from honeybayes import describe_model
    >>> table = pandas.DataFrame(map(describe_model, list_models()))
    >>> table.columns[:3].tolist()
    ['name', 'summary', 'estimator']
    """
    own_names = (name for name, entry in _entries().items() if not entry.same_as)
    return list(dict.fromkeys([*RECOMMENDED, *own_names]))


def models_with(tag: str) -> list[str]:
    """List the names of the models whose class declares a tag.

    Parameters
    ----------
    tag : str
        A field of ``honeybayes.utils.tags.ModelTags``.

    Examples
    --------
    >>> from honeybayes.zoo import models_with
    >>> models_with("learns_from_unlabeled")
    ['FewLabels', 'HOS', 'HOS-alpha0']
    """
    models = {name: resolve_name(_entries()[name].estimator) for name in list_models()}
    return [name for name, model in models.items() if getattr(model_tags(model), tag)]


def describe_model(name: str) -> ModelEntry:
    """Return the description, source and configuration of a model.

    Parameters
    ----------
    name : str
        One of `list_models`, or one with settings: "HOS beta=0.3".

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
    known, settings = split_settings(name)
    if known not in _entries():
        hint = did_you_mean(known, _entries(), n=3, cutoff=0.5)
        raise ValueError(
            f"No model is called {known!r}.{hint} See list_models() or `honeybayes models`."
        )
    entry = _entries()[known]
    entry = replace(entry, parameters=dict(entry.parameters))  # all callers share what was read
    return _with_settings(entry, settings) if settings else entry


def split_settings(name: str) -> tuple[str, list[str]]:
    """Split "HOS beta=0.3" into a name, which may contain spaces, and its settings."""
    words = name.split()
    n = next((n for n in range(len(words), 0, -1) if " ".join(words[:n]) in _entries()), 1)
    return " ".join(words[:n]), words[n:]


def is_model_name(name: str) -> bool:
    """Tell if a name is one of `list_models`, with or without settings."""
    return split_settings(name)[0] in _entries()


def settings_of(name: str) -> dict[str, tuple[str, str]]:
    """Return the value, as it is typed, and the description of each parameter that can be set."""
    entry = describe_model(name)
    estimator = resolve_name(entry.estimator)
    known, described = inspect.signature(estimator).parameters, describe_parameters(estimator)
    return {
        name: (_as_typed(entry.parameters.get(name, parameter.default)), described.get(name, ""))
        for name, parameter in known.items()
        if name not in SET_BY_DATA
    }


def _with_settings(entry: ModelEntry, settings: list[str]) -> ModelEntry:
    """Add settings to an entry; raise ValueError if the estimator does not take them."""
    possible, parameters = settings_of(entry.name), dict(entry.parameters)
    for name, has_value, value in (setting.partition("=") for setting in settings):
        if name not in possible:
            others = f"Its settings are: {', '.join(possible)}.{did_you_mean(name, possible)}"
            raise ValueError(f"{entry.name} has no setting {name!r}. {others}")
        if not has_value and possible[name][0] not in ("yes", "no"):
            example = f"{name}={possible[name][0]}"
            raise ValueError(
                f"The setting {name!r} of {entry.name} needs a value, without spaces: {example}"
            )
        parameters[name] = _read_value(value) if has_value else True
    model = resolve_name(entry.estimator)(**parameters)
    try:
        check = getattr(model, "_check_parameters", None) or model._validate_params
        check()
    except ValueError as error:  # scikit-learn's message has its own kind
        raise ValueError(f"{entry.name} {' '.join(settings)}: {error}") from error
    return replace(entry, name=f"{entry.name} {' '.join(settings)}", parameters=parameters)


def _as_typed(value: Any) -> str:
    """Return a value as `_read_value` reads it."""
    if isinstance(value, list | tuple):
        return ",".join(map(_as_typed, value))
    return next((word for word, meant in WORDS.items() if meant is value), str(value))


def _read_value(typed: str) -> Any:
    """Turn what was typed into None, a bool, a number, a list of numbers, or a text."""
    if typed.lower() in WORDS:
        return WORDS[typed.lower()]
    if "," in typed:
        return [_read_value(each) for each in typed.split(",")]
    for kind in (int, float):
        try:
            return kind(typed)
        except ValueError:
            continue
    return typed


def make_model(name: str, **parameters: Any) -> "Classifier":
    """Make an unfitted model from its name.

    Parameters
    ----------
    name : str
        One of `list_models`, or one with settings: "HOS beta=0.3 alpha=0".
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
    >>> make_model("HOS beta=0.3")
    HigherOrderSmoothingNB(beta=0.3)
    """
    entry = describe_model(name)
    model = resolve_name(entry.estimator)(**{**entry.parameters, **parameters})
    if not entry.tfidf:
        return model
    from sklearn.feature_extraction.text import TfidfTransformer
    from sklearn.pipeline import make_pipeline

    return make_pipeline(TfidfTransformer(sublinear_tf=True), model)
