"""Prediction of a few texts without checks between steps, and of very many in several processes.

Each step of scikit-learn checks its input. For one text, these checks take longer than the rest.
The counts of a `TextVectorizer` are valid, so the checks can be left out. The results are the same
to the last bit, because the same compiled functions compute them.

Splitting texts into words is Python code, which threads cannot share. Processes can, but it takes
about two seconds to start them, in which one core classifies 150,000 news in brief.
"""

import os
from collections.abc import Sized
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs
from joblib.parallel import get_active_backend
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline
from sklearn.svm import LinearSVC
from sklearn.utils.sparsefuncs_fast import inplace_csr_row_normalize_l2

from honeybayes.calibration import TemperatureScaledClassifier
from honeybayes.text import TextVectorizer
from honeybayes.utils.texts import check_texts
from honeybayes.utils.validation import check_n_jobs
from honeybayes.utils.workers import end_with_parent

SHARED_CHARACTERS = 10**8  # of all texts, about five seconds of one core: fewer are not shared
BLOCK = 10_000  # texts, which bounds the memory for their counts
QUICK = ([TfidfTransformer, LogisticRegression], [TfidfTransformer, LinearSVC])


def answer_texts(pipeline: Pipeline, method: str, X: Any, n_jobs: int | None = None) -> np.ndarray:
    """Call a method of a fitted pipeline from texts to classes, in the fastest way."""
    many = isinstance(X, Sized) and len(X) >= BLOCK  # else asking joblib would cost too much
    check_n_jobs("n_jobs", n_jobs)
    n_processes = _n_processes(pipeline, n_jobs) if many else 1
    if n_processes > 1:
        texts = check_texts(X)
        ends = np.cumsum(np.fromiter(map(len, texts), dtype=np.int64))
        if ends[-1] >= SHARED_CHARACTERS:
            # one part per process, because each process learns the words and stems anew
            cuts = np.searchsorted(ends, ends[-1] * np.arange(1, n_processes) / n_processes)
            parts = [texts[start:end] for start, end in pairwise([0, *cuts.tolist(), len(texts)])]
            tasks = (
                delayed(_answer)(os.getpid(), pipeline, method, each) for each in parts if each
            )
            return np.concatenate(Parallel(n_jobs=n_jobs, batch_size=1)(tasks))
    return getattr(without_checks(pipeline), method)(X)


def _n_processes(pipeline: Pipeline, n_jobs: int | None) -> int:
    """Return how many processes the user asks for; an encoder is not sent to others."""
    uses_threads = getattr(get_active_backend()[0], "uses_threads", False)
    is_of_words = type(pipeline.steps[0][1]) is TextVectorizer
    return effective_n_jobs(n_jobs) if is_of_words and not uses_threads else 1


def _answer(parent: int, pipeline: Pipeline, method: str, texts: list[str]) -> np.ndarray:
    """Answer a part of the texts in another process."""
    end_with_parent(parent)
    return getattr(without_checks(pipeline), method)(texts)


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
        texts = check_texts(X)
        blocks = [texts[at : at + BLOCK] for at in range(0, len(texts), BLOCK)]
        return np.concatenate([self._score(block) for block in blocks])

    def _score(self, texts: list[str]) -> np.ndarray:
        x = self.pipeline.steps[0][1].transform(texts)
        x.data = x.data.astype(np.float64)
        if self.tfidf.sublinear_tf:
            x.data = np.log(x.data) + 1
        if self.tfidf.use_idf:
            x.data *= self.tfidf.idf_[x.indices]
        inplace_csr_row_normalize_l2(x)
        if not self.linear.coef_.flags.f_contiguous:  # else every product would copy it
            self.linear.coef_ = np.asfortranarray(self.linear.coef_)
        scores = x @ self.linear.coef_.T + self.linear.intercept_
        return scores.ravel() if scores.shape[1] == 1 else scores

    def predict(self, X: Any) -> np.ndarray:
        """Return the class of each text."""
        return _Scored(self.linear.classes_, self.decision_function(X)).predict()

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the probability of each class."""
        if self.scaled is None:
            return self.pipeline.predict_proba(X)
        scored = _Scored(self.linear.classes_, self.decision_function(X))
        return self.scaled._calibrate(scored, None)


class _Scored(NamedTuple):
    """A classifier whose scores are already computed."""

    classes_: np.ndarray
    scores: np.ndarray

    def decision_function(self, X: Any = None) -> np.ndarray:
        return self.scores

    def predict(self, X: Any = None) -> np.ndarray:
        best = self.scores > 0 if self.scores.ndim == 1 else self.scores.argmax(axis=1)
        return self.classes_[best.astype(np.intp)]
