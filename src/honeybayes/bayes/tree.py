"""A decision tree with a naive Bayes on counts at each leaf."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from honeybayes.bayes._count_base import BaseLocalNB, LocalModels, weigh_documents
from honeybayes.bayes.base import FitData, Names, term_names
from honeybayes.text.term_scores import information_gain
from honeybayes.utils.matrices import per_entry, sum_by_class
from honeybayes.utils.optional import new_axes
from honeybayes.utils.parameters import estimator
from honeybayes.utils.state import Array, Indices, State
from honeybayes.utils.validation import NotNegative, check_integer

LEAF = -1  # stands for the term and the children of a leaf


@estimator
class TreeNB(BaseLocalNB):
    """Naive Bayes at the leaves of a decision tree: MNBTree, CNBTree and OVATree.

    A node splits its documents by the presence of the term with the highest information gain in the
    node. A node is split only if it contains at least ``min_share`` of all training documents and a
    term has a positive information gain. Each leaf has a `CountNB` of its documents ([1]_, section
    2.4).

    Parameters
    ----------
    min_share : float, default=0.4
        A node is split only if it contains at least this share of the training documents. Above
        1, the root is a leaf, and the model is `CountNB`.
    max_classes : int, default=3
        Number of classes to show per node, those with most documents first.

    Attributes
    ----------
    split_term_ : ndarray of shape (n_nodes,)
        Column that each node tests, -1 for a leaf. Node 0 is the root; every node comes before its
        children.
    split_gain_ : ndarray of shape (n_nodes,)
        Information gain of the tested column in the node, in bits; 0 for a leaf.
    child_with_ : ndarray of shape (n_nodes,)
        Node of the documents with the term, -1 for a leaf.
    child_without_ : ndarray of shape (n_nodes,)
        Node of the documents without the term, -1 for a leaf.
    node_class_count_ : ndarray of shape (n_nodes, n_classes)
        Training documents of each class in each node, by weight.

    Notes
    -----
    Gains are treated as equal if their relative difference is below 1e-9; then the first column is
    used. A leaf smooths over all m columns and all classes, so if a class has no document in the
    leaf, every term has the probability 1 / m.

    Examples
    --------
    >>> from honeybayes.bayes import TreeNB
    >>> X = [[2, 1, 0], [1, 0, 0], [0, 1, 3], [0, 1, 1]]
    >>> model = TreeNB().fit(X, ["sea", "sea", "land", "land"])
    >>> print(model.export_text(["wave", "the", "hill"]))
    4 documents: land 2, sea 2
    |--- with 'wave', 2 documents: sea 2
    |--- without 'wave', 2 documents: land 2
    >>> model.predict([[1, 1, 0], [0, 1, 1]])
    array(['sea', 'land'], dtype='<U4')
    """

    min_share: NotNegative = 0.4

    fitted_attributes = State(
        split_term_=Indices(("nodes",), below="features", low=-1),
        split_gain_=Array(("nodes",)),
        child_with_=Indices(("nodes",), below="nodes", low=-1),
        child_without_=Indices(("nodes",), below="nodes", low=-1),
        node_class_count_=Array(("nodes", "classes"), low=0),
        _leaf_length=Array(("nodes", "classes"), low=0),
        _leaf_term=Array(("leaf terms",), ("int64",), low=0),
        _leaf_count=Array(("leaf terms", "classes"), low=0),
    )

    def _check_state(self) -> None:
        n_nodes, is_leaf = len(self.split_term_), self.split_term_ < 0
        children = np.concatenate([self.child_with_[~is_leaf], self.child_without_[~is_leaf]])
        if not np.array_equal(np.sort(children), np.arange(1, n_nodes)):
            raise ValueError("child_with_ and child_without_ do not lead to each node once")
        for child in (self.child_with_, self.child_without_):
            if not np.where(is_leaf, child == -1, child > np.arange(n_nodes)).all():
                raise ValueError("a leaf has a child, or a child comes before its parent")
        if not (np.diff(self._leaf_term) > 0).all():
            raise ValueError("_leaf_term is not in ascending order")

    def _learn(self, data: FitData) -> None:
        data = data.used()
        self.classes_ = data.classes
        self._set_priors(data.class_sizes())
        X, leaf = weigh_documents(data), self._grow(data)
        self._leaf_term, column = np.unique(self._keys(X, leaf), return_inverse=True)
        terms = sparse.csr_array((X.data, column, X.indptr), (X.shape[0], len(self._leaf_term)))
        self._leaf_count = sum_by_class(terms, data.position, len(data.classes), X.data)
        self._leaf_length = np.zeros_like(self.node_class_count_)
        np.add.at(self._leaf_length, self._leaf_term // X.shape[1], self._leaf_count)

    def _grow(self, data: FitData) -> np.ndarray:
        """Split the documents until nodes are small; return the leaf of each document."""
        nodes: list[tuple[Any, ...]] = []
        leaf, waiting = np.empty(len(data.position), np.int64), {0: np.arange(len(data.position))}
        while waiting:
            node = len(nodes)
            rows = waiting.pop(node)
            own = data.rows(rows)
            class_count = own.class_sizes()
            best, gain, children = LEAF, 0.0, (LEAF, LEAF)
            if class_count.sum() / self.class_count_.sum() >= self.min_share:
                gains = information_gain(own.X, own.position, sample_weight=own.weights)
                gain = float(gains.max(initial=0.0))
            if gain == 0:
                leaf[rows] = node
            else:
                best = int(np.argmax(gains >= gain * (1 - 1e-9)))
                has_term = own.X[:, [best]].toarray().ravel() > 0
                children = (node + len(waiting) + 1, node + len(waiting) + 2)
                waiting |= dict(zip(children, (rows[has_term], rows[~has_term]), strict=True))
            nodes.append((best, gain, *children, class_count))
        terms, gains, first, second, counts = map(np.array, zip(*nodes, strict=True))
        self.split_term_, self.split_gain_, self.node_class_count_ = terms, gains, counts
        self.child_with_, self.child_without_ = first, second
        return leaf

    def _keys(self, X: sparse.csr_array, leaf: np.ndarray) -> np.ndarray:
        """Give each pair (leaf, term) of the documents a number."""
        return np.int64(X.shape[1]) * per_entry(X, leaf) + X.indices

    def _find_leaves(self, X: sparse.csr_array) -> np.ndarray:
        at_node = np.zeros(X.shape[0], dtype=np.int64)
        columns = X.tocsc()
        for node in np.flatnonzero(self.split_term_ != LEAF):
            term = self.split_term_[node]
            holders = columns.indices[columns.indptr[term] : columns.indptr[term + 1]]
            holders = holders[at_node[holders] == node]
            at_node[at_node == node] = self.child_without_[node]
            at_node[holders] = self.child_with_[node]
        return at_node

    def _local_models(self, X: sparse.csr_array) -> LocalModels:
        leaf = self._find_leaves(X)
        needed, row = np.unique(self._keys(X, leaf), return_inverse=True)
        count = np.zeros((len(needed), len(self.classes_)))
        if len(self._leaf_term):
            index = np.searchsorted(self._leaf_term, needed).clip(max=len(self._leaf_term) - 1)
            known = self._leaf_term[index] == needed
            count[known] = self._leaf_count[index[known]]
        length, class_count = self._leaf_length[leaf], self.node_class_count_[leaf]
        return LocalModels(row, count, length, class_count, self._alpha)

    def export_text(self, feature_names: Names = None, max_classes: int = 3) -> str:
        """Write the tree as text, one line per node."""
        check_is_fitted(self)
        names, lines = term_names(self, feature_names), []
        for node, depth, parent, side in self._visits():
            documents, *classes = self._describe(node, max_classes)
            line = f"{documents}: {', '.join(classes)}"
            if parent is not None:
                word = names[self.split_term_[parent]]
                line = f"{'|   ' * (depth - 1)}|--- {side} {word!r}, {line}"
            lines.append(line)
        return "\n".join(lines)

    def plot(self, ax: Any = None, feature_names: Names = None, max_classes: int = 3) -> Any:
        """Draw the tree. Requires matplotlib (``pip install "honeybayes[report]"``).

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw. By default, a new figure.

        Returns
        -------
        matplotlib.axes.Axes
        """
        check_is_fitted(self)
        from honeybayes.charts.pictures import BOX, BOXES, NODE, plain_style

        names, walk = term_names(self, feature_names), list(self._visits())
        across = np.zeros(len(self.split_term_))  # leaves at 0, 1, 2, ...
        n_leaves = np.count_nonzero(self.split_term_ == LEAF)
        for node, *_ in reversed(walk):
            if self.split_term_[node] == LEAF:
                n_leaves -= 1
                across[node] = n_leaves
            else:  # between its children
                across[node] = across[[self.child_with_[node], self.child_without_[node]]].mean()
        deepest = max(depth for _, depth, *_ in walk)
        ax = new_axes(ax, width=3.6 + 1.6 * across.max(), height=2.1 + 1.1 * deepest)
        for node, depth, parent, side in walk:
            x, y, term = across[node], -depth, self.split_term_[node]
            if parent is not None:
                above = across[parent]
                ax.plot([above, x], [y + 1, y], color="0.6", lw=1, zorder=1)
                style = {"color": "0.4", "fontsize": 8, "ha": "center", "backgroundcolor": "white"}
                ax.text((above + x) / 2, y + 0.5, side, **style)
            lines = self._describe(node, max_classes)
            if term != LEAF:
                lines = [f"{names[term]!r}?", lines[0]]
            box = {"facecolor": BOXES["word"] if term == LEAF else "white", **BOX}
            ax.text(x, y, "\n".join(lines), bbox=box, **NODE, **plain_style())
        ax.set_xlim(-0.7, across.max() + 0.7)
        ax.set_ylim(-deepest - 0.6, 0.5)
        ax.set_axis_off()
        return ax

    def _visits(self) -> Iterator[tuple[int, int, int | None, str]]:
        """Yield the nodes, each before its children, documents with the term first.

        With each node come its depth, its parent (None for the root), and its side of the parent's
        term.
        """
        waiting: list[tuple[int, int, int | None, str]] = [(0, 0, None, "")]
        while waiting:
            node, depth, parent, side = waiting.pop()
            yield node, depth, parent, side
            if self.split_term_[node] != LEAF:
                waiting.append((int(self.child_without_[node]), depth + 1, node, "without"))
                waiting.append((int(self.child_with_[node]), depth + 1, node, "with"))

    def _describe(self, node: int, max_classes: int) -> list[str]:
        """Return the number of documents of a node, and then of its largest classes."""
        check_integer("max_classes", max_classes)
        count = self.node_class_count_[node]
        order = np.argsort(-count, kind="stable")
        order = order[count[order] > 0]
        documents = f"{_number(count.sum())} document{'' if count.sum() == 1 else 's'}"
        classes = (f"{self.classes_[c]} {_number(count[c])}" for c in order[:max_classes])
        rest = count[order[max_classes:]].sum()
        return [documents, *classes, *([f"others {_number(rest)}"] if rest else [])]


def _number(count: float) -> str:
    """Format a number of documents. It may be a fraction if documents have weights."""
    return str(int(count)) if count == int(count) else f"{count:.2f}"
