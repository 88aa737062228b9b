"""Count paths of order 4 by Möbius inversion, if the data are small enough.

In this module, a word is a term (a column). Words and documents are the two sides of a bipartite
graph. A path of order r is a walk w0 - d0 - w1 - ... - wr in which all words are different and all
documents are different. Walks are easy to count, paths are not. Möbius inversion over the set
partitions of the r + 1 words and of the r documents expresses the number of paths through counts of
walks:

    paths with w_p = i  =  sum over pairs of partitions of  mu * hom_i(quotient)

- A quotient is the path with every block of a partition merged into one vertex.
- ``hom_i`` counts the ways to map its words to words and its documents to documents such that
  neighbors stay neighbors and the merged w_p (the root) is mapped to word i.
- mu is the product of (-1)^(b-1) (b-1)! over all blocks, with b the size of a block.

A block of b words contains b of the positions p, so it counts b times as the root in the sum over
all p. Parallel edges of a quotient are merged into one, because the data only say whether a
document contains a word. Quotients with the same shape are added up. Both make the sum short: at
order 4, 780 pairs of partitions give 192 rooted graphs.

``hom_i`` of a rooted graph is a sum of products of matrix entries, with one entry per edge and one
index per vertex. It is evaluated by summing over one vertex after another, the root last:

    one neighbor   x    weight[x]    *= sum_v  M[x, v] weight[v]            matrix times vector
    two neighbors  x, y matrix[x, y] *= sum_v  M[x, v] weight[v] N[v, y]    matrix product

This is enough for all quotients up to order 4. Lower orders are counted here in tests only.

A first run in float64 shows whether the result is exact. All values are sums of non-negative
integers, except the signed sum at the very end. An intermediate value counts some of the maps of
one quotient, so it is not larger than the ``magnitude`` of some word i, the sum of |coefficient| *
hom_i over all quotients. If the largest magnitude is below 2^53, no step was rounded. Otherwise the
same sum is computed in int64: the result is exact if it fits in int64, even if intermediate values
overflow. Only larger counts stay in float64, and those of data for which int64 would take too long.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy import sparse

Edge = tuple[int, int]  # a document and a word; no vertex number is used for both
MAX_MULTIPLICATIONS = 10**12  # about a minute
MAX_MULTIPLICATIONS_OF_INTEGERS = 10**11  # the same without BLAS
MAX_STORED_ELEMENTS = 2**26  # of one matrix: half a gigabyte, and two are kept at a time
MAX_EXACT_FLOAT = 2.0**52  # half of what float64 holds exactly, because the bound is rounded too
MAX_EXACT_INT = 2.0**63


class RootedGraph(NamedTuple):
    """A connected bipartite graph and one of its words."""

    edges: tuple[Edge, ...]
    root: int


def count_general(X: sparse.csr_array, order: int) -> tuple[np.ndarray, int | float]:
    """Count the paths of one order, per term (int64 if exact, else float64) and in total.

    Every stored value of X is one. Raises ValueError if counting would take too long or too much
    memory.
    """
    # No path uses a document with one term. Without these, some terms may be in no document.
    used = X[np.diff(X.indptr) > 1]
    terms = np.unique(used.indices)
    used = used[:, terms]
    per_term = np.zeros(X.shape[1], dtype=np.int64)
    n_documents, n_terms = used.shape
    if n_documents < order or n_terms < order + 1:
        return per_term, 0

    both_directions = _count_directed(used, order)
    if both_directions.dtype == np.int64:
        per_term[terms] = both_directions // 2
        return per_term, sum(per_term.tolist()) // (order + 1)
    per_term = per_term.astype(np.float64)
    per_term[terms] = np.maximum(both_directions, 0) / 2
    return per_term, float(per_term.sum()) / (order + 1)


def _count_directed(X: sparse.csr_array, order: int) -> np.ndarray:
    """Count every path through each word twice, once per direction."""
    n_documents, n_terms = X.shape
    quotients = rooted_quotients(order)
    n_edges = sum(len(graph.edges) for graph in quotients)
    multiplications = n_edges * math.prod(X.shape) * min(X.shape)
    stored = max(X.shape) ** 2
    if multiplications > MAX_MULTIPLICATIONS or stored > MAX_STORED_ELEMENTS:
        raise ValueError(
            f"Counting paths of order {order} in {n_documents:,} documents with {n_terms:,} "
            f"terms would take too long or too much memory: about {multiplications:.1e} "
            f"multiplications (limit {MAX_MULTIPLICATIONS:.1e}) and {stored:.1e} numbers in memory "
            f"(limit {MAX_STORED_ELEMENTS:.1e}). Choose a lower order, fewer documents or fewer "
            "terms, or list the paths of small data with iter_paths."
        )
    counts, magnitude = _sum_quotients(X.toarray().astype(np.float64), quotients)
    if magnitude.max() < MAX_EXACT_FLOAT:
        return counts.astype(np.int64)
    rounding = magnitude * 2.0**-20
    is_quick = multiplications < MAX_MULTIPLICATIONS_OF_INTEGERS
    if is_quick and (counts + rounding).max() < MAX_EXACT_INT:
        counts, _ = _sum_quotients(X.toarray().astype(np.int64), quotients)
    return counts


def _sum_quotients(X: np.ndarray, quotients: dict[RootedGraph, int]) -> np.ndarray:
    """Return the sum of coefficient * hom_i, and of |coefficient| * hom_i, for each word i."""
    sums = np.zeros((2, X.shape[1]), dtype=X.dtype)
    for graph, coefficient in quotients.items():
        maps = _count_maps(X, graph)
        sums[0] += coefficient * maps
        sums[1] += abs(coefficient) * maps
    return sums


def _count_maps(X: np.ndarray, graph: RootedGraph) -> np.ndarray:
    """Return hom_i of a rooted graph for each word i, by a sum over one vertex after another."""
    weights: dict[int, np.ndarray] = {}
    matrices: defaultdict[int, dict[int, np.ndarray]] = defaultdict(dict)  # by both neighbors
    for document, word in graph.edges:
        weights[document], weights[word] = (np.ones(n, X.dtype) for n in X.shape)
        matrices[document][word], matrices[word][document] = X, X.T

    def cost(vertex: int) -> tuple[int, int]:
        """Begin with the fewest neighbors, then with the smallest matrix between these."""
        around = matrices[vertex]
        return len(around), math.prod(len(weights[other]) for other in around)

    while len(weights) > 1:
        vertex = min((v for v in weights if v != graph.root), key=cost)
        weight, out = weights.pop(vertex), matrices.pop(vertex)
        for other in out:
            del matrices[other][vertex]
        x, *more = sorted(out)
        if not more:
            weights[x] = weights[x] * (weight @ out[x])
            continue
        (y,) = more  # up to order 4, no vertex has three neighbors when its turn comes
        product = (out[x].T * weight) @ out[y]
        if y in matrices[x]:
            product *= matrices[x][y]
        matrices[x][y], matrices[y][x] = product, product.T
    return weights[graph.root]


@lru_cache
def rooted_quotients(order: int) -> dict[RootedGraph, int]:
    """Return the rooted quotients of the path of one order, with their coefficients.

    The sum of coefficient * hom_i counts every path through word i twice, once per direction.
    """
    rooted: Counter[RootedGraph] = Counter()
    for edges, coefficients in _quotients(order).items():
        for word, coefficient in coefficients.items():
            rooted[_relabel(edges, word)] += coefficient
    return {graph: coefficient for graph, coefficient in rooted.items() if coefficient}


def _quotients(order: int) -> dict[frozenset[Edge], Counter[int]]:
    """Follow the path; each new vertex joins an earlier block or starts a new one.

    A vertex that joins a block of b others multiplies mu by -b. Words are numbered 0, 1, ... and
    documents -1, -2, ... in the order in which they first appear.
    """
    # Edges so far, block sizes on this side and on the other side, current block.
    walks: Counter[tuple[frozenset[Edge], tuple[int, ...], tuple[int, ...], int]]
    walks = Counter({(frozenset(), (1,), (), 0): 1})
    for step in range(2 * order):
        longer: Counter[tuple[frozenset[Edge], tuple[int, ...], tuple[int, ...], int]] = Counter()
        for (edges, near, far, here), mu in walks.items():
            for there in range(len(far) + 1):
                if there == len(far):
                    sizes, factor = (*far, 1), 1
                else:
                    sizes = (*far[:there], far[there] + 1, *far[there + 1 :])
                    factor = -far[there]
                edge = (~there, here) if step % 2 == 0 else (~here, there)
                longer[edges | {edge}, sizes, near, there] += mu * factor
        walks = longer

    quotients: defaultdict[frozenset[Edge], Counter[int]] = defaultdict(Counter)
    for (edges, words, _, _), mu in walks.items():
        for word, size in enumerate(words):
            quotients[edges][word] += mu * size
    return quotients


def _relabel(edges: Iterable[Edge], root: int) -> RootedGraph:
    """Number the vertices by their surroundings, so that nearly all isomorphic graphs are equal.

    Documents, words and the root have colors. Colors are refined by those of the neighbors until
    no color is split. Equal colors are numbered as they first appear on the path.
    """
    neighbors: defaultdict[int, set[int]] = defaultdict(set)
    for document, word in edges:
        neighbors[document].add(word)
        neighbors[word].add(document)
    colors = {vertex: (vertex >= 0) + (vertex == root) for vertex in neighbors}
    n_colors = 0
    while n_colors < len(set(colors.values())):
        n_colors = len(set(colors.values()))
        views = {v: (colors[v], *sorted([colors[u] for u in neighbors[v]])) for v in neighbors}
        rank = {view: color for color, view in enumerate(sorted(set(views.values())))}
        colors = {vertex: rank[view] for vertex, view in views.items()}
    in_order = sorted(neighbors, key=lambda vertex: (colors[vertex], abs(vertex)))
    label = {vertex: number for number, vertex in enumerate(in_order)}
    return RootedGraph(tuple(sorted([(label[d], label[w]) for d, w in edges])), label[root])
