"""Find and open files, check that they contain what their name says, and read texts.

Every error message names the file and, if possible, the line and the position in it.
"""

import codecs
import gzip
import io
import os
import re
import sys
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from glob import escape, glob, has_magic
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import IO, Any, NamedTuple

from honeybayes.utils.messages import check_file_exists

STANDARD_INPUT = Path("-")  # a file with this name can be given by its absolute path
GZIP = b"\x1f\x8b"
LONGEST_CELL = 2**24  # characters; far more than a text to classify has
LONGEST_ROW = 2**25  # characters; more memory than this is never needed for a row
MOST_COLUMNS = 2**14  # as in Excel
GROWTH, FREE = 100, 2**24  # packed files have at most 100 bytes per byte, or 16 MiB in all
BYTES_PER_CELL = 4  # so at most 25 cells per byte, or 4 million in all
LARGEST_JSON = 2**30  # bytes of a list of objects, which is in memory as a whole
N_HEAD = 2**20  # bytes that show the encoding
N_BLOCK = 2**16  # bytes that are read at once after it
OPEN_FILE = re.compile(r"/dev/(stdin|fd/\d+)|/proc/(self|\d+)/fd/\d+")
WEB_PAGE = "a web page, perhaps an error message of the server: download the file again"
BARE_CR = re.compile(r"\r(?!\n)")
QUOTED = re.compile(r'"[^"]*"')
MARK = "\ufeff"  # of the byte order
MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
OTHERS = "encoding= (--read encoding=gb18030, cp1254 ... on the command line)"
TOLD = {  # how to tell what was detected
    "utf-16": "encoding utf-16",
    "cp1252": f"encoding cp1252; if letters are wrong, name another with {OTHERS}",
}
NOT_CP1252 = (0x81, 0x8D, 0x8F, 0x90, 0x9D)
JSON = "JSON: if every line is one object, change its ending to .jsonl; of a list, to .json"
FORMAT_OF_ENDING = {
    ".csv": "csv",
    ".tsv": "csv",
    ".tab": "csv",
    ".jsonl": "json-lines",
    ".ndjson": "json-lines",
    ".json": "json",
    ".txt": "lines",
    ".xlsx": "excel",
    ".xlsm": "excel",
    ".ods": "ods",
    ".parquet": "parquet",
}
# what may hold counts of terms
OF_COUNTS = {".arff": "arff", ".svmlight": "svmlight", ".libsvm": "svmlight"}

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


class TextFile(NamedTuple):
    """An open text file: its first bytes, its encoding, and blocks of lines with their ends."""

    head: bytes
    encoding: str
    blocks: Iterator[list[str]]


def is_stream(path: str | PathLike[str]) -> bool:
    """Return True for standard input, a named pipe, or a device: they can be read only once."""
    path = Path(path)
    return path == STANDARD_INPUT or (path.exists() and not (path.is_file() or path.is_dir()))


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


def check_format(path: Path, head: bytes, form: str) -> None:
    """Raise ValueError if the first bytes of a file show another format."""
    head = head[:64].removeprefix(codecs.BOM_UTF8).lstrip().lower()
    for signature, what in SIGNATURES.items():
        if head.startswith(signature.lower()) and not what.startswith(form.split()[0]):
            if path == STANDARD_INPUT and what == JSON:
                what = "JSON: if every line is one object, use format='json-lines'"
            raise ValueError(f"{path} is not {form}. It looks like {what}.")


def detect_format(
    path: str | PathLike[str], formats: Mapping[str, str] | None = None, nameless: str = "csv"
) -> str:
    """Return the format that the ending of a file stands for, or that of pipes without a name.

    By default, ``formats`` are those of `read_corpus`.
    """
    path, ending = Path(path), file_ending(path)
    if formats is None:
        of_tables = {each: form for each, form in FORMAT_OF_ENDING.items() if form != "lines"}
        formats = of_tables | OF_COUNTS
    if path.is_dir():
        return "folders"
    is_open = is_stream(path) or OPEN_FILE.fullmatch(str(path)) is not None
    if path == STANDARD_INPUT or (is_open and not ending):
        return nameless
    if ending in formats:
        return formats[ending]
    if path.is_file() and path.suffix.lower() not in (".gz", ".arff"):
        with path.open("rb") as file:
            check_format(path, file.read(64), "CSV")
    raise ValueError(
        f"{path}: the ending {ending!r} is unknown. The endings are {', '.join(formats)}, also "
        f"with .gz. Rename the file, or set `format` to one of "
        f"{', '.join(dict.fromkeys(formats.values()))}."
    )


def is_many(table: str) -> bool:
    """Return True for a folder or a pattern, False for one file and for standard input."""
    path = Path(table)
    return table != "-" and not path.is_file() and (path.is_dir() or has_magic(table))


def find_files(table: str) -> list[Path]:
    """Return the files of a folder or a pattern, sorted; links to nothing are files, too."""
    folder, found = Path(table), [*dict.fromkeys(map(Path, _expand(table)))]
    if folder.is_dir():  # other programs write files such as _SUCCESS beside the parts
        found = [each for each in folder.iterdir() if each.name[0] not in "._"]
        found = [each for each in found if file_ending(each) in FORMAT_OF_ENDING]
    return sorted(one for one in found if one.is_file() or (one.is_symlink() and not one.exists()))


def _expand(pattern: str) -> Iterator[str]:
    """Yield what a pattern matches; ``**`` enters each folder once, wherever links lead."""
    parts = Path(pattern).parts
    if "**" not in parts:
        yield from glob(pattern)
        return
    at = parts.index("**")
    seen: set[str] = set()
    for root in glob(str(Path(*parts[:at]))):
        for folder, inner, _ in os.walk(root, followlinks=True):
            real = os.path.realpath(folder)
            inner[:] = [] if real in seen else sorted(name for name in inner if name[0] != ".")
            if real not in seen:
                seen.add(real)
                yield from _expand(os.path.join(escape(folder), *(parts[at + 1 :] or "*")))


def find_class_folders(folder: Path) -> list[Path]:
    """Return the sub-folders of a folder, which may have the texts of one class each."""
    if not folder.is_dir():
        return []
    return sorted(each for each in folder.iterdir() if each.is_dir() and each.name[0] not in "._")


class Growth:
    """How much content a file may have, which must not be too much for its size."""

    def __init__(self, path: Path) -> None:
        self.path, self.n_bytes = path, float("inf")
        if path.is_file():
            self.n_bytes = max(FREE, GROWTH * path.stat().st_size)
        self.n_cells = self.n_bytes / BYTES_PER_CELL

    def add(self, n_bytes: int = 0, n_cells: int = 0) -> None:
        """Raise ValueError if it is too much: the file may have been made to fill the memory."""
        self.n_bytes, self.n_cells = self.n_bytes - n_bytes, self.n_cells - n_cells
        if min(self.n_bytes, self.n_cells) < 0:
            raise ValueError(
                f"{self.path} has more than {GROWTH} times its own size when it is unpacked, so it "
                "may be made to fill the memory. If you trust it, unpack it, or save it as CSV."
            )


@contextmanager
def open_seekable(path: Path) -> Iterator[IO[bytes]]:
    """Open a file to read at any position; what can be read only once is read into memory."""
    if is_stream(path) or path.suffix.lower() == ".gz":
        yield io.BytesIO(b"".join(_blocks(path)))
        return
    with path.open("rb") as file:
        yield file


def open_text(path: Path, form: str, encoding: str | None = None) -> TextFile:
    """Open a text file. By default, its first bytes show the encoding; each byte is read once.

    It is UTF-16 (with a byte order mark), or cp1252 if it is no UTF-8. UTF-8 with a few wrong bytes
    stays UTF-8, so that reading it tells where they are.
    """
    if encoding is not None:
        check_encoding(path, encoding)
        encoding = codecs.lookup(encoding).name.removesuffix("-sig")
    blocks = _blocks(path)
    head = next(blocks, b"")
    if not head and form != "text" and is_stream(path):
        raise ValueError(f"{path} is empty.")
    if encoding is None and not is_stream(path):
        sample = codecs.getincrementaldecoder("utf-8")(errors="replace").decode(head)
        n_wrong = sample.count("\ufffd")
        n_right = len(sample) - len(sample.encode("ascii", "ignore")) - n_wrong
        if head.startswith(MARKS[1:]):
            encoding = "utf-16"
        elif n_wrong > n_right and not any(byte in head for byte in NOT_CP1252):
            encoding = "cp1252"
    encoding = encoding or "utf-8"
    first = head.removeprefix(codecs.BOM_UTF8)  # of a pipe, perhaps no more than the mark
    content = chain([first] if first else [], blocks, [b""])
    return TextFile(head, encoding, _lines(path, form, encoding, content))


def _lines(path: Path, form: str, encoding: str, blocks: Iterator[bytes]) -> Iterator[list[str]]:
    """Yield the lines of each block; the last block of bytes must be empty.

    A line ends at LF. If the first line shows it, a line ends at CR, too.
    """
    decoder = codecs.getincrementaldecoder(encoding)()
    end: str | None = None
    rest: list[str] = []  # what comes after the last whole line
    n_lines, has_zero = 0, False
    for block in blocks:
        has_zero = has_zero or b"\0" in block  # which is found faster in bytes
        try:
            text = decoder.decode(block, final=not block)
        except UnicodeError as error:
            raise _wrong_byte(path, encoding, error, "".join(rest), n_lines) from error
        if end is None:  # the next block may show where the first line ends
            is_long = sum(map(len, rest)) + len(text) >= N_HEAD
            if not block or "\n" in text or "\0" in text or (is_long and "\r" in text):
                text, rest = "".join([*rest, text]).removeprefix(MARK), []
                first = text[: text.find("\n") + 1] or text
                if form in ("CSV", "TSV"):  # in quotes it is part of a cell
                    ends_at_cr = BARE_CR.search(QUOTED.sub("", first)) is not None
                else:
                    ends_at_cr = form == "text" and not first.endswith("\n")
                end = "\r" if ends_at_cr else "\n"
        if end is not None and has_zero and "\0" in text:
            line = n_lines + text.count(end, 0, text.index("\0")) + 1
            raise ValueError(
                f"{path}, line {line}: found a NUL byte, so this is not {form}. If it is text in "
                "UTF-16, save it as UTF-8."
            )
        rest.append(text)
        if end is not None and ("\n" in text or end in text or not block):
            lines = list(io.StringIO("".join(rest), "" if end == "\r" else end))
            # LF may follow after the CR of the last line
            rest = [lines.pop()] if block and not lines[-1].endswith("\n") else []
            n_lines += len(lines)
            yield lines
        if sum(map(len, rest)) > LONGEST_ROW:
            raise ValueError(
                f"{path}, line {n_lines + 1}: the line has more than {LONGEST_ROW} characters, "
                "which is too long for a row with a text. Shorten it, or break it into lines."
            )


def read_json_text(path: Path) -> str:
    """Return the content of a file in UTF-8, which must not be too large for the memory."""
    blocks, size = [], 0
    for block in _blocks(path):
        blocks.append(block)
        size += len(block)
        if size > LARGEST_JSON:
            raise ValueError(
                f"{path} has more than {LARGEST_JSON} bytes. Save it as JSON lines, which are read "
                "in parts."
            )
    try:
        return b"".join(blocks).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _wrong_byte(path, "utf-8", error) from error


def check_encoding(path: Path, encoding: str) -> None:
    """Raise ValueError if Python has no such encoding for texts."""
    try:
        "".encode(encoding)
    except (LookupError, ValueError) as error:  # "undefined" is an encoding that always fails
        raise ValueError(
            f"{path}: {error}. Use an encoding that Python knows, such as 'utf-8' or 'cp1252'."
        ) from error


def _blocks(path: Path) -> Iterator[bytes]:
    """Yield the content of a file; unpack it if its name ends in ``.gz``."""
    size, growth = N_HEAD, Growth(path) if path.suffix.lower() == ".gz" else None
    opened: Any = nullcontext(sys.stdin.buffer) if path == STANDARD_INPUT else path.open("rb")
    with (
        opened as file,
        nullcontext(file) if growth is None else gzip.GzipFile(fileobj=file) as unpacked,
    ):
        if growth is not None and file.peek(len(GZIP))[: len(GZIP)] != GZIP:
            raise ValueError(f"{path} is not a gzip file. Remove .gz from its name.")
        # what a pipe has now, because the rest may come much later
        read = unpacked.read1 if is_stream(path) else unpacked.read
        try:
            while block := read(size):
                if growth is not None:
                    growth.add(len(block))
                yield block
                size = N_BLOCK
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise ValueError(
                f"{path} is an incomplete or damaged gzip file ({error}). Copy or download it "
                "again."
            ) from error


def _wrong_byte(
    path: Path, encoding: str, error: UnicodeError, rest: str = "", n_lines: int = 0
) -> ValueError:
    """Return an error with the position of a wrong byte, and what to do."""
    where, what = f"{path}", f"{error}, so this"
    if isinstance(error, UnicodeDecodeError) and "\n".encode(encoding) == b"\n":  # not UTF-16
        before = rest.encode(encoding) + error.object[: error.start]
        line, at = n_lines + before.count(b"\n") + 1, len(before) - before.rfind(b"\n")
        where, what = f"{path}, line {line}, byte {at}", f"0x{error.object[error.start]:02x}"
    return ValueError(
        f"{where}: {what} is not valid {encoding.upper()}. Save the file as UTF-8, or name the "
        "`encoding` of CSV, such as encoding='cp1252' (Western) or encoding='cp1254' (Turkish)."
    )
