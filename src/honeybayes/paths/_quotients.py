"""Quotient graphs: paths in which some words, or some documents, are merged into one.

In this module and in the one that builds on it, a word is a term (a column). Words and documents
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
order 4, 780 pairs of partitions give 192 rooted graphs.

``hom_i`` of a rooted graph is a sum of products of matrix entries, with one entry per edge and one
index per vertex. It is evaluated by summing over one vertex after another, the root last:

    one neighbor   x    weight[x]    *= sum_v  M[x, v] weight[v]            matrix times vector
    two neighbors  x, y matrix[x, y] *= sum_v  M[x, v] weight[v] N[v, y]    matrix product

Eliminating vertices of degree one and two is enough for every graph of treewidth two. All quotients
up to order four have treewidth two, but a few of order five and six have treewidth three. For these
graphs, there is a loop over the documents of the data: one document of the graph is fixed to each
of them. The neighbors of the fixed document then have a row of the data as weights, and the rest of
the graph has treewidth two.

Different graphs share most of their operations. Therefore no operation is added twice, nor is the
transpose of an operation.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

Edge = tuple[int, int]  # a document and a word; no vertex number is used for both
# A reference to an operation is its index in the program; ~reference is its transpose.
INCIDENCE, WORD_ONES, DOCUMENT_ONES = 0, 1, 2
# Order of elimination for a vertex (first letter) between two others. Word-by-word matrices are
# the largest, so vertices that remove or avoid them go first.
_TURN = {"WDD": 0, "DDD": 1, "DDW": 1, "WDW": 2, "DWW": 3, "WWW": 4}


class RootedGraph(NamedTuple):
    """A connected bipartite graph and one of its words."""

    edges: tuple[Edge, ...]
    root: int


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


class Operation(NamedTuple):
    """One step of a program.

    ``apply(M, u)`` is M u, ``chain(M, u, N)`` is M diag(u) N, ``times`` multiplies elementwise,
    ``row(u)`` is the row of the fixed document times its entry of u, and ``data`` is given.
    """

    name: str
    operands: tuple[int, ...]  # references
    kind: str  # of rows and columns: "W" or "D" for vectors of words or documents, "WD" and so on
    symmetric: bool
    stored: bool  # small enough to keep; others are recomputed, a few rows at a time
    fixed: bool  # depends on the fixed document


class Program:
    """Operations, each after its operands, and the coefficients of the output vectors."""

    def __init__(self) -> None:
        self.operations = [
            Operation("data", (), kind, symmetric=False, stored=True, fixed=False)
            for kind in ("WD", "W", "D")
        ]
        self.outputs: defaultdict[int, int] = defaultdict(int)
        self._known: dict[tuple[str, tuple[int, ...]], int] = {}

    def __getitem__(self, reference: int) -> Operation:
        return self.operations[max(reference, ~reference)]

    def kind(self, reference: int) -> str:
        """Return the kind of the rows and columns of a reference."""
        kind = self[reference].kind
        return kind if reference >= 0 else kind[::-1]

    def transpose(self, reference: int) -> int:
        """Return the reference of the transpose."""
        return reference if self[reference].symmetric else ~reference

    def operands(self, reference: int) -> tuple[int, ...]:
        """Return the operands that compute a reference, which may be a transpose."""
        name, operands, *_ = self[reference]
        return operands if reference >= 0 else self._transposed(name, operands)

    def row(self, weight: int) -> int:
        """Add the words of the fixed document as a vector."""
        return self._add("row", (weight,), "W", fixed=True)

    def apply(self, matrix: int, vector: int) -> int:
        """Multiply a matrix by a vector."""
        return self._add("apply", (matrix, vector), self.kind(matrix)[0])

    def chain(self, left: int, weight: int, right: int) -> int:
        """Multiply two matrices, with a weight for each value of the shared index."""
        kind = self.kind(left)[0] + self.kind(right)[1]
        return self._add_matrix("chain", self._left_associated(left, weight, right), kind)

    def times(self, factors: list[int]) -> int:
        """Multiply vectors or matrices of the same shape elementwise."""
        if len(factors) == 1:
            return factors[0]
        kind = self.kind(factors[0])
        add = self._add_matrix if len(kind) == 2 else self._add
        return add("times", tuple(sorted(factors)), kind)

    def _add_matrix(self, name: str, operands: tuple[int, ...], kind: str) -> int:
        if kind == "WD":  # the rows must be words, because words are processed in blocks of rows
            return self._add(name, operands, kind)
        transposed = self._transposed(name, operands)
        if kind == "DW" or transposed < operands:
            return self.transpose(self._add(name, transposed, kind[::-1]))
        return self._add(name, operands, kind, symmetric=transposed == operands)

    def _transposed(self, name: str, operands: tuple[int, ...]) -> tuple[int, ...]:
        if name == "chain":
            left, weight, right = operands
            return self._left_associated(self.transpose(right), weight, self.transpose(left))
        return tuple(sorted(self.transpose(operand) for operand in operands))

    def _left_associated(self, left: int, weight: int, right: int) -> tuple[int, int, int]:
        # A block of rows of a product needs a block of the left operand, but the whole right one.
        while self[right].name == "chain" and not self[right].stored:
            middle, next_weight, last = self.operands(right)
            left, weight, right = self.chain(left, weight, middle), next_weight, last
        return left, weight, right

    def _add(
        self,
        name: str,
        operands: tuple[int, ...],
        kind: str,
        *,
        symmetric: bool = False,
        fixed: bool = False,
    ) -> int:
        key = name, operands
        if key not in self._known:
            sparse = kind == "WD" and name == "times" and any(self[o].stored for o in operands)
            stored = sparse or kind in ("W", "D", "DD")
            fixed = fixed or any(self[operand].fixed for operand in operands)
            self._known[key] = len(self.operations)
            self.operations.append(Operation(name, operands, kind, symmetric, stored, fixed))
        return self._known[key]


@lru_cache
def path_program(order: int) -> Program:
    """Build the program that computes twice the number of paths through each word."""
    program = Program()
    for graph, coefficient in rooted_quotients(order).items():
        program.outputs[_eliminate(program, graph)] += coefficient
    return program


def _eliminate(program: Program, graph: RootedGraph) -> int:
    documents = sorted({document for document, _ in graph.edges})
    for fixed_document in (None, *documents):
        output = _try_eliminate(program, graph, fixed_document)
        if output is not None:
            return output
    raise AssertionError(f"{graph} needs more than one fixed document.")


def _try_eliminate(program: Program, graph: RootedGraph, fixed_document: int | None) -> int | None:
    """Eliminate all vertices except the root; return None if one has too many neighbors."""
    matrices, side = {}, {}
    neighbors: defaultdict[int, set[int]] = defaultdict(set)
    weights: defaultdict[int, list[int]] = defaultdict(list)
    for document, word in graph.edges:
        side[document], side[word] = "D", "W"
        neighbors[document].add(word)
        neighbors[word].add(document)
        matrices[word, document] = INCIDENCE
        matrices[document, word] = program.transpose(INCIDENCE)

    def turn(vertex: int) -> tuple[int, int, int]:
        around = neighbors[vertex]
        if len(around) < 2:
            return 0, 0, vertex
        if vertex == fixed_document:
            return 1, 0, vertex
        if len(around) == 2:
            kinds = side[vertex] + "".join(sorted(side[other] for other in around))
            return 2, _TURN[kinds], vertex
        return 3, 0, vertex

    while len(neighbors) > 1:
        vertex = min((v for v in neighbors if v != graph.root), key=turn)
        around = sorted(neighbors.pop(vertex))
        for other in around:
            neighbors[other].remove(vertex)
        ones = WORD_ONES if side[vertex] == "W" else DOCUMENT_ONES
        weight = program.times(weights.pop(vertex, [ones]))
        if len(around) == 1:
            (other,) = around
            weights[other].append(program.apply(matrices[other, vertex], weight))
        elif vertex == fixed_document:
            for other in around:
                weights[other].append(program.row(weight))
                weight = DOCUMENT_ONES  # the weight of the fixed document counts once
        elif len(around) == 2:
            x, y = around
            product = program.chain(matrices[x, vertex], weight, matrices[vertex, y])
            if y in neighbors[x]:
                product = program.times([product, matrices[x, y]])
            matrices[x, y], matrices[y, x] = product, program.transpose(product)
            neighbors[x].add(y)
            neighbors[y].add(x)
        else:
            return None
    return program.times(weights[graph.root])
