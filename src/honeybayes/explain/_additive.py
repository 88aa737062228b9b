"""The scores of a model as sums: a baseline, and a part for each word of the document.

A model is linear if every word adds what it would add alone, so

    score(document) = score(nothing) + sum over its words of (score(word alone) - score(nothing))

and the model itself is asked for the parts. Nothing has to be known of its tables but that it is
linear, which is checked by adding up. The models of pairs of words have sums of their own.
"""

from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.svm import SVC, NuSVC

from honeybayes.bayes._binary_events import BaseBinaryEventNB
from honeybayes.bayes._linear_base import BaseLinearCountNB
from honeybayes.bayes._pair_base import BasePairNB
from honeybayes.explain._models import SKLEARN_BAYES, scores
from honeybayes.semisupervised import FewLabelsClassifier

ROUNDING = 1e-6  # of the sum of all magnitudes; models in float32 are no better


class ParentParts(NamedTuple):
    """What the parents of a model of pairs did.

    Attributes
    ----------
    places : ndarray of int, shape (n_parents,)
        Which of the document's terms they are.
    share : ndarray of shape (n_terms, n_parents) or (n_parents,)
        Part of each parent in the average, of each term or of the whole document.
    lead : ndarray of the same shape
        What would be lost without the parent: score of the first column less the second.
    """

    places: np.ndarray
    share: np.ndarray
    lead: np.ndarray


class Parts(NamedTuple):
    """Scores taken apart.

    Attributes
    ----------
    terms : ndarray of int, shape (n_terms,)
        Columns of the words that are present.
    contributions : ndarray of shape (n_terms, n_columns)
        Part of each of them in the score of each wanted class.
    parents : ParentParts or None
        For models of pairs.
    """

    terms: np.ndarray
    contributions: np.ndarray
    parents: ParentParts | None = None


def take_apart(model: Any, X: Any, columns: list[int]) -> Parts:
    """Take apart the scores that a model gives to one document.

    Parameters
    ----------
    model : estimator
        Fitted, and not one that `refuse_what_is_no_sum` refuses.
    X : array or CSR matrix of shape (1, n_features)
        The document, as the model takes it.
    columns : list of int
        The classes that are wanted, by their places.

    Returns
    -------
    Parts
        With the score of the empty document they add up to the score.
    """
    if isinstance(model, BasePairNB):
        from honeybayes.explain._pair_parts import pair_parts

        return pair_parts(model, X, columns)
    if isinstance(model, BaseBinaryEventNB):
        present = model._presence(X).indices
        return Parts(present, model._log_odds[present][:, columns])
    if hasattr(model, "decompose_scores"):
        return Parts(*model.decompose_scores(X, columns))
    terms = np.flatnonzero(X.toarray() if sparse.issparse(X) else X)
    return Parts(terms, word_scores(model, _one_word_each(X, terms))[:, columns])


def word_scores(model: Any, documents: Any) -> np.ndarray:
    """Scores of documents less those of the empty document, as (documents, classes)."""
    both = [empty_like(documents), documents]
    stacked = sparse.vstack(both, format="csr") if sparse.issparse(documents) else np.vstack(both)
    nothing, *_ = all_scores = scores(model, stacked)
    with np.errstate(invalid="ignore"):  # a class without documents has the score -inf throughout
        return np.where(np.isfinite(nothing), all_scores[1:] - nothing, 0.0)


def empty_like(X: Any) -> Any:
    """One document without words, in the form of X."""
    if sparse.issparse(X):
        return sparse.csr_array((1, X.shape[1]), dtype=X.dtype)
    return np.zeros((1, X.shape[1]), dtype=X.dtype)


def check_sum(model: Any, total: np.ndarray, parts: np.ndarray, score: np.ndarray) -> None:
    """Refuse to tell what is not so: the parts must add up to the score."""
    finite = np.isfinite(score)
    error = np.abs(total[finite] - score[finite])
    if (error > ROUNDING * (1 + np.abs(parts).sum(axis=0)[finite])).any():
        raise ValueError(
            f"The words' parts add up to {total.tolist()}, but {type(model).__name__} gives the "
            f"scores {score.tolist()}: it is not linear in the words, and has no exact explanation."
        )


def refuse_what_is_no_sum(model: Any) -> None:
    """Raise an error that says which models can be explained, if this one cannot."""
    ours = (BaseBinaryEventNB, BaseLinearCountNB, BasePairNB, FewLabelsClassifier, *SKLEARN_BAYES)
    linear = hasattr(model, "coef_") and hasattr(model, "decision_function")
    # of more than two classes it compares votes of pairs
    votes = isinstance(model, SVC | NuSVC) and len(model.classes_) > 2
    if isinstance(model, ours) or (linear and not votes):
        return
    raise ValueError(
        f"The score of {type(model).__name__} is no sum over words, so no exact statement of "
        "their parts exists. Models that can be explained: SmoothedBernoulliNB, HigherOrderNB, "
        "HigherOrderSmoothingNB, CountNB and the other models that are linear in the counts, "
        "HiddenNB, StructureExtendedNB, FewLabelsClassifier, scikit-learn's naive Bayes on words, "
        "and linear models with coef_, such as LogisticRegression and LinearSVC."
    )


def _one_word_each(X: Any, terms: np.ndarray) -> Any:
    """For each word a document that holds nothing else, with its value in X."""
    values = np.asarray(X[:, terms].toarray() if sparse.issparse(X) else X[:, terms]).ravel()
    alone = sparse.csr_array(
        (values, terms, np.arange(len(terms) + 1)), shape=(len(terms), X.shape[1])
    )
    return alone if sparse.issparse(X) else alone.toarray()
