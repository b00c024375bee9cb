"""The curve with its points, and the rows at each of them."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest
from drawn_figure import hits_and_misses, labels, some_intervals
from matplotlib.figure import Figure

from errors import raises
from uccurve import exceptions as ex
from uccurve.plotting import plot_operating_points


def dots(ax):
    return [tuple(np.ravel(line.get_data())) for line in ax.lines if line.get_gid() == "point"]


@pytest.mark.parametrize("vary", ["scale", "shift"])
def test_panels_show_the_rows_at_the_points_of_the_curve(vary):
    """As many misses as the miss rates say, and the bounds of each point."""
    intervals = some_intervals(50)
    left, *panels = plot_operating_points(intervals, vary=vary)
    curve = intervals.ucc(vary=vary)
    points = [curve.at(miss_rate=rate) for rate in (0.7, 0.2)]
    assert dots(left) == [(point.bandwidth, point.miss_rate) for point in points]
    for panel, point in zip(panels, points, strict=True):
        hit, missed = hits_and_misses(panel)
        assert (len(hit), len(missed)) == (round(50 * point.coverage), round(50 * point.miss_rate))
        moved = curve.moved_to(point.parameter)
        corners = panel.collections[0].get_paths()[0].vertices[:, 1]
        assert set(corners) == {*np.asarray(moved.lower).tolist(), *np.asarray(moved.upper).tolist()}
    assert panels[0].get_ylim() == panels[1].get_ylim()


def test_points_have_letters_on_the_curve_and_above_the_panels():
    """With coverage and what moves the bands."""
    intervals = some_intervals(50)
    left, first, second = plot_operating_points(intervals, coverages=(0.5, 0.9), label="mine", unit="kWh")
    curve = intervals.ucc()
    low, high = (curve.at(coverage=coverage).parameter for coverage in (0.5, 0.9))
    assert {text.get_text() for text in left.texts} == {f"A, 50%: ×{low:.3g}", f"B, 90%: ×{high:.3g}"}
    assert first.get_title() == f"A: 50% coverage, bands × {low:.3g}"
    assert second.get_title() == f"B: 90% coverage, bands × {high:.3g}"
    assert labels(left)[0].startswith("mine: area")
    assert left.get_xlabel() == "bandwidth: mean half-width (kWh)"
    assert (first.get_ylabel(), first.get_xlabel()) == ("y (kWh)", "row")
    assert labels(first) == ["observed, inside", "predicted", "observed, outside", "interval"]  # by columns
    assert second.get_legend() is None


def test_given_axes_are_used():
    """One for the curve, one for each point; no other figure is made."""
    axes = Figure().subplots(2, 2)
    found = plot_operating_points(some_intervals(), axes, miss_rates=(0.5, 0.2, 0.1), legend=False)
    assert found.tolist() == axes.ravel().tolist()
    assert all(panel.get_legend() is None for panel in found)
    assert plt.get_fignums() == []


@pytest.mark.parametrize(
    ("options", "argument"),
    [
        ({"miss_rates": [0.5], "coverages": [0.5]}, "coverages"),
        ({"miss_rates": []}, "miss_rates"),
        ({"coverages": [0.5] * 7}, "coverages"),
        ({"miss_rates": [70]}, "miss_rates"),
        ({"axes": [1, 2]}, "axes"),
    ],
)
def test_other_things_are_refused(options, argument):
    """Before a figure is made."""
    with raises(ex.UccurveError, argument):
        plot_operating_points(some_intervals(), **options)
    assert plt.get_fignums() == []
