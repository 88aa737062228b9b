"""The ratios of all commits in a file, and a page with the latest ones.

    python -m benchmarks.history

writes the page again, without measuring.
"""

import json
import subprocess
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from benchmarks import growth
from benchmarks.measure import Measurement
from benchmarks.records import DOCS, RESULTS_FOLDER, read_records, table_row, write_page

HISTORY = RESULTS_FOLDER / "history.jsonl"


def commit() -> str:
    """Return the short name of the commit, with a plus sign if the library has changed since."""

    def git(*arguments: str) -> str:
        command = ["git", "-C", str(Path(__file__).parent), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    try:
        changed = git("status", "--porcelain", "--", "../src")
        return git("rev-parse", "--short=10", "HEAD") + ("+" if changed else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def add(measured: Iterable[Measurement]) -> None:
    """Add ratios to the history. Earlier ratios of the same commit and name are replaced."""
    now, day = commit(), datetime.now(UTC).date().isoformat()
    new = {
        each.name: {
            "commit": now,
            "date": day,
            "name": each.name,
            "ratio": float(f"{each.ratio:.4g}"),
            "bar": each.bar,
        }
        for each in measured
    }
    kept = [
        record
        for record in read_records(HISTORY)
        if record["commit"] != now or record["name"] not in new
    ]
    lines = [json.dumps(record, ensure_ascii=False) + "\n" for record in [*kept, *new.values()]]
    HISTORY.write_text("".join(lines), encoding="utf-8", newline="\n")


def by_name() -> dict[str, list[Measurement]]:
    """Return the ratios of each measurement, the latest last, with the bar of that time."""
    found: dict[str, list[Measurement]] = {}
    for record in read_records(HISTORY):
        measured = Measurement(record["name"], record["ratio"], record["bar"])
        found.setdefault(record["name"], []).append(measured)
    return found


def page() -> str:
    """Return the page with the latest ratio of each measurement."""
    latest = [past[-1] for past in by_name().values()]
    lines = [
        "# Speed: ratios, and how cost grows",
        "",
        "`make bench` measures, and writes this page. Every number is a ratio to a baseline that",
        "takes turns with it in the same run. Only ratios are comparable between machines and",
        "runs, not times. The title of a measurement names its baseline. See",
        "[speed and memory](../benchmarks.md) for what is measured.",
        "",
        "## How cost grows",
        "",
        "![Time of a fit by documents, terms and classes](../images/speed-growth.svg)",
        "",
        f"Random documents of {growth.LENGTH} words; {describe(growth.MIDDLE)}, unless the axis",
        "says otherwise. CPU time of one thread, as a multiple of scikit-learn's",
        "LogisticRegression(C=10) on tf-idf at this size. FewLabels gets 5 labels per class, the",
        "others get all labels. Time grows with the size to the power of the exponent, which is",
        f"fitted to the {growth.FITTED} largest sizes: 1 means that twice the size takes twice",
        "the time.",
        "",
        *growth.table(),
        "",
        "## Latest ratios",
        "",
        "| measurement | ratio | bar | |",
        "| --- | --: | --- | --- |",
        *(
            table_row(
                [
                    each.name,
                    f"{each.ratio:.3g}",
                    each.bar,
                    each.verdict.replace("MISSED", "**missed**"),
                ]
            )
            for each in latest
        ),
        "",
    ]
    return "\n".join(lines)


def describe(sizes: dict[str, int]) -> str:
    """Return sizes in words."""
    return ", ".join(f"{size:,} {what}" for what, size in sizes.items())


def write_pages() -> None:
    """Draw the picture and write the page."""
    growth.draw()
    write_page(DOCS / "results" / "speed.md", page())


if __name__ == "__main__":
    write_pages()
