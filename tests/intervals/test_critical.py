"""Critical values: the smallest parameter that captures a row, against a loop over rows."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings

import uccurve as uc
from errors import raises
from strategies import cases


def naive(y, p, lower_band, upper_band, weight, vary):
    """The definition, one row at a time."""
    counted = [i for i in range(len(y)) if weight is None or weight[i] > 0]
    start = 0.0 if vary == "scale" else -max(max(lower_band[i], upper_band[i]) for i in counted)
    values = []
    for observed, predicted, lower, upper in zip(y, p, lower_band, upper_band, strict=True):
        error = abs(observed - predicted)
        band = upper if observed >= predicted else lower
        if error == 0:
            values.append(start)
        elif vary == "shift":
            values.append(error - band)
        else:
            values.append(error / band if band > 0 else math.inf)
    return values


@given(cases(zero_bands=True))
@settings(max_examples=200)
def test_critical_values_follow_their_definition(case):
    """Ties, zero bands, zero residuals, rows without weight; both families; in the order of the rows."""
    columns = (case.y, case.p, case.lower_band, case.upper_band, case.weight)
    critical = case.intervals().critical(vary=case.vary)
    assert critical.tolist() == naive(*columns, case.vary)


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
    assert critical.reshape(-1).tolist() == naive(*flat, np.repeat(weight, 3), vary)
    one = uc.Intervals.from_bands(y[:, :1], p[:, :1], lower[:, :1]).critical(vary=vary)
    assert one.shape == (30, 1)


def test_an_unknown_family_is_refused():
    """With the families there are."""
    with raises(uc.exceptions.ArgumentError, "vary"):
        uc.Intervals.from_bands([1], [0], 1).critical(vary="stretch")
