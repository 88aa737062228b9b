"""From rooted quotient graphs to a short program of matrix operations.

``hom_i`` of a rooted graph is a sum of products of matrix entries, one entry for every edge and
one index for every vertex. Summing out one vertex after another, the root last, evaluates it:

    one neighbor   x    weight[x]    *= sum_v  M[x, v] weight[v]            matrix times vector
    two neighbors  x, y matrix[x, y] *= sum_v  M[x, v] weight[v] N[v, y]    matrix product

Vertices of degree one and two are enough for every graph of treewidth two, which all quotients
of order four and below are. A few of order five and six have treewidth three. There one document
is fixed to each document of the data in turn: its neighbors then only carry a row of the data as
a weight, and the rest has treewidth two.

Every graph gives a different sum, yet they share most of their parts. The program therefore is
hash-consed: an operation that was seen before, or whose transpose was, is not repeated.
"""

from collections import defaultdict
from functools import lru_cache
from typing import NamedTuple

from honeybayes.paths._quotients import RootedGraph, rooted_quotients

# A reference to an operation is its position in the program; ~reference is its transpose.
INCIDENCE, WORD_ONES, DOCUMENT_ONES = 0, 1, 2

# What to sum out first: a vertex (first letter) between two others. Matrices between words are
# the large ones, so that the vertices which remove or avoid them go first.
_TURN = {"WDD": 0, "DDD": 1, "DDW": 1, "WDW": 2, "DWW": 3, "WWW": 4}


class Operation(NamedTuple):
    """One step of a program.

    Attributes
    ----------
    name : {"data", "row", "apply", "times", "chain"}
        ``apply(M, u)`` is M u, ``chain(M, u, N)`` is M diag(u) N, ``times`` multiplies entry by
        entry, ``row(u)`` is the row of the fixed document, times its entry of u.
    operands : tuple of int
        References.
    kind : {"W", "D", "WD", "WW", "DD"}
        What the rows and the columns stand for: words or documents.
    symmetric : bool
        Whether it is its own transpose.
    stored : bool
        Whether the result is small enough to be kept: vectors, matrices between documents, and
        those with the sparsity of the data. Others are recomputed, a few rows at a time.
    fixed : bool
        Whether it depends on the fixed document.
    """

    name: str
    operands: tuple[int, ...]
    kind: str
    symmetric: bool
    stored: bool
    fixed: bool


class Program:
    """Operations, each after its operands, and the integer combination of vectors wanted."""

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
        """Return the kind of a reference, rows first."""
        kind = self[reference].kind
        return kind if reference >= 0 else kind[::-1]

    def transpose(self, reference: int) -> int:
        """Return the reference of the transpose."""
        return reference if self[reference].symmetric else ~reference

    def operands(self, reference: int) -> tuple[int, ...]:
        """Return the operands of an operation or, for a transpose, those that give it."""
        name, operands, *_ = self[reference]
        return operands if reference >= 0 else self._transposed(name, operands)

    def row(self, weight: int) -> int:
        """Return the words of the fixed document, as a vector."""
        return self._add("row", (weight,), "W", fixed=True)

    def apply(self, matrix: int, vector: int) -> int:
        """Multiply a matrix by a vector."""
        return self._add("apply", (matrix, vector), self.kind(matrix)[0])

    def chain(self, left: int, weight: int, right: int) -> int:
        """Multiply two matrices, with a weight for every value of the index between them."""
        kind = self.kind(left)[0] + self.kind(right)[1]
        return self._add_matrix("chain", self._left_associated(left, weight, right), kind)

    def times(self, factors: list[int]) -> int:
        """Multiply vectors or matrices of one shape entry by entry."""
        if len(factors) == 1:
            return factors[0]
        kind = self.kind(factors[0])
        add = self._add_matrix if len(kind) == 2 else self._add
        return add("times", tuple(sorted(factors)), kind)

    def _add_matrix(self, name: str, operands: tuple[int, ...], kind: str) -> int:
        if kind == "WD":  # words come in blocks of rows
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
        # A block of rows of a product needs a block of the left operand, but all of the right one.
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
    """Write the program whose output is twice the number of paths through each word."""
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
    raise AssertionError(f"{graph} needs more than one fixed document")


def _try_eliminate(program: Program, graph: RootedGraph, fixed_document: int | None) -> int | None:
    """Sum out everything but the root, or return None where a vertex has too many neighbors."""
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
