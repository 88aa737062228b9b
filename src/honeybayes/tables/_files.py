"""Find and open files, check that they contain what their name says, and read lines in blocks.

Every error message names the file and, if possible, the line and the position in it.
"""

import codecs
import gzip
import io
import re
import sys
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from glob import glob, has_magic
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
N_HEAD = 2**20  # bytes that show the encoding
N_BLOCK = 2**16  # bytes that are read at once after it
OPEN_FILE = re.compile(r"/dev/(stdin|fd/\d+)|/proc/(self|\d+)/fd/\d+")
WEB_PAGE = "a web page, perhaps an error message of the server: download the file again"
BARE_CR = re.compile(r"\r(?!\n)")
QUOTED = re.compile(r'"[^"]*"')
MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
NOT_CP1252 = (0x81, 0x8D, 0x8F, 0x90, 0x9D)
JSON = "JSON: if every line is one object, change its ending to .jsonl; of a list, to .json"
OTHER_ENCODINGS = ", or use encoding='cp1252' (Western) or encoding='cp1254' (Turkish)"
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
    """An open text file: its first bytes, its encoding, and its lines with their ends."""

    path: Path
    head: bytes
    encoding: str
    lines: Iterator[str]

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


def file_ending(path: str | PathLike[str]) -> str:
    """Return the last ending of a file name in lower case, ignoring ``.gz``."""
    return Path(Path(path).name.lower().removesuffix(".gz")).suffix


def format_of(path: Path, endings: Mapping[str, str], nameless: str) -> str:
    """Return the format that the ending of a file stands for, or that of pipes without a name."""
    ending = file_ending(path)
    if has_no_ending(path):
        return nameless
    if ending in endings:
        return endings[ending]
    if path.is_file() and path.suffix.lower() != ".gz" and ending != ".arff":
        with path.open("rb") as file:
            check_format(path, file.read(64), "CSV")
    raise ValueError(
        f"{path}: the ending must be one of {', '.join(endings)}, also with .gz; got {ending!r}. "
        f"Rename the file, or set `format` to one of {', '.join(dict.fromkeys(endings.values()))}."
    )


def file_title(path: Path) -> str:
    """Return the name of a file without its endings."""
    return path.name.split(".")[0] or path.name


def is_many(table: str) -> bool:
    """Return True for a folder or a pattern, False for one file and for standard input."""
    path = Path(table)
    return table != "-" and not path.is_file() and (path.is_dir() or has_magic(table))


def find_files(table: str) -> list[Path]:
    """Return the files of a folder or a pattern, sorted; links to nothing are files, too."""
    folder = Path(table)
    if not folder.is_dir():
        return sorted(filter(_is_file, map(Path, glob(table, recursive=True))))
    return [
        each
        for each in sorted(folder.iterdir())
        # other programs write files such as _SUCCESS beside the parts
        if file_ending(each) in FORMAT_OF_ENDING and each.name[0] not in "._" and _is_file(each)
    ]


def _is_file(path: Path) -> bool:
    return path.is_file() or (path.is_symlink() and not path.exists())


def find_class_folders(folder: Path) -> list[Path]:
    """Return the sub-folders of a folder, which may have the texts of one class each."""
    if not folder.is_dir():
        return []
    return sorted(each for each in folder.iterdir() if each.is_dir() and each.name[0] not in "._")


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


def check_format(path: Path, head: bytes, form: str) -> None:
    """Raise ValueError if the first bytes of a file show another format."""
    head = head[:64].removeprefix(codecs.BOM_UTF8).lstrip().lower()
    for signature, what in SIGNATURES.items():
        if head.startswith(signature.lower()) and not what.startswith(form.split()[0]):
            if path == STANDARD_INPUT and what == JSON:
                what = "JSON: if every line is one object, use format='json-lines'"
            raise ValueError(f"{path} is not {form}. It looks like {what}.")


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
        encoding = codecs.lookup(encoding).name.removesuffix("-sig")
    blocks = _blocks(path)
    head = next(blocks, b"")
    if not head and form != "text" and is_stream(path):
        raise ValueError(f"{path} is empty.")
    found = encoding or ("utf-8" if is_stream(path) else _detect_encoding(head))
    content = chain([head.removeprefix(codecs.BOM_UTF8)], blocks)
    return TextFile(path, head, found, _Source(path, form, found, content).lines(head))


def read_json_text(path: Path) -> str:
    """Return the content of a file in UTF-8, which must not be too large for the memory."""
    with open_unpacked(path) as file:
        content = file.read(LARGEST_JSON + 1)
    if len(content) > LARGEST_JSON:
        raise ValueError(
            f"{path} has more than {LARGEST_JSON} bytes. Save it as JSON lines, which are read in "
            "parts."
        )
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = content[: error.start]
        n_lines, n_bytes = before.count(b"\n"), error.start - before.rfind(b"\n") - 1
        raise _wrong_byte(path, "JSON", "utf-8", error, n_lines, n_bytes) from error


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
        size = N_HEAD
        while block := read(size):
            yield block
            size = N_BLOCK


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


def _ends_at_cr(head: bytes, encoding: str, form: str) -> bool:
    """Return True if the first line shows that CR ends lines; in quotes it is part of a cell."""
    text = codecs.getincrementaldecoder(encoding)("replace").decode(head)
    first = text[: text.find("\n") + 1] or text
    if form in ("CSV", "TSV"):
        return BARE_CR.search(QUOTED.sub("", first)) is not None
    return form == "text" and not first.endswith("\n")


class _Source(io.BufferedIOBase):
    """The bytes of a text file, checked while they are read."""

    newline = b"\n"

    def __init__(self, path: Path, form: str, encoding: str, blocks: Iterator[bytes]) -> None:
        self.path, self.form, self.encoding, self.blocks = path, form, encoding, blocks
        self.block = b""
        self.n_lines = self.n_bytes = 0  # before this block: whole lines, and bytes of the next one

    def readable(self) -> bool:
        return True

    def read1(self, size: int | None = -1, /) -> bytes:
        """Return the next block."""
        self.n_lines, self.n_bytes = self._position(self.block, len(self.block))
        if self.n_bytes > LONGEST_ROW:
            raise ValueError(
                f"{self.path}, line {self.n_lines + 1}: the line has more than {LONGEST_ROW} "
                "bytes, too many for a row with a text. Shorten it, or break it into lines."
            )
        self.block = next(self.blocks, b"")
        if b"\0" in self.block and not self.encoding.startswith(("utf-16", "utf-32")):
            line = self._position(self.block, self.block.index(0))[0] + 1
            raise ValueError(
                f"{self.path}, line {line}: found a NUL byte, so this is not {self.form}. If it is "
                "text in UTF-16, save it as UTF-8."
            )
        return self.block

    def _position(self, block: bytes, end: int) -> tuple[int, int]:
        """Return the number of whole lines before a byte of a block, and of bytes after them."""
        n_lines, last = block.count(self.newline, 0, end), block.rfind(self.newline, 0, end)
        return self.n_lines + n_lines, end - last - 1 + (self.n_bytes if last < 0 else 0)

    def lines(self, head: bytes) -> Iterator[str]:
        """Yield the lines with their ends. If the head shows that CR ends lines, it becomes LF."""
        source: Any = self
        newline: str | None = "\n"
        try:
            if _ends_at_cr(head, self.encoding, self.form):
                self.newline, newline = b"\r", None
            yield from io.TextIOWrapper(source, self.encoding, newline=newline)
        except UnicodeError as error:
            n_lines, n_bytes = self.n_lines, self.n_bytes
            if isinstance(error, UnicodeDecodeError):  # after bytes of the block before
                self.n_bytes -= len(error.object) - len(self.block)
                n_lines, n_bytes = self._position(error.object, error.start)
            raise _wrong_byte(
                self.path, self.form, self.encoding, error, n_lines, n_bytes
            ) from error


def _wrong_byte(
    path: Path, form: str, encoding: str, error: UnicodeError, n_lines: int, n_bytes: int
) -> ValueError:
    """Return an error with the position of a wrong byte, and what to do."""
    other = OTHER_ENCODINGS if form in ("CSV", "TSV", "text") else ""
    what = f"not valid {encoding.upper()}. Save the file as UTF-8{other}."
    if not isinstance(error, UnicodeDecodeError) or encoding == "utf-16":
        return ValueError(f"{path}: {error}, so this is {what}")
    wrong = error.object[error.start]
    return ValueError(f"{path}, line {n_lines + 1}, byte {n_bytes + 1}: 0x{wrong:02x} is {what}")
