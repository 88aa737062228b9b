"""Multinomial, complement and one-vs-rest naive Bayes."""

from typing import Any

import numpy as np

from honeybayes.bayes._count_base import FitData, WeightedFitMixin, log_priors
from honeybayes.bayes._linear_base import BaseLinearCountNB, weighted_counts
from honeybayes.bayes.base import AdditiveMixin
from honeybayes.utils.parameters import estimator
from honeybayes.utils.tags import ModelTags
from honeybayes.utils.validation import check_bool


@estimator
class CountNB(AdditiveMixin, WeightedFitMixin, BaseLinearCountNB):
    """Naive Bayes on term counts: multinomial (MNB), complement (CNB) or one-vs-rest (OVA).

    The model assumes that the terms of a document are independent of each other, given its class.

    Parameters
    ----------
    rule : {"multinomial", "complement", "one-vs-rest"}, default="multinomial"
        Score of a class: a for ``"multinomial"``, -b for ``"complement"``, a - b for
        ``"one-vs-rest"``. Here a is the joint log-probability of the document and the class, and b
        is the joint log-probability of the document and the complement of the class.
    alpha : float, default=1.0
        Added to every count; must be above 0.
    fit_prior : bool, default=True
        Learn the priors from the documents ([1]_ Eq. 4 and 5). With False they are equal, so the
        complement rule is scikit-learn's ``ComplementNB`` and WEKA's.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Sorted labels.
    class_count_ : ndarray of shape (n_classes,)
        Documents per class, by weight.
    class_log_prior_ : ndarray of shape (n_classes,)
        log P(class), with one document added per class. If ``fit_prior=False``, only these.
    complement_log_prior_ : ndarray of shape (n_classes,)
        log P(complement of the class), smoothed in the same way.
    feature_count_ : ndarray of shape (n_classes, n_features)
        Occurrences of each term per class, by weight.
    feature_log_prob_ : ndarray of shape (n_classes, n_features) or None
        log P(term given class). None if ``rule="complement"``.
    complement_feature_log_prob_ : ndarray of shape (n_classes, n_features) or None
        log P(term given the complement of the class). None if ``rule="multinomial"``.
    n_features_in_ : int
        Number of terms.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the terms, if ``X`` was a data frame with string columns.

    See Also
    --------
    FeatureWeightedNB : Gives more weight to terms that separate the classes.
    HiddenNB : Lets each term depend on the other terms of the document.
    StructureExtendedNB : Averages over models in which one term is the parent of all.

    Notes
    -----
    The multinomial rule differs from scikit-learn's ``MultinomialNB`` only in the priors: here they
    are smoothed. The complement rule differs from ``ComplementNB`` only in the prior:
    ``ComplementNB`` has none, like WEKA's, while Equation 2 of [1]_ has one.

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

    rule: str = "multinomial"
    alpha: float = 1.0
    fit_prior: bool = True

    model_tags = ModelTags(learns_in_batches=True)

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_bool("fit_prior", self.fit_prior)

    def _set_priors(self, class_count: np.ndarray) -> None:
        super()._set_priors(class_count)
        if not self.fit_prior:
            no_documents = np.zeros_like(class_count)
            self.class_log_prior_, self.complement_log_prior_ = log_priors(no_documents)

    def _learn(self, data: FitData) -> None:
        X, position, classes, weights = data
        self._keep(*weighted_counts(X, position, len(classes), weights), classes)

    def _add(
        self, X: Any, position: np.ndarray, classes: np.ndarray, weights: np.ndarray | None
    ) -> None:
        X = self._canonical(X)
        feature_count, class_count = weighted_counts(X, position, len(classes), weights)
        if hasattr(self, "feature_count_"):
            feature_count += self.feature_count_.T
            class_count += self.class_count_
        self._keep(feature_count, class_count, classes)

    def _estimate_again(self) -> None:
        self._keep(np.ascontiguousarray(self.feature_count_.T), self.class_count_, self.classes_)
