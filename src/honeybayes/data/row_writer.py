"""Write the rows of a table again, with more columns."""

import csv
import json
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, TextIO

FORMULA = re.compile(r"[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")  # also their wide forms
NUMBER = re.compile(r"[+-]?[0-9]+([.,][0-9]+)*([eE][+-]?[0-9]+)?%?")


def plain_cell(cell: Any) -> Any:
    """Return a cell that no spreadsheet takes for a formula: if needed, after an apostrophe.

    Parameters
    ----------
    cell : object
        A cell. Numbers stay as they are.

    Returns
    -------
    object

    Examples
    --------
    >>> from honeybayes.data.row_writer import plain_cell
    >>> plain_cell("=1+1"), plain_cell("-1.5"), plain_cell("late")
    ("'=1+1", '-1.5', 'late')
    """
    if isinstance(cell, str) and FORMULA.match(cell) and not NUMBER.fullmatch(cell):
        return f"'{cell}"
    return cell


def check_new_columns(
    columns: Collection[str], new: Sequence[str], advice: Mapping[str, str]
) -> None:
    """Raise ValueError if a table has a new column already.

    Parameters
    ----------
    columns : collection of str
        The columns of the table.
    new : sequence of str
        The new columns.
    advice : mapping of str to str
        What to do, by the name of the new column.
    """
    for name in new:
        if name in columns:
            raise ValueError(
                f"The table has a column {name!r} already. {advice.get(name, 'Rename it.')}"
            )


class RowWriter:
    """Writes rows as CSV or JSON lines, with new cells after the old cells.

    Parameters
    ----------
    file : text file
        Where to write.
    columns : sequence of str
        Names of the columns of the table; empty for JSON lines, where each row has its own.
    new : sequence of str
        Names of the new columns. A ValueError is raised if the table has one of them.
    as_json : bool
        Whether to write JSON lines.
    delimiter : str, default=","
        Character between two cells of CSV.
    advice : mapping of str to str, optional
        What to do if the table has a new column already, by its name; for the error message.
    plain_cells : bool, default=False
        Whether to write an apostrophe before cells of CSV that a spreadsheet would run as a
        formula.
    """

    def __init__(
        self,
        file: TextIO,
        columns: Sequence[str],
        new: Sequence[str],
        as_json: bool,
        delimiter: str = ",",
        advice: Mapping[str, str] | None = None,
        plain_cells: bool = False,
    ) -> None:
        self.plain_cells = plain_cells
        self.advice = advice or {}
        check_new_columns(columns, new, self.advice)
        self.file, self.columns, self.new, self.as_json = file, columns, new, as_json
        if as_json:
            if len(set(columns)) < len(columns):
                raise ValueError("Two columns have the same name, which is impossible in JSON.")
        else:
            self.csv = csv.writer(file, delimiter=delimiter, lineterminator="\n")
            self._write_cells([*columns, *new])

    def write(self, row: list[str] | dict[str, Any], cells: Sequence[Any]) -> None:
        """Write one row.

        Parameters
        ----------
        row : list of str or dict
            The cells of the table.
        cells : sequence
            The new cells.
        """
        if not self.as_json:
            self._write_cells([*row, *cells])
            return
        fields = row if isinstance(row, dict) else dict(zip(self.columns, row, strict=True))
        check_new_columns(fields, self.new, self.advice)
        fields = {**fields, **dict(zip(self.new, cells, strict=True))}
        self.file.write(json.dumps(fields, ensure_ascii=False, default=str) + "\n")

    def _write_cells(self, cells: list[Any]) -> None:
        self.csv.writerow(map(plain_cell, cells) if self.plain_cells else cells)
