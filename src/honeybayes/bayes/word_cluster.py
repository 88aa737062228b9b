"""Naive Bayes on clusters of words that say the same about the class."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from scipy import sparse
from scipy.special import xlogy
from sklearn.utils.validation import check_is_fitted

from honeybayes.bayes._count_base import check_total
from honeybayes.bayes._linear_base import BaseLinearCountNB, weighted_counts
from honeybayes.bayes._names import term_names
from honeybayes.utils.state import Array, Indices, Number, State
from honeybayes.utils.validation import check_integer

UNSEEN = -1


class WordClusterNB(BaseLinearCountNB):
    """Naive Bayes on word clusters made by the agglomerative information bottleneck: NBWC.

    Every word starts as a cluster of its own. Then the two clusters are merged whose merger loses
    least of what clusters tell about the class, until so many are left as are wanted. A document
    becomes counts of clusters, which are judged as by `CountNB`.

    Parameters
    ----------
    n_clusters : int, default=50
        Clusters to keep. If no more words than that occur in training, each stays a cluster of
        its own, and the model is `CountNB` on these words.
    rule : {"multinomial", "complement", "one-vs-rest"}, default="multinomial"
        How the log joint a under the class and b under its complement decide: by a (NBWC), by -b,
        or by a - b.
    alpha : float, default=1.0
        Added to every count of a cluster, above 0.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    cluster_labels_ : ndarray of shape (n_features,)
        Cluster of each term, numbered by its first term; -1 for a term that does not occur in
        training, which is left out of every document. If no term occurs at all, they are all in
        one cluster, 0.
    information_kept_ : float
        Share of the mutual information between words and classes that the clusters keep.
    class_count_ : ndarray of shape (n_classes,)
        Documents of each class, by weight.
    class_log_prior_ : ndarray of shape (n_classes,)
        log P(class), smoothed by one document.
    complement_log_prior_ : ndarray of shape (n_classes,)
        log P(complement of the class), smoothed by one document.
    feature_count_ : ndarray of shape (n_classes, n_clusters_found)
        Occurrences of each cluster in each class, by weight.
    feature_log_prob_ : ndarray of shape (n_classes, n_clusters_found) or None
        log P(cluster given class). None if ``rule="complement"``, which has no use for it.
    complement_feature_log_prob_ : ndarray of shape (n_classes, n_clusters_found) or None
        log P(cluster given the complement of the class). None if ``rule="multinomial"``.
    n_features_in_ : int
        Number of terms.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the terms, if ``X`` was a data frame.

    See Also
    --------
    CountNB : The same on single words.

    Notes
    -----
    Merging x and y loses (p(x) + p(y)) JS(x, y) of mutual information, where JS is the
    Jensen-Shannon divergence of P(class given x) and P(class given y), weighted by p(x) and p(y);
    all from counts in the training documents. Losses are compared in single precision. Of pairs
    that are tied, the one with the lowest column wins, and then the one whose second cluster has
    the lowest, a cluster counting by its first column; the order of the documents makes no
    difference.

    The cost grows with the square of the number of words that occur, the memory does not: two
    thousand words take about a second.

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

    fitted_attributes = State(
        feature_count_=Array(("classes", "clusters")),
        feature_log_prob_=Array(("classes", "clusters"), optional=True),
        complement_feature_log_prob_=Array(("classes", "clusters"), optional=True),
        cluster_labels_=Indices(("features",), below="clusters", low=-1),
        information_kept_=Number(),
    )

    def __init__(self, n_clusters: int = 50, rule: str = "multinomial", alpha: float = 1.0) -> None:
        self.n_clusters = n_clusters
        self.rule = rule
        self.alpha = alpha

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_integer("n_clusters", self.n_clusters, least=1)

    def _check_state(self) -> None:
        super()._check_state()
        n_clusters = self.feature_count_.shape[1]
        if self.cluster_labels_.max(initial=-1) + 1 != n_clusters:
            raise ValueError(f"cluster_labels_ does not name {n_clusters} clusters")

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Cluster the words and count the clusters.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents by terms: counts, or other weights that are not negative, as tf-idf.
        y : array-like of shape (n_samples,)
            Label of each document.
        sample_weight : array-like of shape (n_samples,), optional
            Weight of each document, not negative. By default, one each.

        Returns
        -------
        self : object
        """
        X, position, classes = self._start_fit(X, y)
        count, class_count = weighted_counts(X, position, len(classes), sample_weight)
        check_total(class_count)
        self.cluster_labels_ = cluster_words(count, self.n_clusters)
        cluster_count = self._assignment().T @ count
        kept, all_of_it = mutual_information(cluster_count), mutual_information(count)
        self.information_kept_ = min(max(kept / all_of_it, 0.0), 1.0) if all_of_it > 0 else 1.0
        return self._keep(cluster_count, class_count, classes)

    def count_clusters(self, X: Any) -> sparse.csr_array:
        """Count clusters in place of words.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents by terms.

        Returns
        -------
        csr_array of shape (n_samples, n_clusters_found)
            The words of each cluster, added up.
        """
        check_is_fitted(self)
        return sparse.csr_array(self._check_new(X))

    def clusters(self, feature_names: Sequence[str] | None = None) -> list[list[Any]]:
        """List the words of each cluster.

        Parameters
        ----------
        feature_names : sequence of str, optional
            Words of the columns. By default ``feature_names_in_``, or else numbers.

        Returns
        -------
        list of list
            In the order of the columns. Words that do not occur in training are in none.
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
        """Terms by clusters, with a one for the cluster of each term."""
        seen = np.flatnonzero(self.cluster_labels_ != UNSEEN)
        labels = self.cluster_labels_[seen]
        shape = (len(self.cluster_labels_), labels.max(initial=-1) + 1)
        return sparse.csr_array((np.ones(len(seen)), (seen, labels)), shape=shape)


def cluster_words(count: np.ndarray, n_clusters: int) -> np.ndarray:
    """Number the cluster of each word from its counts (words, classes); -1 without any."""
    from honeybayes.bayes._cluster_kernels import merge_words

    seen = np.flatnonzero(count.sum(axis=1))
    if not len(seen):  # words that never occur are all the same
        return np.zeros(len(count), dtype=np.int64)
    labels = np.full(len(count), UNSEEN)
    first_word = merge_words(count[seen], n_clusters)
    labels[seen] = np.unique(first_word, return_inverse=True)[1]
    return labels


def mutual_information(count: np.ndarray) -> float:
    """Mutual information, in nats, of the rows and columns of a table of counts."""
    share = count / (count.sum() or 1)
    of_row, of_column = share.sum(axis=1, keepdims=True), share.sum(axis=0)
    # logs one by one: the product of two small shares may be nothing
    return float((xlogy(share, share) - xlogy(share, of_row) - xlogy(share, of_column)).sum())
