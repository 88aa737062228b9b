"""TextClassifier: from raw text to classes, and how it chooses a model and its words."""

from honeybayes.classifier.model_choice import AutoClassifier, choose_model
from honeybayes.classifier.text_classifier import TextClassifier
from honeybayes.classifier.word_choice import should_remove_stop_words

__all__ = ["AutoClassifier", "TextClassifier", "choose_model", "should_remove_stop_words"]

# model files name the classes by this module
AutoClassifier.__module__ = TextClassifier.__module__ = __name__
