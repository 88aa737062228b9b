"""``honeybayes simulate``: how many labels would a labeled table have needed."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import honeybayes as hb
from honeybayes.cli._output import print_json, print_table, save_plot

BASELINE = "random"


def simulate(
    table: str,
    text: str = "text",
    label: str = "label",
    strategies: str = "representative,random",
    labels: int = 50,
    runs: int = 3,
    texts: int = 1000,
    names: bool = False,
    relevant: str | None = None,
    plot: Path | None = None,
    language: str = "auto",
    seed: int = 0,
    read: str = "",
    json: bool = False,
) -> None:
    """Replay the labeling of a labeled table, and show how many labels each strategy needs.

    Example: honeybayes simulate messages.csv --text body --label queue --plot curves.png

    Options:
      --strategies NAMES: Strategies to compare, separated by commas: representative (the
        default of `honeybayes label`), margin, random.
      --labels: Labels in each run. [at least 5]
      --runs: Runs with different seeds. [at least 1]
      --texts: Use at most this many rows, drawn at random. [at least 20]
      --names: Use the names of the classes as evidence.
      --relevant CLASS: Replay the search for the texts of this class instead, and the random checks
        that prove that 95 % of them were found.
      --seed: The same seed gives the same result.
    """
    import numpy as np

    from honeybayes.cli._input import Input
    from honeybayes.cli._settings import READ_LABELS, parse_settings
    from honeybayes.utils.messages import count_steps
    from honeybayes.utils.writing import check_outputs

    check_outputs([plot], [table])
    chosen = [name.strip() for name in strategies.split(",")]
    for name in chosen:
        hb.labeling.strategies.find_strategy(name)  # raises ValueError if the name is unknown
    reading = parse_settings("--read", read, READ_LABELS)
    corpus = Input(text, label, reading=reading).read_labeled(table)
    documents, known, _ = corpus.split_unlabeled()
    if len(np.unique(known)) < 2:
        raise ValueError(
            f"{table}: a simulation needs labels of at least two classes; there are "
            f"{len(np.unique(known))}."
        )
    rows = np.random.default_rng(seed).permutation(len(documents))[:texts]
    documents, known = [documents[row] for row in rows], known[rows]
    if relevant is not None:
        if plot is not None or names:
            raise ValueError("A search has no curves and no names: omit --plot and --names.")
        _search(documents, known, relevant, runs, language, seed, json)
        return
    with count_steps("Steps") as count:
        result = hb.labeling.simulate(
            *(documents, known, chosen),
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
    cells = {
        name: [f"{curve[n]:.1%}" if n in curve else "" for n in shown]
        for name, curve in curves.items()
    }
    print_table(["labels", *cells], zip(shown, *cells.values(), strict=True))
    if BASELINE in curves:
        goal = curves[BASELINE][moments[-1]]
        for name in (each for each in curves if each != BASELINE):
            needed = result.labels_needed(name, goal)
            found = f"{needed} labels" if needed else f"more than {moments[-1]} labels"
            print(f"{name} needs {found} for the {goal:.1%} of {moments[-1]} random labels.")


def _search(
    documents: list[str], known: Any, relevant: str, runs: int, language: str, seed: int, json: bool
) -> None:
    """Print how much of a class searches find, at what cost, and what the checks prove."""
    is_relevant = known.astype(str) == relevant
    if is_relevant.all() or not is_relevant.any():
        classes = ", ".join(sorted(set(known.astype(str))))
        raise ValueError(
            f"--relevant {relevant}: {int(is_relevant.sum())} of the {len(known)} texts have this "
            f"class; some must, and some must not. The classes are: {classes}."
        )
    found = hb.labeling.simulate_screening(
        documents, is_relevant, n_runs=runs, language=language, random_state=seed
    )
    if json:
        print_json([asdict(run) for run in found])
        return
    rows = [[r.n_read, r.n_checked, f"{r.recall:.1%}", f"{r.bound:.1%}"] for r in found]
    print_table(["texts read", "checked at random", "found", "proved: at least"], rows)
    held = sum(run.bound <= run.recall for run in found)
    work = sum(run.n_read + run.n_checked for run in found) / len(found)
    print(
        f"{found[0].n_relevant} of {found[0].n_texts} texts are {relevant}. The bound is true in "
        f"{held} of {runs} runs (95 % are expected); a run reads {work:.0f} texts on average."
    )
