"""Bands at several coverages: bounds, order, words."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from drawn_figure import labelled, labels, some_intervals, xy

import uccurve as uc
from errors import raises
from uccurve import exceptions as ex
from uccurve.plotting import plot_bands

I = uc.Intervals


def some_quantiles(n=60):
    rng = np.random.default_rng(0)
    table = np.sort(rng.normal(size=(n, 5)), axis=1) + np.array([-2.0, -1.0, 0.0, 1.0, 2.0])
    return I.from_quantiles(rng.normal(scale=2, size=n), table, (0.1, 0.25, 0.5, 0.75, 0.9))


def bounds(shade):
    """The places, lower and upper bounds of a filled band, from its polygon."""
    corners = shade.get_paths()[0].vertices
    n = (len(corners) - 3) // 2
    return corners[1 : n + 1], corners[n + 2 : 2 * n + 2][::-1]


@pytest.mark.parametrize("vary", ["scale", "shift", "level"])
def test_each_band_is_the_curve_s_at_its_coverage(vary):
    """Both bounds of every row, from left to right, wider ones below narrower ones."""
    intervals = some_quantiles() if vary == "level" else some_intervals(60)
    places = np.random.default_rng(1).permutation(60).astype(float)
    ax = plot_bands(intervals, against=places, vary=vary)
    curve = intervals.ucc(vary=vary)
    shades = [shade for shade in ax.collections if shade.get_gid() == "band"]
    order = np.argsort(places)
    for shade, coverage in zip(shades, (0.95, 0.8, 0.5), strict=True):
        assert str(shade.get_label()).startswith(f"{100 * coverage:g}%: ")
        parameter = curve.at(coverage=coverage).parameter
        moved = curve.moved_to(parameter)
        low, high = sorted(bounds(shade), key=lambda side: side[:, 1].sum())
        assert low[:, 0].tolist() == high[:, 0].tolist() == list(range(60))
        assert low[:, 1].tolist() == np.asarray(moved.lower)[order].tolist()
        assert high[:, 1].tolist() == np.asarray(moved.upper)[order].tolist()
        inside = (moved.lower <= intervals.y_true) & (intervals.y_true <= moved.upper)
        assert inside.mean() == pytest.approx(coverage, abs=1 / 60)
    middle = "center" if vary == "level" else "predicted"
    said = [label.split(":")[0] for label in labels(ax)]
    assert said == ["50%", middle, "80%", "observed", "95%"], "by columns: bands are in the first row"
    assert xy(labelled(ax, "observed")) == [[place, intervals.y_true[row]] for place, row in enumerate(order)]


def test_the_legend_says_what_moves_the_bands():
    """And that coverages are those of all rows, if not all are drawn."""
    intervals = some_intervals(999)
    ax = plot_bands(intervals, coverages=[0.9], unit="kWh")
    assert labels(ax)[0] == f"90%: ×{intervals.ucc().at(coverage=0.9).parameter:.3g}"
    assert ax.get_legend().get_title().get_text() == "coverage of all rows, and what moves the bands there"
    assert ax.get_xlabel() == "row (200 of 999 shown)"
    assert ax.get_ylabel() == "y (kWh)"
    assert plot_bands(intervals, rows=slice(5), legend=False).get_legend() is None
    without = plot_bands(intervals, observed=False)
    assert "observed" not in labels(without)


def test_bands_are_drawn_against_dates_and_names():
    """Dates are sorted, names stay in the order of the rows."""
    times = pd.date_range("2024-01-01", periods=9)[::-1]
    ax = plot_bands(some_intervals(9), against=times)
    assert (np.diff(labelled(ax, "predicted").get_xdata().astype("int64")) > 0).all()
    ax.figure.canvas.draw()
    for names in (["c", "a", "b"], np.array(["c", "a", "b"], dtype=object)):
        ax = plot_bands(some_intervals(3), against=names)
        ax.figure.canvas.draw()
        assert [text.get_text() for text in ax.get_xticklabels()] == ["c", "a", "b"]


def test_one_sided_limits_are_filled_from_the_prediction():
    """On the other side there is no bound."""
    rng = np.random.default_rng(0)
    limits = I.from_bounds(rng.normal(size=50), None, np.ones(50), y_pred=np.zeros(50))
    (shade,) = plot_bands(limits, coverages=[0.9]).collections
    assert shade.get_paths()[0].vertices[:, 1].min() == 0


@pytest.mark.parametrize(
    "options",
    [{"coverages": []}, {"coverages": [90]}, {"rows": []}, {"against": 3}, {"against": [None, *range(98)]}],
)
def test_other_things_are_refused(options):
    """Before a figure is made."""
    with raises(ex.UccurveError, *options):
        plot_bands(some_intervals(), **options)
    with raises(ex.ArgumentError, "intervals"):
        plot_bands(I.from_bands(np.zeros((3, 2)), np.zeros((3, 2)), 1.0))
    assert plt.get_fignums() == []
