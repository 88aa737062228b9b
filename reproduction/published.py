"""The published tables, as printed in the papers: rows of the CSV files in ``tables/``."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

TABLES = Path(__file__).with_name("tables")
LEVELS = {"lower": 0.05, "upper": 0.1}  # of hmnb's marks below and above the diagonal


@dataclass(frozen=True)
class PublishedResult:
    """One number of a table. Datasets and models have the names that the paper uses."""

    paper: str
    table: int
    dataset: str
    model: str
    percent: int | None  # of documents for training; None for folds, or if the paper does not say
    metric: str  # "accuracy", "f1" or "auc"
    value: float  # in percent
    deviation: float | None  # of the trials, in percent, if printed
    mark: str  # hmnb only: "win" or "loss" of the paper's own model against this one


@dataclass(frozen=True)
class WilcoxonMark:
    """One mark of hmnb's Tables 5 to 8."""

    table: int
    row: str
    column: str
    mark: str  # "row better", "column better" or "none"
    level: float


@dataclass(frozen=True)
class PublishedGain:
    """How much better a paper's own model is, in percent of the other model's accuracy."""

    paper: str
    table: int
    dataset: str
    versus: str
    percent: int
    gain: float


@cache
def published_results() -> tuple[PublishedResult, ...]:
    """Return the 577 published results, in the order of papers and tables.

    Examples
    --------
    >>> from reproduction.published import published_results
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
def published_gains() -> tuple[PublishedGain, ...]:
    """Return the 121 published gains: hos-2012 Tables 5 to 7, and columns of other tables."""
    return tuple(
        PublishedGain(
            row["paper"],
            int(row["table"]),
            row["dataset"],
            row["versus"],
            int(row["train_percent"]),
            float(row["gain_percent"]),
        )
        for row in _rows("gains.csv")
    )


@cache
def published_wilcoxon_marks() -> tuple[WilcoxonMark, ...]:
    """Return the 132 marks of hmnb's Tables 5 to 8."""
    return tuple(
        WilcoxonMark(
            int(row["table"]),
            row["row_model"],
            row["column_model"],
            row["mark"],
            LEVELS[row["triangle"]],
        )
        for row in _rows("wilcoxon.csv")
    )


def printed_percents(paper: str) -> set[int | None]:
    """Return the training sizes of a paper's tables; its figures may have others."""
    return {cell.percent for cell in published_results() if cell.paper == paper}


def _rows(name: str) -> Iterator[dict[str, str]]:
    return csv.DictReader((TABLES / name).read_text(encoding="utf-8").splitlines())
