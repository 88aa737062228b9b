"""Tables in memory: their columns, frames of rows or of other libraries, and their texts."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from honeybayes.exceptions import MissingColumnError
from honeybayes.tables import _files
from honeybayes.utils.labels import is_missing
from honeybayes.utils.messages import did_you_mean
from honeybayes.utils.optional import import_optional

if TYPE_CHECKING:
    from pandas import DataFrame

Columns = str | Sequence[str]  # the name of a column, or names of several
PERSON, MODEL = "person", "model"
PREFIX = "honeybayes_"  # of new columns, if the table has one with the same name
EXACT_BELOW = 2**53  # a larger float may stand for several integers
N_ROWS = 5_000  # of one frame: large enough to be fast, small enough to need little memory

MOST_TITLES = 5  # rows above the names of the columns
LONGEST_NAME = 50  # characters of a name below a title

# which column a user may have meant
Cells = Mapping[str, Sequence[str]]  # those that are not empty, by the name of their column
N_GUESSED = 1_000  # rows that show what a column holds
MOST_VALUES = 50  # of a column that may hold labels
ROWS_PER_VALUE = 3
USUAL_LABELS = ("label", "labels", "class", "category", "topic", "target", "queue")
LETTER = re.compile(r"[^\W\d_]")
DATE = re.compile(r"\d{1,4}([-./])\d{1,2}\1\d{1,4}([T ].*)?")
ID = re.compile(r"\S*\d\S*")


def split_columns(name: Columns, columns: Sequence[str]) -> list[str]:
    """Return the names of one column or several; "a,b" is two columns if there is no such one."""
    if not isinstance(name, str):
        return list(name)
    parts = [part.strip() for part in name.split(",")]
    return parts if name not in columns and set(parts) <= set(columns) else [name]


def find_header(
    rows: Sequence[Sequence[str]],
    required: Mapping[str, Columns],
    below_blank: Collection[int] = (),
) -> int:
    """Return which of the first rows names the columns: titles, with fewer cells, may be above it.

    It is the first row with all required columns. If there is none, it is the first row with
    several cells below rows with one, if all rows after it have as many cells; or else the first.
    Texts with commas below one name look alike, so titles need a blank line below them
    (`below_blank` has the numbers of rows below one), or three rows of three cells or more.
    """
    top = rows[: MOST_TITLES + 1]
    n_cells = [sum(map(bool, row)) for row in top]
    # an empty cell before a filled one is a column without a name, as of the index of pandas
    n_titles = next((at for at, row in enumerate(top) if not all(row[: n_cells[at]])), len(top))
    for at, row in enumerate(top[: n_titles + 1]):
        names = [name for each in required.values() for name in split_columns(each, row)]
        if names and {*names} <= {*row} and all(n < n_cells[at] for n in n_cells[:at]):
            return at
    at = next((at for at, n in enumerate(n_cells[:n_titles]) if n != 1), 0)
    is_alike = len(rows) > at + 1 and {*map(len, rows[at:])} == {n_cells[at]}
    last_blank = max((each for each in below_blank if each < len(rows)), default=0)
    is_clear = 0 < last_blank <= at or (len(rows) >= at + 3 and n_cells[at] > 2)
    is_short = is_alike and max(map(len, rows[at])) <= LONGEST_NAME
    return at if is_clear and is_short else 0


def check_columns(where: str, columns: Sequence[str], required: Mapping[str, Columns]) -> None:
    """Raise an error if a required column is missing or ambiguous; see `open_table`."""
    for argument, name in required.items():
        advice = f"Name the column with {argument}= (--{argument} on the command line)."
        if argument == "pool":
            advice = "The texts of the pool must be in a column of this name, as in the table."
        for each in split_columns(name, columns):
            if each not in columns:
                there = ", ".join(map(repr, columns)) or "none"
                if not each.isascii():
                    advice += " If the letters of the columns are wrong, name the encoding with "
                    advice += f"{_files.OTHERS}."
                error = MissingColumnError(
                    f"{where}: there is no column {each!r}. The columns are: {there}."
                    f"{did_you_mean(each, columns, cutoff=0.7)} {advice}"
                )
                error.column = each
                raise error
            if list(columns).count(each) > 1:
                raise ValueError(f"{where}: two columns are called {each!r}. Rename one of them.")


def source_column(label: str, columns: Collection[str]) -> str:
    """Return the name of the column that says who gave the labels of another column.

    It is "source". If the table has a column "label" which is not the one that is meant, "source"
    belongs to that, and the name starts with the name of the other column: "queue_source".

    >>> from honeybayes.tables import source_column
    >>> source_column("queue", ["text", "queue"]), source_column("queue", ["label", "queue"])
    ('source', 'queue_source')
    """
    if label.startswith(PREFIX) and label.endswith("label"):
        return f"{label.removesuffix('label')}source"
    return f"{label}_source" if label != "label" and "label" in columns else "source"


@dataclass(frozen=True)
class Table:
    """An open table.

    Parameters
    ----------
    path : Path
        The file.
    format : {"csv", "json-lines", "json", "lines", "excel", "ods", "parquet", "arff"}
        Its format.
    columns : list of str
        The names of the columns; empty for JSON, where each object has its own names.
    frames : iterator of DataFrame
        The rows, some thousand at a time, read while iterating. The index numbers their lines in
        the file, or their rows, and is called "line" or "row".
    delimiter : str or None
        The character between two cells; None if the table is not CSV.
    has_mark : bool
        Whether CSV should begin with a byte order mark, because Excel will read it: the file is a
        workbook, or CSV as Excel writes it, with such a mark, semicolons, or not in UTF-8.
    schema : pyarrow.Schema or None
        The types of the columns of Parquet.

    See Also
    --------
    open_table : Opens a table.
    """

    path: Path
    format: str
    columns: list[str]
    frames: Iterator["DataFrame"]
    delimiter: str | None = None
    has_mark: bool = False
    schema: Any = None


def make_frame(
    rows: Sequence[Any],
    columns: Sequence[str] = (),
    numbers: Sequence[int] | None = None,
    unit: str = "row",
) -> "DataFrame":
    """Return rows as a frame whose cells are the same objects; its index numbers the rows.

    Rows are lists of cells, or dicts. A cell is ``pandas.NA`` where a dict has no value.
    """
    import pandas

    numbers = range(1, len(rows) + 1) if numbers is None else numbers
    index = pandas.Index(numbers, name=unit)
    if not rows or not isinstance(rows[0], dict):
        return pandas.DataFrame(rows, index, list(columns), dtype=object)
    names = dict.fromkeys(name for row in rows for name in row)
    cells = {name: [row.get(name, pandas.NA) for row in rows] for name in names}
    return pandas.DataFrame(cells, index, dtype=object)


def make_frames(
    numbered: Iterable[tuple[int, Any]], columns: Sequence[str] = (), unit: str = "row"
) -> Iterator["DataFrame"]:
    """Yield rows, which come with their numbers, in frames."""
    numbered = iter(numbered)
    while batch := list(islice(numbered, N_ROWS)):
        numbers, rows = zip(*batch, strict=True)
        yield make_frame(rows, columns, numbers, unit)


def join_frames(table: Table) -> "DataFrame":
    """Return all rows of a table; a cell is ``pandas.NA`` if an object has no such field."""
    import pandas

    frames = list(table.frames)
    if not frames:
        return make_frame([], table.columns)
    if not table.columns:
        names = list(dict.fromkeys(name for frame in frames for name in frame.columns))
        frames = [each.reindex(columns=names, fill_value=pandas.NA) for each in frames]
    return pandas.concat(frames)


def frame_rows(frame: "DataFrame") -> list[dict[str, Any]]:
    """Return the rows of a frame as dicts without the cells that are NA."""
    import pandas

    return [
        {name: cell for name, cell in zip(frame.columns, row, strict=True) if cell is not pandas.NA}
        for row in frame.to_numpy(dtype=object).tolist()
    ]


def read_texts(frame: "DataFrame", text: Columns, where: object, null: Any = "") -> list[str]:
    """Return the texts of a column, or of several with a blank line between those not empty.

    `null` is used for missing values.
    """
    parts = []
    for name in split_columns(text, list(frame.columns)):
        cells = frame[name].tolist()
        # most tables have only strings, and short ones
        if {*map(type, cells)} - {str} or max(map(len, cells), default=0) > _files.LONGEST_CELL:
            title = text if isinstance(text, str) else ",".join(text)
            cells = [
                _check_text(cell, null, f"{where}, {frame.index.name} {number}, column {title!r}")
                for number, cell in zip(frame.index, cells, strict=True)
            ]
        parts.append(cells)
    if len(parts) == 1:
        return parts[0]
    return ["\n\n".join(filter(str.strip, row)) for row in zip(*parts, strict=True)]


def _check_text(cell: Any, null: Any, where: str) -> str:
    """Return a text; raise ValueError if the cell contains something else."""
    text = null if is_missing(cell) else cell
    if isinstance(text, int) and not isinstance(text, bool):
        text = str(text)
    if not isinstance(text, str):
        raise ValueError(
            f"{where}: a text must be a string, got {cell!r}. "
            "Name the column with the texts with text= (--text on the command line)."
        )
    if len(text) > _files.LONGEST_CELL:
        raise ValueError(
            f"{where}: the text has {len(text)} characters, but at most {_files.LONGEST_CELL} are "
            "allowed. Shorten it, or split it into several texts."
        )
    return text


def exact_integer(value: Any) -> Any:
    """Return a float as an integer if that is exact, and other values unchanged."""
    if not isinstance(value, float):
        return value
    return int(value) if value.is_integer() and abs(value) < EXACT_BELOW else float(value)


def is_frame(value: Any) -> bool:
    """Return True for a table in memory: it has names of columns, or offers itself as Arrow.

    A single column offers itself as Arrow, too, but it has a length and no names.
    """
    if isinstance(value, str | bytes | Path):
        return False
    if hasattr(value, "columns") or hasattr(value, "column_names"):
        return hasattr(value, "__getitem__") or hasattr(value, "__arrow_c_stream__")
    return hasattr(value, "__arrow_c_stream__") and not hasattr(value, "__len__")


def convert_frame(frame: Any) -> "DataFrame":
    """Return a frame of any library as one of pandas; every missing value becomes None."""
    import pandas

    if hasattr(frame, "collect"):  # a query of polars, or a relation that is not run yet
        frame = frame.collect()
    if not hasattr(frame, "__getitem__"):
        frame = import_optional("pyarrow", "parquet").table(frame)
    names = getattr(frame, "column_names", None)
    names = list(frame.columns if names is None else names)
    twins = [each for each in names if names.count(each) > 1]
    if twins:
        raise ValueError(f"Two columns are called {twins[0]!r}. Rename one of them.")
    columns = {}
    for name in names:
        column = frame[name]  # with a method of Arrow, of polars and pandas, or of NumPy
        methods = (getattr(column, each, None) for each in ("to_pylist", "to_list", "tolist"))
        cells = next(filter(None, methods), column.__iter__)()
        columns[str(name)] = [None if is_missing(cell) else cell for cell in cells]
    return pandas.DataFrame(columns, dtype=object).rename_axis("row")


def by_column(records: Iterable[Mapping[str, Any]]) -> Cells:
    """Return the cells that are not empty, by the name of their column."""
    found: dict[str, list[str]] = {}
    for record in records:
        for name, cell in record.items():
            if cell not in (None, ""):
                found.setdefault(name, []).append(str(cell))
    return found


def find_label_column(columns: Cells, besides: Iterable[str | None]) -> str | None:
    """Return a column with few different values, if possible one with a usual name."""
    found = [
        name
        for name, cells in columns.items()
        if name not in besides
        and 1 < (n_values := len(set(cells))) <= MOST_VALUES
        and len(cells) >= ROWS_PER_VALUE * n_values
        and not all(map(DATE.fullmatch, cells))
    ]
    usual = [name for name in found if name.casefold() in USUAL_LABELS]
    return next(iter(usual or found), None)


def find_text_column(columns: Cells, besides: Iterable[str | None]) -> str | None:
    """Return the column with the longest texts, if it has words."""
    length = {
        name: sum(map(len, cells)) / len(cells)
        for name, cells in columns.items()
        if name not in besides and has_words(cells)
    }
    return max(length, key=lambda name: length[name], default=None)


def has_words(texts: Iterable[str]) -> bool:
    """Return False if no text has a letter, as in a column of numbers."""
    return any(map(LETTER.search, texts))


def are_ids(texts: Sequence[str]) -> bool:
    """Return True if all texts differ, and each one is a single word with a digit."""
    return all(ID.fullmatch(text.strip()) for text in texts) and len(set(texts)) == len(texts)
