"""What the repository promises outside the library: README, demo, figures, benchmarks, metadata."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import json
import math
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from pydoc import locate

import pytest
from numpydoc.validate import validate

import uccurve as uc

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


def reference():
    """The names that the reference lists, each with its module in front."""
    module, text = "", (ROOT / "docs/reference/index.md").read_text()
    for room, name in re.findall(r"^\.\. currentmodule:: (\S+)$|^   (\w+)$", text, re.MULTILINE):
        module = room or module
        if name:
            yield f"{module}.{name}"


REFERENCE = list(reference())


@pytest.mark.slow
@pytest.mark.parametrize(
    "room", ["", ".adapters", ".compat.uq360", ".datasets", ".exceptions", ".jax", ".sklearn"]
)
def test_the_reference_lists_every_public_name(room):
    """A class that a function returns, or an error that it raises, can be looked up."""
    name = f"uccurve{room}"
    module = importlib.import_module(name)
    kinds = [kind for kind in vars(module).values() if isinstance(kind, type) and kind.__module__ == name]
    public = getattr(module, "__all__", [kind.__name__ for kind in kinds])
    listed = {one.rpartition(".")[2] for one in REFERENCE if one.rpartition(".")[0] == name}
    assert listed == set(public) - {"exceptions"}


def own_methods(kind):
    """The public methods of a class that are the library's own."""
    for name, member in inspect.getmembers_static(kind):
        method = getattr(member, "__func__", member)
        if name[0] != "_" and inspect.isfunction(method) and method.__module__.startswith("uccurve"):
            yield name


PARAMETERS = {"PR01", "PR02"}  # of numpydoc: missing, unknown
ALWAYS = {"GL03", "GL07", "SS03", "RT01", "YD01"}  # blank lines, order, a full stop, what is returned
FULLY = {"SA01", "EX01"}  # where to look next, an example
# Beside estimators, whose arguments are checked by `fit`.
CANNOT_RAISE = ("constant", "heading", "OperatingPoints.of", "get_params", "set_score_request")


@pytest.mark.slow
@pytest.mark.parametrize("name", REFERENCE)
def test_the_reference_says_what_goes_in_and_comes_out(name):
    """Of functions, classes and their methods, by numpydoc's rules; fields of a record are attributes, not parameters.

    What takes arguments says which errors they can raise.
    """
    thing, rules = locate(name), {}
    if inspect.isfunction(thing):
        rules[name] = ALWAYS | FULLY | PARAMETERS
    elif isinstance(thing, type) and not issubclass(thing, Exception):
        is_record = dataclasses.is_dataclass(thing) or issubclass(thing, tuple)
        rules[name] = ALWAYS | FULLY | (set() if is_record else PARAMETERS)
        rules |= {f"{name}.{method}": ALWAYS | PARAMETERS for method in own_methods(thing)}
    for one, kept in rules.items():
        assert [error for error in validate(one)["errors"] if error[0] in kept] == [], one
        has = [section in inspect.getdoc(locate(one)) for section in ("Parameters\n---", "Raises\n---")]
        assert has != [True, False] or hasattr(locate(one), "fit") or one.endswith(CANNOT_RAISE), one


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


@pytest.mark.slow
def test_the_benchmark_runs_and_reports(tmp_path):
    """On a few rows: what it measures is not judged here."""
    page = tmp_path / "benchmarks.md"
    printed = run("bench/run.py", "--rows", "2000", "--repeats", "1", "--without-peers", "--page", str(page))
    assert page.read_text() == printed.removesuffix("\n")
    measured = [line.split(" | ")[2] for line in printed.splitlines() if line.startswith("| ")][2:]
    assert len(measured) == 24
    for value in measured:  # of a few rows a clock says nothing, not even its sign
        assert math.isfinite(float(value.split()[0].replace(",", "")))


def test_versions_agree():
    """One version, wherever it is written."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["version"] == uc.__version__
    assert f"version: {uc.__version__}\n" in (ROOT / "CITATION.cff").read_text()


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
