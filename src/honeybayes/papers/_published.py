"""The published tables: rows of the CSV files beside this module, as printed in the papers."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True)
class PublishedResult:
    """One number of a table.

    Parameters
    ----------
    paper : str
        Which paper.
    table : int
        Number of the table.
    dataset, model : str
        As the paper calls them.
    percent : int or None
        Of the documents that train; None for cross-validation, or where the paper does not say.
    metric : {"accuracy", "f1", "auc"}
        What was measured.
    value : float
        In percent.
    deviation : float or None
        Of the trials, in percent, where it is printed.
    mark : {"win", "loss", ""}
        hmnb only: of the paper's own model over this one.
    """

    paper: str
    table: int
    dataset: str
    model: str
    percent: int | None
    metric: str
    value: float
    deviation: float | None
    mark: str


@dataclass(frozen=True)
class WilcoxonMark:
    """One mark of hmnb's Tables 5 to 8.

    Parameters
    ----------
    table : int
        Number of the table.
    row, column : str
        The two models.
    mark : {"row better", "column better", "none"}
        Which is significantly better.
    level : float
        0.05 below the diagonal, 0.1 above it.
    """

    table: int
    row: str
    column: str
    mark: str
    level: float


@dataclass(frozen=True)
class PublishedGain:
    """How much better a paper's own model is than another, in percent of the other's accuracy.

    Parameters
    ----------
    paper : str
        Which paper.
    table : int
        Number of the table.
    dataset, versus : str
        Where, and over which model.
    percent : int
        Of the documents that train.
    gain : float
        In percent.
    """

    paper: str
    table: int
    dataset: str
    versus: str
    percent: int
    gain: float


@cache
def published_gains() -> tuple[PublishedGain, ...]:
    """Return the 121 published gains: hos-2012 Tables 5 to 7, and columns of other tables.

    Returns
    -------
    tuple of PublishedGain

    Examples
    --------
    >>> from honeybayes.papers import published_gains
    >>> published_gains()[0].versus, published_gains()[0].gain
    ('MVNB', 17.98)
    """
    return tuple(
        PublishedGain(
            paper=row["paper"],
            table=int(row["table"]),
            dataset=row["dataset"],
            versus=row["versus"],
            percent=int(row["train_percent"]),
            gain=float(row["gain_percent"]),
        )
        for row in _rows("gains.csv")
    )


@cache
def published_results() -> tuple[PublishedResult, ...]:
    """Return the 577 published results, in the order of papers and tables.

    Returns
    -------
    tuple of PublishedResult

    Examples
    --------
    >>> from honeybayes.papers import published_results
    >>> len(published_results())
    577
    >>> first = published_results()[0]
    >>> first.paper, first.table, first.dataset, first.model, first.value, first.deviation
    ('honb-2009', 2, 'RELIGION', 'NB', 66.0, 5.1)
    """
    return tuple(
        PublishedResult(
            paper=row["paper"],
            table=int(row["table"]),
            dataset=row["dataset"],
            model=row["model"],
            percent=int(row["train_percent"]) if row["train_percent"] else None,
            metric=row["metric"],
            value=float(row["value"]),
            deviation=float(row["std"]) if row["std"] else None,
            mark=row["mark"],
        )
        for row in _rows("results.csv")
    )


@cache
def published_wilcoxon_marks() -> tuple[WilcoxonMark, ...]:
    """Return the 132 marks of hmnb's Tables 5 to 8.

    Returns
    -------
    tuple of WilcoxonMark

    Examples
    --------
    >>> from honeybayes.papers import published_wilcoxon_marks
    >>> published_wilcoxon_marks()[0]
    WilcoxonMark(table=5, row='HMNB', column='MNB', mark='row better', level=0.1)
    """
    levels = {"lower": 0.05, "upper": 0.1}
    return tuple(
        WilcoxonMark(
            table=int(row["table"]),
            row=row["row_model"],
            column=row["column_model"],
            mark=row["mark"],
            level=levels[row["triangle"]],
        )
        for row in _rows("wilcoxon.csv")
    )


def _rows(name: str) -> Iterator[dict[str, str]]:
    text = (files(__package__) / name).read_text(encoding="utf-8")
    return csv.DictReader(text.splitlines())


def printed_percents(paper: str) -> set[int | None]:
    """Training sizes that the tables of a paper have; figures may have others."""
    return {cell.percent for cell in published_results() if cell.paper == paper}
