"""Settings of the documentation site. `make docs` builds it.

The source folder is the whole repository, so that pages may link to each other across folders.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "docs"), str(ROOT / "docs" / "site")]

import reference  # noqa: E402 (beside this file)

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
numpydoc_show_class_members = True
numpydoc_class_members_toctree = False
numpydoc_show_inherited_class_members = False

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


def escape_ends(shape):
    """Escape the underscores at the ends of words."""
    return re.sub(r"(\w)_(?!\w)", r"\1\\_", shape.group())


def setup(app):
    """Change docstrings before numpydoc reads them."""
    app.connect("autodoc-process-docstring", escape_shapes, priority=100)
