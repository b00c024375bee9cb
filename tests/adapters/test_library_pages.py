"""Pages, figures and tests of other libraries belong together."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
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


def test_every_page_and_every_fit_has_an_environment():
    """`make test-adapters` runs what these lists name: nothing is forgotten, and nothing runs twice."""
    lists = sorted((ROOT / "tests" / "libraries").glob("*.txt"))
    listed = [name for one in lists for name in one.read_text().split()]
    runs = [*FOLDER.glob("*.md"), *(ROOT / "tests" / "libraries").glob("test_*.py")]
    assert sorted(listed) == sorted(path.relative_to(ROOT).as_posix() for path in runs)
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text())["dependency-groups"]
    assert {one.stem for one in lists} <= set(groups)


def test_adapters_and_pages_name_each_other():
    """Every adapter has a page and is in the index; a renamed one must not live on in the documentation."""
    text = INDEX + "".join(page.read_text() for page in [*PAGES, FOLDER.parent / "hubs.md"])
    every = {name for name in adapters.__all__ if name.startswith("from_")}
    assert set(re.findall(r"uc\.adapters\.(from_\w+)", text)) == every
    assert set(re.findall(r"`(from_\w+)\(", INDEX)) == every


@pytest.mark.slow
def test_a_page_s_own_code_draws_its_figure(tmp_path):
    """UQ360's page needs no other library, so it can be drawn here; the same code makes the same file."""
    command = [sys.executable, "examples/figures.py", "docs/libraries/uq360.md", "--output", str(tmp_path)]
    pictures = []
    for _ in range(2):
        subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
        pictures.append((tmp_path / "uq360.png").read_bytes())
    assert pictures[0] == pictures[1]
    assert pictures[0].startswith(b"\x89PNG")
