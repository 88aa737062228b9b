"""Pieces of the page: text that is safe, tables that scroll, pictures that follow the theme."""

import io
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

# Drawn in this color, which no picture has otherwise; on the page it becomes that of the text, in
# the light theme and in the dark one.
INK = "#010203"
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
            cells.append(f"<td{kind}>{escape(str(cell))}</td>")
        body.append(f"<tr>{''.join(cells)}</tr>")
    return _scrolling(caption, "", head, body)


def cards(caption: str, header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Write a table whose last column is running text; on a phone, a card a row."""
    *short, last = header
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in short)
    head += f'<th scope="col" class="text">{escape(last)}</th>'
    body = []
    for first, *others, text in rows:
        cells = f'<th scope="row">{escape(str(first))}</th>' + "".join(
            f'<td data-name="{escape(name)}">{escape(str(cell))}</td>'
            for name, cell in zip(short[1:], others, strict=True)
        )
        body.append(f'<tr>{cells}<td class="text">{escape(str(text))}</td></tr>')
    return _scrolling(caption, ' class="cards"', head, body)


def _scrolling(caption: str, kind: str, head: str, body: Iterable[str]) -> str:
    return (
        f'<div class="scroll" role="region" tabindex="0" aria-label="{escape(caption)}">'
        f"<table{kind}><caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{''.join(body)}</tbody></table></div>"
    )


def section(name: str, title: str, *parts: str) -> str:
    """Write a section with its heading."""
    return (
        f'<section id="{name}" aria-labelledby="{name}-title">'
        f'<h2 id="{name}-title">{escape(title)}</h2>{"".join(parts)}</section>'
    )


def paragraph(text: str, kind: str = "") -> str:
    """Write a paragraph."""
    return f"<p{f' class={chr(34)}{kind}{chr(34)}' if kind else ''}>{escape(text)}</p>"
