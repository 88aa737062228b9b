"""A support vector machine on the iterative semantic kernel."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.svm import SVC

from honeybayes.utils.state import Array, Fitted, State
from honeybayes.utils.validation import check_option
from honeybayes.vectors._penalized_svc import BaseVectorSVC
from honeybayes.vectors._penalty import (
    CS_OF_THE_PAPERS,
    MOST_STEPS,
    TRAINING_ACCURACY,
    check_penalty,
    fit_with_penalty,
)
from honeybayes.vectors.iterative_kernel import IterativeHigherOrderKernel

SCALE = "scale"


class SemanticSVC(BaseVectorSVC):
    """Support vector machine on the iterative semantic kernel: SMO-N-IHOSK.

    The kernel learns from the training documents which terms are alike, and compares documents
    through their terms, so that documents without a common term can be alike.

    Parameters
    ----------
    n_iter : int, default=2
        Iterations of the kernel.
    normalize : {"length", None}, default="length"
        Whether the kernel is divided by the lengths of the documents.
    unit_diagonal : bool, default=False
        Whether each term and each document is set to similarity one with itself.
    C : float, "scale" or "training-accuracy", default="scale"
        Cost of an error. ``"scale"`` is 5 divided by the median squared distance of the training
        documents from their mean, in the feature space of the kernel. ``"training-accuracy"`` is
        the smallest of ``Cs`` with the best accuracy on the training documents.
    Cs : list of float, default=(1e-4, 1e-3, ..., 1e4)
        The grid of ``"training-accuracy"``.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    C_ : float
        The cost of an error that was used.
    kernel_ : IterativeHigherOrderKernel
        The kernel, fitted; its ``similar_terms`` tells what it learned.
    model_ : sklearn.svm.SVC
        The machine, fitted to the features of the kernel.
    n_features_in_ : int
        Number of terms.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the terms, if ``X`` was a data frame.

    See Also
    --------
    IterativeHigherOrderKernel : The kernel alone, for other learners.

    Notes
    -----
    The values of the kernel are small, for it averages over terms twice and is divided by the
    lengths: a C that suits a linear kernel of counts is far too small. What C has to be measured
    against is how far documents lie apart; what they have in common does not matter, since
    the intercept is not penalized. The median, not the mean, for single documents of few and rare
    terms lie very far out. The factor 5 stands where accuracy hardly changes, between 2 and 20.

    The mean is subtracted before the machine sees the features. The intercept makes up for it, so
    nothing else changes; but libsvm keeps the kernel in single precision, in which small
    differences between documents that have much in common would be lost.

    One against one for more than two classes; a tie of votes goes to the class of the larger
    margin. There is no ``predict_proba``, for margins are no probabilities: see scikit-learn's
    ``CalibratedClassifierCV``.

    References
    ----------
    .. [1] Altinel, B., Ganiz, M. C., Diri, B., "A Semantic Kernel for Text Classification Based on
       Iterative Higher-Order Relations between Words and Documents" (2014).

    Examples
    --------
    The second document to classify has no term in common with its class but through others.

    >>> from honeybayes import SemanticSVC
    >>> X = [[1, 1, 0, 0, 0], [0, 1, 1, 0, 0], [0, 0, 0, 1, 1], [0, 0, 0, 2, 0]]
    >>> y = ["sea", "sea", "land", "land"]
    >>> model = SemanticSVC().fit(X, y)
    >>> model.predict([[0, 0, 0, 0, 1], [3, 0, 0, 0, 0]])
    array(['land', 'sea'], dtype='<U4')
    """

    fitted_attributes = State(
        kernel_=Fitted("similar_terms"),
        _center=Array(("components",)),
    )

    def __init__(
        self,
        n_iter: int = 2,
        *,
        normalize: str | None = "length",
        unit_diagonal: bool = False,
        C: float | str = SCALE,
        Cs: Sequence[float] = CS_OF_THE_PAPERS,
    ) -> None:
        self.n_iter = n_iter
        self.normalize = normalize
        self.unit_diagonal = unit_diagonal
        self.C = C
        self.Cs = Cs

    def _check_state(self) -> None:
        if not np.array_equal(self.classes_, self.model_.classes_):
            raise ValueError("classes_ are not those of model_")
        if self.n_features_in_ != self.kernel_.n_features_in_:
            raise ValueError("kernel_ expects a different number of features")
        widths = {
            len(self.kernel_.get_feature_names_out()),
            len(self._center),
            self.model_.n_features_in_,
        }
        if len(widths) > 1:
            raise ValueError(f"kernel_, _center and model_ have {widths} features")

    def _fit_features(self, X: Any, y: np.ndarray) -> np.ndarray:
        self.kernel_ = self._kernel().fit(X)
        features = self.kernel_.transform(X)
        self._center = features.mean(axis=0)
        apart = features - self._center
        rounding = len(features) * np.finfo(np.float64).eps * np.abs(features).max(initial=0)
        apart[np.abs(apart) <= rounding] = 0  # of documents that are all alike
        return apart

    def _features(self, X: Any) -> np.ndarray:
        return self.kernel_.transform(X) - self._center

    def _fit_model(self, features: np.ndarray, y: np.ndarray) -> None:
        self.model_, self.C_ = fit_with_penalty(
            lambda C: SVC(kernel="linear", C=C, break_ties=True, max_iter=MOST_STEPS).fit(
                features, y
            ),
            features,
            y,
            self._penalty(features),
            self.Cs,
        )

    def _penalty(self, features: np.ndarray) -> float | str:
        return scaled_penalty(features) if self.C == SCALE else self.C

    def _kernel(self) -> IterativeHigherOrderKernel:
        return IterativeHigherOrderKernel(
            self.n_iter, normalize=self.normalize, unit_diagonal=self.unit_diagonal
        )

    def _check_parameters(self) -> None:
        self._kernel()._check_parameters()
        if isinstance(self.C, str):
            check_option("C, if it is no number,", self.C, (SCALE, TRAINING_ACCURACY))
        check_penalty(TRAINING_ACCURACY if self.C == SCALE else self.C, self.Cs)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        # scikit-learn's checks classify Gaussian blobs, which are no counts
        tags.classifier_tags.poor_score = True
        return tags


def scaled_penalty(features: np.ndarray) -> float:
    """Five over the median squared distance from the mean; 1 if the documents are all alike.

    A distance that rounding alone could have made, beside the length of the features, is none.
    """
    distances = ((features - features.mean(axis=0)) ** 2).sum(axis=1)
    longest = (features**2).sum(axis=1).max()
    rounding = len(features) * np.finfo(np.float64).eps * longest
    for typical in (np.median(distances), distances.mean()):  # most may be one document
        if typical > rounding:
            return float(5 / typical)
    return 1.0
