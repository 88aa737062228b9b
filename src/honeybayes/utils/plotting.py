"""New figures for plots. matplotlib is imported when the first figure is drawn."""

from typing import TYPE_CHECKING, Any

from honeybayes.utils.optional import import_optional

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def new_axes(ax: Any = None, *, width: float, height: float) -> Any:
    """Return ``ax``, or the axes of a new pyplot figure if it is None.

    Parameters
    ----------
    ax : matplotlib axes, optional
        Axes that the caller was given.
    width, height : float
        Size of a new figure in inches.

    Returns
    -------
    matplotlib axes
    """
    if ax is not None:
        return ax
    pyplot = import_optional("matplotlib.pyplot", "report")
    return pyplot.subplots(figsize=(width, height), layout="constrained")[1]


def new_figure(width: float, height: float) -> "Figure":
    """Return a new figure that is not registered in pyplot, so it need not be closed.

    Parameters
    ----------
    width, height : float
        Size in inches.

    Returns
    -------
    matplotlib.figure.Figure
    """
    figure = import_optional("matplotlib.figure", "report")
    return figure.Figure(figsize=(width, height), layout="constrained")
