"""Where the far bound becomes the nearer one, and back: all small pairs at once."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from uccurve._base.arrays import namespace
from uccurve._kernels import ladder_hinges, ladders
from uccurve._kernels.ladders import Ladder
from uccurve._kernels.rows import Rows

xp = namespace(np.empty(0))
ERRORS = [0.0, 0.25, 0.5, 1.0, 1.5, 3.0]
PARAMETERS = np.arange(0, 65) / 16


def all_pairs(knots):
    """Rows with every error, and every two rising sides; the observation is above the center."""
    sides = list(itertools.combinations_with_replacement([0.5, 1.0, 2.0, 3.5], len(knots)))
    grid = list(itertools.product(ERRORS, sides, sides))
    error = np.array([row[0] for row in grid])
    active, passive = (np.array([row[side] for row in grid]).T for side in (1, 2))
    center = np.zeros(error.size)
    above = np.ones(error.size, dtype=bool)
    return error, active, passive, Ladder(xp, knots, center, above, tuple(-passive), tuple(active))


def band(knots, bands, t, *, tails):
    """The band of each row at a parameter: linear from knot to knot, then scaled or constant."""
    if t >= 1:
        return bands[-1] * (t if tails else 1)
    edges, columns = [0.0, *knots], [0 * bands[0], *bands]
    place = max(i for i, edge in enumerate(edges) if edge <= t)
    share = (t - edges[place]) / (edges[place + 1] - edges[place])
    return columns[place] + (columns[place + 1] - columns[place]) * share


@pytest.mark.parametrize("tails", [False, True])
@pytest.mark.parametrize("knots", [(1.0,), (0.25, 1.0), (0.25, 0.5, 1.0)])
def test_excess_of_every_row_is_the_distance_to_the_nearer_bound(knots, tails):
    """Crossings in any segment and behind the last, at knots, in both directions, and bounds that keep their distance."""
    error, active, passive, ladder = all_pairs(knots)
    critical = ladders.critical(xp, error, ladder, tails=tails)
    rows, index = Rows(error, active[-1], None, None, ladder), np.arange(error.size)
    found = ladder_hinges.hinges(xp, rows, ladder, critical, index, tails=tails)
    together = ladder_hinges.hinges(xp, rows, ladder, critical, None, tails=tails)
    for t in PARAMETERS:
        up, down = np.maximum(t - found.knots, 0), np.maximum(found.knots - t, 0)
        near, far = (band(knots, side, t, tails=tails) for side in (active, passive))
        excess = np.bincount(found.row, weights=up * (found.excess + found.pulse), minlength=error.size)
        expected = np.maximum(np.minimum(near - error, far + error), 0)
        np.testing.assert_allclose(excess, expected, atol=1e-13)
        deficit = np.bincount(found.row, weights=down * found.deficit, minlength=error.size)
        never = np.maximum(error - active[-1], 0) * np.isinf(critical)
        np.testing.assert_allclose(deficit + never, np.maximum(error - near, 0), atol=1e-13)
        in_all = np.maximum(t - together.knots, 0) @ (together.excess + together.pulse)
        assert in_all == pytest.approx(expected.sum(), rel=1e-12)
