"""The results of `compare`, with summaries, tables and tests."""

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from itertools import combinations, product
from typing import Any

import numpy as np
from scipy import stats

from honeybayes.evaluate._document_answers import OF_DOCUMENTS, DocumentAnswers
from honeybayes.evaluate._metrics import LOWER_IS_BETTER
from honeybayes.evaluate._records import Result
from honeybayes.evaluate._significance import (
    average_ranks,
    estimate,
    estimate_two_levels,
    wilcoxon_test,
)
from honeybayes.evaluate._summaries import CLAIMS, Difference, Summary
from honeybayes.utils.parameters import described_like
from honeybayes.utils.validation import check_option

Place = tuple[str, str]  # corpus and split
Pair = tuple[Result, Result]  # of two models in the same trial
LARGEST_CLASS = "largest class"  # the name of the baseline in tables
TESTS = tuple(CLAIMS)
# a draw is far off if its accuracy differs this much from the median: in all, and in robust
# standard deviations
FAR_OFF, N_DEVIATIONS = 0.1, 4.0
FEWEST_TO_JUDGE = 5  # draws
TWINS = 0.99  # share of equal answers
LEVEL = 0.05  # of significance
NOT_IN_PERCENT = {"log_loss", "brier", "fit_seconds", "predict_seconds"}


@dataclass(frozen=True)
class Comparison:
    """Results of several models on the same splits.

    Parameters
    ----------
    results : tuple of Result
        One result per model and split, all of one protocol. From a file:
        ``Comparison(tuple(read_results(path)))``.

    Examples
    --------
    >>> from honeybayes.evaluate import RandomSplits, compare
    >>> splits = RandomSplits(per_class=5, repetitions=3)
    >>> comparison = compare(["NB", "CNB"], "messages", splits, metrics=["accuracy"])
    >>> comparison.models
    ['NB', 'CNB']
    >>> comparison.to_frame().groupby("model")["accuracy"].count().to_dict()
    {'CNB': 3, 'NB': 3}
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
        return list(dict.fromkeys(result.cell.place for result in self.results))

    def scores(self, model: str, place: Place, metric: str = "accuracy") -> np.ndarray:
        """Return the values of a metric, one per trial.

        Parameters
        ----------
        model : str
            One of ``models``.
        place : tuple of str
            One of ``places``: corpus and split.
        metric : str, default="accuracy"
            The metric.

        Returns
        -------
        ndarray of shape (n_trials,)
        """
        return np.array([result.scores[metric] for result in self.trials(model, place)])

    @described_like(scores)
    def trials(self, model: str, place: Place) -> list[Result]:
        """Return the results of a model on one corpus and split.

        Returns
        -------
        list of Result
            By seed, repetition and fold.
        """
        own = [r for r in self.results if (r.cell.place, r.cell.model) == (place, model)]
        return sorted(own, key=_trial_number)

    @described_like(scores)
    def ranking(self, place: Place, metric: str = "accuracy") -> list[str]:
        """Sort the models of one corpus and split by their means.

        Returns
        -------
        list of str
            The best model first; of equal ones the first in ``models``.
        """
        means = {s.model: s.mean for s in self.summaries(metric) if (s.corpus, s.split) == place}
        return sorted(means, key=means.__getitem__, reverse=metric not in LOWER_IS_BETTER)

    @described_like(scores)
    def summaries(self, metric: str = "accuracy", confidence: float = 0.95) -> list[Summary]:
        """Summarize the trials of each model on each corpus and split.

        Parameters
        ----------
        confidence : float, default=0.95
            Confidence of the interval.

        Returns
        -------
        list of Summary
            In the order of ``places``, then of ``models``.
        """
        summaries = []
        for place, model in product(self.places, self.models):
            scores = self.scores(model, place, metric)
            if not len(scores):
                continue
            n, mean, deviation, reach = len(scores), float(scores.mean()), math.nan, math.nan
            if n > 1:
                deviation = float(scores.std(ddof=1))
                reach = float(stats.t.ppf((1 + confidence) / 2, n - 1)) * deviation / n**0.5
            what = (*place, self.results[0].cell.protocol, model, metric, n)
            summaries.append(Summary(*what, mean, deviation, mean - reach, mean + reach))
        return summaries

    @described_like(scores)
    def baseline(self, place: Place, metric: str = "accuracy") -> float:
        """Return the score of the answer that is always the largest class, mean over the trials.

        Returns
        -------
        float
            NaN if the metric needs probabilities, or if the results hold no outcomes.
        """
        own = [r for r in self.results if r.cell.place == place and r.outcomes]
        trials = {_trial_number(result): result.answers() for result in own}
        scores = [a.score_of_largest_class(metric) for a in trials.values() if a is not None]
        return float(np.mean(scores)) if scores else math.nan

    def twins(self) -> dict[str, str]:
        """Return models that gave the same answers as an earlier model.

        Returns
        -------
        dict of str to str
            Each such model, and the earlier one: in all trials together, at least 99 % of their
            answers are equal. For example, FewLabels without a pool is logistic regression.
        """
        found: dict[str, str] = {}
        for other, model in combinations(self.models, 2):
            if other not in found and self._share_of_equal_answers(model, other) >= TWINS:
                found.setdefault(model, other)
        return found

    def _share_of_equal_answers(self, model: str, other: str) -> float:
        """Return the share of equal answers over all trials; NaN if it is not known."""
        pairs: list[Pair] = []
        for place in self.places:
            own, theirs = self.trials(model, place), self.trials(other, place)
            if [*map(_trial_number, own)] != [*map(_trial_number, theirs)]:
                return math.nan
            pairs += zip(own, theirs, strict=True)
        answers = _answers_of(pairs)
        if not answers or not all(np.array_equal(a.rows, b.rows) for a, b in answers):
            return math.nan
        return float(np.concatenate([a.answers == b.answers for a, b in answers]).mean())

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
            notes.append(
                f"Up to {repeated} texts per draw were not tested, because the same text is in the "
                "training part."
            )
        for model, other in self.twins().items():
            share = 100 * self._share_of_equal_answers(model, other)
            note = f"{model} answered as {other} in {share:.4g} % of the tests."
            if not {model, other} & pool:
                note += " Without a pool they are practically one model."
            notes.append(note)
        return [*notes, *self._draws_far_off()]

    def _draws_far_off(self) -> Iterator[str]:
        """Name models that fail in single draws: a few draws do not show how often this happens."""
        for place, model in product(self.places, self.models):
            found = [result.scores.get("accuracy") for result in self.trials(model, place)]
            scores = np.array([each for each in found if each is not None])
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
        """Return the results as a data frame of pandas.

        Returns
        -------
        pandas.DataFrame
            One row per result: the fields of its cell, the sizes, and a column per metric.
        """
        import pandas

        sizes = ("n_train", "n_test", "n_pool", "n_repeated")
        return pandas.DataFrame(
            {**asdict(r.cell), **{size: getattr(r, size) for size in sizes}, **r.scores}
            for r in self.results
        )

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
            One row per corpus and split, one column per model; the best mean is bold. If it is
            known, the last column is the score of always answering the largest class.
        """
        summaries = self.summaries(metric)
        baselines = {place: self.baseline(place, metric) for place in self.places}
        heads = [*self.models]
        if not all(map(math.isnan, baselines.values())):
            heads.append(LARGEST_CLASS)
        rows = [["corpus", "split", *heads], ["---", "---", *["--:"] * len(heads)]]
        for place, baseline in baselines.items():
            cells = dict.fromkeys(heads, "")
            own = [s for s in summaries if (s.corpus, s.split) == place and not math.isnan(s.mean)]
            choose = min if metric in LOWER_IS_BETTER else max
            best = choose((summary.mean for summary in own), default=math.nan)
            for summary in own:
                text = _cell_text(summary)
                cells[summary.model] = f"**{text}**" if summary.mean == best else text
            if not math.isnan(baseline):
                cells[LARGEST_CLASS] = f"{100 * baseline:.2f}"
            rows.append([*place, *cells.values()])
        protocols = ", ".join(dict.fromkeys(summary.protocol for summary in summaries))
        lines = ["| " + " | ".join(row) + " |" for row in rows]
        return f"{metric}, protocol: {protocols}\n\n" + "\n".join(lines)

    @described_like(scores)
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
        model, other : str
            Two of ``models``.
        test : {"two-level", "corrected-t", "paired-t", "wilcoxon"}, optional
            "two-level" covers new draws of labels and new texts; see `two_level_test`. It needs
            the answers for each document, and is the default for accuracy and F1 if the training
            part is smaller than the test part. "corrected-t" is for folds and other large training
            parts, and the default there. "paired-t" and "wilcoxon" cover new draws from this table
            only. "paired-t" is the default for other metrics and for results without outcomes.
        level : float, default=0.05
            A difference with a larger p-value is a tie; the interval has the confidence 1 - level.

        Returns
        -------
        list of Difference
            One per corpus and split.
        """
        if test is not None:
            check_option("test", test, TESTS)
        return [self._difference(model, other, p, metric, test, level) for p in self.places]

    @described_like(differences)
    def against_best(
        self, metric: str = "accuracy", *, test: str | None = None
    ) -> list[Difference]:
        """Test each model against the best one of the same corpus and split.

        Returns
        -------
        list of Difference
            The best model is ``other``. There is nothing for a split with a single trial.
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
        if [*map(_trial_number, own)] != [*map(_trial_number, theirs)]:
            raise ValueError(f"{model!r} and {other!r} were not run on the same splits of {place}.")
        a, b = self.scores(model, place, metric), self.scores(other, place, metric)
        n_train = float(np.mean([result.n_train for result in own]))
        n_test = float(np.mean([result.n_test for result in own]))
        documents = None
        if test in (None, "two-level") and len(own) > 1:
            documents = _document_differences([*zip(own, theirs, strict=True)], metric)
        if test is None:
            is_small = n_train < n_test and not any(result.cell.fold for result in own)
            of_small = "paired-t" if documents is None else "two-level"
            test = of_small if is_small else "corrected-t"
        if test == "wilcoxon":
            p_value, ends = wilcoxon_test(a, b).p_value, (math.nan, math.nan)
        else:
            if test != "two-level":
                found = estimate(a, b, n_test / n_train if test == "corrected-t" else 0.0)
            elif documents is not None:
                found = estimate_two_levels(documents)
            else:
                raise ValueError(
                    "The test 'two-level' needs the answers for the same documents in at least two "
                    f"draws, which these results do not have for {metric!r}. Use test='paired-t'."
                )
            p_value, ends = found.test().p_value, found.interval(1 - level)
        mean = float(a.mean() - b.mean())
        better = mean < 0 if metric in LOWER_IS_BETTER else mean > 0
        verdict = "tie" if not p_value <= level else "win" if better else "loss"
        return Difference(*place, model, other, mean, p_value, verdict, *ends, test)

    @described_like(scores)
    def ranks(self, metric: str = "accuracy") -> dict[str, float]:
        """Compute the average rank of each model over corpora and splits; 1 is best.

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


def _answers_of(pairs: list[Pair]) -> list[tuple[DocumentAnswers, DocumentAnswers]] | None:
    """Return the answers of pairs of results, or None if some are not known."""
    found = [(own.answers(), theirs.answers()) for own, theirs in pairs]
    known = [(a, b) for a, b in found if a is not None and b is not None]
    return known if len(known) == len(pairs) else None


def _document_differences(pairs: list[Pair], metric: str) -> np.ndarray | None:
    """Return differences of shape (n_trials, n_documents), NaN if not tested, or None."""
    answers = _answers_of(pairs)
    if not answers or metric not in OF_DOCUMENTS:
        return None
    differences = np.full((len(answers), 1 + max(a.rows.max() for a, _ in answers)), np.nan)
    for trial, (a, b) in enumerate(answers):
        if not np.array_equal(a.rows, b.rows):
            own, theirs = (result.cell.model for result in pairs[trial])
            raise ValueError(
                f"{own!r} and {theirs!r} were not tested on the same documents. Run both again."
            )
        differences[trial, a.rows] = a.values(metric) - b.values(metric)
    return differences


def _cell_text(summary: Summary) -> str:
    factor, digits = (1.0, 3) if summary.metric in NOT_IN_PERCENT else (100.0, 2)
    text = f"{factor * summary.mean:.{digits}f}"
    if not math.isnan(summary.deviation):
        text += f" ± {factor * summary.deviation:.{digits}f}"
    return text
