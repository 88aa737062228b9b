"""The output of ``honeybayes predict``: the rows of a table with more columns."""

import gzip
import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

from honeybayes.data.tables import FORMAT_OF_ENDING, file_ending
from honeybayes.utils.printing import exact
from honeybayes.utils.writing import atomic_write


def is_json_output(path: str | None, table_format: str) -> bool:
    """Return True if the output is JSON lines, according to the ending of its name.

    Standard output, and a file without an ending, have the format of the table.
    """
    ending = "" if path is None else file_ending(Path(path))
    if ending == ".parquet" and table_format == "parquet":
        return False
    if not ending:
        return table_format == "json-lines"
    format = FORMAT_OF_ENDING.get(ending)
    if format in (None, "excel"):
        known = [each for each, format in FORMAT_OF_ENDING.items() if format != "excel"]
        raise ValueError(
            f"{path}: {ending} files cannot be written. The ending must be one of "
            f"{', '.join(known)}, also with .gz; or .parquet, if the table is Parquet. Excel opens "
            ".csv files."
        )
    if table_format == "json-lines" and format != table_format:
        raise ValueError(
            f"{path}: JSON lines cannot be written as a table, because their fields may differ. "
            "Name a file that ends in .jsonl."
        )
    return format == "json-lines"


@contextmanager
def open_output(path: str | None, encoding: str, date: int | None = None) -> Iterator[Any]:
    """Open standard output, or a text file that is written atomically."""
    if path is None:
        stream: Any = sys.stdout if sys.stdout.isatty() else exact(sys.stdout)
        stream.reconfigure(newline="")
        yield stream
        stream.flush()
        return
    with atomic_write(path, date=date) as file:
        gzipped = path.lower().endswith(".gz")
        packed = gzip.GzipFile(fileobj=file, mode="wb") if gzipped else nullcontext(file)
        with packed as target:
            # JSON may hold half of a surrogate pair, which UTF-8 cannot encode
            text = io.TextIOWrapper(
                target, encoding=encoding, errors="backslashreplace", newline=""
            )
            yield text
            text.flush()
            text.detach()
