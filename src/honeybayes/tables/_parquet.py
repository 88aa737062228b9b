"""Rows of Parquet files. Requires pyarrow."""

from collections.abc import Iterator, Mapping
from os import SEEK_CUR, SEEK_END
from pathlib import Path
from typing import IO, Any

from honeybayes.tables import _frames
from honeybayes.tables._files import Growth, check_format, open_seekable
from honeybayes.tables._frames import N_ROWS, Columns, Table, split_columns
from honeybayes.utils.optional import import_optional

BYTE, I32, I64, DOUBLE, BINARY, LIST, STRUCT = 3, 5, 6, 7, 8, 9, 12  # types of Thrift
GROUPS, CHUNKS, CHUNK = (4, LIST), (1, LIST), (3, STRUCT)
N_VALUES, DATA_AT, DICTIONARY_AT = (5, I64), (9, I64), (11, I64)  # of a chunk
KIND, N_UNPACKED, N_PACKED = (1, I32), (2, I32), (3, I32)  # of a page
DATA_PAGES = {0: (5, STRUCT), 3: (8, STRUCT)}  # two versions of pages with values
Struct = dict[tuple[int, int], Any]  # values by number and type of the field


def open_parquet(
    path: Path, format: str, required: Mapping[str, Columns], only_required: bool = False
) -> Table:
    """Open a Parquet file, whose cells keep their values.

    With ``only_required``, other columns are not read, except those that say who gave the labels.
    """
    rows = _read(path, required, only_required)
    schema = next(rows)
    frames = _frames.make_frames(enumerate(rows, start=1), schema.names)
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
            names = schema.names
            _frames.check_columns(str(path), names, required)
            if only_required:
                needed = {each for name in required.values() for each in split_columns(name, names)}
                needed |= {"label", _frames.source_column(str(required.get("label")), names)}
                names = [name for name in names if name in needed]
            leaves = [metadata.schema.column(at) for at in range(metadata.num_columns)]
            _check_pages(path, file, leaves, names)
            # a repeated text stays one object
            texts = [each.path for each in leaves if each.physical_type == "BYTE_ARRAY"]
            table, growth = parquet.ParquetFile(file, read_dictionary=texts), Growth(path)
            yield arrow.schema([schema.field(name) for name in names])
            for batch in table.iter_batches(N_ROWS, columns=names):
                for column in batch.columns:
                    growth.add(_n_written_out(column) if column.type.num_fields else 0)
                yield from zip(*map(_cells, batch.columns), strict=True)
    except (arrow.ArrowException, OSError) as error:
        raise ValueError(f"{path} cannot be read as Parquet: {error}") from error


def _check_pages(path: Path, file: IO[bytes], leaves: list[Any], names: list[str]) -> None:
    """Raise ValueError if the pages of these columns have too much content for the file.

    pyarrow allocates what the head of a page says. It cannot be asked for the sizes, because it
    ends the process if the description of a column is wrong.
    """
    growth, roots = Growth(path), {name.split(".")[0] for name in names}
    file.seek(-8, SEEK_END)
    file.seek(-8 - int.from_bytes(file.read(4), "little"), SEEK_END)
    try:
        for group in _read_struct(file)[GROUPS]:
            for at, chunk in enumerate(group[CHUNKS]):
                leaf = leaves[at]
                # each list or object around a value takes the memory of sixteen shared texts
                n_cells = 0.5 + 8 * (leaf.path.count(".") - leaf.name.count("."))
                is_read = leaf.path.split(".")[0] in roots
                for n_bytes, n_values in _read_pages(file, chunk[CHUNK]) if is_read else ():
                    growth.add(max(n_bytes, leaf.length * n_values), n_cells * n_values)
    except (LookupError, TypeError, OverflowError, RecursionError) as error:
        raise OSError("its pages are not where it says.") from error


def _read_pages(file: IO[bytes], chunk: Struct) -> Iterator[tuple[int, int]]:
    """Yield the unpacked bytes and the number of values of each page."""
    first, dictionary, n_left = chunk[DATA_AT], chunk.get(DICTIONARY_AT, 0), chunk[N_VALUES]
    at = dictionary if 0 < dictionary < first else first
    while n_left > 0:
        file.seek(at)
        page = _read_struct(file)
        data = DATA_PAGES.get(page[KIND])
        n_values = page[data][1, I32] if data else 0
        if min(page[N_UNPACKED], page[N_PACKED], n_values) < 0:
            raise LookupError
        yield page[N_UNPACKED], n_values
        at, n_left = file.tell() + page[N_PACKED], n_left - n_values


def _read_struct(file: IO[bytes]) -> Struct:
    """Read a struct of Thrift's compact protocol, in which Parquet describes itself."""
    fields: Struct = {}
    number = 0
    while head := file.read(1)[0]:
        number = number + (head >> 4) if head >> 4 else _read_value(file, I64)
        if not 0 <= number < 2**15:
            raise LookupError
        fields[number, head & 15] = _read_value(file, head & 15)
    return fields


def _read_value(file: IO[bytes], kind: int, in_list: bool = False) -> Any:
    """Read a value of a type; of what no page needs, only the end."""
    if kind in (1, 2) and not in_list:  # true and false
        return None
    if kind in (1, 2, BYTE, DOUBLE):
        return file.read(8 if kind == DOUBLE else 1)[7 if kind == DOUBLE else 0]
    if kind == STRUCT:
        return _read_struct(file)
    if kind == LIST:
        head = file.read(1)[0]
        n = _read_number(file) if head >> 4 == 15 else head >> 4
        return [_read_value(file, head & 15, in_list=True) for _ in range(n)]
    n = _read_number(file)
    if kind == BINARY:
        return n and file.seek(n - 1, SEEK_CUR) and file.read(1)[0]
    if kind in (4, I32, I64):
        return (n >> 1) ^ -(n & 1)
    raise LookupError


def _read_number(file: IO[bytes]) -> int:
    """Read an integer of at most ten bytes, each with seven bits."""
    number = 0
    for shift in range(0, 70, 7):
        byte = file.read(1)[0]
        number |= (byte & 127) << shift
        if byte < 128:
            return number
    raise LookupError


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
