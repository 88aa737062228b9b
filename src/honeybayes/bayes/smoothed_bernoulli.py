"""Bernoulli naive Bayes with Laplace or Jelinek-Mercer smoothing."""

from typing import Literal

import numpy as np

from honeybayes.bayes._binary_events import BaseBinaryEventNB, from_probability, laplace
from honeybayes.bayes.base import AdditiveBayes, FitData
from honeybayes.utils.parameters import estimator
from honeybayes.utils.state import NUMBERS, Array, State
from honeybayes.utils.tags import ModelTags
from honeybayes.utils.validation import Fraction, Positive


@estimator
class SmoothedBernoulliNB(AdditiveBayes, BaseBinaryEventNB):
    """Bernoulli naive Bayes, the first-order baseline of the higher-order models.

    With N_c documents in class c, N_cw of them with term w, and N and N_w over all classes:

    - ``smoothing="laplace"``: P(w|c) = (alpha + N_cw) / (2 alpha + N_c), [1]_ Eq. 6;
    - ``smoothing="jelinek-mercer"``: P(w|c) = (1 - beta) N_cw / N_c + beta N_w / N, [2]_ Eq. 5-7.

    P(c) = N_c / N in both ([1]_ Eq. 7).

    Parameters
    ----------
    smoothing : {"laplace", "jelinek-mercer"}, default="laplace"
        How to estimate the probability of terms that a class does not contain.
    alpha : float, default=1.0
        Smoothing parameter: added to the number of documents with the term and to the number of
        documents without the term.
    beta : float, default=0.2
        Weight of the collection model in Jelinek-Mercer smoothing, from 0 to 1.

    Attributes
    ----------
    feature_count_ : ndarray of shape (n_classes, n_features)
        Documents per class that contain each term, by weight.
    class_count_ : ndarray of shape (n_classes,)
        Documents per class, by weight.

    Examples
    --------
    >>> from honeybayes import SmoothedBernoulliNB
    >>> X = [[1, 1, 0, 0], [1, 0, 1, 0], [0, 0, 1, 1], [0, 1, 0, 1]]
    >>> model = SmoothedBernoulliNB(smoothing="jelinek-mercer").fit(X, ["a", "a", "b", "b"])
    >>> model.predict([[1, 0, 0, 0]])
    array(['a'], dtype='<U1')
    >>> model.predict_proba([[1, 0, 0, 0]]).round(2)
    array([[0.99, 0.01]])
    """

    smoothing: Literal["laplace", "jelinek-mercer"] = "laplace"
    alpha: Positive = 1.0
    beta: Fraction = 0.2

    model_tags = ModelTags(learns_in_batches=True)

    fitted_attributes = State(
        feature_count_=Array(("classes", "features"), NUMBERS, low=0),
        class_count_=Array(("classes",), NUMBERS, low=0),
    )

    def _count(self, data: FitData) -> tuple[np.ndarray, np.ndarray]:
        return data.with_term().T.astype(np.float64), data.class_sizes()

    def _estimate_again(self) -> None:
        prior = self.class_count_ / self.class_count_.sum()
        if self.smoothing == "laplace":
            estimate = laplace(self.feature_count_, self.class_count_, prior, self.alpha)
        else:
            collection = self.feature_count_.sum(axis=0) / self.class_count_.sum()
            seen = self.class_count_ > 0  # an announced class without documents uses the collection
            own = np.tile(collection, (len(seen), 1))
            own[seen] = self.feature_count_[seen] / self.class_count_[seen, np.newaxis]
            estimate = from_probability((1 - self.beta) * own + self.beta * collection, prior)
        self._keep(estimate, self.classes_)
