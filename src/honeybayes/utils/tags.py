"""What a model can do, as its class declares, and which classes model files may hold.

An estimator class sets ``model_tags = ModelTags(...)``; `model_tags` reads it, also through a
pipeline. Only the use of dense features is declared by a parameter: ``n_dense``.
"""

from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from inspect import isabstract, signature
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

# The packages and modules that define estimators.
ROOMS = ("bayes", "calibration", "classifier", "semisupervised", "text", "vectors")


@dataclass(frozen=True)
class ModelTags:
    """What a model can do beyond scikit-learn's classifiers."""

    learns_from_unlabeled: bool = False  # their mark in y is the parameter ``unlabeled``
    learns_in_batches: bool = False  # ``partial_fit`` adds documents, and ``widen`` adds terms
    # ``predict_joint_log_proba`` adds up over the words of a document, which is not divided by its
    # length
    scores_grow_with_length: bool = True
    is_calibrated: bool = False  # ``fit`` sets the confidence, so a temperature is not needed
    # The last columns of X may be dense features. `model_tags` sets it: True for a class with a
    # parameter ``n_dense``, and for every class of another library that is not naive Bayes.
    takes_dense: bool = False


def last_step(model: Any) -> tuple[str, Any]:
    """Return the last step of a pipeline, also of nested ones, and the prefix of its parameters."""
    prefix = ""
    while hasattr(model, "steps"):
        name, model = model.steps[-1]
        prefix += f"{name}__"
    return prefix, model


def innermost_model(model: Any) -> tuple[str, Any]:
    """Return what decides in the end, through pipelines and meta-estimators, and its prefix.

    A meta-estimator names the parameter that holds its model in a class attribute
    ``inner_model``. The prefix is that of its parameters for ``set_params``, such as ``"svc__"``.
    """
    prefix, model = last_step(model)
    while hasattr(model, "inner_model"):
        inner_prefix, inner = last_step(getattr(model, model.inner_model))
        prefix, model = f"{prefix}{model.inner_model}__{inner_prefix}", inner
    return prefix, model


def model_tags(model: Any) -> ModelTags:
    """Return the tags of an estimator, through pipelines and meta-estimators, or of a class."""
    innermost = innermost_model(model)[1]
    declared = getattr(innermost, "model_tags", ModelTags())
    cls = innermost if isinstance(innermost, type) else type(innermost)
    is_ours = cls.__module__.partition(".")[0] == "honeybayes"
    takes_dense = "n_dense" in signature(cls.__init__).parameters  # type: ignore[misc]
    if not is_ours and not hasattr(cls, "predict_joint_log_proba"):
        takes_dense = True
    return replace(declared, takes_dense=takes_dense)


def unlabeled_parameter(model: Any) -> str | None:
    """Return the name for ``set_params`` of the mark of unlabeled documents, or None."""
    prefix, model = innermost_model(model)
    return f"{prefix}unlabeled" if model_tags(model).learns_from_unlabeled else None


def mark_of_unlabeled(model: Any) -> Any:
    """Return the value of y that marks documents without a label, or None."""
    parameter = unlabeled_parameter(model)
    return None if parameter is None else model.get_params()[parameter]


def storable_class(full_name: str) -> type | None:
    """Return a public class that declares its state, or None; only its module is imported."""
    module, _, name = full_name.rpartition(".")
    if module not in _module_names() or name.startswith(("_", "Base")):
        return None
    cls = vars(import_module(module)).get(name)
    is_own = isinstance(cls, type) and (cls.__module__, cls.__name__) == (module, name)
    return cls if is_own and hasattr(cls, "fitted_attributes") and not isabstract(cls) else None


@cache
def _module_names() -> tuple[str, ...]:
    """List the modules that may define estimators; none is imported."""
    names = []
    for room in ROOMS:
        names.append(f"honeybayes.{room}")
        folder = Path(__file__).parents[1] / room
        names += [each.name for each in iter_modules([str(folder)], f"honeybayes.{room}.")]
    return tuple(name for name in names if not name.endswith("_kernels"))  # these load numba
