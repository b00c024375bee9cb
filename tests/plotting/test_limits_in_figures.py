"""Figures of one-sided limits speak of distances, not of half widths."""

import pytest

import uccurve as uc
from errors import raises
from limited_rows import BOTH, LOWER, UPPER, compared
from uccurve import exceptions as ex
from uccurve.plotting import plot_intervals, plot_regimes


@pytest.mark.parametrize(("side", "models"), [("upper", UPPER), ("lower", LOWER)])
def test_axes_of_a_curve_name_the_side(side, models):
    """No half width, no bounds."""
    curve = models["stock"].ucc()
    axes = curve.plot(), curve.plot(x="excess", y="deficit")
    for words in (axes[0].get_ylabel(), axes[1].get_xlabel(), axes[1].get_ylabel()):
        assert f"the {side} limit" in words.replace("\n", " ")


def test_limits_and_intervals_do_not_share_axes():
    """Their widths do not compare, and the label could be true of one of them only."""
    for first, other in ((UPPER, BOTH), (BOTH, UPPER)):
        ax = first["stock"].ucc().plot()
        with raises(ex.ArgumentError, "ax"):
            other["stock"].ucc().plot(ax)
    with raises(ex.ArgumentError, "curves"):
        uc.UCCDisplay({"upper": UPPER["stock"], "both": BOTH["stock"]}).plot()


def test_the_figure_of_rows_speaks_of_distances():
    """As given and moved, by both families."""
    for options in ({}, {"parameter": 3.0, "vary": "shift"}):
        title = plot_intervals(UPPER["stock"], **options).get_legend().get_title().get_text()
        assert ", mean distance " in title


def test_the_figure_of_regimes_names_limits():
    """In the legend's title."""
    texts = [plot_regimes(compared(models)).get_legend().get_title().get_text() for models in (LOWER, BOTH)]
    assert ["lower limits" in text for text in texts] == [True, False]
