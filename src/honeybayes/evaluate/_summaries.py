"""What a comparison says about one model, or about two, on one corpus and split."""

import math
from dataclasses import dataclass

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
        spread = "" if math.isnan(self.deviation) else f" ± {100 * self.deviation:.1f}"
        return f"{100 * self.mean:.1f}{spread}"


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
        interval = f"{100 * self.low:+.1f} to {100 * self.high:+.1f}"
        interval = "" if math.isnan(self.low) else interval
        is_same = self.mean == 0 and self.p_value == 1
        verdict = "same" if is_same else VERDICTS[self.verdict]
        p_value = f"{self.p_value:.3f}" if self.p_value >= SMALLEST_P else f"< {SMALLEST_P}"
        last = ["", "too few draws"] if self.trials < FEWEST_DRAWS else [p_value, verdict]
        return [f"{100 * self.mean:+.1f}", interval, *last]
