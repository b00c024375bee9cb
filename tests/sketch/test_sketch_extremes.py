"""Sketches of weights and units far from 1."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import uccurve as uc
from errors import raises
from uccurve.exceptions import ArgumentError

AXES = [(x, y) for x in ("bandwidth", "excess") for y in ("miss_rate", "deficit")]


@pytest.mark.parametrize("exponent", [99, -101, 250, -250])
def test_weights_of_any_size_add(exponent):
    """Intervals keep weights moderate; sketches once lost their size, so that 0.6 was 1.0."""
    size = 2.0**exponent
    heavy = uc.Intervals.from_bands([2, 0.5], [0, 0], 1.0, sample_weight=[4 * size] * 2)
    light = uc.Intervals.from_bands([2, 2], [0, 0], 1.0, sample_weight=[size] * 2)
    whole = uc.Intervals.from_bands(
        [2, 0.5, 2, 2], [0] * 4, 1.0, sample_weight=[4 * size, 4 * size, size, size]
    )
    found = heavy.sketch() + light.sketch()
    assert found.curve().original.miss_rate == pytest.approx(0.6)
    assert found.curve().miss_rate.tolist() == pytest.approx([1.0, 0.6, 0.0])
    assert found == whole.sketch()
    assert found == heavy[:1].sketch() + heavy.scaled(1.0)[1:].sketch() + light.sketch()
    assert found.curve()._data.effective_rows == pytest.approx(100 / 34)


def test_weights_beyond_all_sums_are_refused():
    """One error that names the limit; the exact curve only needs their ratios."""
    rows = uc.Intervals.from_bands([2, 0.5], [0, 0], 1.0, sample_weight=[1e200, 1e200])
    with raises(ArgumentError, "sample_weight"):
        rows.sketch()
    assert rows.ucc().original.miss_rate == 0.5


@pytest.mark.parametrize("unit", [2.0**515, 1e200, 1e300, 2.0**-540, 1e-200, 1e-290])
def test_units_far_from_1_change_no_gain(unit):
    """Squares of residuals beyond 1e154 or below 1e-162 once gave a false or a raw error."""
    y, bands = np.array([1.0, 2.0, -3.0, 4.0]), np.array([1.0, 1.0, 2.0, 4.0])
    uppers = np.array([2.0, 1.0, 1.0, 8.0])
    rows = uc.Intervals.from_bands(y * unit, 0 * y, bands * unit, uppers * unit)
    tame = uc.Intervals.from_bands(y, 0 * y, bands, uppers).sketch().curve()
    parts = rows.by([0, 1, 0, 1]).values()
    sketch = sum((part.sketch() for part in parts), uc.UCCSketch())
    assert sketch == rows.sketch() == uc.UCCSketch.from_bytes(sketch.to_bytes())
    for curve in (sketch.curve(), uc.UCCSketch.from_bytes(sketch.to_bytes()).curve()):
        for x, vertical in AXES:
            assert curve.gain(x=x, y=vertical) == pytest.approx(tame.gain(x=x, y=vertical), rel=1e-9)
            assert curve.ceiling(x=x, y=vertical) == pytest.approx(tame.ceiling(x=x, y=vertical), rel=1e-9)
        assert curve.gain(miss_rate=(0.25, 0.75)) == pytest.approx(
            tame.gain(miss_rate=(0.25, 0.75)), rel=1e-9
        )


def test_rows_of_different_units_add():
    """Whatever the order: the coarser unit wins, and exact predictions have none."""
    sizes = [1e-200, 1.0, 1e200, 0.0]
    rows = [uc.Intervals.from_bands([2 * s, s], [0, 0], s or 1.0) for s in sizes]
    whole = uc.Intervals.from_bands(
        [n * s for s in sizes for n in (2, 1)], [0] * 8, [s or 1.0 for s in sizes for _ in range(2)]
    )
    sketches = [part.sketch() for part in rows]
    assert sum(sketches) == sum(reversed(sketches)) == whole.sketch()
    tiny = sketches[0] + sketches[3]
    wanted = uc.Intervals.from_bands([2e-200, 1e-200, 0, 0], [0] * 4, [1e-200, 1e-200, 1.0, 1.0])
    assert tiny.curve().ceiling(y="deficit") == pytest.approx(wanted.ucc().ceiling(y="deficit"), rel=1e-9)


@pytest.mark.parametrize("unit", [1e200, 1e-200])
def test_scans_keep_squares_of_any_size(unit):
    """As sketches of rows do."""
    pl = pytest.importorskip("polars")
    y, bands = np.array([1.0, 2.0, -3.0, 4.0]) * unit, np.array([1.0, 1.0, 2.0, 4.0]) * unit
    frame = pl.DataFrame({"y": y, "p": 0 * y, "s": bands})
    found = uc.scan(frame, {"m": uc.Columns(y_true="y", y_pred="p", std="s")})["m"]
    wanted = uc.Intervals.from_std(y, 0 * y, bands).sketch()
    assert found == wanted
    assert found.curve().gain(y="deficit") == pytest.approx(0.1)


def test_squares_that_old_sketches_lost_are_refused():
    """Infinite or zero in version 1, whose unit is 1."""
    sketch = uc.Intervals.from_bands([1e10, 2e10], [0, 0], [1e10, 3e10]).sketch()
    for square in (math.inf, 0.0):
        state = sketch._state._replace(totals=replace(sketch._state.totals, square=square))
        curve = uc.UCCSketch(state).curve()
        for question in (curve.gain, curve.ceiling):
            with pytest.raises(uc.exceptions.UnitOverflowError):
                question(y="deficit")
        assert curve.gain() == sketch.curve().gain()


def test_outputs_whose_units_lie_350_orders_apart_have_a_gain():
    """Scales 2 and 1, against 8/3 and 2/3 of the constant bands."""
    sketch = uc.Intervals.from_bands(
        [[-4e200, 1e-150]], [[0.0, 0.0]], [[2e200, 2e-150]], [[1e200, 1e-150]]
    ).sketch()
    assert sketch.curve().gain() == pytest.approx(0.1)


@pytest.mark.parametrize(("unit", "weight"), [(1e290, 1e50), (1e-290, 1e-50)])
def test_products_with_weights_that_leave_float64_are_refused(unit, weight):
    """Too large, or too small to keep their digits."""
    rows = uc.Intervals.from_bands([2 * unit], [0.0], [unit], sample_weight=[weight])
    with pytest.raises(uc.exceptions.UnitOverflowError):
        rows.sketch()
