"""Costs along runs of knots, against their definition in fractions."""

from __future__ import annotations

from fractions import Fraction as F

import array_api_strict
import numpy as np
import pytest

from uccurve._base.arrays import namespace
from uccurve._kernels import runs
from uccurve._kernels.runs import Run

xp = namespace(np.empty(0))
START = -4.0
PASSIVE_LENGTH = {0: 0, 1: 0, 2: 1, 3: 2, 10: 4}
"""How many rows switch to the other bound, by the number of rows."""
ARRAYS = pytest.mark.parametrize("asarray", [np.asarray, array_api_strict.asarray])


def drawn(n, asarray):
    """Runs of five kinds with ties within and among them; changes of the deficit add up to 0."""
    rng = np.random.default_rng(n)
    some = PASSIVE_LENGTH[n]
    lengths = [n, n, some, n - some, some]
    changes = [(0.0, 1.0, 1.0), (0.5, 0.0, -1.0), (0.5, 1.5, 0.0), (0.5, 0.0, 0.0), (0.0, -0.5, 0.0)]
    columns = [
        rng.integers(low, low + 6, size=size) / 2
        for low, size in zip((2, -6, -6, -6, 3), lengths, strict=True)
    ]
    return [Run(asarray(column), *change) for column, change in zip(columns, changes, strict=True)]


def knots_of(run):
    """The knots of a run as plain numbers."""
    return [float(knot) for knot in run.knots]


def rising_sum(given, cost, t):
    """Add up c (t - τ)^+."""
    return sum(F(run[cost]) * max(F(t) - F(knot), 0) for run in given for knot in knots_of(run))


def falling_sum(given, cost, t):
    """Add up c (τ - t)^+."""
    return sum(F(run[cost]) * max(F(knot) - F(t), 0) for run in given for knot in knots_of(run))


@ARRAYS
@pytest.mark.parametrize("n", PASSIVE_LENGTH)
def test_merged_knots_are_in_order_and_know_their_run(n, asarray):
    """Behind the start; among equal knots those of an earlier run come first."""
    given = drawn(n, asarray)
    expected = sorted((knot, kind) for kind, run in enumerate(given) for knot in knots_of(run))
    merged = runs.merge(namespace(given[0].knots), given, START)
    assert [float(knot) for knot in merged.knots] == [START, *(knot for knot, _ in expected)]
    assert [int(kind) for kind in merged.kinds] == [kind for _, kind in expected]
    assert merged.kinds.dtype == namespace(given[0].knots).uint8


@ARRAYS
@pytest.mark.parametrize("block", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize("n", PASSIVE_LENGTH)
def test_runs_have_the_values_of_their_sums(n, block, asarray):
    """At the start and at every knot, in blocks of any length; slopes behind the last knot."""
    given = drawn(n, asarray)
    names = namespace(given[0].knots)
    merged = runs.merge(names, given, START)
    lines = runs.integrate(names, given, merged, 8.0, block)
    places = [float(knot) for knot in merged.knots]
    assert [float(knot) for knot in lines.knots] == places
    for found, expected in (
        (lines.bandwidth, [rising_sum(given, 1, t) / 8 for t in places]),
        (lines.excess, [rising_sum(given, 2, t) / 8 for t in places]),
        (lines.deficit, [falling_sum(given, 3, t) / 8 for t in places]),
    ):
        assert [float(value) for value in found] == expected
        assert found.dtype == names.float64
    in_the_end = [sum(F(run[cost]) * len(knots_of(run)) for run in given) / 8 for cost in (1, 2)]
    assert [lines.bandwidth_slope, lines.excess_slope] == in_the_end


def touched_and_opened(touch, opened):
    """Two runs, as symmetric bands have them."""
    return [Run(np.array(touch), 0.0, 1.0, 1.0), Run(np.array(opened), 1.0, 0.0, -1.0)]


@pytest.mark.parametrize("block", [1, 2, 1000])
def test_products_are_divided_last(block):
    """49 · (1 / 49) is not 1 in float64: whole shares come out whole."""
    given = touched_and_opened([98.0, 147.0], [0.0, 0.0])
    lines = runs.integrate(xp, given, runs.merge(xp, given, 0.0), 49.0, block)
    assert lines.bandwidth.tolist() == [0, 0, 0, 4, 6]
    assert lines.excess.tolist() == [0, 0, 0, 0, 1]
    assert lines.deficit.tolist() == [5, 5, 5, 1, 0]


def test_slopes_of_many_knots_are_counted_across_blocks():
    """They are numbers of knots, so that shares of the rows come out whole."""
    n = 5000
    given = touched_and_opened(np.full(n, 3.0), np.full(n, 1.0))
    merged = runs.merge(xp, given, 0.0)
    lines = runs.integrate(xp, given, merged, float(n), 999)
    assert lines.bandwidth.tolist() == [0.0] * (n + 1) + [2.0] * n
    assert lines.deficit.tolist() == [2.0] * (n + 1) + [0.0] * n
    assert lines.excess.tolist() == [0.0] * (2 * n + 1)


@ARRAYS
def test_what_is_behind_each_term_is_added_up(asarray):
    """The first sum is that of all terms; NumPy's are written over the terms."""
    for block in (1, 2, 3, 100):
        terms = asarray([1.0, 2.0, 4.0, 8.0, 0.0])
        found = runs._suffix_sums(namespace(terms), terms, block)
        assert [float(value) for value in found] == [15, 14, 12, 8, 0]
        assert (found is terms) == isinstance(terms, np.ndarray)
