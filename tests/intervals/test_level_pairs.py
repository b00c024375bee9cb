"""Levels of quantiles find their partners, up to rounding."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import uccurve as uc

SINGLE = np.array([0.05, 0.25, 0.5, 0.75, 0.95], dtype=np.float32)
TABLE = np.array([[0.0, 1.0, 2.0, 3.0, 5.0], [1.0, 2.0, 3.0, 5.0, 8.0]])


@pytest.mark.parametrize(
    "levels",
    [SINGLE, SINGLE.tolist(), list(SINGLE), torch.as_tensor(SINGLE), [0.05, 0.25, 0.5, 1 - 0.25, 1 - 0.05]],
    ids=["array", "floats", "numbers", "tensor", "differences"],
)
def test_levels_in_single_precision_are_the_decimals_they_stand_for(levels):
    """float32 does not hold 0.05 and 0.95 exactly: the outermost pair is kept, and claims 0.9."""
    y = np.array([2.5, 2.5])
    rows = uc.Intervals.from_quantiles(y, TABLE, levels)
    assert rows.nominal == 0.9
    curve = rows.ucc(vary="level")  # without a warning of levels that have no partner
    assert curve.original.nominal == 0.9
    assert curve.at(nominal=0.5).bandwidth == pytest.approx(1.25)
    drawn = uc.Intervals.from_samples(y, np.random.default_rng(0).normal(size=(99, 2)), levels=levels)
    assert drawn.ucc(vary="level").original.nominal == 0.9
    assert uc.adapters.from_xgboost(y, TABLE, levels=levels, coverage=np.float32(0.9)).nominal == 0.9
    exact = uc.weighted_interval_score(y, TABLE, [0.05, 0.25, 0.5, 0.75, 0.95])
    assert uc.weighted_interval_score(y, TABLE, levels) == exact
