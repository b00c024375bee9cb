"""Pages, figures and tests of other libraries belong together."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from uccurve import adapters

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "libraries"
PAGES = [page for page in sorted(FOLDER.glob("*.md")) if page.name != "README.md"]
INDEX = (FOLDER / "README.md").read_text()
WITHOUT_THE_LIBRARY = {"uq360"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_is_in_the_index_and_has_a_figure_and_a_real_fit(page):
    """Ten lines or so of code, what they print, and a small figure."""
    text = page.read_text()
    assert page.name in INDEX
    assert f"(../figures/libraries/{page.stem}.png)" in text
    figure = ROOT / "docs" / "figures" / "libraries" / f"{page.stem}.png"
    assert figure.stat().st_size < 100_000
    assert "uc.adapters.from_" in text
    test = ROOT / "tests" / "libraries" / f"test_{page.stem.replace('-', '_')}.py"
    assert test.exists() or page.stem in WITHOUT_THE_LIBRARY


def test_every_call_on_a_page_exists():
    """A renamed adapter must not live on in the documentation."""
    for page in [*PAGES, FOLDER / "README.md"]:
        for name in re.findall(r"uc\.adapters\.(from_\w+)", page.read_text()):
            assert name in adapters.__all__, (page.name, name)


def test_every_adapter_has_a_page():
    """And is in the index."""
    text = "".join(page.read_text() for page in PAGES)
    for name in adapters.__all__:
        if name.startswith("from_"):
            assert f"uc.adapters.{name}" in text, name
            assert f"`{name}(" in INDEX, name
