"""Operating points on a curve: where they are, what their labels say, and that nothing lies upon anything."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest
from drawn_figure import some_intervals

import uccurve as uc
from errors import raises
from uccurve import exceptions as ex
from uccurve.plotting import plot_ucc


def dots(ax):
    return [
        (float(line.get_xdata()[0]), float(line.get_ydata()[0]))
        for line in ax.lines
        if line.get_gid() == "point"
    ]


def words(ax):
    return {text.get_text() for text in ax.texts if text.get_gid() == "label"}


@pytest.mark.parametrize(("x", "y"), [("bandwidth", "miss_rate"), ("excess", "deficit")])
def test_dots_lie_on_the_curve_at_their_coverages(x, y):
    """On any axes."""
    curve = some_intervals().ucc()
    ax = plot_ucc(curve, x=x, y=y, points=[0.5, 0.9])
    points = [curve.at(coverage=coverage) for coverage in (0.5, 0.9)]
    assert dots(ax) == [(getattr(point, x), getattr(point, y)) for point in points]
    assert words(ax) == {
        f"{share}%: ×{point.parameter:.3g}" for share, point in zip((50, 90), points, strict=True)
    }


def test_labels_say_what_moves_the_bands():
    """A factor, an amount with its sign and unit, or the coverage that quantiles claim."""
    shift = some_intervals().ucc(vary="shift")
    low, high = (shift.at(coverage=coverage).parameter for coverage in (0.1, 0.99))
    assert low < 0 < high
    assert words(shift.plot(points=[0.1, 0.99], unit="kWh")) == {
        f"10%: −{-low:.3g} kWh",
        f"99%: +{high:.3g} kWh",
    }
    y = np.linspace(-3, 3, 41)
    table = np.tile([-2.0, -1.0, 0.0, 1.0, 2.0], (41, 1))
    level = uc.Intervals.from_quantiles(y, table, (0.1, 0.25, 0.5, 0.75, 0.9)).ucc(vary="level")
    inner, beyond = level.at(coverage=0.4), level.at(coverage=0.9)
    assert words(level.plot(points=[0.4, 0.9])) == {
        f"40%: nominal {100 * inner.nominal:.3g}%",
        f"90%: outermost ×{beyond.parameter:.3g}",
    }


@pytest.mark.parametrize("points", [0.9, [90], {"a": None}])
def test_other_things_are_refused(points):
    """Before a figure is made."""
    with raises(ex.UccurveError, "points"):
        some_intervals().ucc().plot(points=points)
    assert plt.get_fignums() == []


def test_a_coverage_that_is_never_reached_is_named():
    """Rows with zero bands stay missed under scaling."""
    curve = uc.Intervals.from_bands([1, 2, 3], [0, 0, 0], [1, 0, 1]).ucc()
    with pytest.raises(ex.UnreachableError):
        curve.plot(points=[0.9])
    assert plt.get_fignums() == []
