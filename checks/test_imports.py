"""Who may import what: private modules and names stay in their own package.

import-linter checks the layers; it cannot express rules about names with a leading underscore.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"


def imported_names(path: Path) -> Iterator[str]:
    """Yield the full names that a file imports, such as ``honeybayes.evaluate.compare``."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}, line {node.lineno}: a relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def private_part(name: str) -> tuple[str, str] | None:
    """Return the package that owns the first private part of a name, and that part in full."""
    parts = name.split(".")
    for i, part in enumerate(parts):
        if part.startswith("_") and not part.startswith("__"):
            return ".".join(parts[:i]), ".".join(parts[: i + 1])
    return None


def package_of(path: Path, root: Path) -> str:
    return ".".join(path.relative_to(root).parent.parts)


def foreign_private_imports(folder: Path, root: Path) -> set[str]:
    found = set()
    for path in sorted(folder.rglob("*.py")):
        package = package_of(path, root)
        for name in imported_names(path):
            private = private_part(name)
            if private is None or not name.startswith("honeybayes"):
                continue
            owner, module = private
            inside = package == owner or (owner != "honeybayes" and package.startswith(owner + "."))
            if not inside:
                found.add(f"{package} -> {module}")
    return found


def test_no_package_imports_a_private_module_of_another():
    assert foreign_private_imports(SOURCE / "honeybayes", SOURCE) == set()


@pytest.mark.parametrize("folder", ["reproduction", "benchmarks", "examples"])
def test_public_names_only(folder):
    assert foreign_private_imports(ROOT / folder, ROOT) == set()


def test_private_names_are_found(tmp_path):
    """The check itself: modules, names and what is inside of the same package."""
    package = tmp_path / "honeybayes" / "text"
    package.mkdir(parents=True)
    (package / "a.py").write_text(
        "from honeybayes.text._b import c\n"
        "from honeybayes.tables._files import d\n"
        "from honeybayes._targets import e\n"
        "from honeybayes.bayes import _f, g\n"
        "import honeybayes.paths._kernels\n"
        "from honeybayes import __version__\n"
        "from sklearn._config import config_context\n"
    )
    assert foreign_private_imports(tmp_path, tmp_path) == {
        "honeybayes.text -> honeybayes.tables._files",
        "honeybayes.text -> honeybayes._targets",
        "honeybayes.text -> honeybayes.bayes._f",
        "honeybayes.text -> honeybayes.paths._kernels",
    }
