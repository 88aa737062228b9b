"""The report: one page that names the best model and shows how it compares."""

import io
import math
import platform
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from os import PathLike
from typing import Any

from honeybayes import __version__
from honeybayes.classifier import TextClassifier
from honeybayes.data import Corpus
from honeybayes.evaluate import Comparison, RandomSplits
from honeybayes.explain import readable_telling_words
from honeybayes.report._examination import Examination, examine
from honeybayes.report._plots import plot_confusion, plot_learning_curves, plot_reliability
from honeybayes.utils.optional import import_optional
from honeybayes.utils.writing import atomic_write

N_WORDS = 10
N_HARD = 10
# Color of text and lines in the pictures, used for nothing else. On the page it becomes the color
# of the text, so that pictures follow the light and the dark theme.
INK = "#010203"
INKED = ("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color")
STYLE = {
    "svg.fonttype": "path",
    "svg.hashsalt": "honeybayes",
    "axes.spines.top": False,
    "axes.spines.right": False,
    **dict.fromkeys(("figure.facecolor", "axes.facecolor", "savefig.facecolor"), "none"),
    **dict.fromkeys(INKED, INK),
}
METRIC_NAMES = {
    "macro_f1": "macro F1 (%)",
    "auc": "AUC (%)",
    "calibration_error": "calibration error (%)",
    "log_loss": "log loss",
    "fit_seconds": "seconds to fit",
}
PROTOCOLS = {
    "clean": "clean: terms were chosen and models were fitted on the training part only",
    "paper": "paper: terms were chosen with the labels of all documents, test documents included, "
    "so the numbers are too high",
}


def write_report(
    path: str | PathLike[str],
    comparison: Comparison,
    corpus: Corpus,
    splits: Sequence[RandomSplits],
    *,
    seed: int = 0,
    command: str = "",
    table: str = "labeled.csv",
    new_table: str = "new.csv",
    pool: str = "",
    **settings: Any,
) -> str:
    """Write the results of a comparison as one HTML file that needs no network.

    Requires matplotlib and jinja2, the extra ``report``.

    Parameters
    ----------
    path : str or path-like
        File to write. If an error occurs, an existing file is not changed.
    comparison : Comparison
        Results on this corpus, of models with names from `honeybayes.list_models`.
    corpus : Corpus
        Texts with labels.
    splits : sequence of RandomSplits
        The splits of the comparison. The best model on the last split is examined in detail.
    seed : int, default=0
        The seed of the comparison.
    command : str, optional
        Command that repeats the comparison, to show on the page.
    table, new_table : str
        Files, and options to read them, to show in the commands ``honeybayes fit`` and
        ``honeybayes predict``.
    pool : str, optional
        Option of ``honeybayes fit`` for a table of unlabeled texts. It is shown if the best model
        learns from them.
    **settings : dict
        Parameters of the `TextClassifier` that turned texts into terms, such as ``language``.

    Returns
    -------
    str
        The best model and its accuracy, in a sentence.

    See Also
    --------
    honeybayes.evaluate.compare : Runs a comparison.
    """
    jinja2 = import_optional("jinja2", "report")
    matplotlib = import_optional("matplotlib", "report")
    splits = list(splits)
    place = (corpus.name, splits[-1].label)
    last = Comparison(
        tuple(r for r in comparison.results if (r.cell.corpus, r.cell.split) == place)
    )
    winner = max(last.summaries(), key=lambda summary: summary.mean).model
    examination = examine(TextClassifier(winner, **settings), corpus, splits[-1], seed)
    answer = _answer(last, winner)
    if pool and examination.with_pool:
        table = f"{table} {pool}"
    with matplotlib.rc_context(STYLE):
        content = {
            "corpus": corpus,
            "winner": winner,
            "answer": answer,
            "split": place[1],
            "splits": [split for name, split in comparison.places if name == corpus.name],
            "curves": _curves(comparison, corpus),
            "accuracy": _accuracy(comparison, corpus),
            "differences": _differences(last, winner),
            "metrics": _metrics(last),
            "confusion": _confusion(examination),
            "reliability": _reliability(examination),
            "words": readable_telling_words(examination.classifier, N_WORDS),
            "hardest": examination.hardest(corpus, N_HARD),
            "use": _use(winner, settings, examination.with_pool, table, new_table),
            "facts": _facts(comparison, corpus, splits, seed, command),
        }
    templates = jinja2.Environment(
        loader=jinja2.PackageLoader("honeybayes.report"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    page = templates.get_template("page.html").render(content)
    with atomic_write(path) as file:
        file.write(page.encode())
    return answer


def _answer(last: Comparison, winner: str) -> str:
    own = {summary.model: summary for summary in last.summaries()}
    best = own.pop(winner)
    size = best.split.removesuffix(" per class")
    labels = (
        f"{size} labels per class" if size != best.split else f"{size} of the documents labeled"
    )
    draws = f", mean of {best.trials} draws" if best.trials > 1 else ""
    answer = (
        f"With {labels}, {winner} did best: {_percent(best.mean)} of the other documents right"
        f"{draws}."
    )
    if not own:
        return answer
    second = max(own, key=lambda model: own[model].mean)
    answer += f" {second} follows {100 * (best.mean - own[second].mean):.1f} points behind"
    if best.trials < 2:
        return f"{answer}."
    [found] = last.differences(winner, second)
    significant = "significant" if found.verdict == "win" else "not significant"
    return f"{answer}; the difference is {significant} (p = {found.p_value:.2g})."


def _percent(value: float) -> str:
    return f"{100 * value:.1f} %"


def _svg(axes: Any) -> str:
    """Draw a picture as SVG, without the beginning of its first tag, and close its figure."""
    buffer = io.StringIO()
    axes.figure.savefig(buffer, format="svg", metadata={"Date": None})
    import_optional("matplotlib.pyplot", "report").close(axes.figure)
    return buffer.getvalue().partition("<svg ")[2].replace(INK, "currentColor")


def _curves(comparison: Comparison, corpus: Corpus) -> dict[str, str]:
    lines = []
    for model in comparison.models:
        own = [s for s in comparison.summaries() if s.model == model]
        lines.append(f"{model}: {', '.join(f'{_percent(s.mean)} at {s.split}' for s in own)}")
    svg = _svg(plot_learning_curves(comparison, corpus.name))
    return {"svg": svg, "description": "; ".join(lines) + "."}


def _accuracy(comparison: Comparison, corpus: Corpus) -> dict[str, Any]:
    """Return rows of the table, and the (model, column) of each best mean."""
    rows: dict[str, list[str]] = {model: [model] for model in comparison.models}
    best = set()
    splits = [place for place in comparison.places if place[0] == corpus.name]
    for column, place in enumerate(splits, start=1):
        own = [s for s in comparison.summaries() if (s.corpus, s.split) == place]
        for s in own:
            spread = "" if math.isnan(s.deviation) else f" ± {100 * s.deviation:.1f}"
            rows[s.model].append(f"{100 * s.mean:.1f}{spread}")
        best |= {(s.model, column) for s in own if s.mean == max(other.mean for other in own)}
    return {"rows": list(rows.values()), "best": best}


def _differences(last: Comparison, winner: str) -> list[list[str]] | None:
    """Return the tests of the winner against each other model, or None after a single draw."""
    if len(last.trials(winner, last.places[0])) < 2:
        return None
    rows = []
    for model in last.models:
        if model != winner:
            [found] = last.differences(winner, model)
            verdict = {"win": "yes", "tie": "no", "loss": "yes, it is better"}[found.verdict]
            rows.append([model, f"{100 * found.mean:+.1f}", f"{found.p_value:.2g}", verdict])
    return rows


def _metrics(last: Comparison) -> dict[str, list]:
    measured = set.intersection(*(set(result.scores) for result in last.results))
    names = {metric: name for metric, name in METRIC_NAMES.items() if metric in measured}
    rows = []
    for model in last.models:
        row = [model]
        for metric, name in names.items():
            value = last.scores(model, last.places[0], metric).mean()
            factor, digits = (100, 1) if "%" in name else (1, 3)
            row.append("" if math.isnan(value) else f"{factor * value:.{digits}f}")
        rows.append(row)
    return {"names": list(names.values()), "rows": rows}


def _confusion(examination: Examination) -> dict[str, str]:
    truth, answers = examination.truth, examination.answers
    wrong = truth != answers
    pairs = Counter(zip(truth[wrong].tolist(), answers[wrong].tolist(), strict=True))
    most = sorted(pairs.items(), key=lambda item: (-item[1], item[0]))[:3]
    listed = "; ".join(f"{own} taken for {other}" for (own, other), _ in most)
    mistakes = f"Most frequent mistakes: {listed}." if most else "There were no mistakes."
    svg = _svg(plot_confusion(truth, answers, examination.classes))
    return {"svg": svg, "mistakes": mistakes}


def _reliability(examination: Examination) -> dict[str, str]:
    confidence = examination.probabilities.max(axis=1).mean()
    right = (examination.truth == examination.answers).mean()
    caption = (
        f"After calibration by TextClassifier: the mean confidence is {_percent(confidence)}, and "
        f"{_percent(right)} of the predictions are right. Points below the dashed line: the "
        "confidence is too high."
    )
    axes = plot_reliability(examination.truth, examination.probabilities, examination.classes)
    return {"svg": _svg(axes), "caption": caption}


def _use(
    winner: str, settings: Mapping[str, Any], with_pool: bool, table: str, new_table: str
) -> dict[str, str]:
    usual = TextClassifier().get_params()
    changed = {name: value for name, value in settings.items() if value != usual[name]}
    return {
        "arguments": ", ".join([repr(winner), *(f"{k}={v!r}" for k, v in changed.items())]),
        "options": "".join(f" {_as_option(name, value)}" for name, value in changed.items()),
        "pool": ", pool=unlabeled_texts" if with_pool else "",
        "table": table,
        "new_table": new_table,
    }


def _as_option(name: str, value: Any) -> str:
    option = name.replace("_", "-")
    value = ",".join(map(str, value)) if isinstance(value, tuple) else value
    if name == "stop_words" and value is True:
        return "--stop-words remove"
    return f"--no-{option}" if value is False else f"--{option} {value}"


def _facts(
    comparison: Comparison,
    corpus: Corpus,
    splits: Sequence[RandomSplits],
    seed: int,
    command: str,
) -> dict[str, str]:
    protocols = dict.fromkeys(result.cell.protocol for result in comparison.results)
    labeled = int((corpus.labels != "").sum())
    others = len(corpus) - labeled
    more = f", and {others} unlabeled documents for models that learn from them" if others else ""
    packages = ("numpy", "scipy", "scikit-learn")
    versions = ", ".join(f"{package} {version(package)}" for package in packages)
    facts = {
        "Corpus": f"{corpus.name}: {labeled} documents in {len(corpus.classes)} classes{more}",
        "Protocol": "; ".join(PROTOCOLS[protocol] for protocol in protocols),
        "Splits": ", ".join(f"{split.label} ({split.repetitions} draws)" for split in splits),
        "Seed": str(seed),
        "Versions": f"honeybayes {__version__}, {versions}, Python {platform.python_version()}",
    }
    return {**facts, "Command": command} if command else facts
