"""Naive Bayes on clusters of terms that have similar proportions of classes."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse
from scipy.special import xlogy
from sklearn.utils.validation import check_is_fitted

from honeybayes.bayes._count_base import BaseLinearCountNB, weighted_counts
from honeybayes.bayes.base import FitData, check_total, term_names
from honeybayes.utils.parameters import estimator
from honeybayes.utils.state import Array, Indices, State
from honeybayes.utils.validation import FromOne

UNSEEN = UNKNOWN = -1
NOTHING = 1e-12  # a smaller loss, relative to the merged weight, is a rounding error


@estimator
class WordClusterNB(BaseLinearCountNB):
    """Naive Bayes on word clusters made by the agglomerative information bottleneck: NBWC.

    At the start, every term is a cluster. Each step merges the two clusters with the smallest loss
    of information about the class, until ``n_clusters`` are left. The counts of the terms of a
    document are summed per cluster and classified as by `CountNB`.

    Parameters
    ----------
    n_clusters : int, default=50
        Number of clusters. If the training documents contain at most this number of terms, each
        term is a cluster, and the model is equivalent to `CountNB` on these terms.

    Attributes
    ----------
    cluster_labels_ : ndarray of shape (n_features,)
        Cluster of each term, numbered in the order of their first terms; -1 for a term that does
        not occur in training and is ignored. If no term occurs at all, all are in cluster 0.
    feature_count_ : ndarray of shape (n_classes, n_clusters_found)
        Occurrences of each cluster per class, by weight.
    feature_log_prob_ : ndarray of shape (n_classes, n_clusters_found) or None
        log P(cluster given class). None if ``rule="complement"``.
    complement_feature_log_prob_ : ndarray of shape (n_classes, n_clusters_found) or None
        The same for the complement of the class. None if ``rule="multinomial"``.

    Notes
    -----
    Losses are compared in single precision. Of several pairs with the same loss, the one with the
    lowest first column is merged, and among these the one with the lowest second column. The column
    of a cluster is that of its first term. The time grows with the square of the number of terms
    that occur; two thousand take about a second.

    References
    ----------
    .. [1] N. Slonim and N. Tishby, "The power of word clusters for text classification",
       23rd European Colloquium on Information Retrieval Research, 2001.
    .. [2] M. C. Ganiz, N. I. Lytkin and W. M. Pottenger, "Leveraging Higher Order Dependencies
       Between Features for Text Classification", ECML PKDD 2009, Table 3.

    Examples
    --------
    >>> from honeybayes.bayes import WordClusterNB
    >>> X = [[2, 1, 1, 0], [1, 1, 0, 0], [0, 0, 1, 3], [0, 0, 1, 1]]
    >>> model = WordClusterNB(n_clusters=3).fit(X, ["sea", "sea", "land", "land"])
    >>> model.clusters(["wave", "boat", "the", "hill"])
    [['wave', 'boat'], ['the'], ['hill']]
    >>> model.predict([[0, 1, 1, 0], [0, 0, 1, 1]])
    array(['sea', 'land'], dtype='<U4')
    """

    n_clusters: FromOne = 50

    fitted_attributes = State(
        feature_count_=Array(("classes", "clusters"), low=0),
        feature_log_prob_=Array(("classes", "clusters"), optional=True),
        complement_feature_log_prob_=Array(("classes", "clusters"), optional=True),
        cluster_labels_=Indices(("features",), below="clusters", low=-1),
    )

    def _check_state(self) -> None:
        super()._check_state()
        n_clusters = self.feature_count_.shape[1]
        if self.cluster_labels_.max(initial=-1) + 1 != n_clusters:
            raise ValueError(f"cluster_labels_ does not name {n_clusters} clusters")

    def _learn(self, data: FitData) -> None:
        count, class_count = weighted_counts(data)
        check_total(class_count)
        seen = np.flatnonzero(count.sum(axis=1))
        # terms that never occur are all the same
        self.cluster_labels_ = np.full(len(count), UNSEEN if len(seen) else 0)
        if len(seen):
            first_term = merge_terms(count[seen], self.n_clusters)
            self.cluster_labels_[seen] = np.unique(first_term, return_inverse=True)[1]
        self._keep(self._assignment().T @ count, class_count, data.classes)

    def clusters(self, feature_names: Sequence[str] | None = None) -> list[list[Any]]:
        """List the terms of each cluster.

        Returns
        -------
        list of list
            In the order of the columns. Terms that do not occur in training are in no cluster.
        """
        check_is_fitted(self)
        names = term_names(self, feature_names)
        found: list[list[Any]] = [[] for _ in range(self.feature_count_.shape[1])]
        for name, cluster in zip(names, self.cluster_labels_, strict=True):
            if cluster != UNSEEN:
                found[cluster].append(name)
        return found

    def _check_new(self, X: Any) -> Any:
        return super()._check_new(X) @ self._assignment()

    def _assignment(self) -> sparse.csr_array:
        """Return a matrix of terms by clusters, with a one for the cluster of each term."""
        seen = np.flatnonzero(self.cluster_labels_ != UNSEEN)
        labels = self.cluster_labels_[seen]
        shape = (len(self.cluster_labels_), labels.max(initial=-1) + 1)
        return sparse.csr_array((np.ones(len(seen)), (seen, labels)), shape=shape)


def merge_terms(count: np.ndarray, n_clusters: int) -> np.ndarray:
    """Repeatedly merge the two clusters with the smallest loss of information about the class.

    For each cluster, only the nearest later cluster is stored, so no table of terms by terms is
    needed. If the nearest cluster is merged, the old loss is still a lower bound. The nearest
    cluster is searched again only if this bound is the lowest of all. Returns, for each term, the
    first term of its cluster.
    """
    total = count.sum()
    weight = np.column_stack([count, count.sum(axis=1)])  # of each cluster per class, and in all
    h = xlogy(weight, weight)
    first_term = np.arange(len(count))
    active = np.arange(len(count))  # in ascending order
    nearest = np.full(len(count), UNKNOWN)
    loss = np.full(len(count), np.inf, np.float32)

    def look_for_nearest(i: Any) -> None:
        later = active[np.searchsorted(active, i) + 1 :]
        nearest[i], loss[i] = UNKNOWN, np.inf
        if len(later):
            losses = _merging_losses(i, later, weight, h, total)
            best = np.argmin(losses)  # the first if several are equal
            nearest[i], loss[i] = later[best], losses[best]

    for each in active:
        look_for_nearest(each)
    while len(active) > n_clusters:
        i = np.argmin(loss)
        j = nearest[i]
        if j == UNKNOWN:
            look_for_nearest(i)
            continue
        first_term[j], loss[j] = i, np.inf
        weight[i] += weight[j]
        h[i] = xlogy(weight[i], weight[i])
        active = active[active != j]
        nearest[(nearest == i) | (nearest == j)] = UNKNOWN
        earlier = active[: np.searchsorted(active, i)]
        new, old = _merging_losses(i, earlier, weight, h, total), loss[earlier]
        nearer = (new < old) | ((new == old) & (i < nearest[earlier]))
        nearest[earlier[nearer]], loss[earlier[nearer]] = i, new[nearer]
        look_for_nearest(i)
    for term in range(len(count)):  # the first term of a cluster comes before the others
        first_term[term] = first_term[first_term[term]]
    return first_term


def _merging_losses(
    i: Any, others: np.ndarray, weight: np.ndarray, h: np.ndarray, total: float
) -> np.ndarray:
    """Compute the mutual information that is lost if cluster i is merged with each other one.

    With h(v) = v log v, x_c the weight of cluster x in class c and |x| its sum, this is

        h(|x| + |y|) - h(|x|) - h(|y|) - sum over c of (h(x_c + y_c) - h(x_c) - h(y_c))

    divided by the total weight. Only classes that contain both clusters have to be summed. The sums
    are the last columns of ``weight`` and ``h``. The result is rounded to single precision, so that
    rounding errors do not decide between equal pairs.
    """
    own = np.flatnonzero(weight[i])
    theirs = weight[np.ix_(others, own)]
    merged = weight[i, own] + theirs
    added = merged * np.log(merged) - h[i, own] - h[np.ix_(others, own)]
    added[theirs == 0] = 0.0
    loss = added[:, -1] - added[:, :-1].sum(axis=1)
    return np.where(loss > NOTHING * merged[:, -1], loss / total, 0.0).astype(np.float32)
