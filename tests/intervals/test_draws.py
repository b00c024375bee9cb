"""Draws as nested quantiles: the j-th of m order statistics has level j / (m + 1)."""

from __future__ import annotations

import math
from fractions import Fraction

import array_api_strict as xp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import uccurve as uc
from errors import raises
from uccurve.exceptions import ArgumentError, NonFiniteError, TooFewDrawsWarning

LEVELS = (0.05, 0.25, 0.5, 0.75, 0.95)


def order_statistic(draws, level):
    """The quantile of one row by the definition, in exact fractions."""
    ordered = sorted(map(Fraction, draws))
    rank = Fraction(repr(level)) * (len(ordered) + 1)
    low = ordered[math.floor(rank) - 1]
    share = rank - math.floor(rank)
    return low if not share else low + share * (ordered[math.floor(rank)] - low)


@given(
    st.lists(st.integers(-9, 9), min_size=19, max_size=60),
    st.lists(st.sampled_from([0.05, 0.1, 0.125, 0.3, 0.45]), min_size=1, max_size=4, unique=True),
)
def test_pairs_are_order_statistics(draws, tails):
    """With ties, in any order of levels, and with the median in the center."""
    levels = [*tails, *(1 - Fraction(repr(tail)) for tail in tails)]
    levels = [float(level) for level in levels]
    rows = uc.Intervals.from_samples([0.0], [[draw] for draw in draws], axis=0, levels=levels)
    curve = rows.ucc(vary="level")
    for tail in tails:
        low, high = (order_statistic(draws, level) for level in (tail, float(1 - Fraction(repr(tail)))))
        point = curve.at(nominal=float(1 - 2 * Fraction(repr(tail))))
        assert point.bandwidth == pytest.approx(float(high - low) / 2, rel=1e-12, abs=1e-12)
    assert rows.critical(vary="level")[0] == 0 or order_statistic(draws, 0.5) != 0


@pytest.mark.parametrize(("vary", "draws"), [("scale", 19), ("shift", 20), ("level", 39)])
def test_a_perfect_ensemble_covers_what_it_claims(vary, draws):
    """In every family, within Monte Carlo error; linear quantiles of 19 draws would cover 82%."""
    rng = np.random.default_rng(0)
    n = 40_000
    error = 4 * math.sqrt(0.9 * 0.1 / n)
    rows = uc.Intervals.from_samples(rng.normal(size=n), rng.normal(size=(draws, n)), levels=LEVELS)
    assert rows.nominal == 0.9
    assert rows.ucc(vary=vary).original.coverage == pytest.approx(0.9, abs=error)
    limit = uc.Intervals.from_samples(rng.normal(size=n), rng.normal(size=(draws, n)), levels=(0.95,))
    assert limit.ucc().original.coverage == pytest.approx(0.95, abs=error)


def test_levels_that_need_more_draws_are_left_out_and_named():
    """Nine draws reach from 0.1 to 0.9, and nothing beyond: the widest pair that they reach is the claim."""
    rng = np.random.default_rng(2)
    y, draws = rng.normal(size=40), rng.normal(size=(9, 40))
    levels = (0.005, 0.05, 0.1, 0.3, 0.7, 0.9, 0.95, 0.995)
    with pytest.warns(TooFewDrawsWarning):
        rows = uc.Intervals.from_samples(y, draws, levels=levels)
    assert rows.nominal == 0.8
    widest = np.mean(draws.max(axis=0) - draws.min(axis=0)) / 2
    for vary in ("scale", "level"):  # without another warning
        assert rows.ucc(vary=vary).original.bandwidth == pytest.approx(widest, rel=1e-14)


@pytest.mark.parametrize("levels", [(0.05, 0.5, 0.95), (0.95,), (0.3, 0.95)])
def test_a_claim_beyond_all_draws_is_refused(levels):
    """Three draws reach from 0.25 to 0.75; a limit is not made of what was to be an interval."""
    draws = [[0.0, 1.0], [2.0, 3.0], [1.0, 5.0]]
    with raises(ArgumentError, "levels"):
        uc.Intervals.from_samples([0.0, 1.0], draws, levels=levels)


def test_missing_draws_are_not_sorted_to_the_end():
    """Sorting puts NaN last, where it would shift quantiles silently."""
    draws = np.arange(120.0).reshape(40, 3)
    draws[7, 1] = np.nan
    with raises(NonFiniteError, "quantile 0.05", count=1, first=1):
        uc.Intervals.from_samples([1.0, 2.0, 3.0], draws, levels=(0.05, 0.95), y_pred=[60.0, 60.0, 60.0])


def test_other_kinds_of_arrays():
    """The same numbers."""
    rng = np.random.default_rng(5)
    y, draws = rng.normal(size=20), rng.normal(size=(30, 20))
    wanted = uc.Intervals.from_samples(y, draws, levels=LEVELS).ucc(vary="level").area()
    rows = uc.Intervals.from_samples(xp.asarray(y), xp.asarray(draws), levels=LEVELS)
    assert rows.ucc(vary="level").area() == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize(("count", "tail"), [(19, 0.05), (99, 0.01)])
def test_an_edge_level_is_reached_in_spite_of_rounding(count, tail):
    """19 draws reach 0.05 and 0.95 exactly: 0.95 * 20 is 19."""
    draws = np.arange(count, dtype=float)[:, None]
    rows = uc.Intervals.from_samples([0.0], draws, levels=(tail, 1 - tail))
    assert rows.ucc(vary="level").original.bandwidth == (count - 1) / 2


def test_an_infinite_draw_beside_an_exact_rank_does_no_harm():
    """Of 19 draws the 18th has the level 0.9, whatever the last one is."""
    draws = np.arange(19.0)[:, None]
    draws[-1], draws[0] = np.inf, -np.inf
    rows = uc.Intervals.from_samples([3.0], draws, axis=0, levels=(0.1, 0.9), y_pred=[9.0])
    assert rows.ucc(vary="level").original.bandwidth == 8
