"""Tables of text: CSV and TSV."""

import csv
from collections.abc import Iterable, Iterator, Mapping, Set
from os import PathLike
from pathlib import Path
from typing import Any

from honeybayes.data._collector import DocumentCollector, column_position
from honeybayes.data._corpus import Corpus
from honeybayes.data._files import allow_long_cells, existing_file, text_lines

TAB_ENDINGS = {".tsv", ".tab"}


def read_csv(
    path: str | PathLike[str],
    text: str = "text",
    label: str = "label",
    *,
    delimiter: str | None = None,
    quotes: bool = True,
    encoding: str = "utf-8",
    keep_unlabeled: bool = False,
) -> Corpus:
    r"""Read texts from a table in CSV or TSV, plain or gzipped, whose first line names the columns.

    Parameters
    ----------
    path : str or path-like
        A name that ends in ``.gz`` is taken as gzipped; ``-`` is the standard input.
    text, label : str
        The columns that hold the text and the class of a document. Other columns are ignored, and
        so are blank lines and white space around a label.
    delimiter : str, optional
        What stands between two cells: a tab in a file that ends in ``.tsv`` or ``.tab``, a comma
        in others, unless it is said here.
    quotes : bool, default=True
        Whether a cell may stand in double quotes, and then hold delimiters, line breaks and, each
        doubled, quotes; so too in TSV, where a quoted cell is refused if each of its lines could
        be a row. False takes quotes as they are.
    encoding : str, default="utf-8"
        Such as ``"cp1252"`` or ``"cp1254"`` for what Excel writes in the West and in Turkey. A
        byte order mark is skipped.
    keep_unlabeled : bool, default=False
        Keep documents whose label is empty, with an empty string as their label. By default they
        are refused.

    Returns
    -------
    Corpus
        Named after the file.

    Raises
    ------
    ValueError
        Names the file, the line and the column.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from honeybayes.data import read_csv
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "mail.csv")
    ...     _ = path.write_text('queue,body\ndelivery,"Late, again"\nbilling,Charged twice\n')
    ...     corpus = read_csv(path, text="body", label="queue")
    >>> corpus.documents
    ['Late, again', 'Charged twice']
    """
    _, (text_at, label_at), rows = open_table(
        path, {"text": text, "label": label}, delimiter, quotes, encoding
    )
    documents = DocumentCollector(Path(path), text, label, keep_empty=keep_unlabeled)
    for line, row in rows:
        documents.add(line, row[text_at], row[label_at])
    return documents.corpus()


def delimiter_of(path: str | PathLike[str]) -> str:
    """Tell by its ending what stands between the cells of a table."""
    path = Path(path)
    ending = path.with_suffix("").suffix if path.suffix.lower() == ".gz" else path.suffix
    return "\t" if ending.lower() in TAB_ENDINGS else ","


def open_table(
    path: str | PathLike[str],
    wanted: Mapping[str, str],
    delimiter: str | None = None,
    quotes: bool = True,
    encoding: str = "utf-8",
    keep_blank: bool = False,
) -> tuple[list[str], list[int], Iterator[tuple[int, list[str]]]]:
    """Begin to read a table of text.

    Parameters
    ----------
    path, delimiter, quotes, encoding
        As of :func:`read_csv`.
    wanted : mapping
        From the argument that names a column to the name of the column.
    keep_blank : bool, default=False
        Keep rows of nothing but blank cells. Blank lines are no rows.

    Returns
    -------
    header : list of str
        The names of the columns.
    positions : list of int
        Where the wanted columns stand.
    rows : iterator over (int, list of str)
        The line on which a row begins, and its cells: one for each column.
    """
    path, names = existing_file(path, or_standard_input=True), set(wanted.values())
    delimiter = delimiter or delimiter_of(path)
    if len(delimiter) != 1 or delimiter in '"\r\n':
        raise ValueError(
            f"{path}: a delimiter is one character, no quote and no line end, got {delimiter!r}."
        )

    def is_header(line: bytes) -> bool:
        cells = line.decode(encoding, errors="replace").split(delimiter)
        return names <= {cell.strip().strip('"') for cell in cells}

    lines = text_lines(path, "TSV" if delimiter == "\t" else "CSV", encoding, is_header)
    rows = _rows(lines, path, delimiter, quotes, keep_blank)
    line, first = next(rows, (1, []))
    header = [name.strip() for name in first]
    where = f"{path}, line {line}"
    _refuse_other_delimiter(where, header, delimiter, names)
    positions = [
        column_position(where, name, header, argument) for argument, name in wanted.items()
    ]
    return header, positions, _of_one_length(rows, path, len(header), delimiter)


def _of_one_length(
    rows: Iterator[tuple[int, list[str]]], path: Path, n_columns: int, delimiter: str
) -> Iterator[tuple[int, list[str]]]:
    for line, row in rows:
        if len(row) != n_columns:
            raise ValueError(
                f"{path}, line {line}: {len(row)} cell(s), but the first line names "
                f"{n_columns} columns. A cell that holds {delimiter!r} or a line break must "
                f"stand in double quotes."
            )
        yield line, row


def _rows(
    lines: Iterable[str], path: Path, delimiter: str, quotes: bool, keep_blank: bool
) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows, each with the line on which it begins."""
    allow_long_cells()
    dialect: dict[str, Any] = {"quoting": csv.QUOTE_MINIMAL if quotes else csv.QUOTE_NONE}
    taken: list[str] = []  # the lines of one row

    def noted() -> Iterator[str]:
        for line in lines:
            taken.append(line)
            yield line

    reader = csv.reader(noted(), delimiter=delimiter, strict=True, **dialect)
    while True:
        taken.clear()
        line = reader.line_num + 1
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            if "\r" in str(error) or "new-line" in str(error):
                hint = "Lines must end with a line feed: save the file again with Unix line ends."
            else:
                hint = (
                    "A quote that is opened must be closed, and quotes inside of it are doubled. "
                    "If quotes mean nothing in this file, say quotes=False."
                )
            raise ValueError(f"{path}, line {line}: {error}. {hint}") from error
        if delimiter == "\t" and _could_be_rows(taken, len(row)):
            raise ValueError(
                f"{path}, line {line}: a quoted cell holds tabs and line breaks, so that "
                f"{len(taken)} lines make one row. Quotes are taken as in CSV: if they mean "
                f"nothing in this file, say quotes=False; else take the tabs out of the cell."
            )
        if any(cell.strip() for cell in row) or (keep_blank and row):
            yield line, row


def _could_be_rows(lines: list[str], n_cells: int) -> bool:
    """Tell whether several lines that quotes hold together are as good as rows of their own."""
    filled = [line for line in lines if line.strip()]
    return len(filled) > 1 and all(line.count("\t") == n_cells - 1 for line in filled)


def _refuse_other_delimiter(
    where: str, header: list[str], delimiter: str, wanted: Set[str]
) -> None:
    """Recognize a table with other delimiters by its first line."""
    if wanted <= set(header):
        return
    whole = delimiter.join(header)
    for other in ",;\t|":
        if other != delimiter and wanted <= {name.strip() for name in whole.split(other)}:
            raise ValueError(
                f"{where}: the columns are separated by {other!r}, not by {delimiter!r}: "
                f"say delimiter={other!r}."
            )
