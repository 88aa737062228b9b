"""Write the list of public names from which autosummary makes one page each."""

from itertools import groupby
from pathlib import Path

import public_examples


def write(folder: Path) -> None:
    """Write ``index.rst`` into a folder, unless it is up to date."""
    lines = ["Reference", "=========", "", "All public names, by module.", ""]
    public = public_examples.public_names()
    for title, names in groupby(public, lambda name: name.rpartition(".")[0]):
        lines += [title, "-" * len(title), "", f".. module:: {title}", ""]
        rows = [f"   {name.rpartition('.')[2]}" for name in names]
        lines += [".. autosummary::", "   :toctree: names", "", *rows, ""]
    folder.mkdir(exist_ok=True)
    page, text = folder / "index.rst", "\n".join(lines) + "\n"
    if not page.exists() or page.read_text(encoding="utf-8") != text:
        page.write_text(text, encoding="utf-8")
