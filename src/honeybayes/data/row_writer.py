"""Write the rows of a table again, with more columns."""

import csv
import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any, TextIO


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
    """

    def __init__(
        self,
        file: TextIO,
        columns: Sequence[str],
        new: Sequence[str],
        as_json: bool,
        delimiter: str = ",",
        advice: Mapping[str, str] | None = None,
    ) -> None:
        self.advice = advice or {}
        self._check_new(columns, new)
        self.file, self.columns, self.new, self.as_json = file, columns, new, as_json
        if as_json:
            if len(set(columns)) < len(columns):
                raise ValueError("Two columns have the same name, which is impossible in JSON.")
        else:
            self.csv = csv.writer(file, delimiter=delimiter, lineterminator="\n")
            self.csv.writerow([*columns, *new])

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
            self.csv.writerow([*row, *cells])
            return
        fields = row if isinstance(row, dict) else dict(zip(self.columns, row, strict=True))
        self._check_new(fields, self.new)
        fields = {**fields, **dict(zip(self.new, cells, strict=True))}
        self.file.write(json.dumps(fields, ensure_ascii=False) + "\n")

    def _check_new(self, columns: Collection[str], new: Sequence[str]) -> None:
        for name in new:
            if name in columns:
                advice = self.advice.get(name, "Rename it.")
                raise ValueError(f"The table has a column {name!r} already. {advice}")
