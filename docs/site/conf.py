"""Settings of the documentation site. `make docs` builds it.

The source folder is the whole repository, so that pages may link to each other across folders.
"""

import re
import sys
from inspect import formatannotation, getdoc, isfunction, signature
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "docs"), str(ROOT / "docs" / "site")]

import public_examples  # noqa: E402 (beside this file)
import reference  # noqa: E402
from sphinx.domains.python import PyXRefRole  # noqa: E402

import honeybayes  # noqa: E402

reference.write(ROOT / "docs" / "reference")

project = "honeybayes"
author = "the honeybayes project"
copyright = "the honeybayes project, BSD-3-Clause"
version = release = honeybayes.__version__

root_doc = "docs/index"
include_patterns = [
    "docs/*.md",
    "docs/results/*.md",
    "docs/reference/**",
    "docs/gallery/**",
    "reproduction/README.md",
    "reproduction/pages/*.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
]
exclude_patterns = ["**/sg_execution_times.rst", "docs/gallery/**/*.py", "docs/api.md"]
extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_copybutton",
    "sphinx_gallery.gen_gallery",
]

# pages
myst_heading_anchors = 4
# scikit-learn's docstrings, which estimators inherit, refer to its own user guide
suppress_warnings = ["ref.ref"]
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

# reference
autosummary_generate = True
templates_path = [str(ROOT / "docs" / "site" / "templates")]  # else below the source folder
numpydoc_show_class_members = False  # methods are described in full below the class
autodoc_typehints = "none"  # the descriptions have the types
toc_object_entries_show_parents = "hide"  # long names would be cut beside the page
default_role = "py:name"  # a `name` in a docstring is a link, or a warning if it leads nowhere

# gallery
sphinx_gallery_conf = {
    "examples_dirs": str(ROOT / "examples"),
    "gallery_dirs": "docs/gallery",
    "filename_pattern": "/plot_",
    "plot_gallery": "True",
    "abort_on_example_error": True,
    "within_subsection_order": "FileNameSortKey",
    "download_all_examples": False,
    "show_signature": False,
    "write_computation_times": False,
    "remove_config_comments": True,
    "copyfile_regex": r".*\.rst",
    "reset_modules": ("matplotlib", "gallery_style.use_colors"),
}

# appearance
html_context = {"default_mode": "auto"}
html_theme = "pydata_sphinx_theme"
html_title = "honeybayes"
html_favicon = "static/icon.svg"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_theme_options = {
    "navbar_align": "left",
    "show_toc_level": 2,
    "navigation_with_keys": False,
    "header_links_before_dropdown": 6,
    "footer_start": ["copyright"],
    "footer_end": [],
    "secondary_sidebar_items": ["page-toc"],
}


def escape_shapes(app, what, name, obj, options, lines):
    """Keep "shape (n_features_in_,)" from being read as a link."""
    for number, line in enumerate(lines):
        lines[number] = re.sub(r"shape \([^)]*\)", escape_ends, line)


GUIDE = {
    f"/docs/{page.stem}": page.read_text(encoding="utf-8")
    for page in sorted((ROOT / "docs").glob("*.md"))
    if page.stem not in ("api", "architecture", "index")
}


def name_guides(app, what, name, obj, options, lines):
    """Add links to the pages of the guide that show a public name."""
    if what not in ("class", "function"):
        return
    word = re.compile(rf"\b{re.escape(name.rpartition('.')[2])}\b")
    pages = [f":doc:`{page}`" for page, text in GUIDE.items() if word.search(text)]
    if pages:
        lines += ["", ".. rubric:: In the guide", "", ", ".join(pages)]


BORROWED = public_examples.borrow_examples()


def borrow_example(app, what, name, obj, options, lines):
    """Show the example of another name, or of the guide, where there is none of its own."""
    if (found := BORROWED.get(name)) is not None:
        place, text = found
        lines += ["", "Examples", "--------", f"From {place}:", "", *text.splitlines(), ""]


def name_result(app, what, name, obj, options, lines):
    """Show the type of what is returned, if only the annotation says it."""
    result = getattr(obj, "__annotations__", {}).get("return")
    if what in ("function", "method") and result and not {"Returns", "Yields"} & set(lines):
        lines += ["", "Returns", "-------", re.sub(r"\w+\.", "", formatannotation(result)), ""]


class NameRole(PyXRefRole):
    """A link to a public name, in any module."""

    def process_link(self, env, refnode, has_explicit_title, title, target):
        """Search for the end of the full name, too."""
        refnode["reftype"], refnode["refspecific"] = "obj", True
        return super().process_link(env, refnode, has_explicit_title, title, target)


def skip_foreign(app, what, name, obj, skip, options):
    """Leave out what other libraries document, and methods with parameters that nobody describes.

    The latter are for other packages of honeybayes.
    """
    function = getattr(obj, "fget", getattr(obj, "fn", obj))
    module = getattr(function, "__module__", None)
    if skip or not (module or "").startswith("honeybayes"):
        return True
    takes = list(signature(obj).parameters) if isfunction(obj) else []
    return len(takes) > 1 and "Parameters\n" not in (getdoc(obj) or "")


def escape_ends(shape):
    """Escape the underscores at the ends of words."""
    return re.sub(r"(\w)_(?!\w)", r"\1\\_", shape.group())


def write_root(app, exception):
    """Lead from the root of the site to its first page."""
    target = f"{root_doc}.html"
    link = f'<a href="{target}">honeybayes</a>'
    page = f'<!doctype html><meta http-equiv="refresh" content="0; url={target}">{link}'
    if exception is None and app.builder.name == "html":
        Path(app.outdir, "index.html").write_text(page, encoding="utf-8")


def setup(app):
    """Change docstrings before numpydoc reads them."""
    app.connect("autodoc-process-docstring", borrow_example, priority=50)
    app.connect("autodoc-process-docstring", name_result, priority=60)
    app.connect("autodoc-process-docstring", escape_shapes, priority=100)
    app.connect("autodoc-process-docstring", name_guides, priority=900)
    app.connect("autodoc-skip-member", skip_foreign)
    app.connect("build-finished", write_root)
    app.add_role_to_domain("py", "name", NameRole(warn_dangling=True))
