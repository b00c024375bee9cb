"""One model has the same color in a figure and on the report page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import uccurve
from uccurve.plotting import _style

PALETTE = Path(uccurve.__file__).parent / "report_page" / "css" / "palette.css"


def luminance(color):
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_colors_are_those_of_the_report_page_on_light_ground():
    """In the same order."""
    page = re.findall(r"--curve-(\d): var\(--light, (#[0-9a-f]{6})\)", PALETTE.read_text(encoding="utf-8"))
    assert [int(number) for number, _ in page] == list(range(len(_style.COLORS)))
    assert tuple(color for _, color in page) == _style.COLORS


@pytest.mark.parametrize("color", _style.COLORS)
def test_words_in_these_colors_can_be_read_on_white(color):
    """With the contrast that accessibility guidelines ask for small text: 4.5."""
    assert 1.05 / (luminance(color) + 0.05) >= 4.5
