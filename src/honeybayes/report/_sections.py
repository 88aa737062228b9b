"""The sections of the page: tables and charts, ready for the template."""

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.metrics import confusion_matrix, precision_recall_fscore_support

from honeybayes.calibration.coverage import coverage_curve, reliability_bins
from honeybayes.charts.page_chart import SERIES, Chart, round_range, round_ticks
from honeybayes.evaluate import Comparison
from honeybayes.labeling.quality import Point
from honeybayes.report._examination import METRICS, BestModel, Examination, Gain, percent, points
from honeybayes.tables import Corpus

MOST_IN_MATRIX = 15  # classes: a larger matrix cannot be read
FEWEST_SHOWN = 0.02  # share of the documents; the curve before it jumps from document to document
MOST_BADGES = 12
NEAR = 0.2
PER_CLASS = " per class"
QUARTERS = [(0.0, "0 %"), (0.25, "25 %"), (0.5, "50 %"), (0.75, "75 %"), (1.0, "100 %")]
OTHER_METRICS = {
    "accuracy": "accuracy (%)",
    "macro_f1": "macro-F1 (%)",
    "auc": "AUC (%)",
    "calibration_error": "calibration error (%)",
    "log_loss": "log loss",
    "fit_seconds": "seconds to fit",
}


def show_models(
    comparison: Comparison, last: Comparison, best: BestModel, test: str | None = None
) -> dict[str, Any]:
    """Show how the models compare, the best one first."""
    metric, name = best.metric, METRICS[best.metric]
    ranked = sorted(last.summaries(metric), key=lambda s: (s.model != best.name, -s.mean, s.model))
    models = [summary.model for summary in ranked]
    [place] = last.places
    found = comparison.against_best(metric, test=test)
    differences = {each.model: each for each in found if (each.corpus, each.split) == place}
    rows = [differences[model].cells if model in differences else [""] * 4 for model in models]
    summaries, splits = comparison.summaries(metric), [split for _, split in comparison.places]
    return {
        "title": name[0].upper() + name[1:],
        "chart": _learning_chart(comparison, models, metric),
        "ranked": ranked,
        "splits": splits,
        "means": [{s.model: s for s in summaries if s.split == split} for split in splits],
        "differences": rows if differences else [],
        "claim": next((each.claim for each in differences.values()), ""),
        "baselines": [comparison.baseline(place, metric) for place in comparison.places],
        "metrics": _metrics(last, models, metric),
        "notes": comparison.notes,
    }


def _learning_chart(comparison: Comparison, models: Sequence[str], metric: str) -> Chart:
    n_train = {
        place: float(np.mean([r.n_train for r in comparison.results if r.cell.place == place]))
        for place in comparison.places
    }
    summaries = comparison.summaries(metric)
    by_model = {model: [s for s in summaries if s.model == model] for model in models}
    values = [s.mean for own in by_model.values() for s in own]
    baseline = [(n_train[place], comparison.baseline(place, metric)) for place in n_train]
    if not all(value > min(values) - NEAR for _, value in baseline):  # also if it is NaN
        baseline = []  # far below, it would leave little room for the models
    lines = [
        f"{model}: {', '.join(f'{percent(s.mean)} at {s.split}' for s in own)}"
        for model, own in by_model.items()
    ]
    is_per_class = all(split.endswith(PER_CLASS) for _, split in n_train)
    chart = Chart(
        x_title="labels per class" if is_per_class else "labeled documents",
        y_title=f"{METRICS[metric]} (%)",
        description=f"{METRICS[metric]} by number of labels. {'; '.join(lines)}.",
        x_range=(min(n_train.values()), max(n_train.values())),
        y_range=round_range([*values, *(value for _, value in baseline)]),
        is_log=True,
        ticks=[(n, split.removesuffix(PER_CLASS)) for (_, split), n in n_train.items()],
    )
    if baseline:
        chart.add(baseline, None, is_dashed=True)
    for rank, model in reversed(list(enumerate(models))):  # the best one is drawn on top
        own = sorted((n_train[s.corpus, s.split], s.mean, s.low, s.high) for s in by_model[model])
        chart.add(
            [(n, mean) for n, mean, *_ in own],
            rank,
            dots=rank < len(SERIES),
            badge=str(rank + 1) if len(models) <= MOST_BADGES else "",
            band=[(n, low, high) for n, _, low, high in own if not (rank or math.isnan(low))],
        )
    return chart


def _metrics(last: Comparison, models: Sequence[str], metric: str) -> dict[str, list]:
    names = {
        each: name
        for each, name in OTHER_METRICS.items()
        if each != metric and all(each in result.scores for result in last.results)
    }

    def cell(model: str, each: str) -> str:
        value = last.scores(model, last.places[0], each).mean()
        if math.isnan(value):
            return ""
        return f"{100 * value:.1f}" if "%" in names[each] else f"{value:.3f}"

    rows = [[model, *(cell(model, each) for each in names)] for model in models]
    return {"names": list(names.values()), "rows": rows}


def show_classes(examination: Examination, corpus: Corpus) -> dict[str, Any]:
    """Show how well each class is found, the worst first, and which classes are confused."""
    truth, answers, classes, matrix = examination.truth, examination.answers, corpus.classes, None
    scores = precision_recall_fscore_support(truth, answers, labels=classes, zero_division=np.nan)
    precision, recall, f1, _ = scores
    n_labels = [np.count_nonzero(corpus.labels == label) for label in classes]
    columns = classes.tolist(), n_labels, precision, recall, np.nan_to_num(f1)
    names = ("label", "n_labels", "precision", "recall", "f1")
    rows = [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]
    rows.sort(key=lambda row: (np.nan_to_num(row["recall"], nan=2), row["label"]))
    if len(classes) <= MOST_IN_MATRIX:
        shares = confusion_matrix(truth, answers, labels=classes, normalize="true")
        matrix = dict(zip(classes.tolist(), shares.tolist(), strict=True))
    sizes = Counter(truth.tolist())
    pairs = Counter(zip(truth.tolist(), answers.tolist(), strict=True))
    mistakes = [
        {"label": label, "answer": answer, "n": n, "share": n / sizes[label]}
        for (label, answer), n in sorted(pairs.items(), key=lambda pair: (-pair[1], pair[0]))
        if label != answer
    ]
    return {"rows": rows, "matrix": matrix, "mistakes": mistakes}


def show_coverage(best: BestModel) -> dict[str, Any] | None:
    """Show how many documents the model may answer alone; None if too few were tested."""
    if not best.thresholds:
        return None
    tested = best.examination
    lowest = {each.target: each.threshold for each in best.thresholds if each.threshold is not None}
    rows = {target: tested.answered_from(threshold) for target, threshold in lowest.items()}
    return {
        "rows": rows,
        "chart": _coverage_chart(tested, rows),
        "reliability": _reliability_chart(tested),
        "claimed": float(tested.confidence.mean()),
        "right": float(tested.is_right.mean()),
    }


def _coverage_chart(tested: Examination, rows: dict[float, tuple[float, float]]) -> Chart:
    found = coverage_curve(tested.confidence, tested.is_right)
    curve = [(p.answered, p.right.accuracy) for p in found if p.answered >= FEWEST_SHOWN]
    told = "; ".join(
        f"to be {100 * target:.0f} % right, it answers {percent(share)}"
        for target, (share, _) in rows.items()
    )
    low, high = round_range([value for _, value in curve])
    chart = Chart(
        x_title="documents that the model answers",
        y_title="right answers among them (%)",
        description="Share of right answers by share of answered documents. "
        f"{told or 'No target is reached'}.",
        y_range=(max(0.0, min(low, high - 0.1)), high),  # few documents do not fill a finer scale
        ticks=QUARTERS,
    )
    chart.add(curve, 0)
    chart.add(rows.values(), 0, dots=[0.7] * len(rows), line=False)
    return chart


def _reliability_chart(tested: Examination) -> Chart:
    size, claimed, measured = reliability_bins(tested.confidence, tested.is_right, n_bins=10)
    dots = list(zip(claimed.tolist(), measured.tolist(), strict=True))
    told = "; ".join(
        f"claimed {percent(c)}, right {percent(m)} ({n} predictions)"
        for n, (c, m) in zip(size.tolist(), dots, strict=True)
    )
    chart = Chart(
        x_title="confidence",
        y_title="right answers (%)",
        description=f"Share of right answers by confidence. {told}.",
        ticks=QUARTERS,
    )
    chart.add([(0, 0), (1, 1)], None, is_dashed=True)
    widths = (0.4 + 1.2 * np.sqrt(size / size.max())).round(2).tolist()
    chart.add(dots, 0, dots=widths, line=False)
    return chart


def show_gain(gain: Gain | None, metric: str, measured: Sequence[Point]) -> dict[str, Any] | None:
    """Show what more labels would bring; None if it is not known."""
    if gain is None:
        return None
    before, n_labels = gain.ahead[0].n_labels, gain.ahead[-1].n_labels
    now = measured[-1].value  # as the tables say; the fitted curve passes near it
    text = (
        f"{gain.n_more} more labels would bring {points(gain.gain)}: from {percent(now)} with "
        f"{before} labels to {percent(min(1.0, now + gain.gain))} with {n_labels}"
    )
    chart = Chart(
        x_title="labels",
        y_title=f"{METRICS[metric]} (%)",
        description=f"Learning curve and where it seems to lead. {text}.",
        x_range=(0.0, n_labels),
        y_range=round_range([value for _, value in [*measured, *gain.ahead]]),
        ticks=round_ticks(n_labels),
    )
    chart.add(measured, 0, dots=True)
    chart.add(gain.ahead, 0, is_dashed=True)
    chart.add(gain.ahead[-1:], 0, dots=[0.7], line=False)
    return {"chart": chart, "text": text}
