"""How the documentation site is built: `make docs`."""

from __future__ import annotations

import inspect
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import uccurve

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tools"))

from pictures import write_sample_report  # noqa: E402 - tools is in the path only now

if TYPE_CHECKING:
    from docutils.nodes import document
    from sphinx.application import Sphinx

project = "uccurve"
author = "the uccurve contributors"
version = release = uccurve.__version__
copyright = f"%Y, {author}"  # noqa: A001 - Sphinx names it so, and knows SOURCE_DATE_EPOCH

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.extlinks",
    "sphinx.ext.viewcode",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx-mathjax-offline",
]
templates_path = ["_templates"]
html_extra_path = ["atlas/atlas-explorer.html"]
exclude_patterns = ["_build", "**/results.json"]
extlinks = {"doi": ("https://doi.org/%s", "doi:%s")}

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 4
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

toc_object_entries_show_parents = "hide"  # "plot", not "ConditionalCoverage.plot": the page has that name
autodoc_typehints = "none"  # the docstrings say it in words
autodoc_member_order = "groupwise"
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

html_theme = "pydata_sphinx_theme"
html_title = "uccurve"
html_logo = "_static/logo.svg"
html_favicon = "_static/logo.svg"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_search_summary = False  # browsers refuse to read other pages of a site that is opened from a disk
html_search_scorer = str(ROOT / "docs/_static/search-order.js")
html_sidebars: dict[str, list[str]] = {"start": [], "index": [], "figures": []}  # they have no neighbors
html_theme_options = {
    "header_links_before_dropdown": 6,
    "navbar_end": ["theme-switcher"],
    "navbar_persistent": ["search-button"],
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": ["cite-link"],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
    "navigation_with_keys": False,
}


def without_blank_ends(_app: Sphinx, doctree: document) -> None:
    """Take away the blank line that an example in Markdown must end in to be run."""
    from docutils import nodes  # noqa: PLC0415 - tests read these settings without Sphinx

    for block in doctree.findall(nodes.literal_block):
        if block.astext() == block.rawsource:
            block.rawsource = block.rawsource.rstrip("\n")
            block[:] = [nodes.Text(block.rawsource)]


def without_private_parameters(
    _app: Sphinx,
    _what: str,
    _name: str,
    documented: Any,
    _options: Any,
    signature: str | None,
    returns: str | None,
) -> tuple[str, str | None] | None:
    """Leave out parameters that are not for users: their names begin with an underscore."""
    if "_" not in (signature or ""):
        return None
    known = inspect.signature(documented).parameters.values()
    public = [one.replace(annotation=inspect.Parameter.empty) for one in known if one.name[0] != "_"]
    if len(public) == len(known):
        return None
    return str(inspect.Signature(public)) if public else "", returns


def add_sample_report(app: Sphinx, failure: Exception | None) -> None:
    """Write the report page that the start page links to."""
    if failure is None and app.builder.name == "html":
        write_sample_report(Path(app.outdir) / "sample-report.html")


def setup(app: Sphinx) -> None:
    """Connect what is done to every page."""
    app.connect("doctree-read", without_blank_ends)
    app.connect("autodoc-process-signature", without_private_parameters)
    app.connect("build-finished", add_sample_report)
