"""Figures of rows: intervals at one operating point, and bands at several coverages."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from drawn_figure import hits_and_misses, labelled, labels, some_intervals, some_quantiles, xy

import uccurve as uc
from errors import raises
from uccurve import exceptions as ex
from uccurve.plotting import plot_bands, plot_intervals

I = uc.Intervals


@pytest.mark.parametrize(("vary", "symmetric"), [("scale", False), ("shift", True)])
def test_hits_and_misses_are_counted_as_the_curve_counts_them(vary, symmetric):
    """At every operating point, where one row just touches its bound: by rank, not by rounded bounds."""
    intervals = some_intervals(23, symmetric=symmetric)
    curve, ax = intervals.ucc(vary=vary), plt.figure().subplots()
    for parameter, miss_rate in zip(curve.parameter, curve.miss_rate, strict=True):
        hit, missed = hits_and_misses(plot_intervals(intervals, ax, vary=vary, parameter=parameter))
        assert [len(hit), len(missed)] == [23 - round(miss_rate * 23), round(miss_rate * 23)]
        ax.clear()
    plain = plot_intervals(intervals, vary=vary)
    assert len(hits_and_misses(plain)[1]) == round(curve.original.miss_rate * 23)


@pytest.mark.parametrize("vary", ["scale", "shift"])
def test_the_bounds_drawn_are_those_of_the_operating_point(vary):
    """Both sides, around the prediction, in the order of the rows."""
    intervals = some_intervals(30)
    point = intervals.ucc(vary=vary).at(miss_rate=0.2)
    ax = plot_intervals(intervals, parameter=point.parameter, vary=vary, unit="kWh")
    bars = sorted(path.vertices.tolist() for bars in ax.collections for path in bars.get_paths())
    by = point.parameter
    moved = intervals.scaled(by) if vary == "scale" else intervals.shifted(by)
    assert bars == [[[row, moved.lower[row]], [row, moved.upper[row]]] for row in range(30)]
    assert xy(labelled(ax, "predicted")) == [[row, y] for row, y in enumerate(intervals.y_pred)]
    move = f"scaled ×{by:.3g}" if vary == "scale" else f"shifted +{by:.3g} kWh"
    title = ax.get_legend().get_title().get_text()
    assert title == f"{move}: coverage 80.0%, mean half-width {point.bandwidth:.3g} kWh"
    assert (ax.get_ylabel(), ax.get_xlabel()) == ("y (kWh)", "row")


def test_many_rows_are_thinned_and_the_figure_says_so():
    """Coverage and half-width stay those of all rows."""
    intervals = some_intervals(5001)
    ax = plot_intervals(intervals, miss_rate=0.1)
    hit, missed = hits_and_misses(ax)
    assert len(hit) + len(missed) == 200
    assert {0, 5000} <= {row for row, _ in hit + missed}
    assert ax.get_xlabel() == "row (200 of 5,001 shown)"
    title = ax.get_legend().get_title().get_text().replace("\n", " ")
    assert f"mean half-width {intervals.ucc().at(miss_rate=0.1).bandwidth:.3g} units of y, of all" in title


def test_rows_can_be_chosen():
    """By slice, number or mask, against values of all rows that bring their name, also after dropping some."""
    values = pd.Series(np.linspace(0, 1, 100) ** 2, name="load")
    some = some_intervals()
    with pytest.warns(ex.DroppedRowsWarning):
        rest = I.from_bands([np.nan, *some.y_true], np.zeros(100), 1.0, invalid="drop")
    for rows in (slice(3, 6), [3, 4, 5], np.arange(99) // 3 == 1):
        ax = plot_intervals(rest, rows=rows, against=values, legend=False)
        assert ax.get_xlabel() == "load (3 of 99 shown)"
        assert sorted(x for part in hits_and_misses(ax) for x, _ in part) == values[4:7].tolist()


def bounds(shade):
    """The places, lower and upper bounds of a filled band, from its polygon."""
    corners = shade.get_paths()[0].vertices
    n = (len(corners) - 3) // 2
    return corners[1 : n + 1], corners[n + 2 : 2 * n + 2][::-1]


@pytest.mark.parametrize("vary", ["scale", "shift", "level"])
def test_each_band_is_the_curve_s_at_its_coverage(vary):
    """Both bounds of every row, from left to right, wider ones below narrower ones."""
    intervals = some_quantiles(60) if vary == "level" else some_intervals(60)
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
    assert ("center" if vary == "level" else "predicted") in labels(ax)
    assert xy(labelled(ax, "observed")) == [[place, intervals.y_true[row]] for place, row in enumerate(order)]


def test_the_legend_says_what_moves_the_bands():
    """And that coverages are those of all rows, if not all are drawn."""
    intervals = some_intervals(999)
    ax = plot_bands(intervals, coverages=[0.9], unit="kWh")
    assert labels(ax)[0] == f"90%: ×{intervals.ucc().at(coverage=0.9).parameter:.3g}"
    assert "of all rows" in ax.get_legend().get_title().get_text()
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("row (200 of 999 shown)", "y (kWh)")
    assert plot_bands(intervals, legend=False).get_legend() is None
    assert "observed" not in labels(plot_bands(intervals, observed=False))


def test_rows_without_an_order_have_intervals_of_their_own():
    """Beside each other, one upon the other: nothing is filled between rows that are no neighbors."""
    intervals = some_intervals(60)
    for against in (None, [f"row {number}" for number in range(60)]):
        ax = plot_bands(intervals, against=against)
        shades = [shade for shade in ax.collections if shade.get_gid() == "band"]
        for shade, coverage in zip(shades, (0.95, 0.8, 0.5), strict=True):
            moved = intervals.scaled(intervals.ucc().at(coverage=coverage).parameter)
            ends = np.array([bar.vertices[:, 1] for bar in shade.get_paths()])
            assert ends.tolist() == np.column_stack([moved.lower, moved.upper]).tolist()
        assert labelled(ax, "predicted").get_linestyle() == "None"


def test_bands_are_drawn_against_dates_and_names():
    """Dates are sorted, names stay in the order of the rows."""
    times = pd.date_range("2024-01-01", periods=9)[::-1]
    ax = plot_bands(some_intervals(9), against=times)
    assert (np.diff(labelled(ax, "predicted").get_xdata().astype("int64")) > 0).all()
    ax.figure.canvas.draw()
    ax = plot_bands(some_intervals(3), against=np.array(["c", "a", "b"], dtype=object))
    ax.figure.canvas.draw()
    assert [text.get_text() for text in ax.get_xticklabels()] == ["c", "a", "b"]


def test_one_sided_limits_are_filled_from_the_prediction():
    """On the other side there is no bound."""
    rng = np.random.default_rng(0)
    limits = I.from_bounds(rng.normal(size=50), None, np.ones(50), y_pred=np.zeros(50))
    (shade,) = plot_bands(limits, against=np.arange(50), coverages=[0.9]).collections
    assert shade.get_paths()[0].vertices[:, 1].min() == 0


@pytest.mark.parametrize(
    ("plot", "options"),
    [
        (plot_bands, {"coverages": []}),
        (plot_bands, {"coverages": [90]}),
        (plot_bands, {"rows": slice(0)}),
        (plot_bands, {"against": 3}),
        (plot_bands, {"against": [None, *range(98)]}),
        (plot_intervals, {"rows": [99]}),
        (plot_intervals, {"rows": [0.5]}),
        (plot_intervals, {"coverage": 90}),
    ],
)
def test_other_things_are_refused(plot, options):
    """Before a figure is made; several outputs are drawn one by one."""
    with raises(ex.UccurveError, *options):
        plot(some_intervals(), **options)
    for other in (some_intervals().ucc(), I.from_bands(np.zeros((3, 2)), np.zeros((3, 2)), 1.0)):
        with raises(ex.ArgumentError, "intervals"):
            plot(other)
    assert plt.get_fignums() == []
