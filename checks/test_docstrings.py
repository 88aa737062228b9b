"""Public objects have complete numpydoc docstrings; links and the API page are up to date."""

import importlib
import inspect
import pkgutil
import re
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
from numpydoc.validate import validate

from tests.estimators import all_estimators

ROOT = Path(__file__).parents[1]
WRITTEN_BY_MAKE_DOCS = ("gallery/index.rst", "reference/index.rst")  # not in a clean checkout


def script(name):
    spec = spec_from_file_location(name.rpartition("/")[2], ROOT / "docs" / f"{name}.py")
    module = module_from_spec(spec)
    sys.modules.setdefault(spec.name, module)  # scripts import each other
    spec.loader.exec_module(module)
    return module


make_api, make_architecture = script("make_api"), script("make_architecture")
make_options, examples = script("make_options"), script("site/public_examples")

# The codes of numpydoc that are checked. Left out: extended summary, "See Also", and punctuation,
# which ruff checks.
REQUIRED = {
    "GL03",  # no double blank lines
    "GL07",  # sections in order
    "GL08",  # there is a docstring
    "SS01",  # there is a summary
    "PR01",  # every parameter is documented
    "PR02",  # no unknown parameter is
    "PR03",  # in the order of the signature
    "PR04",  # each with a type
    "PR10",  # "name : type", with the spaces
    "RT01",  # there is a section on what is returned, unless the annotation says it
    "YD01",  # or yielded
}


def public_objects():
    for room in make_api.MODULES:
        module = importlib.import_module(f"honeybayes.{room}")
        for name in make_api.public_names(module):
            yield f"honeybayes.{room}.{name}"
            value = getattr(module, name)
            if inspect.isclass(value):
                for method, function in vars(value).items():
                    if not method.startswith("_") and inspect.isfunction(function):
                        yield f"honeybayes.{room}.{name}.{method}"


@pytest.mark.parametrize("name", sorted(public_objects()))
def test_numpydoc(name):
    document = validate(name)
    returned = inspect.get_annotations(pkgutil.resolve_name(name)).get("return", Any)
    is_clear = "\nYields\n" in document["docstring"] or returned is not Any
    allowed = {"RT01"} if is_clear else set()
    assert not [error for error in document["errors"] if error[0] in REQUIRED - allowed]


@pytest.mark.parametrize(("name", "cls"), all_estimators())
def test_estimators_have_examples_and_references(name, cls):
    text = inspect.getdoc(cls)
    sections = ["Parameters", "Attributes", "Examples"]
    if name.endswith(("NB", "SVC", "Transformer")):  # methods of papers
        sections.append("References")
    for section in sections:
        assert f"\n{section}\n---" in text


def test_every_public_name_has_an_example_or_borrows_one():
    assert not [name for name, found in examples.borrow_examples().items() if found is None]


@pytest.mark.parametrize(
    "page",
    [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("reproduction/**/*.md")],
    ids=lambda p: str(p.relative_to(ROOT)),
)
def test_links_between_pages_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8")):
        assert (
            "://" in target or target in WRITTEN_BY_MAKE_DOCS or (page.parent / target).exists()
        ), target


def test_the_page_of_all_names_is_up_to_date():
    assert make_api.PAGE.read_text(encoding="utf-8") == make_api.page(), "run docs/make_api.py"


def test_the_page_of_all_options_is_up_to_date():
    written = make_options.PAGE.read_text(encoding="utf-8")
    assert written == make_options.page(), "run docs/make_options.py"


def test_the_picture_of_the_layers_is_up_to_date():
    drawn = make_architecture.PICTURE.read_text(encoding="utf-8")
    assert drawn == make_architecture.picture(), "run docs/make_architecture.py"


@pytest.mark.parametrize("page", sorted((ROOT / "docs").glob("*.md")), ids=lambda page: page.stem)
def test_files_that_a_page_names_exist(page):
    for name in re.findall(r"`([a-z_]+/[a-z_/]+\.py)`", page.read_text(encoding="utf-8")):
        assert (ROOT / "src" / "honeybayes" / name).exists() or (ROOT / name).exists(), name
