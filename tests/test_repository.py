"""What the repository promises outside the library: README, demo, figures, benchmarks, metadata."""

from __future__ import annotations

import importlib
import json
import math
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import uccurve as uc
from uccurve.datasets import make_crossing

ROOT = Path(__file__).parents[1]


def run(*command, cwd=ROOT):
    return subprocess.run(
        [sys.executable, *command], cwd=cwd, capture_output=True, text=True, check=True
    ).stdout


def test_the_readme_example_prints_what_it_says(tmp_path):
    """Ten lines at most, and the text below them is their output."""
    text = (ROOT / "README.md").read_text()
    code, output = re.search(r"```python\n(.*?)```\s*prints\s*```text\n(.*?)```", text, re.DOTALL).groups()
    assert len(code.strip().splitlines()) <= 10
    assert run("-W", "error", "-c", code, cwd=tmp_path) == output


def test_every_name_in_readme_and_tables_exists():
    """A renamed method must not live on in the tables."""
    text = "".join((ROOT / page).read_text() for page in ("README.md", "docs/which-number.md"))
    for name in re.findall(r"`uc\.([A-Za-z_]+)`", text):
        assert hasattr(uc, name), name
    for name in re.findall(r"`curve\.([a-z_]+)", text):
        assert hasattr(uc.UCC, name), name


@pytest.mark.slow
@pytest.mark.parametrize(
    "room", ["", ".adapters", ".compat.uq360", ".datasets", ".exceptions", ".jax", ".sklearn"]
)
def test_the_reference_lists_every_public_name(room):
    """A class that a function returns, or an error that it raises, can be looked up."""
    text = (ROOT / "docs/reference/index.md").read_text()
    name = f"uccurve{room}"
    blocks = re.findall(
        rf"currentmodule:: {re.escape(name)}\n(.*?)(?:```|\.\. currentmodule)", text, re.DOTALL
    )
    listed = set(re.findall(r"^   (\w+)$", "".join(blocks), re.MULTILINE))
    assert listed == set(importlib.import_module(name).__all__) - {"exceptions"}


def anchors(page):
    """The names that headings of a page can be linked by."""
    titles = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_documents_link_to_files_and_headings_that_exist():
    """Pictures, pages, and places on them."""
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        for target, place in re.findall(r"\]\(([^)#:]*)(?:#([^)]+))?\)", page.read_text()):
            file = page.parent / target if target else page
            assert file.exists(), (page.name, target)
            assert not place or place in anchors(file), (page.name, target, place)


def test_the_readme_says_what_the_demo_finds():
    """The picture's caption quotes the verdict."""
    caption = (ROOT / "README.md").read_text().replace("\n", " ")
    comparison = uc.compare(make_crossing().models, rng=0)
    narrower, better, low, high = re.search(
        r"`damped` is (\d+%) narrower at 90% coverage.*`sharp` is (\d+%) better, and clearly so from (\S+) to (\S+) cov",
        caption,
    ).groups()
    assert f"damped is {narrower} narrower" in comparison.recommendation.beside
    assert f"its interval score is {better} better than damped's" in comparison.recommendation.answer
    assert f"From {low} to {high} coverage, sharp is clearly best" in " ".join(comparison.findings)


@pytest.mark.slow
def test_the_benchmark_runs_and_reports(tmp_path):
    """On a few rows: what it measures is not judged here."""
    target = tmp_path / "core.json"
    printed = run(
        "bench/run.py", "--rows", "2000", "--repeats", "1", "--without-peers", "--output", str(target)
    )
    found = json.loads(target.read_text())
    assert found["rows"] == 2000
    assert len(found["results"]) == 24
    for result in found["results"]:
        assert math.isfinite(result["value"])  # of a few rows a clock says nothing, not even its sign
        assert result["work"] in printed
    assert target.with_suffix(".md").read_text().count("\n| ") == 26


def test_versions_agree():
    """One version, wherever it is written."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["version"] == uc.__version__
    assert f"version: {uc.__version__}\n" in (ROOT / "CITATION.cff").read_text()
    assert {re.split(r"[<>=]", name)[0] for name in project["dependencies"]} == {
        "numpy",
        "scipy",
        "narwhals",
        "array-api-compat",
    }


NOTEBOOK = ROOT / "examples/from_uq360.ipynb"


def code_cells(path):
    return [cell for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] == "code"]


def texts(path):
    """What each cell of a notebook prints and returns, without its figures; it may come in several parts."""
    outputs = [
        [one for one in cell["outputs"] if one["output_type"] != "display_data"] for cell in code_cells(path)
    ]
    return [
        "".join(line for one in cell for line in one.get("text") or one["data"]["text/plain"])
        for cell in outputs
    ]


@pytest.mark.slow
def test_a_fresh_run_of_the_notebook_prints_the_stored_text(tmp_path):
    """Every cell, in order."""
    run("-m", "nbconvert", "--to", "notebook", "--execute", "--output-dir", str(tmp_path), str(NOTEBOOK))
    assert texts(tmp_path / NOTEBOOK.name) == texts(NOTEBOOK)


def test_the_notebook_is_small_complete_and_names_no_machine():
    """It is read on code hosts, with figures and outputs."""
    cells = code_cells(NOTEBOOK)
    assert NOTEBOOK.stat().st_size < 400_000
    assert all(cell["execution_count"] for cell in cells)
    assert sum("image/png" in one.get("data", {}) for cell in cells for one in cell["outputs"]) >= 2
    assert not any(word in NOTEBOOK.read_text() for word in ("/home/", "/root/", "/tmp/", "/work/"))  # noqa: S108
