"""How a table is read: the options that all commands with a table have in common."""

import warnings
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from honeybayes.data.tables import Table, file_ending, open_table

PARQUET = "parquet"


@dataclass(frozen=True)
class Reading:
    """How to read a table; None means that it is detected."""

    format: str | None = None
    delimiter: str | None = None
    encoding: str | None = None
    sheet: str | None = None
    quotes: bool = True

    def of_pool(self) -> "Reading":
        """Return how to read the pool, whose format and sheet are its own."""
        return replace(self, format=None, sheet=None)

    def open(self, table: str, required: Mapping[str, str], keep_blank: bool = False) -> Table:
        """Open a table of any format that is read row by row, also Parquet."""
        ending = file_ending(Path(table))
        if self.format == PARQUET or (not self.format and ending == ".parquet"):
            from honeybayes.data.parquet import open_parquet

            return open_parquet(table, required, all_columns=True)
        return open_table(table, required, **asdict(self), keep_blank=keep_blank)

    def options(self) -> dict[str, Any]:
        """Return the options of `read_corpus`, some of whose formats have no quotes."""
        options: dict[str, Any] = {"delimiter": self.delimiter, "encoding": self.encoding}
        options["sheet"] = self.sheet
        return options if self.quotes else {**options, "quotes": False}


def check_table(table: str, model: str | None = None) -> None:
    """Raise ValueError if the table is a model file, for example because the two are swapped."""
    from honeybayes.files import is_model_file

    if is_model_file(table):
        is_swapped = model is not None and not is_model_file(model)
        swapped = f": {model} and {table} seem to be swapped" if is_swapped else ""
        raise ValueError(f"{table} is a model file, not a table{swapped}.")


def warn(message: str) -> None:
    """Tell the user what was done with the table."""
    warnings.warn(message, UserWarning, stacklevel=3)


def warn_about_empty(n_rows: int, table: str) -> None:
    """Say how many rows have no text."""
    if n_rows:
        warn(f"{table}: {say_rows(n_rows, 'has no text and is', 'have no text and are')} left out.")


def say_rows(n: int, one: str, many: str) -> str:
    """Return a number of rows with the right form of the verb."""
    return f"1 row {one}" if n == 1 else f"{n} rows {many}"
