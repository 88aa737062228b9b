"""A comparison on the terminal."""

from dataclasses import asdict

from honeybayes.cli._terminal import print_json, print_table
from honeybayes.evaluate import Comparison


def print_comparison(comparison: Comparison, as_json: bool) -> None:
    """Print the mean accuracies, a row a model; or all summaries as JSON."""
    summaries = comparison.summaries()
    if as_json:
        print_json([asdict(summary) for summary in summaries])
        return
    splits = list(dict.fromkeys(summary.split for summary in summaries))
    cells = {(s.model, s.split): f"{100 * s.mean:.1f} ± {100 * s.deviation:.1f}" for s in summaries}
    rows = [[model, *(cells[model, split] for split in splits)] for model in comparison.models]
    print_table(["accuracy in %", *splits], rows)
