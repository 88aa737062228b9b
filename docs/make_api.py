"""Write docs/api.md: every public name with the first line of its docstring.

python docs/make_api.py
"""

from importlib import import_module
from inspect import cleandoc, isclass, isroutine
from pathlib import Path
from types import ModuleType

import honeybayes

PAGE = Path(__file__).with_name("api.md")
MODULES = sorted([*honeybayes._ROOMS, "text.term_scores"])


def public_names(module: ModuleType) -> list[str]:
    """List what a module exports: its ``__all__``, or else its classes and functions.

    Those of a package come from its modules, those of a single module are its own.

    Constants are left out, because they have no docstring.
    """
    named = [name for name in getattr(module, "__all__", []) if not name.isupper()]
    home = "honeybayes." if hasattr(module, "__path__") else module.__name__
    return named or [
        name
        for name, value in vars(module).items()
        if not name.startswith("_")
        and (isclass(value) or isroutine(value))
        and value.__module__.startswith(home)
    ]


def page() -> str:
    """Return the text of the page."""
    lines = [
        "# All public names",
        "",
        "Written by `python docs/make_api.py`. For details call `help(name)`. Names in the first",
        "table are in `honeybayes` itself, the others in the module that the heading names.",
    ]
    top = [name for name in honeybayes.__all__ if name not in honeybayes._ROOMS]
    lines += _table("honeybayes", [(name, getattr(honeybayes, name)) for name in top])
    for name in MODULES:
        module = import_module(f"honeybayes.{name}")
        names = sorted(set(public_names(module)) - set(top))
        lines += _table(module.__name__, [(name, getattr(module, name)) for name in names])
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
