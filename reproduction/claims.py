"""Which model beats which: the claims of the papers, checked on our own runs."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from honeybayes.evaluate import Comparison, Difference, Result, wilcoxon_test
from reproduction.published import (
    printed_percents,
    published_results,
    published_wilcoxon_marks,
)
from reproduction.rules import describe_paper

LEVEL = 0.05


@dataclass(frozen=True)
class Claim:
    """One model is better than another."""

    paper: str
    better: str
    worse: str
    datasets: tuple[str, ...] = ()  # all of the paper if empty
    least_percent: int = 0  # the smallest training size
    figures: bool = False  # True if it is also about sizes that only the figures have

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
    """A claim, and what our runs say about it.

    ``paired`` and ``corrected`` hold one difference per corpus and size: by the paired t-test,
    which the papers used, and by the corrected resampled t-test, which takes into account that
    trials share documents. ``p_value`` is of Wilcoxon's signed-rank test over the means.
    """

    claim: Claim
    paired: tuple[Difference, ...]
    corrected: tuple[Difference, ...]
    p_value: float

    @property
    def verdict(self) -> str:
        """Whether the claim holds in our runs, by the tests of the papers.

        "holds everywhere" if every place is a win by the paired t-test, "holds over all" if
        Wilcoxon's test over the places says so, "reversed" if it says the opposite, "holds in k of
        n places" if k are wins and none is a loss. Both tests treat trials and sizes of one corpus
        as independent, so they find too much. That is why the losses and the result of the
        corrected test always follow. A place is a corpus with a training size.
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
        wins, _, losses = self.wins()
        if wins == len(self.paired):
            return "holds everywhere"
        if self.p_value <= LEVEL:
            mean = np.mean([difference.mean for difference in self.paired])
            return "holds over all" if mean > 0 else "reversed"
        return (
            f"holds in {wins} of {len(self.paired)} places" if wins > losses == 0 else "not shown"
        )

    def wins(self, corrected: bool = False) -> tuple[int, int, int]:
        """Return wins, ties and losses of the model that is claimed to be better."""
        verdicts = [d.verdict for d in (self.corrected if corrected else self.paired)]
        return verdicts.count("win"), verdicts.count("tie"), verdicts.count("loss")


def check_claims(paper: str, results: Iterable[Result]) -> list[Ordering]:
    """Check the claims of a paper on the results of `reproduce`.

    Training sizes that no table has count only for claims about the figures.
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
    """Keep trials that both models have, if there are at least two: a run may be unfinished."""
    models: dict[tuple, set[str]] = {}
    for result in results:
        models.setdefault(_trial(result), set()).add(result.cell.model)
    common = {trial for trial, names in models.items() if len(names) == 2}
    trials = Counter(trial[:2] for trial in common)
    return [r for r in results if _trial(r) in common and trials[_trial(r)[:2]] > 1]


@dataclass(frozen=True)
class Marks:
    """Wins, ties and losses of a model against another in hmnb's Tables 2 to 4."""

    table: int
    model: str
    other: str
    published: tuple[int, int, int]
    measured: tuple[int, int, int]
    agreeing: int  # corpora with the same mark


def recompute_marks(results: Iterable[Result]) -> list[Marks]:
    """Recompute the marks of hmnb's Tables 2 to 4 by the corrected t-test over the folds.

    Models that were not run on all corpora are left out.
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
    """One of hmnb's Tables 5 to 8, recomputed from our own means."""

    table: int
    models: tuple[str, ...]  # those that were run
    p_values: tuple[tuple[float, ...], ...]  # row by column; NaN on the diagonal
    better: tuple[tuple[int, ...], ...]  # 1 if the row has the larger mean, -1 if the column has
    agreeing: int  # marks that are as published
    marks: int


def recompute_wilcoxon(results: Iterable[Result]) -> list[WilcoxonTable]:
    """Recompute hmnb's Wilcoxon tables for the models that were run on all eleven corpora."""
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
