"""Write docs/options.md: every option of every command, from the help of the commands.

python docs/make_options.py
"""

import re
from pathlib import Path
from typing import Any

import typer

from honeybayes.cli._app import app

PAGE = Path(__file__).with_name("options.md")


def page() -> str:
    """Return the text of the page."""
    lines = [
        "# All options of the command line",
        "",
        "Written by `python docs/make_options.py` from `honeybayes COMMAND --help`.",
        "[The command line](command-line.md) shows what they are for.",
    ]
    root = typer.main.get_command(app)
    lines += _section("honeybayes", root)
    for name, command in _commands(root):
        lines += _section(f"honeybayes {name}", command)
    return "\n".join(lines) + "\n"


def _commands(group: Any, before: str = "") -> list[tuple[str, Any]]:
    found = []
    for name, command in group.commands.items():
        inner = getattr(command, "commands", None)
        found += _commands(command, f"{before}{name} ") if inner else [(f"{before}{name}", command)]
    return found


def _section(title: str, command: Any) -> list[str]:
    summary = (command.help or "").split("\n\n")[0].replace("\n", " ")
    rows = [row for each in command.params if (row := _row(each)) is not None]
    return ["", f"## {title}", "", summary, "", "| | |", "| --- | --- |", *rows]


def _row(parameter: Any) -> str | None:
    if getattr(parameter, "hidden", False):
        return None
    if parameter.param_type_name == "argument":
        name = (parameter.metavar or parameter.name).upper()
    else:
        name = ", ".join([*parameter.opts, *parameter.secondary_opts])
    told = re.sub(r"\s+", " ", parameter.help or "").replace("|", "\\|")
    return f"| `{name}` | {told} |"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
