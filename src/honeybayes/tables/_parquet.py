"""Rows of Parquet files. Requires pyarrow."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from honeybayes.tables._files import Growth, check_format, open_seekable
from honeybayes.tables._frames import (
    N_ROWS,
    Columns,
    Table,
    check_columns,
    make_frames,
    source_column,
    split_columns,
)
from honeybayes.utils.optional import import_optional


def open_parquet(
    path: Path, format: str, required: Mapping[str, Columns], only_required: bool = False
) -> Table:
    """Open a Parquet file, whose cells keep their values.

    With ``only_required``, other columns are not read, except those that say who gave the labels.
    """
    rows = _read(path, required, only_required)
    schema = next(rows)
    frames = make_frames(enumerate(rows, start=1), schema.names)
    return Table(path, format, schema.names, frames, schema=schema)


def _read(path: Path, required: Mapping[str, Columns], only_required: bool) -> Iterator[Any]:
    """Yield the schema of the columns that are read, and then the rows."""
    arrow = import_optional("pyarrow", "parquet")
    try:
        with open_seekable(path) as file:  # once, because it may be a pipe
            head = file.read(64)
            if not head.startswith(b"PAR1"):
                check_format(path, head, "Parquet")
                raise ValueError(f"{path} is not Parquet.")
            parquet = import_optional("pyarrow.parquet", "parquet")
            metadata, schema = parquet.read_metadata(file), parquet.read_schema(file)
            groups = [metadata.row_group(at) for at in range(metadata.num_row_groups)]
            chunks = [each.column(at) for each in groups for at in range(each.num_columns)]
            growth = Growth(path)
            for chunk in chunks:
                growth.add(chunk.total_uncompressed_size, chunk.num_values)
            # a repeated text stays one object
            texts = [each.name for each in schema if arrow.types.is_string(each.type)]
            table = parquet.ParquetFile(file, read_dictionary=texts)
            names = schema.names
            check_columns(str(path), names, required)
            if only_required:
                needed = {each for name in required.values() for each in split_columns(name, names)}
                needed |= {"label", source_column(str(required.get("label")), names)}
                names = [name for name in names if name in needed]
            yield arrow.schema([schema.field(name) for name in names])
            for batch in table.iter_batches(N_ROWS, columns=names):
                yield from zip(*map(_cells, batch.columns), strict=True)
    except (arrow.ArrowException, OSError) as error:
        raise ValueError(f"{path} cannot be read as Parquet: {error}") from error


def _cells(column: Any) -> list[Any]:
    if not hasattr(column, "dictionary"):
        return column.to_pylist()
    texts = column.dictionary.to_pylist()
    return [None if at is None else texts[at] for at in column.indices.to_pylist()]
