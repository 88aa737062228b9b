"""Pieces of the page: text that is safe, tables that scroll, pictures that follow the theme."""

import io
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

# Drawn in these colors, which no picture has otherwise; on the page they are those of the text and
# of the paper, in the light theme and in the dark one.
INK, PAPER = "#010203", "#fdfcfb"
STYLE = {
    "svg.fonttype": "path",
    "svg.hashsalt": "honeybayes",
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "savefig.facecolor": "none",
    "text.color": INK,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
}


def figure(axes: Any, name: str, caption: str, small: bool = False) -> str:
    """Put a picture on the page, with words for those who do not see it."""
    from matplotlib import pyplot

    buffer = io.StringIO()
    axes.figure.savefig(buffer, format="svg", metadata={"Date": None})
    pyplot.close(axes.figure)
    svg = buffer.getvalue()
    svg = svg[svg.index("<svg") :].replace(INK, "currentColor")
    svg = svg.replace("<svg ", f'<svg role="img" aria-label="{escape(name)}" ', 1)
    kind = ' class="small"' if small else ""
    return f"<figure{kind}>{svg}<figcaption>{escape(caption)}</figcaption></figure>"


def table(
    caption: str, header: Sequence[str], rows: Iterable[Sequence[Any]], best: Any = ()
) -> str:
    """Write a table; ``best`` holds the places (row, column) to set in bold."""
    head = "".join(f'<th scope="col">{escape(str(cell))}</th>' for cell in header)
    body = []
    for number, row in enumerate(rows):
        cells = [f'<th scope="row">{escape(str(row[0]))}</th>']
        for place, cell in enumerate(row[1:], start=1):
            kind = ' class="best"' if (number, place) in best else ""
            kind = ' class="text"' if isinstance(cell, Text) else kind
            cells.append(f"<td{kind}>{escape(str(cell))}</td>")
        body.append(f"<tr>{''.join(cells)}</tr>")
    return (
        f'<div class="scroll" role="region" tabindex="0" aria-label="{escape(caption)}">'
        f"<table><caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{''.join(body)}</tbody></table></div>"
    )


class Text(str):
    """A cell with a running text, which may be broken into lines."""

    __slots__ = ()


def section(name: str, title: str, *parts: str) -> str:
    """Write a section with its heading."""
    return (
        f'<section id="{name}" aria-labelledby="{name}-title">'
        f'<h2 id="{name}-title">{escape(title)}</h2>{"".join(parts)}</section>'
    )


def paragraph(text: str, kind: str = "") -> str:
    """Write a paragraph."""
    return f"<p{f' class={chr(34)}{kind}{chr(34)}' if kind else ''}>{escape(text)}</p>"
