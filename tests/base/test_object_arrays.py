"""Arrays of Python objects: numbers are taken, whatever else NumPy would turn into numbers is refused."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import uccurve as uc
from errors import raises
from uccurve.exceptions import NotNumericError

HOUR = np.datetime64("2026-01-01T00")
NOT_NUMBERS = [HOUR, HOUR - HOUR, np.bool_(1), True, np.complex128(1 + 2j), np.complex64(1), 1j, "1", b"1"]


@pytest.mark.parametrize("value", NOT_NUMBERS, ids=lambda value: f"{type(value).__name__}")
@pytest.mark.parametrize("kind", [np.asarray, np.ma.asarray])
def test_an_object_that_is_no_number_is_refused(value, kind):
    """NumPy makes a year of 56 or a real part of it without a word."""
    values = kind(np.array([1, value, 2.0], dtype=object))
    with raises(NotNumericError, "y_true"):
        uc.miss_rate(values, [0.0, 0.0, 0.0], [3.0, 3.0, 3.0])


def test_objects_that_are_numbers_are_taken():
    """Exact ones and NumPy's too, and zero-dimensional arrays."""
    values = [1, 2.0, Decimal(9), Fraction(1, 2), np.float32(1), np.int8(9), np.array(1.0)]
    array = np.empty(len(values), dtype=object)
    array[:] = values
    assert uc.miss_rate(array, np.zeros(7), np.full(7, 3.0)) == 2 / 7
