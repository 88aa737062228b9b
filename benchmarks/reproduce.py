"""Rerun the papers' tables; every trial is kept, so that a run goes on where it was stopped.

    python -m benchmarks.reproduce hos-2012 [--table 2] [--trials 10] [--models HOS HONB]
    python -m benchmarks.reproduce honb-2009 --sizes 10 20 30 40 50 60 --models NB HONB
    python -m benchmarks.reproduce --pages

The first appends results to docs/reproduction/<paper>.jsonl and wants the papers' corpora; the
second does so for sizes that only the figures of the paper have. The third runs nothing, and writes
the pages and plots from what is there. Results that several machines or branches have of one paper
may simply be put together in one file.
"""

import argparse
from dataclasses import replace
from pathlib import Path

from benchmarks.records import rewrite_results, write_whole
from honeybayes.evaluate import Cell, Result
from honeybayes.papers import (
    Reproduction,
    Tally,
    describe_paper,
    list_papers,
    plot_sizes,
    reproduce,
    write_page,
)
from honeybayes.papers._page import count_line, tally_text

FOLDER = Path(__file__).parents[1] / "docs" / "reproduction"
IMAGES = FOLDER.parent / "images"

INTRODUCTION = """
Written by `python -m benchmarks.reproduce --pages`; do not edit by hand.

Where a paper leaves something open, several readings were run and the one closest to its printed
accuracies was taken, one for all its cells. The choice looked at the published results, so these
counts are flattered by it. With the first readings, for the models that were there then, 18 of 20
cells fitted for honb-2009, 7 of 22 for honb-tkde, 95 of 120 for hos-2012, and 25 of 48 for
ihosk-2014 up to 30 %; hmnb was not changed, but the score of HOVA had been chosen by its table
before. The notes on each page say what was tried; [what no table has](beyond.md) is apart.
"""


def results_file(paper: str) -> Path:
    return FOLDER / f"{paper}.jsonl"


def place(result: Result) -> Cell:
    return replace(result.cell, setup="")


def tidy(path: Path, current: tuple[Result, ...]) -> None:
    """Sort the file, and drop results in whose place there is now one of the current rule.

    A result that was not run again stays, even if its rule has been changed since: only running
    tells. So after a change of a rule, run all cells that it is about.
    """
    again = {place(result) for result in current}
    cells = {result.cell for result in current}
    rewrite_results(
        path, lambda results: [r for r in results if r.cell in cells or place(r) not in again]
    )


def draw(reproduction: Reproduction) -> list[str]:
    pictures = []
    for dataset in describe_paper(reproduction.paper).corpora:
        figure = plot_sizes(reproduction, dataset)
        if figure is not None:
            path = IMAGES / f"{reproduction.paper}-{dataset.lower()}.svg"
            figure.savefig(path, metadata={"Date": None})
            pictures.append(f"../images/{path.name}")
    return pictures


def write_pages() -> None:
    import matplotlib

    matplotlib.rcParams.update({"svg.hashsalt": "honeybayes", "svg.fonttype": "none"})
    lines = ["# The five papers, rerun", INTRODUCTION]
    tallies = []
    for paper in list_papers():
        reproduction = reproduce(paper, results=results_file(paper), run=False)
        notes = FOLDER / "notes" / f"{paper}.md"
        text = notes.read_text(encoding="utf-8") if notes.exists() else ""
        write_whole(FOLDER / f"{paper}.md", write_page(reproduction, draw(reproduction), text))
        lines.append(f"- [{paper}]({paper}.md): {count_line(reproduction)}")
        tallies.append(reproduction.tally())
    total = Tally(*map(sum, zip(*tallies, strict=True)))
    lines.insert(1, "\nIn all: " + tally_text(total, "5 or more trials (hmnb: ten folds)"))
    write_whole(FOLDER / "README.md", "\n".join(lines) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("papers", nargs="*", metavar="paper", help=f"of {', '.join(list_papers())}")
    parser.add_argument("--table", type=int)
    parser.add_argument("--trials", type=int)
    parser.add_argument("--sizes", type=int, nargs="+")
    parser.add_argument("--models", nargs="+")
    parser.add_argument("--datasets", nargs="+")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--pages", action="store_true", help="run nothing, write the pages")
    options = parser.parse_args()
    if options.pages:
        write_pages()
        return
    for paper in options.papers or list_papers():
        reproduction = reproduce(
            paper,
            options.table,
            trials=options.trials,
            sizes=options.sizes,
            models=options.models,
            datasets=options.datasets,
            n_jobs=options.jobs,
            results=results_file(paper),
        )
        tidy(results_file(paper), reproduction.results)
        fit, measured, counted = reproduction.count()
        print(f"{paper}: {fit} of {measured} measured cells fit, of {counted} published.")


if __name__ == "__main__":
    main()
