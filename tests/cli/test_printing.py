"""No text of others controls the terminal, by whatever route it is printed."""

import json
import re
import shlex
from zipfile import ZipFile

import pytest
import typer

from honeybayes import TextClassifier, save_model
from honeybayes.cli._app import app
from honeybayes.labeling import Project

EVIL = "\x1b]0;owned\x07\x9b2J\x7f\r\u202e"
HEADER = EVIL.replace("\r", "")  # which ends a line outside of quotes
NAMES = f"bill{EVIL}ing", f"[bold]:smile: de{EVIL}livery"
WORDS = ["invoice", "charge", "card", "money"], ["parcel", "courier", "late", "door"]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    files = tmp_path_factory.mktemp("printing")
    texts = [f"{one} {EVIL} {two}" for words in WORDS for one in words for two in words]
    labels = [name for name in NAMES for _ in range(len(texts) // 2)]
    lines = [f'"{text}","{label}"' for text, label in zip(texts, labels, strict=True)]
    content = "\n".join([f"text,label,{HEADER}", *(f"{line},x" for line in lines)])
    (files / "t.csv").write_text(content, encoding="utf-8", newline="")
    (files / "few.csv").write_text(
        "\n".join(content.split("\n")[:20]), encoding="utf-8", newline=""
    )
    (files / f"t{EVIL}.csv").write_text(content.replace(",", "|"), encoding="utf-8", newline="")
    save_model(TextClassifier("HOS").fit(texts, labels), files / "model.hb")
    with ZipFile(files / "model.hb") as archive, ZipFile(files / "new.hb", "w") as newer:
        for name in archive.namelist():
            newer.writestr(name, archive.read(name))
    with ZipFile(files / "new.hb", "a") as newer, pytest.warns(UserWarning, match="Duplicate"):
        newer.writestr("honeybayes.json", json.dumps({"format": 99, "honeybayes": EVIL}))
    tree = json.dumps({"kind": "object", "name": EVIL, "content": None})
    about = json.dumps({"format": 1, "honeybayes": "0"})
    with ZipFile(files / "type.hb", "w") as other:
        other.writestr("honeybayes.json", about)
        other.writestr("model.json", tree)
    with Project.create(files / "p.hbproject", texts) as project:
        for name in NAMES:
            project.add_class(name)
    return files


def quoted(text):
    return shlex.quote(text)


COMMANDS = {
    "fit": "fit t.csv --model CNB -o out.hb",
    "class names": f"fit t.csv --classes {quoted(f'{NAMES[0]}: zzz; other: parcel')} -o out.hb",
    "predict": "predict model.hb t.csv --label-column l",
    "predict json": "predict model.hb t.csv --label-column l --json",
    "evaluate": "evaluate model.hb t.csv",
    "words": "explain model.hb",
    "words json": "explain model.hb --json",
    "explain": f"explain model.hb {quoted(f'parcel {EVIL} card')}",
    "explain json": f"explain model.hb {quoted(f'parcel {EVIL} card')} --json",
    "paths": f"explain model.hb --word parcel --class {quoted(NAMES[1])} --table t.csv",
    "compare": "compare t.csv --models NB,CNB --labels 2 --draws 1",
    "few": "compare few.csv --models NB --labels 4 --draws 1",
    "no column": "fit t.csv --text none -o out.hb",
    "no class": f"explain model.hb late --class {quoted(EVIL)}",
    "version": "explain new.hb",
    "type": "explain type.hb",
    "log": f"evaluate model.hb {quoted(f't{EVIL}.csv')}",
    "no file": f"evaluate model.hb {quoted(EVIL)}",
    "debug": f"evaluate model.hb {quoted(EVIL)} --debug",
    "option": quoted(f"--{EVIL}"),
    "value": f"explain model.hb --top {quoted(EVIL)}",
    "command": quoted(EVIL),
    "more": f"explain model.hb late {quoted(EVIL)}",
    "output": f"predict model.hb t.csv --label-column l -o {quoted(f'o{EVIL}.csv')}",
    "export": f"label p.hbproject --no-model --export {quoted(f'o{EVIL}.csv')}",
    "simulate": "simulate t.csv --labels 5 --runs 1 --texts 20",
}

CODES = dict.fromkeys(("no column", "no class", "version", "type", "no file", "debug"), 1)
CODES |= dict.fromkeys(("option", "value", "command", "more"), 2)


@pytest.mark.parametrize("terminals", [(), ("stdout", "stderr")], ids=["pipe", "terminal"])
@pytest.mark.parametrize("name", COMMANDS)
def test_nothing_controls_the_terminal(folder, run, name, terminals, monkeypatch):
    monkeypatch.setenv("TERM", "xterm-256color")
    done = run(COMMANDS[name], terminals=terminals)
    assert done.returncode == CODES.get(name, 0), done.stderr
    is_data = name == "predict" or name == "predict json"
    printed = done.stderr + ("" if is_data and not terminals else done.stdout)
    printed = re.sub("\x1b\\[[0-9;?]*[a-zA-Z]|\r", "", printed) if terminals else printed
    assert not set(printed) & set(EVIL) - set("]0;owned2J")


def test_warnings_of_other_processes_are_printed_by_this_one(folder, run, capfd):
    """A worker that printed a warning itself would pass by the gate of this process."""
    command = "compare t.csv --models HONB,HOS --labels 1 --draws 2 --jobs"
    alone, shared = (run(f"{command} {jobs}").stderr.splitlines() for jobs in (1, 2))
    assert sorted(shared) == sorted(alone)
    assert any("\\x1b]0;owned" in line and "(model 'HONB', 1 per" in line for line in shared)
    assert not set("".join(shared)) & set(EVIL) - set("]0;owned2J")
    assert capfd.readouterr().err == ""  # all workers have this stream, too


def test_rows_for_another_program_are_exact(folder, run):
    rows = run("predict model.hb t.csv --label-column l").stdout
    assert NAMES[0] in rows
    assert json.loads(run("explain model.hb --json").stdout).keys() == set(NAMES)


def test_a_cell_stays_in_its_row_and_column(folder, run):
    (folder / "lines.csv").write_text(
        "text,label\n" + '"late parcel","x\ty\nz"\n"my card",w\n' * 3, encoding="utf-8"
    )
    assert run("fit lines.csv --model CNB -o lines.hb").returncode == 0
    rows = run("explain lines.hb").stdout.splitlines()
    assert [row.count("\t") for row in rows] == [1, 1, 1]
    assert rows[2].startswith("x\\ty\\nz\t")


def test_brackets_are_no_markup_on_a_terminal(folder, run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    assert "[bold]:smile: de" in run("explain model.hb", terminals=("stdout",)).stdout


def test_help_is_drawn_in_colors(run, monkeypatch):
    monkeypatch.setenv("TERM", "xterm-256color")
    for command in ("fit --help", "data list --help", "data --help", "--help"):
        assert "\\x1b" not in run(command, terminals=("stdout",)).stdout


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("predict a b --add top=0", "a whole number, at least 1"),
        ("predict a b --add top=x", "a whole number, at least 1"),
        ("label a --port 99999", "from 0 to 65535"),
        ("pedict a", "Did you mean 'predict'\\? See `honeybayes --help`"),
    ],
)
def test_wrong_usage_is_one_line_in_plain_words(run, command, message):
    done = run(command)
    assert done.returncode == 2
    assert done.stderr.startswith("honeybayes: error: ")
    assert done.stderr.count("\n") == 1
    assert re.search(message, done.stderr)


def test_a_switch_has_no_type_in_the_help(run):
    shown = run("fit --help").stdout
    [line] = [line for line in shown.splitlines() if "--keep-going" in line]
    assert "bool" not in line


def test_a_command_has_at_most_16_options():
    commands = typer.main.get_command(app).commands
    for name, command in commands.items():
        options = [each for each in command.params if each.param_type_name == "option"]
        assert len(options) <= 16, name
