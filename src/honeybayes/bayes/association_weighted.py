"""Naive Bayes on counts in which a term has more weight in classes where it is frequent."""

import numpy as np

from honeybayes.bayes._count_base import BaseWeightedTermsNB, weighted_counts
from honeybayes.bayes.base import FitData
from honeybayes.utils.matrices import of_complement
from honeybayes.utils.parameters import estimator


@estimator
class AssociationWeightedNB(BaseWeightedTermsNB):
    """Naive Bayes with probabilities multiplied by association: R_{w,c} with MNB, CNB, OVA.

    R ([1]_, section 2.1) compares the number of documents of class c that contain term w with the
    number expected if both were independent. If R is above one, it multiplies P(w given c)::

        R_wc = P(w, c) / (P(w) P(c))        shares of documents
        log P(d given c) = sum over w of f_w log(P(w given c) max(1, R_wc))

    The complement of the class is treated in the same way. A term that never occurs has R = 1. The
    products are not normalized to sum to one. ``feature_log_prob_`` and
    ``complement_feature_log_prob_`` are before R.

    Examples
    --------
    >>> from honeybayes.bayes import AssociationWeightedNB
    >>> X = [[2, 1, 0], [1, 0, 0], [0, 1, 3]]
    >>> model = AssociationWeightedNB(rule="complement").fit(X, ["sea", "sea", "land"])
    >>> model.predict([[1, 1, 0], [0, 1, 1]])
    array(['sea', 'land'], dtype='<U4')
    """

    def _learn(self, data: FitData) -> None:
        feature_count, class_count = weighted_counts(data)
        self._keep(feature_count, class_count, data.classes)
        present = data.with_term()
        share = present.sum(axis=1, keepdims=True) / class_count.sum()  # documents with the term
        rest, others = of_complement(present), of_complement(class_count)
        self._class_table = self._complement_table = None
        for name, logs, found, documents in (
            ("_class_table", self.feature_log_prob_, present, class_count),
            ("_complement_table", self.complement_feature_log_prob_, rest, others),
        ):
            if logs is not None:
                expected = share * documents
                R = np.divide(found, expected, out=np.ones_like(expected), where=expected > 0)
                setattr(self, name, logs.T + np.log(np.maximum(R, 1)))
