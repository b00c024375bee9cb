"""Where curves swap order: what is rounding makes no swap. The oracle of the curve tells the others."""

from __future__ import annotations

import numpy as np
import pytest

from uccurve.formulas.crossings import crossings, trace


def test_rounding_of_heights_and_of_x_makes_no_swap():
    """Heights that are sums of weights differ in the last digits; x, relative to what is typical."""
    x, y = np.array([0.0, 1.0, 2.0, 3.0]), np.array([1.0, 0.75, 0.5, 0.25])
    noise = 1 + 2.0**-45 * np.array([0, 1, -1, 1])
    other = np.array([0.0, 1.5, 1.5, 3.5])  # worse, better, worse
    plain = crossings(*(trace(c, y, steps=True) for c in (x, other)))
    noisy = crossings(trace(x, y, steps=True, exact=False), trace(other, y * noise, steps=True, exact=False))
    assert [column.tolist() for column in noisy] == [column.tolist() for column in plain]
    assert plain[2].tolist() == [-1, 1]
    near = x + 1e-13 * np.array([1, -1, 1, -1])
    none = crossings(trace(x, y, steps=True), trace(near, y, steps=True))
    assert [column.size for column in none] == [0, 0, 0]
    apart = x + 1e-10 * np.array([1, -1, 1, -1])
    assert crossings(trace(x, y, steps=True), trace(apart, y, steps=True))[0].size == 3
    kept = trace(x, y + 2.0**-30, steps=True, exact=False).y  # heights further apart stay so
    assert kept.tolist() == (y + 2.0**-30)[::-1].tolist()
    assert trace(x, y * noise, steps=True).y.tolist() == (y * noise)[::-1].tolist()


@pytest.mark.parametrize("swapped", [False, True])
def test_rounding_is_relative_to_what_is_typical_and_to_what_is_there(swapped):
    """A difference of 1e-11 counts beside numbers of 1, and not beside 1000 in either curve; at 1000 even less."""

    def swaps(a, b):
        y = 1 - np.arange(1.0, len(a) + 1) / (len(a) + 1)
        pair = (b, a) if swapped else (a, b)
        return crossings(*(trace(np.array(x), y, steps=True) for x in pair))[0].size

    tiny = 1e-11
    assert swaps([0.0, 2 * tiny, 1.0], [tiny, tiny, tiny]) == 1
    assert swaps([0.0, 2 * tiny, 1e3], [tiny, tiny, tiny]) == 0
    assert swaps([0.0, 2 * tiny, 1e3], [tiny, tiny, 1e3]) == 0
    zeros = [0.0] * 9_999
    assert swaps([0.0, *zeros, 1e3 + 5e-10], [*zeros, 1.0, 1e3]) == 0
    assert swaps([0.0, *zeros, 1e3 + 5e-8], [*zeros, 1.0, 1e3]) == 1
