"""One reader for all tables: whole, in frames of some rows, or as labeled documents."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from honeybayes.tables import _files, _frames
from honeybayes.tables._corpus import Corpus, corpus_of, without_blank
from honeybayes.tables._counts import open_arff, read_arff, read_svmlight
from honeybayes.tables._delimited import open_delimited, open_lines
from honeybayes.tables._excel import open_sheet
from honeybayes.tables._files import FORMAT_OF_ENDING, detect_format
from honeybayes.tables._frames import N_GUESSED, Cells, Columns, Table
from honeybayes.tables._json import open_json
from honeybayes.tables._parquet import open_parquet
from honeybayes.tables._write import write_table
from honeybayes.utils.messages import did_you_mean

if TYPE_CHECKING:
    from pandas import DataFrame

OF_OBJECTS = ("json-lines", "json")
# how to open each format, and with which options
READERS: dict[str, tuple[Any, tuple[str, ...]]] = {
    "csv": (open_delimited, ("delimiter", "quotes", "encoding", "keep_blank")),
    "json-lines": (open_json, ()),
    "json": (open_json, ()),
    "lines": (open_lines, ("encoding",)),
    "excel": (open_sheet, ("sheet",)),
    "ods": (open_sheet, ("sheet",)),
    "parquet": (open_parquet, ("only_required",)),
    "arff": (open_arff, ()),
}
OF_TABLES = ("text", "label", "id", "keep_unlabeled", "keep_model_labels")
OWN_OPTIONS = {"keep_blank", "only_required"}  # `read_corpus` sets them itself


def has_label_column(format: str | None) -> bool:
    """Return True for the formats of tables in which one column may hold labels."""
    return format in READERS and format not in ("lines", "arff")


def read_table(path: str | PathLike[str], **options: Any) -> "DataFrame":
    """Read a table into a data frame, without guessing what its cells mean.

    Parameters
    ----------
    path : str or path-like
        CSV, TSV, JSON lines, JSON, Excel, OpenDocument, Parquet, ARFF, or one text per line
        (``.txt``).
    **options : dict
        As in :func:`open_table`.

    Returns
    -------
    DataFrame
        All cells are strings: ids keep their zeros, and "NA" stays "NA". Only cells of JSON,
        Parquet and ARFF keep their values; ``pandas.NA`` stands where an object of JSON has no such
        field. The index numbers the lines of the file, or the rows.

    See Also
    --------
    write_table : Write a table; with an example.
    """
    return _frames.join_frames(open_table(path, **options))


def open_table(
    path: str | PathLike[str],
    required: Mapping[str, Columns] | None = None,
    *,
    format: str | None = None,
    delimiter: str | None = None,
    quotes: bool = True,
    encoding: str | None = None,
    sheet: str | None = None,
    keep_blank: bool = False,
    only_required: bool = False,
) -> Table:
    """Open a table for reading in frames, and check that it has the required columns.

    Parameters
    ----------
    path : str or path-like
        The file; ``-`` is the standard input. A name that ends in ``.gz`` means a gzipped file.
        It may be a pipe, which is read once. Of a folder, each ``.txt`` file is a row, with the
        columns "file" and "text".
    required : mapping of str to str or list of str, optional
        Maps the name of an argument, for error messages, to the name of a column, or to names of
        several: ``["subject", "body"]``, or ``"subject,body"`` if no column has this name.
    format : {"csv", "json-lines", "json", "lines", "excel", "ods", "parquet", "arff"}, optional
        By default, the format is detected from the ending of the file name. A file of the format
        "lines" has one column, "text", and ``required`` is not checked.
    delimiter : str, optional
        The character between two cells of CSV. By default, a tab in files that end in ``.tsv`` or
        ``.tab``, and a comma in others. If it does not separate the required columns, but a comma,
        a semicolon, a tab or ``|`` does, that one is used.
    quotes : bool, default=True
        Whether double quotes enclose cells of CSV that contain delimiters, line breaks or
        (doubled) quotes. With False, a quote is an ordinary character. In TSV files, a quoted cell
        whose lines could each be a row raises an error.
    encoding : str, optional
        Of CSV and lines, for example ``"cp1254"`` for files that Excel writes in Turkey. By
        default, UTF-16 if the file starts with its byte order mark, UTF-8 if its first MiB is
        valid, and otherwise cp1252, which Excel writes in Western Europe. JSON is always UTF-8. A
        byte order mark is skipped.
    sheet : str, optional
        Name of the sheet of a workbook; by default, the first one.
    keep_blank : bool, default=False
        Whether to keep rows of a CSV file in which all cells are blank. Blank lines are skipped
        in any case, and so are empty rows of a sheet.
    only_required : bool, default=False
        Whether to read only the required columns of Parquet, and those that say who gave labels.

    Raises
    ------
    ValueError
        If the file cannot be read; the message names the file, the line and the column.
    """
    if Path(path).is_dir():
        return _open_letters(Path(path))
    path = _files.existing_file(path)
    format = format or detect_format(path, FORMAT_OF_ENDING | {".arff": "arff"}, nameless="lines")
    if format not in READERS:
        raise ValueError(f"Unknown format {format!r}. The formats are: {', '.join(READERS)}.")
    open_format, names = READERS[format]
    if sheet is not None and "sheet" not in names:
        raise ValueError(f"{path} is read as {format!r}, where `sheet` has no meaning.")
    options = {"delimiter": delimiter, "quotes": quotes, "encoding": encoding, "sheet": sheet}
    options |= {"keep_blank": keep_blank, "only_required": only_required}
    given = {name: options[name] for name in names}
    return open_format(path, format, required or {}, **given)


def read_columns(table: str, **options: Any) -> Cells:
    """Read the first rows of a table again; nothing if they can be read only once."""
    if _files.is_stream(table) or not Path(table).is_file():
        return {}
    first = next(open_table(table, **options).frames, None)
    return {} if first is None else _frames.by_column(_frames.frame_rows(first.head(N_GUESSED)))


def _open_letters(folder: Path) -> Table:
    """Open a folder in which each file is one text."""
    files = _files.find_files(str(folder))
    if not files or any(_files.file_ending(each) != ".txt" for each in files):
        raise ValueError(f"{folder} is a folder, but not of .txt files only. Name a table.")
    rows = ([each.name, _text_of(each, "cp1252")] for each in files)
    columns = ["file", "text"]
    return Table(folder, "lines", columns, _frames.make_frames(enumerate(rows, start=1), columns))


def read_corpus(
    path: Any,
    text: str | Sequence[str] | None = None,
    label: str | None = None,
    format: str | None = None,
    *,
    keep_blank: bool = False,
    **options: Any,
) -> Corpus:
    """Read labeled documents from a file, a folder or a data frame.

    Parameters
    ----------
    path : str, path-like or data frame
        A file: ``.csv``, ``.tsv``, ``.jsonl``, ``.json``, ``.xlsx``, ``.ods``, ``.parquet``,
        ``.arff`` or ``.svmlight``. Text files may be gzipped, ``.csv.gz``; ``-`` is the standard
        input. Or a folder with one sub-folder per class, whose name is the class, with one text
        file per document. Or a frame of pandas or polars, a table of pyarrow, or any object with
        Arrow's ``__arrow_c_stream__``.
    text : str or list of str, default="text"
        The column with the text. The texts of several columns are joined with a blank line:
        ``["subject", "body"]``, or ``"subject,body"`` if no column has this name. In ARFF, by
        default the only string attribute; without any, the numeric attributes are counts of terms.
    label : str, default="label"
        The column with the label. In ARFF, by default the only nominal attribute, or the last
        attribute, as in WEKA.
    format : str, optional
        "csv", "json-lines", "json", "excel", "ods", "folders", "parquet", "arff" or "svmlight"; by
        default, the format of the file's ending.
    keep_blank : bool, default=False
        Whether to keep documents whose text is missing or blank. By default, they are left out,
        with a warning.
    **options : dict
        Of tables: ``id``, the column that names the documents; ``keep_unlabeled``, whether
        documents with an empty label are kept, with an empty string as label (by default an error,
        but kept in data frames); ``keep_model_labels``, whether labels count that a model gave,
        according to the column "source", which ``honeybayes predict`` writes (by default they do).
        Of CSV: ``delimiter``, ``quotes`` and ``encoding``, of workbooks: ``sheet``, all as in
        `open_table`. Of folders: ``fallback_encoding``, of files that are not UTF-8, by default
        "latin-1". Of a data frame: ``name`` of the corpus, by default "frame"; random draws depend
        on it.

    Returns
    -------
    Corpus
        Texts, or a matrix of counts. It is named after the file.

    See Also
    --------
    load_corpus : Load a corpus by its name.
    read_table : Read all columns of a table.
    write_corpus : Write a corpus; with an example.
    """
    of_frame = _frames.is_frame(path)
    where = f"The {type(path).__name__}" if of_frame else str(path)
    format = None if of_frame else format or detect_format(path)
    # which options have a meaning; a frame has no format
    known: dict[str | None, tuple[str, ...]] = {
        each: (*OF_TABLES, *(name for name in names if name not in OWN_OPTIONS))
        for each, (_, names) in READERS.items()
        if has_label_column(each)
    }
    known |= {"folders": ("fallback_encoding",), "arff": ("text", "label"), "svmlight": ()}
    known |= {None: (*OF_TABLES, "name")}
    if format not in known:
        formats = ", ".join(filter(None, known))
        raise ValueError(f"Unknown format {format!r}. The formats are: {formats}.")
    given = {"text": text, "label": label, **options}
    given = {name: value for name, value in given.items() if value is not None}
    for name in given:
        if name not in known[format]:
            raise ValueError(
                f"{where} is read as {format or 'data frame'!r}, where `{name}` has no meaning."
                f"{did_you_mean(name, known[format])}"
            )
    if format == "folders":
        corpus = _read_folders(Path(path), **given)
    elif format == "arff":
        corpus = read_arff(_files.existing_file(path), **given)
    elif format == "svmlight":
        corpus = read_svmlight(_files.existing_file(path))
    else:
        columns: dict[str, Any] = {"text": "text", "label": "label"}
        columns |= {each: given.pop(each) for each in ("text", "label", "id") if each in given}
        keep = {each: given.pop(each) for each in list(given) if each.startswith("keep_")}
        if of_frame:
            frame, name = _frames.convert_frame(path), given.get("name", "frame")
            _frames.check_columns(where, list(frame.columns), columns)
            keep = {"keep_unlabeled": True, "whole_floats": True, **keep}
            corpus = replace(corpus_of(frame, name, **columns, **keep), name=name)
        else:
            given |= {"format": format, "only_required": True}
            frame = _frames.join_frames(open_table(_files.existing_file(path), columns, **given))
            if not len(frame):
                raise ValueError(f"{path} contains no documents.")
            corpus = corpus_of(frame, path, **columns, **keep)
    has_counts = not isinstance(corpus.documents, list)
    return corpus if keep_blank or has_counts else without_blank(corpus, where)


def _read_folders(path: Path, fallback_encoding: str = "latin-1") -> Corpus:
    """Read a folder that has one sub-folder per class with one text file per document.

    Files in deeper folders belong to the class of their sub-folder. Spaces around its name do not
    count. The documents are sorted by class and file name.
    """
    if not path.exists():
        raise FileNotFoundError(f"There is no folder {path}.")
    if not path.is_dir():
        raise NotADirectoryError(f"{path} is a file. Give the path of a folder.")
    class_folders = sorted(p for p in path.iterdir() if p.is_dir() and p.name[0] != ".")
    if not class_folders:
        raise ValueError(
            f"{path} has no sub-folders. Put the text files of each class in one sub-folder with "
            f"the name of the class."
        )
    _files.check_encoding(path, fallback_encoding)
    rows = []
    for folder in class_folders:
        found = (p for p in folder.rglob("*") if p.is_file())
        files = sorted(p for p in found if "/." not in f"/{p.relative_to(path).as_posix()}")
        if not files:
            raise ValueError(f"{folder} contains no files. Remove it, or add files.")
        rows += [[_text_of(file, fallback_encoding), folder.name] for file in files]
    frame = _frames.make_frame(rows, ["text", "label"], unit="file")
    return corpus_of(frame, path, "text", "label", keep_unlabeled=None)


def _text_of(file: Path, fallback_encoding: str) -> str:
    content = file.read_bytes()
    if b"\0" in content:
        raise ValueError(
            f"{file}, byte {content.index(0) + 1}: found a NUL byte, so this is not a text file "
            f"in UTF-8 or {fallback_encoding}. Save it as UTF-8, or remove it from the folder."
        )
    with suppress(UnicodeDecodeError):
        return content.decode("utf-8-sig")
    try:
        return content.decode(fallback_encoding)
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{file}, byte {error.start + 1}: neither UTF-8 nor {fallback_encoding}. "
            f"Set fallback_encoding, or save the file as UTF-8."
        ) from error


def write_corpus(corpus: Corpus, path: str | PathLike[str], *, plain_cells: bool = False) -> None:
    """Write texts and their labels as a table.

    Parameters
    ----------
    corpus : Corpus
        The documents and labels.
    path : str or path-like
        As in :func:`write_table`, with the columns ``text`` and ``label``.
    plain_cells : bool, default=False
        As in :func:`write_table`.

    See Also
    --------
    read_corpus : Read the file again.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from honeybayes.tables import load_corpus, read_corpus, write_corpus
    >>> with TemporaryDirectory() as folder:
    ...     write_corpus(load_corpus("messages"), Path(folder, "mail.csv"))
    ...     read_corpus(Path(folder, "mail.csv"))
    Corpus('mail', 600 texts, 8 classes)
    """
    if not isinstance(corpus.documents, list):
        raise ValueError(
            f"The corpus {corpus.name!r} contains counts, but only texts can be written."
        )
    rows = list(zip(corpus.documents, corpus.labels.tolist(), strict=True))
    write_table(_frames.make_frame(rows, ["text", "label"]), path, plain_cells=plain_cells)
