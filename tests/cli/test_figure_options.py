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


OPTIONS = ["--y-true", "y", "--y-pred", "pred", "--lower", "lo", "--upper", "hi"]


def test_points_and_size_reach_the_figure(rows):
    """Points with commas or one by one; inches to points in a PDF file, to 300 dots in a picture."""
    plot = ["plot", "f.csv", *OPTIONS]
    commands = [
        [*plot, "-o", "a.svg", "--points", "0.4,0.6"],
        [*plot, "-o", "b.svg", "--points", "0.4", "--points", "0.6"],
        [*plot, "-o", "c.pdf", "--width", "3.3", "--height", "2.5", "--points", "0.6"],
        [*plot, "-o", "d.png", "--width", "3.3"],
    ]
    assert [(code, error) for code, _, error in batch(commands, rows)] == [(0, "")] * 4
    for name in ("a.svg", "b.svg"):
        assert {"40%", "60%"} <= set(re.findall(r"<!-- (\d+%): ×", (rows / name).read_text()))
    content = (rows / "c.pdf").read_bytes()
    box = re.search(rb"/MediaBox \[ ?0 0 ([\d.]+) ([\d.]+)", content)
    assert [float(side) for side in box.groups()] == pytest.approx([3.3 * 72, 2.5 * 72])
    assert b"/Type3" not in content
    assert b"/FontFile2" in content  # TrueType
    with Image.open(rows / "d.png") as picture:
        assert picture.size == (990, 780)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ["--points", "0.9;0.95"],
            "--points 0.9;0.95: write a share such as 0.9, or a percentage such as 90%.",
        ),
        (["--width", "1e9"], "--width"),
    ],
)
def test_other_points_and_sizes_are_refused(rows, options, message):
    """In one line, and no file is written."""
    assert message in refused("plot", "f.csv", *OPTIONS, *options, cwd=rows, code=2)
    assert [path.name for path in rows.iterdir()] == ["f.csv"]
