"""Figures of one-sided limits speak of distances, not of half widths."""

import pytest

from errors import raises
from limited_rows import BOTH, LOWER, UPPER, compared
from uccurve import exceptions as ex
from uccurve.plotting import plot_intervals, plot_regimes


@pytest.mark.parametrize(("side", "models"), [("upper", UPPER), ("lower", LOWER)])
def test_axes_of_a_curve_name_the_side(side, models):
    """No half width, no bounds."""
    ax = models["stock"].ucc().plot(unit="kWh")
    assert ax.get_xlabel() == f"bandwidth: mean distance from the prediction to the {side} limit (kWh)"
    ax = models["stock"].ucc().plot(x="excess", y="deficit")
    assert ax.get_xlabel() == f"excess: mean room inside the {side} limit (units of y)"
    assert ax.get_ylabel() == f"deficit: mean distance outside\nthe {side} limit (units of y)"


@pytest.mark.parametrize("first", ["upper", "both"])
def test_limits_and_intervals_do_not_share_axes(first):
    """Their widths do not compare, and the label could be true of one of them only."""
    models = {"upper": UPPER, "both": BOTH}
    ax = models.pop(first)["stock"].ucc().plot()
    (other,) = models.values()
    with raises(ex.ArgumentError, "ax"):
        other["stock"].ucc().plot(ax)
    assert len([line for line in ax.lines if "area" in str(line.get_label())]) == 1


def test_the_figure_of_rows_speaks_of_distances():
    """As given and moved, by both families."""
    rows = UPPER["stock"]
    for options, start in (
        ({}, "as supplied: miss rate"),
        ({"parameter": 2.0}, "distances to the limit × 2: miss rate"),
        ({"parameter": 3.0, "vary": "shift"}, "distances to the limit + 3: miss rate"),
    ):
        title = plot_intervals(rows, **options).get_legend().get_title().get_text()
        assert title.startswith(start)
        assert ", mean distance " in title


def test_the_figure_of_regimes_names_limits():
    """In the legend's title."""
    texts = [plot_regimes(compared(models)).get_legend().get_title().get_text() for models in (LOWER, BOTH)]
    assert ["lower limits" in text for text in texts] == [True, False]
