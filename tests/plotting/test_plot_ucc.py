"""The figure of the curve: what is drawn is what the library computed."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest
from drawn_figure import labelled, labels, marks, path, percent, point, some_intervals, xy

import uccurve as uc
from errors import raises
from uccurve import exceptions as ex
from uccurve.plotting import COLORS, plot_ucc
from uccurve.plotting.style import GRAY

I = uc.Intervals


def dots(ax):
    return [xy(line)[0] for line in ax.lines if line.get_gid() == "point"]


def shades(ax):
    return [shade for shade in ax.collections if shade.get_gid() == "area"]


@pytest.mark.parametrize(
    ("x", "y", "vary", "weighted"),
    [("bandwidth", "miss_rate", "scale", True), ("excess", "deficit", "shift", False)],
)
def test_the_figure_draws_the_curve_s_own_numbers(x, y, vary, weighted):
    """On given axes, without touching any other, and naming area and gain."""
    ax = plt.subplots()[1]
    curve = some_intervals(weighted=weighted).ucc(vary=vary)
    assert plot_ucc(curve, ax=ax, x=x, y=y, label="mine") is ax
    line = labelled(ax, "mine: ")
    assert xy(line) == path(curve, x, y)
    assert line.get_drawstyle() == ("steps-pre" if y == "miss_rate" else "default")
    assert line.get_label() == f"mine: area {curve.area(x=x, y=y):.3g}, gain {percent(curve.gain(x=x, y=y))}"
    assert marks(ax, "o") == path(curve.original, x, y)
    assert xy(labelled(ax, "constant width")) == path(curve.reference, x, y)
    assert plt.get_fignums() == [ax.figure.number]
    bare = curve.plot(reference=False, frontier=False, original=False, legend=False)
    assert (len(bare.lines), bare.get_legend()) == (1, None)


def test_coverage_is_stretched_toward_100_percent():
    """In percent, even in the root of the miss rate; or even, where that is asked for."""
    ax = some_intervals().ucc().plot()
    ax.figure.canvas.draw()
    ticks = [tick.get_text() for tick in ax.get_xticklabels()]
    assert {"0%", "50%", "90%", "99%", "100%"} <= set(ticks)
    places = ax.transAxes.inverted().transform(ax.transData.transform([(0.0, 0), (0.75, 0), (1.0, 0)]))[:, 0]
    assert places[1] == pytest.approx((places[0] + places[2]) / 2)
    even = some_intervals().ucc().plot(stretch=False)
    assert (even.get_xscale(), even.get_xlabel()) == ("linear", "coverage")


def test_the_paper_s_axes_are_an_option():
    """The miss rate over the half-width, with all that goes with it."""
    curve = some_intervals(weighted=True).ucc()
    ax = curve.plot(paper=True, confidence=0.9, cost=0.3, area=(0.8, 0.9), points=[0.9])
    assert xy(labelled(ax, "area")) == np.column_stack([curve.bandwidth, curve.miss_rate]).tolist()
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("mean half-width (units of y)", "miss rate")
    at = curve.at(coverage=0.9)
    curve.plot(ax, paper=True, points=[0.9])
    assert dots(ax) == [[at.bandwidth, at.miss_rate]] * 2
    assert [text.get_text() for text in ax.texts] == ["90%"]
    (shade,) = shades(ax)
    heights = shade.get_paths()[0].vertices[:, 1]
    assert (heights.min(), heights.max()) == pytest.approx((0.1, 0.2))
    with raises(ex.ArgumentError, "ax"):
        curve.plot(ax)


def test_a_long_curve_is_thinned_for_the_figure():
    """Both ends stay, and no figure carries a million points; most are where the axis is stretched."""
    curve = I.from_bands(np.random.default_rng(0).normal(size=10**5), np.zeros(10**5), 1.0).ucc()
    x, y = np.array(xy(labelled(curve.plot(), "area"))).T
    assert 500 < x.size <= 700
    assert y[[0, -1]].tolist() == curve.bandwidth[[0, -1]].tolist()
    assert (x > 0.99).sum() > 50


@pytest.mark.parametrize("symmetric", [False, True])
def test_the_limit_line_is_the_frontier_of_the_kind_of_bands(symmetric):
    """Bands on one side need half the bandwidth."""
    curve = some_intervals(symmetric=symmetric).ucc()
    limit = labelled(curve.plot(), "limit, symmetric" if symmetric else "limit, asymmetric")
    assert np.array_equal(limit.get_ydata(), curve.frontier.bandwidth / (1 if symmetric else 2))
    assert np.array_equal(limit.get_xdata(), 1 - curve.frontier.miss_rate)


def test_the_band_is_the_curve_s_confidence_band():
    """At each bandwidth, low and high."""
    curve = some_intervals(weighted=True).ucc()
    ax = curve.plot(confidence=0.9)
    band = curve.confidence_band(confidence_level=0.9)
    drawn = [xy(line) for line in ax.lines]
    for edge in (band.low, band.high):
        assert np.column_stack([1 - edge, curve.bandwidth]).tolist() in drawn
    corners = labelled(ax, "90% band").get_paths()[0].vertices
    assert corners[:, 0].min() == 1 - band.high.max()
    assert corners[:, 0].max() == 1 - band.low.min()


@pytest.mark.parametrize(
    ("x", "y", "c"),
    [("bandwidth", "miss_rate", 0), ("bandwidth", "miss_rate", 0.3), ("excess", "deficit", 1)],
)
def test_the_line_of_equal_cost_runs_through_the_optimum(x, y, c):
    """All its points cost the same, and the legend says what to do."""
    curve = some_intervals().ucc()
    best = curve.minimize_cost(c, x=x, y=y).point
    ax = curve.plot(x=x, y=y, cost=c, label="mine")
    assert marks(ax, "*") == path(best, x, y)
    assert f"cheapest at c = {c}: mine ×{best.parameter:#.3g}".rstrip(".") in labels(ax)
    (line,) = [np.array(xy(line)) for line in ax.lines if line.get_gid() == "equal cost"]
    wide, missed = line.T if y == "deficit" else (line[:, 1], 1 - line[:, 0])
    total = c * getattr(best, x) + (1 - c) * getattr(best, y)
    assert c * wide + (1 - c) * missed == pytest.approx(np.full(len(line), total))


def test_points_are_marked_on_the_curve_and_explained_in_the_legend():
    """Dots over their coverages, which have ticks with their names; a factor, or an amount."""
    curve = some_intervals().ucc()
    ax = curve.plot(points={"few alarms": 0.85, "many": 0.4})
    at = [curve.at(coverage=coverage) for coverage in (0.85, 0.4)]
    assert dots(ax) == [point(one) for one in at]
    few, many = (f"×{one.parameter:.3g}" for one in at)
    assert labels(ax)[0].split("\n")[1:] == [f"few alarms, 85%: {few}, many, 40%: {many}"]
    assert {"85%\nfew alarms", "40%\nmany"} <= {tick.get_text() for tick in ax.get_xticklabels()}
    shift = some_intervals().ucc(vary="shift")
    low, high = (shift.at(coverage=coverage).parameter for coverage in (0.1, 0.99))
    assert labels(shift.plot(points=[0.1, 0.99]))[0].endswith(f"10%: −{-low:.3g}, 99%: +{high:.3g}")
    best = shift.minimize_cost(0.9).point.parameter
    assert f"cheapest at c = 0.9: −{-best:.3g} kW-h" in labels(shift.plot(cost=0.9, unit="kW-h"))


def test_the_shade_is_what_lies_under_the_curve_between_two_coverages():
    """Its surface is the mean half-width over them, times their distance; each curve has its own."""
    curves = {"a": some_intervals().ucc(), "b": some_intervals(seed=1).ucc()}
    ax = uc.UCCDisplay(curves).plot(area=(0.8, 0.95), unit="kWh").ax_
    for shade, (name, curve) in zip(shades(ax), curves.items(), strict=True):
        x, y = shade.get_paths()[0].vertices.T
        surface = abs(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1))) / 2  # the shoelace formula
        mean = curve.area(coverage=(0.8, 0.95))
        assert surface == pytest.approx(mean * 0.15)
        assert (x.min(), x.max()) == pytest.approx((0.8, 0.95))
        assert f"{name}, 80% to 95%: mean half-width {mean:.3g} kWh" in labels(ax)
    floor = I.from_bands([1, 2, 3], [0, 0, 0], [1, 0, 1]).ucc()
    assert {"up to 66.67% coverage", "80% to 95%: not reached"} <= {*labels(floor.plot(area=(0.8, 0.95)))}


@pytest.mark.parametrize(
    ("option", "argument"),
    [
        ({"cost": 2}, "cost"),
        ({"x": "width"}, "x"),
        ({"y": "deficit", "confidence": 0.9}, "confidence"),
        ({"y": "deficit", "area": (0.8, 0.9)}, "area"),
        ({"area": (0.9, 0.8)}, "area"),
        ({"area": 0.9}, "area"),
        ({"points": 0.9}, "points"),
        ({"points": {"a": 90}}, "points"),
        ({"highlight": 1}, "highlight"),
        ({"width": 3.3}, "width"),
    ],
)
def test_a_bad_option_leaves_the_axes_alone(option, argument):
    """The error comes before the first line, and no figure is made."""
    ax = plt.subplots()[1]
    with raises(ex.ArgumentError, argument):
        some_intervals().ucc().plot(ax, **option)
    assert len(ax.get_children()) == len(plt.subplots()[1].get_children())
    plt.close("all")
    with pytest.raises(ex.UnreachableError):
        I.from_bands([1, 2, 3], [0, 0, 0], [1, 0, 1]).ucc().plot(points=[0.9])
    assert plt.get_fignums() == []


def test_several_curves_on_one_figure_can_be_told_apart():
    """Own colors and dashes; of the same residuals one reference, of another mean square's too; axes not mixed."""
    ax, observed = None, ([0, 3, 3], [3, -3, 0], [1, 1, 4])
    for i, y in enumerate(observed):
        ax = I.from_bands(y, [0, 0, 0], [1, 2, 1 + i]).ucc().plot(ax, label=str(i))
    assert labels(ax).count("constant width") == labels(ax).count("as supplied") == 1
    assert "constant width, other predictions" in labels(ax)
    lines = [line for line in ax.lines if line.get_label()[:2] in ("0:", "1:", "2:")]
    assert [line.get_color() for line in lines] == list(COLORS[:3])
    assert len({str(line._dash_pattern) for line in lines}) == 3
    with raises(ex.ArgumentError, "ax"):
        I.from_bands([1], [0], 1).ucc().plot(ax, x="excess", y="deficit")
    ax.clear()
    assert labels(I.from_bands([1], [0], 1).ucc().plot(ax, x="excess"))[0].startswith("area")


@pytest.fixture(scope="module")
def six():
    """Six models, of which c and d have the best interval score at 90% coverage."""
    rng = np.random.default_rng(0)
    scale = rng.lognormal(sigma=0.6, size=500)
    y = scale * rng.normal(size=500)
    powers = {"a": 1.7, "b": 1.4, "c": 1.0, "d": 0.9, "e": 0.6, "f": 0.5}
    return {name: I.from_bands(y, 0 * y, scale**power) for name, power in powers.items()}


def test_of_more_than_four_models_the_best_two_are_in_color(six):
    """With their bands and points; the others are gray, with dashes of their own."""
    display = uc.UCCDisplay(six).plot(confidence=0.9, points=[0.9])
    colors = {name: line.get_color() for name, line in display.line_.items()}
    best = sorted(six, key=lambda name: six[name].ucc().score_at(coverage=0.9))[:2]
    assert sorted(best) == ["c", "d"]
    assert colors == {name: COLORS[place] if name in best else GRAY for place, name in enumerate(six)}
    assert len({str(line._dash_pattern) for line in display.line_.values()}) == 6
    assert len(display.ax_.collections) == 2 + 2  # bands, and lines from points down to the axis
    assert len(dots(display.ax_)) == 2
    four = uc.UCCDisplay({name: six[name] for name in "abcd"}).plot()
    assert GRAY not in {line.get_color() for line in four.line_.values()}


def test_models_to_show_in_color_can_be_chosen(six):
    """By name; those of a comparison are its best two, by what it ranks by."""
    chosen = uc.UCCDisplay(six).plot(highlight=["f"]).line_
    assert [name for name, line in chosen.items() if line.get_color() != GRAY] == ["f"]
    found = uc.compare(six, rank_by="bandwidth", n_resamples=19, rng=0)
    display = uc.UCCDisplay.from_comparison(found)
    order = [name for name in found.at(coverage=0.9).order if name in six]
    in_color = {name for name, line in display.line_.items() if line.get_color() != GRAY}
    assert in_color == set(order[:2]) != {"c", "d"}


def test_the_view_holds_the_first_and_the_largest_curve():
    """A second model with a larger deficit is not cut off."""
    y = np.random.default_rng(0).normal(size=50)
    ax = None
    for size in (1, 5, 2):
        ax = I.from_bands(size * y, 0 * y, 1.0).ucc().plot(ax, y="deficit")
    assert ax.get_ylim()[1] > 5 * np.abs(y).mean()
    assert ax.get_xlim()[0] < 0 < 0.02 * ax.get_xlim()[1]


@pytest.mark.parametrize(("paper", "arrow"), [(False, "↑"), (True, "→")])
def test_bands_far_too_wide_are_named_at_the_edge(paper, arrow):
    """Instead of squeezing the curve into a corner."""
    y = np.random.default_rng(0).normal(size=50)
    ax = I.from_bands(y, 0 * y, 1000.0).ucc().plot(paper=paper)
    assert (ax.get_xlim() if paper else ax.get_ylim())[1] < 5
    assert [text.get_text() for text in ax.texts] == [f"as supplied: 1e+03 {arrow}"]
    assert I.from_bands(y, 0 * y, 4.0).ucc().plot().get_ylim()[1] > 4
