"""Split the scores of a model: a baseline, and a part for each word of the document.

Models with the hook ``decompose_scores`` give their own parts; see `honeybayes.utils.explaining`.
Other models must be linear: every word adds what it adds alone. This is checked by adding up.
"""

from typing import Any

import numpy as np
from sklearn.svm import SVC, NuSVC

from honeybayes.explain._models import SKLEARN_BAYES, names_unchecked, scores
from honeybayes.utils.explaining import ScoreParts, decompose_linear

ROUNDING = 1e-6  # of the sum of all magnitudes, because some models compute in float32


def split_scores(model: Any, X: Any, columns: list[int]) -> ScoreParts:
    """Split the scores that a model gives to one document, for some classes."""
    if hasattr(model, "decompose_scores"):
        with names_unchecked():
            return model.decompose_scores(X, columns)
    return decompose_linear(lambda documents: scores(model, documents), X, columns)


def check_sum(model: Any, total: np.ndarray, parts: np.ndarray, score: np.ndarray) -> None:
    """Raise ValueError if the parts do not add up to the score."""
    finite = np.isfinite(score)
    error = np.abs(total[finite] - score[finite])
    if (error > ROUNDING * (1 + np.abs(parts).sum(axis=0)[finite])).any():
        raise ValueError(
            f"The words' parts add up to {total.tolist()}, but {type(model).__name__} gives the "
            f"scores {score.tolist()}: it is not linear in the words, and has no exact explanation."
        )


def check_explainable(model: Any) -> None:
    """Raise ValueError if the score of a model is not a sum over words."""
    linear = hasattr(model, "coef_") and hasattr(model, "decision_function")
    # with more than two classes these compare votes of pairs of classes
    votes = isinstance(model, SVC | NuSVC) and len(model.classes_) > 2
    ours = hasattr(model, "decompose_scores")
    if ours or isinstance(model, SKLEARN_BAYES) or (linear and not votes):
        return
    raise ValueError(
        f"The score of {type(model).__name__} is not a sum over words, so the contributions of "
        "the words cannot be computed exactly. Models that can be explained: SmoothedBernoulliNB, "
        "HigherOrderNB, HigherOrderSmoothingNB, CountNB and the other models that are linear "
        "in the counts, HiddenNB, StructureExtendedNB, FewLabelsClassifier, scikit-learn's naive "
        "Bayes on words, and linear models with coef_, such as LogisticRegression and LinearSVC."
    )
