"""All charts: numbers for the template of a page, and pictures that matplotlib draws."""

from honeybayes.charts.page_chart import Chart, Points, color_name, round_ticks, y_range
from honeybayes.charts.pictures import (
    plot_confusion,
    plot_critical_difference,
    plot_decision,
    plot_learning_curves,
    plot_reliability,
    plot_word,
)

__all__ = [
    "Chart",
    "Points",
    "color_name",
    "plot_confusion",
    "plot_critical_difference",
    "plot_decision",
    "plot_learning_curves",
    "plot_reliability",
    "plot_word",
    "round_ticks",
    "y_range",
]
