"""Levels of quantiles find their partners, up to rounding."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import torch

import uccurve as uc
from uccurve._kernels import ladders
from uccurve.intervals._level_pairs import matched


def test_levels_are_matched_from_the_outermost_pair_inwards():
    """In whatever order they come; the median is nobody's partner, and what is left over is named."""
    levels = [0.9, 0.5, 0.025, 0.3, 0.1, 0.975]
    found = matched(levels)
    assert found.pairs == [(2, 5), (4, 0)]
    assert found.median == 1
    assert found.lonely == [3]


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


def test_named_columns_may_have_levels_in_single_precision():
    frame = pd.DataFrame({"y": [2.5, 2.5], "a": TABLE[:, 0], "b": TABLE[:, 4]})
    rows = uc.Intervals.from_frame(frame, y_true="y", quantiles={SINGLE[0]: "a", SINGLE[4]: "b"})
    assert rows.ucc(vary="level").original.nominal == rows.nominal == 0.9


@pytest.mark.parametrize(
    ("parameter", "band"), [(0.0, 0.0), (1.0, 1.0), (2.0, 2.0), (3.0, 4.0), (4.0, 6.0), (8.0, 12.0)]
)
def test_bands_are_interpolated_up_to_any_last_knot_and_scaled_behind_it(parameter, band):
    """Knots of 2 and 4: linear between them, and proportional beyond the last."""
    bands = (np.array([2.0]), np.array([6.0]))
    assert ladders.band_at(np, (2.0, 4.0), bands, parameter, tails=True) == pytest.approx([band])
    each = ladders.band_at_each(np, (0.5, 1.0), bands, np.array([parameter / 4]))
    assert each == pytest.approx([band])
