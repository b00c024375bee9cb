"""The figures of the pages are drawn from the code of the pages."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def drawn(*pages, output):
    command = [sys.executable, "examples/libraries.py", *map(str, pages), "--output", str(output)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_a_page_s_own_code_draws_its_figure(tmp_path):
    """UQ360's page needs no other library, so it can be drawn here; the same code makes the same file."""
    run = drawn("docs/libraries/uq360.md", output=tmp_path)
    assert run.returncode == 0, run.stderr
    picture = (tmp_path / "uq360.png").read_bytes()
    assert picture.startswith(b"\x89PNG")
    drawn("docs/libraries/uq360.md", output=tmp_path)
    assert (tmp_path / "uq360.png").read_bytes() == picture


@pytest.mark.slow
def test_a_page_without_intervals_is_named(tmp_path):
    """Rather than an empty figure."""
    page = tmp_path / "empty.md"
    page.write_text("# Empty\n\n```pycon\n>>> 1 + 1\n2\n\n```\n")
    run = drawn(page, output=tmp_path)
    assert run.returncode == 1
    assert run.stderr.strip().endswith("empty.md: the first example must leave `models` or `intervals`.")
