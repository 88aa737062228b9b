"""Higher Order Smoothing: paths from words to class labels, across the borders of classes."""

import warnings
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.multiclass import check_classification_targets

from honeybayes.bayes._binary_events import (
    BaseBinaryEventNB,
    BinaryEventEstimate,
    even_alpha,
    from_probability,
    laplace,
)
from honeybayes.exceptions import NoPathWarning
from honeybayes.paths.labels import label_paths
from honeybayes.utils.labeled_score import LabeledScoreMixin
from honeybayes.utils.labels import encode_labels
from honeybayes.utils.matrices import sum_by_class
from honeybayes.utils.state import NUMBERS, Array, State
from honeybayes.utils.tags import ModelTags
from honeybayes.utils.validation import check_fraction, check_not_negative


class HigherOrderSmoothingNB(LabeledScoreMixin, BaseBinaryEventNB):
    """Naive Bayes with Higher Order Smoothing (HOS).

    Mixes what the documents of a class say about a word with what the paths
    word - document - word - document - class say, whose first document may belong to any class:
    P(w|c) = (1 - beta) P_1(w|c) + beta P_2(w|c) ([1]_ Eq. 11), where

    - P_1(w|c) = (alpha + o_cw) / (2 alpha + sum_w o_cw), o_cw the documents of c with w;
    - P_2(w|c) = (alpha + d_cw) / (2 alpha + sum_w d_cw), d_cw the paths from w to c ([1]_ Eq. 10,
      normalized per class: dividing by the paths of all classes, as printed, does not give the
      published accuracies).

    P(c) is the share of c in the labeled documents. Only the last document of a path needs a
    label, so documents without one can take part: see ``unlabeled``.

    If a class has no such path, all classes use P_1 alone, with alpha in proportion to the words
    of the class; if a class has no words, document counts with Laplace's rule. A `NoPathWarning`
    names the class.

    Parameters
    ----------
    beta : float, default=0.5
        Weight of the paths, from 0 to 1.
    alpha : float, default=1.0
        Count added to each side by Laplace's rule, 0 or more. 0 goes without: better than 1 if
        the documents are few. Words that no path joins to a class then get a small floor.
    unlabeled : label, default=None
        The value in y that marks a document without a label, such as -1. By default every value
        is a class. ``score`` leaves such documents out.
    binarize : float or None, default=0.0
        A value above this threshold means that the word is present (so a negative value means
        absent). None: the input is counts or booleans, every non-zero is present, and a negative
        value is an error.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Sorted labels, without the mark of unlabeled documents.
    feature_log_prob_ : ndarray of shape (n_classes, n_features)
        log P(word present given class).
    feature_log_absence_prob_ : ndarray of shape (n_classes, n_features)
        log P(word absent given class).
    class_log_prior_ : ndarray of shape (n_classes,)
        log P(class).
    label_path_count_ : ndarray of int64, shape (n_classes, n_features)
        Paths from each word to each class.
    n_features_in_ : int
        Number of words.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the words, if X was a data frame with string columns.

    See Also
    --------
    HigherOrderNB : Paths inside each class.
    honeybayes.paths.count_label_paths : The counts themselves.

    References
    ----------
    .. [1] M. Poyraz, Z. H. Kilimci and M. C. Ganiz, "A Novel Semantic Smoothing Method based on
       Higher Order Paths for Text Classification", ICDM 2012.

    Examples
    --------
    The last word never occurs in a labeled document. The unlabeled one links it to class "b".

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

    model_tags = ModelTags(learns_from_unlabeled=True)
    fitted_attributes = State(
        label_path_count_=Array(("classes", "features"), NUMBERS),
    )

    def __init__(
        self,
        *,
        beta: float = 0.5,
        alpha: float = 1.0,
        unlabeled: Any = None,
        binarize: float | None = 0.0,
    ) -> None:
        self.beta = beta
        self.alpha = alpha
        self.unlabeled = unlabeled
        self.binarize = binarize

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_fraction("beta", self.beta)
        check_not_negative("alpha", self.alpha)

    def _encode_labels(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        classes, position = encode_labels(y, self.unlabeled)
        if not len(classes):
            raise ValueError(
                f"Every label is {self.unlabeled!r}, the mark of unlabeled documents: label at "
                "least one document of each class."
            )
        check_classification_targets(y[position >= 0])
        return classes, position

    def _estimate(
        self, X: sparse.csr_array, position: np.ndarray, classes: np.ndarray
    ) -> BinaryEventEstimate:
        documents = np.bincount(position[position >= 0], minlength=len(classes))
        prior = documents / documents.sum()
        documents_with_term = sum_by_class(X, position, len(classes))
        first = documents_with_term.T
        second = label_paths(X, position, documents_with_term)
        self.label_path_count_ = second

        without_path = classes[~second.any(axis=1)]
        if self.beta == 0 and first.any(axis=1).all():
            return from_probability(share(first, self.alpha), prior)
        if not len(without_path):
            first_share, second_share = share(first, self.alpha), share(second, self.alpha)
            mixed = (1 - self.beta) * first_share + self.beta * second_share
            return from_probability(mixed, prior)
        if first.any(axis=1).all():
            self._warn(without_path, "the words of its own documents")
            alpha = even_alpha(first.sum(axis=1), self.alpha)
            return from_probability(share(first, alpha), prior)
        self._warn(without_path, "document counts")
        return laplace(first, documents, prior, self.alpha or 1.0)

    def _warn(self, without_path: np.ndarray, used: str) -> None:
        warnings.warn(
            f"No path from a word to class(es) {without_path.tolist()}; every class uses {used}.",
            NoPathWarning,
            stacklevel=4,
        )


def share(counts: np.ndarray, alpha: float | np.ndarray) -> np.ndarray:
    """Each word's part of the counts of its class, with Laplace's rule."""
    return (alpha + counts) / (2 * alpha + counts.sum(axis=1, keepdims=True))
