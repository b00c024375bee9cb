"""Figures of quantiles: words of nominal coverage, intervals around the center, claims without a shape."""

from __future__ import annotations

import warnings
from statistics import NormalDist

import matplotlib.pyplot as plt
import numpy as np
from drawn_figure import hits_and_misses, labelled, labels, marks, some_intervals, xy

import uccurve as uc
from errors import raises
from uccurve import exceptions as ex
from uccurve.plotting import plot_intervals, plot_reliability

LEVELS = (0.05, 0.15, 0.25, 0.5, 0.75, 0.85, 0.95)


def quantiles(n=99, *, seed=0, levels=LEVELS, **options):
    """Log-normal rows and their quantiles."""
    rng = np.random.default_rng(seed)
    center, spread = rng.normal(size=n), rng.uniform(0.3, 1.0, size=n)
    z = np.array([NormalDist().inv_cdf(level) for level in levels])
    table = np.exp(center[:, None] + spread[:, None] * z)
    return uc.Intervals.from_quantiles(np.exp(center + spread * rng.normal(size=n)), table, levels, **options)


def title(ax):
    return ax.get_legend().get_title().get_text()


def test_operating_points_are_named_by_the_coverage_they_claim():
    """Not by a scale: below the outermost pair, at it, and beyond it."""
    intervals = quantiles()
    curve = intervals.ucc(vary="level")
    point = curve.at(nominal=0.6)
    assert title(plot_intervals(intervals, vary="level", nominal=0.6, unit="kWh")) == (
        f"nominal coverage 60%: miss rate {100 * point.miss_rate:.1f}%, bandwidth {point.bandwidth:.3g} kWh"
    )
    assert title(plot_intervals(intervals, vary="level")).startswith(
        "nominal coverage 90%, as supplied: miss"
    )
    beyond = curve.at(coverage=0.98)
    assert title(plot_intervals(intervals, vary="level", at=beyond)).startswith(
        f"outermost quantiles × {beyond.parameter:.3g}: miss rate 1.0%"
    )
    with raises(ex.ArgumentError, "nominal"):
        plot_intervals(intervals, nominal=0.6)
    with raises(ex.ArgumentError, "at"):
        plot_intervals(intervals, vary="level", at=beyond, nominal=0.6)
    for other in ("coverage", "parameter"):  # none of the two is ignored
        with raises(ex.ArgumentError, "nominal"):
            plot_intervals(intervals, vary="level", nominal=0.6, **{other: 0.5})


def test_intervals_are_drawn_around_the_center():
    """A prediction of another kind serves scale and shift only."""
    table = np.array([[-2.0, -1.0, 0.0, 2.0, 6.0], [-4.0, -1.0, 0.0, 1.0, 4.0]])
    intervals = uc.Intervals.from_quantiles([1.0, 3.0], table, (0.1, 0.25, 0.5, 0.75, 0.9), y_pred=[3.0, 3.0])
    ax = plot_intervals(intervals, vary="level", nominal=0.5)
    assert xy(labelled(ax, "center")) == [[0, 0], [1, 0]]
    bars = sorted(path.vertices.tolist() for bars in ax.collections for path in bars.get_paths())
    assert bars == [[[0, -1], [0, 2]], [[1, -1], [1, 1]]]
    assert hits_and_misses(ax) == ([[0, 1]], [[1, 3]])


def test_a_figure_names_levels_without_a_partner_once():
    """One warning for one call."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ex.UnpairedLevelsWarning)
        plot_intervals(quantiles(levels=LEVELS[1:]), vary="level", nominal=0.4)
    assert [each.category for each in caught] == [ex.UnpairedLevelsWarning]


def test_the_optimum_is_an_interval_to_take():
    """In per cent, as people speak of quantiles; beyond them there is none to take."""
    curve = quantiles().ucc(vary="level")
    for cost, words in ((0.5, "take the {}% interval"), (0.001, "multiply the outermost pair by {}")):
        point = curve.minimize_cost(cost).point
        number = f"{100 * point.nominal:.3g}" if point.nominal is not None else f"{point.parameter:.3g}"
        ax = curve.plot(plt.figure().subplots(), cost=cost)
        assert f"optimum at c = {cost:g}: {words.format(number)}" in labels(ax)


def test_without_tails_the_legend_says_how_far_the_curve_goes():
    curve = uc.UCC(quantiles(), vary="level", tails="none")
    assert labels(curve.plot())[0] == f"down to a miss rate of {curve.miss_rate[-1]:.3g}"


def test_claims_of_quantiles_are_marked():
    """Dots at the levels of pairs; nothing is assumed, and the axis says so where something is."""
    intervals = quantiles()
    ax = plot_reliability(intervals)
    found = intervals.ucc(vary="level").reliability()
    assert xy(labelled(ax, "observed")) == np.column_stack([found.nominal, found.coverage]).tolist()
    (dots,) = [xy(line) for line in ax.lines if line.get_marker() == "."]
    assert [claim for claim, _ in dots] == [0.5, 0.7, 0.9]
    assert [0.9, found.observed] in marks(ax, "o")
    assert ax.get_xlabel() == "claimed coverage"
    single = plot_reliability(some_intervals(), plt.figure().subplots(), nominal=0.9)
    assert single.get_xlabel() == "claimed coverage, if errors are Gaussian"
    assert not [line for line in single.lines if line.get_marker() == "."]
    both = plot_reliability(
        {"levels": intervals, "one": uc.Intervals.from_std([1.0, 2.0], [0.0, 0.0], 1.0)},
        plt.figure().subplots(),
    )
    assert both.get_xlabel() == "claimed coverage, if errors are Gaussian (lines without dots)"


def test_the_band_of_coverages_can_be_shaded():
    intervals = quantiles()
    ax = plot_reliability({"a": intervals, "b": quantiles(seed=1)}, confidence=0.9)
    assert labels(ax) == ["a", "b", "as supplied", "90% band, all claims at once", "reliable"]
    found = intervals.ucc(vary="level").reliability(confidence_level=0.9)
    ends = ax.collections[0].get_paths()[0].vertices[:, 1]
    assert ends.max() == found.high.max()
    with raises(ex.ArgumentError, "confidence"):
        plot_reliability(intervals, confidence=2)
