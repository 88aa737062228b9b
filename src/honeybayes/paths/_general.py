"""Count paths of any order by Möbius inversion, if the data are small enough.

``_quotients`` says which graphs to count, and how with matrix products; this module does the
arithmetic. No word-by-word matrix is held in memory: such matrices are computed a block of rows at
a time, and word-by-document matrices are kept only where a document contains the word. Only if the
data are tiny, dense matrices are used, which are faster.

A first run in float64 shows whether the result is exact. All values are sums of non-negative
integers, except the signed sum at the very end. An intermediate value counts some of the maps of
one quotient, so it is not larger than the ``magnitude`` of some word i, the sum of |coefficient| *
hom_i over all quotients. If the largest magnitude is below 2^53, no step was rounded. Otherwise the
same program runs in int64: the result is exact if it fits in int64, even if intermediate values
overflow. Only larger counts stay in float64.
"""

import math
from collections.abc import Iterator, Sequence
from functools import reduce
from typing import Any

import numpy as np
from scipy import sparse

from honeybayes.paths._quotients import (
    DOCUMENT_ONES,
    INCIDENCE,
    WORD_ONES,
    Operation,
    Program,
    path_program,
)

BLOCK_ELEMENTS = 2**22
MAX_DENSE_ELEMENTS = 2**10  # up to this size a dense matrix is faster than a sparse one
MAX_ORDER = 6  # it sums over 178,031 pairs of set partitions, order 7 over 3,630,780
MAX_MULTIPLICATIONS = 8 * 10**9  # about a minute, twice that if int64 is needed too
MAX_STORED_ELEMENTS = 2**27  # 1 GB
MAX_EXACT_FLOAT = 2.0**52  # half of what float64 holds exactly, because the bound is rounded too
MAX_EXACT_INT = 2.0**63


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
    if order > MAX_ORDER:
        raise ValueError(
            f"Counting paths of order {order} would take too long (limit {MAX_ORDER}). Choose a "
            "lower order, or list the paths of small data with iter_paths."
        )
    program = path_program(order)
    multiplications, stored = _estimate_cost(program, X)
    if multiplications > MAX_MULTIPLICATIONS or stored > MAX_STORED_ELEMENTS:
        raise ValueError(
            f"Counting paths of order {order} in {X.shape[0]:,} documents with {X.shape[1]:,} "
            f"terms would take too long or too much memory: about {multiplications:.1e} "
            f"multiplications (limit {MAX_MULTIPLICATIONS:.1e}) and {stored:.1e} numbers in memory "
            f"(limit {MAX_STORED_ELEMENTS:.1e}). Choose a lower order, fewer documents or fewer "
            "terms, or list the paths of small data with iter_paths."
        )
    counts, magnitude = _Evaluation(program, X, np.float64).run()
    if magnitude.max() < MAX_EXACT_FLOAT:
        return counts.astype(np.int64)
    rounding = magnitude * 2.0**-20
    if (counts + rounding).max() < MAX_EXACT_INT:
        counts, _ = _Evaluation(program, X, np.int64).run()
    return counts


class _Evaluation:
    """Run a program on the data with one dtype."""

    def __init__(self, program: Program, X: sparse.csr_array, dtype: type) -> None:
        self.program = program
        self.dtype = dtype
        self.n_documents, self.n_terms = X.shape
        self.block_length = max(1, BLOCK_ELEMENTS // max(X.shape))
        self.documents = X.astype(dtype)
        is_small = math.prod(X.shape) <= MAX_DENSE_ELEMENTS
        self.values: dict[int, Any] = {
            INCIDENCE: self.documents.toarray().T if is_small else self.documents.T.tocsr(),
            WORD_ONES: np.ones(self.n_terms, dtype=dtype),
            DOCUMENT_ONES: np.ones(self.n_documents, dtype=dtype),
        }
        self.fixed_document = -1

    def run(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the sum of coefficient * output, and of |coefficient| * output."""
        sums = self._run_operations(fixed=False)
        if any(operation.fixed for operation in self.program.operations):
            for document in range(self.n_documents):
                self.fixed_document = document
                sums += self._run_operations(fixed=True)
        return sums[0], sums[1]

    def _run_operations(self, *, fixed: bool) -> np.ndarray:
        sums = np.zeros((2, self.n_terms), dtype=self.dtype)
        for reference, operation in enumerate(self.program.operations):
            if operation.fixed != fixed or not operation.stored or operation.name == "data":
                continue
            value = self.values[reference] = self._compute(operation)
            coefficient = self.program.outputs.get(reference, 0)
            if coefficient:
                sums[0] += coefficient * value
                sums[1] += abs(coefficient) * value
        return sums

    def _compute(self, operation: Operation) -> Any:
        operands = operation.operands
        if operation.name == "row":
            row = self.documents[[self.fixed_document]].toarray()[0]
            return self.values[operands[0]][self.fixed_document] * row
        if operation.name == "apply":
            return self._apply(*operands)
        if operation.name == "chain":
            return self._chain_between_documents(*operands)
        if operation.kind == "WD":
            return _stack([self._product_of_rows(operands, words) for words in self._blocks()])
        return math.prod([self._value(operand) for operand in operands])

    def _apply(self, matrix: int, vector: int) -> np.ndarray:
        values = self.values[vector]
        if self.program.kind(matrix) == "DD":
            return self._value(matrix) @ values
        if self.program.kind(matrix) == "DW":
            transpose = self.program.transpose(matrix)
            return sum(self._rows(transpose, w).T @ values[w] for w in self._blocks())
        return np.concatenate([self._rows(matrix, words) @ values for words in self._blocks()])

    def _chain_between_documents(self, left: int, weight: int, right: int) -> np.ndarray:
        weights = self.values[weight]
        if self.program.kind(left) == "DD":
            return (self._value(left) * weights) @ self._value(right)
        transpose = self.program.transpose(left)
        total = np.zeros((self.n_documents, self.n_documents), dtype=self.dtype)
        for words in self._blocks():
            weighted = _multiply(self._rows(right, words), weights[words, np.newaxis])
            total += _dense(self._rows(transpose, words).T @ weighted)
        return total

    def _value(self, reference: int) -> Any:
        """Return a whole matrix; never called for a word-by-word matrix."""
        if self.program[reference].stored:
            return self.values[reference] if reference >= 0 else self.values[~reference].T
        transpose = self.program.transpose(reference)
        return _stack([self._rows(transpose, words) for words in self._blocks()]).T

    def _blocks(self) -> Iterator[slice]:
        """Yield the words in blocks."""
        for start in range(0, self.n_terms, self.block_length):
            yield slice(start, start + self.block_length)

    def _rows(self, matrix: int, words: slice) -> Any:
        """Return the rows of some words, from a matrix with one row per word."""
        operation = self.program[matrix]
        if operation.stored:
            return self.values[matrix][words]
        operands = self.program.operands(matrix)
        if operation.name == "times":
            return self._product_of_rows(operands, words)
        left, weight, right = operands
        weights = self.values[weight]
        rows = _multiply(self._rows(left, words), weights[np.newaxis])
        if self.program.kind(right)[0] == "D":
            return rows @ self._value(right)
        return sum(rows[:, inner] @ self._rows(right, inner) for inner in self._blocks())

    def _product_of_rows(self, matrices: Sequence[int], words: slice) -> Any:
        """Multiply rows elementwise, beginning with the sparse ones."""
        stored_first = sorted(matrices, key=lambda matrix: not self.program[matrix].stored)
        return reduce(_multiply, [self._rows(matrix, words) for matrix in stored_first])


def _multiply(left: Any, right: Any) -> Any:
    """Multiply elementwise; the result is sparse if one of the two is."""
    if sparse.issparse(right) and not sparse.issparse(left):
        left, right = right, left
    return left.multiply(right).tocsr() if sparse.issparse(left) else left * right


def _dense(matrix: Any) -> np.ndarray:
    return matrix.toarray() if sparse.issparse(matrix) else matrix


def _stack(blocks: list[Any]) -> Any:
    if sparse.issparse(blocks[0]):
        return sparse.vstack(blocks, format="csr")
    return np.concatenate(blocks)


def _estimate_cost(program: Program, X: sparse.csr_array) -> tuple[float, float]:
    """Estimate how many multiplications one run needs, and how many numbers it keeps in memory.

    Sparse products run at 10^8 to 10^9 multiplications per second. Dense products are faster, and
    each operation has a start-up cost: both are converted to the same unit.
    """
    size = {"D": X.shape[0], "W": X.shape[1]}
    lengths = {"D": np.diff(X.indptr), "W": np.bincount(X.indices)}
    pairs = {side: float(np.dot(length, length)) for side, length in lengths.items()}
    # An operation with a word-by-word matrix starts again for every block of rows.
    start = 20_000.0 * (1 + X.shape[1] * max(X.shape) // BLOCK_ELEMENTS)
    multiplications = stored = 0.0
    entries: list[float] = []
    work: list[float] = []
    for operation in program.operations:
        shape = [float(size[side]) for side in operation.kind]
        full = math.prod(shape)
        of_operands = [entries[max(o, ~o)] for o in operation.operands]
        if operation.name == "data":
            own = float(X.nnz)
        elif operation.name == "chain":
            left, _, right = of_operands
            side = program.kind(operation.operands[0])[1]
            met = left * right * pairs[side] / X.nnz**2
            own = min(met, left * shape[-1], right * shape[0])
            own /= 20 if program.kind(operation.operands[0]) == operation.kind == "DD" else 1
        else:
            own = min(of_operands) if operation.name == "times" else of_operands[0]
        entries.append(min(own, full) if operation.kind in ("WD", "WW") else full)
        recomputed = [work[max(o, ~o)] for o in operation.operands if not program[o].stored]
        work.append(start + own + sum(recomputed))
        if operation.stored:
            multiplications += work[-1] * (size["D"] if operation.fixed else 1)
            stored += entries[-1]
    return multiplications, stored
