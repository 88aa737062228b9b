"""Parquet files: their rows as a table, and the same rows with more columns. Requires pyarrow."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import Any, BinaryIO

from honeybayes.data._collector import (
    Columns,
    column_position,
    column_title,
    join_columns,
    split_columns,
)
from honeybayes.data._files import check_format, existing_file, open_seekable
from honeybayes.data.row_writer import check_new_columns
from honeybayes.data.sources import source_column
from honeybayes.data.tables import Row, Table
from honeybayes.utils.optional import import_optional

BATCH_SIZE = 2_000  # rows that are in memory at one time


def open_parquet(
    path: str | PathLike[str], required: Mapping[str, Columns], all_columns: bool = False
) -> Table:
    """Open a Parquet file for reading and check that it has the required columns.

    Parameters
    ----------
    path : str or path-like
        The file.
    required : mapping of str to str or list of str
        As in :func:`honeybayes.data.tables.open_table`.
    all_columns : bool, default=False
        Whether to read all columns, and null in a required one as an empty string. By default,
        only the required columns are read, and those that say who gave the labels.

    Returns
    -------
    Table
        The columns, and an iterator of the rows.
    """
    path = existing_file(path)
    rows = _parquet_rows(path, required, all_columns)
    columns = next(rows)
    titles = [column_title(name) for name in required.values()]
    return Table(path, "parquet", columns, titles, rows)


def _parquet_rows(path: Path, required: Mapping[str, Columns], all_columns: bool) -> Iterator[Any]:
    """Yield the columns that are read, and then the rows; a pipe can be opened only once."""
    with _errors_explained(path), open_seekable(path) as file:
        head = file.read(64)
        if not head.startswith(b"PAR1"):
            check_format(path, head, "Parquet")
            raise ValueError(f"{path} is not Parquet.")
        table = import_optional("pyarrow.parquet", "parquet").ParquetFile(file)
        names = table.schema_arrow.names
        split = {argument: split_columns(name, names) for argument, name in required.items()}
        for argument, columns in split.items():
            for each in columns:
                column_position(str(path), each, names, argument)
        source = source_column(str(required.get("label")), names)
        needed = {*chain(*split.values()), "label", source}
        read = [name for name in names if all_columns or name in needed]
        yield read
        batches = table.iter_batches(BATCH_SIZE, columns=read)
        rows = (row for each in batches for row in each.to_pylist())
        for number, row in enumerate(rows, start=1):
            where = f"{path}, row {number}"
            if all_columns:  # as the empty cells of other tables
                row |= {name: "" for name in chain(*split.values()) if row[name] is None}
            values = [join_columns([row[at] for at in each], where) for each in split.values()]
            yield Row(number, values, [row[name] for name in read])


@contextmanager
def _errors_explained(path: Path) -> Iterator[None]:
    try:
        yield
    except (import_optional("pyarrow", "parquet").ArrowException, OSError) as error:
        raise ValueError(f"{path} cannot be read as Parquet: {error}") from error


class ParquetRowWriter:
    """Writes the rows of a Parquet file again, with new cells after the old cells.

    The old columns keep their types, because they are copied from the file, not from the rows.

    Parameters
    ----------
    file : binary file
        Where to write.
    source : str or path-like
        The Parquet file with the rows.
    columns : sequence of str
        The columns to copy.
    new : sequence of str
        Names of the new columns. A ValueError is raised if the table has one of them.
    numbers : collection of str
        Those of them that hold numbers, where an empty cell is null. The others hold strings.
    changed : collection of str, default=()
        Old columns to take from the rows, because some of their cells were filled.
    advice : mapping of str to str, optional
        What to do if the table has a new column already, by its name; for the error message.
    """

    def __init__(
        self,
        file: BinaryIO,
        source: str | PathLike[str],
        columns: Sequence[str],
        new: Sequence[str],
        numbers: Collection[str],
        changed: Collection[str] = (),
        advice: Mapping[str, str] | None = None,
    ) -> None:
        check_new_columns(columns, new, advice or {})
        self.arrow, parquet = (
            import_optional(name, "parquet") for name in ("pyarrow", "pyarrow.parquet")
        )
        self.columns, self.new, self.changed = list(columns), list(new), set(changed)
        self.rows: list[tuple[Any, Sequence[Any]]] = []
        self.source = parquet.ParquetFile(source)
        fields = [self.source.schema_arrow.field(name) for name in columns]
        types = {True: self.arrow.float64(), False: self.arrow.string()}
        fields += [self.arrow.field(name, types[name in numbers]) for name in new]
        self.schema = self.arrow.schema(fields)
        self.writer = parquet.ParquetWriter(file, self.schema)
        self.batches = self.source.iter_batches(BATCH_SIZE, columns=self.columns)
        self.batch: Any = next(self.batches, None)

    def write(self, row: list[Any], cells: Sequence[Any]) -> None:
        """Write one row.

        Parameters
        ----------
        row : list
            The cells of the table.
        cells : sequence
            The new cells.
        """
        self.rows.append((row, cells))
        if len(self.rows) == self.batch.num_rows:
            arrays = [self._old(name, at) for at, name in enumerate(self.columns)]
            for at, name in enumerate(self.new):
                cells = [each[at] for _, each in self.rows]
                if self.schema.field(name).type == self.arrow.float64():
                    cells = [None if cell == "" else cell for cell in cells]
                arrays.append(self.arrow.array(cells, self.schema.field(name).type))
            self.writer.write_batch(self.arrow.record_batch(arrays, schema=self.schema))
            self.rows, self.batch = [], next(self.batches, None)

    def _old(self, name: str, at: int) -> Any:
        if name not in self.changed:
            return self.batch.column(name)
        return self.arrow.array([row[at] for row, _ in self.rows], self.schema.field(name).type)

    def close(self) -> None:
        """Write the end of the file, and close the source."""
        self.writer.close()
        self.source.close()
