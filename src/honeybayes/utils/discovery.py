"""All estimators of the package, found by looking."""

import inspect
from functools import cache
from importlib import import_module
from pkgutil import walk_packages

from sklearn.base import BaseEstimator

from honeybayes.utils.state import declares_state

# The packages and modules that define estimators.
ROOMS = ("bayes", "calibration", "classifier", "model_choice", "semisupervised", "text", "vectors")


@cache
def all_estimators() -> tuple[tuple[str, type], ...]:
    """List every public estimator class of honeybayes.

    Like `sklearn.utils.discovery.all_estimators`. It feeds the estimator checks, the round trips of
    model files, the fuzzer, the API page and the completeness test.

    Returns
    -------
    tuple of (str, type)
        Name and class, sorted by name.

    Examples
    --------
    >>> from honeybayes.utils.discovery import all_estimators
    >>> [name for name, _ in all_estimators() if name.startswith("Higher")]
    ['HigherOrderNB', 'HigherOrderSVC', 'HigherOrderSmoothingNB', 'HigherOrderTransformer']
    """
    found = {cls.__name__: cls for cls in _classes() if issubclass(cls, BaseEstimator)}
    return tuple(sorted(found.items()))


@cache
def storable_classes() -> dict[str, type]:
    """Return all classes of honeybayes that declare their state, by full name."""
    return {f"{cls.__module__}.{cls.__name__}": cls for cls in _classes() if declares_state(cls)}


def _classes() -> list[type]:
    modules = []
    for room in ROOMS:
        module = import_module(f"honeybayes.{room}")
        modules.append(module)
        if hasattr(module, "__path__"):
            inner = [info.name for info in walk_packages(module.__path__, f"{module.__name__}.")]
            # kernels would load numba
            modules += [import_module(name) for name in inner if not name.endswith("_kernels")]
    return [
        cls
        for module in modules
        for name, cls in inspect.getmembers(module, inspect.isclass)
        if cls.__module__ == module.__name__
        and not name.startswith(("_", "Base"))
        and not inspect.isabstract(cls)
    ]
