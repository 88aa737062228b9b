"""Scores of classifiers: one column per class, accuracy on labeled documents, and explanations.

An estimator whose score is a sum over the terms of a document has a method

    decompose_scores(X, columns) -> ScoreParts

where ``X`` is one document in the form that ``predict`` takes, and ``columns`` are the positions of
the classes to explain. The scores are those of `compared_scores`. The score of the document is the
score of the empty document plus the sum of the contributions. `honeybayes.explain_decision` calls
the method and checks the sum. If every term adds what it adds alone, `decompose_linear` computes
the parts.

Estimators of other libraries without this method are asked for the score of each term alone if they
have ``coef_`` and ``decision_function``, or ``feature_log_prob_`` and ``predict_joint_log_proba``.

An estimator that counts paths has ``feature_log_prob_``, and two more methods, which
`honeybayes.explain_word` calls:

    path_settings() -> PathSettings
    presence(X) -> csr_array of ones, where the model sees a term in a document
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.metrics import accuracy_score

from honeybayes.utils.labels import is_unlabeled, with_one_mark
from honeybayes.utils.parameters import documented
from honeybayes.utils.tags import last_step, mark_of_unlabeled
from honeybayes.utils.validation import MatrixInputMixin


def decision_by_class(model: Any, X: Any, *, margin: float = 0.5) -> np.ndarray | None:
    """Return the decision function with one column per class.

    Of two classes, a decision function d gives the columns -margin * d and margin * d. None if the
    model has no decision function, or one with a column per pair of classes.
    """
    if not hasattr(model, "decision_function"):
        return None
    scores = np.asarray(model.decision_function(X), dtype=np.float64)
    if scores.ndim == 1:
        return np.column_stack([-margin * scores, margin * scores])
    shape = getattr(last_step(model)[1], "decision_function_shape", None)
    # three classes have as many pairs
    return None if shape == "ovo" or scores.shape[1] != len(model.classes_) else scores


def can_score(model: Any) -> bool:
    """Return True if a classifier, fitted or not, has scores or probabilities by class."""
    methods = ("predict_joint_log_proba", "predict_log_proba", "predict_proba")
    shape = getattr(last_step(model)[1], "decision_function_shape", None)  # SVC has "ovo": by pair
    by_class = hasattr(model, "decision_function") and shape != "ovo"
    return by_class or any(hasattr(model, method) for method in methods)


@documented
class LabeledScoreMixin(MatrixInputMixin):
    """The ``score`` of an estimator that also learns from unlabeled documents."""

    classes_: np.ndarray
    predict: Callable[[Any], np.ndarray]

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the accuracy on the documents with a label.

        Unlabeled documents are ignored. ``cross_val_score`` and searches of scikit-learn also
        ignore them, unless you set another ``scoring``.

        Parameters
        ----------
        y : array-like of shape (n_samples,)
            Label of each document, or the mark of unlabeled documents.
        """
        mark = mark_of_unlabeled(self)
        return accuracy_of_labeled(y, self.predict(X), mark, sample_weight, self.classes_)


def accuracy_of_labeled(
    y: Any, predicted: np.ndarray, unlabeled: Any, sample_weight: Any = None, classes: Any = ()
) -> float:
    """Return the share of correct predictions among the documents without the mark as label."""
    y, unlabeled = with_one_mark(y, unlabeled, classes)
    if unlabeled is None:
        return accuracy_score(y, predicted, sample_weight=sample_weight)
    y = np.asarray(y)
    labeled = ~is_unlabeled(y, unlabeled)
    if not labeled.any():
        raise ValueError(
            f"No document has a label to compare with: all are marked with {unlabeled!r}. Score "
            "the model on labeled documents; in cross-validation use fewer folds."
        )
    if sample_weight is not None:
        sample_weight = np.asarray(sample_weight)[labeled]
    return accuracy_score(y[labeled], predicted[labeled], sample_weight=sample_weight)


class ParentParts(NamedTuple):
    """The parents of a model in which words depend on other words of the document."""

    positions: np.ndarray  # which of the terms in `ScoreParts.terms` are parents
    # of each parent in the average: (terms, parents), or (parents,) for all terms
    share: np.ndarray
    # How much the lead would decrease without the parent, in the same shape. The lead is the score
    # of the first class in ``columns`` minus the score of the second class.
    lead: np.ndarray


class ScoreParts(NamedTuple):
    """The scores of one document, split by term."""

    terms: np.ndarray  # columns of the terms in the document
    contributions: np.ndarray  # to the score of each class in ``columns``: (terms, columns)
    parents: ParentParts | None = None  # only for models with parents


class PathSettings(NamedTuple):
    """Which paths a model counted."""

    to_label: bool  # paths end at a class label, and may start in any document
    order: int  # number of documents on a path; 0 if the model uses no paths
    pure: str | None  # as in `HigherOrderNB`
    counts: np.ndarray  # paths per class and term
    weighted: bool  # the model was fitted with ``sample_weight`` or ``frequencies``


def decompose_linear(model: Any, X: Any, columns: list[int]) -> ScoreParts:
    """Return the contribution of each term of a document: its score if it is the only term."""
    row = X.toarray() if sparse.issparse(X) else np.asarray(X)
    terms = np.flatnonzero(row)
    shape = (len(terms), X.shape[1])
    alone = sparse.csr_array((row[0, terms], terms, np.arange(len(terms) + 1)), shape=shape)
    documents = alone if sparse.issparse(X) else alone.toarray()
    return ScoreParts(terms, added_scores(model, documents)[:, columns])


def added_scores(model: Any, documents: Any) -> np.ndarray:
    """Return the scores of documents minus the scores of the empty document."""
    both = [empty_like(documents), documents]
    stacked = sparse.vstack(both, format="csr") if sparse.issparse(documents) else np.vstack(both)
    of_empty, *_ = scores = compared_scores(model, stacked)
    with np.errstate(invalid="ignore"):  # the score of a class without documents is always -inf
        return np.where(np.isfinite(of_empty), scores[1:] - of_empty, 0.0)


def compared_scores(model: Any, X: Any) -> np.ndarray:
    """Return the scores that a fitted classifier compares, one column per class; the highest wins.

    Joint log-probabilities if the model has them, else `decision_by_class`; ValueError if none.
    """
    if hasattr(model, "predict_joint_log_proba"):
        return np.asarray(model.predict_joint_log_proba(X), dtype=np.float64)
    scores = decision_by_class(model, X, margin=1.0)
    if scores is None:
        raise ValueError(
            f"{type(model).__name__} has no scores to explain. Use a classifier with "
            "predict_joint_log_proba, or with a decision_function that has one column per class."
        )
    return scores


def empty_like(X: Any) -> Any:
    """Return one document without terms, dense or sparse as X."""
    if sparse.issparse(X):
        return sparse.csr_array((1, X.shape[1]), dtype=X.dtype)
    return np.zeros((1, X.shape[1]), dtype=X.dtype)
