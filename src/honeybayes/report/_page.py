"""The report: one page that answers which model to take, and shows why."""

import math
import platform
from collections.abc import Mapping, Sequence
from html import escape
from importlib.metadata import version
from importlib.resources import files
from os import PathLike
from typing import Any

from honeybayes import __version__
from honeybayes.classifier import TextClassifier
from honeybayes.data import Corpus
from honeybayes.evaluate import Comparison, RandomSplits
from honeybayes.explain._telling_words import readable_telling_words
from honeybayes.report._examination import Examination, examine
from honeybayes.report._html import STYLE, cards, figure, paragraph, section, table
from honeybayes.report._plots import plot_confusion, plot_learning_curves, plot_reliability
from honeybayes.utils.writing import atomic_write

SHOWN_LETTERS = 240
N_WORDS = 10
N_HARD = 10
LEVEL = 0.05


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
    """Write what a comparison showed as one HTML file that needs no network.

    Parameters
    ----------
    path : str or path-like
        File to write, whole or not at all.
    comparison : Comparison
        Of models by name (see `honeybayes.list_models`) on this corpus.
    corpus : Corpus
        Texts with labels.
    splits : sequence of RandomSplits
        Those of the comparison; the last one is looked at more closely.
    seed : int, default=0
        That of the comparison.
    command : str, optional
        What reruns it, to be shown.
    table, new_table : str
        The files that ``honeybayes fit`` and ``predict`` are to be shown with, and the options
        that they need to be read.
    pool : str, optional
        The option of ``honeybayes fit`` for a table of unlabeled texts; shown if the model that
        did best learns from them.
    **settings : dict
        The parameters of `TextClassifier` with which texts became terms, such as ``language``.

    Returns
    -------
    str
        The answer, in a sentence.

    See Also
    --------
    honeybayes.evaluate.compare : Makes the comparison.
    """
    import matplotlib

    splits = list(splits)
    place = (corpus.name, splits[-1].label)
    winner = _winner(comparison, place)
    examination = examine(TextClassifier(winner, **settings), corpus, splits[-1], seed)
    answer = _answer(comparison, place, winner)
    if pool and examination.with_pool:
        table = f"{table} {pool}"
    with matplotlib.rc_context(STYLE):
        sections = {
            "curves": ("Learning curves", _curves(comparison, corpus)),
            "numbers": ("All figures", _numbers(comparison, place, winner)),
            "confusion": ("What is taken for what", _confusion(examination, winner, place)),
            "confidence": ("Can the confidence be trusted?", _reliability(examination)),
            "words": ("Telling words", _words(examination)),
            "hard": ("Hardest documents", _hard(examination, corpus)),
            "use": (
                "How to use it",
                _use(winner, settings, examination.with_pool, table, new_table),
            ),
            "about": ("How this was measured", _about(comparison, corpus, splits, seed, command)),
        }
    question = (
        f"Which model sorts new documents of {corpus.name!r} into its {len(corpus.classes)} "
        f"classes best, from few labels?"
    )
    page = _frame(f"Which model for {corpus.name}?", question, answer, sections)
    with atomic_write(path) as file:
        file.write(page.encode())
    return answer


def _winner(comparison: Comparison, place: tuple[str, str]) -> str:
    means = {s.model: s.mean for s in comparison.summaries() if (s.corpus, s.split) == place}
    return max(means, key=means.__getitem__)


def _answer(comparison: Comparison, place: tuple[str, str], winner: str) -> str:
    own = {s.model: s for s in comparison.summaries() if (s.corpus, s.split) == place}
    best = own.pop(winner)
    draws = f", mean of {best.trials} draws" if best.trials > 1 else ""
    answer = (
        f"With {_labels(place[1])}, {winner} did best: {_percent(best.mean)} of the other "
        f"documents right{draws}."
    )
    if not own:
        return answer
    second = max(own, key=lambda model: own[model].mean)
    gap = 100 * (best.mean - own[second].mean)
    if best.trials < 2:
        return f"{answer} {second} follows {gap:.1f} points behind."
    [found] = [d for d in comparison.differences(winner, second) if (d.corpus, d.split) == place]
    shown = "a difference" if found.verdict == "win" else "not shown to be a difference"
    return f"{answer} {second} follows {gap:.1f} points behind, {shown} (p = {found.p_value:.2g})."


def _labels(split: str) -> str:
    return f"{split.removesuffix(' a class')} labels a class" if "a class" in split else split


def _percent(value: float) -> str:
    return f"{100 * value:.1f} %"


def _curves(comparison: Comparison, corpus: Corpus) -> str:
    described = "; ".join(
        f"{model}: "
        + ", ".join(
            f"{_percent(s.mean)} at {s.split}" for s in comparison.summaries() if s.model == model
        )
        for model in comparison.models
    )
    caption = (
        "Accuracy on held-out documents. The bands are 95 % confidence intervals of the mean over "
        "such draws from this corpus; they say nothing about other corpora."
    )
    return figure(
        plot_learning_curves(comparison, corpus.name),
        f"Accuracy against labeled documents. {described}.",
        caption,
    )


def _numbers(comparison: Comparison, place: tuple[str, str], winner: str) -> str:
    parts = []
    splits = [split for corpus, split in comparison.places if corpus == place[0]]
    by_place = {(s.split, s.model): s for s in comparison.summaries() if s.corpus == place[0]}
    rows, best = [], set()
    for number, model in enumerate(comparison.models):
        row = [model]
        for column, split in enumerate(splits, start=1):
            summary = by_place[split, model]
            spread = "" if math.isnan(summary.deviation) else f" ± {100 * summary.deviation:.1f}"
            row.append(f"{100 * summary.mean:.1f}{spread}")
            if summary.mean == max(by_place[split, other].mean for other in comparison.models):
                best.add((number, column))
        rows.append(row)
    parts.append(table("Accuracy in percent, mean ± deviation", ["model", *splits], rows, best))
    if by_place[place[1], winner].trials > 1:
        parts.append(_significance(comparison, place, winner))
    parts.append(_calibration(comparison, place))
    return "".join(parts)


def _significance(comparison: Comparison, place: tuple[str, str], winner: str) -> str:
    rows = []
    for model in comparison.models:
        if model != winner:
            [found] = [
                d for d in comparison.differences(winner, model) if (d.corpus, d.split) == place
            ]
            verdict = {"win": "yes", "tie": "no", "loss": "yes, it is better"}[found.verdict]
            rows.append([model, f"{100 * found.mean:+.1f}", f"{found.p_value:.2g}", verdict])
    caption = (
        f"{winner} less each other model at {place[1]}, in points; corrected resampled t-test, "
        "which is strict with few draws. The winner was picked on the same figures"
    )
    return table(caption, ["model", "difference", "p", f"significant at {LEVEL:g}?"], rows)


def _calibration(comparison: Comparison, place: tuple[str, str]) -> str:
    names = {
        "macro_f1": "macro F1 (%)",
        "auc": "AUC (%)",
        "calibration_error": "calibration error (%)",
        "log_loss": "log-loss",
        "fit_seconds": "seconds to fit",
    }
    measured = set.intersection(*(set(result.scores) for result in comparison.results))
    names = {metric: name for metric, name in names.items() if metric in measured}
    means = {
        (s.model, metric): s.mean
        for metric in names
        for s in comparison.summaries(metric)
        if (s.corpus, s.split) == place
    }
    rows = []
    for model in comparison.models:
        row = [model]
        for metric, name in names.items():
            value = means[model, metric]
            factor, digits = (100, 1) if "%" in name else (1, 3)
            row.append("" if math.isnan(value) else f"{factor * value:.{digits}f}")
        rows.append(row)
    caption = (
        f"Other measures at {place[1]}; of the models' own probabilities, which TextClassifier "
        "calibrates"
    )
    return table(caption, ["model", *names.values()], rows)


def _confusion(examination: Examination, winner: str, place: tuple[str, str]) -> str:
    wrong = examination.truth != examination.answers
    pairs: dict[tuple[str, str], int] = {}
    for pair in zip(examination.truth[wrong], examination.answers[wrong], strict=True):
        pairs[pair] = pairs.get(pair, 0) + 1
    most = sorted(pairs.items(), key=lambda item: (-item[1], item[0]))[:3]
    told = "; ".join(f"{a} taken for {b}" for (a, b), _ in most)
    said = f"Most frequent mistakes: {told}." if told else "There were no mistakes."
    axes = plot_confusion(examination.truth, examination.answers, examination.classes)
    caption = f"TextClassifier({winner!r}) at {place[1]}, held-out documents of all draws. {said}"
    return figure(axes, f"Confusion matrix of {winner}. {said}", caption, small=True)


def _reliability(examination: Examination) -> str:
    confidence = examination.probabilities.max(axis=1).mean()
    right = (examination.truth == examination.answers).mean()
    said = (
        f"After TextClassifier has calibrated it: on average {_percent(confidence)} sure and "
        f"{_percent(right)} right. Points below the dashed line: surer than right."
    )
    axes = plot_reliability(examination.truth, examination.probabilities, examination.classes)
    return figure(axes, f"Reliability diagram. {said}", said, small=True)


def _words(examination: Examination) -> str:
    found = readable_telling_words(examination.classifier, N_WORDS)
    items = "".join(
        f"<dt>{escape(str(label))}</dt><dd>{escape(words)}</dd>" for label, words in found.items()
    )
    said = "Words that speak most for each class; each stands for all words of its stem."
    return paragraph(said) + f"<dl>{items}</dl>"


def _hard(examination: Examination, corpus: Corpus) -> str:
    rows = []
    for hard in examination.hardest(corpus, N_HARD):
        text = " ".join(hard.text.split())
        shown = text if len(text) <= SHOWN_LETTERS else text[: SHOWN_LETTERS - 1] + "…"
        rows.append([hard.label, hard.answer, f"{100 * hard.probability:.1f}", shown])
    caption = "Documents whose class got the least probability: hard cases, or wrong labels"
    return cards(caption, ["class", "taken for", "% for its class", "document"], rows)


def _use(
    winner: str, settings: Mapping[str, Any], with_pool: bool, table: str, new_table: str
) -> str:
    pool = ", pool=unlabeled_texts" if with_pool else ""
    usual = TextClassifier().get_params()
    others = {name: value for name, value in settings.items() if value != usual[name]}
    spoken = "".join(f", {name}={value!r}" for name, value in others.items())
    option = "".join(f" {_as_option(name, value)}" for name, value in others.items())
    python = (
        "from honeybayes import TextClassifier, save_model\n\n"
        f"classifier = TextClassifier({winner!r}{spoken}).fit(texts, labels{pool})\n"
        "classifier.predict(new_texts)\n"
        'save_model(classifier, "model.hb")'
    )
    shell = (
        f"honeybayes fit {table} --model '{winner}'{option} -o model.hb\n"
        f"honeybayes predict model.hb {new_table} -o out.csv --min-confidence 0.8"
    )
    return f"<pre><code>{escape(python)}</code></pre><pre><code>{escape(shell)}</code></pre>"


def _as_option(name: str, value: Any) -> str:
    option = name.replace("_", "-")
    return f"--no-{option}" if value is False else f"--{option} {value}"


def _about(
    comparison: Comparison,
    corpus: Corpus,
    splits: Sequence[RandomSplits],
    seed: int,
    command: str,
) -> str:
    protocols = dict.fromkeys(result.cell.protocol for result in comparison.results)
    meaning = {
        "clean": "clean: words were chosen and models fitted inside the training part alone",
        "paper": "paper: words were chosen on all labels, test documents included, so that the "
        "figures are too high",
    }
    labeled = int((corpus.labels != "").sum())
    others = len(corpus) - labeled
    more = f", and {others} without a label, for models that learn from them" if others else ""
    packages = ("numpy", "scipy", "scikit-learn")
    versions = ", ".join(f"{package} {version(package)}" for package in packages)
    facts = {
        "Corpus": f"{corpus.name}: {labeled} documents in {len(corpus.classes)} classes{more}",
        "Protocol": "; ".join(meaning[protocol] for protocol in protocols),
        "Splits": ", ".join(f"{split.label} ({split.repetitions} draws)" for split in splits),
        "Seed": str(seed),
        "Versions": f"honeybayes {__version__}, {versions}, Python {platform.python_version()}",
    }
    if command:
        facts["Command"] = command
    items = "".join(f"<dt>{escape(k)}</dt><dd>{escape(v)}</dd>" for k, v in facts.items())
    return f"<dl>{items}</dl>"


def _frame(title: str, question: str, answer: str, sections: dict[str, tuple[str, str]]) -> str:
    style = (files("honeybayes.report") / "page.css").read_text(encoding="utf-8")
    links = "".join(
        f'<li><a href="#{name}">{escape(heading)}</a></li>'
        for name, (heading, _) in sections.items()
    )
    body = "".join(section(name, heading, part) for name, (heading, part) in sections.items())
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<link rel="icon" href="data:,">'
        f"<title>{escape(title)}</title><style>{style}</style></head><body><main>"
        f"<h1>{escape(title)}</h1>{paragraph(question)}"
        f'<p class="answer"><strong>{escape(answer)}</strong></p>'
        f'<nav aria-label="Sections"><ul>{links}</ul></nav>{body}</main></body></html>\n'
    )
