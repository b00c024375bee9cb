"""Sums of a sketch keep their digits, and are added up without BLAS."""

from __future__ import annotations

import math

import numpy as np
import pytest

import uccurve as uc
from uccurve._kernels.bins import Tally
from uccurve._kernels.rows import Rows
from uccurve.sketch import _summing
from uccurve.sketch._state import TABLES


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("unit", [1.0, 2.0**-300, 2.0**300])
def test_sums_of_products_are_exact_to_the_last_digits(weighted, unit):
    """Products are added in pairs within a chunk, however many rows there are."""
    rng = np.random.default_rng(0)
    error, band = rng.lognormal(size=(2, 200_000))
    weight = rng.uniform(0.5, 2, size=error.size) if weighted else np.ones(error.size)
    rows = uc.Intervals.from_bands(unit * error, 0 * error, unit * band, sample_weight=weight)
    expected = [
        math.fsum(weight * error * error) * unit**2,
        math.fsum(weight * error * (error / band)) * unit,
    ]
    totals = uc.UCCSketch.of(rows)._state.totals
    assert (totals.square, totals.moment) == pytest.approx(expected, rel=2e-15)


class Refusing(np.ndarray):
    """An array that no matrix product takes."""

    def __matmul__(self, other):
        raise AssertionError("a product of BLAS starts threads for every chunk")

    __rmatmul__ = __matmul__


def test_no_chunk_is_multiplied_by_blas():
    """Its threads would be waited for while another process has their core."""
    column = np.arange(4.0).view(Refusing)
    assert _summing.total(np, column, column) == 14
    tallies = {name: Tally(40, len(columns)) for name, columns in TABLES.items()}
    totals = _summing.add_rows(np, tallies, Rows(column, column + 1, None, column))
    assert totals.square == 36  # of the three rows with weight
