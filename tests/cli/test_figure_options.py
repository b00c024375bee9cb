"""``uccurve plot``: marked points, the size of the figure and its file."""

from __future__ import annotations

import re

import pytest
from command_runs import FINE, HEAD, batch, refused
from PIL import Image


@pytest.fixture
def rows(tmp_path):
    (tmp_path / "f.csv").write_text(HEAD + FINE)
    return tmp_path


def test_points_and_size_reach_the_figure(rows):
    """Points with commas or one by one; inches to points in a PDF file, to 300 dots in a picture."""
    plot = ["plot", "f.csv"]
    commands = [
        [*plot, "-o", "a.svg", "--points", "0.4,60%", "-q"],
        [*plot, "-o", "b.svg", "--points", "0.4", "--points", "60", "-q"],
        [*plot, "-o", "c.pdf", "--width", "3.3", "--height", "2.5", "-q"],
        [*plot, "-o", "d.png", "--width", "3.3", "-q"],
        [*plot, "-o", "e.svg", "--paper", "--confidence-level", "95%", "-q"],
    ]
    assert [(code, error) for code, _, error in batch(commands, rows)] == [(0, "")] * 5
    drawn = {name: (rows / name).read_text() for name in ("a.svg", "e.svg")}
    assert ["stretched toward" in text for text in drawn.values()] == [True, False]
    assert "95% band" in drawn["e.svg"]
    for name in ("a.svg", "b.svg"):
        assert {"40%", "60%"} <= set(re.findall(r"(\d+%): ×", (rows / name).read_text()))
    box = re.search(rb"/MediaBox \[ ?0 0 ([\d.]+) ([\d.]+)", (rows / "c.pdf").read_bytes())
    assert [float(side) for side in box.groups()] == pytest.approx([3.3 * 72, 2.5 * 72])
    with Image.open(rows / "d.png") as picture:
        assert picture.size == (990, 780)


@pytest.mark.parametrize("options", [("--points", "0.9;0.95"), ("--width", "1e9")])
def test_other_points_and_sizes_are_refused(rows, options):
    """In one line, and no file is written."""
    assert options[0] in refused("plot", "f.csv", *options, cwd=rows, code=2)
    assert [path.name for path in rows.iterdir()] == ["f.csv"]
