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
            _check_claims(Growth(path), metadata)
            # a repeated text stays one object
            leaves = [metadata.schema.column(at) for at in range(metadata.num_columns)]
            texts = [each.path for each in leaves if each.physical_type == "BYTE_ARRAY"]
            table, growth = parquet.ParquetFile(file, read_dictionary=texts), Growth(path)
            names = schema.names
            check_columns(str(path), names, required)
            if only_required:
                needed = {each for name in required.values() for each in split_columns(name, names)}
                needed |= {"label", source_column(str(required.get("label")), names)}
                names = [name for name in names if name in needed]
            yield arrow.schema([schema.field(name) for name in names])
            for batch in table.iter_batches(N_ROWS, columns=names):
                for column in batch.columns:
                    growth.add(_n_written_out(column) if column.type.num_fields else 0)
                yield from zip(*map(_cells, batch.columns), strict=True)
    except (arrow.ArrowException, OSError) as error:
        raise ValueError(f"{path} cannot be read as Parquet: {error}") from error


def _check_claims(growth: Growth, metadata: Any) -> None:
    """Raise ValueError if a file says that it has too much content for its size."""
    for at in range(metadata.num_columns):
        leaf = metadata.schema.column(at)
        # each list or object around a value takes the memory of eight cells
        n_cells = 1 + 8 * (leaf.path.count(".") - leaf.name.count("."))
        for group in range(metadata.num_row_groups):
            chunk = metadata.row_group(group).column(at)
            n_fixed = leaf.length * chunk.num_values  # bytes of values of fixed length
            growth.add(max(chunk.total_uncompressed_size, n_fixed), n_cells * chunk.num_values)


def _n_written_out(column: Any) -> int:
    """Return the bytes of the texts in lists and objects, where a repeated text is not shared."""
    if hasattr(column, "dictionary"):
        compute = import_optional("pyarrow.compute", "parquet")
        lengths = compute.binary_length(column.dictionary).take(column.indices)
        return compute.sum(lengths).as_py() or 0
    if hasattr(column, "keys"):  # a map
        return _n_written_out(column.keys) + _n_written_out(column.items)
    parts = column.flatten() if column.type.num_fields else []
    return sum(map(_n_written_out, parts if isinstance(parts, list) else [parts]))


def _cells(column: Any) -> list[Any]:
    if not hasattr(column, "dictionary"):
        return column.to_pylist()
    column.validate(full=True)  # a broken file may point to texts that are not there
    texts = column.dictionary.to_pylist()
    return [None if at is None else texts[at] for at in column.indices.to_pylist()]
