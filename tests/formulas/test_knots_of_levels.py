"""Pairs of quantiles are met at their own levels, to the last digit."""

from __future__ import annotations

import numpy as np

import uccurve as uc

LEVELS = (0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95)
CLAIMS = (0.3, 0.6, 0.9)


def test_an_observation_on_a_bound_is_reached_at_the_level_of_that_pair():
    """Whatever rounding does to the segment that leads up to it."""
    rng = np.random.default_rng(0)
    table = np.sort(rng.normal(size=(200, 7)), axis=1)
    for place, claim in zip((4, 5, 6), CLAIMS, strict=True):
        for side in (place, 6 - place):
            curve = uc.Intervals.from_quantiles(table[:, side], table, LEVELS).ucc(vary="level")
            assert curve.parameter.shape == (2,)
            assert (curve.at(nominal=claim).miss_rate, curve.at(coverage=1).nominal) == (0, claim)


def test_equal_pairs_are_reached_at_the_first_of_them():
    """Bands that do not grow for a while."""
    curve = uc.Intervals.from_quantiles([1.0], [[-1, -1, -1, 0, 1, 1, 1]], LEVELS).ucc(vary="level")
    assert curve.at(coverage=1).nominal == CLAIMS[0]
