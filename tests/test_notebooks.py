"""The notebooks: what they store is what they give today."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))


def checked(path):
    return subprocess.run(
        [sys.executable, str(ROOT / "tools" / "notebook.py"), str(path), "--check"],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_fresh_run_gives_the_stored_text(path):
    """Every cell, in order, with warnings as errors."""
    run = checked(path)
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.slow
def test_a_stale_output_is_noticed(tmp_path):
    """A cell that stores another number than it gives."""
    notebook = {"cells": [{"cell_type": "code", "source": ["print(1 + 1)"], "outputs": []}]}
    notebook["cells"][0]["outputs"] = [{"name": "stdout", "output_type": "stream", "text": ["3\n"]}]
    stale = tmp_path / "stale.ipynb"
    stale.write_text(json.dumps(notebook))
    run = checked(stale)
    assert run.returncode == 1
    assert "cell 1 stores" in run.stdout


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_are_small_complete_and_name_no_machine(path):
    """They are read on code hosts, with figures and outputs."""
    text = path.read_text()
    cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]
    assert path.stat().st_size < 400_000
    assert all(cell["execution_count"] for cell in cells)
    assert sum("image/png" in one.get("data", {}) for cell in cells for one in cell["outputs"]) >= 2
    assert not any(word in text for word in ("/home/", "/root/", "/tmp/", "/work/"))  # noqa: S108


def test_there_is_a_notebook():
    """So that the tests above cannot pass on nothing."""
    assert "from_uq360" in [path.stem for path in NOTEBOOKS]
