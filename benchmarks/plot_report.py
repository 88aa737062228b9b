"""Pictures of the report for the documentation, on the bundled mailbox.

    python -m benchmarks.plot_report [folder]

Writes docs/images/report-*.png. With a folder, writes the whole page there instead: light and dark,
390 and 1,280 pixels wide, so that a person can look at it. Requires playwright and chromium.
"""

import io
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

from PIL import Image

from benchmarks.records import DOCS
from honeybayes.evaluate import RandomSplits, compare
from honeybayes.report import write_report
from honeybayes.tables import load_corpus
from tests.page.browser import open_browser, open_page

MODELS = ("NB", "CNB", "HCNB", "ComplementNB-tfidf", "LogisticRegression-tfidf", "FewLabels")
SIZES = (5, 10, 25)
N_DRAWS = 5
N_COLORS = 96
# name: selector or None for the top of the page, width, height, color scheme
PICTURES = {
    "report-top": (None, 1280, 1130, "light"),
    "report-classes": ("#classes", 1280, 900, "light"),
    "report-coverage": ("#coverage", 1280, 900, "dark"),
    "report-documents": ("#documents", 1280, 900, "light"),
}


def main() -> None:
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder, open_browser() as browser:
        path = Path(folder, "report.html")
        corpus = load_corpus("mailbox")
        splits = [RandomSplits(per_class=size, repetitions=N_DRAWS) for size in SIZES]
        results = compare(MODELS, corpus, splits, unlabeled="")
        command = "honeybayes compare mailbox.csv --report report.html"
        print(write_report(path, results, corpus, splits, command=command))
        if len(sys.argv) > 1:
            for width in (390, 1280):
                for scheme in ("light", "dark"):
                    page = open_page(browser, path.as_uri(), width, color_scheme=scheme)
                    picture = page.screenshot(full_page=True)
                    save(picture, Path(sys.argv[1], f"report-{width}-{scheme}.png"))
            return
        for name, (selector, width, height, scheme) in PICTURES.items():
            page = open_page(browser, path.as_uri(), width, height, color_scheme=scheme)
            save(take(page, selector, width, height), DOCS / "images" / f"{name}.png")


def take(page: Any, selector: str | None, width: int, height: int) -> bytes:
    """Return a picture of a section, or of the top of the page, no higher than this."""
    if selector is None:
        return page.screenshot()
    box = page.locator(selector).bounding_box()
    top, height = box["y"] - 16, min(box["height"] + 16, height)
    clip = {"x": 0, "y": top, "width": width, "height": height}
    return page.screenshot(full_page=True, clip=clip)


def save(picture: bytes, to: Path) -> None:
    """Save a picture with few colors, which makes it small."""
    Image.open(io.BytesIO(picture)).convert("RGB").quantize(N_COLORS).save(to, optimize=True)
    print(f"Wrote {to} ({to.stat().st_size // 1000} kB)")


if __name__ == "__main__":
    main()
