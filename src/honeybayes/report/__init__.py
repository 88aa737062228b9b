"""Reports as one HTML page that needs no network, and plots of a comparison."""

from honeybayes.charts.pictures import plot_learning_curves
from honeybayes.report._examination import estimate_gain as estimate_gain
from honeybayes.report._examination import examine as examine
from honeybayes.report._page import write_labeling_report, write_model_report, write_report

__all__ = ["plot_learning_curves", "write_labeling_report", "write_model_report", "write_report"]
