"""The results of `compare`, with summaries, tables and tests."""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from scipy import stats

from honeybayes.evaluate._metrics import LOWER_IS_BETTER
from honeybayes.evaluate._records import Result
from honeybayes.evaluate._significance import (
    average_ranks,
    corrected_t_test,
    paired_t_test,
    wilcoxon_test,
)
from honeybayes.utils.validation import check_option

Place = tuple[str, str]  # corpus and split
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
        Confidence interval of the mean over such splits of this corpus, by Student's t. It says
        nothing about other corpora.
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
    """

    corpus: str
    split: str
    model: str
    other: str
    mean: float
    p_value: float
    verdict: str


@dataclass(frozen=True)
class Comparison:
    """Results of several models on the same splits.

    Parameters
    ----------
    results : tuple of Result
        One result per model and split, all of one protocol. From a file:
        ``Comparison(tuple(read_results(path)))``.

    See Also
    --------
    compare : Runs a comparison.

    Examples
    --------
    >>> from honeybayes.evaluate import RandomSplits, compare
    >>> splits = RandomSplits(per_class=5, repetitions=3)
    >>> comparison = compare(["NB", "CNB"], "messages", splits, metrics=["accuracy"])
    >>> print(comparison.table())  # doctest: +SKIP
    >>> comparison.models
    ['NB', 'CNB']
    """

    results: tuple[Result, ...]

    def __post_init__(self) -> None:
        protocols = sorted({result.cell.protocol for result in self.results})
        if len(protocols) > 1:
            raise ValueError(
                f"The results come from several protocols ({', '.join(protocols)}), which cannot "
                "be compared. Make one Comparison per protocol."
            )
        trials = Counter(replace(result.cell, setup="") for result in self.results)
        twin, times = max(trials.items(), key=lambda item: item[1], default=(None, 0))
        if twin is not None and times > 1:
            raise ValueError(
                f"There are {times} results of {twin.model!r} on {twin.corpus!r}, {twin.split}, "
                f"repetition {twin.repetition}, fold {twin.fold}, seed {twin.seed}: the model, the "
                "documents or the terms changed between them. Keep the results of one setup."
            )

    @property
    def models(self) -> list[str]:
        """Names of the models, in the order of the results."""
        return list(dict.fromkeys(result.cell.model for result in self.results))

    @property
    def places(self) -> list[Place]:
        """Pairs of a corpus and a split, in the order of the results."""
        return list(dict.fromkeys((r.cell.corpus, r.cell.split) for r in self.results))

    def trials(self, model: str, place: Place) -> list[Result]:
        """Return the results of a model on one corpus and split.

        Parameters
        ----------
        model : str
            One of ``models``.
        place : tuple of str
            One of ``places``: corpus and split.

        Returns
        -------
        list of Result
            By seed, repetition and fold.
        """
        key = (*place, model)
        own = [r for r in self.results if (r.cell.corpus, r.cell.split, r.cell.model) == key]
        return sorted(own, key=_trial_number)

    def scores(self, model: str, place: Place, metric: str = "accuracy") -> np.ndarray:
        """Return the values of a metric, one per trial.

        Parameters
        ----------
        model : str
            One of ``models``.
        place : tuple of str
            One of ``places``.
        metric : str, default="accuracy"
            The metric.

        Returns
        -------
        ndarray of shape (n_trials,)
        """
        return np.array([result.scores[metric] for result in self.trials(model, place)])

    def summaries(self, metric: str = "accuracy", confidence: float = 0.95) -> list[Summary]:
        """Summarize the trials of each model on each corpus and split.

        Parameters
        ----------
        metric : str, default="accuracy"
            The metric.
        confidence : float, default=0.95
            Level of the confidence interval.

        Returns
        -------
        list of Summary
            In the order of ``places``, then of ``models``.
        """
        summaries = []
        for place in self.places:
            for model in self.models:
                trials = self.trials(model, place)
                if not trials:
                    continue
                scores = np.array([trial.scores[metric] for trial in trials])
                n, mean, deviation, reach = len(scores), float(scores.mean()), math.nan, math.nan
                if n > 1:
                    deviation = float(scores.std(ddof=1))
                    reach = float(stats.t.ppf((1 + confidence) / 2, n - 1)) * deviation / n**0.5
                what = (*place, trials[0].cell.protocol, model, metric, n)
                summaries.append(Summary(*what, mean, deviation, mean - reach, mean + reach))
        return summaries

    def table(self, metric: str = "accuracy") -> str:
        """Write means and deviations as a Markdown table.

        Parameters
        ----------
        metric : str, default="accuracy"
            The metric. Log loss, Brier score and seconds are shown unchanged, all others in
            percent.

        Returns
        -------
        str
            One row per corpus and split, one column per model; the best mean is bold.
        """
        summaries = self.summaries(metric)
        by_place = {(s.corpus, s.split, s.model): s for s in summaries}
        protocols = ", ".join(dict.fromkeys(s.protocol for s in summaries))
        rows = [["corpus", "split", *self.models], ["---", "---", *["--:"] * len(self.models)]]
        for place in self.places:
            own = {model: by_place.get((*place, model)) for model in self.models}
            best = _best((s.mean for s in own.values() if s is not None), metric)
            rows.append([*place, *(_cell_text(s, metric, best) for s in own.values())])
        lines = ["| " + " | ".join(row) + " |" for row in rows]
        return f"{metric}, protocol: {protocols}\n\n" + "\n".join(lines)

    def differences(
        self,
        model: str,
        other: str,
        metric: str = "accuracy",
        *,
        test: str = "corrected-t",
        level: float = 0.05,
    ) -> list[Difference]:
        """Test two models against each other on each corpus and split.

        Parameters
        ----------
        model, other : str
            Two of ``models``.
        metric : str, default="accuracy"
            The metric.
        test : {"corrected-t", "paired-t", "wilcoxon"}, default="corrected-t"
            The corrected resampled t-test takes into account that trials share documents. The other
            two tests assume independent trials, so they find too many differences.
        level : float, default=0.05
            A difference with a larger p-value is a tie.

        Returns
        -------
        list of Difference
            One per corpus and split.
        """
        check_option("test", test, ("corrected-t", "paired-t", "wilcoxon"))
        return [self._difference(model, other, p, metric, test, level) for p in self.places]

    def _difference(
        self, model: str, other: str, place: Place, metric: str, test: str, level: float
    ) -> Difference:
        own, theirs = self.trials(model, place), self.trials(other, place)
        if [*map(_trial_number, own)] != [*map(_trial_number, theirs)]:
            raise ValueError(f"{model!r} and {other!r} were not run on the same splits of {place}.")
        a, b = self.scores(model, place, metric), self.scores(other, place, metric)
        if test == "corrected-t":
            n_train = float(np.mean([result.n_train for result in own]))
            n_test = float(np.mean([result.n_test for result in own]))
            p_value = corrected_t_test(a, b, n_train=n_train, n_test=n_test).p_value
        else:
            p_value = (paired_t_test if test == "paired-t" else wilcoxon_test)(a, b).p_value
        mean = float(a.mean() - b.mean())
        better = mean < 0 if metric in LOWER_IS_BETTER else mean > 0
        verdict = "tie" if not p_value <= level else "win" if better else "loss"
        return Difference(*place, model, other, mean, p_value, verdict)

    def ranks(self, metric: str = "accuracy") -> dict[str, float]:
        """Compute the average rank of each model over corpora and splits; 1 is best.

        Parameters
        ----------
        metric : str, default="accuracy"
            The metric.

        Returns
        -------
        dict of str to float
            The best model first. Every model must have been run on every corpus and split.
        """
        means = np.array(
            [[self.scores(model, p, metric).mean() for model in self.models] for p in self.places]
        )
        ranks = average_ranks(-means if metric in LOWER_IS_BETTER else means)
        return dict(sorted(zip(self.models, ranks.tolist(), strict=True), key=lambda pair: pair[1]))


def _trial_number(result: Result) -> tuple[int, int, int]:
    return result.cell.seed, result.cell.repetition, result.cell.fold


def _best(means: Iterable[float], metric: str) -> float:
    known = [mean for mean in means if not math.isnan(mean)]
    return (min if metric in LOWER_IS_BETTER else max)(known, default=math.nan)


def _cell_text(summary: Summary | None, metric: str, best: float) -> str:
    if summary is None or math.isnan(summary.mean):
        return ""
    factor, digits = (1.0, 3) if metric in NOT_IN_PERCENT else (100.0, 2)
    text = f"{factor * summary.mean:.{digits}f}"
    if not math.isnan(summary.deviation):
        text += f" ± {factor * summary.deviation:.{digits}f}"
    return f"**{text}**" if summary.mean == best else text
