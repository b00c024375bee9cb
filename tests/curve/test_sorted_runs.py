"""Costs that are merged from sorted runs of knots, against their definitions at single points."""

from __future__ import annotations

import numpy as np
import pytest

import uccurve as uc

MANY = 70_001
"""More than two blocks of rows."""


def intervals(n, *, symmetric, ties, weighted):
    """Rows with exact predictions among them, where ties are asked for."""
    rng = np.random.default_rng(n)
    columns = [rng.normal(size=n), 0.3 * rng.normal(size=n), *rng.lognormal(size=(2, n))]
    if ties:
        columns = [np.round(4 * column) / 4 for column in columns]
    y, p, lower, upper = columns
    weight = rng.integers(1, 5, size=n) / 4 if weighted else None
    return uc.Intervals.from_bands(y, p, lower, None if symmetric else upper, sample_weight=weight)


@pytest.mark.slow
@pytest.mark.parametrize("n", [1, 3, MANY])
@pytest.mark.parametrize("vary", ["scale", "shift"])
@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize(("ties", "weighted"), [(True, False), (False, True)])
def test_costs_along_the_curve_are_those_of_its_points(n, vary, symmetric, ties, weighted):
    """Every row counts once at each of its knots, whichever way they were put in order."""
    rows = intervals(n, symmetric=symmetric, ties=ties, weighted=weighted)
    curve = rows.ucc(vary=vary)
    size = float(np.abs(rows.y_true).max() + rows.upper_band.max())
    for place in np.unique(np.linspace(0, curve.parameter.shape[0] - 1, 15).astype(int)):
        point = curve.at(parameter=float(curve.parameter[place]))
        for cost in ("miss_rate", "bandwidth", "excess", "deficit"):
            got = float(getattr(curve, cost)[place])
            assert got == pytest.approx(getattr(point, cost), rel=1e-11, abs=1e-13 * size), cost
