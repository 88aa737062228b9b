"""Read a report as a reader does: sections, tables, pictures and links."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

EMPTY = {"meta", "link", "br", "path", "use", "image", "rect", "circle"}


@dataclass
class Table:
    """A table: its caption, and its rows with the header first."""

    caption: str = ""
    rows: list = field(default_factory=list)

    @property
    def body(self):
        return {row[0]: row[1:] for row in self.rows[1:]}


class ReportPage(HTMLParser):
    """What a reader of the page depends on, with eyes or with a screen reader."""

    def __init__(self, html):
        super().__init__()
        self.open, self.sections, self.loaded, self.images = [], [], [], []
        self.tables, self.tiles, self.texts = [], {}, []
        self.roles, self.kept = set(), None
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag not in EMPTY:
            self.open.append(tag)
        self.loaded += [attributes[name] for name in ("src", "href") if name in attributes]
        if "role" in attributes:
            self.roles.add(attributes["role"])
        if attributes.get("role") == "img":
            self.images.append(attributes.get("aria-label", ""))
        if tag == "section":
            self.sections.append(attributes["id"])
        elif tag == "table":
            self.tables.append(Table())
        elif tag == "tr":
            self.tables[-1].rows.append([])
        if tag in ("td", "th", "caption", "dt", "dd", "h1", "p", "li"):
            self.kept = []

    def handle_startendtag(self, tag, attributes):
        """Drawn shapes, which hold nothing."""

    def handle_endtag(self, tag):
        if tag in self.open:
            while self.open.pop() != tag:
                pass
        if self.kept is None:
            return
        text = " ".join("".join(self.kept).split())
        if tag in ("td", "th"):
            self.tables[-1].rows[-1].append(text)
        elif tag == "caption":
            self.tables[-1].caption = text
        elif tag == "dt":
            self.tiles[text] = []
        elif tag == "dd":
            self.tiles[list(self.tiles)[-1]].append(text)
        elif tag in ("h1", "p", "li"):
            self.texts.append(text)
        else:
            return
        self.kept = None

    def handle_data(self, data):
        if self.kept is not None:
            self.kept.append(data)

    def table(self, start):
        """Return the one table whose caption starts like this."""
        [found] = [table for table in self.tables if table.caption.startswith(start)]
        return found
