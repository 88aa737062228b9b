"""Break tables on purpose, and read each of them.

Every format has files with broken bytes, and files whose inside is changed: quotes, brackets, rows
and cells without end, numbers that claim more than there is, parts that unpack to very much. Every
file must give one clear error, or a table. Each has a process of its own, with limits on memory and
time; see `benchmarks.fuzz_files`.

    python -m benchmarks.fuzz_tables --files 2000 --seed 0
    python -m benchmarks.fuzz_tables --files 2000 --format parquet
"""

import argparse
import gzip
import io
import json
import re
import subprocess
import sys
import tempfile
import warnings
from collections import Counter
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED

import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa
from pyarrow import parquet

from benchmarks.fuzz_files import break_bytes, change_zip, pack, pick, print_trial, unpack
from honeybayes.tables import read_corpus, read_table

ROWS = [["007", "Late, again", "delivery"], ["8", 'two\nlines "quoted"', "billing"]] * 20
NAMES = ["id", "text", "label"]
RECORDS = [dict(zip(NAMES, row, strict=True)) for row in ROWS]
LONG = 2**24
SIZES = [10, 1000, 10**5, LONG]  # bytes of a piece that is repeated
ODD_NUMBERS = [b"0", b"-1", b"9999999999", b"16384", b"1048576", b"1e308", b"x", b"&#49;000000"]
ODD_PIECES = [b'"', b"'", b"[", b"{", b'{"a":', b",", b";", b"\t", b"\0", b"\r", b"\n", b"\xff"]
ODD_PIECES += ["\u0a0a".encode("utf-16-le"), "\u0301\u0316".encode(), b"x", b" ", b"[],", b"\\"]
ODD_PIECES += [b"<a>", b"<a/>", b"<!ENTITY a 'b'>", b"1:1 ", b"{0 1}\n", b"@attribute a {b}\n"]


def plain_files() -> dict[str, list[bytes]]:
    """Return tables of each format, by its ending."""
    frame = pd.DataFrame(ROWS, columns=NAMES)
    csv = frame.to_csv(index=False)
    lines = "".join(json.dumps(each) + "\n" for each in RECORDS)
    book, ods, buffer = openpyxl.Workbook(), io.BytesIO(), io.BytesIO()
    for row in [NAMES, *ROWS, [7, datetime(2024, 1, 5), True], [None, 1.5, "x"]]:
        book.active.append(row)
    book.save(buffer)
    frame["n"], frame["when"] = 1.5, datetime(2024, 1, 5)
    frame.to_excel(ods, engine="odf", index=False)
    arff = "@relation r\n@attribute text string\n@attribute label {a,b}\n@data\n'x y',a\nz,b\n"
    counts = "@relation r\n@attribute w numeric\n@attribute c {a,b}\n@data\n{0 2}\n{0 1, 1 b}\n"
    return {
        "csv": [csv.encode(), csv.encode("utf-16"), csv.replace(",", ";").encode("cp1252")],
        "tsv": [frame.to_csv(index=False, sep="\t").encode()],
        "jsonl": [lines.encode()],
        "json": [json.dumps(RECORDS).encode()],
        "txt": [lines.encode(), csv.encode("utf-16")],
        "xlsx": [buffer.getvalue()],
        "ods": [ods.getvalue()],
        "parquet": parquet_files(),
        "arff": [arff.encode(), counts.encode()],
        "svmlight": [b"2 1:3 7:1\n1 2:5\n" * 5],
    }


def parquet_files() -> list[bytes]:
    """Return files of several codecs, with nested and repeated columns."""
    columns = {name: [row[at] for row in ROWS] for at, name in enumerate(NAMES)}
    nested = {**columns, "list": [[1, None], []] * 20, "dict": [{"a": 1}, None] * 20}
    same = {"text": pa.array(["x" * 2**20] * 50), "label": pa.array(["a"] * 50)}
    many = {"text": pa.nulls(10**7, pa.string()), "label": pa.nulls(10**7, pa.string())}
    wide = {f"{n}": ["a"] for n in range(500)} | {"text": ["a"], "label": ["b"]}
    longest = {"text": ["x" * LONG], "label": ["a"]}
    long, parts = "x" * 2**20, pa.map_(pa.string(), pa.string())
    inside = {
        "text": ["a"] * 40,
        "label": ["b"] * 40,
        "list": [[long]] * 40,
        "dict": [{"a": long}] * 40,
    }
    inside |= {"map": pa.array([[("a", long)]] * 40, parts), "bytes": [long.encode()] * 40}
    fixed = {**columns, "fixed": pa.array([b"x" * 10**5] * 40, pa.binary(10**5))}
    rows = {name: ["a", "b", "c"] * 10**5 for name in NAMES}
    files = []
    for content in (columns, nested, same, many, wide, longest, inside, fixed, rows):
        for codec in ("snappy", "zstd", "none"):
            buffer = io.BytesIO()
            version = "2.0" if codec == "zstd" else "1.0"
            parquet.write_table(
                pa.table(content), buffer, compression=codec, data_page_version=version
            )
            files += [buffer.getvalue()] if buffer.tell() < 2**20 else []
    return files


def change_inside(content: bytes, ending: str, rng: np.random.Generator) -> bytes:
    """Repeat a piece without end, or change a number; of an archive, in one of its parts."""
    if ending in ("xlsx", "ods"):
        members = unpack(content)
        name = pick(rng, [*members, *[each for each in members if "sheet" in each.lower()]])
        if ending == "ods" and rng.integers(2):
            name = "content.xml"
        members[name] = change_text(members[name], rng)
        return pack(members, ZIP_DEFLATED)
    return change_text(content, rng)


def change_text(content: bytes, rng: np.random.Generator) -> bytes:
    at = int(rng.integers(len(content) + 1))
    match rng.integers(5):
        case 0:
            numbers = [*re.finditer(rb"\d+", content)]
            if numbers:
                first, last = pick(rng, numbers).span()
                return content[:first] + pick(rng, ODD_NUMBERS) + content[last:]
        case 1:  # after the head, or anywhere
            at = pick(rng, [content.find(b"\n") + 1, at, len(content)])
            piece = pick(rng, ODD_PIECES)
            return (
                content[:at] + piece * (pick(rng, [10, 10**5, LONG]) // len(piece)) + content[at:]
            )
        case 2:
            first, last = sorted(rng.integers(0, len(content) + 1, 2))
            piece = content[first:last] or b"x"
            return content[:at] + piece * (pick(rng, SIZES) // len(piece)) + content[at:]
        case 3:
            tags = [*re.finditer(rb'="[^"]*"', content)] or [*re.finditer(rb"\w+", content)]
            if tags:
                (first, last), other = pick(rng, tags).span(), pick(rng, tags).group()
                return content[:first] + other + content[last:]
    return break_bytes(content, rng) if content else b"x"


def break_table(number: int, seed: int, ending: str, originals: list[bytes]) -> tuple[str, bytes]:
    rng = np.random.default_rng([seed, number])
    original = pick(rng, originals)
    kinds = ["break_bytes", "change_inside", "change_inside", "plain"]
    kind = pick(rng, [*kinds, "change_zip"] if ending in ("xlsx", "ods") else kinds)
    if kind == "plain":
        return kind, original
    if kind == "change_zip":
        return kind, change_zip(original, rng)
    if kind == "break_bytes" or ending == "parquet":
        return "break_bytes", break_bytes(original, rng)
    return kind, change_inside(original, ending, rng)


def read(path: Path) -> tuple[str, str]:
    """Read a file as a table and as a corpus; return an outcome and a detail."""
    errors = []
    ending = path.name.removesuffix(".gz").rpartition(".")[2]
    only = {"txt": [read_table], "arff": [read_corpus], "svmlight": [read_corpus]}
    for reader in only.get(ending, [read_corpus, read_table]):
        try:
            reader(path)
        except (ValueError, OSError) as error:
            if MemoryError in (type(error.__cause__), type(error.__context__)):
                return "huge allocation", str(error)
            errors.append(str(error))
        except MemoryError as error:
            return "huge allocation", f"{reader.__name__}: {error}"
        except BaseException as error:
            return "unclear error", f"{reader.__name__}: {error!r}"
    return ("refused" if errors else "working"), " | ".join(errors)


def work(n_files: int, seed: int, ending: str) -> None:
    """Break and read files of one format; print one line per file."""
    warnings.simplefilter("ignore")
    originals = plain_files()[ending]
    with tempfile.TemporaryDirectory() as folder:
        for number in range(n_files):
            is_packed = number % 5 == 0 and ending not in ("xlsx", "ods", "parquet")
            path = Path(folder, f"table.{ending}{'.gz' if is_packed else ''}")
            if number < 5:
                path.write_bytes(gzip.compress(originals[0]) if is_packed else originals[0])
                read(path)  # imports everything before processes are forked
            make = partial(break_table, number, seed, ending, originals)
            print_trial(path, number, partial(_packed, make) if is_packed else make, read)


def _packed(make: Any) -> tuple[str, bytes]:
    kind, content = make()
    return f"{kind}, packed", gzip.compress(content)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--files", type=int, default=2000, help="how many files of each format")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--format", choices=list(plain_files()), help="only this one")
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        return work(options.files, options.seed, options.format)
    for ending in [options.format] if options.format else plain_files():
        arguments = ["--work", "--files", options.files, "--seed", options.seed, "--format", ending]
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.fuzz_tables", *map(str, arguments)],
            cwd=Path(__file__).parents[1],
            stdout=subprocess.PIPE,
            check=True,
        )
        results = [json.loads(line) for line in done.stdout.splitlines()]
        outcomes = dict(Counter(outcome for _, _, outcome, *_ in results))
        slowest = max(took for *_, took in results)
        print(f"{ending}: {len(results)} files, {outcomes}, slowest {slowest:.1f} s", flush=True)
        for number, kind, outcome, detail, _ in results:
            if outcome not in ("refused", "working"):
                print(" ", number, kind, outcome, detail[:300])
    return None


if __name__ == "__main__":
    main()
