"""One view of every classifier: the model at its end, and the way of a document to it."""

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import OneToOneFeatureMixin
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import BernoulliNB, ComplementNB, MultinomialNB
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from honeybayes.classifier import TextClassifier
from honeybayes.text import TextAnalyzer, TextVectorizer
from honeybayes.utils.scores import scores_by_class

SKLEARN_BAYES = (BernoulliNB, ComplementNB, MultinomialNB)


@dataclass(frozen=True)
class OpenedModel:
    """A classifier taken apart.

    Attributes
    ----------
    model : estimator
        What decides in the end; takes ``prepare(counts)``.
    steps : tuple of transformers
        What stands between the counts and the model, such as a `TfidfTransformer`.
    terms : ndarray of str or None
        Names of the columns of the counts.
    reader : TextClassifier, CountVectorizer or None
        What turns text into counts.
    """

    model: Any
    steps: tuple[Any, ...]
    terms: np.ndarray | None
    reader: Any

    @property
    def classes(self) -> np.ndarray:
        return self.model.classes_

    def count(self, documents: Any) -> Any:
        """Counts of texts by the classifier's own vocabulary; counts are left as they are."""
        texts = [documents] if isinstance(documents, str) else documents
        first = next(iter(texts), None) if isinstance(texts, list | tuple | np.ndarray) else None
        if isinstance(first, str) or (self.reader is not None and _is_column(texts)):
            if self.reader is None:
                raise ValueError(
                    f"{type(self.model).__name__} takes counts of terms, not texts: pass a row of "
                    "counts, or use a TextClassifier or a pipeline with a CountVectorizer."
                )
            with names_unchecked():
                if isinstance(self.reader, TextClassifier):
                    return sparse.csr_array(self.reader.count_terms(texts))
                return sparse.csr_array(self.reader.transform(texts))
        return sparse.csr_array(documents) if sparse.issparse(documents) else np.asarray(documents)

    def unknown_words(self, text: str) -> tuple[str, ...]:
        """Words of a text that are not in the vocabulary, each once."""
        known = set(self.names(0))
        return tuple(dict.fromkeys(w for w in self.words(text) if w not in known))

    def spellings(self, text: str) -> dict[str, str]:
        """How a text spells each of its words the first time, in lower case."""
        spelled: dict[str, str] = {}
        analyzer = self._vectorizer.build_analyzer()
        own = isinstance(analyzer, TextAnalyzer)  # knows the letters of the language
        for token in analyzer.words(text) if own else re.findall(r"\w+", text):
            words = self.words(token)
            if len(words) == 1:
                spelled.setdefault(words[0], token.lower())
        return spelled

    def words(self, text: str) -> list[str]:
        """A text as the words that the classifier makes of it."""
        return list(self._vectorizer.build_analyzer()(text))

    @property
    def _vectorizer(self) -> CountVectorizer | TextVectorizer:
        reader = self.reader
        return reader.pipeline_[0] if isinstance(reader, TextClassifier) else reader

    def prepare(self, counts: Any) -> Any:
        """Turn counts into what the model takes."""
        with names_unchecked():
            for step in self.steps:
                counts = step.transform(counts)
        return sparse.csr_array(counts) if sparse.issparse(counts) else np.asarray(counts)

    def to_model_columns(self, of_counts: np.ndarray) -> np.ndarray:
        """A value of each column of the counts, for the columns that reach the model."""
        for step in self.steps:
            if hasattr(step, "get_support"):
                of_counts = of_counts[step.get_support()]
        return of_counts

    def names(self, n_columns: int) -> np.ndarray:
        """Names of the counts' columns; x0, x1 and so on if nobody gave any."""
        if self.terms is None:
            return np.array([f"x{column}" for column in range(n_columns)])
        return self.terms


def open_model(classifier: Any, feature_names: Any = None) -> OpenedModel:
    """Take a fitted classifier apart.

    Parameters
    ----------
    classifier : TextClassifier, Pipeline or estimator
        Fitted.
    feature_names : sequence of str, optional
        Names of the columns, if the classifier knows none.

    Returns
    -------
    OpenedModel
    """
    reader = None
    if isinstance(classifier, TextClassifier):
        check_is_fitted(classifier, "model_")
        reader, feature_names, classifier = classifier, classifier.terms_, classifier.model_
    steps: list[Any] = []
    if isinstance(classifier, Pipeline):
        *steps, classifier = (
            step for _, step in classifier.steps if step is not None and step != "passthrough"
        )
    if steps and isinstance(steps[0], CountVectorizer | TextVectorizer):
        reader, steps = steps[0], steps[1:]
        feature_names = reader.get_feature_names_out()
    check_is_fitted(classifier)
    for step in steps:
        if not isinstance(step, OneToOneFeatureMixin) and not hasattr(step, "get_support"):
            raise ValueError(
                f"The step {type(step).__name__} mixes the words, so that the model behind it does "
                "not see them. Steps that keep each word in a column of its own (TfidfTransformer, "
                "a selection of terms) can be explained."
            )
    outermost = steps[0] if steps else classifier
    if feature_names is None:
        feature_names = getattr(outermost, "feature_names_in_", None)
    if feature_names is not None:
        feature_names = np.asarray(feature_names)
        n_columns = getattr(outermost, "n_features_in_", len(feature_names))
        if feature_names.shape != (n_columns,):
            raise ValueError(
                f"feature_names must hold one name for each of the {n_columns} columns; got "
                f"shape {feature_names.shape}."
            )
    return OpenedModel(classifier, tuple(steps), feature_names, reader)


def spellings_of_terms(classifier: Any) -> dict[str, str]:
    """How people spell the terms of a `TextClassifier`; empty for other classifiers."""
    if not isinstance(classifier, TextClassifier):
        return {}
    return dict(zip(classifier.terms_.tolist(), classifier.spellings_.tolist(), strict=True))


def scores(model: Any, X: Any) -> np.ndarray:
    """What a model compares, as (documents, classes); the class with the highest score wins."""
    with names_unchecked():
        found = scores_by_class(model, X)
    if found is None:
        raise ValueError(
            f"{type(model).__name__} gives no scores to explain: it has no decision_function."
        )
    return found


def find_label(label: Any, classes: np.ndarray, name: str = "label") -> int:
    """Place of a label among the classes."""
    found = [place for place, known in enumerate(classes.tolist()) if known == label]
    if not found:
        raise ValueError(f"{name}={label!r} is no class of the model: {classes.tolist()}.")
    return found[0]


@contextmanager
def names_unchecked() -> Iterator[None]:
    """Let models that were fitted to data frames take plain matrices with the same columns."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "X does not have valid feature names", UserWarning)
        yield


def _is_column(documents: Any) -> bool:
    """Whether it is a column of a data frame, or another sequence that is no matrix."""
    return not sparse.issparse(documents) and getattr(documents, "ndim", 2) == 1
