"""Take a fitted classifier apart by its public attributes: from text to counts to scores."""

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import OneToOneFeatureMixin
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

MEANING = "meaning of the text"  # what the vector of an encoder adds, all its numbers together


class OpenedModel:
    """The parts of a fitted classifier. Names of its own take precedence over ``feature_names``.

    Attributes
    ----------
    model : estimator
        What decides in the end; takes ``prepare(counts)``.
    steps : list of transformers
        What is between the counts and the model, such as a ``TfidfTransformer``.
    terms : ndarray of str or None
        Names of the columns of the counts.
    vectorizer : transformer or None
        Has ``build_analyzer``, as `TextVectorizer` and scikit-learn's ``CountVectorizer`` do.
    spellings : dict of str
        Spelling of each term in the training texts, if it is known.
    n_dense : int
        Number of last columns that are no terms.
    n_meaning : int
        How many of these, the first ones, hold the vector of the text; their name is `MEANING`.
    """

    def __init__(self, classifier: Any, feature_names: Any = None) -> None:
        check_is_fitted(classifier)
        named: Any = None
        self.vectorizer: Any = None
        self._count_texts: Any = None
        self.n_dense = self.n_meaning = 0
        self._text_column: Any = None
        if hasattr(classifier, "compute_features"):  # a TextClassifier
            named, self.vectorizer = classifier, classifier.vectorizer_
            self.n_dense, self._count_texts = classifier.n_dense_, classifier.compute_features
            columns = [f"{name} (column)" for name in classifier.column_features_]
            self.n_meaning = self.n_dense - len(columns)
            feature_names = [*classifier.terms_, *[MEANING] * self.n_meaning, *columns]
            parts = getattr(classifier.pipeline_[0], "named_transformers", {})
            self._text_column = getattr(parts.get("columns"), "text", None)
            classifier = classifier.model_
        *self.steps, self.model = _flatten(classifier)
        first: Any = self.steps[0] if self.steps else None
        if hasattr(first, "build_analyzer") and hasattr(first, "get_feature_names_out"):
            named = self.vectorizer = self.steps.pop(0)
            feature_names, self._count_texts = first.get_feature_names_out(), first.transform
        for step in self.steps:
            if not isinstance(step, OneToOneFeatureMixin) and not hasattr(step, "get_support"):
                raise ValueError(
                    f"The step {type(step).__name__} mixes terms, so the score cannot be split by "
                    "term. Use steps that keep one column per term, such as TfidfTransformer or a "
                    "selection of terms."
                )
        self.outermost = self.steps[0] if self.steps else self.model
        if feature_names is None:
            feature_names = getattr(self.outermost, "feature_names_in_", None)
        self.terms = None if feature_names is None else np.asarray(feature_names)
        if self.terms is not None:
            n_columns = getattr(self.outermost, "n_features_in_", len(self.terms))
            if self.terms.shape != (n_columns,):
                raise ValueError(
                    f"feature_names must hold one name for each of the {n_columns} columns; got "
                    f"shape {self.terms.shape}."
                )
        self.spellings: dict[str, str] = {}
        if hasattr(named, "spellings_"):
            spelled = zip(named.terms_.tolist(), named.spellings_.tolist(), strict=True)
            self.spellings = dict(spelled)

    def count(self, documents: Any) -> Any:
        """Return the counts of texts and rows with columns; counts are left as they are."""
        is_table = self._text_column is not None and hasattr(documents, "columns")
        texts = documents if is_table else as_texts(documents)
        if texts is None:
            is_sparse = sparse.issparse(documents)
            return sparse.csr_array(documents) if is_sparse else np.asarray(documents)
        if self._count_texts is None:
            raise ValueError(
                f"{type(self.model).__name__} takes counts of terms, not texts. Pass counts, or "
                "use a TextClassifier or a pipeline that starts with a TextVectorizer."
            )
        return sparse.csr_array(self._count_texts(texts))

    def open_row(self, document: Any) -> tuple[Any, str | None]:
        """Return a document, and its text if there is one; a row of a table becomes a table."""
        if self._text_column is not None and hasattr(document, "to_frame") and document.ndim == 1:
            document = document.to_frame().T
        if self._text_column is None or not hasattr(document, "columns"):
            return document, document if isinstance(document, str) else None
        return document, next(iter(document[self._text_column]), None)

    @cached_property
    def analyze(self) -> Any:
        """The function from a text to its terms."""
        return self.vectorizer.build_analyzer()

    def spellings_in(self, text: str) -> dict[str, str]:
        """Return the first spelling of each term in a text, or else in the training texts."""
        spelled: dict[str, str] = {}
        # an analyzer with a method ``words`` knows the letters of its language
        words = getattr(self.analyze, "words", None)
        terms_of = getattr(self.analyze, "terms", None)
        for word in (words or re.compile(r"\w+").findall)(text):
            terms = terms_of([word]) if terms_of else self.analyze(word)
            if len(terms) == 1:
                spelled.setdefault(terms[0], word if words else word.lower())
        return self.spellings | spelled

    def spell(self, term: Any) -> str:
        """Return the most frequent spelling of a term in the training texts, or the term."""
        return self.spellings.get(term, str(term))

    def prepare(self, counts: Any) -> Any:
        """Turn counts into what the model takes."""
        for step in self.steps:
            counts = step.transform(counts)
        return sparse.csr_array(counts) if sparse.issparse(counts) else np.asarray(counts)

    def to_model_columns(self, of_counts: np.ndarray) -> np.ndarray:
        """Select, from one value per column of the counts, those of the model's columns."""
        for step in self.steps:
            if hasattr(step, "get_support"):
                of_counts = of_counts[step.get_support()]
        return of_counts

    def names(self, n_columns: int) -> np.ndarray:
        """Return the names of the counts' columns; x0, x1 and so on if they have none."""
        if self.terms is None:
            return np.array([f"x{column}" for column in range(n_columns)])
        return self.terms


def _flatten(model: Any) -> Iterator[Any]:
    """Yield the steps of a pipeline and the selector of a meta-estimator, then the model."""
    if isinstance(model, Pipeline):
        for _, step in model.steps:
            if step is not None and step != "passthrough":
                yield from _flatten(step)
    elif hasattr(model, "selector_") and hasattr(model, "estimator_"):
        if model.selector_ is not None:
            yield model.selector_
        yield from _flatten(model.estimator_)
    else:
        yield model


def as_texts(documents: Any) -> list[str] | None:
    """Return texts as a list, or None if the documents are counts."""
    if isinstance(documents, str):
        return [documents]
    if sparse.issparse(documents) or getattr(documents, "ndim", 1) != 1:
        return None
    texts = list(documents)
    return texts if any(isinstance(text, str) for text in texts) else None


def find_label(label: Any, classes: list[Any], name: str = "label") -> int:
    """Return the position of a class; raise ValueError if the model does not have it."""
    if label not in classes:
        raise ValueError(f"{name}={label!r} is not a class of the model, which has {classes}.")
    return classes.index(label)


@contextmanager
def names_unchecked() -> Iterator[None]:
    """Let models that were fitted to data frames take plain matrices with the same columns."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "X does not have valid feature names", UserWarning)
        yield
