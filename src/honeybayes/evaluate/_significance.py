"""Significance tests for two models, and for many models on many corpora.

scipy's exact Wilcoxon test assumes that there are no ties, and scipy has no corrected t-test. The
variance of the two-level test is in docs/evaluate.md. Two draws share training documents as well;
with small training parts this adds so little that a term for it made the test worse.
"""

from typing import Any, NamedTuple

import numpy as np
from scipy import stats

from honeybayes.utils.parameters import described_like

DIGITS = 12  # of a difference relative to the largest score; the rest is rounding error
MOST_EXACT = 200  # pairs; with more, the normal approximation is off by less than 0.001


class Outcome(NamedTuple):
    """The outcome of a test.

    Parameters
    ----------
    statistic : float
        The test statistic.
    p_value : float
        Probability of a statistic at least as extreme if the models did not differ.
    """

    statistic: float
    p_value: float


class EstimatedMean(NamedTuple):
    """A mean, for example of differences, with its standard error and degrees of freedom."""

    mean: float
    error: float
    freedom: int

    def test(self) -> Outcome:
        """Return t and p of the hypothesis that the difference is 0."""
        if self.error == 0:
            sure = Outcome(float(np.copysign(np.inf, self.mean)), 0.0)
            return Outcome(0.0, 1.0) if self.mean == 0 else sure
        t = self.mean / self.error
        return Outcome(float(t), float(2 * stats.t.sf(abs(t), self.freedom)))

    def interval(self, confidence: float) -> tuple[float, float]:
        """Return the ends of the confidence interval."""
        reach = float(stats.t.ppf((1 + confidence) / 2, self.freedom)) * self.error
        return self.mean - reach, self.mean + reach


def paired_t_test(a: Any, b: Any, overlap: float = 0.0) -> Outcome:
    """Two-sided Student's t-test of paired scores, or the corrected resampled t-test.

    Trials of random splits or folds share documents, so they are not independent. With ``overlap``,
    their variance is multiplied by 1/n + n_test/n_train instead of 1/n.

    Parameters
    ----------
    a, b : array-like of shape (n,)
        Scores of two models in the same trials, or on the same corpora.
    overlap : float, default=0.0
        Number of test documents divided by the number of training documents in each trial; 0 for
        independent pairs.

    Returns
    -------
    Outcome
        t and p; 0 and 1 if all pairs are equal.

    References
    ----------
    Nadeau, C. and Bengio, Y. (2003). Inference for the generalization error. Machine Learning 52,
    239-281.

    Examples
    --------
    >>> from honeybayes.evaluate import paired_t_test
    >>> for overlap in (0, 10 / 90):
    ...     outcome = paired_t_test([3, 5, 4, 6], [1, 2, 3, 4], overlap)
    ...     print(f"t = {outcome.statistic:.3f}, p = {outcome.p_value:.3f}")
    t = 4.899, p = 0.016
    t = 4.076, p = 0.027
    """
    if overlap < 0:
        raise ValueError(f"overlap must be 0 or more; got {overlap!r}.")
    return estimate(a, b, overlap).test()


def estimate(a: Any, b: Any, overlap: float = 0.0) -> EstimatedMean:
    """Return the mean difference of paired scores; ``overlap`` is n_test / n_train or 0."""
    difference = _differences(a, b)
    n = len(difference)
    if n < 2:
        raise ValueError(f"A t-test needs at least two trials; got {n}.")
    is_constant = np.ptp(difference) == 0  # the variance may be above 0 because of rounding
    variance = 0.0 if is_constant else difference.var(ddof=1) * (1 / n + overlap)
    return EstimatedMean(float(difference.mean()), float(variance) ** 0.5, n - 1)


def two_level_test(a: Any, b: Any) -> Outcome:
    """Two-sided test of two models on several draws of training documents from one table.

    It covers new draws of labels, and new documents like those of the table. Unlike
    `paired_t_test`, it knows that all draws are tested on the same documents; with an ``overlap``,
    that test finds almost nothing if the training parts are small.

    Parameters
    ----------
    a, b : array-like of shape (n_draws, n_documents)
        Score of each model for each document, such as 1 for a right answer and 0 for a wrong one;
        NaN for a document that was not tested in a draw.

    Returns
    -------
    Outcome
        t with n_draws - 1 degrees of freedom, and p; 0 and 1 if there is no difference at all.

    Examples
    --------
    >>> import numpy as np
    >>> from honeybayes.evaluate import two_level_test
    >>> rng = np.random.default_rng(0)
    >>> a, b = rng.random((10, 500)) < 0.85, rng.random((10, 500)) < 0.75
    >>> two_level_test(a, b).p_value < 0.001
    True
    """
    return estimate_two_levels(np.asarray(a, float) - np.asarray(b, float)).test()


def estimate_two_levels(differences: np.ndarray) -> EstimatedMean:
    """Return the mean of differences of shape (n_draws, n_documents), NaN if not tested."""
    tested = ~np.isnan(differences)
    n_draws, sizes = len(differences), tested.sum(axis=1)
    if n_draws < 2 or sizes.min() < 2:
        raise ValueError("The test needs at least two draws, and two test documents in each.")
    by_draw = np.nansum(differences, axis=1) / sizes
    rest = np.where(tested, differences - by_draw[:, np.newaxis], 0)
    times = tested.sum(axis=0)
    # products of two different draws: what comes back in another draw is the document's own
    product = (rest.sum(axis=0) ** 2 - (rest**2).sum(axis=0)).sum()
    of_document = max(0.0, product / max(1, (times * (times - 1)).sum()))
    # two different draws share the documents that both test; the mean over all pairs of draws
    shared = ((tested / sizes[:, np.newaxis]).sum(axis=0) ** 2).sum() - (1 / sizes).sum()
    covariance = of_document * shared / (n_draws * (n_draws - 1))
    variance = by_draw.var(ddof=1) / n_draws + covariance
    # Satterthwaite's degrees of freedom would be more; see benchmarks for why they are not used
    return EstimatedMean(float(by_draw.mean()), float(variance) ** 0.5, n_draws - 1)


@described_like(paired_t_test)
def wilcoxon_test(a: Any, b: Any) -> Outcome:
    """Two-sided signed-rank test of Wilcoxon, exact for up to 200 pairs.

    Pairs without a difference are left out. Equal differences get the same average rank, and p is
    computed from these ranks with random signs, so it is also exact if there are ties, unlike
    scipy's ``method="exact"``. With more than 200 pairs, the normal distribution is used.

    Returns
    -------
    Outcome
        The smaller of the two sums of ranks, and p.

    References
    ----------
    Wilcoxon, F. (1945). Individual comparisons by ranking methods. Biometrics Bulletin 1, 80-83.

    Examples
    --------
    >>> from honeybayes.evaluate import wilcoxon_test
    >>> wilcoxon_test([5, 6, 7, 8, 9, 4], [1, 3, 5, 7, 4, 10])
    Outcome(statistic=6.0, p_value=0.4375)
    """
    difference = _differences(a, b)
    difference = difference[difference != 0]
    if not len(difference):
        return Outcome(0.0, 1.0)
    # doubled, because shared ranks may end in .5
    ranks = np.rint(2 * stats.rankdata(np.abs(difference))).astype(int)
    smaller = int(min(ranks[difference > 0].sum(), ranks[difference < 0].sum()))
    # the share of all choices of signs with a sum of positive ranks of at most the smaller one
    step = int(np.gcd.reduce(ranks))  # 2 without ties: then odd sums do not occur
    ranks, most = ranks // step, smaller // step
    if len(ranks) > MOST_EXACT:
        deviation = float((ranks.astype(np.float64) ** 2).sum()) ** 0.5 / 2
        share = float(stats.norm.cdf((most + 0.5 - ranks.sum() / 2) / deviation))
    else:
        of_sum = np.ones(1)
        for rank in ranks:
            of_sum = (np.pad(of_sum, (0, rank)) + np.pad(of_sum, (rank, 0))) / 2
        share = float(of_sum[: most + 1].sum())
    return Outcome(smaller / 2, min(1.0, 2 * share))


def _differences(a: Any, b: Any) -> np.ndarray:
    a, b = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if a.shape != b.shape or a.ndim != 1:
        raise ValueError(f"a and b must be 1-D of equal length; got {a.shape} and {b.shape}.")
    if not (np.isfinite(a).all() and np.isfinite(b).all()):
        raise ValueError("a and b must be finite; a model may have no value of this metric.")
    # without rounding, 0.3 - 0.1 differs from 0.2 - 0.0, and 0.1 + 0.2 from 0.3
    scale = max(np.abs(a).max(initial=0), np.abs(b).max(initial=0)) or 1.0
    return np.round((a - b) / scale, DIGITS) * scale


def critical_difference(n_models: int, n_corpora: int, level: float = 0.05) -> float:
    """Compute the smallest difference of average ranks that is significant in Nemenyi's test.

    Parameters
    ----------
    n_models, n_corpora : int
        Number of models that are ranked, and of corpora.
    level : float, default=0.05
        Probability that at least one pair is significant although no models differ.

    References
    ----------
    Demsar, J. (2006). Statistical comparisons of classifiers over multiple data sets. Journal of
    Machine Learning Research 7, 1-30.

    Examples
    --------
    >>> from honeybayes.evaluate import critical_difference
    >>> round(critical_difference(4, 14), 2)
    1.25
    """
    if n_models < 2 or n_corpora < 1:
        raise ValueError(f"Use at least two models and one corpus; got {n_models=}, {n_corpora=}.")
    q = stats.studentized_range.ppf(1 - level, n_models, np.inf) / 2**0.5
    return float(q * (n_models * (n_models + 1) / (6 * n_corpora)) ** 0.5)
