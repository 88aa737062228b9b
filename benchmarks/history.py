"""The ratios of earlier commits: a file, a picture and a page.

    python -m benchmarks.history

draws the picture and writes the page again, without measuring.
"""

import json
import subprocess
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from benchmarks import growth
from benchmarks.measure import Measurement
from benchmarks.pictures import make_svg_repeatable, save_picture
from benchmarks.records import DOCS, RESULTS_FOLDER, read_records, table_row, write_page

HISTORY = RESULTS_FOLDER / "history.jsonl"
SHOWN = 12  # commits in the picture


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


def draw() -> None:
    """Draw every measurement with a bar in a line of its own; older ratios are paler."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import LogLocator

    latest = {name: past for name, past in by_name().items() if past[-1].verdict}
    make_svg_repeatable(**{"font.size": 8})
    figure = Figure(figsize=(9, 0.8 + 0.17 * len(latest)), layout="constrained")
    axis = figure.subplots()
    for line, past in enumerate(latest.values()):
        for age, each in enumerate(reversed(past[-SHOWN:])):
            # with the bar of today, so that a changed bar does not look like a changed speed
            share = each._replace(bar=past[-1].bar).share_of_bar
            color = "#b2182b" if share > 1 else "#2166ac"
            alpha = 1.0 if age == 0 else 0.35 * (1 - age / SHOWN)
            axis.plot(share, line, "o", color=color, alpha=alpha, markersize=5 if age == 0 else 3)
    axis.axvline(1, color="0.4", linewidth=0.8)
    axis.set_xscale("log")
    axis.set_yticks(range(len(latest)), [short(name) for name in latest])
    axis.set_ylim(len(latest) - 0.5, -0.5)
    axis.grid(color="0.92")
    axis.set_axisbelow(True)
    axis.spines[["top", "right"]].set_visible(False)
    axis.set_xlabel("share of the bar; met at 1 or less")
    axis.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axis.xaxis.set_major_formatter("{x:g}")
    axis.minorticks_off()
    save_picture(figure, "speed-history")


def short(name: str, longest: int = 88) -> str:
    """Cut a long name in the middle."""
    half = longest // 2
    return name if len(name) <= longest else f"{name[:half].rstrip()} … {name[-half:].lstrip()}"


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
        "## History",
        "",
        "![Ratios as shares of their bars](../images/speed-history.svg)",
        "",
        "One line per measurement that has a bar. The dark dot is the latest commit, pale dots are",
        "earlier commits. `benchmarks/results/history.jsonl` contains all ratios.",
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
    """Draw the pictures and write the page."""
    growth.draw()
    draw()
    write_page(DOCS / "results" / "speed.md", page())


if __name__ == "__main__":
    write_pages()
