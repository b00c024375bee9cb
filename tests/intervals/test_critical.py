"""Critical values: the smallest parameter that captures a row, against exact fractions."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings

import uccurve as uc
from oracle import Oracle
from strategies import cases


def exact(columns, weight, vary):
    """The definition, for every row; those without weight do not move the start."""
    found = map(Oracle.of(*columns, weight, vary).critical, Oracle.of(*columns).rows)
    return [math.inf if value is None else float(value) for value in found]


@given(cases(zero_bands=True))
@settings(max_examples=200)
def test_critical_values_follow_their_definition(case):
    """Ties, zero bands, zero residuals, rows without weight; both families; in the order of the rows."""
    columns = case.y, case.p, case.lower_band, case.upper_band
    assert case.intervals().critical(vary=case.vary).tolist() == exact(columns, case.weight, case.vary)


@pytest.mark.parametrize(("vary", "symmetric"), [("scale", False), ("shift", True)])
def test_several_outputs_keep_their_shape(vary, symmetric):
    """(n, outputs) in, (n, outputs) out; the widest band of a shift is that of all outputs."""
    rng = np.random.default_rng(0)
    y, p = rng.integers(-4, 5, size=(2, 30, 3)).astype(float)
    lower, upper = rng.choice([0.0, 0.5, 1.0, 4.0], size=(2, 30, 3))
    upper = lower if symmetric else upper
    weight = rng.integers(0, 3, size=30).astype(float)
    intervals = uc.Intervals.from_bands(y, p, lower, None if symmetric else upper, sample_weight=weight)
    critical = intervals.critical(vary=vary)
    assert critical.shape == (30, 3)
    flat = [column.reshape(-1) for column in (y, p, lower, upper)]
    assert critical.reshape(-1).tolist() == exact(flat, np.repeat(weight, 3), vary)
    one = uc.Intervals.from_bands(y[:, :1], p[:, :1], lower[:, :1]).critical(vary=vary)
    assert one.shape == (30, 1)
