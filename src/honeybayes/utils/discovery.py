"""Find the estimators of the package. There is no list to maintain."""

import inspect
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from sklearn.base import BaseEstimator

# The packages and modules that define estimators.
ROOMS = ("bayes", "calibration", "classifier", "semisupervised", "text", "vectors")


@cache
def all_estimators() -> tuple[tuple[str, type], ...]:
    """List the public estimator classes of honeybayes with their names, sorted by name.

    They feed the estimator checks, the round trips of model files, the fuzzer and the API page.
    """
    found = {
        cls.__name__: cls
        for module in _module_names()
        for cls in _classes_of(module).values()
        if issubclass(cls, BaseEstimator)
    }
    return tuple(sorted(found.items()))


def storable_class(full_name: str) -> type | None:
    """Return a class that declares its state, or None. Only the module of the class is imported."""
    module, _, name = full_name.rpartition(".")
    cls = _classes_of(module).get(name) if module in _module_names() else None
    return cls if hasattr(cls, "fitted_attributes") else None


@cache
def _module_names() -> tuple[str, ...]:
    """List the modules that may define estimators; none is imported."""
    names = []
    for room in ROOMS:
        names.append(f"honeybayes.{room}")
        folder = Path(__file__).parents[1] / room
        names += [each.name for each in iter_modules([str(folder)], f"honeybayes.{room}.")]
    return tuple(name for name in names if not name.endswith("_kernels"))  # these load numba


@cache
def _classes_of(module_name: str) -> dict[str, type]:
    """Return the public concrete classes that a module defines, by name."""
    return {
        name: cls
        for name, cls in inspect.getmembers(import_module(module_name), inspect.isclass)
        if cls.__module__ == module_name
        and cls.__name__ == name
        and not name.startswith(("_", "Base"))
        and not inspect.isabstract(cls)
    }
