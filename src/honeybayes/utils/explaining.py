"""Methods with which an estimator explains its predictions.

An estimator whose score is a sum over the terms of a document has a method

    decompose_scores(X, columns) -> ScoreParts

where ``X`` is one document in the form that ``predict`` takes, and ``columns`` are the positions of
the classes to explain. The scores are those of `honeybayes.utils.scores.scores_by_class`: joint
log-probabilities, or else the decision function, which for two classes is -d and d. The score of
the document is the score of the empty document plus the sum of the contributions.
`honeybayes.explain_decision` calls the method and checks the sum. If every term adds what it adds
alone, `decompose_linear` computes the parts.

Estimators of other libraries without this method are asked for the score of each term alone if they
have ``coef_`` and ``decision_function``, or ``feature_log_prob_`` and ``predict_joint_log_proba``.

An estimator that counts paths has ``feature_log_prob_``, and two more methods, which
`honeybayes.explain_word` calls:

    path_settings() -> PathSettings
    presence(X) -> csr_array of ones, where the model sees a term in a document
"""

from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from honeybayes.utils.scores import scores_by_class


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
    """Return the scores by class; raise ValueError if the model has none."""
    scores = scores_by_class(model, X)
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
