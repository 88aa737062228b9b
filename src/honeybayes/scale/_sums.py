"""Sums over documents that merge: what they give does not depend on how documents are split."""

from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.base import clone

from honeybayes.utils.labels import encode_labels
from honeybayes.utils.matrices import presence_above
from honeybayes.utils.meta import same_settings
from honeybayes.utils.parameters import documented
from honeybayes.utils.validation import validate_counts

Sums = dict[str, Any]  # by name: arrays, sparse arrays and numbers, which can be added


@documented
class Statistics(ABC):
    """What a model needs to know of documents, as sums that can be added up.

    An object is made by `start_statistics`. Documents are added in batches, here or in other
    processes, whose objects are merged. If ``n_passes_left`` is above 0, ``next_pass`` returns an
    object to which the same documents must be added once more.

    Parameters
    ----------
    model : estimator
        The model to learn. It is not changed.
    before : Statistics or None, default=None
        The object of the first pass, in a later one.

    Attributes
    ----------
    n_passes_left : int
        How often all documents must be added again after this pass. In the first pass of
        `HigherOrderNB`, at least so often: its sums decide.
    n_documents : int
        Documents that were added in this pass.
    """

    n_passes_left = 0

    def __init__(self, model: Any, before: Any = None) -> None:
        self.model, self.before = clone(model), before
        self.n_documents = 0
        self.n_features: int | None = None

    def add(self, X: Any, y: Any) -> Self:
        """Add documents.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents by terms. All batches have the same terms. There may be no document.
        y : array-like of shape (n_samples,)
            Label of each document. A batch may lack classes.
        """
        n_documents = X.shape[0] if hasattr(X, "shape") else len(X)
        if n_documents:
            checked = clone(self.model)
            counts, y = validate_counts(checked, X, y, reset=True)
            self._take_width(counts.shape[1])
            self._add(counts, np.asarray(y))
            self.n_documents += n_documents
        return self

    def merge(self, other: "Statistics") -> Self:
        """Add the documents of another object, of the same model and the same pass.

        Parameters
        ----------
        other : Statistics
            It is not changed.
        """
        same = type(other) is type(self) and other.n_passes_left == self.n_passes_left
        if not same or not same_settings(other.model, self.model):
            raise ValueError(
                f"Statistics of {other.model!r} cannot be merged with those of {self.model!r}. "
                "Merge objects of one model, in the same pass."
            )
        if other.n_documents:
            assert other.n_features is not None
            self._take_width(other.n_features)
            self._merge(other)
            self.n_documents += other.n_documents
        return self

    def next_pass(self) -> "Statistics":
        """Return an empty object for the next pass.

        Returns
        -------
        Statistics
            All documents must be added to it, or to copies of it that are merged.
        """
        if not self.n_passes_left:
            raise ValueError(f"{type(self.model).__name__} needs no further pass. Call finish().")
        self._check_complete()
        return self._next()

    def finish(self) -> Any:
        """Return the model.

        Returns
        -------
        estimator
            A fitted copy of the model, equal to ``fit`` on all documents.
        """
        if self.n_passes_left:
            raise ValueError(
                f"{type(self.model).__name__} must see the documents again: call next_pass(), and "
                "add all of them to the object that it returns."
            )
        self._check_complete()
        return self._finish()

    def empty_copy(self) -> Self:
        """Return an object of the same pass without documents.

        Returns
        -------
        Statistics
            To collect the documents of another part.
        """
        return type(self)(self.model, self.before)

    def _next(self) -> "Statistics":
        return type(self)(self.model, self)

    def _check_complete(self) -> None:
        if not self.n_documents:
            raise ValueError("No document was added. Add documents with their labels first.")
        if self.before is not None and self.before.n_documents != self.n_documents:
            raise ValueError(
                f"This pass has {self.n_documents} documents, but the first one had "
                f"{self.before.n_documents}. Add the same documents in every pass."
            )

    def _take_width(self, n_features: int) -> None:
        if self.n_features not in (None, n_features):
            raise ValueError(
                f"A part has {n_features} terms, but others have {self.n_features}. All parts must "
                "have the same terms as columns."
            )
        self.n_features = n_features

    @abstractmethod
    def _add(self, X: Any, y: np.ndarray) -> None: ...

    @abstractmethod
    def _merge(self, other: Any) -> None: ...

    @abstractmethod
    def _finish(self) -> Any: ...


class SumsByClass(Statistics):
    """Statistics in several passes: sums for each class, and sums over all documents."""

    def __init__(self, model: Any, before: Any = None) -> None:
        super().__init__(model, before)
        self.n_passes_left = 1 if before is None else 0
        self.classes: list[np.ndarray] = []  # to keep their type
        self.by_class: dict[Any, Sums] = {}
        self.overall: Sums = {}

    def _add(self, X: Any, y: np.ndarray) -> None:
        classes, position = encode_labels(y, getattr(self.model, "unlabeled", None))
        unknown = [] if self.before is None else set(classes.tolist()) - self.before.by_class.keys()
        if unknown:
            raise ValueError(
                f"This pass has the class(es) {sorted(unknown)}, which the first one had not. Add "
                "the same documents in every pass."
            )
        presence = presence_above(X, self.model.binarize)
        add_sums(self.overall, self._count_all(presence))
        self.classes.append(classes)
        for at, label in enumerate(classes.tolist()):
            of_class = self._count(presence[position == at], label)
            add_sums(self.by_class.setdefault(label, {}), of_class)

    def _merge(self, other: Any) -> None:
        add_sums(self.overall, other.overall)
        for label, sums in other.by_class.items():
            add_sums(self.by_class.setdefault(label, {}), sums)
        self.classes += other.classes

    def _all_classes(self) -> np.ndarray:
        return np.unique(np.concatenate(self.classes))

    @abstractmethod
    def _count(self, X: sparse.csr_array, label: Any) -> Sums:
        """Return sums of this pass over documents of one class."""

    def _count_all(self, X: sparse.csr_array) -> Sums:
        """Return sums of this pass over all documents."""
        return {}


def add_sums(sums: Sums, more: Sums) -> None:
    for name, value in more.items():
        sums[name] = sums[name] + value if name in sums else value
