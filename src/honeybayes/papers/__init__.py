"""The five papers: their tables as published, and the code that reruns them."""

from honeybayes.papers._prepare import prepare
from honeybayes.papers._published import (
    PublishedResult,
    WilcoxonMark,
    published_results,
    published_wilcoxon_marks,
)
from honeybayes.papers._reproduce import ReproducedCell, Reproduction, reproduce
from honeybayes.papers._rules import ModelRule, PaperRule, describe_paper, list_papers

__all__ = [
    "ModelRule",
    "PaperRule",
    "PublishedResult",
    "ReproducedCell",
    "Reproduction",
    "WilcoxonMark",
    "describe_paper",
    "list_papers",
    "prepare",
    "published_results",
    "published_wilcoxon_marks",
    "reproduce",
]
