"""What a comparison showed: pictures, and a page that needs no network."""

from honeybayes.report._examination import Examination, Hard, examine
from honeybayes.report._page import write_report
from honeybayes.report._plots import plot_confusion, plot_learning_curves, plot_reliability

__all__ = [
    "Examination",
    "Hard",
    "examine",
    "plot_confusion",
    "plot_learning_curves",
    "plot_reliability",
    "write_report",
]
