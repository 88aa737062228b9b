"""The five papers: their tables as published, and the code that reruns them."""

from honeybayes.papers._orderings import (
    Claim,
    Marks,
    Ordering,
    WilcoxonTable,
    check_orderings,
    recompute_marks,
    recompute_wilcoxon,
)
from honeybayes.papers._page import write_page
from honeybayes.papers._plots import plot_sizes
from honeybayes.papers._prepare import prepare
from honeybayes.papers._published import (
    PublishedGain,
    PublishedResult,
    WilcoxonMark,
    published_gains,
    published_results,
    published_wilcoxon_marks,
)
from honeybayes.papers._reproduce import ReproducedCell, Reproduction, Tally, reproduce
from honeybayes.papers._rules import ModelRule, PaperRule, describe_paper, list_papers

__all__ = [
    "Claim",
    "Marks",
    "ModelRule",
    "Ordering",
    "PaperRule",
    "PublishedGain",
    "PublishedResult",
    "ReproducedCell",
    "Reproduction",
    "Tally",
    "WilcoxonMark",
    "WilcoxonTable",
    "check_orderings",
    "describe_paper",
    "list_papers",
    "plot_sizes",
    "prepare",
    "published_gains",
    "published_results",
    "published_wilcoxon_marks",
    "recompute_marks",
    "recompute_wilcoxon",
    "reproduce",
    "write_page",
]
