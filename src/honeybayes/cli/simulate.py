"""``honeybayes simulate``: how many labels would a labeled table have needed."""

from typing import Annotated

import typer

from honeybayes.cli import _options as option


def simulate(
    table: option.Table,
    text: option.Text = "text",
    label: option.Label = "label",
    strategies: Annotated[
        str,
        typer.Option(
            help="Strategies to compare, separated by commas: typical-then-unsure (the default of "
            "`honeybayes label`), typical, unsure, margin, random.",
            metavar="NAMES",
        ),
    ] = "typical-then-unsure,random",
    labels: Annotated[int, typer.Option(help="Labels in each run.", min=5)] = 50,
    runs: Annotated[int, typer.Option(help="Runs with different seeds.", min=1)] = 3,
    texts: Annotated[
        int, typer.Option(help="Use at most this many rows, drawn at random.", min=20)
    ] = 1000,
    names: Annotated[
        bool, typer.Option("--names", help="Use the names of the classes as evidence.")
    ] = False,
    plot: option.Plot = None,
    language: option.Language = "english",
    seed: Annotated[int, typer.Option(help="The same seed gives the same result.")] = 0,
    read: option.Read = "",
    json: option.Json = False,
) -> None:
    """Replay the labeling of a labeled table, and show how many labels each strategy needs.

    Example: honeybayes simulate messages.csv --text body --label queue --plot curves.png
    """
    import numpy as np

    from honeybayes.cli._input import Reading
    from honeybayes.cli._output import print_json, print_table, save_plot, show_count
    from honeybayes.cli._tables import read_labeled
    from honeybayes.labeling import simulate as run_simulation
    from honeybayes.labeling.strategies import find_strategy
    from honeybayes.utils.writing import check_outputs

    check_outputs([plot], [table])
    chosen = [name.strip() for name in strategies.split(",")]
    for name in chosen:
        find_strategy(name)  # raises ValueError if the name is unknown
    reading = Reading.parse(read)
    corpus = read_labeled(table, text, label, reading)
    documents, known, _ = corpus.split_unlabeled()
    if len(np.unique(known)) < 2:
        raise ValueError(
            f"{table}: a simulation needs labels of at least two classes; there are "
            f"{len(np.unique(known))}."
        )
    rows = np.random.default_rng(seed).permutation(len(documents))[:texts]
    with show_count("Steps", rows_are_printed=False) as count:
        result = run_simulation(
            [documents[row] for row in rows],
            known[rows],
            chosen,
            n_labels=labels,
            n_runs=runs,
            use_names=names,
            language=language,
            random_state=seed,
            on_step=lambda step: count(1),
        )
    if plot is not None:
        save_plot(result.plot(), plot)
    if json:
        print_json(result.to_dict())
        return
    curves = {name: result.curve(name) for name in result.strategies}
    moments = sorted(set().union(*curves.values()))
    shown = [n for n in moments if n % 10 == 0 or n == moments[-1]]
    print_table(
        ["labels", *curves],
        [
            [n, *[f"{curve[n]:.1%}" if n in curve else "" for curve in curves.values()]]
            for n in shown
        ],
    )
    baseline = "random"
    if baseline in curves:
        goal = curves[baseline][moments[-1]]
        for name in (each for each in curves if each != baseline):
            needed = result.labels_needed(name, goal)
            found = f"{needed} labels" if needed else f"more than {moments[-1]} labels"
            print(f"{name} needs {found} for the {goal:.1%} of {moments[-1]} random labels.")
