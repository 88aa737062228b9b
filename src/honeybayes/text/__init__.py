"""From raw text to terms: words, stop words, stems, counts, and selection of terms."""

from honeybayes.text._analyzer import TextAnalyzer
from honeybayes.text._headers import HeaderFilter
from honeybayes.text._selection import TermSelector
from honeybayes.text._stop_words import STOP_WORDS as STOP_WORDS
from honeybayes.text.vectorizer import TextVectorizer

__all__ = ["HeaderFilter", "TermSelector", "TextAnalyzer", "TextVectorizer"]
