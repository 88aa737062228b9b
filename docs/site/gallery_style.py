"""The style of the plots in the gallery: that of the other pictures."""

import matplotlib.pyplot as plt
from cycler import cycler

from honeybayes.charts.page_chart import COLORS


def use_colors(gallery_conf: object, example: str) -> None:
    """Set the style before each example."""
    plt.rcParams.update(
        {
            "axes.prop_cycle": cycler(color=COLORS),
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.grid": True,
            "axes.axisbelow": True,
            "grid.alpha": 0.25,
            "legend.frameon": False,
            "figure.figsize": (6.4, 3.8),
        }
    )
