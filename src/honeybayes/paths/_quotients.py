"""Quotient graphs: paths in which some words, or some documents, are merged into one.

In this module and in the two that build on it, a word is a term (a column). Words and documents
are the two sides of a bipartite graph. A path of order r is a walk w0 - d0 - w1 - ... - wr in
which all words are different and all documents are different. Walks are easy to count, paths are
not. Möbius inversion over the set partitions of the r + 1 words and of the r documents expresses
the number of paths through counts of walks:

    paths with w_p = i  =  sum over pairs of partitions of  mu * hom_i(quotient)

- A quotient is the path with every block of a partition merged into one vertex.
- ``hom_i`` counts the ways to map its words to words and its documents to documents such that
  neighbors stay neighbors and the merged w_p (the root) is mapped to word i.
- mu is the product of (-1)^(b-1) (b-1)! over all blocks, with b the size of a block.

A block of b words contains b of the positions p, so it counts b times as the root in the sum over
all p. Parallel edges of a quotient are merged into one, because the data only say whether a
document contains a word. Quotients with the same shape are added up. Both make the sum short: at
order 4, 780 pairs of partitions give 181 rooted graphs.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import NamedTuple

Edge = tuple[int, int]  # a document and a word; no vertex number is used for both


class RootedGraph(NamedTuple):
    """A connected bipartite graph and one of its words."""

    edges: tuple[Edge, ...]
    root: int


def rooted_quotients(order: int) -> dict[RootedGraph, int]:
    """Return the rooted quotients of the path of one order, with their coefficients.

    The sum of coefficient * hom_i counts every path through word i twice, once per direction.
    """
    # There are few unrooted shapes. Finding them first leaves few rooted graphs to compare.
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


def _canonical(
    edges: Iterable[Edge], root: int | None = None
) -> tuple[tuple[Edge, ...], dict[int, int]]:
    """Relabel a graph so that isomorphic graphs have equal edges; also return the new labels."""
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
    """Refine colors by the colors of the neighbors; if ties remain, try each way to break them."""
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
    # Vertices with the same neighbors are interchangeable, so one of them is enough.
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
