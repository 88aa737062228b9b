"""Rerun the tables of a paper, and compare the measured numbers with the published ones."""

import warnings
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import t as t_distribution
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler

from honeybayes import make_model
from honeybayes.evaluate import RandomSplits, RepeatedFolds, Result, compare, read_results
from honeybayes.exceptions import NoPathWarning
from reproduction.preprocessing import prepare
from reproduction.published import PublishedResult, published_results
from reproduction.readings import is_free
from reproduction.rules import PRINTED, TUNED, PaperRule, describe_paper

METRICS = {"accuracy": "accuracy", "f1": "macro_f1", "auc": "auc"}
LEAST_TRIALS = 5  # that a cell needs to count as fitting; for a cross-validation, one run
QUOTED_PERCENT = 5  # for tables that do not say how many documents were used for training

NOT_RUN, OFF = "not run", "off"
ONE, TWO, POINTS = "within one deviation", "within two deviations", "within 2 points"
INTERVAL = "within the interval of two means"


@dataclass(frozen=True)
class ReproducedCell:
    """A published number and ours, in percent."""

    published: PublishedResult
    measured: float | None  # mean of our trials
    deviation: float | None  # their standard deviation
    trials: int  # for a cross-validation, folds
    verdict: str  # ONE or TWO (published deviations), POINTS, INTERVAL, OFF or NOT_RUN
    counted: bool  # False for a table that the paper quotes from elsewhere
    enough: bool = False  # True with five trials, or one run of a cross-validation
    chosen_after_results: bool = False  # True if its reading was chosen by the published results

    @property
    def difference(self) -> float | None:
        """Measured minus published."""
        return None if self.measured is None else self.measured - self.published.value

    @property
    def fits(self) -> bool:
        """True if within two published deviations, 2 points, or the interval of two means."""
        return self.verdict in (ONE, TWO, POINTS, INTERVAL)

    @property
    def is_near(self) -> bool:
        """True if within 2 points."""
        return self.difference is not None and judge(self.difference, 0, None) == POINTS


class HardScores(ClassifierMixin, BaseEstimator):
    """A classifier whose scores are 1 for the predicted class and 0 for the others."""

    def __init__(self, model: Any) -> None:
        self.model = model

    def fit(self, X: Any, y: np.ndarray) -> "HardScores":
        """Fit the model."""
        self.model_ = clone(self.model).fit(X, y)
        self.classes_ = self.model_.classes_
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Return the class of each document."""
        return self.model_.predict(X)

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return 1 for the predicted class."""
        return (self.predict(X)[:, np.newaxis] == self.classes_).astype(float)


class Tally(NamedTuple):
    """Numbers of published cells; cells of quoted tables are not counted."""

    published: int
    fit: int  # with enough trials
    chosen_after_results: int  # of those that fit
    within_two_points: int  # of those that fit
    by_interval: int  # of those that fit: no deviation is printed, and trials vary by this much
    few_trials: int  # measured, but not often enough
    not_run: int

    @property
    def off(self) -> int:
        """Measured often enough, and not fitting."""
        return self.published - self.fit - self.few_trials - self.not_run


@dataclass(frozen=True)
class Reproduction:
    """The tables of a paper, published and measured, and every trial."""

    paper: str
    cells: tuple[ReproducedCell, ...]
    results: tuple[Result, ...]

    def count(self) -> tuple[int, int, int]:
        """Return how many cells fit, are measured and are counted, however many trials."""
        counted = [cell for cell in self.cells if cell.counted]
        measured = [cell for cell in counted if cell.measured is not None]
        return sum(cell.fits for cell in measured), len(measured), len(counted)

    def tally(self) -> Tally:
        """Count strictly: a cell with few trials does not fit."""
        counted = [cell for cell in self.cells if cell.counted]
        fit = [cell for cell in counted if cell.enough and cell.fits]
        return Tally(
            published=len(counted),
            fit=len(fit),
            chosen_after_results=sum(cell.chosen_after_results for cell in fit),
            within_two_points=sum(cell.is_near for cell in fit),
            by_interval=sum(cell.verdict == INTERVAL for cell in fit),
            few_trials=sum(cell.measured is not None and not cell.enough for cell in counted),
            not_run=sum(cell.measured is None for cell in counted),
        )

    def fit_only_by_deviations(self) -> list[ReproducedCell]:
        """Return the cells that fit, but are more than 2 points away, the farthest first."""
        own = [c for c in self.cells if c.counted and c.enough and c.fits and not c.is_near]
        return sorted(own, key=lambda cell: -abs(cell.difference or 0))

    def table(self) -> str:
        """Return every cell as a line of a Markdown table."""
        rows = [
            "| table | dataset | train % | model | metric | published | measured | trials | "
            "difference | |",
            "| --: | --- | --: | --- | --- | --: | --: | --: | --: | --- |",
        ]
        for cell in self.cells:
            p = cell.published
            percent = "" if p.percent is None else p.percent
            rows.append(
                f"| {p.table} | {p.dataset} | {percent} | {p.model} | {p.metric} | "
                f"{_with_deviation(p.value, p.deviation)} | "
                f"{_with_deviation(cell.measured, cell.deviation)} | {cell.trials} | "
                f"{'' if cell.difference is None else f'{cell.difference:+.2f}'} | {cell.verdict} |"
            )
        return "\n".join(rows)


def reproduce(
    paper: str,
    table: int | None = None,
    *,
    trials: int | None = None,
    sizes: Collection[int] | None = None,
    models: Collection[str] | None = None,
    datasets: Collection[str] | None = None,
    seed: int = 0,
    n_jobs: int | None = 1,
    results: str | PathLike | None = None,
    run: bool = True,
    progress: bool | None = None,
) -> Reproduction:
    """Rerun a table of a paper, or all of them, by the rule of `describe_paper`.

    ``models`` and ``datasets`` select by the names of the paper. ``sizes`` are training
    percentages; sizes that only the figures of the paper have are run too, and are in the
    ``results`` of what is returned. Every finished trial is appended to the file ``results``, and
    an interrupted run continues from it. Files of several machines can be concatenated.

    With ``run=False`` nothing is run, and the trials are those of the file. Trials of other
    corpora, models, protocols and seeds are ignored; two results of one trial are an error.
    Whether documents and parameters are still those of the rule is checked only when running.
    """
    rule = describe_paper(paper)
    selected = _select(paper, table, models, datasets)
    repetitions = trials or (rule.default_trials if run else None) or rule.trials
    found: list[Result] = []
    if run:
        options = {"seed": seed, "n_jobs": n_jobs, "results": results, "progress": progress}
        for dataset in dict.fromkeys(cell.dataset for cell in selected):
            own = [cell for cell in selected if cell.dataset == dataset]
            found += _run(rule, own, repetitions, sizes, options)
    elif results is not None:
        found = _of_this_paper(read_results(results), rule, selected, seed)
    if sizes is not None:
        selected = [cell for cell in selected if _percent(cell, rule) in sizes]
    by_cell = defaultdict(list)
    for result in found:
        if result.cell.repetition < repetitions:
            by_cell[result.cell.corpus, result.cell.split, result.cell.model].append(result)
    cells = tuple(_reproduced(cell, rule, by_cell) for cell in selected)
    return Reproduction(paper, cells, tuple(found))


def pool(reproductions: Sequence[Reproduction]) -> Reproduction:
    """Return the first of several seeds; cells that all seeds measured often enough are means.

    Their deviation is that of all trials. The trials, which the claims use, are those of the first.
    """
    first = reproductions[0]
    same = zip(*(r.cells for r in reproductions), strict=True)
    return Reproduction(first.paper, tuple(map(_pooled, same)), first.results)


def _pooled(same: tuple[ReproducedCell, ...]) -> ReproducedCell:
    if len(same) < 2 or not all(cell.enough for cell in same):
        return same[0]
    means = np.array([cell.measured for cell in same], dtype=float)
    variances = np.array([cell.deviation for cell in same], dtype=float) ** 2
    p, mean = same[0].published, float(means.mean())
    deviation = float(np.sqrt(variances.mean() + means.var()))
    n_trials = sum(cell.trials for cell in same)
    limit = interval(describe_paper(p.paper), deviation, n_trials)
    verdict = judge(mean, p.value, p.deviation, limit)
    return replace(same[0], measured=mean, deviation=deviation, trials=n_trials, verdict=verdict)


def _select(
    paper: str,
    table: int | None,
    models: Collection[str] | None,
    datasets: Collection[str] | None,
) -> list[PublishedResult]:
    own = [cell for cell in published_results() if cell.paper == paper]
    tables = sorted({cell.table for cell in own})
    if table is not None and table not in tables:
        raise ValueError(f"{paper} has results in tables {tables}; got table={table!r}.")
    for given, known, what in (
        (models, {cell.model for cell in own}, "models"),
        (datasets, {cell.dataset for cell in own}, "datasets"),
    ):
        unknown = sorted(set(given or ()) - known)
        if unknown:
            raise ValueError(f"{paper} has no {what} {unknown}; it has {sorted(known)}.")
    return [
        cell
        for cell in own
        if table in (None, cell.table)
        and (models is None or cell.model in models)
        and (datasets is None or cell.dataset in datasets)
    ]


def _of_this_paper(
    results: list[Result], rule: PaperRule, selected: list[PublishedResult], seed: int
) -> list[Result]:
    """Keep the trials that the rule would run; raise ValueError if a trial is there twice."""
    pairs = {(rule.corpora[cell.dataset], cell.model) for cell in selected}
    ending = f"{rule.folds} folds" if rule.folds else " %"
    own: dict[tuple, Result] = {}
    for result in results:
        cell = result.cell
        if (
            (cell.corpus, cell.model) in pairs
            and (cell.protocol, cell.seed) == ("paper", seed)
            and cell.split.endswith(ending)
        ):
            trial = (cell.corpus, cell.split, cell.repetition, cell.fold, cell.model)
            if trial in own:
                raise ValueError(
                    f"There are two results of {cell.model!r} on {cell.corpus!r}, {cell.split}, "
                    f"repetition {cell.repetition}, fold {cell.fold}: of two papers, or of a rule "
                    "that has changed. Keep one file per paper. Running the paper again with "
                    "`python -m reproduction` drops outdated results."
                )
            own[trial] = result
    return list(own.values())


def _run(
    rule: PaperRule,
    cells: list[PublishedResult],
    repetitions: int,
    sizes: Collection[int] | None,
    options: dict[str, Any],
) -> list[Result]:
    """Run the cells of one dataset, size by size, all models of a size together."""
    paper, dataset = cells[0].paper, cells[0].dataset
    corpus = prepare(paper, dataset, options["seed"])
    found: list[Result] = []
    percents: Iterable[int | None] = sizes or dict.fromkeys(_percent(cell, rule) for cell in cells)
    for percent in percents:
        # A size that only the figures have is run with all models.
        own = [cell for cell in cells if _percent(cell, rule) == percent] or cells
        splitter: Any = (
            RepeatedFolds(rule.folds or 10, repetitions)
            if percent is None
            else RandomSplits(percent=percent, repetitions=repetitions)
        )
        names = dict.fromkeys(cell.model for cell in own)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NoPathWarning)  # small classes: see the pages
            comparison = compare(
                {name: _make(rule, name, dataset, percent) for name in names},
                corpus,
                splitter,
                protocol="paper",
                unseen_terms=rule.unseen_terms,
                metrics=_metrics(paper, dataset, percent),
                **options,
            )
        found += comparison.results
    return found


def _make(rule: PaperRule, name: str, dataset: str, percent: int | None) -> Any:
    own = rule.models[name]
    parameters = {**own.parameters, **own.by_dataset.get(dataset, {})}
    if parameters.get("C") == PRINTED:
        parameters["C"] = rule.printed_c[dataset].get(percent or 0, 1.0)
    elif parameters.get("C") == TUNED:
        parameters["C"] = rule.tuned_c[name][dataset][percent or 0]
    model = make_model(own.zoo, **parameters)
    if own.hard_scores:
        return HardScores(model)
    return make_pipeline(MaxAbsScaler(), model) if own.scaled else model


def _metrics(paper: str, dataset: str, percent: int | None) -> list[str]:
    """Return what any table of the paper prints for these splits, so that they run only once."""
    printed = [
        METRICS[cell.metric]
        for cell in published_results()
        if (cell.paper, cell.dataset, cell.percent) == (paper, dataset, percent)
    ]
    return list(dict.fromkeys(["accuracy", *printed]))


def _percent(cell: PublishedResult, rule: PaperRule) -> int | None:
    return QUOTED_PERCENT if cell.table in rule.quoted else cell.percent


def _reproduced(
    cell: PublishedResult, rule: PaperRule, by_cell: dict[tuple[str, str, str], list[Result]]
) -> ReproducedCell:
    percent = _percent(cell, rule)
    split = f"{rule.folds} folds" if percent is None else f"{percent} %"
    own = by_cell.get((rule.corpora[cell.dataset], split, cell.model), [])
    metric = METRICS[cell.metric]
    scores = 100 * np.array([r.scores[metric] for r in own if metric in r.scores])
    counted = cell.table not in rule.quoted
    chosen = not is_free(cell)
    if not len(scores):
        return ReproducedCell(cell, None, None, 0, NOT_RUN, counted, False, chosen)
    deviation = float(scores.std(ddof=1)) if len(scores) > 1 else None
    mean = float(scores.mean())
    verdict = judge(mean, cell.value, cell.deviation, interval(rule, deviation, len(scores)))
    enough = len(scores) >= (rule.folds or LEAST_TRIALS)
    return ReproducedCell(cell, mean, deviation, len(scores), verdict, counted, enough, chosen)


def interval(rule: PaperRule, deviation: float | None, n_trials: int) -> float:
    """Return how far two means of trials are apart by chance at most, in 95 of 100 cases.

    One mean is of our trials, the other of as many as published, which vary as ours do. It is 0 for
    a cross-validation, whose folds share documents.
    """
    if deviation is None or rule.folds:
        return 0.0
    both = np.sqrt(1 / n_trials + 1 / rule.trials)
    return float(t_distribution.ppf(0.975, n_trials - 1) * deviation * both)


def judge(measured: float, published: float, deviation: float | None, limit: float = 0.0) -> str:
    """Return how far a measured mean is from the published one, as a verdict.

    ``limit`` is the `interval` of the difference, for a cell without a printed deviation.
    """
    distance = round(abs(measured - published), 6)
    if deviation is not None and distance <= deviation:
        return ONE
    if deviation is not None and distance <= 2 * deviation:
        return TWO
    if distance <= 2:
        return POINTS
    return INTERVAL if deviation is None and distance <= limit else OFF


def _with_deviation(mean: float | None, deviation: float | None) -> str:
    if mean is None:
        return ""
    return f"{mean:.2f}" if deviation is None else f"{mean:.2f} ± {deviation:.2f}"
