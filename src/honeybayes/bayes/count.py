"""Multinomial, complement and one-vs-rest naive Bayes."""

import numpy as np

from honeybayes.bayes._count_base import BaseLinearCountNB, log_priors, weighted_counts
from honeybayes.bayes.base import AdditiveBayes, FitData
from honeybayes.utils.parameters import estimator
from honeybayes.utils.tags import ModelTags
from honeybayes.utils.validation import Flag


@estimator
class CountNB(AdditiveBayes, BaseLinearCountNB):
    """Naive Bayes on term counts: multinomial (MNB), complement (CNB) or one-vs-rest (OVA).

    Terms are independent of each other, given the class ([1]_, Equations 1 to 7). The multinomial
    rule is scikit-learn's ``MultinomialNB`` with smoothed priors.

    Parameters
    ----------
    fit_prior : bool, default=True
        Learn the priors from the documents ([1]_ Eq. 4 and 5). With False they are equal, so the
        complement rule is scikit-learn's ``ComplementNB`` and WEKA's.

    Attributes
    ----------
    class_log_prior_ : ndarray of shape (n_classes,)
        log P(class), with one document added per class. If ``fit_prior=False``, only these.

    Examples
    --------
    >>> from honeybayes.bayes import CountNB
    >>> X = [[2, 1, 0], [1, 0, 0], [0, 1, 3]]
    >>> model = CountNB(rule="one-vs-rest").fit(X, ["sea", "sea", "land"])
    >>> model.predict([[1, 1, 0], [0, 0, 1]])
    array(['sea', 'land'], dtype='<U4')
    """

    fit_prior: Flag = True

    model_tags = ModelTags(learns_in_batches=True)

    def _set_priors(self, class_count: np.ndarray) -> None:
        super()._set_priors(class_count)
        if not self.fit_prior:
            no_documents = np.zeros_like(class_count)
            self.class_log_prior_, self.complement_log_prior_ = log_priors(no_documents)

    def _count(self, data: FitData) -> tuple[np.ndarray, np.ndarray]:
        feature_count, class_count = weighted_counts(data)
        return feature_count.T, class_count

    def _estimate_again(self) -> None:
        self._keep(np.ascontiguousarray(self.feature_count_.T), self.class_count_, self.classes_)
