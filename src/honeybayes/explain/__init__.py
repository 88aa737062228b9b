"""The words behind a decision, and the paths behind a word."""

from honeybayes.explain._decision import (
    DecisionExplanation,
    Parent,
    Rival,
    WordContribution,
    explain_decision,
)
from honeybayes.explain._telling_words import readable_telling_words, telling_words
from honeybayes.explain._word_paths import (
    Bridge,
    PathDocument,
    PathStep,
    WordExplanation,
    explain_word,
    explain_words,
)

__all__ = [
    "Bridge",
    "DecisionExplanation",
    "Parent",
    "PathDocument",
    "PathStep",
    "Rival",
    "WordContribution",
    "WordExplanation",
    "explain_decision",
    "explain_word",
    "explain_words",
    "readable_telling_words",
    "telling_words",
]
