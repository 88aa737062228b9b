"""Weights of the links between terms and documents, for models that count paths."""

from typing import Any, Literal

import numpy as np
from scipy import sparse

from honeybayes.bayes._binary_events import BaseBinaryEventNB
from honeybayes.utils.matrices import inverse_or_zero, link_matrix, per_entry

Frequencies = Literal[None, "counts", "log", "length"]


class BaseLinkedNB(BaseBinaryEventNB):
    """Abstract base of models with the parameter ``frequencies``.

    If it is not None, ``_estimate`` gets the weights of the links as float64 instead of presence,
    and the terms of a document may be in any order.

    Parameters
    ----------
    frequencies : {None, "counts", "log", "length"}, default=None
        Weight of each link between a term and a document; a path counts with the product of the
        weights of its links. None counts each link as 1, as in the paper. ``"counts"`` uses the
        value f in X, ``"log"`` uses log2(1 + f), and ``"length"`` multiplies the values of each
        document so that all documents have the mean length. Predictions use only presence.
    """

    frequencies: Frequencies

    def _incidence(self, X: Any, weights: np.ndarray | None) -> sparse.csr_array:
        presence = super()._incidence(X, weights)
        if self.frequencies is None:
            return presence
        if not sparse.issparse(X) or X.nnz != presence.nnz:
            X = presence.multiply(X)  # what is not above binarize is absent
        links = link_matrix(X)
        if links.nnz != presence.nnz:
            raise ValueError(
                f"With binarize={self.binarize}, terms with the value 0 are present, but have no "
                "frequency. Set binarize to 0 or more, or frequencies=None."
            )
        return weigh_links(links, self.frequencies, weights)


def weigh_links(
    counts: sparse.csr_array, frequencies: str, weights: np.ndarray | None
) -> sparse.csr_array:
    """Return the weights of the links of documents with these counts."""
    values = counts.data
    if frequencies == "log":
        values = np.log2(1 + values)
    elif frequencies == "length":
        lengths = counts.sum(axis=1)
        mean = np.average(lengths, weights=weights)
        values = values * per_entry(counts, mean * inverse_or_zero(lengths))
    return sparse.csr_array((values, counts.indices, counts.indptr), counts.shape)
