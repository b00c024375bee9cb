"""Figures of who is better where: ratios of two models, and ranges of coverage."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from drawn_figure import labels, marks, xy
from matplotlib.colors import to_rgb

import uccurve as uc
from errors import raises
from uccurve import exceptions as ex
from uccurve.comparison import RecordTable, Regime
from uccurve.datasets import make_crossing
from uccurve.plotting import plot_ratio, plot_regimes

WHOLE_BAND = "95% band, all coverages at once"


@pytest.fixture(scope="module")
def ratio():
    """The built-in example, with a cross-over."""
    models = make_crossing().models
    return uc.ratio_curve(models["sharp"], models["damped"], criterion="bandwidth", n_resamples=49, rng=0)


def curves(ax):
    return [line for line in ax.lines if line.get_gid() == "ratio"]


def test_the_line_and_the_band_are_those_of_the_result(ratio):
    """Over coverage; the line is full where its band is known, and pale elsewhere."""
    ax = ratio.plot()
    (line,) = curves(ax)
    np.testing.assert_array_equal(xy(line), np.column_stack([ratio.coverage, ratio.ratio]))
    full = next(one for one in ax.lines if one is not line and len(one.get_xdata()) == ratio.ratio.size)
    np.testing.assert_array_equal(full.get_ydata(), np.where(np.isfinite(ratio.low), ratio.ratio, np.nan))
    assert line.get_alpha() < 1
    (band,) = ax.collections
    corners = np.concatenate([path.vertices for path in band.get_paths()])
    assert corners[:, 1].min() == pytest.approx(np.nanmin(ratio.low))
    assert corners[:, 1].max() == pytest.approx(np.nanmax(ratio.high))
    assert ax.get_ylabel() == "half-width against the other model"


def test_the_axis_says_who_is_better(ratio):
    """In the words of the report page, not in ratios."""
    ax = plot_ratio(ratio, legend=False)
    words = [ax.yaxis.get_major_formatter()(value, 0) for value in (0.9, 1.00001, 1.2)]
    assert words == ["10% narrower", "as wide", "20% wider"]


def test_the_cross_over_is_marked_with_its_interval(ratio):
    """On the line of equal numbers, which has the other model's name; a curve without one has no mark."""
    ax = ratio.plot(other="$damped_")
    assert labels(ax) == [WHOLE_BAND, r"\$damped_"]
    cross = ratio.crossover
    assert marks(ax, "o") == [[cross.coverage, 1]]
    assert [[1 - cross.high, 1], [1 - cross.low, 1]] in [xy(line) for line in ax.lines]
    model = make_crossing().models["sharp"]
    same = uc.ratio_curve(model, model, n_resamples=9, rng=0)
    assert same.crossover is None
    assert marks(same.plot(), "o") == []


def test_several_curves_share_the_axes(ratio):
    """Each in its own color and dashes, with a name in the legend; the line of equal numbers is drawn once."""
    model = make_crossing().models["damped"]
    other = uc.ratio_curve(model, criterion="bandwidth", n_resamples=9, rng=0)
    ax = other.plot(ratio.plot(label="a"), label="b")
    lines = curves(ax)
    assert labels(ax) == ["a", "b", WHOLE_BAND, "as wide"]
    assert len({line.get_color() for line in lines}) == len({str(line._dash_pattern) for line in lines}) == 2
    grounds = [band.get_facecolor()[0][:3].tolist() for band in ax.collections]
    assert grounds == [list(to_rgb(line.get_color())) for line in lines]
    scored = uc.ratio_curve(model, n_resamples=9, rng=0).plot(ax)
    assert scored.get_ylabel().startswith("half-width or interval score")


def test_a_curve_that_is_not_known_anywhere_can_be_drawn():
    """Three rows say nothing, and that without a warning. What is no curve is refused."""
    few = uc.Intervals.from_bands([1.0, 2.0, 3.0], [0.0, 0.0, 0.0], [1.0, 1.0, 2.0])
    unknown = uc.ratio_curve(few, n_resamples=9, rng=0)
    assert np.isnan(unknown.ratio).all()
    ax = unknown.plot(label="few")
    ax.figure.canvas.draw()
    assert labels(ax) == ["few", "constant width"]
    with raises(ex.ArgumentError, "ratio"):
        plot_ratio([1.0])


@pytest.fixture(scope="module")
def comparison():
    sharp, damped = make_crossing().models.values()
    return uc.compare({"sharp": sharp, "$damped$": damped}, rank_by="bandwidth", n_resamples=99, rng=0)


def with_regimes(comparison, *regimes):
    return replace(comparison, regimes=RecordTable(regimes, "regimes"))


def test_the_bars_are_the_regimes(comparison):
    """Each over its coverages, in the lane of its model; over the others nobody is clearly the best."""
    ax = plot_regimes(comparison)
    regimes = list(comparison.regimes)
    assert len(ax.patches) == len(regimes) > 2
    lanes = [text.get_text() for text in ax.get_yticklabels()]
    assert lanes == ["sharp", r"\$damped\$", "constant width"]
    left = 1 - regimes[0].low
    for regime, bar in zip(regimes, ax.patches, strict=True):  # from high to low coverage, without gaps
        begin, end = bar.get_x(), bar.get_x() + bar.get_width()
        assert begin - 1e-9 <= 1 - regime.high <= 1 - regime.low <= end + 1e-9
        assert end == pytest.approx(left)
        left = begin
        if regime.best is None:
            assert bar.get_height() == 1  # of the axes
            continue
        lane = round(bar.get_y() + bar.get_height() / 2)
        assert lanes[lane].replace("\\", "") == regime.best
        assert bar.get_alpha() == 1
    assert plot_regimes(comparison, stretch=False, legend=False).get_xscale() == "linear"
    with raises(ex.ArgumentError, "comparison"):
        plot_regimes({})


def test_the_lead_under_the_longest_bar_stands_beside_the_lane(comparison):
    """One for each lane, at the right of the axes, where no bar lies."""
    ends = ((0.0, 0.02, "sharp", 0.3), (0.1, 0.4, "sharp", 0.1), (0.4, 1.0, "$damped$", 0.2))
    found = [
        Regime(low=low, high=high, best=best, runner_up="constant width", saved=saved, clear=True)
        for low, high, best, saved in ends
    ]
    ax = plot_regimes(with_regimes(comparison, *found))
    assert [(text.get_position()[1], text.get_text()) for text in ax.texts] == [(0, "≥ 10%"), (1, "≥ 20%")]
    assert min(text.get_position()[0] for text in ax.texts) > 1, "of the axes"


def test_the_legend_explains_what_is_there_and_nothing_else(comparison):
    """Full and pale bars, and the ground, each only if there is one."""
    kinds = {"clear": ("sharp", True), "not tested": ("sharp", False), "no clear lead": (None, False)}
    for words, (best, clear) in kinds.items():
        regime = Regime(low=0.0, high=1.0, best=best, runner_up=None, saved=np.nan, clear=clear)
        assert labels(plot_regimes(with_regimes(comparison, regime))) == [words]
