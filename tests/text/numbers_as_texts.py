"""Adapters that feed the numbers of scikit-learn's estimator checks to estimators of texts.

A number becomes a word that names its column and its rounded value, a row becomes a text. Numbers
are validated as any estimator of scikit-learn does, so that what is left to the estimator is all
that makes sense for text.
"""

from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, validate_data

from honeybayes import TextClassifier, TextVectorizer


def to_texts(X: Any) -> list[str]:
    """Return one text per row: a word per number, none for 0."""
    X = X.toarray() if sparse.issparse(X) else X
    return [
        " ".join(_word(column, value) for column, value in enumerate(row) if value) or "empty"
        for row in np.round(np.asarray(X, dtype=np.float64)).astype(int).tolist()
    ]


def _word(column: int, value: int) -> str:
    digits = f"{column}{'n' if value < 0 else 'p'}{abs(value)}"
    return "x" + digits.translate(str.maketrans("0123456789", "abcdefghij"))


class _OnNumbers:
    def _texts(self, X: Any, reset: bool) -> list[str]:
        if not reset:
            check_is_fitted(self)
        return to_texts(validate_data(self, X, accept_sparse="csr", reset=reset))

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.string = tags.input_tags.one_d_array = False
        tags.input_tags.two_d_array = tags.input_tags.sparse = True
        return tags


class VectorizerOnNumbers(_OnNumbers, TextVectorizer):
    """TextVectorizer for numbers."""

    def fit(self, X, y=None):
        super().fit_transform(self._texts(X, reset=True), y)
        return self

    def fit_transform(self, X, y=None):
        return super().fit_transform(self._texts(X, reset=True), y)

    @available_if(lambda self: hasattr(TextVectorizer(**self.get_params()), "partial_fit"))
    def partial_fit(self, X, y=None):
        if not hasattr(self, "terms_"):
            return self.fit(X, y)
        return super().partial_fit(self._texts(X, reset=False), y)

    def transform(self, X):
        return super().transform(self._texts(X, reset=False))


def inherited(method):
    """Make a method available if the `TextClassifier` has it."""
    return available_if(lambda self: hasattr(super(ClassifierOnNumbers, self), method))


class ClassifierOnNumbers(_OnNumbers, TextClassifier):
    """TextClassifier for numbers."""

    def fit(self, X, y=None, pool=None, sample_weight=None):
        if y is not None:
            X, y = validate_data(self, X, y, accept_sparse="csr")
        return super().fit(self._texts(X, reset=True), y, pool, sample_weight)

    @inherited("partial_fit")
    def partial_fit(self, X, y, classes=None):
        first = not hasattr(self, "pipeline_")
        return super().partial_fit(self._texts(X, reset=first), y, classes)

    def predict(self, X):
        return super().predict(self._texts(X, reset=False))

    @inherited("predict_proba")
    def predict_proba(self, X):
        return super().predict_proba(self._texts(X, reset=False))

    @inherited("decision_function")
    def decision_function(self, X):
        return super().decision_function(self._texts(X, reset=False))
