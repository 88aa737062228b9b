"""Prediction without checks between steps.

Each step of scikit-learn checks its input. For one text, these checks take longer than the rest.
The counts of a `TextVectorizer` are valid, so the checks can be left out. The results are the same
to the last bit, because the same compiled functions compute them.
"""

from typing import Any, NamedTuple

import numpy as np
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline
from sklearn.svm import LinearSVC
from sklearn.utils.sparsefuncs_fast import inplace_csr_row_normalize_l2

from honeybayes.calibration import TemperatureScaledClassifier, below_best, soften
from honeybayes.text import TextVectorizer
from honeybayes.utils.texts import check_texts

BLOCK = 10_000  # texts, which bounds the memory for their counts
QUICK = ([TfidfTransformer, LogisticRegression], [TfidfTransformer, LinearSVC])


def without_checks(pipeline: Pipeline) -> Any:
    """Return an object with the methods of a fitted pipeline from texts to classes."""
    vectorizer, model = pipeline.steps[0][1], pipeline.steps[-1][1]
    scaled: TemperatureScaledClassifier | None = None
    if type(model) is TemperatureScaledClassifier and model.selector_ is None:
        scaled, model = model, model.estimator_
    steps = [step for _, step in model.steps] if type(model) is Pipeline else []
    is_quick = len(pipeline.steps) == 2 and type(vectorizer) is TextVectorizer
    if not is_quick or [*map(type, steps)] not in QUICK or steps[0].norm != "l2":
        return pipeline
    return QuickPipeline(pipeline, steps[0], steps[1], scaled)


class QuickPipeline(NamedTuple):
    """Words, tf-idf, a linear model and a temperature in one step."""

    pipeline: Pipeline
    tfidf: TfidfTransformer
    linear: Any
    scaled: TemperatureScaledClassifier | None

    def decision_function(self, X: Any) -> np.ndarray:
        """Return the scores of the linear model."""
        texts, blocks = check_texts(X), []
        if not self.linear.coef_.flags.f_contiguous:  # else every product would copy it
            self.linear.coef_ = np.asfortranarray(self.linear.coef_)
        for at in range(0, len(texts), BLOCK):
            x = self.pipeline.steps[0][1].transform(texts[at : at + BLOCK])
            x.data = x.data.astype(np.float64)
            if self.tfidf.sublinear_tf:
                x.data = np.log(x.data) + 1
            if self.tfidf.use_idf:
                x.data *= self.tfidf.idf_[x.indices]
            inplace_csr_row_normalize_l2(x)
            blocks.append(x @ self.linear.coef_.T + self.linear.intercept_)
        scores = np.concatenate(blocks)
        return scores.ravel() if scores.shape[1] == 1 else scores

    def predict(self, X: Any) -> np.ndarray:
        """Return the class of each text."""
        scores = self.decision_function(X)
        best = scores > 0 if scores.ndim == 1 else scores.argmax(axis=1)
        return self.linear.classes_[best.astype(np.intp)]

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the probability of each class."""
        if self.scaled is None:
            return self.pipeline.predict_proba(X)
        scores = self.decision_function(X)
        if scores.ndim == 1:
            scores = np.column_stack([-scores / 2, scores / 2])
        return soften(below_best(scores), self.scaled.temperature_, self.scaled.doubt_)
