"""From raw text to numbers: words, stop words, stems, counts, selection of terms, and vectors."""

from honeybayes.text._analyzer import ATTRIBUTES as ATTRIBUTES
from honeybayes.text._analyzer import TextAnalyzer
from honeybayes.text._on_terms import OnTerms
from honeybayes.text._on_terms import expect_dense as expect_dense
from honeybayes.text._seed_words import check_seeds as check_seeds
from honeybayes.text._seed_words import match_seeds as match_seeds
from honeybayes.text._selection import TermSelector
from honeybayes.text._stop_words import STOP_WORDS as STOP_WORDS
from honeybayes.text._vocabulary import Vocabulary
from honeybayes.text.encoder import TextEncoder
from honeybayes.text.vectorizer import TextVectorizer

__all__ = [
    "OnTerms",
    "TermSelector",
    "TextAnalyzer",
    "TextEncoder",
    "TextVectorizer",
    "Vocabulary",
]
