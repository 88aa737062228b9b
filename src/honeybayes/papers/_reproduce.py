"""Rerun the tables of a paper, and put what was measured beside what was published."""

import warnings
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from os import PathLike
from typing import Any, NamedTuple

import numpy as np
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler

from honeybayes.evaluate import RandomSplits, RepeatedFolds, Result, compare, read_results
from honeybayes.exceptions import NoPathWarning
from honeybayes.papers._prepare import prepare
from honeybayes.papers._published import PublishedResult, published_results
from honeybayes.papers._rules import PaperRule, describe_paper
from honeybayes.zoo import list_models, make_model

METRICS = {"accuracy": "accuracy", "f1": "macro_f1", "auc": "auc"}
LEAST_TRIALS = 5  # behind a cell that is said to fit; one run of a cross-validation
QUOTED_PERCENT = 5  # for tables that do not say how much was trained on

NOT_BUILT = "not built yet"
NOT_RUN = "not run"
ONE, TWO, POINTS, OFF = (
    "within one deviation",
    "within two deviations",
    "within 2 points",
    "off",
)


@dataclass(frozen=True)
class ReproducedCell:
    """A published number beside ours, all in percent.

    Parameters
    ----------
    published : PublishedResult
        The number, with its table, dataset, model and training size.
    measured, deviation : float or None
        Mean and standard deviation of our trials; None if there are none.
    trials : int
        How many there are: folds, for a cross-validation.
    verdict : str
        "within one deviation" or "within two deviations" (the published ones), "within 2 points",
        "off"; or "not run", "not built yet".
    counted : bool
        False for a table that the paper quotes from elsewhere, and for a model whose C was
        tuned on the test part.
    enough : bool
        Whether at least five trials stand behind it, or one run of a cross-validation.
    chosen_after_results : bool
        Whether it rests on a reading that was chosen with a look at the published accuracies.
    """

    published: PublishedResult
    measured: float | None
    deviation: float | None
    trials: int
    verdict: str
    counted: bool
    enough: bool = False
    chosen_after_results: bool = False

    @property
    def difference(self) -> float | None:
        """Measured less published."""
        return None if self.measured is None else self.measured - self.published.value

    @property
    def fits(self) -> bool:
        """Whether it is within two published deviations, or within 2 points."""
        return self.verdict in (ONE, TWO, POINTS)

    @property
    def is_near(self) -> bool:
        """Whether it is within 2 points."""
        return self.difference is not None and judge(self.difference, 0, None) == POINTS


class Tally(NamedTuple):
    """How many of the published cells come out.

    Parameters
    ----------
    published : int
        All that count.
    fit : int
        Within two published deviations or 2 points, by five trials or more (for a
        cross-validation: one run of all folds).
    chosen_after_results : int
        Those of ``fit`` that rest on a reading chosen with a look at the published accuracies.
    within_two_points : int
        Those of ``fit`` that need no deviation to fit.
    few_trials, not_run : int
        Measured, but not often enough; not measured at all.
    """

    published: int
    fit: int
    chosen_after_results: int
    within_two_points: int
    few_trials: int
    not_run: int

    @property
    def off(self) -> int:
        """Measured often enough, and do not fit."""
        return self.published - self.fit - self.few_trials - self.not_run


@dataclass(frozen=True)
class Reproduction:
    """The tables of a paper, published and measured.

    Parameters
    ----------
    paper : str
        Which paper.
    cells : tuple of ReproducedCell
        In the order of the paper.
    results : tuple of Result
        Every trial that was run.

    See Also
    --------
    reproduce : Makes it.
    """

    paper: str
    cells: tuple[ReproducedCell, ...]
    results: tuple[Result, ...]

    def count(self) -> tuple[int, int, int]:
        """Count the cells that count.

        Returns
        -------
        tuple of int
            Within two published deviations or 2 points; measured; all.
        """
        counted = [cell for cell in self.cells if cell.counted]
        measured = [cell for cell in counted if cell.measured is not None]
        return sum(cell.fits for cell in measured), len(measured), len(counted)

    def tally(self) -> "Tally":
        """Count the cells that count, strictly: what has few trials does not fit.

        Returns
        -------
        Tally
        """
        counted = [cell for cell in self.cells if cell.counted]
        fit = [cell for cell in counted if cell.enough and cell.fits]
        return Tally(
            published=len(counted),
            fit=len(fit),
            chosen_after_results=sum(cell.chosen_after_results for cell in fit),
            within_two_points=sum(cell.is_near for cell in fit),
            few_trials=sum(cell.measured is not None and not cell.enough for cell in counted),
            not_run=sum(cell.measured is None for cell in counted),
        )

    def table(self) -> str:
        """Write every cell as a line of a Markdown table.

        Returns
        -------
        str
        """
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
    """Rerun a table of a paper, or all of them.

    The corpora, the preprocessing, the splits and the reading of each model are those of
    `describe_paper`. The protocol is the paper's, so terms were chosen from all documents.

    Parameters
    ----------
    paper : str
        One of `list_papers`.
    table : int, optional
        Its number; all tables with results by default.
    trials : int, optional
        Random splits, or repetitions of the cross-validation; as many as published by default.
    sizes : collection of int, optional
        Training percentages to run; those of the table by default. Sizes that only the paper's
        figures have are run as well, and are in ``results``.
    models, datasets : collection of str, optional
        Run these alone, by their names in the paper.
    seed : int, default=0
        What the splits are drawn from.
    n_jobs : int or None, default=1
        Processes at once.
    results : path-like, optional
        File to which every finished trial is appended; an interrupted run goes on from it. Files
        of several machines may be put together, one after the other.
    run : bool, default=True
        False takes what is in the file and runs nothing. Results of other corpora, models,
        protocols and seeds are left out; two results of one trial are an error. Whether the
        documents and parameters are still those of the rule is looked at only when it runs.
    progress : bool, optional
        Show a progress bar; by default on a terminal.

    Returns
    -------
    Reproduction
        Published and measured, with a verdict each.

    Examples
    --------
    Takes the papers' corpora, and some minutes:

    >>> from honeybayes.papers import reproduce
    >>> reproduction = reproduce("honb-2009", table=2, trials=2)  # doctest: +SKIP
    >>> print(reproduction.table())  # doctest: +SKIP
    """
    rule = describe_paper(paper)
    wanted = _select(paper, table, models, datasets)
    repetitions = rule.trials if trials is None else trials
    found: list[Result] = []
    if run:
        options = {"seed": seed, "n_jobs": n_jobs, "results": results, "progress": progress}
        for dataset in dict.fromkeys(cell.dataset for cell in wanted):
            own = [cell for cell in wanted if cell.dataset == dataset]
            found += _run(rule, own, repetitions, sizes, options)
    elif results is not None:
        found = _of_this_paper(read_results(results), rule, wanted, seed)
    if sizes is not None:
        wanted = [cell for cell in wanted if _percent(cell, rule) in sizes]
    trials_of = _by_place(r for r in found if r.cell.repetition < repetitions)
    cells = tuple(_reproduced(cell, rule, trials_of) for cell in wanted)
    return Reproduction(paper, cells, tuple(found))


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
    results: list[Result], rule: PaperRule, wanted: list[PublishedResult], seed: int
) -> list[Result]:
    """Leave out what the rule would not have run, and refuse two papers in one file."""
    pairs = {(rule.corpora[cell.dataset], cell.model) for cell in wanted}
    ends = f"{rule.folds} folds" if rule.folds else " %"
    own: dict[tuple, Result] = {}
    for result in results:
        cell = result.cell
        if (
            (cell.corpus, cell.model) in pairs
            and (cell.protocol, cell.seed) == ("paper", seed)
            and cell.split.endswith(ends)
        ):
            trial = (cell.corpus, cell.split, cell.repetition, cell.fold, cell.model)
            if trial in own:
                raise ValueError(
                    f"There are two results of {cell.model!r} on {cell.corpus!r}, {cell.split}, "
                    f"repetition {cell.repetition}, fold {cell.fold}: of two papers, or of a rule "
                    "that was changed. Keep a file for each paper; running it again with "
                    "`python -m benchmarks.reproduce` drops what is out of date."
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
    known = set(list_models())
    cells = [cell for cell in cells if rule.models[cell.model].zoo in known]
    if not cells:
        return []
    paper, dataset = cells[0].paper, cells[0].dataset
    corpus = prepare(paper, dataset, options["seed"])
    found: list[Result] = []
    percents: Iterable[int | None] = sizes or dict.fromkeys(_percent(cell, rule) for cell in cells)
    for percent in percents:
        # a size that only the figures have is run with all models
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
    """Make a model as the rule says."""
    own = rule.models[name]
    parameters = dict(own.parameters)
    if own.printed_c and percent is not None and percent in rule.printed_c[dataset]:
        parameters["C"] = rule.printed_c[dataset][percent]
    model = make_model(own.zoo, **parameters)
    return make_pipeline(MaxAbsScaler(), model) if own.scaled else model


def _metrics(paper: str, dataset: str, percent: int | None) -> list[str]:
    """What any table of the paper prints for these splits, so that they are run but once."""
    printed = [
        METRICS[cell.metric]
        for cell in published_results()
        if (cell.paper, cell.dataset, cell.percent) == (paper, dataset, percent)
    ]
    return list(dict.fromkeys(["accuracy", *printed]))


def _percent(cell: PublishedResult, rule: PaperRule) -> int | None:
    return QUOTED_PERCENT if cell.table in rule.quoted else cell.percent


def _by_place(results: Iterable[Result]) -> dict[tuple[str, str, str], list[Result]]:
    places = defaultdict(list)
    for result in results:
        places[result.cell.corpus, result.cell.split, result.cell.model].append(result)
    return places


def _reproduced(
    cell: PublishedResult, rule: PaperRule, trials_of: dict[tuple[str, str, str], list[Result]]
) -> ReproducedCell:
    percent = _percent(cell, rule)
    split = f"{rule.folds} folds" if percent is None else f"{percent} %"
    own = trials_of.get((rule.corpora[cell.dataset], split, cell.model), [])
    metric = METRICS[cell.metric]
    scores = 100 * np.array([r.scores[metric] for r in own if metric in r.scores])
    model = rule.models[cell.model]
    counted = cell.table not in rule.quoted and not model.tuned_on_test
    chosen = bool(model.chosen_after_results or cell.dataset in rule.chosen_after_results)
    if not len(scores):
        verdict = NOT_RUN if model.zoo in list_models() else NOT_BUILT
        return ReproducedCell(cell, None, None, 0, verdict, counted, False, chosen)
    deviation = float(scores.std(ddof=1)) if len(scores) > 1 else None
    mean = float(scores.mean())
    verdict = judge(mean, cell.value, cell.deviation)
    enough = len(scores) >= (rule.folds or LEAST_TRIALS)
    return ReproducedCell(cell, mean, deviation, len(scores), verdict, counted, enough, chosen)


def judge(measured: float, published: float, deviation: float | None) -> str:
    """Say how far a measured mean is from the published one."""
    distance = round(abs(measured - published), 6)
    if deviation is not None and distance <= deviation:
        return ONE
    if deviation is not None and distance <= 2 * deviation:
        return TWO
    return POINTS if distance <= 2 else OFF


def _with_deviation(mean: float | None, deviation: float | None) -> str:
    if mean is None:
        return ""
    return f"{mean:.2f}" if deviation is None else f"{mean:.2f} ± {deviation:.2f}"
