"""Write docs/api.md: every public name with the first line of its docstring.

python docs/make_api.py
"""

from importlib import import_module
from inspect import cleandoc, isclass, isfunction, isroutine
from pathlib import Path

import honeybayes

PAGE = Path(__file__).with_name("api.md")


def page() -> str:
    """Return the text of the page."""
    lines = [
        "# All public names",
        "",
        "Written by `python docs/make_api.py`; `help(name)` tells the rest. Names of the first",
        "table are in `honeybayes` itself, the others in the rooms that their headings name.",
    ]
    top = [name for name in honeybayes.__all__ if name in honeybayes._ROOM_OF]
    lines += _table("honeybayes", [(name, getattr(honeybayes, name)) for name in top])
    for room in honeybayes._ROOMS:
        module = import_module(f"honeybayes.{room}")
        names = getattr(module, "__all__", None) or [
            name
            for name, value in vars(module).items()
            if not name.startswith("_")
            and (isclass(value) or isfunction(value))
            and value.__module__ == module.__name__
        ]
        lines += _table(
            module.__name__, [(n, getattr(module, n)) for n in sorted(names) if n not in top]
        )
    return "\n".join(lines) + "\n"


def _table(title: str, members: list[tuple[str, object]]) -> list[str]:
    rows = [
        f"| `{name}` | {cleandoc(member.__doc__ or '').splitlines()[0]} |"
        for name, member in members
        if isclass(member) or isroutine(member)
    ]
    return ["", f"## {title}", "", "| | |", "| --- | --- |", *rows] if rows else []


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
