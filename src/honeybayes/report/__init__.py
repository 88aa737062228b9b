"""Reports as one HTML page that needs no network."""

from honeybayes.report._advice import estimate_gain as estimate_gain
from honeybayes.report._examination import examine as examine
from honeybayes.report._page import write_labeling_report, write_model_report, write_report

__all__ = ["write_labeling_report", "write_model_report", "write_report"]
