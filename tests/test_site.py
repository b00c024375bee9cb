"""The documentation site: what its pages take from other files, and what they must not show."""

from __future__ import annotations

import importlib.util
import inspect
import re
from pathlib import Path

import pytest

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
    page = " ".join((DOCS / "about/cite.md").read_text().split())
    fields = re.findall(r"^ *(?:title|version|license|year|- name): (.+)$", cited, re.MULTILINE)
    assert len(fields) == 6
    for field in fields:
        assert f"{{{field}}}" in page, field
    names = re.findall(r"given-names: (.+)\n +family-names: (.+)$", cited, re.MULTILINE)
    assert " and ".join(f"{family}, {given}" for given, family in names) in page
    number = re.search(r"arXiv:([\d.]+)\]", (DOCS / "paper.md").read_text()).group(1)
    assert f"{{{number}}}" in page
    assert f"/abs/{number}\n" in cited


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
