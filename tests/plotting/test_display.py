"""Displays: curves of predictions, comparisons and estimators, and their numbers."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from drawn_figure import labelled, labels, marks, percent, some_intervals, xy

import uccurve as uc
from errors import raises
from uccurve import exceptions as ex

I = uc.Intervals


def test_a_display_knows_what_it_drew_last():
    """As scikit-learn's do: no axes before, itself returned, and the data as they were."""
    display = uc.UCCDisplay({"a": some_intervals().ucc(), "b": some_intervals(seed=1).ucc()})
    curves = dict(display.curves)
    assert not {"ax_", "figure_", "line_"} & set(vars(display))
    assert display.plot(unit="kWh") is display
    first = display.ax_
    assert display.figure_ is first.figure
    assert display.plot(unit="MWh", cost=0.5) is display
    assert display.ax_ is not first
    assert display.figure_ is display.ax_.figure
    assert [ax.get_xlabel()[-5:] for ax in (first, display.ax_)] == ["(kWh)", "(MWh)"]
    assert [len(marks(ax, "*")) for ax in (first, display.ax_)] == [0, 2]
    assert [label[:3] for label in labels(first)[:2]] == ["a: ", "b: "]
    assert display.curves == curves


def test_the_lines_of_a_display_are_the_curves():
    """One line of one curve, a dict of lines of several; extra lines are not among them."""
    curves = {"a": some_intervals().ucc(), "b": some_intervals(seed=1).ucc()}
    lines = uc.UCCDisplay(curves).plot(confidence=0.9).line_
    assert list(lines) == ["a", "b"]
    for name, curve in curves.items():
        assert xy(lines[name]) == np.column_stack([curve.bandwidth, curve.miss_rate]).tolist()
    line = uc.UCCDisplay({"": curves["a"]}).plot().line_
    assert xy(line) == xy(lines["a"])


def test_further_keywords_style_the_lines_of_the_models():
    """And nothing else but the color, which marks and bands share; short names too."""
    display = uc.UCCDisplay({"a": some_intervals(), "b": some_intervals(seed=1)})
    plain = display.plot(confidence=0.9)
    widths = [line.get_linewidth() for line in plain.ax_.lines]
    places = [list(plain.ax_.lines).index(line) for line in plain.line_.values()]
    styled = display.plot(confidence=0.9, lw=5, alpha=0.5, linestyle="--", drawstyle="default", color="red")
    for line in styled.line_.values():
        assert (line.get_linewidth(), line.get_alpha(), line.get_linestyle()) == (5, 0.5, "--")
        assert (line.get_drawstyle(), line.get_color()) == ("default", "red")
    others = [line.get_linewidth() for line in styled.ax_.lines if line not in styled.line_.values()]
    assert others == [width for place, width in enumerate(widths) if place not in places]
    rings = [line for line in styled.ax_.lines if line.get_marker() == "o" and len(line.get_xdata())]
    assert [ring.get_color() for ring in rings] == ["red", "red"]
    assert display.plot(linewidth=None).line_["a"].get_linewidth() == widths[places[0]]


@pytest.mark.parametrize(
    ("keyword", "error"),
    [
        ({"colour": "red"}, TypeError),
        ({"band": 0.9}, TypeError),
        ({"linestyle": "wavy"}, ValueError),
        ({"label": "a"}, ex.ArgumentError),
    ],
)
def test_a_keyword_that_no_line_takes_is_refused(keyword, error):
    """Before anything is drawn."""
    ax = plt.subplots()[1]
    before = len(ax.get_children())
    display = uc.UCCDisplay({"a": some_intervals()})
    with pytest.raises(error):
        display.plot(ax, **keyword)
    assert len(ax.get_children()) == before
    assert not hasattr(display, "ax_")


def test_a_display_of_predictions_draws_their_curve():
    """Bounds, standard deviations, weights, both families, either axes; several on the same ones."""
    given = some_intervals(weighted=True)
    common = {"sample_weight": given.sample_weight, "x": "excess", "vary": "shift", "name": "mine"}
    shown = uc.UCCDisplay.from_predictions(
        given.y_true, given.lower, given.upper, y_pred=given.y_pred, **common
    )
    curve = I.from_bounds(
        given.y_true, given.lower, given.upper, y_pred=given.y_pred, sample_weight=given.sample_weight
    ).ucc(vary="shift")
    assert (
        labels(shown.ax_)[0]
        == f"mine: area {curve.area(x='excess'):.3g}, gain {percent(curve.gain(x='excess'))}"
    )
    both = uc.UCCDisplay.from_predictions(
        given.y_true, y_pred=given.y_pred, std=1.0, x="excess", ax=shown.ax_, unit="m", alpha=0.5
    )
    assert both.ax_ is shown.ax_
    assert both.ax_.get_xlabel().endswith("(m)")
    assert (both.line_.get_alpha(), shown.line_.get_alpha()) == (0.5, None)
    assert sum("area" in label for label in labels(both.ax_)) == 2


@pytest.mark.parametrize(
    ("given", "argument"),
    [
        ({}, "lower"),
        ({"y_pred": [1]}, "lower"),
        ({"lower": [0], "std": [1]}, "lower"),
        ({"std": [1]}, "y_pred"),
    ],
)
def test_a_display_of_predictions_needs_bounds_or_std(given, argument):
    """And not a bit of both."""
    with raises(ex.ArgumentError, argument):
        uc.UCCDisplay.from_predictions([1], **given)


def test_a_display_is_checked():
    """When it is made."""
    curve = some_intervals().ucc()
    for curves in ({}, curve, [curve]):
        with raises(ex.ArgumentError, "curves"):
            uc.UCCDisplay(curves)
    with raises(ex.ArgumentError, "curves['a']"):
        uc.UCCDisplay({"a": 1.0})
    with raises(ex.ArgumentError, "x"):
        uc.UCCDisplay({"a": curve}, x="miss_rate")
    with raises(ex.ArgumentError, "comparison"):
        uc.UCCDisplay.from_comparison({"a": curve})


def test_a_display_s_frame_holds_what_is_drawn():
    """Each line with the name of its model."""
    curves = {"a": some_intervals().ucc(), "b": some_intervals(7, seed=1).ucc()}
    frame = uc.UCCDisplay(curves).to_frame("pandas")
    assert list(frame.columns) == ["model", "line", "bandwidth", "miss_rate"]
    ax = uc.UCCDisplay({"a": curves["a"]}).plot().ax_
    for line, label in (("curve", "a: "), ("constant width", "constant"), ("limit", "limit")):
        part = frame[(frame.model == "a") & (frame.line == line)]
        assert part[["bandwidth", "miss_rate"]].to_numpy().tolist() == xy(labelled(ax, label))
    other = uc.UCCDisplay(curves, x="excess").plot(reference=False).to_frame("pandas")
    assert set(other.line) == {"curve", "constant width"}  # whatever was drawn; excess has no limit


def test_a_comparison_s_plot_takes_the_options_of_a_curve_s():
    """And draws what a display of it draws."""
    models = {"a": some_intervals(), "b": some_intervals().scaled(2)}
    found = uc.compare(models, n_resamples=9, rng=0)
    options = {"confidence": 0.9, "cost": 0.3, "miss_rate": (0, 0.5), "unit": "m", "frontier": False}
    mine = plt.subplots()[1]
    assert found.plot(mine, **options) is mine
    theirs = uc.UCCDisplay.from_comparison(found, **options).ax_
    assert labels(mine) == labels(theirs)
    assert "90% band, whole curve at once" in labels(mine)
    assert [xy(line) for line in mine.lines] == [xy(line) for line in theirs.lines]
    other = uc.compare(models, x="excess", y="deficit", n_resamples=9, rng=0).plot(legend=False)
    assert (other.get_xlabel().split(":")[0], other.get_ylabel().split(":")[0]) == ("excess", "deficit")
    assert other.get_legend() is None


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


def test_the_axes_of_an_estimator_s_display_are_a_pair():
    """Their names are taken there: y is the target."""
    for axes in ("bandwidth", ("bandwidth",), None):
        with raises(ex.ArgumentError, "axes"):
            uc.UCCDisplay.from_estimator(WithIntervals("table"), np.zeros((3, 1)), [0, 1, 2], axes=axes)


def test_an_estimator_without_predictions_gets_the_midpoints():
    """As bounds without predictions do."""
    shown = uc.UCCDisplay.from_estimator(WithIntervals("table", predicts=False), np.zeros((3, 1)), [0, 1, 2])
    assert shown.curves["WithIntervals"].intervals.y_pred.tolist() == [0.5] * 3


@pytest.mark.parametrize(("form", "shape"), [("levels", (3, 2, 2)), ("column", (3,))])
def test_intervals_of_another_shape_are_refused(form, shape):
    """Two levels are two models."""
    with raises(ex.ShapeError, "predict_interval", got=shape):
        uc.UCCDisplay.from_estimator(WithIntervals(form), np.zeros((3, 1)), [0, 1, 2])
