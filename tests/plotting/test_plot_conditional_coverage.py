"""The figure of coverage by segment."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from drawn_figure import labels, some_intervals, xy

import uccurve as uc
from errors import raises
from uccurve import exceptions as ex
from uccurve.plotting import plot_conditional_coverage


def by_sites(sites, n=400):
    """Sites that cover 60%, 90% and 100%, of intervals that claim 90%."""
    covered = np.concatenate([np.arange(n) % 10 < 6, np.arange(n) % 10 < 9, np.ones(n, dtype=bool)])
    y = np.where(covered, 0.0, 2.0)
    rows = uc.Intervals.from_bands(y, 0 * y, np.ones(3 * n), nominal=0.9)
    return uc.conditional_coverage(rows, by=np.repeat(sites, n), name="site")


def test_marks_and_bars_are_those_of_the_result():
    """In per cent, one lane per segment, the expected coverage as a line."""
    found = by_sites(["a", "b", "c"])
    ax = found.plot()
    line, *drawn = ax.lines
    assert line.get_xdata()[0] == 90
    for lane, part in enumerate(found.segments):
        bar, mark = drawn[2 * lane : 2 * lane + 2]
        np.testing.assert_allclose(xy(bar), [[100 * part.low, lane], [100 * part.high, lane]])
        np.testing.assert_allclose(xy(mark), [[100 * part.coverage, lane]])
    assert [mark.get_marker() for mark in drawn[1::2]] == ["v", "o", "^"]
    assert [tick.get_text() for tick in ax.get_yticklabels()] == ["a", "b", "c"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("coverage in %", "site")
    assert labels(ax) == [
        "90.0% expected",
        "with its interval, 95% for all at once",
        "significantly below",
        "significantly above",
    ]


def test_other_axes_are_used_and_other_things_refused():
    """On the given axes, without a legend where none is wanted."""
    ax = plt.subplots()[1]
    assert plot_conditional_coverage(by_sites(["a", "b", "c"]), ax, legend=False) is ax
    assert ax.get_legend() is None
    with raises(ex.ArgumentTypeError, "coverage"):
        plot_conditional_coverage(some_intervals().ucc())


def test_of_many_segments_those_that_differ_the_most_are_drawn():
    """Forty lanes have room, and the title says that there are more."""
    rows = some_intervals(90)
    found = uc.conditional_coverage(rows, by=np.arange(90) // 2)
    ax = found.plot()
    assert len(ax.get_yticks()) == 40
    assert ax.get_title() == "the 40 of 45 segments that differ the most"
    drawn = {int(tick.get_text()) for tick in ax.get_yticklabels()}
    left_out = [abs(part.difference) for part in found.segments if part.segment not in drawn]
    assert max(left_out) <= min(abs(part.difference) for part in found.segments if part.segment in drawn)
