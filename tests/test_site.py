"""The documentation site: what its pages take from other files, and what they must not show."""

from __future__ import annotations

import importlib.util
import inspect
import re
from pathlib import Path

import pytest
from matplotlib.figure import Figure
from pictures import figure_in_words

import uccurve as uc

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"


@pytest.fixture(scope="module")
def conf():
    """The settings of the site, as a module."""
    spec = importlib.util.spec_from_file_location("site_conf", DOCS / "conf.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_of_citations_says_what_the_citation_file_says():
    """Two places, one paper and one version."""
    cited = (ROOT / "CITATION.cff").read_text()
    page = " ".join((DOCS / "background/cite.md").read_text().split())
    fields = re.findall(
        r"^ *(?:title|version|license|collection-title|year|- name): (.+)$", cited, re.MULTILINE
    )
    assert len(fields) == 7
    for field in fields:
        assert f"{{{field}}}" in page, field
    names = re.findall(r"given-names: (.+)\n +family-names: (.+)$", cited, re.MULTILINE)
    assert " and ".join(f"{family}, {given}" for given, family in names) in page


def test_the_page_of_citations_names_the_preprint_that_the_paper_s_page_names():
    """The number is not in the citation file."""
    number = re.search(r"arXiv:([\d.]+)\]", (DOCS / "paper.md").read_text()).group(1)
    assert f"{{{number}}}" in (DOCS / "background/cite.md").read_text()


def signature_shown(conf, documented):
    given = str(inspect.signature(documented))
    found = conf.without_private_parameters(None, "class", documented.__name__, documented, None, given, None)
    return found[0] if found else given


@pytest.mark.parametrize("name", uc.__all__)
def test_no_signature_shows_a_private_parameter(conf, name):
    """What a class passes to itself is not for users."""
    documented = getattr(uc, name)
    if callable(documented):
        assert not re.search(r"[(, *]_[a-z]", signature_shown(conf, documented)), name


def test_both_start_pages_link_their_picture_to_the_report():
    """For light, dark and phone: the same pictures, all of which open the page that they show."""
    blocks = [
        re.search(r"(```{image} report/light.png.*?)\n\n[A-Z#]", (DOCS / page).read_text(), re.DOTALL).group(
            1
        )
        for page in ("index.md", "start.md")
    ]
    assert blocks[0] == blocks[1]
    assert blocks[0].count(":target: sample-report.html") == blocks[0].count("{image}") == 3
    assert '<a href="sample-report.html">Open this report</a>' in blocks[0]


def test_a_picture_of_the_gallery_is_told_in_words():
    """Those who cannot see it hear what is drawn, not the name of a file."""
    figure = Figure()
    left, right = figure.subplots(1, 2)
    left.plot([0, 1], label="sharp")
    left.set(title="Two\nmodels", xlabel="bandwidth", ylabel="miss rate")
    left.plot([1, 0], label="damped")
    right.set(xlabel="x")
    assert figure_in_words(figure) == "Chart: Two models; miss rate against bandwidth; with sharp, damped. x"
