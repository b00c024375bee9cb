"""Figures for a paper: sizes, files, words and colors."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path

import matplotlib.pyplot as plt
import pytest
from drawn_figure import labels, some_intervals
from matplotlib.colors import to_rgba
from matplotlib.transforms import Bbox
from PIL import Image

import uccurve as uc
from errors import raises
from uccurve import exceptions as ex
from uccurve.datasets import make_crossing
from uccurve.plotting import (
    comparison,
    plot_bands,
    plot_intervals,
    plot_ratio,
    plot_regimes,
    plot_reliability,
    style,
)
from uccurve.report_page import data


def display():
    return uc.UCCDisplay(make_crossing().models)


@pytest.mark.parametrize(("size", "inches"), [({"width": 3.3}, [3.3, 2.6]), ({"height": 3}, [6.4, 3])])
def test_a_new_figure_has_the_size_that_is_asked_for(size, inches):
    """One figure; other sizes are refused before it is made."""
    with raises(ex.ArgumentError, "width"):
        display().plot(width=0)
    ax = some_intervals().ucc().plot(**size)
    assert ax.figure.get_size_inches().tolist() == pytest.approx(inches)
    assert len(plt.get_fignums()) == 1


def fonts(path):
    return set(re.findall(rb"/Subtype /(Type3|Type42|TrueType|CIDFontType2)", path.read_bytes()))


def test_saved_files_have_the_fonts_that_publishers_take(tmp_path):
    """No Type 3 in the PDF file; the reader's settings are as before."""
    before = dict(plt.rcParams)
    drawn = display().plot(points=[0.9], width=3.3)
    drawn.save(tmp_path / "figure.pdf")
    drawn.figure_.savefig(tmp_path / "plain.pdf")
    assert b"Type3" not in fonts(tmp_path / "figure.pdf") != set()
    assert b"Type3" in fonts(tmp_path / "plain.pdf")  # what matplotlib does by itself
    assert dict(plt.rcParams) == before
    drawn.save(tmp_path / "figure.png")
    with Image.open(tmp_path / "figure.png") as picture:
        assert picture.size == (990, 780)
    drawn.save(str(tmp_path / "FIGURE.SVG"))
    assert (tmp_path / "FIGURE.SVG").read_text().startswith("<?xml")


def test_unknown_files_are_refused(tmp_path):
    """By the end of their names; and nothing is saved before something is drawn."""
    with pytest.raises(ex.ArgumentError):
        display().save(tmp_path / "figure.pdf")
    for name, dpi, argument in (("figure.gif", 300, "path"), ("figure.png", 0, "dpi")):
        with raises(ex.ArgumentError, argument):
            display().plot().save(tmp_path / name, dpi=dpi)
    assert list(tmp_path.iterdir()) == []


COLUMN, PAGE = (3.3, 2.6), (6.8, 4.0)


def models():
    return dict(make_crossing().models)


def draw_ratio(ax):
    sharp, damped = models().values()
    plot_ratio(uc.ratio_curve(sharp, damped, n_resamples=19, rng=0), ax, label="sharp over damped")


DRAWN = {
    "points": lambda ax: uc.UCCDisplay(models()).plot(ax, points=[0.9, 0.95], unit="kWh", confidence=0.95),
    "area": lambda ax: models()["sharp"].ucc().plot(ax, points=[0.5, 0.9], area=(0.8, 0.95), cost=0.2),
    "deficit": lambda ax: uc.UCCDisplay(models(), x="excess", y="deficit").plot(ax, cost=0.2),
    "intervals": lambda ax: plot_intervals(some_intervals(60), ax, coverage=0.9, unit="kWh"),
    "names": lambda ax: plot_intervals(some_intervals(4), ax, rows=[0, 1], against=[40 * a for a in "abcd"]),
    "segments": lambda ax: uc.conditional_coverage(some_intervals(), by=["region " * 5] * 99).plot(ax),
    "bands": lambda ax: plot_bands(some_intervals(60), ax, unit="kWh"),
    "reliability": lambda ax: plot_reliability(models(), ax, nominal=0.68, confidence=0.95),
    "coverage": lambda ax: uc.conditional_coverage(models()["damped"], coverage=0.9).plot(ax),
    "ratio": draw_ratio,
    "regimes": lambda ax: plot_regimes(uc.compare(models(), n_resamples=19, rng=0), ax),
}


@pytest.mark.parametrize("name", DRAWN)
def test_figures_of_one_column_can_be_read(name):
    """Words are not below 6 points, nothing leaves the figure, and ticks do not run into each other."""
    figure, ax = plt.subplots(figsize=COLUMN, layout="constrained")
    DRAWN[name](ax)
    figure.canvas.draw()
    legend = ax.get_legend()
    ticks = [*ax.get_xticklabels(), *ax.get_yticklabels()]
    words = [ax.xaxis.label, ax.yaxis.label, *legend.get_texts(), *ticks]
    assert min(text.get_fontsize() for text in words if text.get_text()) >= 6
    whole = figure.bbox.expanded(1.01, 1.01)
    for part in (ax.xaxis.label, ax.yaxis.label, legend):
        box = part.get_window_extent()
        assert Bbox.union([whole, box]).bounds == whole.bounds
    low, high = sorted(ax.get_xlim())
    shown = [tick for tick in ax.get_xticklabels() if low <= tick.get_position()[0] <= high]
    boxes = [tick.get_window_extent() for tick in shown]
    assert all(one.x1 <= other.x0 for one, other in pairwise(boxes))


def test_a_legend_makes_room_for_itself():
    """The axis is as tall as needed, so that the lines below a legend stay below it."""
    ax = plt.subplots(figsize=COLUMN, layout="constrained")[1]
    curve = models()["sharp"].ucc()
    lower = curve.plot(ax, label="sharp").get_ylim()[1]
    ax.clear()
    curve.plot(ax, label="sharp", points=[0.3, 0.5, 0.7, 0.8, 0.9, 0.95], area=(0.5, 0.9), cost=0.2)
    assert lower < ax.get_ylim()[1] <= 2.1 * lower
    new = display().plot(width=3.3, points=[0.8, 0.9, 0.95], area=(0.8, 0.95), cost=0.2, confidence=0.95)
    new.figure_.canvas.draw()
    places = new.ax_.transData.transform(new.line_["damped"].get_xydata())
    assert not new.ax_.get_legend().get_window_extent().count_contains(places)


def test_a_chosen_size_is_left_alone():
    """Words that somebody sized are not ours to shrink, and drawing twice shrinks once."""
    ax = plt.subplots(figsize=COLUMN)[1]
    ax.xaxis.label.set_fontsize(12)
    ax.tick_params(axis="y", labelsize=11)
    for curve in models().values():
        curve.ucc().plot(ax)
        words = ax.xaxis.label, ax.get_yticklabels()[0], ax.yaxis.label, ax.get_xticklabels()[0]
        assert [text.get_fontsize() for text in words] == [12, 11, 7.5, 7.5]


def test_on_small_axes_the_legend_says_names_only():
    """And on large ones area and gain as well."""
    small, large = (plt.subplots(figsize=size)[1] for size in (COLUMN, PAGE))
    assert labels(uc.UCCDisplay(models()).plot(small).ax_)[0] == "sharp"
    assert labels(uc.UCCDisplay(models()).plot(large).ax_)[0].startswith("sharp: area")


WEB = Path(uc.__file__).parent / "report_page" / "web"


def luminance(color):
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_colors_are_those_of_the_report_page_on_light_ground():
    """In the same order, with the contrast that accessibility guidelines ask for small text: 4.5."""
    assert min(1.05 / (luminance(color) + 0.05) for color in style.COLORS) >= 4.5
    page = dict(
        re.findall(r"--([a-z0-9-]+): var\(--light, (#[0-9a-f]{6})\)", (WEB / "palette.css").read_text())
    )
    assert tuple(page[f"curve-{number}"] for number in range(6)) == style.COLORS
    assert page["constant"] == style.QUIET
    red, green, blue, alpha = to_rgba(style.GRAY)
    on_white = [1 - alpha * (1 - part) for part in (red, green, blue)]
    assert on_white == pytest.approx(to_rgba(page["line-gray"])[:3], abs=0.04)


def test_dashes_and_words_are_those_of_the_report_page():
    """All distinct; the page's lines are two pixels wide, and matplotlib counts in widths of the line."""
    assert comparison.DIFFERENCES == data.BETTER
    dashes = json.loads(re.search(r"const DASHES = (\[.*?\]);", (WEB / "look.js").read_text()).group(1))
    wanted = [tuple(float(part) / 2 for part in text.split()) for text in dashes]
    assert ["-", *((0, pattern) for pattern in wanted[1:])] == list(style.DASHES)
    assert len(set(wanted)) == len(style.COLORS) == 6
    constant = re.search(r'DASHES_OF_CONSTANT = "(\d+) (\d+)"', (WEB / "look.js").read_text()).groups()
    assert (0, tuple(float(part) / 2 for part in constant)) == style.DASHES_OF_CONSTANT
    looks = {str(style.model_style(place)) for place in range(12)}
    assert len(looks) == 12, "colors start again with other dashes"
