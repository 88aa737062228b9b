"""How long the labeling page takes from a key press to the next text, while the model learns.

    python -m benchmarks.label_keys [number of labels] [number of texts]

Chromium presses the digit keys, one text after the other. The texts are pairs of bundled customer
messages. Time is measured in the page: from the event of the key to the frame that shows the next
text, and to the confirmation that the label is on disk. Requires playwright and chromium.
"""

import sys
import tempfile
from pathlib import Path

import numpy as np

from honeybayes.labeling import Project
from honeybayes.tables import load_corpus
from tests.page.browser import open_browser, open_page, run_label

PAUSE = 100  # milliseconds in which the person reads
WATCH = """() => {
  const about = document.querySelector("#about"), result = document.querySelector("#result");
  const isLearning = () => document.querySelector("#model").textContent.startsWith("Learning");
  window.presses = [];
  document.addEventListener("keydown", (event) => {
    window.presses.push({ start: event.timeStamp, shown: 0, saved: 0, learning: isLearning() });
  }, true);
  const note = (name) => () => requestAnimationFrame(() => {
    const last = window.presses.at(-1);
    if (last && !last[name]) last[name] = performance.now() - last.start;
  });
  new MutationObserver(note("shown")).observe(about, { childList: true });
  new MutationObserver(note("saved")).observe(result, { childList: true, characterData: true });
}"""


def make_project(path: Path, n_texts: int) -> list[int]:
    """Write a project of many texts; return the position of the class of each."""
    corpus = load_corpus("messages")
    names = sorted(set(corpus.labels))
    rng = np.random.default_rng(0)
    texts: dict[str, int] = {}
    while len(texts) < n_texts:
        one, two = rng.integers(len(corpus.documents), size=2)
        texts[f"{corpus.documents[one]} {corpus.documents[two]}"] = names.index(corpus.labels[one])
    with Project.create(path, list(texts)) as project:
        for name in names:
            project.add_class(name)
    return list(texts.values())


def run(n_labels: int, n_texts: int) -> tuple[list[dict], list[int]]:
    """Label by keyboard; return times in milliseconds, and how many labels each refit knew."""
    with tempfile.TemporaryDirectory() as folder, open_browser() as browser:
        path = Path(folder, "mail.hbproject")
        classes = make_project(path, n_texts)
        with run_label(path) as address:
            page = open_page(browser, address)
            page.wait_for_selector("#about strong", timeout=300_000)
            page.evaluate(WATCH)
            for done in range(1, n_labels + 1):
                title = page.locator("#about strong").inner_text()
                row = int(title.removeprefix("Text ").replace(",", "")) - 1
                page.keyboard.press(str(classes[row] + 1))
                while not page.evaluate("presses.at(-1).shown && presses.at(-1).saved"):
                    page.wait_for_timeout(5)
                page.wait_for_timeout(PAUSE)
                if done % 100 == 0:
                    print(f"{done} labels", file=sys.stderr, flush=True)
            assert page.watch.troubles == [], page.watch.troubles
            times = page.evaluate("presses")
        with Project.open(path) as project:
            assert len(project.ledger.state.labels) == n_labels
            refits = [each.value["n_labels"] for each in project.rounds()]
    return times, refits


def describe(name: str, times: list[dict]) -> None:
    for what, key in [("next text", "shown"), ("confirmed", "saved")]:
        values = np.array([each[key] for each in times])
        if len(values):
            middle, most, worst = np.percentile(values, [50, 95, 100])
            print(
                f"{name:18}{what:11}{len(values):6} keys   median {middle:6.1f} ms"
                f"   95 % below {most:6.1f} ms   longest {worst:7.1f} ms"
            )


def main() -> None:
    n_labels, n_texts = [*map(int, sys.argv[1:]), *(1000, 10_000)[len(sys.argv) - 1 :]]
    times, refits = run(n_labels, n_texts)
    print(f"{n_labels} labels by keyboard, {n_texts} texts")
    print(f"{len(refits)} rounds were stored meanwhile, with {', '.join(map(str, refits))} labels")
    describe("all", times)
    describe("model is learning", [each for each in times if each["learning"]])
    describe("model is idle", [each for each in times if not each["learning"]])


if __name__ == "__main__":
    main()
