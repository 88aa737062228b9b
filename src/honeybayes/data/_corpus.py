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
        The class of each document.
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
            documents = f"{len(self)} documents with {self.documents.shape[1]} terms"
        return f"Corpus({self.name!r}, {documents}, {len(self.classes)} classes)"

    @property
    def classes(self) -> NDArray[np.str_]:
        """The distinct labels, sorted."""
        return np.unique(self.labels)

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
        kept = np.flatnonzero(np.isin(self.labels, wanted))
        if isinstance(self.documents, list):
            documents = [self.documents[i] for i in kept]
        else:
            documents = self.documents[kept]
        return Corpus(name or self.name, documents, self.labels[kept], self.vocabulary)
