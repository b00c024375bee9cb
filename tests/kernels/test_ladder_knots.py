"""Pairs are met at their own knots, to the last digit."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from uccurve._base.arrays import namespace
from uccurve._kernels import ladders
from uccurve._kernels.ladders import Ladder

xp = namespace(np.empty(0))


def ladder_of(knots, bands):
    """Rows whose observation faces the given bands; there is nothing on the other side."""
    center = np.zeros(bands[0].size)
    return Ladder(xp, knots, center, center == 0, tuple(0 * band for band in bands), tuple(bands))


def test_an_observation_on_a_bound_is_reached_at_the_knot_of_that_pair():
    """Whatever rounding does to the segment that leads up to it; bands at a knot are those of the pair."""
    rng = np.random.default_rng(0)
    for _ in range(200):
        *inner, _ = knots = (*np.sort(rng.random(2)).tolist(), 1.0)
        bands = tuple(np.sort(rng.random((3, 1)), axis=0))
        ladder = ladder_of(knots, bands)
        for knot, band in zip(knots, bands, strict=True):
            assert ladders.critical(xp, band, ladder, tails=True).tolist() == [knot]
            assert ladders.band_at(xp, knots, bands, knot, tails=True).tolist() == band.tolist()
            assert ladders.band_at_each(xp, knots, bands, np.array([knot])).tolist() == band.tolist()
        below = [
            float(ladders.band_at(xp, knots, bands, np.nextafter(knot, 0), tails=True)[0]) for knot in inner
        ]
        assert below == pytest.approx([float(band[0]) for band in bands[:-1]])


@pytest.mark.parametrize("tails", [False, True])
def test_equal_pairs_are_reached_at_the_first_of_them(tails):
    """Bands that do not grow for a while, from the start on, or at all."""
    knots = (0.25, 0.75, 1.0)
    sides = list(itertools.combinations_with_replacement([0.0, 1.0, 2.0, 4.0], 3))
    bands = tuple(np.array(sides).T)
    ladder = ladder_of(knots, bands)
    for error in (1.0, 2.0, 4.0):
        found = ladders.critical(xp, np.full(len(sides), error), ladder, tails=tails)
        for side, got in zip(sides, found.tolist(), strict=True):
            if error in side:
                assert got == knots[side.index(error)]
            elif error > side[-1]:
                assert got == (error / side[-1] if tails and side[-1] else np.inf)
            else:
                assert 0 < got < 1


def test_parameters_that_begin_with_the_smallest_need_not_be_sorted():
    """All neighbors are compared."""
    parameter = np.array([0.0, 1.0, 0.5, 0.75])
    found = ladders.interpolate(xp, (0.5, 1.0), (2.0, 6.0), parameter, tails=True)
    assert found.tolist() == [0.0, 6.0, 2.0, 4.0]
