"""The figure of the intervals: hits, misses and bounds are the curve's."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from drawn_figure import hits_and_misses, labelled, some_intervals, xy

import uccurve as uc
from errors import raises
from uccurve import exceptions as ex
from uccurve.plotting import plot_intervals

I = uc.Intervals


@pytest.mark.parametrize("vary", ["scale", "shift"])
@pytest.mark.parametrize("symmetric", [False, True])
def test_hits_and_misses_are_counted_as_the_curve_counts_them(vary, symmetric):
    """At every operating point, where one row just touches its bound: by rank, not by rounded bounds."""
    intervals = some_intervals(23, symmetric=symmetric)
    curve = intervals.ucc(vary=vary)
    for parameter, miss_rate in zip(curve.parameter, curve.miss_rate, strict=True):
        ax = plot_intervals(intervals, plt.figure().subplots(), vary=vary, parameter=parameter)
        hit, missed = hits_and_misses(ax)
        assert len(missed) == round(miss_rate * 23)
        assert len(hit) == 23 - len(missed)
        plt.close(ax.figure)
    plain = plot_intervals(intervals, vary=vary)
    assert len(hits_and_misses(plain)[1]) == round(curve.original.miss_rate * 23)


@pytest.mark.parametrize("vary", ["scale", "shift"])
def test_the_bounds_drawn_are_those_of_the_operating_point(vary):
    """Both sides, around the prediction, in the order of the rows."""
    intervals = some_intervals(30)
    point = intervals.ucc(vary=vary).at(miss_rate=0.2)
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
    assert title == f"bands {sign} {by:.3g}: miss rate 20.0%, bandwidth {point.bandwidth:.3g} kWh"
    assert ax.get_ylabel() == "y (kWh)"
    assert ax.get_xlabel() == "row"


@pytest.mark.parametrize("axis", ["coverage", "excess", "parameter"])
def test_the_operating_point_is_given_on_any_axis(axis):
    """As the curve takes it; a misspelled one is called unexpected."""
    intervals = some_intervals(30)
    curve = intervals.ucc()
    value = getattr(curve.at(miss_rate=0.3), axis)
    by = curve.at(**{axis: value}).parameter
    drawn = plot_intervals(intervals, **{axis: value}).get_legend().get_title().get_text()
    assert drawn.startswith(f"bands × {by:.3g}: ")
    with pytest.raises(TypeError, match="unexpected keyword argument 'missrate'"):
        plot_intervals(intervals, missrate=0.1)


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
        f"bands × {point.parameter:.3g}: miss rate {100 * point.miss_rate:.1f}%, "
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


def test_values_of_all_rows_serve_after_dropping_some():
    """As labels do."""
    with pytest.warns(ex.DroppedRowsWarning):
        intervals = I.from_bands([1, np.nan, 3, 4], [0] * 4, 2, invalid="drop")
    ax = plot_intervals(intervals, against=[10, 20, 30, 40])
    assert sorted(x for part in hits_and_misses(ax) for x, _ in part) == [10, 30, 40]


@pytest.mark.parametrize(
    ("options", "argument"),
    [
        ({"rows": [99]}, "rows"),
        ({"rows": [0.5]}, "rows"),
        ({"against": [1, 2]}, "against"),
        ({"at": 0.1}, "at"),
        ({"miss_rate": 0.1, "coverage": 0.9}, None),
        ({"coverage": 90}, "coverage"),
    ],
)
def test_bad_choices_of_rows_and_points_are_named(options, argument):
    """Before a figure is made."""
    with raises(ex.UccurveError, argument):
        plot_intervals(some_intervals(), **options)
    assert plt.get_fignums() == []


def test_a_point_is_given_once_and_for_one_output():
    """Or it is not clear which."""
    point = some_intervals().ucc().original
    with raises(ex.ArgumentError, "at"):
        plot_intervals(some_intervals(), at=point, miss_rate=0.1)
    with raises(ex.ArgumentError, "intervals"):
        plot_intervals(I.from_bands(np.zeros((3, 2)), np.zeros((3, 2)), 1.0))
    with raises(ex.ArgumentError, "intervals"):
        plot_intervals(some_intervals().ucc())
