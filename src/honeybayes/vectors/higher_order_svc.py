"""HOSVM: support vector machines on vectors weighted by higher-order paths."""

import warnings
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any, Literal

import numpy as np
from scipy import sparse
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier
from sklearn.pipeline import make_pipeline

from honeybayes.exceptions import NoPathWarning
from honeybayes.utils.matrices import presence_above
from honeybayes.utils.parameters import described_like, estimator
from honeybayes.utils.state import Array, Number, State
from honeybayes.vectors._base import CS_OF_THE_PAPERS, TRAINING_ACCURACY, BaseVectorSVC
from honeybayes.vectors.higher_order_transformer import Estimates, HigherOrderTransformer
from honeybayes.vectors.tuned_svc import Gamma, Kernel, TunedSVC

MULTICLASS = {"one-vs-one": OneVsOneClassifier, "one-vs-rest": OneVsRestClassifier}


@described_like(TunedSVC)
@described_like(HigherOrderTransformer)
@estimator
class HigherOrderSVC(BaseVectorSVC):
    """Higher Order Support Vector Machine (HOSVM).

    For each pair of classes, `HigherOrderTransformer` turns the documents into vectors of
    log-likelihood ratios, and a linear SVC separates them (one-vs-one). The class with the most
    votes is predicted. Ties are broken by the margins ([1]_, sections 4.2 and 5). Other kernels,
    and one SVC per class against the rest, are available.

    ``estimates="first-order"`` is called NBSVM in the paper. It is not the better known NBSVM of
    Wang and Manning (2012).

    Parameters
    ----------
    C : float or "training-accuracy", default="training-accuracy"
        The penalty of errors. ``"training-accuracy"`` selects it for each pair of classes: the
        smallest of ``Cs`` with the best accuracy on the training documents of the pair.
    kernel : {"linear", "rbf", "poly", "sigmoid"}, default="linear"
        The kernel of the SVCs. The vectors of a kernel that is not linear are dense, so they need
        memory for documents times terms.
    multiclass : {"one-vs-one", "one-vs-rest"}, default="one-vs-one"
        Whether to separate each pair of classes, or each class from all others. With
        ``"one-vs-rest"``, the class with the largest margin is predicted, and ``decision_function``
        returns the margins.

    Attributes
    ----------
    C_ : ndarray of shape (n_classes * (n_classes - 1) / 2,)
        The penalty of each pair: first with second class, first with third, and so on. With
        ``multiclass="one-vs-rest"``, the penalty of each class, or one penalty for two classes.
    model_ : OneVsOneClassifier or OneVsRestClassifier
        Contains a pipeline of `HigherOrderTransformer` and `TunedSVC` for each pair or class.

    Examples
    --------
    >>> from honeybayes import HigherOrderSVC
    >>> X = [[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1], [1, 0, 0, 1]]
    >>> model = HigherOrderSVC().fit(X, ["a", "a", "b", "b"])
    >>> model.predict([[0, 1, 0, 0], [0, 0, 0, 1]])
    array(['a', 'b'], dtype='<U1')
    >>> model.C_
    array([0.0001])
    """

    order: int = 2
    estimates: Estimates = "higher-order"
    normalize: bool = True
    C: float | str = TRAINING_ACCURACY
    Cs: Sequence[float] = CS_OF_THE_PAPERS
    kernel: Kernel = "linear"
    degree: int = 3
    gamma: Gamma = "scale"
    coef0: float = 0.0
    multiclass: Literal["one-vs-one", "one-vs-rest"] = "one-vs-one"
    binarize: float | None = 0.0

    def _check_parameters(self) -> None:
        super()._check_parameters()
        self._transformer(binarize=self.binarize)._check_parameters()
        self._svc()._check_parameters()

    def _svc(self) -> TunedSVC:
        names = ("C", "Cs", "kernel", "degree", "gamma", "coef0")
        return TunedSVC(**{name: getattr(self, name) for name in names})

    def _transformer(self, binarize: float | None) -> HigherOrderTransformer:
        # shifted vectors are sparse, and a linear SVC decides the same
        absent: Any = "shifted" if self.kernel == "linear" else "exact"
        names = ("order", "estimates", "normalize")
        settings = {name: getattr(self, name) for name in names}
        return HigherOrderTransformer(absent=absent, binarize=binarize, **settings)

    fitted_attributes = State(
        C_=Array(("planes",), above=0),  # of pairs or of classes
        _binarize=Number(optional=True),
    )

    def _check_state(self) -> None:
        super()._check_state()
        if np.size(self.C_) != len(self.model_.estimators_):
            raise ValueError("C_ must contain one penalty per estimator of model_")

    def _features(self, X: Any) -> sparse.csr_array:
        return presence_above(X, self._binarize)

    def _fit_model(self, features: sparse.csr_array, y: np.ndarray) -> None:
        pair = make_pipeline(self._transformer(binarize=None), self._svc())
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NoPathWarning)  # would name classes 0 and 1
            self.model_ = MULTICLASS[self.multiclass](pair).fit(features, y)
        self.C_ = np.array([svc.C_ for _, svc in self.model_.estimators_])
        pairs: Iterable[tuple[Any, Any]] = combinations(self.model_.classes_, 2)
        if isinstance(self.model_, OneVsRestClassifier) and len(self.model_.estimators_) > 1:
            pairs = ((label, "the rest") for label in self.model_.classes_)
        models = zip(pairs, self.model_.estimators_, strict=True)
        orders = [(pair, transformer.order_) for pair, (transformer, _) in models]
        lower = [f"{a!s} and {b!s} ({order})" for (a, b), order in orders if order < self.order]
        if lower and self.estimates != "first-order":
            warnings.warn(
                f"These pairs of classes have no path of order {self.order} in one class and use "
                f"a lower order (0 means document counts): {', '.join(lower)}.",
                NoPathWarning,
                stacklevel=3,
            )

    def _size_of_planes(self, n_classes: int, n_terms: int) -> tuple[int, int]:
        n_pairs, _ = super()._size_of_planes(n_classes, n_terms)
        n_planes = n_pairs if self.multiclass == "one-vs-one" else n_classes
        return n_planes, 16_000 + 16 * n_terms  # a pipeline, with two numbers per term
