"""The words behind a decision, and the paths behind a word."""

from honeybayes.explain._decision import DecisionExplanation as DecisionExplanation
from honeybayes.explain._decision import Parent as Parent
from honeybayes.explain._decision import Rival as Rival
from honeybayes.explain._decision import WordContribution as WordContribution
from honeybayes.explain._decision import explain_decision as explain_decision
from honeybayes.explain._decision import readable_telling_words as readable_telling_words
from honeybayes.explain._decision import telling_words as telling_words
from honeybayes.explain._word_paths import Bridge as Bridge
from honeybayes.explain._word_paths import PathDocument as PathDocument
from honeybayes.explain._word_paths import PathStep as PathStep
from honeybayes.explain._word_paths import WordExplanation as WordExplanation
from honeybayes.explain._word_paths import explain_word as explain_word
from honeybayes.explain._word_paths import explain_words as explain_words
