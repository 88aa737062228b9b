"""Prediction without checks between steps.

Each step of scikit-learn checks its input. For one text, these checks take longer than the rest.
The counts of a `TextVectorizer` are valid, so the checks can be left out. The results are the same
to the last bit, because the same compiled functions compute them.
"""

from typing import Any

import numpy as np
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline
from sklearn.svm import LinearSVC
from sklearn.utils.sparsefuncs_fast import inplace_csr_row_normalize_l2

from honeybayes.calibration import TemperatureScaledClassifier
from honeybayes.calibration.temperature import below_best, soften
from honeybayes.text import TextVectorizer
from honeybayes.utils.texts import check_texts

BLOCK = 10_000  # texts, which bounds the memory for their counts
QUICK = ([TfidfTransformer, LogisticRegression], [TfidfTransformer, LinearSVC])


def find_quick_parts(pipeline: Pipeline) -> tuple[Any, Any, Any, Any] | None:
    """Return the vectorizer, tf-idf, a linear model, and its temperature or None.

    Return None if the pipeline has other steps.
    """
    vectorizer, model = pipeline.steps[0][1], pipeline.steps[-1][1]
    scaled: TemperatureScaledClassifier | None = None
    if type(model) is TemperatureScaledClassifier and model.selector_ is None:
        scaled, model = model, model.estimator_
    steps = [step for _, step in model.steps] if type(model) is Pipeline else []
    is_quick = len(pipeline.steps) == 2 and type(vectorizer) is TextVectorizer
    if not is_quick or [*map(type, steps)] not in QUICK or steps[0].norm != "l2":
        return None
    return vectorizer, steps[0], steps[1], scaled


def answer(pipeline: Pipeline, method: str, X: Any) -> np.ndarray:
    """Return what a method of a fitted pipeline from texts to classes returns."""
    parts = find_quick_parts(pipeline)
    if parts is None or (method == "predict_proba" and parts[-1] is None):
        return getattr(pipeline, method)(X)
    vectorizer, tfidf, linear, scaled = parts
    texts, blocks = check_texts(X), []
    if not linear.coef_.flags.f_contiguous:  # else every product would copy it
        linear.coef_ = np.asfortranarray(linear.coef_)
    for at in range(0, len(texts), BLOCK):
        x = vectorizer.transform(texts[at : at + BLOCK])
        x.data = x.data.astype(np.float64)
        if tfidf.sublinear_tf:
            x.data = np.log(x.data) + 1
        if tfidf.use_idf:
            x.data *= tfidf.idf_[x.indices]
        inplace_csr_row_normalize_l2(x)
        blocks.append(x @ linear.coef_.T + linear.intercept_)
    scores = np.concatenate(blocks)
    if scores.shape[1] == 1:
        scores = scores.ravel()
    if method == "decision_function":
        return scores
    if method == "predict":
        best = scores > 0 if scores.ndim == 1 else scores.argmax(axis=1)
        return linear.classes_[best.astype(np.intp)]
    if scores.ndim == 1:
        scores = np.column_stack([-scores / 2, scores / 2])
    return soften(below_best(scores), scaled.temperature_, scaled.doubt_)
