"""Rerun the papers' tables; every trial is kept, so that a run goes on where it was stopped.

    python -m benchmarks.reproduce hos-2012 [--table 2] [--trials 10] [--models HOS HONB]

Results are appended to docs/reproduction/<paper>.jsonl. With --pages nothing is run, and the
pages are written from what is there. Wants the papers' corpora.
"""

import argparse
from pathlib import Path

from honeybayes.papers import list_papers, reproduce

FOLDER = Path(__file__).parents[1] / "docs" / "reproduction"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("papers", nargs="*", metavar="paper", help=f"of {', '.join(list_papers())}")
    parser.add_argument("--table", type=int)
    parser.add_argument("--trials", type=int)
    parser.add_argument("--sizes", type=int, nargs="+")
    parser.add_argument("--models", nargs="+")
    parser.add_argument("--datasets", nargs="+")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    for paper in options.papers or list_papers():
        reproduction = reproduce(
            paper,
            options.table,
            trials=options.trials,
            sizes=options.sizes,
            models=options.models,
            datasets=options.datasets,
            n_jobs=options.jobs,
            results=FOLDER / f"{paper}.jsonl",
        )
        fit, measured, counted = reproduction.count()
        print(f"{paper}: {fit} of {measured} measured cells fit, of {counted} published.")


if __name__ == "__main__":
    main()
