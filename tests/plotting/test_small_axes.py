"""Figures of one column of a paper, and of a phone: nothing lies upon anything, and nothing is cut off."""

from __future__ import annotations

from itertools import combinations

import matplotlib.pyplot as plt
import pytest
from drawn_figure import labels, some_intervals

import uccurve as uc
from uccurve.datasets import make_crossing
from uccurve.plotting import (
    plot_bands,
    plot_conditional_coverage,
    plot_intervals,
    plot_ratio,
    plot_regimes,
    plot_reliability,
)

COLUMN, PAGE, PHONE = (3.3, 2.6), (6.8, 4.0), (2.8, 4.5)


def models():
    return dict(make_crossing().models)


def words_of(text):
    """The box of the words themselves, without their leader."""
    return plt.Text.get_window_extent(text)


def visible(ax):
    """All words in the axes, and those of both axes; the legend as one box."""
    ax.figure.canvas.draw()
    boxes = {text.get_text(): words_of(text) for text in ax.texts if text.get_visible()}
    for axis in (ax.xaxis, ax.yaxis):
        boxes[f"label {axis.axis_name}"] = axis.label.get_window_extent()
        low, high = sorted(axis.get_view_interval())
        for place, tick in zip(axis.get_majorticklocs(), axis.get_ticklabels(), strict=True):
            if tick.get_text() and low <= place <= high:  # others are not drawn
                boxes[f"tick {axis.axis_name} {tick.get_text()}"] = tick.get_window_extent()
    if ax.get_legend() is not None:
        boxes["legend"] = ax.get_legend().get_window_extent()
    if ax.get_title():
        boxes["title"] = ax.title.get_window_extent()
    return {name: box for name, box in boxes.items() if box.width > 0}


def draw_ratio(ax):
    sharp, damped = models().values()
    plot_ratio(uc.ratio_curve(sharp, damped, n_resamples=19, rng=0), ax, label="sharp over damped")


DRAWN = {
    "points": lambda ax: uc.UCCDisplay(models()).plot(ax, points=[0.9, 0.95], unit="kWh"),
    "all": lambda ax: (
        models()["sharp"].ucc().plot(ax, label="sharp", cost=0.2, miss_rate=(0.05, 0.2), confidence=0.95)
    ),
    "area": lambda ax: models()["sharp"].ucc().plot(ax, label="sharp", points=[0.5, 0.9], area=(0.8, 0.95)),
    "deficit": lambda ax: uc.UCCDisplay(models(), x="excess", y="deficit").plot(ax, cost=0.2),
    "intervals": lambda ax: plot_intervals(some_intervals(60), ax, coverage=0.9, unit="kWh"),
    "bands": lambda ax: plot_bands(some_intervals(60), ax, unit="kWh"),
    "reliability": lambda ax: plot_reliability(models(), ax, nominal=0.68, confidence=0.95),
    "coverage": lambda ax: plot_conditional_coverage(
        uc.conditional_coverage(models()["damped"], coverage=0.9), ax
    ),
    "ratio": draw_ratio,
    "regimes": lambda ax: plot_regimes(uc.compare(models(), n_resamples=19, rng=0), ax),
}


@pytest.mark.parametrize("size", [COLUMN, PHONE, PAGE], ids=["column", "phone", "page"])
@pytest.mark.parametrize("name", DRAWN)
def test_nothing_covers_anything(name, size):
    """Neither labels nor legend nor ticks, and nothing leaves the figure."""
    ax = plt.subplots(figsize=size, layout="constrained")[1]
    DRAWN[name](ax)
    boxes = visible(ax)
    for (a, first), (b, second) in combinations(boxes.items(), 2):
        assert not first.overlaps(second), (a, b)
    whole = ax.figure.canvas.figure.bbox.expanded(1.01, 1.01)
    for box in boxes.values():
        assert whole.x0 <= box.x0 <= box.x1 <= whole.x1
        assert whole.y0 <= box.y0 <= box.y1 <= whole.y1


def test_a_chosen_size_is_left_alone():
    """Words that somebody sized are not ours to shrink, and drawing twice shrinks once."""
    ax = plt.subplots(figsize=COLUMN)[1]
    ax.xaxis.label.set_fontsize(12)
    ax.tick_params(axis="y", labelsize=11)
    for curve in models().values():
        curve.ucc().plot(ax)
        assert ax.xaxis.label.get_fontsize() == 12
        assert ax.get_yticklabels()[0].get_fontsize() == 11
        assert ax.yaxis.label.get_fontsize() == ax.get_xticklabels()[0].get_fontsize() == 7.5


def test_names_stand_beside_their_lines_instead_of_a_legend():
    """Where the axes are small; each in the color of its line."""
    ax = plt.subplots(figsize=COLUMN, layout="constrained")[1]
    display = uc.UCCDisplay(models()).plot(ax, original=False, frontier=False)
    assert ax.get_legend() is None
    named = {text.get_text(): text for text in ax.texts}
    assert set(named) == {"sharp", "damped", "constant width"}
    for name, line in display.line_.items():
        assert named[name].get_color() == line.get_color()
    large = plt.subplots(figsize=PAGE)[1]
    assert labels(uc.UCCDisplay(models()).plot(large).ax_)[0].startswith("sharp: area")
    assert len(large.texts) == 0
