"""Figures: what is drawn is what the library computed."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import uccurve as uc
from uccurve import exceptions as ex

plt = pytest.importorskip("matplotlib.pyplot")
from uccurve.plotting import plot_intervals, plot_regimes, plot_reliability, plot_ucc  # noqa: E402

ROOT = Path(__file__).parents[2]
I = uc.Intervals


@pytest.fixture(autouse=True)
def _figures():
    plt.switch_backend("agg")
    yield
    plt.close("all")


def some_intervals(n=99, *, seed=0, symmetric=False, weighted=False, unit=1.0):
    rng = np.random.default_rng(seed)
    lower, upper = unit * rng.exponential(size=(2, n))
    weight = rng.uniform(0.1, 2, size=n) if weighted else None
    y = unit * rng.normal(size=n)
    return I.from_bands(y, np.zeros(n), lower, None if symmetric else upper, sample_weight=weight)


def labels(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def labelled(ax, start):
    (artist,) = [a for a in [*ax.lines, *ax.collections, *ax.patches] if str(a.get_label()).startswith(start)]
    return artist


def xy(line):
    return np.column_stack([line.get_xdata(), line.get_ydata()]).tolist()


def marks(ax, marker):
    """Places of the marks of one shape, legend entries left out."""
    return [xy(line)[0] for line in ax.lines if line.get_marker() == marker and len(line.get_xdata())]


# -- the curve ----------------------------------------------------------------------------------


@pytest.mark.parametrize("x", ["bandwidth", "excess"])
@pytest.mark.parametrize("y", ["miss_rate", "deficit"])
@pytest.mark.parametrize("vary", ["scale", "shift"])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_figure_draws_the_curve_s_own_numbers(x, y, vary, weighted):
    """On given axes, without touching any other, and naming area and gain."""
    ax = plt.subplots()[1]
    curve = some_intervals(weighted=weighted).ucc(vary)
    assert plot_ucc(curve, ax=ax, x=x, y=y, label="mine") is ax
    line = labelled(ax, "mine: ")
    assert np.array_equal(line.get_xdata(), getattr(curve, x))
    assert np.array_equal(line.get_ydata(), getattr(curve, y))
    assert line.get_drawstyle() == ("steps-post" if y == "miss_rate" else "default")
    assert f"area {curve.area(x, y):.3g}, gain {100 * curve.gain(x, y):.1f} %" in line.get_label()
    assert ax.get_xlabel().startswith(x)
    assert ax.get_ylabel().startswith(y.replace("_", " "))
    assert marks(ax, "o") == [[getattr(curve.original, x), getattr(curve.original, y)]]
    constant = labelled(ax, "constant band")
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
    limit = labelled(curve.plot(), "limit, symmetric" if symmetric else "limit, one-sided")
    assert np.array_equal(limit.get_xdata(), curve.frontier.bandwidth / (1 if symmetric else 2))
    assert np.array_equal(limit.get_ydata(), curve.frontier.miss_rate)


@pytest.mark.parametrize("weighted", [False, True])
def test_the_band_is_the_curve_s_confidence_band(weighted):
    """At each bandwidth, low and high."""
    curve = some_intervals(weighted=weighted).ucc()
    ax = curve.plot(band=0.9)
    band = curve.confidence_band(0.9)
    drawn = [xy(line) for line in ax.lines]
    for edge in (band.low, band.high):
        assert np.column_stack([curve.bandwidth, edge]).tolist() in drawn
    corners = labelled(ax, "90 % band").get_paths()[0].vertices
    assert corners[:, 1].min() == band.low.min()
    assert corners[:, 1].max() == band.high.max()


@pytest.mark.parametrize(("x", "y"), [("bandwidth", "miss_rate"), ("excess", "deficit")])
@pytest.mark.parametrize("c", [0, 0.3, 0.9, 1])
def test_the_isocost_line_runs_through_the_optimum(x, y, c):
    """With the slope -c / (1 - c), and the legend says what to do."""
    curve = some_intervals().ucc()
    best = curve.minimize_cost(c, x, y).point
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
    curve = some_intervals().ucc("shift")
    by = curve.minimize_cost(0.2).point.parameter
    assert f"optimum at c = 0.2: add {by:.3g} kWh" in labels(curve.plot(cost=0.2, unit="kWh"))


def test_the_partial_range_is_shaded_and_both_gains_are_named():
    """They answer different questions."""
    curve = some_intervals().ucc()
    ax = curve.plot(miss_rate=(0.05, 0.25))
    box = labelled(ax, "miss rates 0.05 to 0.25")
    assert (box.get_y(), box.get_y() + box.get_height()) == pytest.approx((0.05, 0.25))
    mean, strip = (100 * curve.gain(partial=p, miss_rate=(0.05, 0.25)) for p in ("mean", "strip"))
    assert labels(ax)[0].endswith(f"\nshaded: mean gain {mean:.1f} %, strip gain {strip:.1f} %")


def test_what_goes_with_the_curve_can_be_left_out():
    """All but the curve itself."""
    ax = some_intervals().ucc().plot(reference=False, frontier=False, original=False, legend=False)
    assert len(ax.lines) == 1
    assert ax.get_legend() is None


@pytest.mark.parametrize("option", [{"band": 0.9}, {"miss_rate": (0, 0.1)}])
def test_ranges_of_miss_rates_need_them_on_the_axis(option):
    """Nothing is drawn where it would mean something else."""
    with pytest.raises(ex.ArgumentError, match="needs the miss rate on the vertical axis, got y='deficit'"):
        some_intervals().ucc().plot(y="deficit", **option)
    assert plt.get_fignums() == []


@pytest.mark.parametrize("option", [{"band": 1}, {"cost": 2}, {"miss_rate": (0.2, 0.1)}, {"x": "width"}])
def test_a_bad_option_leaves_the_axes_alone(option):
    """The error comes before the first line."""
    ax = plt.subplots()[1]
    with pytest.raises(ex.ArgumentError):
        some_intervals().ucc().plot(ax, **option)
    assert len(ax.get_children()) == len(plt.subplots()[1].get_children())
    with pytest.raises(TypeError, match="'colour'"):
        some_intervals().ucc().plot(colour="red")


def test_units_are_on_the_labels():
    """Of both axes; a miss rate has none."""
    curve = some_intervals().ucc()
    ax = curve.plot(unit="kWh")
    assert ax.get_xlabel() == "bandwidth: mean half width (kWh)"
    assert ax.get_ylabel() == "miss rate"
    ax = curve.plot(x="excess", y="deficit")
    assert ax.get_xlabel() == "excess: mean room inside the bounds (units of y)"
    assert ax.get_ylabel() == "deficit: mean distance outside the bounds (units of y)"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["$x$", "_hidden", "a\nb", r"\$\frac$", "m" * 200, "$x_{", "100 %"])
def test_names_are_shown_and_not_obeyed(name):
    """No formulas, no hidden entries, no line breaks, and no legend wider than the figure."""
    curve = some_intervals().ucc()
    ax = curve.plot(label=name, unit=name, cost=0.5)
    text = ax.get_legend().get_texts()[0]
    shown, is_math = text._preprocess_math(text.get_text())
    start = name.replace("\n", "�") if len(name) < 40 else "m" * 39 + "…"
    assert shown.lstrip(" ").startswith(f"{start}: area")
    assert not is_math
    plot_intervals(curve.intervals, unit=name, against=pd.Series(np.arange(99), name=name))
    plot_reliability({name: curve})
    plot_regimes(uc.compare({name: curve.intervals}, n_resamples=9, rng=0))
    for number in plt.get_fignums():
        plt.figure(number).canvas.draw()


def test_cleared_axes_are_drawn_on_anew():
    """What was there does not count."""
    curve = some_intervals().ucc()
    ax = curve.plot()
    before = labels(ax)
    ax.clear()
    assert labels(curve.plot(ax)) == before
    ax.clear()
    assert ax is curve.plot(ax, x="excess")


def test_what_others_drew_stays_in_the_legend():
    """After the curves."""
    ax = plt.subplots()[1]
    ax.plot([0, 1], [1, 0], label="theirs")
    assert labels(some_intervals().ucc().plot(ax))[-1] == "theirs"


def test_constant_bands_are_shared_by_the_same_predictions_only():
    """Residuals with the same mean, and even the same mean square, are not the same."""
    a, b = [I.from_bands(y, [0, 0, 0], [1, 2, 1]).ucc() for y in ([0, 3, 3], [1, 1, 4])]
    again = I.from_bands([3, -3, 0], [0, 0, 0], 2.0).ucc("shift")
    ax = again.plot(a.plot(label="a"), label="again")
    assert sum("constant" in label for label in labels(ax)) == 1
    ax = b.plot(ax, label="b")
    assert {"constant band, other predictions", "limit, symmetric bands, other predictions"} <= set(
        labels(ax)
    )


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
    assert [text.get_text() for text in ax.texts] == ["as given: 1e+03 →"]
    assert I.from_bands(y, 0 * y, 4.0).ucc().plot().get_xlim()[1] > 4


# -- hard cases ---------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    "intervals",
    [
        I.from_bands([1.0], [0.0], 1.0),
        I.from_bands([0.0], [0.0], 1.0),
        I.from_bands([1.0], [0.0], 0.0),
        I.from_bands([1.0, 1.0], [0.0, 2.0], [0.0, 1.0], [1.0, 0.0]),
        I.from_bands([0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [1.0, 0.0, 2.0]),
        I.from_bands([1.0, 2.0, 3.0], [0.0, 0.0, 0.0], [1.0, 0.0, 1.0], sample_weight=[0.0, 1.0, 2.0]),
        some_intervals(unit=1e-150, weighted=True),
        some_intervals(unit=1e150, weighted=True),
    ],
    ids=["one", "exact", "zero band", "two", "all exact", "floor", "tiny", "huge"],
)
@pytest.mark.parametrize("vary", ["scale", "shift"])
@pytest.mark.parametrize(("x", "y"), [("bandwidth", "miss_rate"), ("excess", "deficit")])
def test_the_smallest_and_strangest_rows_can_be_drawn(intervals, vary, x, y):
    """With everything that goes with them, and rendered without a warning."""
    curve = intervals.ucc(vary)
    more = {"band": 0.95, "miss_rate": (0.4, 0.9)} if y == "miss_rate" else {}
    ax = curve.plot(x=x, y=y, cost=0.5, **more)
    ax.figure.canvas.draw()
    plot_intervals(intervals, vary=vary).figure.canvas.draw()
    if vary == "scale":
        plot_reliability(curve).figure.canvas.draw()
    assert "nan" not in " ".join(labels(ax))


def test_a_range_below_the_floor_is_not_reached():
    """The legend says so, and how far down the curve goes."""
    ax = I.from_bands([1, 2, 3], [0, 0, 0], [1, 0, 1]).ucc().plot(miss_rate=(0, 0.2))
    assert labels(ax)[0] == "down to a miss rate of 0.333\nshaded: not reached"


# -- the display --------------------------------------------------------------------------------


def test_a_display_does_not_change_when_plotted():
    """The one that comes back knows its axes."""
    curve = some_intervals().ucc()
    display = uc.UCCDisplay({"a": curve, "b": some_intervals(seed=1).ucc()}, options={"unit": "kWh"})
    first, second = display.plot(), display.plot(unit="MWh", cost=0.5)
    assert display.ax_ is display.figure_ is None
    assert first.figure_ is first.ax_.figure
    assert first.ax_ is not second.ax_
    assert [ax.get_xlabel()[-5:] for ax in (first.ax_, second.ax_)] == ["(kWh)", "(MWh)"]
    assert [len(marks(shown.ax_, "*")) for shown in (first, second)] == [0, 2]
    assert [label[:3] for label in labels(first.ax_)[:2]] == ["a: ", "b: "]


def test_a_display_of_predictions_draws_their_curve():
    """Bounds, standard deviations, weights, both families, either axes; several on the same ones."""
    given = some_intervals(weighted=True)
    common = {"sample_weight": given.sample_weight, "x": "excess", "vary": "shift", "name": "mine"}
    shown = uc.UCCDisplay.from_predictions(given.y_true, given.y_pred, given.lower, given.upper, **common)
    curve = I.from_bounds(
        given.y_true, given.y_pred, given.lower, given.upper, sample_weight=given.sample_weight
    ).ucc("shift")
    assert (
        labels(shown.ax_)[0]
        == f"mine: area {curve.area('excess'):.3g}, gain {100 * curve.gain('excess'):.1f} %"
    )
    both = uc.UCCDisplay.from_predictions(given.y_true, given.y_pred, std=1.0, x="excess", ax=shown.ax_)
    assert both.ax_ is shown.ax_
    assert sum("area" in label for label in labels(both.ax_)) == 2


@pytest.mark.parametrize(
    ("bounds", "got"),
    [({}, "none of them"), ({"lower": [0]}, "`lower`"), ({"lower": [0], "std": [1]}, "`lower`, `std`")],
)
def test_a_display_of_predictions_needs_bounds_or_std(bounds, got):
    """And not a bit of both."""
    with pytest.raises(ex.ArgumentError) as caught:
        uc.UCCDisplay.from_predictions([1], [1], **bounds)
    assert str(caught.value) == f"give `lower` and `upper`, or `std`; got {got}."


def test_a_display_is_checked():
    """When it is made."""
    curve = some_intervals().ucc()
    for curves in ({}, curve, [curve]):
        with pytest.raises(ex.ArgumentError, match="`curves` must be a mapping of names to UCC"):
            uc.UCCDisplay(curves)
    with pytest.raises(ex.ArgumentError, match=r"`curves\['a'\]` must be UCC, got float"):
        uc.UCCDisplay({"a": 1.0})
    with pytest.raises(ex.ArgumentError, match="`x` must be"):
        uc.UCCDisplay({"a": curve}, x="miss_rate")


def test_a_display_s_frame_holds_what_is_drawn():
    """Each line with the name of its model."""
    curves = {"a": some_intervals().ucc(), "b": some_intervals(7, seed=1).ucc()}
    frame = uc.UCCDisplay(curves).frame("pandas")
    assert list(frame.columns) == ["model", "line", "bandwidth", "miss_rate"]
    ax = uc.UCCDisplay({"a": curves["a"]}).plot().ax_
    for line, label in (("curve", "a: "), ("constant band", "constant"), ("limit", "limit")):
        part = frame[(frame.model == "a") & (frame.line == line)]
        assert part[["bandwidth", "miss_rate"]].to_numpy().tolist() == xy(labelled(ax, label))
    plain = uc.UCCDisplay(curves, options={"reference": False, "frontier": False}).frame("pandas")
    assert set(plain.line) == {"curve"}


def test_a_comparison_is_drawn_on_its_own_axes():
    """Without the constant band as a model."""
    models = {"a": some_intervals(), "b": some_intervals().scaled(2)}
    found = uc.compare(models, x="excess", y="deficit", n_resamples=9, rng=0)
    shown = uc.UCCDisplay.from_comparison(found, unit="m")
    assert (shown.x, shown.y, list(shown.curves)) == ("excess", "deficit", ["a", "b"])
    assert shown.ax_.get_xlabel().startswith("excess")


# -- estimators ---------------------------------------------------------------------------------


class WithIntervals:
    """Predicts 0, between -1 and 2, in whatever form it is told to."""

    def __init__(self, form, *, predicts=True):
        self.form = form
        if predicts:
            self.predict = lambda rows: np.zeros(len(rows))

    def predict_interval(self, rows):
        lower, upper = -np.ones(len(rows)), 2 * np.ones(len(rows))
        table = np.stack([lower, upper], axis=1)
        return {
            "table": table,
            "stack": table[:, :, None],
            "pair": (lower, upper),
            "predictions and table": (np.zeros(len(rows)), table),
            "predictions and stack": (np.zeros(len(rows)), table[:, :, None]),
            "frame": pd.DataFrame(table),
            "levels": np.stack([table, table], axis=2),
            "column": lower,
        }[self.form]


@pytest.mark.parametrize(
    "form", ["table", "stack", "pair", "predictions and table", "predictions and stack", "frame"]
)
@pytest.mark.parametrize("n", [1, 2, 5])
def test_intervals_of_an_estimator_come_in_several_forms(form, n):
    """One row and two rows must not be taken for something else."""
    y = np.linspace(-3, 3, n)
    shown = uc.UCCDisplay.from_estimator(WithIntervals(form), y[:, None], y, axes=("excess", "deficit"))
    (curve,) = shown.curves.values()
    assert list(shown.curves) == ["WithIntervals"]
    assert (curve.intervals.lower_band.tolist(), curve.intervals.upper_band.tolist()) == ([1] * n, [2] * n)
    assert (shown.x, shown.y) == ("excess", "deficit")


def test_an_estimator_without_predictions_gets_the_midpoints():
    """As bounds without predictions do."""
    shown = uc.UCCDisplay.from_estimator(WithIntervals("table", predicts=False), np.zeros((3, 1)), [0, 1, 2])
    assert shown.curves["WithIntervals"].intervals.y_pred.tolist() == [0.5] * 3


@pytest.mark.parametrize(("form", "shape"), [("levels", "(3, 2, 2)"), ("column", "(3,)")])
def test_intervals_of_another_shape_are_refused(form, shape):
    """Two levels are two models."""
    with pytest.raises(ex.ShapeError) as caught:
        uc.UCCDisplay.from_estimator(WithIntervals(form), np.zeros((3, 1)), [0, 1, 2])
    assert str(caught.value) == (
        f"`predict_interval` must return bounds of one level, of shape (n, 2) or (n, 2, 1), got {shape}."
    )


def test_estimators_with_a_standard_deviation_are_drawn():
    """scikit-learn's own, alone and at the end of a pipeline."""
    linear_model = pytest.importorskip("sklearn.linear_model")
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    rng = np.random.default_rng(0)
    inputs = rng.normal(size=(40, 2))
    y = inputs @ [1, 2] + rng.normal(size=40)
    ridge = linear_model.BayesianRidge().fit(inputs, y)
    shown = uc.UCCDisplay.from_estimator(ridge, inputs, y, sample_weight=rng.uniform(size=40), unit="m")
    assert np.array_equal(
        shown.curves["BayesianRidge"].intervals.upper_band, ridge.predict(inputs, return_std=True)[1]
    )
    pipeline = make_pipeline(StandardScaler(), linear_model.BayesianRidge()).fit(inputs, y)
    assert "piped" in uc.UCCDisplay.from_estimator(pipeline, inputs, y, name="piped").curves


def test_an_estimator_without_intervals_is_told_both_protocols():
    """In one sentence."""
    linear_model = pytest.importorskip("sklearn.linear_model")
    inputs, y = np.arange(4.0)[:, None], np.arange(4.0)
    for estimator in (linear_model.LinearRegression().fit(inputs, y), object()):
        with pytest.raises(ex.ArgumentError) as caught:
            uc.UCCDisplay.from_estimator(estimator, inputs, y)
        assert str(caught.value) == (
            "`estimator` must have `predict_interval(X)` or `predict(X, return_std=True)`, which "
            f"{type(estimator).__name__} has not: give its predictions and bounds to `from_predictions`."
        )


# -- intervals ----------------------------------------------------------------------------------


def hits_and_misses(ax):
    hit, missed = (xy(labelled(ax, f"observed, {where}")) for where in ("inside", "outside"))
    return hit, missed


@pytest.mark.parametrize("vary", ["scale", "shift"])
@pytest.mark.parametrize("symmetric", [False, True])
def test_hits_and_misses_are_counted_as_the_curve_counts_them(vary, symmetric):
    """At every operating point, where one row just touches its bound: by rank, not by rounded bounds."""
    intervals = some_intervals(23, symmetric=symmetric)
    curve = intervals.ucc(vary)
    for parameter, miss_rate in zip(curve.parameter, curve.miss_rate, strict=True):
        ax = plot_intervals(intervals, plt.figure().subplots(), vary=vary, parameter=parameter)
        hit, missed = hits_and_misses(ax)
        assert len(missed) == round(miss_rate * 23)
        assert len(hit) == 23 - len(missed)
        plt.close(ax.figure)
    plain = plot_intervals(intervals, vary=vary)
    assert len(hits_and_misses(plain)[1]) == round(curve.original.miss_rate * 23)


def test_hits_and_misses_differ_in_shape_and_colour():
    """Either is enough to tell them apart."""
    ax = plot_intervals(some_intervals())
    inside, outside = (labelled(ax, f"observed, {where}") for where in ("inside", "outside"))
    assert (inside.get_marker(), outside.get_marker()) == ("o", "x")
    assert inside.get_color() != outside.get_color()


@pytest.mark.parametrize("vary", ["scale", "shift"])
def test_the_bounds_drawn_are_those_of_the_operating_point(vary):
    """Both sides, around the prediction, in the order of the rows."""
    intervals = some_intervals(30)
    point = intervals.ucc(vary).at(miss_rate=0.2)
    ax = plot_intervals(intervals, at=point, vary=vary, unit="kWh")
    bars = sorted(path.vertices.tolist() for bars in ax.collections for path in bars.get_paths())
    by = point.parameter
    moved = intervals.scaled(by) if vary == "scale" else intervals.shifted(by)
    wanted = [
        [[row, low], [row, high]]
        for row, (low, high) in enumerate(zip(moved.lower, moved.upper, strict=True))
    ]
    assert bars == wanted
    assert xy(labelled(ax, "predicted")) == [[row, y] for row, y in enumerate(intervals.y_pred)]
    sign = "×" if vary == "scale" else "+"
    title = ax.get_legend().get_title().get_text()
    assert title == f"bands {sign} {by:.3g}: miss rate 20.0 %, bandwidth {point.bandwidth:.3g} kWh"
    assert ax.get_ylabel() == "y (kWh)"
    assert ax.get_xlabel() == "row"


def test_many_rows_are_thinned_and_the_figure_says_so():
    """Miss rate and bandwidth stay those of all rows."""
    intervals = some_intervals(5001)
    ax = plot_intervals(intervals, miss_rate=0.1)
    hit, missed = hits_and_misses(ax)
    assert len(hit) + len(missed) == 200
    assert {0, 5000} <= {row for row, _ in hit + missed}
    assert ax.get_xlabel() == "row (200 of 5001 shown)"
    point = intervals.ucc().at(miss_rate=0.1)
    assert ax.get_legend().get_title().get_text() == (
        f"bands × {point.parameter:.3g}: miss rate {100 * point.miss_rate:.1f} %, "
        f"bandwidth {point.bandwidth:.3g} units of y, of all rows"
    )


@pytest.mark.parametrize(
    "rows", [slice(3, 6), [3, 4, 5], np.arange(99) // 3 == 1], ids=["slice", "numbers", "mask"]
)
def test_rows_can_be_chosen(rows):
    """By slice, number or mask, against values that bring their name."""
    values = pd.Series(np.linspace(0, 1, 99) ** 2, name="load")
    ax = plot_intervals(some_intervals(), rows=rows, against=values)
    assert ax.get_xlabel() == "load (3 of 99 shown)"
    assert sorted(x for part in hits_and_misses(ax) for x, _ in part) == values[3:6].tolist()


def test_rows_can_be_drawn_against_dates_and_names():
    """matplotlib knows what to do with them."""
    dates = pd.date_range("2024-01-01", periods=5, freq="D")
    for values in (dates, ["a", "b", "c", "d", "e"]):
        ax = plot_intervals(some_intervals(5), against=values)
        ax.figure.canvas.draw()
        shown = [text.get_text() for text in ax.get_xticklabels()]
        assert "a" in shown or any("2024" in text or "-01" in text for text in shown)


@pytest.mark.parametrize("freq", ["min", "h", "D", "MS"])
def test_labels_of_times_do_not_overlap(freq):
    """Whatever the step; a formatter that somebody chose stays."""
    from matplotlib import dates

    times = pd.date_range("2024-01-01", periods=99, freq=freq)
    ax = plot_intervals(some_intervals(), against=times)
    ax.figure.canvas.draw()
    boxes = [text.get_window_extent() for text in ax.get_xticklabels() if text.get_text()]
    assert len(boxes) > 2
    assert all(left.x1 < right.x0 for left, right in pairwise(boxes))
    chosen = dates.DateFormatter("%Y")
    ax.xaxis.set_major_formatter(chosen)
    plot_intervals(some_intervals(), ax, against=times)
    assert ax.xaxis.get_major_formatter() is chosen


def test_values_of_all_rows_serve_after_dropping_some():
    """As labels do."""
    with pytest.warns(ex.DroppedRowsWarning):
        intervals = I.from_bands([1, np.nan, 3, 4], [0] * 4, 2, invalid="drop")
    ax = plot_intervals(intervals, against=[10, 20, 30, 40])
    assert sorted(x for part in hits_and_misses(ax) for x, _ in part) == [10, 30, 40]


def test_rows_without_weight_are_drawn_too():
    """They are observations, and do not count."""
    intervals = I.from_bands([1, 9, 1], [0, 0, 0], 2, sample_weight=[1, 0, 1])
    hit, missed = hits_and_misses(plot_intervals(intervals))
    assert (len(hit), len(missed)) == (2, 1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rows": [99]}, "`rows` must choose among 99 rows"),
        ({"rows": []}, "`rows` must choose"),
        ({"rows": [0.5]}, "`rows` must choose"),
        ({"against": [1, 2]}, r"`against` must have the shape \(99,\), got \(2,\)"),
        ({"at": 0.1}, "`at` must be OperatingPoint, got float"),
        ({"miss_rate": 0.1, "coverage": 0.9}, "give an operating point by one of"),
        ({"vary": "stretch"}, "`vary` must be"),
    ],
)
def test_bad_choices_of_rows_and_points_are_named(options, message):
    """Before a figure is made."""
    with pytest.raises(ex.UccurveError, match=message):
        plot_intervals(some_intervals(), **options)
    assert plt.get_fignums() == []


def test_a_point_is_given_once_and_for_one_output():
    """Or it is not clear which."""
    point = some_intervals().ucc().original
    with pytest.raises(ex.ArgumentError, match="give `at` or `miss_rate`, not both"):
        plot_intervals(some_intervals(), at=point, miss_rate=0.1)
    with pytest.raises(ex.ArgumentError, match="must have one output"):
        plot_intervals(I.from_bands(np.zeros((3, 2)), np.zeros((3, 2)), 1.0))


# -- regimes ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def comparison():
    rng = np.random.default_rng(0)
    scale = rng.lognormal(sigma=0.8, size=600)
    y = scale * rng.normal(size=600)
    bands = {"sharp": scale, "$damped$": scale**0.25}
    models = {name: I.from_bands(y, 0 * y, band) for name, band in bands.items()}
    return uc.compare(models, n_resamples=99, rng=0)


def test_the_bars_are_the_regimes(comparison):
    """Each in the lane of its model, full where it is significant and hatched where it is not."""
    ax = plot_regimes(comparison)
    table = comparison.tables["regimes"]
    assert len(ax.patches) == len(table["low"]) > 2
    lanes = [text.get_text() for text in ax.get_yticklabels()]
    assert lanes == ["sharp", r"\$damped\$", "constant band"]
    for place, bar in enumerate(ax.patches):
        low, high = table["low"][place], table["high"][place]
        assert (bar.get_x(), bar.get_x() + bar.get_width()) == pytest.approx((low, high))
        if table["best"][place] is None:
            assert bar.get_height() == 1  # of the axes
            continue
        lane = round(bar.get_y() + bar.get_height() / 2)
        assert lanes[lane].replace("\\", "") == table["best"][place]
        untested = np.isnan(table["p_holm"][place])
        assert bar.get_fill() != untested
        assert (bar.get_hatch() is None) == (untested or table["significant"][place])
    said = {text.get_text() for text in ax.texts}
    wide = [
        place
        for place, low in enumerate(table["low"])
        if table["high"][place] - low > 0.15 and table["best"][place] is not None
    ]
    assert said == {f"{100 * table['saved'][place]:.1f} % less" for place in wide}
    assert plot_regimes(comparison, ax, legend=False) is ax
    with pytest.raises(ex.ArgumentError, match="`comparison` must be Comparison, got dict"):
        plot_regimes({})


def test_ranges_without_an_order_have_a_ground_of_their_own(comparison):
    """Nobody's bar lies there, and the legend says why."""
    table = {
        "low": [0.0, 0.4],
        "high": [0.4, 1.0],
        "best": [None, "sharp"],
        "runner_up": [None, "$damped$"],
        "saved": [np.nan, 0.1],
        "p_holm": [np.nan, 0.01],
        "significant": [False, True],
    }
    ax = plot_regimes(replace(comparison, tables={**comparison.tables, "regimes": table}))
    ground, bar = ax.patches
    assert (ground.get_x(), ground.get_width(), ground.get_height()) == (0, 0.4, 1)
    assert (bar.get_x(), bar.get_width()) == pytest.approx((0.4, 0.6))
    assert labels(ax)[-1] == "no order is known"
    assert (
        "no order is known" not in labels(plot_regimes(comparison))
        or None in comparison.tables["regimes"]["best"]
    )


# -- reliability --------------------------------------------------------------------------------


def test_gaussian_errors_with_their_true_scale_are_reliable():
    """At any coverage, whatever the intervals as given claim."""
    rng = np.random.default_rng(0)
    std = rng.lognormal(size=20_000)
    y = std * rng.normal(size=20_000)
    for nominal, factor in ((0.6827, 1.0), (0.9, 1.6448536), (0.95, 1.9599640)):
        found = I.from_std(y, 0 * y, factor * std).ucc().reliability(nominal)
        assert np.abs(found.coverage - found.nominal).max() < 0.012
        assert found.observed == pytest.approx(nominal, abs=0.012)
        assert found.as_given == nominal
    narrow = I.from_std(y, 0 * y, std / 2).ucc().reliability()
    assert narrow.coverage[90] == pytest.approx(0.589, abs=0.012)  # 2 Φ(1.645 / 2) - 1


def test_reliability_is_read_off_the_curve():
    """Coverage at the scale that goes with the claim, weights included; an infinite one never."""
    for intervals in (some_intervals(weighted=True), I.from_bands([1, 2, 3], [0, 0, 0], [1, 0, 1])):
        curve = intervals.ucc()
        found = curve.reliability(0.8)
        assert found.nominal.tolist() == [p / 100 for p in range(100)]
        assert found.parameter[80] == 1
        wanted = [curve.at(parameter=scale).coverage for scale in found.parameter]
        assert found.coverage == pytest.approx(wanted, rel=1e-12)
        assert found.observed == curve.original.coverage


def test_reliability_needs_a_scale_and_a_claim():
    """A shift goes with no claimed coverage."""
    with pytest.raises(ex.ArgumentError, match="reliability needs a curve with vary='scale'"):
        some_intervals().ucc("shift").reliability()
    for nominal in (0, 1, "all"):
        with pytest.raises(ex.ArgumentError, match="`nominal` must"):
            some_intervals().ucc().reliability(nominal)


def test_the_reliability_figure_draws_the_result_beside_the_diagonal():
    """One model without a name, several with theirs."""
    curves = {"one": some_intervals().ucc(), "two": some_intervals(seed=1).ucc()}
    ax = plot_reliability(curves, nominal=0.8)
    assert labels(ax) == ["one", "two", "as given", "reliable"]
    assert xy(labelled(ax, "reliable")) == [[0, 0], [1, 1]]
    for name, curve in curves.items():
        found = curve.reliability(0.8)
        assert xy(labelled(ax, name)) == np.column_stack([found.nominal, found.coverage]).tolist()
        assert [0.8, curve.original.coverage] in marks(ax, "o")
    assert labels(plot_reliability(curves["one"]))[0] == "observed"


# -- manners ------------------------------------------------------------------------------------


def test_intervals_stand_for_their_curve():
    """Wherever a curve can be drawn."""
    a, b = some_intervals(), some_intervals(seed=1)
    assert labels(plot_ucc(a, label="a")) == labels(a.ucc().plot(label="a"))
    mixed = uc.UCCDisplay({"a": a, "b": b.ucc()})
    assert labels(mixed.plot().ax_) == labels(uc.UCCDisplay({"a": a.ucc(), "b": b.ucc()}).plot().ax_)
    assert len(mixed.frame("pandas")) > 200
    assert labels(plot_reliability({"a": a, "b": b})) == ["a", "b", "as given", "reliable"]
    assert labels(plot_reliability(a))[0] == "observed"
    with pytest.raises(ex.ArgumentError, match=r"`curves\['a'\]` must be UCC, got int"):
        uc.UCCDisplay({"a": 1})
    with pytest.raises(ex.ArgumentError, match="`curve` must be UCC, got str"):
        plot_ucc("a")


def test_other_axes_are_named_without_underscores():
    """Words for people."""
    ax = some_intervals().ucc().plot()
    with pytest.raises(ex.ArgumentError, match="shows bandwidth and miss rate: draw excess and deficit on"):
        some_intervals().ucc().plot(ax, x="excess", y="deficit")


def test_other_array_libraries_can_be_drawn():
    """They come to NumPy on the way."""
    xp = pytest.importorskip("array_api_strict")
    given = some_intervals()
    strict = I.from_bands(
        *(xp.asarray(v) for v in (given.y_true, given.y_pred, given.lower_band, given.upper_band))
    )
    curve = strict.ucc()
    ax = curve.plot(band=0.9, cost=0.5, miss_rate=(0, 0.5))
    assert xy(labelled(ax, "area"))[-1] == xy(labelled(given.ucc().plot(), "area"))[-1]
    assert len(hits_and_misses(plot_intervals(strict))[1]) == round(curve.original.miss_rate * 99)
    plot_reliability(curve)
    assert len(uc.UCCDisplay({"a": curve}).frame("pandas")) > 200


def test_settings_of_matplotlib_are_left_alone():
    """And nothing is shown."""
    before = dict(plt.rcParams)
    curve = some_intervals().ucc()
    curve.plot(band=0.9, cost=0.5)
    plot_intervals(curve.intervals)
    plot_reliability(curve)
    assert dict(plt.rcParams) == before


@pytest.mark.slow
def test_the_figures_of_the_documentation_are_drawn(tmp_path):
    """All that the page shows, and nothing half-written beside them."""
    script = str(ROOT / "examples" / "figures.py")
    subprocess.run(
        [sys.executable, "-W", "error", script, "--output", str(tmp_path)], check=True, capture_output=True
    )
    files = sorted(path.name for path in tmp_path.iterdir())
    assert files == sorted(path.name for path in (ROOT / "docs" / "figures").iterdir())
    page = (ROOT / "docs" / "figures.md").read_text()
    for name in files:
        assert (tmp_path / name).read_bytes().startswith(b"\x89PNG")
        assert f"](figures/{name})" in page


def test_the_code_on_the_page_runs():
    """From top to bottom, as a reader would copy it, and each block draws."""
    page = (ROOT / "docs" / "figures.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert len(blocks) == 1 + len(list((ROOT / "docs" / "figures").iterdir()))
    scope = {}
    exec(blocks[0], scope)  # noqa: S102 - our own page
    assert plt.get_fignums() == []
    for block in blocks[1:]:
        exec(block, scope)  # noqa: S102
        (number,) = plt.get_fignums()
        plt.figure(number).canvas.draw()
        plt.close("all")
