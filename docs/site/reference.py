"""Write the list of public names from which autosummary makes one page each."""

from importlib import import_module
from inspect import isclass, isroutine
from pathlib import Path
from types import ModuleType

import make_api

import honeybayes


def write(folder: Path) -> None:
    """Write ``index.rst`` into a folder, unless it is up to date."""
    lines = ["Reference", "=========", "", "All public names, by module.", ""]
    top = [name for name in honeybayes.__all__ if name not in honeybayes._ROOMS]
    lines += _section(honeybayes, top)
    described: list[object] = [getattr(honeybayes, name) for name in top]
    for name in make_api.MODULES:
        module = import_module(f"honeybayes.{name}")
        members = {each: getattr(module, each) for each in sorted(make_api.public_names(module))}
        # two modules may export one object, which has one page
        lines += _section(module, [each for each, v in members.items() if v not in described])
        described += members.values()
    folder.mkdir(exist_ok=True)
    page, text = folder / "index.rst", "\n".join(lines) + "\n"
    if not page.exists() or page.read_text(encoding="utf-8") != text:
        page.write_text(text, encoding="utf-8")


def _section(module: ModuleType, names: list[str]) -> list[str]:
    found = [name for name in names if isclass(v := getattr(module, name)) or isroutine(v)]
    if not found:
        return []
    title = module.__name__
    head = [title, "-" * len(title), "", f".. module:: {title}", ""]
    rows = [f"   {name}" for name in found]
    return [*head, ".. autosummary::", "   :toctree: names", "", *rows, ""]
