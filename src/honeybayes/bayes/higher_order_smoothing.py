"""Higher Order Smoothing: paths from terms to class labels, through documents of any class."""

import warnings
from typing import Any, Literal

import numpy as np
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from honeybayes.bayes import _binary_events
from honeybayes.bayes.base import FitData
from honeybayes.exceptions import NoPathWarning
from honeybayes.paths.label_paths import label_paths
from honeybayes.utils.labels import encode_labels
from honeybayes.utils.parameters import estimator
from honeybayes.utils.scores import LabeledScoreMixin, PathSettings
from honeybayes.utils.state import NUMBERS, Array, Bool, State
from honeybayes.utils.tags import ModelTags
from honeybayes.utils.validation import Fraction, NotNegative


@estimator
class HigherOrderSmoothingNB(LabeledScoreMixin, _binary_events.BaseLinkedNB):
    """Naive Bayes with Higher Order Smoothing (HOS).

    Mixes two estimates of P(term given class): from the documents of the class, and from the paths
    term - document - term - document - class, whose first document may belong to any class.
    P(w|c) = (1 - beta) P_1(w|c) + beta P_2(w|c) ([2]_ Eq. 11), where

    - P_1(w|c) = (alpha + o_cw) / (2 alpha + sum_w o_cw), where o_cw is the number of documents of c
      with w; alpha is ``first_order_alpha`` if that is given;
    - P_2(w|c) = (alpha + d_cw) / (2 alpha + sum_w d_cw), where d_cw is the number of paths from w
      to c ([2]_ Eq. 10, but normalized per class; ``path_total="all"`` divides by the paths to
      all classes, as the printed equation does).

    P(c) is the share of c in the labeled documents. Only the last document of a path needs a label,
    so unlabeled documents can also be used; see ``unlabeled``.

    If no path leads to a class, all classes use only P_1, with alpha in proportion to the number of
    terms of the class. If a class has no terms, all classes use document counts with Laplace
    smoothing. A `NoPathWarning` names the class.

    Parameters
    ----------
    beta : float, default=0.5
        Weight of the paths, from 0 to 1.
    alpha : float, default=1.0
        Added to every count (Laplace smoothing); must be 0 or more. 0 is better than 1 if there are
        few documents. Terms without a path to a class then get a very small probability.
    first_order_alpha : float or None, default=None
        Used instead of ``alpha`` in P_1. With 0, P_1 is the plain share of each term. None uses
        ``alpha``.
    path_total : {"class", "all"}, default="class"
        Paths by which P_2 divides: those to the class, or those to all classes, where P_1 decides
        about the terms that the class has.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Sorted labels, without the mark of unlabeled documents.
    label_path_count_ : ndarray of shape (n_classes, n_features)
        Paths from each term to each class; int64, or float64 with weights that are not integers.

    Examples
    --------
    The last term occurs in no labeled document. The unlabeled document connects it to class "b".

    >>> from honeybayes import HigherOrderSmoothingNB
    >>> X = [[1, 1, 0, 0, 0], [1, 1, 0, 0, 0], [0, 0, 1, 1, 0], [0, 0, 1, 1, 0], [0, 0, 0, 1, 1]]
    >>> y = ["a", "a", "b", "b", "?"]
    >>> model = HigherOrderSmoothingNB(unlabeled="?").fit(X, y)
    >>> model.label_path_count_
    array([[2, 2, 0, 0, 0],
           [0, 0, 2, 2, 2]])
    >>> model.predict([[0, 0, 0, 0, 1]])
    array(['b'], dtype='<U1')
    """

    beta: Fraction = 0.5
    alpha: NotNegative = 1.0
    first_order_alpha: NotNegative | None = None
    path_total: Literal["class", "all"] = "class"
    unlabeled: Any = None

    model_tags = ModelTags(learns_from_unlabeled=True)

    fitted_attributes = State(
        label_path_count_=Array(("classes", "features"), NUMBERS), _uses_paths=Bool()
    )

    def _encode_labels(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        classes, position = encode_labels(y, self.unlabeled)
        if not len(classes):
            raise ValueError(
                f"Every label is {self.unlabeled!r}, the mark of unlabeled documents. Label at "
                "least one document of each class."
            )
        check_classification_targets(y[position >= 0])
        return classes, position

    def _estimate(self, data: FitData) -> _binary_events.BinaryEventEstimate:
        X, position, classes, weights = data
        labeled = position >= 0
        labeled_weights = None if weights is None else weights[labeled]
        documents = np.bincount(position[labeled], labeled_weights, minlength=len(classes))
        if not documents.any():
            raise ValueError(
                "All labeled documents have weight 0 in sample_weight. Give some of them a weight."
            )
        self._weighted = self.frequencies is not None or weights is not None
        with_term, paths = label_paths(X, position, len(classes), weights)
        return self._estimate_from(classes, documents, with_term, paths)

    def _estimate_from(
        self, classes: np.ndarray, documents: np.ndarray, *counts: np.ndarray
    ) -> _binary_events.BinaryEventEstimate:
        """Estimate from documents with each term and from paths, both (classes, terms)."""
        first, second = map(np.asfortranarray, counts)  # always, so that rounding is the same
        prior, has_documents = documents / documents.sum(), documents > 0
        self.label_path_count_ = second
        without_path = classes[~second.any(axis=1) & has_documents]
        has_terms = (first.any(axis=1) | ~has_documents).all()
        self._uses_paths = self.beta > 0 and not len(without_path)
        alpha = self.alpha if self.first_order_alpha is None else self.first_order_alpha
        first_share = share(first, alpha)
        if self.beta == 0 and has_terms:
            return _binary_events.from_probability(first_share, prior)
        if not len(without_path):
            second_share = share(second, self.alpha, of_all=self.path_total == "all")
            mixed = (1 - self.beta) * first_share + self.beta * second_share
            return _binary_events.from_probability(mixed, prior)
        used = "the words of its own documents" if has_terms else "document counts"
        warnings.warn(
            f"No path from a word to the classes {without_path.tolist()}; every class uses {used}.",
            NoPathWarning,
            stacklevel=5,
        )
        if not has_terms:
            return _binary_events.laplace(first, documents, prior, self.alpha or 1.0)
        first_share = share(first, _binary_events.even_alpha(first.sum(axis=1), alpha))
        return _binary_events.from_probability(first_share, prior)

    def path_settings(self) -> PathSettings:
        """Return which paths were counted; see ``honeybayes.utils.scores``."""
        check_is_fitted(self)
        order = 2 if self._uses_paths else 0
        return PathSettings(True, order, None, self.label_path_count_, self._weighted)


def share(counts: np.ndarray, alpha: float | np.ndarray, of_all: bool = False) -> np.ndarray:
    """Return the share of each term in the counts of its class, or of all, with Laplace's rule.

    A class without counts, and without alpha, gets 0.
    """
    total = 2 * alpha + counts.sum(axis=None if of_all else 1, keepdims=True)
    return (alpha + counts) / np.where(total > 0, total, 1)
