"""Documents as vectors of log-likelihood ratios, estimated from higher-order paths."""

from typing import Any, Literal, Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils import ClassifierTags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from honeybayes.bayes import HigherOrderNB, SmoothedBernoulliNB
from honeybayes.utils.matrices import presence_above
from honeybayes.utils.parameters import estimator
from honeybayes.utils.state import Array, Integer, Number, OneOf, State
from honeybayes.utils.validation import Flag, MatrixInputMixin, Threshold, validate_counts

Estimates = Literal["higher-order", "first-order"]


@estimator
class HigherOrderTransformer(
    MatrixInputMixin, OneToOneFeatureMixin, TransformerMixin, BaseEstimator
):
    """Turn documents into log-likelihood ratios between two classes: the HOSVM transformation.

    A term i that is present becomes r = log P(i|c2) - log P(i|c1), an absent term becomes r = log(1
    - P(i|c2)) - log(1 - P(i|c1)), each divided by the square root of its absolute value ([1]_ Eq.
    10-12). The probabilities are estimated as in `HigherOrderNB`, from the higher-order paths of
    each class. The vectors are the input of a linear SVM.

    The ratio is defined for two classes. For more, use one transformation per pair:
    ``OneVsOneClassifier(make_pipeline(HigherOrderTransformer(), SVC(kernel="linear")))``.

    Parameters
    ----------
    order : int, default=2
        Number of documents on a path.
    estimates : {"higher-order", "first-order"}, default="higher-order"
        How P(i|c) is estimated: from paths (`HigherOrderNB`), or from documents with Laplace
        smoothing (`SmoothedBernoulliNB`). With ``"first-order"``, ``order`` has no effect.
    normalize : bool, default=True
        Whether to divide each ratio by the square root of its absolute value, so that terms that
        occur in only one class do not dominate the other terms.
    absent : {"exact", "shifted"}, default="exact"
        "exact" returns the dense vectors of the paper. "shifted" subtracts the vector of an empty
        document from each document; absent terms are then 0, and the result is sparse. SVC makes
        the same predictions; LinearSVC, which penalizes its intercept, may not.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The two classes, sorted. A positive ratio is evidence for the second class.
    present_ : ndarray of shape (n_features,)
        Value of each term where it is present.
    absent_ : ndarray of shape (n_features,)
        Value of each term where it is absent.
    order_ : int
        Order of the paths that were used: lower than ``order`` if a class has no such path, 0 for
        document counts.

    References
    ----------
    .. [1] M. C. Ganiz, N. I. Lytkin and W. M. Pottenger, "Leveraging Higher Order Dependencies
       Between Features for Text Classification", DIMACS TR 2009-16, section 4.2.

    Examples
    --------
    >>> from honeybayes import HigherOrderTransformer
    >>> X = [[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1], [1, 0, 0, 1]]
    >>> y = ["a", "a", "b", "b"]
    >>> HigherOrderTransformer().fit_transform(X, y)[0].round(2)
    array([ 0.  , -0.83,  0.  , -0.83])
    >>> HigherOrderTransformer(absent="shifted").fit_transform(X, y).toarray()[0].round(2)
    array([ 0.  , -1.67,  0.  ,  0.  ])
    """

    order: int = 2
    estimates: Estimates = "higher-order"
    normalize: Flag = True
    absent: Literal["exact", "shifted"] = "exact"
    binarize: Threshold = 0.0

    fitted_attributes = State(
        present_=Array(("features",)),
        absent_=Array(("features",)),
        order_=Integer(),
        _absent=OneOf(("exact", "shifted")),
        _binarize=Number(optional=True),
    )

    def fit(self, X: Any, y: Any) -> Self:
        """Learn the value of each term for two classes.

        Parameters
        ----------
        y : array-like of shape (n_samples,)
            Label of each document; exactly two classes.
        """
        self._check_parameters()
        X, y = validate_counts(self, X, y, reset=True)
        check_classification_targets(y)
        classes = np.unique(y)
        if len(classes) != 2:
            found = "one class only" if len(classes) < 2 else f"{len(classes)} classes"
            raise ValueError(
                "Only binary classification is supported: the transformation compares two classes, "
                f"but y has {found}. Use HigherOrderSVC, or one transformer per pair: "
                'OneVsOneClassifier(make_pipeline(HigherOrderTransformer(), SVC(kernel="linear"))).'
            )
        bayes = self._bayes().fit(X, y)
        self.classes_ = bayes.classes_
        self._absent, self._binarize = self.absent, self.binarize
        self.order_ = getattr(bayes, "order_", 0)
        self.present_ = self._value(bayes.feature_log_prob_)
        self.absent_ = self._value(bayes.feature_log_absence_prob_)
        return self

    def transform(self, X: Any) -> Any:
        """Turn documents into vectors.

        Returns
        -------
        ndarray, or CSR array if ``absent="shifted"``, of shape (n_samples, n_features)
            Of float64.
        """
        check_is_fitted(self)
        X = presence_above(validate_counts(self, X, reset=False), self._binarize)
        if self._absent == "exact":
            return np.where(X.toarray(), self.present_, self.absent_)
        moved = (self.present_ - self.absent_)[X.indices]
        return sparse.csr_array((moved, X.indices, X.indptr), shape=X.shape)

    def _check_parameters(self) -> None:
        super()._check_parameters()
        self._bayes()._check_parameters()

    def _bayes(self) -> HigherOrderNB | SmoothedBernoulliNB:
        if self.estimates == "first-order":
            return SmoothedBernoulliNB(binarize=self.binarize)
        return HigherOrderNB(order=self.order, binarize=self.binarize)

    def _value(self, log_prob: np.ndarray) -> np.ndarray:
        ratio = log_prob[1] - log_prob[0]
        return np.sign(ratio) * np.sqrt(np.abs(ratio)) if self.normalize else ratio

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.classifier_tags = ClassifierTags(multi_class=False)
        return tags
