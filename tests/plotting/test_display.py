"""Displays: curves of predictions, comparisons and estimators, and their numbers."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from drawn_figure import labelled, labels, marks, some_intervals, xy

import uccurve as uc
from uccurve import exceptions as ex

I = uc.Intervals


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
        given.y_true, given.lower, given.upper, y_pred=given.y_pred, sample_weight=given.sample_weight
    ).ucc(vary="shift")
    assert (
        labels(shown.ax_)[0]
        == f"mine: area {curve.area(x='excess'):.3g}, gain {100 * curve.gain(x='excess'):.1f} %"
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
    frame = uc.UCCDisplay(curves).to_frame("pandas")
    assert list(frame.columns) == ["model", "line", "bandwidth", "miss_rate"]
    ax = uc.UCCDisplay({"a": curves["a"]}).plot().ax_
    for line, label in (("curve", "a: "), ("constant band", "constant"), ("limit", "limit")):
        part = frame[(frame.model == "a") & (frame.line == line)]
        assert part[["bandwidth", "miss_rate"]].to_numpy().tolist() == xy(labelled(ax, label))
    plain = uc.UCCDisplay(curves, options={"reference": False, "frontier": False}).to_frame("pandas")
    assert set(plain.line) == {"curve"}


def test_a_comparison_is_drawn_on_its_own_axes():
    """Without the constant band as a model."""
    models = {"a": some_intervals(), "b": some_intervals().scaled(2)}
    found = uc.compare(models, x="excess", y="deficit", n_resamples=9, rng=0)
    shown = uc.UCCDisplay.from_comparison(found, unit="m")
    assert (shown.x, shown.y, list(shown.curves)) == ("excess", "deficit", ["a", "b"])
    assert shown.ax_.get_xlabel().startswith("excess")


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
