"""A page about one paper: rules, tables, claims, and the cells that do not fit."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence

from reproduction.claims import (
    Ordering,
    check_claims,
    recompute_marks,
    recompute_wilcoxon,
)
from reproduction.explanations import explain
from reproduction.null import compare_with_plain
from reproduction.published import PublishedGain, printed_percents, published_gains
from reproduction.readings import readings_of
from reproduction.rerun import INTERVAL, OFF, ReproducedCell, Reproduction, Tally
from reproduction.rules import PaperRule, describe_paper

LEAK = """\
**protocol="paper"**: as in the paper, information gain selected the terms from *all* documents, so
the selection saw the labels of the test documents. These numbers are only for comparison with the
published ones; they are too high for every model (see [how much](../../docs/evaluate.md)).
"""


def write_page(
    reproduction: Reproduction,
    pictures: Sequence[str] = (),
    notes: str = "",
    seeds: Sequence[Reproduction] = (),
) -> str:
    """Return the page of a paper as Markdown, with notes that a person wrote.

    ``seeds`` are the reproductions with each seed, if there are several.
    """
    rule = describe_paper(reproduction.paper)
    parts = [
        f"# {reproduction.paper}: published and measured",
        f"{rule.title}. Written by `python -m reproduction --pages`; do not edit by hand.",
        count_line(reproduction),
        *([] if rule.folds else [LEAK.rstrip()]),
        "## The rule",
        _rule_text(reproduction, rule),
    ]
    for table in sorted({cell.published.table for cell in reproduction.cells}):
        own = [cell for cell in reproduction.cells if cell.published.table == table]
        quoted = " (quoted by the paper, not counted)" if table in rule.quoted else ""
        parts += [f"## Table {table}{quoted}", _matrix(own)]
    if rule.own_model:
        parts += [f"## Gains of {rule.own_model}", _gains(reproduction)]
    if pictures:
        parts += ["## Accuracy against training size", _sizes_text(reproduction, rule)]
        parts += [f"![]({path})" for path in pictures]
    parts += [
        "## What the paper claims",
        _claims(check_claims(reproduction.paper, reproduction.results)),
    ]
    if reproduction.paper == "hmnb":
        parts += _marks_and_wilcoxon(reproduction)
    parts += ["## What does not fit", _misses(reproduction)]
    far = reproduction.fit_only_by_deviations()
    if far:
        parts += ["## What fits only because trials vary", _far_text(far)]
    drawn = _seeds(seeds)
    if drawn:
        parts += ["## Three seeds", drawn]
    if notes:
        parts.append(notes.rstrip())
    return "\n\n".join(parts) + "\n"


def count_line(reproduction: Reproduction) -> str:
    """Return how many of the published cells fit, and on how many trials that is based."""
    unit = "all ten folds" if describe_paper(reproduction.paper).folds else "5 or more trials"
    line = _distances(reproduction) + tally_text(reproduction.tally(), unit)
    waiting = [cell for cell in reproduction.cells if cell.counted and cell.measured is None]
    if waiting:
        models = ", ".join(sorted({cell.published.model for cell in waiting}))
        line += f" Waiting: {models}."
    return line


def _distances(reproduction: Reproduction) -> str:
    """Return how far hmnb's models are from the table, and how far plain ones would be."""
    found = compare_with_plain(reproduction) if reproduction.paper == "hmnb" else None
    if found is None:
        return ""
    own, plain = found
    return (
        f"**Mean distance from the tables: {own.mean:.2f} points** for the models other than MNB, "
        f"CNB and OVA ({own.lowest:.2f} to {own.highest:.2f} per model); with plain MNB, CNB or "
        f"OVA in place of each it is {plain.mean:.2f} ({plain.lowest:.2f} to {plain.highest:.2f}). "
        f"To be within 2 points says little here: the plain models are, in {plain.fit} of "
        f"{plain.cells} cells ({own.fit} with the models themselves). "
    )


def tally_text(tally: Tally, unit: str) -> str:
    """Return a tally as a sentence."""
    share = 100 * tally.fit / max(tally.published, 1)
    return (
        f"**{tally.fit} of {tally.published} published cells ({share:.0f} %) are measured with "
        f"{unit} and fit**: within 2 points ({tally.within_two_points}), two published "
        f"deviations, or, where none is printed, the 95 % interval of the difference of two means "
        f"({tally.by_interval}). {tally.chosen_after_results} of these use a reading that was "
        "chosen with knowledge of the published accuracies, "
        f"{tally.fit - tally.chosen_after_results} do not. "
        f"Measured but **not** fitting: {tally.off}; with fewer trials: {tally.few_trials}; not "
        f"run: {tally.not_run}."
    )


def marks_text(reproductions: Sequence[Reproduction]) -> str:
    """Return how many marks and gains are as printed, and what the count of cells leaves out."""
    gains = [(g, m) for r in reproductions for g, m in measured_gains(r).items() if m is not None]
    close = sum(abs(gain.gain - measured) <= 2 for gain, measured in gains)
    results = next(r.results for r in reproductions if r.paper == "hmnb")
    marks, tables = recompute_marks(results), recompute_wilcoxon(results)
    return (
        f"**Marks**: of the {11 * len(marks)} wins, ties and losses that hmnb prints, "
        f"{sum(m.agreeing for m in marks)} are the same here, and of its "
        f"{sum(t.marks for t in tables)} marks of Wilcoxon's test "
        f"{sum(t.agreeing for t in tables)}. **Gains**: of {len(gains)} printed gains, {close} are "
        "within 2 points. The cells above are accuracies, F1 and areas; they leave out these marks "
        "and gains, a table that honb-2009 quotes (8 cells), tables of corpora and of C, p-values, "
        "and all figures."
    )


def _rule_text(reproduction: Reproduction, rule: PaperRule) -> str:
    counts = sorted({cell.trials for cell in reproduction.cells if cell.trials})
    trials = " to ".join(str(n) for n in dict.fromkeys((counts[0], counts[-1]))) if counts else "no"
    unit = "folds" if rule.folds else "trials"
    published = (
        f"{rule.trials} runs of {rule.folds} folds" if rule.folds else f"{rule.trials} trials"
    )
    more = (
        ", and two more for some cells"
        if counts and counts[-1] > rule.trials * (rule.folds or 1)
        else ""
    )
    lines = [
        f"- Text: {rule.preprocessing}",
        f"- Splits: {rule.splitting}",
        f"- Trials: {trials} {unit} per cell measured, {published} published; seed 0{more}.",
        *(f"- Chosen after results: {reading}" for reading in readings_of(reproduction.paper)),
        "",
        *_table(
            ["model", "reading", "C"],
            [[name, model.reading, model.c] for name, model in rule.models.items()],
        ),
    ]
    return "\n".join(lines)


def _matrix(cells: list[ReproducedCell]) -> str:
    """Return published / measured, one row per dataset and size, one column per model."""
    models = list(dict.fromkeys(cell.published.model for cell in cells))
    by_row: dict[tuple, dict[str, ReproducedCell]] = {}
    for cell in cells:
        p = cell.published
        by_row.setdefault((p.dataset, p.percent), {})[p.model] = cell
    rows = []
    for (dataset, percent), own in by_row.items():
        size = "" if percent is None else f"{percent} %"
        texts = (_cell_text(own[model]) if model in own else "" for model in models)
        rows.append([dataset, size, *texts])
    rows.append(["mean distance", "", *(_mean_distance(cells, model) for model in models)])
    metric = cells[0].published.metric
    legend = f"Published / measured {metric} in percent; **off** in bold, empty if not run."
    return legend + "\n\n" + "\n".join(_table(["", "train", *models], rows, numbers=2))


def _mean_distance(cells: list[ReproducedCell], model: str) -> str:
    own = [c.difference for c in cells if c.published.model == model and c.difference is not None]
    return f"{sum(map(abs, own)) / len(own):.2f}" if own else ""


def _cell_text(cell: ReproducedCell) -> str:
    p = cell.published
    published = f"{p.value:g}" if p.deviation is None else f"{p.value:g} ± {p.deviation:g}"
    if cell.measured is None:
        return f"{published} /"
    ours = f"{cell.measured:.1f}"
    if cell.deviation is not None and p.percent is not None:
        ours += f" ± {cell.deviation:.1f}"
    return f"{published} / " + (f"**{ours}**" if cell.verdict == OFF else ours)


def measured_gains(reproduction: Reproduction) -> dict[PublishedGain, float | None]:
    """Return the measured gain for each printed one; None if a model was not run."""
    own_model = describe_paper(reproduction.paper).own_model
    measured = {
        (c.published.dataset, c.published.percent, c.published.model): c.measured
        for c in reproduction.cells
        if c.published.metric == "accuracy"
    }
    gains: dict[PublishedGain, float | None] = {}
    for gain in published_gains():
        if gain.paper == reproduction.paper:
            own = measured.get((gain.dataset, gain.percent, own_model))
            other = measured.get((gain.dataset, gain.percent, gain.versus))
            known = None if own is None or other is None else 100 * (own - other) / other
            gains[gain] = known
    return gains


def _gains(reproduction: Reproduction) -> str:
    """Return published / measured gains, one row per dataset and size, one column per model."""
    printed = measured_gains(reproduction)
    models = list(dict.fromkeys(gain.versus for gain in printed))
    rows: dict[tuple[str, int], dict[str, str]] = {}
    for gain, measured in printed.items():
        text = "" if measured is None else f"{measured:.2f}"
        row = rows.setdefault((gain.dataset, gain.percent), {})
        row[gain.versus] = f"{gain.gain:.2f} / {text}"
    body = [
        [dataset, f"{percent} %", *(texts.get(model, "") for model in models)]
        for (dataset, percent), texts in rows.items()
    ]
    tables = sorted({gain.table for gain in printed})
    where = f"Table {tables[0]}" if len(tables) == 1 else f"Tables {tables[0]} to {tables[-1]}"
    legend = f"{where}: published / measured, in percent of the other model's accuracy."
    return legend + "\n\n" + "\n".join(_table(["", "train", *models], body, numbers=2))


def _sizes_text(reproduction: Reproduction, rule: PaperRule) -> str:
    """Return what the plots show, and the sizes for which no numbers are published."""
    text = "Lines, with one deviation around them, are ours; circles are from the paper's tables."
    printed = printed_percents(reproduction.paper)
    unprinted = [f"{size} %" for size in rule.figure_sizes if size not in printed]
    trials = Counter(
        (result.cell.corpus, result.cell.split, result.cell.model)
        for result in reproduction.results
        if result.cell.split in unprinted
    )
    if trials:
        fewest_to_most = " to ".join(map(str, sorted({min(trials.values()), max(trials.values())})))
        text += (
            f" For {', '.join(unprinted)} the paper has only figures, without readable numbers: "
            f"our {fewest_to_most} trials there are not counted above, and only claims about the "
            "figures use them."
        )
    return text


def _claims(orderings: list[Ordering]) -> str:
    rows = []
    for ordering in orderings:
        if not ordering.paired:
            rows.append([str(ordering.claim), "", "", "", "", "not run"])
            continue
        mean = sum(d.mean for d in ordering.paired) / len(ordering.paired)
        rows.append(
            [
                str(ordering.claim),
                f"{100 * mean:+.2f}",
                "/".join(map(str, ordering.wins())),
                "/".join(map(str, ordering.wins(corrected=True))),
                f"{ordering.p_value:.3f}",
                ordering.verdict,
            ]
        )
    head = ["claim", "mean difference", "paired t", "corrected t", "Wilcoxon p", "verdict"]
    legend = (
        "Wins/ties/losses over corpora and sizes at the 5 % level, by the paired t-test, which the "
        "papers used, and by the corrected resampled t-test, which takes into account that trials "
        "share documents (with 5 % for training and 95 % for testing it hardly ever finds a "
        "difference). A place is a corpus with a training size; Wilcoxon's signed-rank test is "
        "over the means of all places. Sizes of one corpus share its documents, so p is too small "
        "if a corpus has several sizes."
    )
    return legend + "\n\n" + "\n".join(_table(head, rows, numbers=1))


def _marks_and_wilcoxon(reproduction: Reproduction) -> list[str]:
    marks = recompute_marks(reproduction.results)
    rows = [
        [
            str(m.table),
            f"{m.model} over {m.other}",
            *("/".join(map(str, w)) for w in (m.published, m.measured)),
            f"{m.agreeing} of 11",
        ]
        for m in marks
    ]
    agreeing = sum(m.agreeing for m in marks)
    parts = [
        "## The marks of Tables 2 to 4, recomputed",
        "Wins/ties/losses by the corrected resampled t-test over our folds, at the 5 % level; "
        "the paper had 100 folds, and one run of ten finds fewer differences. "
        f"{agreeing} of {11 * len(marks)} marks agree.",
        "\n".join(_table(["table", "", "published", "measured", "same mark"], rows, numbers=2)),
        "## Tables 5 to 8, recomputed",
        "Wilcoxon's exact p-values from our own means. Below the diagonal an entry is bold at "
        "0.05, above it at 0.1, as in the paper; > means that the row is better, < the column.",
    ]
    for table in recompute_wilcoxon(reproduction.results):
        body = []
        for i, row in enumerate(table.models):
            texts = []
            for j, p in enumerate(table.p_values[i]):
                if math.isnan(p):
                    texts.append("")
                    continue
                text = f"{'=><'[table.better[i][j]]} {p:.3f}"
                texts.append(f"**{text}**" if p <= (0.05 if j < i else 0.1) else text)
            body.append([row, *texts])
        parts += [
            f"Table {table.table}: {table.agreeing} of {table.marks} marks as published.",
            "\n".join(_table(["", *table.models], body, numbers=1)),
        ]
    return parts


def _misses(reproduction: Reproduction) -> str:
    """Return the cells that are off, with the best explanation."""
    groups: dict[str, list[ReproducedCell]] = {}
    for cell in reproduction.cells:
        if cell.verdict == OFF:
            known = explain(cell.published)
            if known is None:
                text = "Unexplained."
            elif known.explained:
                text = known.text
            else:
                text = "Unexplained. " + known.text
            groups.setdefault(text, []).append(cell)
    if not groups:
        return "Everything that was run fits."
    lines = []
    for text, cells in groups.items():
        items = "; ".join(_miss_text(cell) for cell in cells)
        lines.append(f"- {text} {len(cells)} cell(s): {items}.")
    return "\n".join(lines)


def _far_text(cells: list[ReproducedCell]) -> str:
    """Return the cells that only their large printed deviation makes fit, farthest first."""
    parts = []
    for because, own in (
        ("the printed deviation is large", [c for c in cells if c.verdict != INTERVAL]),
        (
            "no deviation is printed, and our trials vary so much that two means of them differ as "
            "much by chance",
            [cell for cell in cells if cell.verdict == INTERVAL],
        ),
    ):
        if own:
            beyond = sum(abs(cell.difference or 0) > 5 for cell in own)
            parts.append(
                f"{len(own)} cell(s) are more than 2 points away, {beyond} of them more than 5, "
                f"and fit because {because}: {'; '.join(map(_miss_text, own))}."
            )
    return "\n\n".join(parts)


def _seeds(seeds: Sequence[Reproduction]) -> str:
    """Return the cells that were run with all seeds, which draw other documents and splits."""
    rows = []
    for same in zip(*(reproduction.cells for reproduction in seeds), strict=True):
        if len(same) < 2 or not all(cell.enough for cell in same):
            continue
        p = same[0].published
        verdicts = "fits" if all(c.fits for c in same) else "off"
        if len({c.fits for c in same}) > 1:
            verdicts = f"hangs on the draw: fits with {sum(c.fits for c in same)} of {len(same)}"
        mean = sum(cell.measured or 0 for cell in same) / len(same)
        rows.append(
            [
                str(p.table),
                p.dataset,
                f"{p.percent} %",
                p.model,
                f"{p.value:g}" + ("" if p.deviation is None else f" ± {p.deviation:g}"),
                *(f"{cell.measured:.1f}" for cell in same),
                f"{mean - p.value:+.1f}",
                verdicts,
            ]
        )
    if not rows:
        return ""
    numbers = [f"seed {n}" for n in range(len(seeds))]
    head = ["table", "", "train", "", "published", *numbers, "mean difference", ""]
    legend = (
        "Cells whose verdict may hang on the draw: those near the limit, with their neighbors in a "
        "table, were run with two other draws of documents and splits. Tables and counts above use "
        "the means of the three seeds for these cells, and seed 0 for all others."
    )
    return legend + "\n\n" + "\n".join(_table(head, rows))


def _miss_text(cell: ReproducedCell) -> str:
    p = cell.published
    size = "" if p.percent is None else f" {p.percent} %"
    metric = "" if p.metric == "accuracy" else f" {p.metric}"
    assert cell.difference is not None
    return f"Table {p.table} {p.dataset}{size} {p.model}{metric} {cell.difference:+.1f}"


def _table(head: list[str], rows: Iterable[Iterable[str]], numbers: int | None = None) -> list[str]:
    """Return the lines of a Markdown table; columns from ``numbers`` on are aligned right."""
    aligned = ["---" if numbers is None or i < numbers else "--:" for i in range(len(head))]
    return ["| " + " | ".join(row) + " |" for row in (head, aligned, *rows)]
