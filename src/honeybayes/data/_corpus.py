"""What every reader returns."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse


@dataclass(frozen=True, eq=False, repr=False)
class Corpus:
    """Documents with their classes.

    Parameters
    ----------
    name : str
        What the corpus is called.
    documents : list of str or csr_array of shape (n_documents, n_terms)
        The texts, or their counts of terms where only these are published.
    labels : ndarray of str, shape (n_documents,)
        The class of each document; an empty string if nobody labeled it.
    vocabulary : ndarray of str, shape (n_terms,), or None
        The words behind the columns of a matrix, where they are known.

    Examples
    --------
    >>> import numpy as np
    >>> from honeybayes.data import Corpus
    >>> labels = np.array(["fruit", "fruit", "leaf"])
    >>> corpus = Corpus("food", ["an apple", "a plum", "some kale"], labels)
    >>> corpus
    Corpus('food', 3 texts, 2 classes)
    >>> corpus.keep_classes(["fruit"]).documents
    ['an apple', 'a plum']
    >>> corpus.draw(1, seed=0)
    Corpus('food', 2 texts, 2 classes)
    """

    name: str
    documents: list[str] | sparse.csr_array
    labels: NDArray[np.str_]
    vocabulary: NDArray[np.str_] | None = None

    def __len__(self) -> int:
        return len(self.labels)

    def __repr__(self) -> str:
        if isinstance(self.documents, list):
            documents = f"{len(self)} texts"
        else:
            documents = f"{len(self)} documents with {self.n_terms} terms"
        return f"Corpus({self.name!r}, {documents}, {len(self.classes)} classes)"

    @property
    def classes(self) -> NDArray[np.str_]:
        """The distinct labels, sorted; an empty one marks a document without label."""
        return np.unique(self.labels[self.labels != ""])

    @property
    def n_terms(self) -> int | None:
        """The number of columns of a matrix; None for texts."""
        return None if isinstance(self.documents, list) else self.documents.shape[1]

    def keep_classes(self, classes: Iterable[str], name: str | None = None) -> "Corpus":
        """Return the documents of some classes, in their order.

        Parameters
        ----------
        classes : iterable of str
            The classes to keep.
        name : str, optional
            Name of the new corpus; the old one by default.

        Returns
        -------
        Corpus
            The columns of a matrix and the vocabulary stay as they are.
        """
        wanted = np.array(sorted(set(classes)))
        missing = np.setdiff1d(wanted, self.classes)
        if len(missing):
            raise ValueError(
                f"{self.name!r} has no class {', '.join(map(repr, missing.tolist()))}. "
                f"Its classes are: {', '.join(self.classes)}."
            )
        return self._rows(np.flatnonzero(np.isin(self.labels, wanted)), name)

    def draw(self, per_class: int, seed: int = 0, name: str | None = None) -> "Corpus":
        """Draw documents of each class at random, without replacement.

        Parameters
        ----------
        per_class : int
            How many documents of each class.
        seed : int, default=0
            The same seed draws the same documents.
        name : str, optional
            Name of the new corpus; the old one by default.

        Returns
        -------
        Corpus
            The documents drawn, in their order.
        """
        random = np.random.default_rng(seed)
        drawn = []
        for label in self.classes.tolist():
            rows = np.flatnonzero(self.labels == label)
            if not 1 <= per_class <= len(rows):
                raise ValueError(
                    f"{per_class} documents of each class cannot be drawn from {self.name!r}: "
                    f"the class {label!r} has {len(rows)}."
                )
            drawn.append(random.choice(rows, per_class, replace=False))
        return self._rows(np.sort(np.concatenate(drawn)), name)

    def split_unlabeled(
        self,
    ) -> tuple[list[str] | sparse.csr_array, NDArray[np.str_], list[str] | sparse.csr_array]:
        """Part the documents that have a label from those that have none.

        Returns
        -------
        documents : list of str or csr_array
            Those with a label.
        labels : ndarray of str
            Their labels.
        pool : list of str or csr_array
            The others: for ``fit(documents, labels, pool=pool)`` of a `TextClassifier`.
        """
        labeled = self._rows(np.flatnonzero(self.labels != ""), None)
        pool = self._rows(np.flatnonzero(self.labels == ""), None)
        return labeled.documents, labeled.labels, pool.documents

    def _rows(self, rows: NDArray[np.intp], name: str | None) -> "Corpus":
        if isinstance(self.documents, list):
            documents = [self.documents[row] for row in rows]
        else:
            documents = self.documents[rows]
        return Corpus(name or self.name, documents, self.labels[rows], self.vocabulary)
