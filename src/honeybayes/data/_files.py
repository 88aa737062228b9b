"""Opening files, and saying plainly what is wrong with them.

Every message names the file and, where there is one, the line and the place in it.
"""

import codecs
import csv
import gzip
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import IO, Any

STANDARD_INPUT = Path("-")  # to mean a file of that name, write its absolute path
GZIP = b"\x1f\x8b"
LONGEST_CELL = 2**31 - 1  # the most that fits in a C long everywhere
WEB_PAGE = "a web page, perhaps an error message of the server: download it again"

# How files begin that come with a wrong ending, and what to do about it.
SIGNATURES = {
    GZIP: "a gzip file: add .gz to its name",
    b"PK\x03\x04": "a zip archive or an Excel workbook: unpack it, or save the sheet as CSV UTF-8",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook: save the sheet as CSV UTF-8",
    b"PAR1": "Parquet: give it the ending .parquet",
    b"\x93NUMPY": "a NumPy array: save a table with the texts and their labels",
    b"%PDF": "a PDF file: extract its text first",
    codecs.BOM_UTF16_LE: "text in UTF-16: save it as UTF-8",
    codecs.BOM_UTF16_BE: "text in UTF-16: save it as UTF-8",
    b"<!doctype html": WEB_PAGE,
    b"<html": WEB_PAGE,
    b"@relation": "ARFF: give it the ending .arff",
    b"{": "JSON: with one object a line, give it the ending .jsonl",
    b"[": "JSON: with one object a line, give it the ending .jsonl",
}


def existing_file(path: str | PathLike[str], or_standard_input: bool = False) -> Path:
    """Return the path of a file that is there and is not empty."""
    path = Path(path)
    if path == STANDARD_INPUT and or_standard_input:
        return path
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder, but a file is wanted.")
    refuse_missing_file(path)
    if path.stat().st_size == 0:
        raise ValueError(f"{path} is empty.")
    return path


def refuse_missing_file(path: Path) -> None:
    """Raise an error if there is no such file, with the near name of one that is there."""
    if not path.parent.is_dir():
        raise FileNotFoundError(f"There is no file {path}, and no folder {path.parent} either.")
    if not path.exists():
        near = near_match(path.name, _files_in(path.parent))
        raise FileNotFoundError(f"There is no file {path}.{near}")


def _files_in(folder: Path) -> list[str]:
    try:
        return [path.name for path in folder.iterdir() if path.is_file()]
    except PermissionError:  # a folder may be entered that may not be listed: there is no hint
        return []


def near_match(name: str, candidates: Iterable[str]) -> str:
    """Return a question to end a message with, or nothing."""
    by_lower_case = {candidate.lower(): candidate for candidate in candidates}
    near = get_close_matches(name.lower(), by_lower_case, n=1)
    return f" Did you mean {by_lower_case[near[0]]!r}?" if near else ""


def refuse_other_form(path: Path, head: bytes, form: str) -> None:
    """Refuse a file that begins like one of another form."""
    head = head.removeprefix(codecs.BOM_UTF8).lstrip().lower()
    for signature, what in SIGNATURES.items():
        if head.startswith(signature.lower()) and not what.startswith(form.split()[0]):
            if path == STANDARD_INPUT:  # which has no ending
                what = what.replace("give it the ending .jsonl", "say format='json-lines'")
            raise ValueError(f"{path} is not {form}. It looks like {what}.")


def refuse_known_content(path: Path) -> None:
    """Refuse a file whose ending tells nothing, but whose beginning tells what to do."""
    if path.is_file() and path.suffix.lower() != ".gz":
        with path.open("rb") as file:
            refuse_other_form(path, file.read(64), "CSV")


@contextmanager
def open_unpacked(path: Path) -> Iterator[IO[bytes] | gzip.GzipFile]:
    """Open a file for reading, through gzip if its name ends in ``.gz``."""
    if path == STANDARD_INPUT:
        yield sys.stdin.buffer
        return
    if path.suffix.lower() != ".gz":
        with path.open("rb") as file:
            yield file
        return
    with path.open("rb") as file:
        if file.read(len(GZIP)) != GZIP:
            raise ValueError(
                f"{path} is not a gzip file, whatever its name says: take .gz off its name."
            )
    try:
        with gzip.open(path) as unpacked:
            yield unpacked
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise ValueError(
            f"{path} is not a whole gzip file ({error}). Copy or download it again."
        ) from error


def check_encoding(path: Path, encoding: str) -> None:
    """Refuse an encoding that Python does not know."""
    try:
        "".encode(encoding)
    except LookupError as error:
        raise ValueError(
            f"{path}: {error}. Name one that Python knows, such as 'utf-8' or 'cp1252'."
        ) from error


def text_lines(
    path: Path,
    form: str,
    encoding: str = "utf-8",
    is_header: Callable[[bytes], bool] = lambda first_line: False,
) -> Iterator[str]:
    """Yield the lines of a text file, each with its line end and without a byte order mark.

    A first line that ``is_header`` knows is not taken for the beginning of another form.
    """
    check_encoding(path, encoding)
    if codecs.lookup(encoding).name == "utf-8-sig":
        encoding = "utf-8"
    if "\n".encode(encoding) != b"\n":
        raise ValueError(f"{path}: lines cannot be told apart in {encoding}. Save it as UTF-8.")
    with open_unpacked(path) as file:
        for number, line in enumerate(file, start=1):
            if number == 1:
                line = line.removeprefix(codecs.BOM_UTF8)
                if not is_header(line):
                    refuse_other_form(path, line, form)
            if b"\0" in line:
                raise ValueError(
                    f"{path}, line {number}, byte {line.index(0) + 1}: a NUL byte, so this is "
                    f"not {form}. Is it text in UTF-16, or no text at all? Save it as UTF-8."
                )
            try:
                yield line.decode(encoding)
            except UnicodeDecodeError as error:
                named = ", or say encoding='cp1252' (Western) or encoding='cp1254' (Turkish)"
                raise ValueError(
                    f"{path}, line {number}, byte {error.start + 1}: "
                    f"0x{line[error.start]:02x} is not {encoding.upper()}. Save the file as UTF-8"
                    f"{named if form in ('CSV', 'TSV') else ''}."
                ) from error


def allow_long_cells() -> None:
    """Lift the limit of Python's csv module, 131,072 characters a cell.

    The limit is one for the whole process. It is raised and never lowered again, for another
    thread may be reading.
    """
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST_CELL))


def corpus_name(path: Path) -> str:
    """Return the name of a file without its endings."""
    return path.name.split(".")[0] or path.name


def require(module: str, extra: str, form: str) -> Any:
    """Import what reads a form, or say how to install it."""
    try:
        return import_module(module)
    except ImportError as error:
        raise ImportError(
            f"{form} files are read with a package that is not installed ({error}). "
            f"Install it with: pip install 'honeybayes[{extra}]'"
        ) from error
