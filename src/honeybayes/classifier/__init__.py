"""TextClassifier: from raw text to classes, and how it chooses a model and its words."""

from honeybayes.classifier.choices import choose_model
from honeybayes.classifier.text_classifier import TextClassifier

__all__ = ["TextClassifier", "choose_model"]

TextClassifier.__module__ = __name__  # model files name the class by this module
