"""The commands that the documentation shows, run in their order."""

import csv
import gzip
import re
import subprocess
from importlib.util import find_spec
from pathlib import Path
from unittest import mock

import pytest

from honeybayes.tables import load_corpus

pytestmark = pytest.mark.docs
ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```console\n(.*?)^```", re.DOTALL | re.MULTILINE)
RUN = re.compile(r"<!-- run -->\n```console\n(.*?)```", re.DOTALL)
# On some pages, every command runs; on others, those of the marked blocks.
PAGES = {
    "docs/command-line.md": BLOCK,
    "docs/encoders.md": BLOCK,
    "docs/labeling.md": RUN,
    "docs/sources.md": BLOCK,
}
QUEUES = ["billing", "delivery", "returns"]
INSTALL = "$ pip install "
DASK = "--engine dask"


def write(path, rows, **options):
    encoding = options.pop("encoding", "utf-8")
    with path.open("w", encoding=encoding, newline="") as file:
        csv.writer(file, **options).writerows(rows)


@pytest.fixture
def tables(tmp_path):
    """The tables of the pages, made of the bundled messages."""
    corpus = load_corpus("messages").keep_classes(QUEUES).draw(50, seed=0)
    texts = [" ".join(text.split()) for text in corpus.documents]
    rows = [
        [f"T{at}", text.split()[0], text, label]
        for at, (text, label) in enumerate(zip(texts, corpus.labels.tolist(), strict=True))
    ]
    head = ["ticket", "subject", "body", "queue"]
    mail, new, checked = rows[0::3], rows[1::3], rows[2::3]
    some = [[*row[:-1], row[-1] if at % 3 else ""] for at, row in enumerate(mail)]
    write(tmp_path / "mail.csv", [head, *some])
    (tmp_path / "mail.csv.gz").write_bytes(gzip.compress((tmp_path / "mail.csv").read_bytes()))
    write(tmp_path / "new.csv", [head[:-1], *(row[:-1] for row in new)])
    (tmp_path / "parts").mkdir()
    (tmp_path / "labeled").mkdir()
    for at in range(3):
        write(tmp_path / "parts" / f"{at}.csv", [head[:-1], *(row[:-1] for row in new[at::3])])
        write(tmp_path / "labeled" / f"{at}.csv", [head, *mail[at::3]])
    write(tmp_path / "checked.csv", [head, *checked])
    others = dict(zip(QUEUES, [*QUEUES[1:], QUEUES[0]], strict=True))
    tagged = [
        [*row[:-1], others[row[-1]] if at % 6 == 0 else row[-1]] for at, row in enumerate(rows)
    ]
    write(tmp_path / "tagged.csv", [[*head[:-1], "gpt4"], *tagged])
    write(tmp_path / "filled.csv", [[*head[:-1], "label"], *checked])
    (tmp_path / "rules.txt").write_text(
        'returns: "send back", return\ndelivery: parcel, courier, /arriv(e|ed|es)/\n'
    )
    (tmp_path / "letters").mkdir()
    for at, row in enumerate(new[:3]):
        (tmp_path / "letters" / f"{at}.txt").write_text(row[2], encoding="utf-8")
    marked = [[*row[:-1], row[-1] or "todo"] for row in some]
    write(tmp_path / "marked.csv", [head, *marked])
    turkish = [["text", "label"], *([f"Çok {row[2]}", row[3]] for row in mail)]
    plain = {"delimiter": "\t", "quoting": csv.QUOTE_NONE, "quotechar": None}
    write(tmp_path / "turkish.csv", turkish, **plain, encoding="cp1254")
    book = pytest.importorskip("openpyxl").Workbook()
    sheet = book.create_sheet("March")
    for row in [head, *mail]:
        sheet.append(row)
    book.save(tmp_path / "mail.xlsx")
    (tmp_path / "messages.txt").write_text("\n".join(texts), encoding="utf-8")
    (tmp_path / "classes.txt").write_text("billing: invoice charged\ndelivery: parcel\nreturns:\n")
    odors = {"edible": ["none", "anise"], "poisonous": ["foul", "none", "foul"]}
    mushrooms = [
        [at, odors[kind][at % len(odors[kind])], ["brown", "red"][at % 7 % 2], "woods", kind]
        for at, kind in enumerate(["edible", "poisonous"] * 20, start=1)
    ]
    columns = ["number", "odor", "cap-color", "habitat", "class"]
    write(tmp_path / "mushrooms.csv", [columns, *mushrooms])


@pytest.mark.parametrize("page", PAGES)
def test_the_commands_of_a_page_run(run, tables, tmp_path, page):
    pytest.importorskip("matplotlib", reason="needs matplotlib (extra: report)")
    pytest.importorskip("starlette", reason="needs starlette (extra: label)")
    blocks = PAGES[page].findall((ROOT / page).read_text(encoding="utf-8"))
    lines = [line for block in blocks for line in block.splitlines() if line.startswith("$ ")]
    lines = [line for line in lines if not line.startswith(INSTALL)]
    if find_spec("distributed") is None or find_spec("cryptography") is None:  # the extra: scale
        lines = [line for line in lines if DASK not in line]
    assert lines
    for line in lines:
        *piped, command = line.removeprefix("$ ").split(" | ")
        stdin = subprocess.run(
            " | ".join(piped), shell=True, cwd=tmp_path, capture_output=True, text=True, check=True
        ).stdout
        assert command.startswith("honeybayes ")
        with mock.patch("honeybayes.page.serve.serve"):  # which would wait for Ctrl+C
            done = run(command.removeprefix("honeybayes "), stdin)
        if command.endswith("data get messages -o messages.csv"):  # some of them are enough
            path = tmp_path / "messages.csv"
            with path.open(encoding="utf-8", newline="") as file:
                head, *rows = csv.reader(file)
            write(path, [head, *rows[::3]])
        assert done.returncode == 0, f"{line}\n{done.stderr}"
        assert done.stdout or "-o" in line


def test_every_command_has_its_place_on_the_page():
    page = (ROOT / "docs/command-line.md").read_text(encoding="utf-8")
    shown = {
        line.split("honeybayes ")[1].split()[0]
        for line in page.split("\n$ ")
        if "honeybayes " in line
    }
    options = (ROOT / "docs/options.md").read_text(encoding="utf-8")
    commands = set(re.findall(r"^## honeybayes (\w+)", options, re.MULTILINE))
    assert commands - shown <= {"demo"}  # the first steps
