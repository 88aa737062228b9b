"""The results of `compare`, with summaries, tables and tests."""

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from itertools import combinations, product
from typing import Any

import numpy as np
from scipy import stats

from honeybayes.evaluate import _significance as significance
from honeybayes.evaluate._records import Result
from honeybayes.evaluate.metrics import FROM_LABELS, LOWER_IS_BETTER
from honeybayes.utils.parameters import documented
from honeybayes.utils.validation import check_option

Place = tuple[str, str]  # corpus and split
CLAIMS = {
    "two-level": "The interval covers new draws of labels, and new texts like those of this table.",
    "corrected-t": "The interval covers new splits, and new documents like those of this table; "
    "with small training parts the test finds almost nothing.",
    "paired-t": "The interval covers new draws of labels from this table, tested on the same table "
    "only.",
    "wilcoxon": "The p-value covers new draws of labels from this table, tested on the same table "
    "only.",
}
SMALLEST_P = 0.001  # that is printed
FEWEST_DRAWS = 5  # with fewer, a p-value is no more than a hint
VERDICTS = {"loss": "worse", "tie": "not clear", "win": "better"}
TESTS = tuple(CLAIMS)
# a draw is far off if its accuracy differs this much from the median: in all, and in robust
# standard deviations
FAR_OFF, N_DEVIATIONS = 0.1, 4.0
FEWEST_TO_JUDGE = 5  # draws
TWINS = 0.99  # share of equal answers
LEVEL = 0.05  # of significance
NOT_IN_PERCENT = {"log_loss", "brier", "fit_seconds", "predict_seconds"}


@dataclass(frozen=True)
class Summary:
    """Mean and spread of one model on one corpus and split.

    Parameters
    ----------
    corpus, split, protocol, model : str
        What was compared.
    metric : str
        The metric.
    trials : int
        Number of trials.
    mean, deviation : float
        Mean and sample standard deviation over the trials; the deviation of one trial is NaN.
    low, high : float
        Confidence interval of the mean over such splits of this corpus, by Student's t, within
        the values that the metric can have. It says nothing about other corpora.
    """

    corpus: str
    split: str
    protocol: str
    model: str
    metric: str
    trials: int
    mean: float
    deviation: float
    low: float
    high: float

    @property
    def cell(self) -> str:
        """Mean and deviation in percent, as a cell of a table shows them."""
        return self._text(100, 1)

    def _text(self, factor: float, digits: int) -> str:
        spread = f" ± {factor * self.deviation:.{digits}f}"
        return f"{factor * self.mean:.{digits}f}{'' if math.isnan(self.deviation) else spread}"


@dataclass(frozen=True)
class Difference:
    """A test of two models on one corpus and split.

    Parameters
    ----------
    corpus, split : str
        What was compared.
    model, other : str
        The two models.
    mean : float
        Mean of ``model`` minus mean of ``other``.
    p_value : float
        Two-sided p-value of the difference.
    verdict : {"win", "tie", "loss"}
        Verdict for ``model``; "tie" if the p-value is above the level.
    low, high : float
        Confidence interval of the difference; NaN for the Wilcoxon test, which has none.
    test : str
        Name of the test: "two-level", "corrected-t", "paired-t" or "wilcoxon".
    trials : int
        Number of trials.
    """

    corpus: str
    split: str
    model: str
    other: str
    mean: float
    p_value: float
    verdict: str
    low: float = math.nan
    high: float = math.nan
    test: str = "corrected-t"
    trials: int = 10

    @property
    def claim(self) -> str:
        """What interval and p-value cover, in a sentence."""
        return CLAIMS[self.test]

    @property
    def cells(self) -> list[str]:
        """Difference and interval in points, p-value and verdict, as a table shows them.

        After few trials there is neither p-value nor verdict.
        """
        ends = f"{100 * self.low:+.1f} to {100 * self.high:+.1f}"
        is_same = self.mean == 0 and self.p_value == 1
        verdict = "same" if is_same else VERDICTS[self.verdict]
        p_value = f"{self.p_value:.3f}" if self.p_value >= SMALLEST_P else f"< {SMALLEST_P}"
        last = ["", "too few draws"] if self.trials < FEWEST_DRAWS else [p_value, verdict]
        return [f"{100 * self.mean:+.1f}", "" if math.isnan(self.low) else ends, *last]


@documented
@dataclass(frozen=True)
class Comparison:
    """Results of several models on the same splits.

    Parameters
    ----------
    results : tuple of Result
        One result per model and split, all of one protocol. From a file:
        ``Comparison(tuple(read_results(path)))``.
    model : str
        One of ``models``.
    other : str
        Another one.
    place : tuple of str
        One of ``places``: corpus and split.
    metric : str, default="accuracy"
        The metric.
    test : {"two-level", "corrected-t", "paired-t", "wilcoxon"}, optional
        "two-level" covers new draws of labels and new texts; see `two_level_test`. It needs the
        answers for each document, and is the default for accuracy and F1 if the training part is
        smaller than the test part. "corrected-t" is for folds and other large training parts, and
        the default there. "paired-t" and "wilcoxon" cover new draws from this table only.
        "paired-t" is the default for other metrics and for results without outcomes.
    """

    results: tuple[Result, ...]

    def __post_init__(self) -> None:
        protocols = sorted({result.cell.protocol for result in self.results})
        if len(protocols) > 1:
            several = f"The results come from several protocols ({', '.join(protocols)})."
            raise ValueError(f"{several} Make one Comparison per protocol.")
        trials = Counter(replace(result.cell, setup="") for result in self.results)
        for twin, times in trials.most_common(1):
            if times > 1:
                raise ValueError(
                    f"There are {times} results of {twin.model!r} on {twin.corpus!r}, "
                    f"{twin.split}, repetition {twin.repetition}, fold {twin.fold}, seed "
                    f"{twin.seed}: the model, the documents or the terms changed between them. "
                    "Keep the results of one setup."
                )

    def __repr__(self) -> str:
        lines = [f"Comparison of {len(self.models)} models, {len(self.results)} results"]
        metrics = list(self.results[0].scores)[:1] if self.results else []
        found = [summary for metric in metrics for summary in self.summaries(metric)]
        told = [f"  {s.corpus}, {s.split}: {s.model} {s.metric} {s.cell}" for s in found]
        return "\n".join([*lines, *told])

    @property
    def models(self) -> list[str]:
        """Names of the models, in the order of the results."""
        return list(dict.fromkeys(result.cell.model for result in self.results))

    @property
    def places(self) -> list[Place]:
        """Pairs of a corpus and a split, in the order of the results."""
        return list(dict.fromkeys(result.cell.place for result in self.results))

    def scores(self, model: str, place: Place, metric: str = "accuracy") -> np.ndarray:
        """Return the values of a metric, one per trial."""
        return np.array([result.scores[metric] for result in self.trials(model, place)])

    def trials(self, model: str, place: Place) -> list[Result]:
        """Return the results of a model on one corpus and split, by seed, repetition and fold."""
        own = [r for r in self.results if (r.cell.place, r.cell.model) == (place, model)]
        return sorted(own, key=_trial_number)

    def ranking(self, place: Place, metric: str = "accuracy") -> list[str]:
        """Sort the models of one corpus and split by their means, the best one first.

        Of equal ones, the better one on the other splits of the corpus is first, then the first in
        ``models``.
        """
        summaries = [s for s in self.summaries(metric) if s.corpus == place[0]]
        means = {s.model: [round(s.mean, 12)] for s in summaries if s.split == place[1]}
        for model, mean in means.items():
            mean.append(sum(s.mean for s in summaries if s.model == model))
        return sorted(means, key=means.__getitem__, reverse=metric not in LOWER_IS_BETTER)

    def summaries(self, metric: str = "accuracy", confidence: float = 0.95) -> list[Summary]:
        """Summarize the trials by ``places``, then by ``models``.

        Parameters
        ----------
        confidence : float, default=0.95
            Confidence of the interval.
        """
        summaries = []
        for place, model in product(self.places, self.models):
            scores = self.scores(model, place, metric)
            if n := len(scores):
                deviation = float(scores.std(ddof=1)) if n > 1 else math.nan
                mean = significance.EstimatedMean(float(scores.mean()), deviation / n**0.5, n - 1)
                what = (*place, self.results[0].cell.protocol, model, metric, n)
                highest = math.inf if metric in NOT_IN_PERCENT else 1.0
                ends = np.clip(mean.interval(confidence), 0.0, highest).tolist()
                summaries.append(Summary(*what, mean.mean, deviation, *ends))
        return summaries

    def baseline(self, place: Place, metric: str = "accuracy") -> float:
        """Return the score of the answer that is always the largest class, mean over the trials.

        It is NaN if the metric needs probabilities, or if the results hold no outcomes.
        """
        own = [r for r in self.results if r.cell.place == place and r.outcomes]
        trials = {_trial_number(result): result.answers() for result in own}
        scores = [a.score_of_largest_class(metric) for a in trials.values() if a is not None]
        return float(np.mean(scores)) if scores else math.nan

    def twins(self) -> dict[str, tuple[str, float]]:
        """Return models that gave the same answers as an earlier model: this, and how many.

        In all trials together, the share of equal answers is at least 0.99. For example, FewLabels
        without a pool is logistic regression.
        """
        answers: dict[str, dict[Any, Any]] = {model: {} for model in self.models}
        for result in self.results:
            trial = (result.cell.place, _trial_number(result))
            answers[result.cell.model][trial] = result.answers()
        found: dict[str, tuple[str, float]] = {}
        for other, model in combinations(self.models, 2):
            own, theirs = answers[model], answers[other]
            if model in found or other in found or own.keys() != theirs.keys():
                continue
            pairs = [(own[trial], theirs[trial]) for trial in own]
            if all(a and b and np.array_equal(a.rows, b.rows) for a, b in pairs):
                equal = np.concatenate([a.answers == b.answers for a, b in pairs])
                if equal.mean() >= TWINS:
                    found[model] = other, float(equal.mean())
        return found

    @property
    def notes(self) -> list[str]:
        """What a reader should know: pool, repeated texts, equal models, draws that are far off."""
        notes = []
        pool = {result.cell.model for result in self.results if result.n_pool}
        if pool:
            names = ", ".join(model for model in self.models if model in pool)
            notes.append(
                f"The rows outside a draw, without their labels, are the pool of {names} (up to "
                f"{max(r.n_pool for r in self.results)} texts, the test texts among them)."
            )
        repeated = max((result.n_repeated for result in self.results), default=0)
        if repeated:
            why = "because the same text is in the training part"
            notes.append(f"Up to {repeated} texts per draw were not tested, {why}.")
        for model, (other, share) in self.twins().items():
            note = f"{model} answered as {other} in {100 * share:.4g} % of the tests."
            if not {model, other} & pool:
                note += " Without a pool they are practically one model."
            notes.append(note)
        return [*notes, *self._draws_far_off()]

    def _draws_far_off(self) -> Iterator[str]:
        """Name models that fail in single draws: a few draws do not show how often this happens."""
        for place, model in product(self.places, self.models):
            known = [result.scores for result in self.trials(model, place)]
            scores = np.array([each["accuracy"] for each in known if "accuracy" in each])
            if len(scores) < FEWEST_TO_JUDGE:
                continue
            usual = np.median(scores)
            distance = np.abs(scores - usual)
            far = distance > max(FAR_OFF, N_DEVIATIONS * 1.4826 * np.median(distance))
            if far.any():
                worst = scores[distance.argmax()]
                yield (
                    f"{', '.join(place)}: {model} is far off in {far.sum()} of {len(scores)} "
                    f"draws (accuracy {100 * worst:.1f} %, usually {100 * usual:.1f} %). More "
                    "draws would show how often; intervals and p-values cover the usual draws."
                )

    def to_frame(self) -> Any:
        """Return the results as a data frame of pandas, one per row.

        Columns are the fields of the cell, the sizes, and the metrics.

        Returns
        -------
        pandas.DataFrame
        """
        import pandas

        sizes = ("n_train", "n_test", "n_pool", "n_repeated")
        return pandas.DataFrame(
            {**asdict(r.cell), **{size: getattr(r, size) for size in sizes}, **r.scores}
            for r in self.results
        )

    def table(self, metric: str = "accuracy") -> str:
        """Write means and deviations as a Markdown table; the best mean of a split is bold.

        If it is known, the last column is the score of always answering the largest class. Log
        loss, Brier score and seconds are shown unchanged, all others in percent.
        """
        summaries = self.summaries(metric)
        rows = []
        for place in self.places:
            own = {s.model: s for s in summaries if (s.corpus, s.split) == place}
            means = [summary.mean for summary in own.values() if not math.isnan(summary.mean)]
            best = (min if metric in LOWER_IS_BETTER else max)(means, default=math.nan)
            cells = [_cell_text(own.get(model), best) for model in self.models]
            baseline = self.baseline(place, metric)
            rows.append([*place, *cells, "" if math.isnan(baseline) else f"{100 * baseline:.2f}"])
        heads = ["corpus", "split", *self.models, "largest class"]
        rows = [heads, ["---", "---", *["--:"] * (len(heads) - 2)], *rows]
        if not any(row[-1] for row in rows[2:]):
            rows = [row[:-1] for row in rows]
        protocols = ", ".join(dict.fromkeys(summary.protocol for summary in summaries))
        lines = ["| " + " | ".join(row) + " |" for row in rows]
        return f"{metric}, protocol: {protocols}\n\n" + "\n".join(lines)

    def differences(
        self,
        model: str,
        other: str,
        metric: str = "accuracy",
        *,
        test: str | None = None,
        level: float = LEVEL,
    ) -> list[Difference]:
        """Test two models against each other on each corpus and split.

        Parameters
        ----------
        level : float, default=0.05
            A difference with a larger p-value is a tie; the interval has the confidence 1 - level.
        """
        if test is not None:
            check_option("test", test, TESTS)
        return [self._difference(model, other, p, metric, test, level) for p in self.places]

    def against_best(
        self, metric: str = "accuracy", *, test: str | None = None
    ) -> list[Difference]:
        """Test each model against the best one of the same corpus and split, which is ``other``.

        There is nothing for a split with a single trial.
        """
        found: list[Difference] = []
        for place in self.places:
            best, *others = self.ranking(place, metric)
            if len(self.trials(best, place)) > 1:
                others.sort(key=self.models.index)
                found += [self._difference(m, best, place, metric, test, LEVEL) for m in others]
        return found

    def _difference(
        self, model: str, other: str, place: Place, metric: str, test: str | None, level: float
    ) -> Difference:
        own, theirs = self.trials(model, place), self.trials(other, place)
        if not own or [*map(_trial_number, own)] != [*map(_trial_number, theirs)]:
            raise ValueError(f"{model!r} and {other!r} were not run on the same splits of {place}.")
        a, b = self.scores(model, place, metric), self.scores(other, place, metric)
        overlap = sum(result.n_test for result in own) / sum(result.n_train for result in own)
        documents = None
        if test in (None, "two-level") and len(own) > 1:
            documents = _document_differences([*zip(own, theirs, strict=True)], metric)
        if test is None:
            is_small = overlap > 1 and not any(result.cell.fold for result in own)
            of_small = "paired-t" if documents is None else "two-level"
            test = of_small if is_small else "corrected-t"
        if test == "wilcoxon":
            p_value, ends = significance.wilcoxon_test(a, b).p_value, (math.nan, math.nan)
        else:
            if test != "two-level":
                found = significance.estimate(a, b, overlap if test == "corrected-t" else 0.0)
            elif documents is not None:
                found = significance.estimate_two_levels(documents)
            else:
                raise ValueError(
                    "The test 'two-level' needs the answers for the same documents in at least two "
                    f"draws, which these results do not have for {metric!r}. Use test='paired-t'."
                )
            p_value, ends = found.test().p_value, found.interval(1 - level)
            if metric not in NOT_IN_PERCENT:
                ends = max(-1.0, ends[0]), min(1.0, ends[1])
        mean = float(a.mean() - b.mean())
        better = mean < 0 if metric in LOWER_IS_BETTER else mean > 0
        verdict = "tie" if not p_value <= level else "win" if better else "loss"
        return Difference(*place, model, other, mean, p_value, verdict, *ends, test, len(own))

    def ranks(self, metric: str = "accuracy") -> dict[str, float]:
        """Compute the average rank of each model over corpora and splits; 1 is best, and first.

        Every model must have been run on every corpus and split.
        """
        models, sign = self.models, 1 if metric in LOWER_IS_BETTER else -1
        means = [[self.scores(m, place, metric).mean() for m in models] for place in self.places]
        if np.isnan(means).any():
            raise ValueError(f"A model has no {metric} on one of {self.places}, so it has no rank.")
        ranks = stats.rankdata(sign * np.array(means), axis=1).mean(axis=0)
        return dict(sorted(zip(models, ranks.tolist(), strict=True), key=lambda pair: pair[1]))


def _trial_number(result: Result) -> tuple[int, int, int]:
    return result.cell.seed, result.cell.repetition, result.cell.fold


def _document_differences(pairs: list[tuple[Result, Result]], metric: str) -> np.ndarray | None:
    """Return differences of shape (n_trials, n_documents), NaN if not tested, or None."""
    answers = [(own.answers(), theirs.answers()) for own, theirs in pairs]
    known = [(a, b) for a, b in answers if a is not None and b is not None]
    if len(known) < len(pairs) or metric not in FROM_LABELS:
        return None
    differences = np.full((len(known), 1 + max(a.rows.max() for a, _ in known)), np.nan)
    for trial, (a, b) in enumerate(known):
        if not np.array_equal(a.rows, b.rows):
            own, theirs = (result.cell.model for result in pairs[trial])
            raise ValueError(
                f"{own!r} and {theirs!r} were not tested on the same documents. Run both again."
            )
        differences[trial, a.rows] = a.values(metric) - b.values(metric)
    return differences


def _cell_text(summary: Summary | None, best: float) -> str:
    if summary is None or math.isnan(summary.mean):
        return ""
    text = summary._text(1, 3) if summary.metric in NOT_IN_PERCENT else summary._text(100, 2)
    return f"**{text}**" if summary.mean == best else text
