"""The output of ``honeybayes predict``: the rows of a table with more columns."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from honeybayes.tables import (
    ENDINGS,
    FORMAT_OF_ENDING,
    OF_OBJECTS,
    Table,
    delimiter_of,
    file_ending,
    open_writer,
    text_writer,
)
from honeybayes.utils.optional import import_optional
from honeybayes.utils.printing import exact


def output_format(path: str | None, table_format: str, as_json: bool) -> str:
    """Return the format to write, according to the ending of the name.

    Standard output, and a file without an ending, have the format of the table.
    """
    ending = "" if path is None else file_ending(path)
    of_objects = table_format in OF_OBJECTS
    if not ending or ending == ".txt":
        format = "json-lines" if of_objects and not ending else "csv"
    elif ending in ENDINGS and (ending != ".parquet" or table_format == "parquet"):
        format = FORMAT_OF_ENDING[ending]
    else:
        raise ValueError(
            f"{path}: {ending} files cannot be written. The ending must be one of "
            f"{', '.join(ENDINGS)}; .parquet only if the table is Parquet; of text files also with "
            ".gz."
        )
    if of_objects and format != "json-lines" and not as_json:
        raise ValueError(
            f"{path}: JSON cannot be written as a table, because its fields may differ. Name a "
            "file that ends in .jsonl."
        )
    return "json-lines" if as_json else format


@contextmanager
def open_output(
    path: str | None,
    format: str,
    table: Table,
    plain_cells: bool,
    columns: Sequence[str],
    numbers: Sequence[str],
    date: int | None = None,
) -> Iterator[Any]:
    """Open standard output, or a file that gets its name when all rows are written.

    Yields the function that writes a frame; ``columns`` and ``numbers`` are for Parquet.
    """
    delimiter = table.delimiter or delimiter_of(table.path)
    if path is not None and "\t" in (delimiter, delimiter_of(path)):
        delimiter = delimiter_of(path)  # tabs in a .tsv file, and none in a .csv file
    if path is None:
        stream: Any = sys.stdout if sys.stdout.isatty() else exact(sys.stdout)
        stream.reconfigure(newline="")
        yield text_writer(stream, format, delimiter, plain_cells)
        stream.flush()
        return
    with open_writer(
        path,
        format=format,
        delimiter=delimiter,
        has_mark=table.has_mark,
        plain_cells=plain_cells,
        date=date,
        schema=None if format != "parquet" else _add_fields(table.schema, columns, numbers),
    ) as write:
        yield write


def _add_fields(schema: Any, columns: Sequence[str], numbers: Sequence[str]) -> Any:
    """Return the types of the old columns, and of the new ones: numbers or strings."""
    pyarrow = import_optional("pyarrow", "parquet")
    types = {True: pyarrow.float64(), False: pyarrow.string()}
    return pyarrow.schema(
        schema.field(name) if name in schema.names else pyarrow.field(name, types[name in numbers])
        for name in columns
    )
