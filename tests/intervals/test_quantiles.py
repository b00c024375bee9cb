"""Quantiles that intervals hold: as a table or as columns of a frame, their partners, and what keeps them."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
import torch

import uccurve as uc
from errors import raises
from uccurve.exceptions import ArgumentError, ArgumentTypeError, MissingColumnError

I = uc.Intervals
LEVELS = (0.05, 0.25, 0.5, 0.75, 0.95)
RNG = np.random.default_rng(0)
Y, WEIGHT = RNG.normal(size=30), RNG.integers(1, 4, size=30) / 2
TABLE = RNG.exponential(size=(30, 5)).cumsum(axis=1) - 3
NAMES = {level: f"q{level:g}" for level in LEVELS}
FRAME = pl.DataFrame({"y": Y, "w": WEIGHT, **dict(zip(NAMES.values(), TABLE.T, strict=True))})
ROWS = I.from_quantiles(Y, TABLE, LEVELS, sample_weight=WEIGHT)


def test_columns_by_level_are_a_table():
    """In any order of levels."""
    names = dict(sorted(NAMES.items(), key=lambda item: -abs(item[0] - 0.4)))
    rows = I.from_frame(FRAME, y_true="y", quantiles=names, sample_weight="w")
    assert (rows.nominal, rows.n) == (0.9, 30)
    for vary in ("scale", "shift", "level"):
        assert rows.ucc(vary=vary).area() == ROWS.ucc(vary=vary).area()


def test_several_outputs_have_several_columns_at_each_level():
    """As everywhere in a frame, several names make outputs."""
    names = {level: [name, name] for level, name in NAMES.items()}
    rows = I.from_frame(FRAME, y_true=["y", "y"], quantiles=names)
    alone = I.from_frame(FRAME, y_true="y", quantiles=NAMES)
    assert rows.n_outputs == 2
    assert rows.ucc(vary="level").gain() == pytest.approx(alone.ucc(vary="level").gain(), rel=1e-12)


def test_one_level_with_a_prediction_is_a_limit():
    rows = I.from_frame(FRAME, y_true="y", y_pred="q0.5", quantiles={0.95: "q0.95"})
    assert (rows.side, rows.nominal) == ("upper", 0.95)


@pytest.mark.parametrize(
    ("options", "kind", "argument"),
    [
        ({"quantiles": NAMES, "lower": "q0.05"}, ArgumentError, "quantiles"),
        ({"quantiles": {80: "q0.5"}}, ArgumentError, "quantiles"),
        ({"quantiles": ["q0.05", "q0.95"]}, ArgumentTypeError, "quantiles"),
        ({"quantiles": {0.1: ["q0.05", "q0.25"], 0.9: "q0.95"}}, ArgumentError, "quantiles[0.1]"),
        ({"quantiles": {0.1: "B", 0.9: "q0.95"}}, MissingColumnError, "quantiles[0.1]"),
    ],
)
def test_ambiguity_is_refused(options, kind, argument):
    """What several names mean is never guessed."""
    with raises(kind, argument):
        I.from_frame(FRAME, y_true="y", **options)


SINGLE = np.array(LEVELS, dtype=np.float32)


@pytest.mark.parametrize("levels", [SINGLE, torch.as_tensor(SINGLE), [0.05, 0.25, 0.5, 1 - 0.25, 1 - 0.05]])
def test_levels_find_their_partners_up_to_rounding(levels):
    """float32 does not hold 0.05 and 0.95 exactly: levels are the decimals that they stand for."""
    rows = I.from_quantiles(Y, TABLE, levels, sample_weight=WEIGHT)
    assert rows.nominal == 0.9
    assert rows.ucc(vary="level").area() == ROWS.ucc(vary="level").area()
    claimed = uc.adapters.from_xgboost(Y, TABLE, levels=levels, coverage=np.float32(0.9))
    assert claimed.nominal == 0.9
    score = uc.weighted_interval_score(Y, TABLE, levels)
    assert score == uc.weighted_interval_score(Y, TABLE, LEVELS)


def test_another_unit_keeps_the_quantiles():
    """Areas take the unit, gains and miss rates stay."""
    other = ROWS.standardized()
    deviation = np.sqrt(np.cov(Y, aweights=WEIGHT, ddof=0))
    level, same = ROWS.ucc(vary="level"), other.ucc(vary="level")
    assert same.area() == pytest.approx(level.area() / deviation, rel=1e-12)
    assert same.gain() == pytest.approx(level.gain(), rel=1e-9)
    assert np.allclose(same.parameter, level.parameter, rtol=1e-9)
    assert other.nominal == ROWS.nominal


def test_the_number_of_levels_is_shown():
    """Only where there is a choice: one pair is what the bandwidth says."""
    assert repr(ROWS).endswith("asymmetric, levels=2, weighted)")
    assert "levels" not in repr(I.from_quantiles(Y, TABLE[:, :2], (0.1, 0.9)))
    assert "levels" not in repr(ROWS.scaled(2))
