"""The figure of a ratio curve."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest
from drawn_figure import marks, xy
from matplotlib.figure import Figure

import uccurve as uc
from errors import raises
from uccurve import exceptions as ex
from uccurve.datasets import make_crossing
from uccurve.plotting import plot_ratio


@pytest.fixture(scope="module")
def ratio():
    """The built-in example, with a cross-over."""
    models = make_crossing().models
    return uc.ratio_curve(models["sharp"], models["damped"], criterion="bandwidth", n_resamples=49, rng=0)


def names(ax):
    """The words beside curves, in the order of their colors; those on the line of 100% are left out."""
    found = {text.get_color(): text.get_text() for text in ax.texts if "wide" not in text.get_text()}
    return [found[line.get_color()] for line in curves(ax)]


def on_the_line(ax):
    (words,) = [text.get_text() for text in ax.texts if "wide" in text.get_text()]
    return words


def curves(ax):
    return [line for line in ax.lines if line.get_gid() == "ratio"]


def test_the_line_and_the_band_are_those_of_the_result(ratio):
    """In per cent, over coverage."""
    ax = ratio.plot()
    (line,) = curves(ax)
    np.testing.assert_array_equal(xy(line), 100 * np.column_stack([ratio.coverage, ratio.ratio]))
    (band,) = ax.collections
    corners = np.concatenate([path.vertices for path in band.get_paths()])
    known = ~np.isnan(ratio.ratio)
    for column in (ratio.low, ratio.high):
        for corner in 100 * np.column_stack([ratio.coverage, column])[known]:
            assert np.isclose(corners, corner).all(axis=1).any()
    assert corners[:, 1].min() == pytest.approx(100 * np.nanmin(ratio.low))
    assert corners[:, 1].max() == pytest.approx(100 * np.nanmax(ratio.high))
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("coverage in %", "half-width in % of the other's")


def test_the_cross_over_is_marked_with_its_interval(ratio):
    """On the line of 100%, between its ends; a curve without one has no mark."""
    ax = ratio.plot()
    cross = ratio.crossover
    assert marks(ax, "o") == [[100 * cross.coverage, 100]]
    ends = [[100 * (1 - cross.high), 100.0], [100 * (1 - cross.low), 100.0]]
    assert ends in [xy(line) for line in ax.lines]
    model = make_crossing().models["sharp"]
    same = uc.ratio_curve(model, model, n_resamples=9, rng=0)
    assert same.crossover is None
    assert marks(same.plot(), "o") == []


def test_it_draws_on_given_axes_only(ratio, monkeypatch):
    """No other figure is made, none is shown, and the current one stays current."""
    monkeypatch.setattr(plt, "show", lambda *_: pytest.fail("shown"))
    mine = plt.subplots()[1]
    current = plt.figure()
    settings = dict(plt.rcParams)
    assert ratio.plot(mine) is mine
    assert curves(mine)
    assert len(plt.get_fignums()) == 2
    assert plt.gcf() is current
    assert current.axes == []
    assert dict(plt.rcParams) == settings
    unknown_to_pyplot = Figure().subplots()
    assert curves(plot_ratio(ratio, unknown_to_pyplot))
    assert len(plt.get_fignums()) == 2


def test_several_curves_share_the_axes(ratio):
    """Each in its own color and dashes, with a name in the legend; the line of 100% is drawn once."""
    models = make_crossing().models
    other = uc.ratio_curve(models["damped"], criterion="bandwidth", n_resamples=9, rng=0)
    ax = other.plot(ratio.plot(label="a"), label="b")
    lines = curves(ax)
    assert names(ax) == ["a", "b"]
    assert len({line.get_color() for line in lines}) == len({line.get_linestyle() for line in lines}) == 2
    assert [band.get_facecolor()[0][:3].tolist() for band in ax.collections] == [
        list(plt.matplotlib.colors.to_rgb(line.get_color())) for line in lines
    ]
    assert sum(line.get_linestyle() == ":" for line in ax.lines) == 1


def test_a_curve_that_is_not_known_anywhere_can_be_drawn():
    """Three rows say nothing, and that without a warning."""
    few = uc.Intervals.from_bands([1.0, 2.0, 3.0], [0.0, 0.0, 0.0], [1.0, 1.0, 2.0])
    unknown = uc.ratio_curve(few, n_resamples=9, rng=0)
    assert np.isnan(unknown.ratio).all()
    ax = unknown.plot(label="few")
    ax.figure.canvas.draw()
    assert names(ax) == ["few"]
    assert marks(ax, "o") == []


def test_the_line_of_100_percent_says_what_it_means(ratio):
    """As wide or as good as constant width, the other model, or whatever its name is."""
    model = make_crossing().models["sharp"]
    constant = uc.ratio_curve(model, criterion="bandwidth", n_resamples=9, rng=0)
    assert on_the_line(constant.plot()) == "100%: as wide as constant width"
    assert on_the_line(ratio.plot(other="$damped_")) == r"100%: as wide as \$damped_"
    assert on_the_line(constant.plot(ratio.plot())) == "100%: equally wide"
    scored = uc.ratio_curve(model, n_resamples=9, rng=0).plot()
    assert [text.get_text() for text in scored.texts] == ["100%: as good as constant width"]


def test_other_things_are_refused():
    """Before a figure is made."""
    with raises(ex.ArgumentError, "ratio"):
        plot_ratio([1.0])
    assert plt.get_fignums() == []
