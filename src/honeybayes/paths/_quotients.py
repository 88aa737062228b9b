"""The graphs that a path becomes when some of its words, and some of its documents, coincide.

Words and documents are the two sides of a bipartite graph, and a path of order r is a walk
w0 - d0 - w1 - ... - wr whose words all differ and whose documents all differ. Walks are easy to
count and paths are not; Möbius inversion over the set partitions of the r + 1 words and of the r
documents leads from the ones to the others:

    paths with w_p = i  =  sum over pairs of partitions of  mu * hom_i(quotient)

A quotient is the path with every block of a partition glued into one vertex; ``hom_i`` counts the
ways to map its words to words and its documents to documents so that neighbors stay neighbors
and the glued w_p (the root) goes to word i; and mu is the product of (-1)^(b-1) (b-1)! over all
blocks, b being the size of a block. A block of b words holds b of the positions p, so that it
counts b times as the root in the sum over all p.

A pair of words and documents is an edge or is not, so the parallel edges of a quotient collapse
to one, and quotients with the same shape are added up. Both make the sum short: 780 pairs of
partitions leave 181 rooted graphs at order 4.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from math import comb
from typing import NamedTuple

Edge = tuple[int, int]  # a document and a word; no number names both a document and a word


class RootedGraph(NamedTuple):
    """A connected bipartite graph and one of its words."""

    edges: tuple[Edge, ...]
    root: int


def count_partitions(order: int) -> int:
    """Count the pairs of set partitions: of the words and of the documents of one path."""
    bell = [1]
    for size in range(order + 1):
        bell.append(sum(comb(size, k) * bell[k] for k in range(size + 1)))
    return bell[order + 1] * bell[order]


def rooted_quotients(order: int) -> dict[RootedGraph, int]:
    """Merge the rooted quotients of the path of one order.

    Parameters
    ----------
    order : int
        Number of documents of the path.

    Returns
    -------
    dict from RootedGraph to int
        Coefficients. The sum of coefficient times hom_i counts every path through word i twice,
        once in each direction.
    """
    # The unrooted shapes are few: find them first, so that few graphs are compared with a root.
    unrooted: defaultdict[tuple[Edge, ...], Counter[int]] = defaultdict(Counter)
    for edges, coefficients in _quotients(order).items():
        shape, label = _canonical(edges)
        for word, coefficient in coefficients.items():
            unrooted[shape][label[word]] += coefficient

    rooted: Counter[RootedGraph] = Counter()
    for unrooted_shape, coefficients in unrooted.items():
        for word, coefficient in coefficients.items():
            shape, label = _canonical(unrooted_shape, word)
            rooted[RootedGraph(shape, label[word])] += coefficient
    return {graph: coefficient for graph, coefficient in rooted.items() if coefficient}


def _quotients(order: int) -> dict[frozenset[Edge], Counter[int]]:
    """Walk along the path; let each new vertex join an earlier block or start one.

    The vertex that joins a block of b others multiplies mu by -b. Words are numbered 0, 1, ...
    and documents -1, -2, ... in the order in which they are first met.
    """
    # Edges so far, sizes of the blocks on this side and on the other, block where the walk stands.
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


def _canonical(
    edges: Iterable[Edge], root: int | None = None
) -> tuple[tuple[Edge, ...], dict[int, int]]:
    """Relabel a graph so that isomorphic graphs get the same edges; return the labels as well."""
    neighbors: defaultdict[int, set[int]] = defaultdict(set)
    colors: dict[int, int] = {}
    for document, word in edges:
        neighbors[document].add(word)
        neighbors[word].add(document)
        colors[document] = 0
        colors[word] = 2 if word == root else 1
    frozen = {vertex: frozenset(around) for vertex, around in neighbors.items()}
    return _smallest_labeling(tuple(edges), frozen, colors)


def _smallest_labeling(
    edges: tuple[Edge, ...], neighbors: dict[int, frozenset[int]], colors: dict[int, int]
) -> tuple[tuple[Edge, ...], dict[int, int]]:
    """Refine colors by those of the neighbors; where a tie stays, try each way to break it."""
    n_colors = 0
    while True:
        views = {v: (colors[v], *sorted([colors[u] for u in neighbors[v]])) for v in neighbors}
        rank = {view: color for color, view in enumerate(sorted(set(views.values())))}
        colors = {vertex: rank[view] for vertex, view in views.items()}
        if len(rank) in (n_colors, len(neighbors)):
            break
        n_colors = len(rank)
    if len(rank) == len(neighbors):
        return tuple(sorted([(colors[d], colors[w]) for d, w in edges])), colors

    tied_color = min(color for color, size in Counter(colors.values()).items() if size > 1)
    # Vertices with the same neighbors can be exchanged, so that one of them is enough.
    tied = {neighbors[v]: v for v, color in colors.items() if color == tied_color}
    return min(
        (
            _smallest_labeling(
                edges, neighbors, {u: 2 * color + (u == v) for u, color in colors.items()}
            )
            for v in tied.values()
        ),
        key=lambda labeling: labeling[0],
    )
