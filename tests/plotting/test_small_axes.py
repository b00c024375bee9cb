"""Figures of one column of a paper, and of a phone: nothing lies upon anything, and nothing is cut off."""

from __future__ import annotations

from itertools import combinations

import matplotlib.pyplot as plt
import numpy as np
import pytest
from drawn_figure import labels, some_intervals

import uccurve as uc
from uccurve.datasets import make_crossing
from uccurve.plotting import (
    plot_bands,
    plot_conditional_coverage,
    plot_intervals,
    plot_operating_points,
    plot_ratio,
    plot_regimes,
    plot_reliability,
)

COLUMN, PAGE, PHONE = (3.3, 2.6), (6.8, 4.0), (2.8, 4.5)
SMALL_WORDS = {
    "font.size": 7,
    "axes.labelsize": 7,
    "xtick.labelsize": 6,
    "ytick.labelsize": 6,
    "legend.fontsize": 6,
}


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


def assert_clear(ax, *, seen=None):
    """Nothing covers anything, and all is inside the figure."""
    boxes = visible(ax) if seen is None else seen
    for (a, first), (b, second) in combinations(boxes.items(), 2):
        assert not first.overlaps(second), (a, b)
    whole = ax.figure.canvas.figure.bbox
    for name, box in boxes.items():
        assert box.x0 >= -1, name
        assert box.y0 >= -1, name
        assert box.x1 <= whole.x1 + 1, name
        assert box.y1 <= whole.y1 + 1, name


def inside_frame(ax):
    frame = ax.get_window_extent()
    return all(
        frame.x0 <= box.x0 and box.x1 <= frame.x1 and frame.y0 <= box.y0 and box.y1 <= frame.y1
        for box in map(words_of, ax.texts)
    )


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
}


@pytest.mark.parametrize("size", [COLUMN, PHONE, PAGE], ids=["column", "phone", "page"])
@pytest.mark.parametrize("name", DRAWN)
def test_nothing_covers_anything(name, size):
    """Neither labels nor legend nor ticks, and nothing leaves the figure."""
    ax = plt.subplots(figsize=size, layout="constrained")[1]
    DRAWN[name](ax)
    boxes = visible(ax)
    assert_clear(ax, seen=boxes)
    assert inside_frame(ax)


@pytest.mark.parametrize("name", ["points", "intervals"])
def test_small_settings_are_kept(name):
    """Words that are small already are not shrunk further."""
    with plt.rc_context(SMALL_WORDS):
        ax = plt.subplots(figsize=COLUMN, layout="constrained")[1]
        DRAWN[name](ax)
        assert_clear(ax)
        assert ax.xaxis.label.get_fontsize() == 7
        assert ax.get_xticklabels()[0].get_fontsize() == 6


@pytest.mark.parametrize("size", [COLUMN, PAGE])
def test_a_ratio_and_who_is_best_fit_their_axes(size):
    """Names of curves, bars with words, and the legend above them."""
    ax = plt.subplots(figsize=size, layout="constrained")[1]
    sharp, damped = models().values()
    plot_ratio(uc.ratio_curve(sharp, damped, n_resamples=19, rng=0), ax, label="sharp over damped")
    assert_clear(ax)
    ax = plt.subplots(figsize=size, layout="constrained")[1]
    plot_regimes(uc.compare(models(), n_resamples=19, rng=0), ax)
    assert_clear(ax)
    for bar, words in zip(
        [patch for patch in ax.patches if patch.get_width() > 0.15], ax.texts, strict=False
    ):
        assert not words.get_visible() or words_of(words).width <= bar.get_window_extent().width


def test_panels_of_operating_points_fit_a_column_and_a_page():
    """One above the other in a column, side by side on a page."""
    for shape, size in (((3, 1), (3.3, 6.6)), ((1, 3), (6.8, 2.6))):
        panels = plt.subplots(*shape, figsize=size, layout="constrained")[1]
        drawn = plot_operating_points(some_intervals(60), panels, label="mine", unit="kWh")
        for panel in drawn:
            assert_clear(panel)


def test_words_follow_the_size_of_the_axes():
    """Full size from 4 inches on, three quarters in one column."""
    sizes = []
    for width in (3.3, 4.4, 6.8):
        ax = plt.subplots(figsize=(width, 3.4))[1]
        uc.UCCDisplay(models()).plot(ax)
        sizes.append((ax.xaxis.label.get_fontsize(), ax.get_xticklabels()[0].get_fontsize()))
    assert sizes[0] == (7.5, 7.5)
    assert sizes[0] < sizes[1] < sizes[2] == (10, 10)


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
    """Where the axes are small; each in the color of its line, and nearer to it than to other models."""
    ax = plt.subplots(figsize=COLUMN, layout="constrained")[1]
    display = uc.UCCDisplay(models()).plot(ax, original=False, frontier=False)
    assert ax.get_legend() is None
    named = {text.get_text(): text for text in ax.texts}
    assert set(named) == {"sharp", "damped", "constant width"}
    ax.figure.canvas.draw()
    paths = {name: ax.transData.transform(line.get_xydata()) for name, line in display.line_.items()}
    for name, line in display.line_.items():
        assert named[name].get_color() == line.get_color()
        box = words_of(named[name])
        center = np.array([(box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2])
        gaps = {other: np.hypot(*(path - center).T).min() for other, path in paths.items()}
        assert min(gaps, key=gaps.get) == name
    large = plt.subplots(figsize=PAGE)[1]
    assert labels(uc.UCCDisplay(models()).plot(large).ax_)[0].startswith("sharp: area")
    assert len(large.texts) == 0


def test_nine_labels_in_one_column_do_not_cover_each_other():
    """Where the whole words have no room, the coverages remain."""
    three = models() | {"other": some_intervals(300, symmetric=True)}
    ax = plt.subplots(figsize=COLUMN, layout="constrained")[1]
    uc.UCCDisplay(three).plot(ax, points=[0.8, 0.9, 0.95])
    ax.figure.canvas.draw()
    boxes = [words_of(text) for text in ax.texts]
    assert sum("%" in text.get_text() for text in ax.texts) == 9
    assert not any(a.overlaps(b) for a, b in combinations(boxes, 2))
    assert inside_frame(ax)


def test_a_long_name_stays_inside_the_frame():
    """And does not squeeze the axes."""
    ax = plt.subplots(figsize=COLUMN, layout="constrained")[1]
    uc.UCCDisplay({"a model with a name of many words": models()["sharp"]}).plot(ax, points=[0.9])
    ax.figure.canvas.draw()
    assert ax.get_window_extent().width > 0.6 * ax.figure.bbox.width
    assert inside_frame(ax)
