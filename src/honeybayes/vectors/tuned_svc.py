"""A support vector machine that selects C as in the papers."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from sklearn.base import clone
from sklearn.multiclass import OneVsOneClassifier
from sklearn.svm import SVC

from honeybayes.utils.matrices import presence_above, without_duplicates
from honeybayes.utils.parameters import estimator
from honeybayes.utils.state import Number, State
from honeybayes.utils.validation import Flag, NotNegative, Threshold
from honeybayes.vectors._base import CS_OF_THE_PAPERS, TRAINING_ACCURACY, BaseVectorSVC

Kernel = Literal["linear", "poly", "rbf", "sigmoid"]
Gamma = Literal["scale", "auto"] | NotNegative


@estimator
class TunedSVC(BaseVectorSVC):
    """Support vector machine that selects C as in the papers.

    scikit-learn's SVC (one-vs-one, majority vote), fitted with the smallest C of a grid that has
    the best accuracy on the training set itself ([1]_, section 5). With many documents, choose C by
    cross-validation instead.

    Parameters
    ----------
    kernel : {"linear", "poly", "rbf", "sigmoid"}, default="linear"
        The kernel, as in SVC.
    C : float or "training-accuracy", default="training-accuracy"
        The penalty of errors. ``"training-accuracy"`` selects it from ``Cs``.
    degree : int, default=3
        Degree of the polynomial kernel.
    gamma : {"scale", "auto"} or float, default="scale"
        Coefficient of the polynomial, RBF and sigmoid kernels.
    coef0 : float, default=0.0
        Constant term of the polynomial and sigmoid kernels.
    per_pair : bool, default=False
        Whether to select one C for each pair of classes instead of one C for all pairs.
    binarize : float or None, default=None
        If it is a number, values above it become 1 and other values become 0. With None, the values
        are used unchanged.

    Attributes
    ----------
    C_ : float or ndarray of shape (n_classes * (n_classes - 1) / 2,)
        The penalty that was used. With ``per_pair``, one penalty per pair of classes: first and
        second class, first and third, and so on.
    model_ : SVC or OneVsOneClassifier
        The fitted model.

    Examples
    --------
    >>> from honeybayes import TunedSVC
    >>> X = [[3, 1, 0, 0], [1, 0, 1, 0], [0, 0, 1, 2], [0, 1, 0, 1]]
    >>> model = TunedSVC(binarize=0).fit(X, ["a", "a", "b", "b"])
    >>> model.C_
    0.0001
    >>> model.predict([[1, 0, 0, 0]])
    array(['a'], dtype='<U1')
    """

    kernel: Kernel = "linear"
    C: float | str = TRAINING_ACCURACY
    Cs: Sequence[float] = CS_OF_THE_PAPERS
    degree: int = 3
    gamma: Gamma = "scale"
    coef0: float = 0.0
    per_pair: Flag = False
    binarize: Threshold = None

    fitted_attributes = State(_binarize=Number(optional=True))

    def _features(self, X: Any) -> Any:
        if self._binarize is not None:
            X = presence_above(X, self._binarize)
        return without_duplicates(X)  # SVC would sort the caller's arrays

    def _fit_model(self, features: Any, y: np.ndarray) -> None:
        if self.per_pair:
            pair = clone(self).set_params(per_pair=False, binarize=None)
            self.model_ = OneVsOneClassifier(pair).fit(features, y)
            self.C_ = np.array([pair.C_ for pair in self.model_.estimators_])
        else:
            # A linear kernel has no gamma, but SVC would check it: "scale" can be below 0 if sparse
            # features hardly vary.
            gamma = "auto" if self.kernel == "linear" else self.gamma
            svc = SVC(kernel=self.kernel, degree=self.degree, gamma=gamma, coef0=self.coef0)
            self._fit_svc(svc, features, y, self.C)

    def _size_of_planes(self, n_classes: int, n_terms: int) -> tuple[int, int]:
        n_planes, n_bytes = super()._size_of_planes(n_classes, n_terms)
        return n_planes, 16_000 if self.per_pair else n_bytes
