"""TextClassifier: from raw text to classes, and how it chooses a model and its words."""

from honeybayes.classifier.model_choice import choose_model
from honeybayes.classifier.text_classifier import TextClassifier
from honeybayes.classifier.word_choice import should_remove_stop_words

__all__ = ["TextClassifier", "choose_model", "should_remove_stop_words"]

TextClassifier.__module__ = __name__  # model files name the class by this module
