"""Figures of reliability, also of quantiles, and of the coverage of segments."""

from __future__ import annotations

import numpy as np
import pytest
from drawn_figure import LEVELS, hits_and_misses, labelled, labels, marks, some_intervals, some_quantiles, xy

import uccurve as uc
from errors import raises
from uccurve import exceptions as ex
from uccurve.plotting import plot_conditional_coverage, plot_intervals, plot_reliability

I = uc.Intervals


def test_the_reliability_figure_draws_the_result_beside_the_diagonal():
    """One model without a name, several with theirs."""
    curves = {"one": some_intervals().ucc(), "two": some_intervals(seed=1).ucc()}
    ax = plot_reliability(curves, nominal=0.8)
    assert labels(ax) == ["one", "two", "as supplied", "reliable"]
    assert xy(labelled(ax, "reliable")) == [[0, 0], [1, 1]]
    for name, curve in curves.items():
        found = curve.reliability(0.8)
        assert xy(labelled(ax, name)) == np.column_stack([found.nominal, found.coverage]).tolist()
        assert [0.8, curve.original.coverage] in marks(ax, "o")
    assert labels(plot_reliability(curves["one"], nominal=0.8))[0] == "observed"


def title(ax):
    return ax.get_legend().get_title().get_text()


def test_operating_points_are_named_by_the_coverage_they_claim():
    """Not by a scale: below the outermost pair, at it, and beyond it."""
    intervals = some_quantiles()
    curve = intervals.ucc(vary="level")
    point = curve.at(nominal=0.6)
    assert title(plot_intervals(intervals, vary="level", nominal=0.6, unit="kWh")) == (
        f"60% interval: coverage {100 * point.coverage:.1f}%, mean half-width {point.bandwidth:.3g} kWh"
    )
    assert title(plot_intervals(intervals, vary="level")).startswith("90% interval, as supplied: ")
    beyond = curve.at(coverage=0.98)
    assert title(plot_intervals(intervals, vary="level", coverage=0.98)).startswith(
        f"outermost ×{beyond.parameter:.3g}: coverage 99.0%"
    )
    with raises(ex.ArgumentError, "nominal"):
        plot_intervals(intervals, nominal=0.6)
    with pytest.raises(ex.ArgumentError):  # none of the two is ignored
        plot_intervals(intervals, vary="level", nominal=0.6, coverage=0.5)


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
    with pytest.warns(ex.UnpairedLevelsWarning) as caught:
        plot_intervals(some_quantiles(levels=LEVELS[1:]), vary="level", nominal=0.4)
    assert len(caught) == 1


def test_claims_of_quantiles_are_marked():
    """Dots at the levels of pairs; nothing is assumed, and the axis says so where something is."""
    intervals = some_quantiles()
    ax = plot_reliability(intervals)
    found = intervals.ucc(vary="level").reliability()
    assert xy(labelled(ax, "observed")) == np.column_stack([found.nominal, found.coverage]).tolist()
    (dots,) = [xy(line) for line in ax.lines if line.get_marker() == "."]
    assert [claim for claim, _ in dots] == [0.5, 0.7, 0.9]
    assert [0.9, found.observed] in marks(ax, "o")
    assert ax.get_xlabel() == "claimed coverage"
    single = plot_reliability(some_intervals(), nominal=0.9, legend=False)
    assert single.get_xlabel() == "claimed coverage, if errors are Gaussian"
    assert not marks(single, ".")
    both = plot_reliability({"levels": intervals, "one": I.from_std([1.0, 2.0], [0.0, 0.0], 1.0)})
    assert "lines without dots" in both.get_xlabel()
    assert [claim for claim, _ in marks(both, "o")] == [0.9, 0.6827], "each with its own claim"


def test_the_band_of_coverages_can_be_shaded():
    intervals = some_quantiles()
    ax = plot_reliability({"a": intervals, "b": some_quantiles(seed=1)}, confidence=0.9)
    assert labels(ax) == ["a", "b", "as supplied", "90% band, all claims at once", "reliable"]
    found = intervals.ucc(vary="level").reliability(confidence_level=0.9)
    assert ax.collections[0].get_paths()[0].vertices[:, 1].max() == found.high.max()
    with raises(ex.ArgumentError, "confidence"):
        plot_reliability(intervals, confidence=2)


def by_sites(sites, n=400):
    """Sites that cover 60%, 90% and 100%, of intervals that claim 90%."""
    covered = np.concatenate([np.arange(n) % 10 < 6, np.arange(n) % 10 < 9, np.ones(n, dtype=bool)])
    y = np.where(covered, 0.0, 2.0)
    rows = uc.Intervals.from_bands(y, 0 * y, np.ones(3 * n), nominal=0.9)
    return uc.conditional_coverage(rows, by=np.repeat(sites, n), name="site")


def test_marks_and_bars_are_those_of_the_result():
    """One lane per segment, the expected coverage as a line."""
    found = by_sites(["a", "b", "c"])
    ax = found.plot()
    line, *drawn = ax.lines
    assert line.get_xdata()[0] == 0.9
    for lane, part in enumerate(found.segments):
        bar, mark = drawn[2 * lane : 2 * lane + 2]
        np.testing.assert_allclose(xy(bar), [[part.low, lane], [part.high, lane]])
        np.testing.assert_allclose(xy(mark), [[part.coverage, lane]])
    assert [mark.get_marker() for mark in drawn[1::2]] == ["v", "o", "^"]
    assert [tick.get_text() for tick in ax.get_yticklabels()] == ["a", "b", "c"]
    assert (ax.get_xlabel(), ax.get_ylabel(), len(labels(ax))) == ("coverage", "site", 4)
    with raises(ex.ArgumentTypeError, "coverage"):
        plot_conditional_coverage(some_intervals().ucc())


def test_of_many_segments_those_that_differ_the_most_are_drawn():
    """Forty lanes have room, and the title says that there are more."""
    rows = some_intervals(90)
    found = uc.conditional_coverage(rows, by=np.arange(90) // 2)
    ax = plot_conditional_coverage(found, legend=False)
    assert len(ax.get_yticks()) == 40
    assert "40 of 45" in ax.get_title()
    drawn = {int(tick.get_text()) for tick in ax.get_yticklabels()}
    left_out = [abs(part.difference) for part in found.segments if part.segment not in drawn]
    assert max(left_out) <= min(abs(part.difference) for part in found.segments if part.segment in drawn)
