"""Which model beats which, as the papers claim it, checked on our own runs."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from honeybayes.evaluate import Comparison, Difference, Result, wilcoxon_test
from honeybayes.papers._published import (
    printed_percents,
    published_results,
    published_wilcoxon_marks,
)
from honeybayes.papers._rules import describe_paper

LEVEL = 0.05


@dataclass(frozen=True)
class Claim:
    """One model is better than another.

    Parameters
    ----------
    paper, better, worse : str
        Who says so, of which models.
    datasets : tuple of str
        Where; all of the paper if empty.
    least_percent : int
        From which training size on.
    figures : bool
        Whether it is about the sizes that only the figures have, too.
    """

    paper: str
    better: str
    worse: str
    datasets: tuple[str, ...] = ()
    least_percent: int = 0
    figures: bool = False

    def __str__(self) -> str:
        where = f" on {', '.join(self.datasets)}" if self.datasets else ""
        since = f" from {self.least_percent} % on" if self.least_percent else ""
        sizes = " at all sizes of the figures" if self.figures else ""
        return f"{self.better} over {self.worse}{where}{since}{sizes}"


_NEWSGROUPS = ("RELIGION", "SCIENCE", "POLITICS", "COMP")
CLAIMS = (
    Claim("honb-2009", "HONB", "NB"),
    Claim("honb-2009", "HOSVM", "SVM"),
    Claim("honb-2009", "HONB", "SVM", _NEWSGROUPS),
    Claim("honb-2009", "HONB", "NB", _NEWSGROUPS, figures=True),
    Claim("honb-2009", "HOSVM", "SVM", _NEWSGROUPS, figures=True),
    Claim("honb-tkde", "HONB", "NB"),
    Claim("honb-tkde", "HONB", "SVM", _NEWSGROUPS),
    Claim("honb-tkde", "HONB", "NB", (*_NEWSGROUPS, "WebKB"), figures=True),
    Claim("hos-2012", "HOS", "MVNB", ("20News-18828",), 10),
    Claim("hos-2012", "HOS", "HONB", ("20News-18828",), 10),
    Claim("hos-2012", "HOS", "SVM", ("20News-18828",), 10),
    Claim("ihosk-2014", "SMO-N-IHOSK", "SMO-linear"),
    Claim("hmnb", "HMNB", "MNB"),
    Claim("hmnb", "HCNB", "CNB"),
    Claim("hmnb", "HOVA", "OVA"),
)


@dataclass(frozen=True)
class Ordering:
    """A claim, and what our runs say to it.

    Parameters
    ----------
    claim : Claim
        Who is said to beat whom.
    paired, corrected : tuple of Difference
        Each place by the paired t-test, which is what the papers used, and by the corrected
        resampled one, which knows that trials share documents.
    p_value : float
        Wilcoxon's signed ranks over the means of all places.
    """

    claim: Claim
    paired: tuple[Difference, ...]
    corrected: tuple[Difference, ...]
    p_value: float

    @property
    def verdict(self) -> str:
        """Whether the claim holds, from our runs, by the tests of the papers.

        "holds everywhere" if every place is a win by the paired t-test, "holds over all" if
        Wilcoxon's test over the places says so, "reversed" if it says the opposite, "holds in k of
        n places" if k are wins and none is a loss. Both tests take trials and sizes of one corpus
        for independent, so that they find too much: what the corrected test makes of it, and how
        many places are losses, always follows.
        """
        if not self.paired:
            return "not run"
        n, losses = len(self.paired), self.wins()[2]
        wins, _, corrected_losses = self.wins(corrected=True)
        return (
            f"{self._uncorrected()} by the papers' tests ({losses} losses); corrected: {wins} wins "
            f"and {corrected_losses} losses in {n}"
        )

    def _uncorrected(self) -> str:
        if all(difference.verdict == "win" for difference in self.paired):
            return "holds everywhere"
        if self.p_value <= LEVEL:
            mean = np.mean([difference.mean for difference in self.paired])
            return "holds over all" if mean > 0 else "reversed"
        wins, _, losses = self.wins()
        return (
            f"holds in {wins} of {len(self.paired)} places" if wins > losses == 0 else "not shown"
        )

    def wins(self, corrected: bool = False) -> tuple[int, int, int]:
        """Count the places.

        Parameters
        ----------
        corrected : bool, default=False
            By the corrected test.

        Returns
        -------
        tuple of int
            Wins, ties, losses of the model that is said to be better.
        """
        verdicts = [d.verdict for d in (self.corrected if corrected else self.paired)]
        return verdicts.count("win"), verdicts.count("tie"), verdicts.count("loss")


def check_orderings(paper: str, results: Iterable[Result]) -> list[Ordering]:
    """Check what a paper claims about its models on results of `reproduce`.

    Training sizes that no table has count for claims about the figures alone.

    Parameters
    ----------
    paper : str
        One of `list_papers`.
    results : iterable of Result
        As in `Reproduction.results`.

    Returns
    -------
    list of Ordering
        A claim each; with no places if one of the models was not run.
    """
    kept = list(results)
    return [_check(claim, kept) for claim in CLAIMS if claim.paper == paper]


def _check(claim: Claim, results: list[Result]) -> Ordering:
    rule = describe_paper(claim.paper)
    corpora = {rule.corpora[name] for name in claim.datasets or rule.corpora}
    sizes = printed_percents(claim.paper).union(rule.figure_sizes if claim.figures else ())
    own = [
        result
        for result in results
        if result.cell.corpus in corpora
        and result.cell.model in (claim.better, claim.worse)
        and (rule.folds or claim.least_percent <= _percent(result) in sizes)
    ]
    comparison = Comparison(tuple(_comparable(own)))
    if not comparison.results:
        return Ordering(claim, (), (), float("nan"))
    paired, corrected = (
        tuple(comparison.differences(claim.better, claim.worse, test=test, level=LEVEL))
        for test in ("paired-t", "corrected-t")
    )
    means = [difference.mean for difference in paired]
    p_value = wilcoxon_test(means, np.zeros(len(means))).p_value
    return Ordering(claim, paired, corrected, p_value)


def _percent(result: Result) -> int:
    return int(result.cell.split.split()[0])


def _trial(result: Result) -> tuple[str, str, int, int, int]:
    cell = result.cell
    return cell.corpus, cell.split, cell.seed, cell.repetition, cell.fold


def _comparable(results: list[Result]) -> list[Result]:
    """Keep trials that both models have, where there are two or more: a run may be going on."""
    models: dict[tuple, set[str]] = {}
    for result in results:
        models.setdefault(_trial(result), set()).add(result.cell.model)
    common = {trial for trial, names in models.items() if len(names) == 2}
    trials = Counter(trial[:2] for trial in common)
    return [r for r in results if _trial(r) in common and trials[_trial(r)[:2]] > 1]


@dataclass(frozen=True)
class Marks:
    """A line of wins, ties and losses of hmnb's Tables 2 to 4, published and recomputed.

    Parameters
    ----------
    table : int
        Number of the table.
    model, other : str
        The paper's own model, and its rival.
    published, measured : tuple of int
        Wins, ties, losses of ``model``.
    agreeing : int
        Corpora with the same mark.
    """

    table: int
    model: str
    other: str
    published: tuple[int, int, int]
    measured: tuple[int, int, int]
    agreeing: int


def recompute_marks(results: Iterable[Result]) -> list[Marks]:
    """Recompute the marks of hmnb's Tables 2 to 4 by the corrected t-test over the folds.

    Parameters
    ----------
    results : iterable of Result
        As in `Reproduction.results` of hmnb.

    Returns
    -------
    list of Marks
        A rival each; those that were not run on all corpora are left out.
    """
    kept, lines = list(results), []
    corpora = describe_paper("hmnb").corpora
    for table, model in ((2, "HMNB"), (3, "HCNB"), (4, "HOVA")):
        own = [cell for cell in published_results() if (cell.paper, cell.table) == ("hmnb", table)]
        for other in dict.fromkeys(cell.model for cell in own if cell.model != model):
            ordering = _check(Claim("hmnb", model, other), kept)
            if len(ordering.corrected) < len(corpora):
                continue
            printed = {c.dataset: c.mark or "tie" for c in own if c.model == other}
            ours = {difference.corpus: difference.verdict for difference in ordering.corrected}
            marks = list(printed.values())
            lines.append(
                Marks(
                    table,
                    model,
                    other,
                    (marks.count("win"), marks.count("tie"), marks.count("loss")),
                    ordering.wins(corrected=True),
                    sum(ours[corpus] == mark for corpus, mark in printed.items()),
                )
            )
    return lines


@dataclass(frozen=True)
class WilcoxonTable:
    """One of hmnb's Tables 5 to 8, recomputed from our own means.

    Parameters
    ----------
    table : int
        Number of the table.
    models : tuple of str
        Its models, as far as they were run.
    p_values : tuple of tuple of float
        Of each pair, row by column; NaN on the diagonal.
    better : tuple of tuple of int
        1 where the row has the larger mean, -1 where the column has.
    agreeing, marks : int
        Marks that are as published, of all between these models.
    """

    table: int
    models: tuple[str, ...]
    p_values: tuple[tuple[float, ...], ...]
    better: tuple[tuple[int, ...], ...]
    agreeing: int
    marks: int


def recompute_wilcoxon(results: Iterable[Result]) -> list[WilcoxonTable]:
    """Recompute hmnb's Wilcoxon tables from our own accuracies.

    Parameters
    ----------
    results : iterable of Result
        As in `Reproduction.results` of hmnb.

    Returns
    -------
    list of WilcoxonTable
        For the models that were run on all eleven corpora.
    """
    comparison = Comparison(tuple(results))
    corpora = describe_paper("hmnb").corpora.values()
    means = {}
    for model in comparison.models:
        scores = [comparison.scores(model, (corpus, "10 folds")) for corpus in corpora]
        if all(len(own) for own in scores):
            means[model] = np.array([own.mean() for own in scores])
    tables = []
    for table in (5, 6, 7, 8):
        marks = [mark for mark in published_wilcoxon_marks() if mark.table == table]
        models = tuple(m for m in dict.fromkeys(mark.row for mark in marks) if m in means)
        p_values = tuple(
            tuple(
                float("nan") if a == b else wilcoxon_test(means[a], means[b]).p_value
                for b in models
            )
            for a in models
        )
        better = tuple(
            tuple(int(np.sign(means[a].mean() - means[b].mean())) for b in models) for a in models
        )
        known = [mark for mark in marks if mark.row in means and mark.column in means]
        agreeing = 0
        for mark in known:
            row, column = models.index(mark.row), models.index(mark.column)
            sign = better[row][column] if p_values[row][column] <= mark.level else 0
            agreeing += mark.mark == {1: "row better", -1: "column better", 0: "none"}[sign]
        tables.append(WilcoxonTable(table, models, p_values, better, agreeing, len(known)))
    return tables
