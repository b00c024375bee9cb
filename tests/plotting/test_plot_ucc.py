"""The figure of the curve: what is drawn is what the library computed."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest
from drawn_figure import labelled, labels, marks, percent, some_intervals, xy

import uccurve as uc
from errors import raises
from uccurve import exceptions as ex
from uccurve.plotting import plot_ucc

I = uc.Intervals


@pytest.mark.parametrize(("x", "y"), [("bandwidth", "miss_rate"), ("excess", "deficit")])
@pytest.mark.parametrize(("vary", "weighted"), [("scale", True), ("shift", False)])
def test_the_figure_draws_the_curve_s_own_numbers(x, y, vary, weighted):
    """On given axes, without touching any other, and naming area and gain."""
    ax = plt.subplots()[1]
    curve = some_intervals(weighted=weighted).ucc(vary=vary)
    assert plot_ucc(curve, ax=ax, x=x, y=y, label="mine") is ax
    line = labelled(ax, "mine: ")
    assert np.array_equal(line.get_xdata(), getattr(curve, x))
    assert np.array_equal(line.get_ydata(), getattr(curve, y))
    assert line.get_drawstyle() == ("steps-post" if y == "miss_rate" else "default")
    assert f"area {curve.area(x=x, y=y):.3g}, gain {percent(curve.gain(x=x, y=y))}" in line.get_label()
    assert ax.get_xlabel().startswith(x)
    assert ax.get_ylabel().startswith(y.replace("_", " "))
    assert marks(ax, "o") == [[getattr(curve.original, x), getattr(curve.original, y)]]
    constant = labelled(ax, "constant width")
    assert np.array_equal(constant.get_xdata(), getattr(curve.reference, x))
    assert np.array_equal(constant.get_ydata(), getattr(curve.reference, y))
    assert plt.get_fignums() == [ax.figure.number]


def test_a_long_curve_is_thinned_for_the_figure():
    """Both ends stay, and no figure carries a million points."""
    curve = I.from_bands(np.random.default_rng(0).normal(size=10**5), np.zeros(10**5), 1.0).ucc()
    line = labelled(curve.plot(), "area")
    assert line.get_xdata().size == 4000
    assert line.get_xdata()[[0, -1]].tolist() == curve.bandwidth[[0, -1]].tolist()


@pytest.mark.parametrize("symmetric", [False, True])
def test_the_limit_line_is_the_frontier_of_the_kind_of_bands(symmetric):
    """Bands on one side need half the bandwidth."""
    curve = some_intervals(symmetric=symmetric).ucc()
    limit = labelled(curve.plot(), "limit, symmetric" if symmetric else "limit, asymmetric")
    assert np.array_equal(limit.get_xdata(), curve.frontier.bandwidth / (1 if symmetric else 2))
    assert np.array_equal(limit.get_ydata(), curve.frontier.miss_rate)


def test_the_band_is_the_curve_s_confidence_band():
    """At each bandwidth, low and high."""
    curve = some_intervals(weighted=True).ucc()
    ax = curve.plot(confidence=0.9)
    band = curve.confidence_band(confidence_level=0.9)
    drawn = [xy(line) for line in ax.lines]
    for edge in (band.low, band.high):
        assert np.column_stack([curve.bandwidth, edge]).tolist() in drawn
    corners = labelled(ax, "90% band").get_paths()[0].vertices
    assert corners[:, 1].min() == band.low.min()
    assert corners[:, 1].max() == band.high.max()


@pytest.mark.parametrize(
    ("x", "y", "c"),
    [
        ("bandwidth", "miss_rate", 0),
        ("bandwidth", "miss_rate", 0.3),
        ("excess", "deficit", 0.9),
        ("excess", "deficit", 1),
    ],
)
def test_the_isocost_line_runs_through_the_optimum(x, y, c):
    """With the slope -c / (1 - c), and the legend says what to do."""
    curve = some_intervals().ucc()
    best = curve.minimize_cost(c, x=x, y=y).point
    ax = curve.plot(x=x, y=y, cost=c, label="mine")
    assert marks(ax, "*") == [[getattr(best, x), getattr(best, y)]]
    assert f"optimum at c = {c}: multiply by {best.parameter:.3g} (mine)" in labels(ax)
    ax.figure.canvas.draw()
    isocost = next(line for line in ax.lines if line.get_linewidth() == 0.9)
    ends = ax.transData.inverted().transform(isocost.get_transform().transform(isocost.get_path().vertices))
    (dx, dy), (left, bottom) = ends[1] - ends[0], ends[0]
    here = np.array([getattr(best, x), getattr(best, y)])
    assert dx * c == pytest.approx(-dy * (1 - c), abs=1e-9)
    assert (here[0] - left) * dy == pytest.approx((here[1] - bottom) * dx, abs=1e-9)
    assert ax.get_xlim()[1] > here[0]


def test_a_shifted_optimum_is_told_in_units_of_y():
    """It adds, and does not multiply."""
    curve = some_intervals().ucc(vary="shift")
    by = curve.minimize_cost(0.2).point.parameter
    assert by > 0
    assert f"optimum at c = 0.2: add {by:.3g} kW-h" in labels(curve.plot(cost=0.2, unit="kW-h"))
    by = curve.minimize_cost(0.9).point.parameter
    assert by < 0
    assert f"optimum at c = 0.9: add −{-by:.3g} kW-h" in labels(curve.plot(cost=0.9, unit="kW-h"))


def test_the_partial_range_is_shaded_and_both_gains_are_named():
    """They answer different questions."""
    curve = some_intervals().ucc()
    ax = curve.plot(miss_rate=(0.05, 0.25))
    box = labelled(ax, "miss rates 0.05 to 0.25")
    assert (box.get_y(), box.get_y() + box.get_height()) == pytest.approx((0.05, 0.25))
    mean, strip = (percent(curve.gain(partial=p, miss_rate=(0.05, 0.25))) for p in ("mean", "strip"))
    assert labels(ax)[0].endswith(f"\nshaded: mean gain {mean}, strip gain {strip}")


def test_what_goes_with_the_curve_can_be_left_out():
    """All but the curve itself."""
    ax = some_intervals().ucc().plot(reference=False, frontier=False, original=False, legend=False)
    assert len(ax.lines) == 1
    assert ax.get_legend() is None


def test_several_curves_on_one_figure_can_be_told_apart():
    """Own colors and dashes, references drawn once, axes not mixed."""
    rng = np.random.default_rng(0)
    y = rng.normal(size=50)
    models = [I.from_bands(y, shift + 0 * y, rng.exponential(size=50)) for shift in (0, 0, 1)]
    ax = None
    for i, model in enumerate(models):
        ax = model.ucc().plot(ax, label=str(i))
    assert labels(ax).count("constant width") == labels(ax).count("as supplied") == 1
    assert "constant width, other predictions" in labels(ax)
    lines = [line for line in ax.lines if line.get_label()[:2] in ("0:", "1:", "2:")]
    assert len({line.get_color() for line in lines}) == 3
    assert len({str(line._dash_pattern) for line in lines}) == 3
    with raises(ex.ArgumentError, "ax"):
        models[0].ucc().plot(ax, x="excess", y="deficit")


def test_constant_bands_are_shared_by_the_same_constant_band_only():
    """Residuals with the same mean, and even the same mean square, are not the same."""
    a, b = [I.from_bands(y, [0, 0, 0], [1, 2, 1]).ucc() for y in ([0, 3, 3], [1, 1, 4])]
    again = I.from_bands([3, -3, 0], [0, 0, 0], 2.0).ucc(vary="shift")
    ax = again.plot(a.plot(label="a"), label="again")
    assert sum("constant" in label for label in labels(ax)) == 1
    assert "constant width, other predictions" in labels(b.plot(ax, label="b"))


def test_the_view_holds_the_first_and_the_largest_curve():
    """A second model with a larger deficit is not cut off."""
    y = np.random.default_rng(0).normal(size=50)
    ax = None
    for size in (1, 5, 2):
        ax = I.from_bands(size * y, 0 * y, 1.0).ucc().plot(ax, y="deficit")
    assert ax.get_ylim()[1] > 5 * np.abs(y).mean()
    assert ax.get_xlim()[0] < 0 < 0.02 * ax.get_xlim()[1]


def test_bands_far_too_wide_are_named_at_the_edge():
    """Instead of squeezing the curve into a corner."""
    y = np.random.default_rng(0).normal(size=50)
    ax = I.from_bands(y, 0 * y, 1000.0).ucc().plot()
    assert ax.get_xlim()[1] < 5
    assert [text.get_text() for text in ax.texts] == ["as supplied: 1e+03 →"]
    assert I.from_bands(y, 0 * y, 4.0).ucc().plot().get_xlim()[1] > 4


def test_a_range_below_the_floor_is_not_reached():
    """The legend says so, and how far down the curve goes."""
    ax = I.from_bands([1, 2, 3], [0, 0, 0], [1, 0, 1]).ucc().plot(miss_rate=(0, 0.2))
    assert labels(ax)[0] == "down to a miss rate of 0.333\nshaded: not reached"
