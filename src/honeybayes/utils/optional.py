"""Packages that only an extra installs: imports, and figures of matplotlib."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def import_optional(module: str, extra: str) -> Any:
    """Import a module, or raise ImportError with the command that installs the extra."""
    package = module.partition(".")[0]
    try:
        import_module(package)
        return import_module(module)
    except ImportError as error:
        raise ImportError(
            f"This needs {package}, which could not be imported ({error}). "
            f"Install it with: pip install 'honeybayes[{extra}]'"
        ) from error


def new_axes(ax: Any = None, *, width: float, height: float) -> Any:
    """Return ``ax``, or the axes of a new pyplot figure of this size in inches if it is None."""
    if ax is not None:
        return ax
    pyplot = import_optional("matplotlib.pyplot", "report")
    return pyplot.subplots(figsize=(width, height), layout="constrained")[1]


def new_figure(width: float, height: float) -> "Figure":
    """Return a new figure, in inches, that pyplot does not keep, so nobody has to close it."""
    figure = import_optional("matplotlib.figure", "report")
    return figure.Figure(figsize=(width, height), layout="constrained")
