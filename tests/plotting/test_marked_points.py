"""Operating points on a curve: where they are, what their labels say, and that nothing lies upon anything."""

from __future__ import annotations

from itertools import combinations

import matplotlib.pyplot as plt
import numpy as np
import pytest
from drawn_figure import some_intervals
from matplotlib.figure import Figure

import uccurve as uc
from errors import raises
from uccurve import exceptions as ex
from uccurve.datasets import make_crossing
from uccurve.plotting import plot_ucc


def dots(ax):
    return [
        (float(line.get_xdata()[0]), float(line.get_ydata()[0]))
        for line in ax.lines
        if line.get_gid() == "point"
    ]


def words(ax):
    return {text.get_text() for text in ax.texts if text.get_gid() == "label"}


def boxes(ax):
    ax.figure.canvas.draw()
    return [
        text.get_window_extent() if text.arrow_patch is None else plt.Text.get_window_extent(text)
        for text in ax.texts
        if text.get_gid() == "label"
    ]


@pytest.mark.parametrize(("x", "y"), [("bandwidth", "miss_rate"), ("excess", "deficit")])
def test_dots_lie_on_the_curve_at_their_coverages(x, y):
    """On any axes."""
    curve = some_intervals().ucc()
    ax = plot_ucc(curve, x=x, y=y, points=[0.5, 0.9])
    points = [curve.at(coverage=coverage) for coverage in (0.5, 0.9)]
    assert dots(ax) == [(getattr(point, x), getattr(point, y)) for point in points]
    assert words(ax) == {
        f"{share}%: ×{point.parameter:.3g}" for share, point in zip((50, 90), points, strict=True)
    }


def test_labels_say_what_moves_the_bands():
    """A factor, an amount with its sign and unit, or the coverage that quantiles claim."""
    shift = some_intervals().ucc(vary="shift")
    low, high = (shift.at(coverage=coverage).parameter for coverage in (0.1, 0.99))
    assert low < 0 < high
    assert words(shift.plot(points=[0.1, 0.99], unit="kWh")) == {
        f"10%: −{-low:.3g} kWh",
        f"99%: +{high:.3g} kWh",
    }
    y = np.linspace(-3, 3, 41)
    table = np.tile([-2.0, -1.0, 0.0, 1.0, 2.0], (41, 1))
    level = uc.Intervals.from_quantiles(y, table, (0.1, 0.25, 0.5, 0.75, 0.9)).ucc(vary="level")
    inner, beyond = level.at(coverage=0.4), level.at(coverage=0.9)
    assert words(level.plot(points=[0.4, 0.9])) == {
        f"40%: nominal {100 * inner.nominal:.3g}%",
        f"90%: outermost ×{beyond.parameter:.3g}",
    }


@pytest.mark.parametrize("name", ["$x$", "_hidden", "a\nb", r"\$\frac$", "100%"])
def test_names_are_shown_and_not_obeyed(name):
    """In front of the coverage, as literally as everywhere."""
    ax = some_intervals().ucc().plot(points={name: 0.9})
    (text,) = ax.texts
    shown, is_math = text._preprocess_math(text.get_text())
    assert shown.startswith(name.replace("\n", "�") + ", 90%: ×")
    assert not is_math
    ax.figure.canvas.draw()


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("size", [(4, 3), (6.4, 4.4)])
def test_labels_cover_neither_curves_nor_each_other(count, size):
    """Also in a small figure, and with several models."""
    models = dict(list(make_crossing().models.items())[:2]) | {"other": some_intervals(300, symmetric=True)}
    ax = plt.subplots(figsize=size, layout="constrained")[1]
    chosen = dict(list(models.items())[:count])
    display = uc.UCCDisplay(chosen).plot(ax, points=[0.8, 0.9, 0.95], frontier=False, legend=False)
    assert len(dots(ax)) == 3 * count
    found = boxes(ax)
    assert len(found) == 3 * count
    assert not any(a.overlaps(b) for a, b in combinations(found, 2))
    frame = ax.get_window_extent()
    assert all(frame.x0 <= box.x0 and box.x1 <= frame.x1 for box in found)
    lines = display.line_.values() if count > 1 else [display.line_]
    for line in lines:
        corners = ax.transData.transform(
            np.column_stack(
                [np.repeat(line.get_xdata(), 2)[1:], np.repeat(line.get_ydata(), 2)[:-1]]  # its steps
            )
        )
        for box in found:
            assert not line_meets(corners, box)


def line_meets(corners, box):
    """Whether a path of horizontal and vertical steps runs through a box."""
    low, high = np.minimum(corners[:-1], corners[1:]), np.maximum(corners[:-1], corners[1:])
    return bool(
        ((low[:, 0] < box.x1) & (high[:, 0] > box.x0) & (low[:, 1] < box.y1) & (high[:, 1] > box.y0)).any()
    )


def test_labels_keep_clear_of_the_legend():
    """Which is placed before them."""
    ax = some_intervals(symmetric=True).ucc().plot(points=[0.02, 0.05, 0.1, 0.2], label="m" * 39)
    legend = ax.get_legend().get_window_extent()
    assert not any(box.overlaps(legend) for box in boxes(ax))


def test_labels_move_when_another_curve_comes():
    """They are placed again, not drawn twice; one that was removed comes back without an error."""
    a, b = (model.ucc() for model in make_crossing().models.values())
    ax = a.plot(points=[0.9])
    ax.texts[0].remove()
    b.plot(ax, points=[0.95])
    assert len(ax.texts) == len(dots(ax)) == 2


def test_figures_that_pyplot_does_not_know_are_enough():
    """Also parts of figures."""
    curve = some_intervals().ucc()
    for figure in (Figure(), Figure().subfigures(1, 2)[1]):
        ax = figure.subplots()
        curve.plot(ax, points=[0.9])
        assert len(words(ax)) == 1
    assert plt.get_fignums() == []


@pytest.mark.parametrize(
    "points",
    [
        0.9,
        "90",
        [90],
        ["a"],
        {"a": None},
    ],
)
def test_other_things_are_refused(points):
    """Before a figure is made."""
    with raises(ex.UccurveError, "points"):
        some_intervals().ucc().plot(points=points)
    assert plt.get_fignums() == []


def test_points_of_a_sketch_are_those_of_its_curve():
    """Whatever the rows were read from."""
    curve = uc.UCCSketch.of(some_intervals(symmetric=True)).curve()
    point = curve.at(coverage=0.9)
    ax = curve.plot(points=[0.9], area=True)
    assert dots(ax) == [(point.bandwidth, point.miss_rate)]
    assert words(ax) == {f"90%: ×{point.parameter:.3g}"}


def test_a_coverage_that_is_never_reached_is_named():
    """Rows with zero bands stay missed under scaling."""
    curve = uc.Intervals.from_bands([1, 2, 3], [0, 0, 0], [1, 0, 1]).ucc()
    with pytest.raises(ex.UnreachableError):
        curve.plot(points=[0.9])
    assert plt.get_fignums() == []
