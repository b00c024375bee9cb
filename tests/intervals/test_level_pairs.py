"""Levels of quantiles find their partners, up to rounding."""

from __future__ import annotations

import numpy as np
import pytest

from uccurve._kernels import ladders
from uccurve.intervals._level_pairs import matched
from uccurve.intervals._paired_levels import paired


def test_levels_are_matched_from_the_outermost_pair_inwards():
    """In whatever order they come; the median is nobody's partner, and what is left over is named."""
    levels = [0.9, 0.5, 0.025, 0.3, 0.1, 0.975]
    found = matched(levels, 1e-9)
    assert found.pairs == [(2, 5), (4, 0)]
    assert found.median == 1
    assert found.lonely == [3]


def test_the_tolerance_is_the_caller_s():
    """float32 does not hold 0.05 and 0.95 exactly: metrics take them for a pair, nested quantiles do not."""
    levels = [float(np.float32(0.05)), float(np.float32(0.95))]
    assert matched(levels, 1e-6).pairs == [(0, 1)]
    assert matched(levels, 1e-9).lonely == [0, 1]
    assert paired(levels) == ([], levels)
    assert paired([0.05, 1 - 0.05]) == ([(0.05, 1 - 0.05)], [])


@pytest.mark.parametrize(
    ("parameter", "band"), [(0.0, 0.0), (1.0, 1.0), (2.0, 2.0), (3.0, 4.0), (4.0, 6.0), (8.0, 12.0)]
)
def test_bands_are_interpolated_up_to_any_last_knot_and_scaled_behind_it(parameter, band):
    """Knots of 2 and 4: linear between them, and proportional beyond the last."""
    bands = (np.array([2.0]), np.array([6.0]))
    assert ladders.band_at(np, (2.0, 4.0), bands, parameter, tails=True) == pytest.approx([band])
    each = ladders.band_at_each(np, (0.5, 1.0), bands, np.array([parameter / 4]))
    assert each == pytest.approx([band])
