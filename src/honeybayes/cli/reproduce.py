"""``honeybayes reproduce``: a paper's tables, published and measured."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from honeybayes.cli import _options as option


def reproduce(
    paper: Annotated[
        str, typer.Argument(help="honb-2009, honb-tkde, hos-2012, ihosk-2014 or hmnb.")
    ],
    table: Annotated[
        int | None, typer.Option(help="Number of the table.", show_default="all")
    ] = None,
    trials: Annotated[
        int | None, typer.Option(help="Random splits.", show_default="as published", min=1)
    ] = None,
    models: Annotated[
        str | None, typer.Option(help="Only these, with commas; names of the paper.")
    ] = None,
    datasets: Annotated[
        str | None, typer.Option(help="Only these, with commas; names of the paper.")
    ] = None,
    results: Annotated[
        Path | None,
        typer.Option(
            help="File to which every finished trial is added at once. The same command with the "
            "same file goes on where it was interrupted.",
            metavar="FILE.jsonl",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="The same seed draws the same documents.")] = 0,
    jobs: Annotated[int, typer.Option(help="Processes at once; -1 takes all cores.")] = 1,
    json: option.Json = False,
) -> None:
    """Rerun the tables of a paper. Wants the paper's corpora: see `honeybayes data`.

    Example: honeybayes reproduce hos-2012 --table 2 --trials 3 --results hos.jsonl
    """
    from honeybayes.cli._output import print_json, print_table
    from honeybayes.papers import reproduce as run
    from honeybayes.utils.writing import check_output_path

    if results is not None:
        check_output_path(results)
    found = run(
        paper,
        table,
        trials=trials,
        models=None if models is None else models.split(","),
        datasets=None if datasets is None else datasets.split(","),
        seed=seed,
        n_jobs=jobs,
        results=results,
    )
    if json:
        print_json([asdict(cell) for cell in found.cells])
        return
    rows = [
        [
            cell.published.table,
            cell.published.dataset,
            "" if cell.published.percent is None else cell.published.percent,
            cell.published.model,
            cell.published.metric,
            f"{cell.published.value:.2f}",
            "" if cell.measured is None else f"{cell.measured:.2f}",
            "" if cell.difference is None else f"{cell.difference:+.2f}",
            cell.verdict,
        ]
        for cell in found.cells
    ]
    columns = ["table", "dataset", "train %", "model", "metric", "published", "measured"]
    print_table([*columns, "difference", "verdict"], rows)
    near, measured, counted = found.count()
    print(f"\n{near} of {measured} within 2 points or two deviations ({counted} count)")
