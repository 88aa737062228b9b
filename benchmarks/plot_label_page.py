"""Pictures of the labeling page for the documentation, on the bundled customer messages.

    python -m benchmarks.plot_label_page [folder]

Writes docs/images/label-*.png. With a folder, writes every view there instead: light and dark, 390
and 1,280 pixels wide, so that a person can look at them. Requires playwright and chromium.
"""

import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.records import DOCS
from honeybayes.labeling import Project
from honeybayes.tables import load_corpus
from tests.page.browser import open_browser, open_page, run_label

CLASSES = {
    "billing": ("invoice charged payment card", "Bills, charges and payments"),
    "delivery": ("parcel courier shipping arrive", "Where the parcel is, and when it comes"),
    "returns": ("return refund exchange", "Sending things back"),
    "account access": ("password login locked", "Getting into the account"),
    "technical fault": ("broken error crash", "Something does not work"),
    "product question": ("size colour material", "Before buying: what is it like?"),
    "complaint": ("complaint disappointed rude", "Angry about the service itself"),
    "cancellation": ("cancel subscription contract", "Ending an order or a contract"),
}
N_LABELS = 150
VIEWS = ("start", "label", "quality", "review", "finish")
# name: view, width, height, color scheme
PICTURES = {
    "label-start": ("start", 1280, 900, "light"),
    "label-text": ("label", 1280, 760, "light"),
    "label-quality": ("quality", 1280, 1060, "light"),
    "label-review": ("review", 1280, 760, "light"),
    "label-finish": ("finish", 1280, 760, "light"),
}


def label_some(page: Any, truth: list[str]) -> None:
    """Give labels by keyboard, and wait until the model has learned from them."""
    page.wait_for_selector("#about strong", timeout=120_000)
    for n in range(N_LABELS):
        if n and n % 10 == 0:  # a person is slower than the model; this script is not
            page.wait_for_selector("#model:text('Learned from')", timeout=120_000)
        row = int(page.inner_text("#about strong").removeprefix("Text ")) - 1
        press(page, str(list(CLASSES).index(truth[row]) + 1), "/api/label")
    page.wait_for_selector(f"#model:text('Learned from {N_LABELS}')", timeout=120_000)


def show(page: Any, view: str) -> int:
    """Go to a view, and wait until it is filled; return how many texts were skipped."""
    page.evaluate(f"location.hash = '#{view}'")
    filled = {"label": "#about strong", "quality": "#quality .headline", "review": "#texts li"}
    page.wait_for_selector(filled.get(view, f"#view-{view}"))
    n_skipped = 0
    if view == "label":  # one with a suggestion, so that the words are marked
        while not page.locator(".class.best").count() or page.locator("mark").count() < 3:
            press(page, "s", "/api/skip")
            n_skipped += 1
    page.wait_for_timeout(400)
    return n_skipped


def press(page: Any, key: str, address: str) -> None:
    """Press a key, and wait for the answer of the program."""
    with page.expect_response(f"**{address}"):
        page.keyboard.press(key)
    page.wait_for_timeout(150)


def main() -> None:
    corpus = load_corpus("messages")
    with tempfile.TemporaryDirectory() as folder, open_browser() as browser:
        path = Path(folder, "mail.hbproject")
        with Project.create(path, list(corpus.documents)) as project:
            for name, (words, definition) in CLASSES.items():
                project.add_class(name, words, definition)
        with run_label(path) as address:
            label_some(open_page(browser, address), list(corpus.labels))
            pictures, folder_of_pictures = PICTURES, DOCS / "images"
            if len(sys.argv) > 1:
                folder_of_pictures = Path(sys.argv[1])
                pictures = {
                    f"{view}-{width}-{scheme}": (view, width, height, scheme)
                    for width, height in [(390, 844), (1280, 800)]
                    for scheme in ("light", "dark")
                    for view in VIEWS
                }
            folder_of_pictures.mkdir(parents=True, exist_ok=True)
            for name, (view, width, height, scheme) in pictures.items():
                page = open_page(browser, address, width, height, color_scheme=scheme)
                page.wait_for_selector("#about strong")
                n_skipped = show(page, view)
                to = folder_of_pictures / f"{name}.png"
                is_whole = len(sys.argv) > 1 and view in ("start", "quality", "finish")
                page.screenshot(path=to, full_page=is_whole)
                print(f"Wrote {to} ({to.stat().st_size // 1000} kB)")
                for _ in range(n_skipped):  # the next picture begins as this one did
                    press(page, "z", "/api/undo")
                page.context.close()


if __name__ == "__main__":
    main()
