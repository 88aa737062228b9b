"""Open files, check that they contain what their name says, and read texts in blocks of lines.

Every error message names the file and, if possible, the line and the position in it.
"""

import codecs
import gzip
import io
import re
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import IO, Any

from honeybayes.utils.suggestions import check_file_exists

STANDARD_INPUT = Path("-")  # a file with this name can be given by its absolute path
GZIP = b"\x1f\x8b"
LONGEST_CELL = 2**24  # characters; far more than a text to classify has
LONGEST_ROW = 2**26  # characters; more memory than this is never needed for a row
LARGEST_JSON = 2**30  # bytes of a list of objects, which is in memory as a whole
N_HEAD = 2**20  # bytes that show the encoding, and that are read at once
OPEN_FILE = re.compile(r"/dev/(stdin|fd/\d+)|/proc/(self|\d+)/fd/\d+")
WEB_PAGE = "a web page, perhaps an error message of the server: download the file again"
BARE_CR = re.compile(rb"\r(?!\n)")
QUOTED = re.compile(rb'"[^"]*"')
MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
NOT_CP1252 = (0x81, 0x8D, 0x8F, 0x90, 0x9D)
JSON = "JSON: if every line is one object, change its ending to .jsonl; of a list, to .json"
OTHER_ENCODINGS = ", or use encoding='cp1252' (Western) or encoding='cp1254' (Turkish)"

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


@dataclass(frozen=True)
class TextFile:
    """An open text file: its first bytes, its encoding, and its lines in blocks."""

    path: Path
    head: bytes
    encoding: str
    blocks: Iterator[io.StringIO]

    @property
    def lines(self) -> Iterator[str]:
        """The lines with their ends."""
        return chain.from_iterable(self.blocks)

    @property
    def has_mark(self) -> bool:
        """Whether the file starts with a byte order mark."""
        return self.head.startswith(MARKS)


def is_stream(path: str | PathLike[str]) -> bool:
    """Return True for standard input, a named pipe, or a device: they can be read only once."""
    path = Path(path)
    return path == STANDARD_INPUT or (path.exists() and not (path.is_file() or path.is_dir()))


def has_no_ending(path: Path) -> bool:
    """Return True if the name cannot tell the format, as of standard input and ``<(command)``."""
    is_nameless = is_stream(path) or OPEN_FILE.fullmatch(str(path)) is not None
    return path == STANDARD_INPUT or (is_nameless and not file_ending(path))


def existing_file(path: str | PathLike[str]) -> Path:
    """Return the path if it is a file that is not empty, or a pipe."""
    path = Path(path)
    if path == STANDARD_INPUT:
        return path
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder. Give the path of a file.")
    check_file_exists(path)
    if path.is_file() and path.stat().st_size == 0:
        raise ValueError(f"{path} is empty.")
    return path


def file_ending(path: str | PathLike[str]) -> str:
    """Return the last ending of a file name in lower case, ignoring ``.gz``."""
    return Path(Path(path).name.lower().removesuffix(".gz")).suffix


def file_title(path: Path) -> str:
    """Return the name of a file without its endings."""
    return path.name.split(".")[0] or path.name


def check_format(path: Path, head: bytes, form: str) -> None:
    """Raise ValueError if the first bytes of a file show another format."""
    head = head[:64].removeprefix(codecs.BOM_UTF8).lstrip().lower()
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
def open_unpacked(path: Path) -> Iterator[Any]:
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
def open_seekable(path: Path) -> Iterator[IO[bytes]]:
    """Open a file to read at any position; what can be read only once is read into memory."""
    with open_unpacked(path) as file:
        yield io.BytesIO(file.read()) if is_stream(path) else file


def open_text(path: Path, form: str, encoding: str | None = None) -> TextFile:
    """Open a text file. By default, its first bytes show the encoding; each byte is read once."""
    if encoding is not None:
        check_encoding(path, encoding)
        encoding = encoding if codecs.lookup(encoding).name != "utf-8-sig" else "utf-8"
    blocks = _blocks(path)
    head = next(blocks, b"")
    found = encoding or ("utf-8" if is_stream(path) else _detect_encoding(head))
    return TextFile(path, head, found, _split(path, form, found, chain([head], blocks)))


def read_whole(path: Path, form: str) -> str:
    """Return the content of a text file in UTF-8, which must not be too large for the memory."""
    with open_unpacked(path) as file:
        content = file.read(LARGEST_JSON + 1)
    if len(content) > LARGEST_JSON:
        raise ValueError(
            f"{path} has more than {LARGEST_JSON} bytes. Save it as JSON lines, which are read in "
            "parts."
        )
    return _decode(path, form, content.removeprefix(codecs.BOM_UTF8), "utf-8")


def check_encoding(path: Path, encoding: str) -> None:
    """Raise ValueError if Python does not know the encoding."""
    try:
        "".encode(encoding)
    except LookupError as error:
        raise ValueError(
            f"{path}: {error}. Use an encoding that Python knows, such as 'utf-8' or 'cp1252'."
        ) from error


def _blocks(path: Path) -> Iterator[bytes]:
    with open_unpacked(path) as file:
        # what a pipe has now, because the rest may come much later
        read = file.read1 if is_stream(path) else file.read
        while block := read(N_HEAD):
            yield block


def _detect_encoding(head: bytes) -> str:
    """Return "utf-8", "utf-16" (with a byte order mark), or "cp1252" if it is no UTF-8.

    UTF-8 with a few wrong bytes stays UTF-8, so that reading it tells where they are.
    """
    if head.startswith(MARKS[1:]):
        return "utf-16"
    text = codecs.getincrementaldecoder("utf-8")(errors="replace").decode(head)
    n_wrong = text.count("\ufffd")
    if not n_wrong or any(byte in head for byte in NOT_CP1252):
        return "utf-8"
    n_right = len(text) - len(text.encode("ascii", "ignore")) - n_wrong
    return "cp1252" if n_wrong > n_right else "utf-8"


def _split(path: Path, form: str, encoding: str, blocks: Iterator[bytes]) -> Iterator[io.StringIO]:
    """Yield blocks of whole lines; a line ends at LF, or at CR if the first line shows that."""
    if "\n".encode(encoding) != b"\n":  # UTF-16
        blocks, encoding = _as_utf_8(path, blocks, encoding), "utf-8"
    rest, n_lines, newline = b"", 0, None
    for block in chain(blocks, [b""]):
        found = rest + block
        if newline is None:
            found = found.removeprefix(codecs.BOM_UTF8)
            newline = b"\r" if _ends_at_cr(found, form) else b"\n"
        cut = found.rfind(b"\n") + 1
        if newline == b"\r":
            cut = max(cut, found.rfind(b"\r", 0, -1) + 1)  # LF may follow the last byte
        lines, rest = (found[:cut], found[cut:]) if block else (found, b"")
        if b"\0" in lines or b"\0" in rest:
            line = n_lines + found.count(newline, 0, found.index(0)) + 1
            raise ValueError(
                f"{path}, line {line}: found a NUL byte, so this is not {form}. If it is text in "
                "UTF-16, save it as UTF-8."
            )
        if not lines:
            newline = newline if n_lines else None  # more may be known with the next block
        elif text := _decode(path, form, lines, encoding, n_lines):
            yield io.StringIO(text, "" if newline == b"\r" else "\n")
        n_lines += lines.count(newline or b"\n")
        if len(rest) > LONGEST_ROW:
            raise ValueError(
                f"{path}, line {n_lines + 1}: the line has more than {LONGEST_ROW} bytes, "
                "which is too long for a row with a text. Shorten it, or break it into lines."
            )
    if not n_lines and not found and form != "text" and is_stream(path):
        raise ValueError(f"{path} is empty.")


def _ends_at_cr(head: bytes, form: str) -> bool:
    """Return True if the first line shows that CR ends lines; in quotes it is part of a cell."""
    first = head[: head.find(b"\n") + 1] or head
    if form in ("CSV", "TSV"):
        return BARE_CR.search(QUOTED.sub(b"", first)) is not None
    return form == "text" and not first.endswith(b"\n")


def _as_utf_8(path: Path, blocks: Iterator[bytes], encoding: str) -> Iterator[bytes]:
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        for block in chain(blocks, [b""]):
            if text := decoder.decode(block, final=not block):
                yield text.encode()
    except UnicodeError as error:
        raise ValueError(
            f"{path}: {error}, so this is not valid {encoding.upper()}. Name its encoding with "
            "`encoding`, or save the file as UTF-8."
        ) from error


def _decode(path: Path, form: str, lines: bytes, encoding: str, n_before: int = 0) -> str:
    """Return lines as text, or raise ValueError with the line of a wrong byte, and what to do."""
    try:
        return lines.decode(encoding)
    except UnicodeDecodeError as error:
        before = lines[: error.start]
        line, at = n_before + before.count(b"\n") + 1, error.start - before.rfind(b"\n")
        other = OTHER_ENCODINGS if form in ("CSV", "TSV", "text") else ""
        raise ValueError(
            f"{path}, line {line}, byte {at}: 0x{lines[error.start]:02x} is not valid "
            f"{encoding.upper()}. Save the file as UTF-8{other}."
        ) from error
