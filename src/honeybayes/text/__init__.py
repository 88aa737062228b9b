"""From raw text to the terms that matter: tokens, stop words, stems, term selection."""

from honeybayes.text._analyzer import TextAnalyzer
from honeybayes.text._headers import HeaderFilter
from honeybayes.text._selection import TermSelector

__all__ = ["HeaderFilter", "TermSelector", "TextAnalyzer"]
