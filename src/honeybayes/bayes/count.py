"""Multinomial and complement naive Bayes, and one class against the rest."""

from typing import Any, Self

import numpy as np

from honeybayes.bayes._linear_base import BaseLinearCountNB, weighted_counts
from honeybayes.bayes.base import AdditiveMixin, encode_announced
from honeybayes.utils.tags import ModelTags


class CountNB(AdditiveMixin, BaseLinearCountNB):
    """Naive Bayes on term counts: multinomial (MNB), complement (CNB) or one-vs-rest (OVA).

    The words of a document are drawn one by one, independently, from the words of its class.

    Parameters
    ----------
    rule : {"multinomial", "complement", "one-vs-rest"}, default="multinomial"
        How the log joint a under the class and b under its complement decide: by a, by -b, or by
        a - b.
    alpha : float, default=1.0
        Added to every count, above 0.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    class_count_ : ndarray of shape (n_classes,)
        Documents of each class, by weight.
    class_log_prior_ : ndarray of shape (n_classes,)
        log P(class), smoothed by one document.
    complement_log_prior_ : ndarray of shape (n_classes,)
        log P(complement of the class), smoothed by one document.
    feature_count_ : ndarray of shape (n_classes, n_features)
        Occurrences of each term in each class, by weight.
    feature_log_prob_ : ndarray of shape (n_classes, n_features) or None
        log P(term given class). None if ``rule="complement"``, which has no use for it.
    complement_feature_log_prob_ : ndarray of shape (n_classes, n_features) or None
        log P(term given the complement of the class). None if ``rule="multinomial"``.
    n_features_in_ : int
        Number of terms.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the terms, if ``X`` was a data frame.

    See Also
    --------
    FeatureWeightedNB : Lets words that tell the classes apart count more.
    HiddenNB : Lets each word depend on the other words of the document.
    StructureExtendedNB : Averages over each word of the document as a parent of the others.

    Notes
    -----
    Against scikit-learn: ``MultinomialNB`` has no smoothing of the priors, and ``ComplementNB``
    no prior at all; otherwise the first two rules are the same models.

    References
    ----------
    .. [1] "Hidden multinomial naive Bayes" (HMNB, HCNB, HOVA), Equations 1 to 7.

    Examples
    --------
    >>> from honeybayes.bayes import CountNB
    >>> X = [[2, 1, 0], [1, 0, 0], [0, 1, 3]]
    >>> model = CountNB(rule="one-vs-rest").fit(X, ["sea", "sea", "land"])
    >>> model.predict([[1, 1, 0], [0, 0, 1]])
    array(['sea', 'land'], dtype='<U4')
    """

    model_tags = ModelTags(learns_in_batches=True)

    def __init__(self, rule: str = "multinomial", alpha: float = 1.0) -> None:
        self.rule = rule
        self.alpha = alpha

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from labeled documents, and from nothing seen before.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents by terms: counts, or other weights that are not negative, as tf-idf.
        y : array-like of shape (n_samples,)
            Label of each document.
        sample_weight : array-like of shape (n_samples,), optional
            Weight of each document, not negative. By default, one each.

        Returns
        -------
        self : object
        """
        X, position, classes = self._start_fit(X, y)
        return self._keep(*weighted_counts(X, position, len(classes), sample_weight), classes)

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn from more labeled documents.

        The order and the size of the batches make no difference.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents by terms: counts, or other weights that are not negative, as tf-idf.
        y : array-like of shape (n_samples,)
            Label of each document.
        classes : array-like of shape (n_classes,), optional
            All labels that will ever come. Required at the first call.
        sample_weight : array-like of shape (n_samples,), optional
            Weight of each document, not negative. By default, one each.

        Returns
        -------
        self : object
        """
        self._check_parameters()
        first = not hasattr(self, "feature_count_")
        X, y = self._check_labeled(X, y, reset=first)
        classes = self._announced_classes(classes)
        position = encode_announced(y, classes)
        feature_count, class_count = weighted_counts(X, position, len(classes), sample_weight)
        if not first:
            feature_count += self.feature_count_.T
            class_count += self.class_count_
        return self._keep(feature_count, class_count, classes)

    def _estimate_anew(self) -> None:
        self._keep(np.ascontiguousarray(self.feature_count_.T), self.class_count_, self.classes_)
