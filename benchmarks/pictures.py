"""SVG files for the documentation that are the same in every run. Requires matplotlib."""

from matplotlib import rcParams
from matplotlib.figure import Figure

from benchmarks.records import DOCS


def make_svg_repeatable(**settings: float) -> None:
    """Fix the identifiers in SVG files, keep text as text, and apply further settings."""
    rcParams.update({"svg.hashsalt": "honeybayes", "svg.fonttype": "none", **settings})


def save_picture(figure: Figure, name: str) -> None:
    """Save a figure in the images of the documentation, and print its path."""
    path = DOCS / "images" / f"{name}.svg"
    path.parent.mkdir(exist_ok=True)
    figure.savefig(path, metadata={"Date": None})
    print(f"Wrote {path}")
