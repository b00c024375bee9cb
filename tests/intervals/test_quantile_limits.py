"""Quantiles that are infinite in every row: a limit, which claims what its own level says."""

from __future__ import annotations

import numpy as np
import pytest

import uccurve as uc


@pytest.mark.parametrize("prediction", [None, 0.0])
@pytest.mark.parametrize(("side", "claim"), [("lower", 0.95), ("upper", 0.9)])
def test_a_limit_of_quantiles_claims_its_own_level(prediction, side, claim):
    """Below an infinite upper quantile, the 5% quantile claims 95%, not the 85% between the two levels."""
    y = np.random.default_rng(0).normal(size=50)
    low, high = (np.full(50, -np.inf) if side == "upper" else np.full(50, -1.6)), np.full(50, 1.3)
    if side == "lower":
        high = np.full(50, np.inf)
    table = np.stack([low, np.zeros(50), high], axis=1)
    given = None if prediction is None else np.full(50, prediction)
    limit = uc.Intervals.from_quantiles(y, table, [0.05, 0.5, 0.9], y_pred=given)
    assert limit.side == side
    assert limit.nominal == claim
    with pytest.raises(uc.exceptions.UccurveError):
        limit.ucc(vary="level")
