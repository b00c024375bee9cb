"""The shade under a curve has the area that the library computes."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest
from drawn_figure import labels, some_intervals

import uccurve as uc
from errors import raises
from uccurve import exceptions as ex


def shades(ax):
    return [shade for shade in ax.collections if shade.get_gid() == "area"]


def surface(shade):
    """The area of the polygon, by the shoelace formula."""
    x, y = shade.get_paths()[0].vertices.T
    return abs(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1))) / 2


@pytest.mark.parametrize(
    ("x", "y", "vary"), [("bandwidth", "miss_rate", "scale"), ("excess", "deficit", "shift")]
)
def test_the_shade_is_the_area_under_the_curve(x, y, vary):
    """In number: what the eye sees is what the legend says."""
    curve = some_intervals().ucc(vary=vary)
    ax = curve.plot(x=x, y=y, area=True)
    (shade,) = shades(ax)
    close = 1e-9 if y == "miss_rate" else 0.03  # the deficit bends between its points
    assert surface(shade) == pytest.approx(curve.area(x=x, y=y), rel=close)
    assert "area under the curve" in labels(ax)


def test_over_some_coverages_it_is_the_partial_area():
    """The mean bandwidth over them, times their range."""
    curve = some_intervals().ucc()
    ax = curve.plot(area=(0.8, 0.95), unit="kWh", label="mine")
    (shade,) = shades(ax)
    mean = curve.area(coverage=(0.8, 0.95))
    assert surface(shade) == pytest.approx(mean * 0.15)
    assert shade.get_paths()[0].vertices[:, 1].min() == pytest.approx(0.05)
    assert shade.get_paths()[0].vertices[:, 1].max() == pytest.approx(0.2)
    assert f"mine, coverage 80% to 95%: mean bandwidth {mean:.3g} kWh" in labels(ax)


def test_each_curve_has_its_shade_in_its_color():
    """The legend explains the shade of whole curves once."""
    ax = uc.UCCDisplay({"a": some_intervals(), "b": some_intervals(seed=1)}).plot(area=True).ax_
    colors = [shade.get_facecolor()[0][:3].tolist() for shade in shades(ax)]
    assert len(colors) == 2
    assert colors[0] != colors[1]
    assert labels(ax).count("area under the curve") == 1


def test_a_range_that_is_not_reached_is_called_so():
    """And without the option there is no shade."""
    curve = uc.Intervals.from_bands([1, 2, 3], [0, 0, 0], [1, 0, 1]).ucc()
    assert "coverage 80% to 95%: not reached" in labels(curve.plot(area=(0.8, 0.95)))
    assert shades(curve.plot()) == []


@pytest.mark.parametrize("area", [(0.9,), (0.9, 0.8), (80, 95), 0.9])
def test_other_ranges_are_refused(area):
    """Before a figure is made."""
    with raises(ex.UccurveError, "area"):
        some_intervals().ucc().plot(area=area)
    with raises(ex.ArgumentError, "area"):
        some_intervals().ucc().plot(y="deficit", area=(0.8, 0.9))
    assert plt.get_fignums() == []
