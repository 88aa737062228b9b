"""Rerun the papers' tables. Every finished trial is saved, and a second run continues.

    python -m reproduction hos-2012 [--table 2] [--trials 10] [--models HOS HONB]
    python -m reproduction honb-2009 --sizes 10 20 30 40 50 60 --models NB HONB
    python -m reproduction --pages

The first appends trials to results/<paper>.jsonl and needs the corpora of the papers. The second
does so for training sizes that only the figures of the paper have. The third runs nothing: it
writes pages and plots from the saved trials. Trials that several machines have of one paper can be
concatenated in one file.
"""

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from honeybayes.evaluate import Cell, Result, read_results, write_results
from reproduction.page import count_line, marks_text, tally_text, write_page
from reproduction.plots import plot_sizes
from reproduction.rerun import Reproduction, Tally, pool, reproduce
from reproduction.rules import describe_paper, list_papers

FOLDER = Path(__file__).parent
PAGES = FOLDER / "pages"
SEEDS = (0, 1, 2)  # the last two are for cells that may hang on the draw

INTRODUCTION = """
Written by `python -m reproduction --pages`; do not edit by hand.

If a paper leaves something open, several readings were run, and the one closest to its printed
accuracies was chosen: one for all cells of the paper, or of a corpus or model where the page says
so. The choice used the published results, so these counts are too high. Each page lists these
choices with the evidence apart from the accuracies, if there is any; a cell is free if none of them
is about it. With the first readings, for the models that existed then, 18 of 20 cells fitted for
honb-2009, 7 of 22 for honb-tkde, 95 of 120 for hos-2012, and 25 of 48 for ihosk-2014 up to 30 %. In
hmnb only MNB, CNB, HMNB and HCNB are free. The notes on each page say what was tried. Models and
readings that no table has are [on a separate page](beyond.md).
"""


def results_file(paper: str) -> Path:
    """Return the file of a paper's trials."""
    return FOLDER / "results" / f"{paper}.jsonl"


def tidy(path: Path, current: tuple[Result, ...]) -> None:
    """Sort the file, and drop results that the current rule has replaced.

    A result that was not run again is kept, even if its rule has changed since. So after changing
    a rule, run all cells that it affects.
    """

    def trial(result: Result) -> Cell:
        return replace(result.cell, setup="")

    replaced = {trial(result) for result in current}
    cells = {result.cell for result in current}
    results = read_results(path)
    write_results(path, [r for r in results if r.cell in cells or trial(r) not in replaced])


def draw(reproduction: Reproduction) -> list[str]:
    """Save the plots of a paper; return their paths relative to the page."""
    import matplotlib

    matplotlib.rcParams.update({"svg.hashsalt": "honeybayes", "svg.fonttype": "none"})
    pictures = []
    for dataset in describe_paper(reproduction.paper).corpora:
        figure = plot_sizes(reproduction, dataset)
        if figure is not None:
            picture = f"images/{reproduction.paper}-{dataset.lower()}.svg"
            figure.savefig(PAGES / picture, metadata={"Date": None})
            pictures.append(picture)
    return pictures


def write_pages() -> None:
    """Write all pages and plots from the saved trials."""
    lines = ["# The five papers, rerun", INTRODUCTION]
    tallies, reproductions = [], []
    for paper in list_papers():
        seeds = [
            reproduce(paper, results=results_file(paper), run=False, seed=seed) for seed in SEEDS
        ]
        reproduction = pool(seeds)
        notes = (FOLDER / "notes" / f"{paper}.md").read_text(encoding="utf-8")
        text = write_page(reproduction, draw(reproduction), notes, seeds)
        (PAGES / f"{paper}.md").write_text(text, encoding="utf-8", newline="\n")
        lines.append(f"- [{paper}]({paper}.md): {count_line(reproduction)}")
        tallies.append(reproduction.tally())
        reproductions.append(reproduction)
    total = Tally(*map(sum, zip(*tallies, strict=True)))
    lines.insert(1, "\nIn all: " + tally_text(total, "5 or more trials (hmnb: ten folds)"))
    lines.insert(2, "\n" + marks_text(reproductions))
    (PAGES / "README.md").write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")


def main() -> None:
    """Run the command."""
    names = ", ".join(list_papers())
    parser = argparse.ArgumentParser("python -m reproduction", description=__doc__.splitlines()[0])
    parser.add_argument("papers", nargs="*", metavar="paper", help=f"{names} (default: all)")
    parser.add_argument("--table", type=int, help="number of a table (default: all)")
    parser.add_argument("--trials", type=int, help="random splits (default: as published; hmnb 1)")
    parser.add_argument("--sizes", type=int, nargs="+", help="training percentages")
    parser.add_argument("--models", nargs="+", help="names in the paper (default: all)")
    parser.add_argument("--datasets", nargs="+", help="names in the paper (default: all)")
    parser.add_argument("--seed", type=int, default=0, help="of documents and splits")
    parser.add_argument("--jobs", type=int, default=1, help="processes; -1 for all cores")
    parser.add_argument("--cells", action="store_true", help="print every cell")
    parser.add_argument("--pages", action="store_true", help="run nothing, write the pages")
    options = parser.parse_args()
    if options.pages:
        write_pages()
        return
    try:
        for paper in options.papers or list_papers():
            reproduction = reproduce(
                paper,
                options.table,
                trials=options.trials,
                sizes=options.sizes,
                models=options.models,
                datasets=options.datasets,
                seed=options.seed,
                n_jobs=options.jobs,
                results=results_file(paper),
            )
            tidy(results_file(paper), reproduction.results)
            if options.cells:
                print(reproduction.table())
            fit, measured, counted = reproduction.count()
            print(
                f"{paper}: {counted} published numbers, {measured} measured, {fit} agree. Trials "
                f"that were recorded are not run again. See reproduction/pages/{paper}.md."
            )
    except (FileNotFoundError, ValueError) as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
