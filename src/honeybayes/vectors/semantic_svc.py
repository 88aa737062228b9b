"""A support vector machine on the iterative semantic kernel."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.svm import SVC

from honeybayes.utils.parameters import described_like, estimator
from honeybayes.utils.state import Array, Fitted, State, check_inner
from honeybayes.utils.validation import CountsInputMixin, Flag, FromOne
from honeybayes.vectors._base import CS_OF_THE_PAPERS, TRAINING_ACCURACY, BaseVectorSVC
from honeybayes.vectors.iterative_kernel import IterativeHigherOrderKernel, Normalization, Weighting

SCALE = "scale"


@described_like(IterativeHigherOrderKernel)
@estimator
class SemanticSVC(CountsInputMixin, BaseVectorSVC):
    """Support vector machine on the iterative semantic kernel: SMO-N-IHOSK.

    The kernel learns from the training documents which terms are similar, and compares documents
    through their terms, so documents without a common term can be similar.

    Parameters
    ----------
    C : float, "scale" or "training-accuracy", default="scale"
        The penalty of errors. ``"scale"`` is 5 divided by the median squared distance of the
        training documents from their mean, in the feature space of the kernel.
        ``"training-accuracy"`` is the smallest of ``Cs`` with the best training accuracy.

    Attributes
    ----------
    C_ : float
        The penalty that was used.
    kernel_ : IterativeHigherOrderKernel
        The fitted kernel. Its method ``similar_terms`` shows which terms are similar.
    model_ : sklearn.svm.SVC
        The SVC, fitted to the features of the kernel.

    Notes
    -----
    The values of the kernel are small, so a value of C for a linear kernel on counts is far too
    small. There is one SVC per pair of classes; ties of votes are broken by the margins.

    References
    ----------
    .. [1] Altinel, B., Ganiz, M. C., Diri, B., "A Semantic Kernel for Text Classification Based on
       Iterative Higher-Order Relations between Words and Documents" (2014).

    Examples
    --------
    The second new document shares its only term with one training document of its class.

    >>> from honeybayes import SemanticSVC
    >>> X = [[1, 1, 0, 0, 0], [0, 1, 1, 0, 0], [0, 0, 0, 1, 1], [0, 0, 0, 2, 0]]
    >>> y = ["sea", "sea", "land", "land"]
    >>> model = SemanticSVC().fit(X, y)
    >>> model.predict([[0, 0, 0, 0, 1], [3, 0, 0, 0, 0]])
    array(['land', 'sea'], dtype='<U4')
    """

    n_iter: FromOne = 2
    normalize: Normalization = "length"
    unit_diagonal: Flag = False
    weighting: Weighting = None
    C: float | str = SCALE
    Cs: Sequence[float] = CS_OF_THE_PAPERS

    rules_for_C = (SCALE, TRAINING_ACCURACY)
    fitted_attributes = State(kernel_=Fitted("similar_terms"), _center=Array(("components",)))

    def _check_state(self) -> None:
        if self.n_features_in_ != self.kernel_.n_features_in_:
            raise ValueError("kernel_ expects a different number of features")
        width = self.kernel_._n_features_out
        if len(self._center) != width:
            raise ValueError(f"_center does not have the {width} features of kernel_")
        check_inner(self, "model_", width)

    def _fit_features(self, X: Any, y: np.ndarray) -> np.ndarray:
        names = ("n_iter", "normalize", "unit_diagonal", "weighting")
        settings = {name: getattr(self, name) for name in names}
        self.kernel_ = IterativeHigherOrderKernel(**settings).fit(X)
        features = self.kernel_.transform(X)
        # libsvm stores the kernel in single precision: small differences would be lost
        self._center = features.mean(axis=0)
        apart = features - self._center
        rounding = len(features) * np.finfo(np.float64).eps * np.abs(features).max(initial=0)
        apart[np.abs(apart) <= rounding] = 0  # all documents are equal
        return apart

    def _features(self, X: Any) -> np.ndarray:
        return self.kernel_.transform(X) - self._center

    def _fit_model(self, features: np.ndarray, y: np.ndarray) -> None:
        C = scaled_penalty(features) if self.C == SCALE else self.C
        self._fit_svc(SVC(kernel="linear", break_ties=True), features, y, C)


def scaled_penalty(features: np.ndarray) -> float:
    """Return 5 / (median squared distance from the mean), or 1 if all documents are equal.

    A distance that is not larger than rounding errors is treated as zero.
    """
    distances = ((features - features.mean(axis=0)) ** 2).sum(axis=1)
    longest = (features**2).sum(axis=1).max()
    rounding = len(features) * np.finfo(np.float64).eps * longest
    for typical in (np.median(distances), distances.mean()):  # most may be one document
        if typical > rounding:
            return float(5 / typical)
    return 1.0
