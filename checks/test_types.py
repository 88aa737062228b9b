"""Type checkers know the public names: pyright finds no error in the documentation.

The test is skipped where pyright is not installed: pip install 'pyright[nodejs]'.
"""

import json
import re
import shutil
import subprocess
import sys
from doctest import DocTestParser
from importlib import import_module
from pathlib import Path

import pytest

import honeybayes
from checks.test_docstrings import make_api

ROOT = Path(__file__).parents[1]
PYRIGHT = shutil.which("pyright", path=str(Path(sys.executable).parent)) or shutil.which("pyright")
# what other libraries, which have no types or only some, leave unknown
OF_OTHERS = (
    "reportMissingTypeStubs",
    "reportMissingImports",
    "reportMissingModuleSource",
    "reportUnknownMemberType",
    "reportUnknownVariableType",
    "reportUnknownArgumentType",
    "reportUnknownParameterType",
    "reportUnknownLambdaType",
)
# a page shows a name or an attribute to read, and imports what a later block uses
OF_PAGES = (
    "reportUnusedExpression",
    "reportUnusedImport",
    "reportUnusedVariable",
    "reportConstantRedefinition",  # of X
)

EXPECTED = {  # expression: how its type begins
    'honeybayes.load_model("model.hb")': "TextClassifier",
    'honeybayes.load_model("model.hb", kind=honeybayes.HigherOrderNB)': "HigherOrderNB",
    'honeybayes.load_model("model.hb").predict_proba([""])': "ndarray",
    'honeybayes.make_model("HONB").fit([], []).predict([])': "ndarray",
    'honeybayes.TextClassifier().fit([""], [""]).predict([""])': "ndarray",
    'honeybayes.evaluate.compare(["NB"], "messages")': "Comparison",
}


def snippets(page: Path) -> str:
    """Return the code of a page that its examples run, as one program."""
    examples = DocTestParser().get_examples(page.read_text(encoding="utf-8"))
    return "".join(example.source for example in examples)


def public_names() -> str:
    """Return a program that imports every public name, and asks for some types."""
    top = [name for name in honeybayes.__all__ if name not in honeybayes._ROOMS]
    places = {"honeybayes": top} | {
        f"honeybayes.{room}": make_api.public_names(import_module(f"honeybayes.{room}"))
        for room in make_api.MODULES
    }
    # all rules of strict, also that no type is unknown
    lines = ["# pyright: strict, reportUnusedImport=false", "import honeybayes"]
    for place, names in places.items():
        lines += [f"from {place} import {name} as _{name}" for name in names]
    lines += [f"reveal_type({expression})" for expression in EXPECTED]
    return "\n".join(lines) + "\n"


@pytest.mark.skipif(PYRIGHT is None, reason="pyright is not installed")
def test_pyright_finds_no_error_in_the_documentation(tmp_path):
    for page in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        if code := snippets(page):
            name = re.sub(r"\W", "_", page.stem)
            (tmp_path / f"{name}.py").write_text(code, encoding="utf-8")
    (tmp_path / "names.py").write_text(public_names(), encoding="utf-8")
    settings = {"typeCheckingMode": "strict", "extraPaths": [str(ROOT / "src")]}
    settings |= dict.fromkeys([*OF_OTHERS, *OF_PAGES], "none")
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    command = [PYRIGHT, "--outputjson", "--pythonpath", sys.executable, "--project", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    found = json.loads(done.stdout)["generalDiagnostics"]
    told = [f"{Path(each['file']).stem}: {each['message']} {each['range']}" for each in found]
    errors = [line for line, each in zip(told, found, strict=True) if each["severity"] == "error"]
    assert not errors, "\n".join(errors)
    revealed = [each["message"] for each in found if each["severity"] == "information"]
    assert len(revealed) == len(EXPECTED)
    for kind, message in zip(EXPECTED.values(), revealed, strict=True):
        assert f'is "{kind}' in message
