"""Single arguments: what is a number."""

from __future__ import annotations

import numpy as np
import pytest

import uccurve as uc
from errors import raises
from uccurve._base import arguments


@pytest.mark.parametrize("value", [1 + 0j, 2 + 1j, np.complex64(1), np.complex128(1 + 1j), np.array(1 + 0j)])
def test_complex_numbers_are_no_numbers(value):
    """NumPy would drop the imaginary part, with a warning."""
    with raises(uc.exceptions.ArgumentTypeError, "k"):
        uc.Intervals.from_std([1, 2], [0, 0], 1.0).scaled(value)


@pytest.mark.parametrize(("value", "has_hint"), [(90, True), (100, False), (-90, False), (1.5, True)])
def test_a_percentage_is_told_what_to_write(value, has_hint):
    """In one way wherever a share is passed; 100% is as often meant as it is impossible."""
    with raises(uc.exceptions.ArgumentError, "coverage") as caught:
        arguments.miss_rate_of(value, None)
    assert ("Write" in caught.value.hint) == has_hint


@pytest.mark.parametrize("value", [2, 2.0, np.float32(2), np.int8(2), np.array(2), np.array(2.0)])
def test_numbers_of_any_kind_are_numbers(value):
    """Scalars and arrays without axes."""
    assert arguments.as_float(value) == 2
