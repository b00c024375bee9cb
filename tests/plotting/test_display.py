"""Displays: curves of predictions, comparisons and estimators, and their numbers."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest
from drawn_figure import labels, marks, path, percent, some_intervals, xy

import uccurve as uc
from errors import raises
from uccurve import exceptions as ex


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
    assert [ax.get_ylabel()[-5:] for ax in (first, display.ax_)] == ["(kWh)", "(MWh)"]
    assert [len(marks(ax, "*")) for ax in (first, display.ax_)] == [0, 2]
    assert {name: xy(line) for name, line in display.line_.items()} == {n: path(c) for n, c in curves.items()}
    assert display.curves == curves
    assert xy(uc.UCCDisplay({"": curves["a"]}).plot().line_) == path(curves["a"])


def test_further_keywords_style_the_lines_of_the_models():
    """And nothing else but the color, which marks and bands share; short names too; None is the default."""
    display = uc.UCCDisplay({"a": some_intervals(), "b": some_intervals(seed=1)})
    width = display.plot(confidence=0.9, linewidth=None).line_["a"].get_linewidth()
    styled = display.plot(confidence=0.9, lw=5, alpha=0.5, linestyle="--", color="red")
    own = list(styled.line_.values())
    assert {(line.get_linewidth(), line.get_alpha(), line.get_color()) for line in own} == {(5, 0.5, "red")}
    assert 5 not in {line.get_linewidth() for line in styled.ax_.lines if line not in own}
    rings = [line for line in styled.ax_.lines if line.get_marker() == "o" and len(line.get_xdata())]
    assert [ring.get_color() for ring in rings] == ["red", "red"]
    assert width == 1.8


def test_a_keyword_that_no_line_takes_is_refused():
    """Before a figure is made."""
    display = uc.UCCDisplay({"a": some_intervals()})
    wrong = {"colour": TypeError, "label": TypeError, "ax": TypeError, "linestyle": ValueError}
    for keyword, error in wrong.items():
        with pytest.raises(error):
            display.plot(**{keyword: "wavy"})
    with pytest.raises(TypeError, match="colour"):
        display.curves["a"].plot(colour="wavy")
    assert plt.get_fignums() == []


def test_a_display_of_predictions_draws_their_curve():
    """Bounds, or standard deviations, and not a bit of both; weights, both families, either axes."""
    given = some_intervals(weighted=True)
    bounds = given.y_true, given.lower, given.upper
    rest = {"y_pred": given.y_pred, "sample_weight": given.sample_weight}
    shown = uc.UCCDisplay.from_predictions(*bounds, **rest, x="excess", vary="shift", name="mine")
    curve = uc.Intervals.from_bounds(*bounds, **rest).ucc(vary="shift")
    gain = percent(curve.gain(x="excess"))
    assert labels(shown.ax_)[0] == f"mine: area {curve.area(x='excess'):.3g}, gain {gain}"
    both = uc.UCCDisplay.from_predictions(
        given.y_true, y_pred=given.y_pred, std=1.0, x="excess", ax=shown.ax_, unit="m", alpha=0.5
    )
    assert both.ax_ is shown.ax_
    assert (both.line_.get_alpha(), shown.line_.get_alpha()) == (0.5, None)
    for mixed, argument in (({}, "lower"), ({"lower": [0], "std": [1]}, "lower"), ({"std": [1]}, "y_pred")):
        with raises(ex.ArgumentError, argument):
            uc.UCCDisplay.from_predictions([1], **mixed)


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


def test_a_comparison_s_plot_takes_the_options_of_a_curve_s():
    """And draws what a display of it draws."""
    models = {"a": some_intervals(), "b": some_intervals().scaled(2)}
    found = uc.compare(models, n_resamples=9, rng=0)
    options = {"confidence": 0.9, "cost": 0.3, "area": (0.5, 0.9), "unit": "m", "frontier": False}
    mine = plt.subplots()[1]
    assert found.plot(mine, **options) is mine
    theirs = uc.UCCDisplay.from_comparison(found, **options).ax_
    assert labels(mine) == labels(theirs)
    assert [xy(line) for line in mine.lines] == [xy(line) for line in theirs.lines]
    other = uc.compare(models, x="excess", y="deficit", n_resamples=9, rng=0).plot()
    assert (other.get_xlabel().split(":")[0], other.get_ylabel().split(":")[0]) == ("excess", "deficit")


class Constant:
    """Predicts intervals from -1 to 2, and nothing else."""

    def predict_interval(self, rows):
        return np.tile([-1.0, 2.0], (len(rows), 1))


def test_a_display_of_an_estimator_draws_the_curve_of_its_intervals():
    """Around midpoints if it predicts nothing else; under its class's name."""
    y = np.array([0.0, 1.0, 2.0])
    shown = uc.UCCDisplay.from_estimator(Constant(), y[:, None], y)
    (curve,) = shown.curves.values()
    assert list(shown.curves) == ["Constant"]
    assert curve.intervals.y_pred.tolist() == [0.5] * 3
