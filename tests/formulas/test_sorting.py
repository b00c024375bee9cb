"""Columns in rising order, with that order: the same as a plain sort finds."""

from __future__ import annotations

import array_api_compat.numpy as xp
import array_api_strict
import numpy as np
import pytest

from uccurve.formulas.steps import sort_with_order

MANY = 32_771
"""Enough to be sorted by keys, and more than two blocks of them."""


def columns(n):
    """Numbers of all kinds: dense, tied, tiny, huge, infinite, zero, negative, already sorted, all equal."""
    rng = np.random.default_rng(n)
    close = 1 + rng.integers(0, 1 << 20, size=n) * 2.0**-52
    return {
        "dense": rng.random(n),
        "wide": rng.lognormal(sigma=60, size=n),
        "tied": rng.integers(0, 9, size=n) / 4,
        "close": close,
        "closest": 1 + rng.permutation(n) * 2.0**-52,
        "close and far": np.where(rng.random(n) < 0.01, close, 10.0 ** rng.uniform(-300, 300, size=n)),
        "close and zero": np.where(rng.random(n) < 0.5, 0.0, close),
        "denormal": rng.integers(0, 1 << 30, size=n) * 5e-324,
        "infinite": np.where(rng.random(n) < 0.1, np.inf, rng.random(n)),
        "negative": rng.normal(size=n),
        "negative zero": np.where(rng.random(n) < 0.5, -0.0, rng.random(n)),
        "sorted": np.sort(rng.random(n)),
        "falling": np.sort(rng.random(n))[::-1],
        "equal": np.full(n, 0.7),
    }


@pytest.mark.parametrize("n", [0, 1, 3, 4096, MANY])
@pytest.mark.parametrize("name", columns(1))
def test_the_order_is_that_of_the_numbers(n, name):
    """Every number occurs once, none before a smaller one."""
    column = columns(n)[name]
    before = column.copy()
    ordered, order = sort_with_order(xp, column, -7.0)
    assert ordered[0] == -7
    assert np.array_equal(ordered[1:], np.sort(column))
    assert np.array_equal(ordered[1:], column[order])
    assert np.array_equal(np.sort(order), np.arange(n))
    assert np.array_equal(column, before)


@pytest.mark.parametrize("n", [3, MANY])
def test_other_arrays_are_sorted_alike(n):
    """The plain way, which arrays of other kinds take."""
    column = columns(n)["dense"]
    given = array_api_strict.asarray(column)
    ordered, order = sort_with_order(array_api_strict, given, 0.0)
    assert type(ordered) is type(order) is type(given)
    expected, expected_order = sort_with_order(xp, column, 0.0)
    assert np.array_equal(np.asarray(ordered), expected)
    assert np.array_equal(np.asarray(order), expected_order)
