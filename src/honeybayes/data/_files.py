"""Open files, and check that they contain what their name says.

Every error message names the file and, if possible, the line and the position in it.
"""

import codecs
import csv
import gzip
import re
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import IO

from honeybayes.utils.suggestions import check_file_exists

STANDARD_INPUT = Path("-")  # a file with this name can be given by its absolute path
GZIP = b"\x1f\x8b"
LONGEST_CELL = 2**24  # characters; far more than a text to classify has
LONGEST_ROW = 2**26  # bytes or characters; more memory than this is never needed for a row
OPEN_FILE = re.compile(r"/dev/(stdin|fd/\d+)|/proc/(self|\d+)/fd/\d+")
WEB_PAGE = "a web page, perhaps an error message of the server: download the file again"
BARE_CR = re.compile(rb"\r(?!\n)")
QUOTED = re.compile(rb'"[^"]*"')
UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
NOT_CP1252 = (0x81, 0x8D, 0x8F, 0x90, 0x9D)
N_READ = 2**20  # bytes at once
JSON = "JSON: if every line is one object, change its ending to .jsonl"

# The first bytes of files that often have a wrong ending, and what to do.
SIGNATURES = {
    GZIP: "a gzip file: add .gz to its name",
    b"PK\x03\x04": "a zip archive or an Excel workbook: unpack it, change its ending to .xlsx, or "
    "save the sheet as CSV UTF-8",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook: save the sheet as CSV UTF-8",
    b"PAR1": "Parquet: change its ending to .parquet",
    b"\x93NUMPY": "a NumPy array: save a table with the texts and their labels",
    b"%PDF": "a PDF file: extract its text first",
    codecs.BOM_UTF16_LE: "text in UTF-16: save it as UTF-8",
    codecs.BOM_UTF16_BE: "text in UTF-16: save it as UTF-8",
    b"<!doctype html": WEB_PAGE,
    b"<html": WEB_PAGE,
    b"@relation": "ARFF: change its ending to .arff",
    b"{": JSON,
    b"[": JSON,
}


class LongRowError(ValueError):
    """A row is too long; ``start`` is its beginning."""

    def __init__(self, message: str, start: str) -> None:
        super().__init__(message, start)  # both, so that it can be sent to another process
        self.start = start

    def __str__(self) -> str:
        return str(self.args[0])


def is_stream(path: Path) -> bool:
    """Return True for standard input, a named pipe, or a device: they can be read only once."""
    return path == STANDARD_INPUT or (path.exists() and not (path.is_file() or path.is_dir()))


def has_no_ending(path: Path) -> bool:
    """Return True if the name cannot tell the format, as of standard input and ``<(command)``."""
    is_nameless = is_stream(path) or OPEN_FILE.fullmatch(str(path)) is not None
    return path == STANDARD_INPUT or (is_nameless and not file_ending(path))


def existing_file(path: str | PathLike[str], or_standard_input: bool = False) -> Path:
    """Return the path if it is a file that is not empty, or a pipe."""
    path = Path(path)
    if path == STANDARD_INPUT and or_standard_input:
        return path
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder. Give the path of a file.")
    check_file_exists(path)
    if path.is_file() and path.stat().st_size == 0:
        raise ValueError(f"{path} is empty.")
    return path


def file_ending(path: Path) -> str:
    """Return the last ending of a file name in lower case, ignoring ``.gz``."""
    return Path(path.name.lower().removesuffix(".gz")).suffix


def check_format(path: Path, head: bytes, form: str) -> None:
    """Raise ValueError if the first bytes of a file show another format."""
    head = head.removeprefix(codecs.BOM_UTF8).lstrip().lower()
    for signature, what in SIGNATURES.items():
        if head.startswith(signature.lower()) and not what.startswith(form.split()[0]):
            if path == STANDARD_INPUT and what == JSON:
                what = "JSON: if every line is one object, use format='json-lines'"
            raise ValueError(f"{path} is not {form}. It looks like {what}.")


def check_unknown_file(path: Path) -> None:
    """Raise ValueError if a file whose ending is unknown starts like a known format."""
    if path.is_file() and path.suffix.lower() != ".gz":
        with path.open("rb") as file:
            check_format(path, file.read(64), "CSV")


@contextmanager
def open_unpacked(path: Path) -> Iterator[IO[bytes] | gzip.GzipFile]:
    """Open a file for reading; unpack it if its name ends in ``.gz``."""
    if path == STANDARD_INPUT:
        yield sys.stdin.buffer
        return
    with path.open("rb") as file:
        if path.suffix.lower() != ".gz":
            yield file
            return
        if file.peek(len(GZIP))[: len(GZIP)] != GZIP:
            raise ValueError(f"{path} is not a gzip file. Remove .gz from its name.")
        try:
            with gzip.GzipFile(fileobj=file) as unpacked:
                yield unpacked
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise ValueError(
                f"{path} is an incomplete or damaged gzip file ({error}). Copy or download it "
                "again."
            ) from error


@contextmanager
def open_seekable(path: Path) -> Iterator[IO[bytes] | gzip.GzipFile]:
    """Open a file to read at any position; what can be read only once is read into memory."""
    with open_unpacked(path) as file:
        yield BytesIO(file.read()) if is_stream(path) else file


def check_encoding(path: Path, encoding: str) -> None:
    """Raise ValueError if Python does not know the encoding."""
    try:
        "".encode(encoding)
    except LookupError as error:
        raise ValueError(
            f"{path}: {error}. Use an encoding that Python knows, such as 'utf-8' or 'cp1252'."
        ) from error


def detect_encoding(path: Path) -> str:
    """Return "utf-8", "utf-16" (with a byte order mark), or "cp1252" if it is no UTF-8.

    UTF-8 with a few wrong bytes stays UTF-8, so that reading it tells where they are. Standard
    input and pipes cannot be read twice, and are UTF-8.
    """
    if is_stream(path):
        return "utf-8"
    decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
    n_right = n_wrong = 0
    with open_unpacked(path) as file:
        for number, block in enumerate(iter(lambda: file.read(N_READ), b"")):
            if number == 0 and block.startswith(UTF_16):
                return "utf-16"
            text = decoder.decode(block)
            n_wrong += text.count("\ufffd")
            n_right += len(text) - len(text.encode("ascii", "ignore")) - text.count("\ufffd")
            if n_wrong and any(byte in block for byte in NOT_CP1252):
                return "utf-8"
    return "cp1252" if n_wrong > n_right else "utf-8"


def text_lines(
    path: Path,
    form: str,
    encoding: str = "utf-8",
    is_header: Callable[[str], bool] = lambda first_line: False,
) -> Iterator[str]:
    """Yield the lines of a text file with their line ends, without a byte order mark.

    If ``is_header(first_line)`` is true, the first line is not compared with other formats.
    """
    check_encoding(path, encoding)
    if codecs.lookup(encoding).name == "utf-8-sig":
        encoding = "utf-8"
    with open_unpacked(path) as file:
        lines: Iterator[bytes] = iter(lambda: file.readline(LONGEST_ROW + 1), b"")
        if "\n".encode(encoding) != b"\n":  # UTF-16
            lines, encoding = _as_utf_8(path, lines, encoding), "utf-8"
        number = 0
        for number, line in enumerate(_split_at_cr(lines, form), start=1):
            if len(line) > LONGEST_ROW:
                raise LongRowError(
                    f"{path}, line {number}: the line has more than {LONGEST_ROW} bytes, which is "
                    "too long for a row with a text. Shorten it, or break it into lines.",
                    line.decode(encoding, errors="replace"),
                )
            if number == 1:
                line = line.removeprefix(codecs.BOM_UTF8)
                if not is_header(line.decode(encoding, errors="replace")):
                    check_format(path, line, form)
            if b"\0" in line:
                raise ValueError(
                    f"{path}, line {number}, byte {line.index(0) + 1}: found a NUL byte, so this "
                    f"is not {form}. If it is text in UTF-16, save it as UTF-8."
                )
            try:
                yield line.decode(encoding)
            except UnicodeDecodeError as error:
                other = ", or use encoding='cp1252' (Western) or encoding='cp1254' (Turkish)"
                raise ValueError(
                    f"{path}, line {number}, byte {error.start + 1}: 0x{line[error.start]:02x} is "
                    f"not valid {encoding.upper()}. Save the file as UTF-8"
                    f"{other if form in ('CSV', 'TSV') else ''}."
                ) from error
    if number == 0 and form != "text" and is_stream(path):
        raise ValueError(f"{path} is empty.")


def _as_utf_8(path: Path, blocks: Iterator[bytes], encoding: str) -> Iterator[bytes]:
    """Yield the lines of a text in another encoding, such as UTF-16, in UTF-8."""
    decoder = codecs.getincrementaldecoder(encoding)()
    rest = ""
    try:
        for block in chain(blocks, [b""]):
            *lines, rest = (rest + decoder.decode(block, final=not block)).split("\n")
            yield from (f"{line}\n".encode() for line in lines)
            if len(rest) > LONGEST_ROW:  # reported by the caller
                break
    except UnicodeError as error:
        raise ValueError(
            f"{path} is not valid {encoding.upper()} ({error}). Name its encoding with encoding=, "
            f"or save the file as UTF-8."
        ) from error
    if rest:
        yield rest.encode()


def _split_at_cr(lines: Iterator[bytes], form: str) -> Iterator[bytes]:
    """Split lines at CR as well, if the first line shows that CR ends a line.

    In a table, CR inside double quotes is part of a cell.
    """
    first = next(lines, b"")
    if form in ("CSV", "TSV"):
        ends_at_cr = BARE_CR.search(QUOTED.sub(b"", first)) is not None
    else:
        ends_at_cr = form == "text" and not first.endswith(b"\n")
    if not ends_at_cr:
        yield from chain([first] if first else [], lines)
        return
    rest = b""
    for block in chain([first], lines):  # not a line, if CR ends lines
        found = (rest + block).splitlines(keepends=True)
        is_complete = not found or found[-1].endswith((b"\r", b"\n"))
        rest = b"" if is_complete else found.pop()
        yield from found
        if len(rest) > LONGEST_ROW:  # reported by the caller
            break
    if rest:
        yield rest


def allow_long_cells() -> None:
    """Raise the limit of Python's csv module, which is 131,072 characters per cell.

    The limit is global and stays raised, because another thread may be reading.
    """
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST_ROW))


def corpus_name(path: Path) -> str:
    """Return the name of a file without its endings."""
    return path.name.split(".")[0] or path.name
