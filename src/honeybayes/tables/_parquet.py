"""Rows of Parquet files. Requires pyarrow."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from honeybayes.tables._columns import Columns, check_columns, source_column, split_columns
from honeybayes.tables._files import check_format, open_seekable
from honeybayes.tables._frames import N_ROWS, make_frame
from honeybayes.utils.optional import import_optional


def open_parquet(
    path: Path, required: Mapping[str, Columns], only_required: bool
) -> tuple[list[str], Any, Iterator[Any]]:
    """Return the columns, their Arrow schema, and the rows in frames; they keep their values.

    With ``only_required``, other columns are not read, except those that say who gave the labels.
    """
    frames = _frames(path, required, only_required)
    schema = next(frames)
    return schema.names, schema, frames


def _frames(path: Path, required: Mapping[str, Columns], only_required: bool) -> Iterator[Any]:
    """Yield the schema of the columns that are read, and then the frames.

    A pipe can be opened only once.
    """
    arrow = import_optional("pyarrow", "parquet")
    with _errors_explained(path, arrow), open_seekable(path) as file:
        head = file.read(64)
        if not head.startswith(b"PAR1"):
            check_format(path, head, "Parquet")
            raise ValueError(f"{path} is not Parquet.")
        table = import_optional("pyarrow.parquet", "parquet").ParquetFile(file)
        names = table.schema_arrow.names
        check_columns(str(path), names, required)
        if only_required:
            needed = {each for name in required.values() for each in split_columns(name, names)}
            needed |= {"label", source_column(str(required.get("label")), names)}
            names = [name for name in names if name in needed]
        yield arrow.schema([table.schema_arrow.field(name) for name in names])
        first = 1
        for batch in table.iter_batches(N_ROWS, columns=names):
            rows = list(zip(*(column.to_pylist() for column in batch.columns), strict=True))
            yield make_frame(rows, names, range(first, first + len(rows)))
            first += len(rows)


@contextmanager
def _errors_explained(path: Path, arrow: Any) -> Iterator[None]:
    try:
        yield
    except (arrow.ArrowException, OSError) as error:
        raise ValueError(f"{path} cannot be read as Parquet: {error}") from error
