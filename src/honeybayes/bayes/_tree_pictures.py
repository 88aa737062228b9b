"""Show decision trees as text and as plots."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from honeybayes.bayes.base import term_names
from honeybayes.utils.optional import new_axes
from honeybayes.utils.validation import check_integer


class Visit(NamedTuple):
    """A node with its depth, its parent (None for the root), and its side of the parent's term."""

    node: int
    depth: int
    parent: int | None
    side: str


def visits(tree: Any) -> Iterator[Visit]:
    """Yield the nodes, each before its children, documents with the term first."""
    waiting = [Visit(0, 0, None, "")]
    while waiting:
        visit = waiting.pop()
        yield visit
        node, depth = visit.node, visit.depth + 1
        if tree.split_term_[node] >= 0:
            waiting.append(Visit(int(tree.child_without_[node]), depth, node, "without"))
            waiting.append(Visit(int(tree.child_with_[node]), depth, node, "with"))


def tree_as_text(tree: Any, feature_names: Sequence[str] | None, max_classes: int) -> str:
    """Write one line per node."""
    names, lines = term_names(tree, feature_names), []
    for visit in visits(tree):
        documents, *classes = node_lines(tree, visit.node, max_classes)
        line = f"{documents}: {', '.join(classes)}"
        if visit.parent is not None:
            word = names[tree.split_term_[visit.parent]]
            line = f"{'|   ' * (visit.depth - 1)}|--- {visit.side} {word!r}, {line}"
        lines.append(line)
    return "\n".join(lines)


def draw_tree(tree: Any, ax: Any, feature_names: Sequence[str] | None, max_classes: int) -> Any:
    """Draw leaves next to each other, and each split between its children."""
    names, walk = term_names(tree, feature_names), list(visits(tree))
    across = _leaf_positions(tree, walk)
    depth = max(visit.depth for visit in walk)
    ax = new_axes(ax, width=3.6 + 1.6 * across.max(), height=2.1 + 1.1 * depth)
    for visit in walk:
        x, y = across[visit.node], -visit.depth
        if visit.parent is not None:
            above = across[visit.parent]
            ax.plot([above, x], [y + 1, y], color="0.6", lw=1, zorder=1)
            style = {"color": "0.4", "fontsize": 8, "ha": "center", "backgroundcolor": "white"}
            ax.text((above + x) / 2, y + 0.5, visit.side, **style)
        is_leaf = tree.split_term_[visit.node] < 0
        lines = node_lines(tree, visit.node, max_classes)
        if not is_leaf:
            lines = [f"{names[tree.split_term_[visit.node]]!r}?", lines[0]]
        ax.text(
            x,
            y,
            "\n".join(lines),
            ha="center",
            va="center",
            fontsize=9,
            zorder=2,
            parse_math=False,  # a term may contain dollar signs
            bbox={
                "boxstyle": "round",
                "facecolor": "#fff4d6" if is_leaf else "white",
                "edgecolor": "#cc8400",
            },
        )
    ax.set_xlim(-0.7, across.max() + 0.7)
    ax.set_ylim(-depth - 0.6, 0.5)
    ax.set_axis_off()
    return ax


def node_lines(tree: Any, node: int, max_classes: int) -> list[str]:
    """Return the number of documents of a node, and then of its largest classes."""
    check_integer("max_classes", max_classes)
    count = tree.node_class_count_[node]
    order = np.argsort(-count, kind="stable")
    order = order[count[order] > 0]
    documents = f"{_number(count.sum())} document{'' if count.sum() == 1 else 's'}"
    lines = [documents, *(f"{tree.classes_[c]} {_number(count[c])}" for c in order[:max_classes])]
    rest = count[order[max_classes:]].sum()
    return [*lines, f"others {_number(rest)}"] if rest else lines


def _number(count: float) -> str:
    """Format a number of documents. It may be a fraction if documents have weights."""
    return str(int(count)) if count == int(count) else f"{count:.2f}"


def _leaf_positions(tree: Any, walk: list[Visit]) -> np.ndarray:
    """Return x coordinates: leaves at 0, 1, 2, ..., and each split between its children."""
    across = np.zeros(len(tree.split_term_))
    n_leaves = np.count_nonzero(tree.split_term_ < 0)
    for visit in reversed(walk):
        if tree.split_term_[visit.node] < 0:
            n_leaves -= 1
            across[visit.node] = n_leaves
        else:
            children = [tree.child_with_[visit.node], tree.child_without_[visit.node]]
            across[visit.node] = across[children].mean()
    return across
