"""From raw text to numbers: words, stop words, stems, counts, selection of terms, and vectors."""

from honeybayes.text._analyzer import ATTRIBUTES as ATTRIBUTES
from honeybayes.text._analyzer import LANGUAGES as LANGUAGES
from honeybayes.text._analyzer import NO_SPACES as NO_SPACES
from honeybayes.text._analyzer import TextAnalyzer
from honeybayes.text._analyzer import stop_words_of as stop_words_of
from honeybayes.text._detection import MOST_TEXTS as MOST_TEXTS
from honeybayes.text._detection import detect_language
from honeybayes.text._detection import look_at as look_at
from honeybayes.text._load_encoder import MULTILINGUAL as MULTILINGUAL
from honeybayes.text._load_encoder import encoder_name as encoder_name
from honeybayes.text._load_encoder import find_encoder as find_encoder
from honeybayes.text._load_encoder import find_encoder_of_language as find_encoder_of_language
from honeybayes.text._load_encoder import how_to_get_vectors as how_to_get_vectors
from honeybayes.text._on_terms import OnTerms
from honeybayes.text._on_terms import expect_dense as expect_dense
from honeybayes.text._seed_words import append_vectors as append_vectors
from honeybayes.text._seed_words import check_seeds as check_seeds
from honeybayes.text._seed_words import encode_names as encode_names
from honeybayes.text._seed_words import match_seeds as match_seeds
from honeybayes.text._selection import TermSelector
from honeybayes.text._vocabulary import Vocabulary
from honeybayes.text._word_list import TERMS_PER_WORD as TERMS_PER_WORD
from honeybayes.text._word_list import list_words as list_words
from honeybayes.text.encoder import TextEncoder
from honeybayes.text.encoder import make_encoder as make_encoder
from honeybayes.text.vectorizer import TextVectorizer

__all__ = [
    "OnTerms",
    "TermSelector",
    "TextAnalyzer",
    "TextEncoder",
    "TextVectorizer",
    "Vocabulary",
    "detect_language",
]
