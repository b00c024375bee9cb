"""Weighted means of numbers whose products leave float64, at either end."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from uccurve._base import arguments

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def wide_mean(blocks: Sequence[tuple[np.ndarray, np.ndarray]]) -> float:
    """Return the mean of values, in blocks of values and weights.

    Every number is a part between 1/2 and 1 and a power of two. Parts are multiplied and powers added, and
    products are added up in units of the largest one.
    """
    if not all(bool(np.isfinite(values[weights > 0]).all()) for values, weights in blocks):
        raise arguments.overflow()
    size, exponent = _sum(_products(values[weights > 0], weights[weights > 0]) for values, weights in blocks)
    total, unit = _sum(np.frexp(weights) for _, weights in blocks)
    try:
        return math.ldexp(size / total, exponent - unit)
    except OverflowError as error:
        raise arguments.overflow() from error


def _products(values: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Multiply parts, and add powers."""
    (value, power), (weight, more) = np.frexp(values), np.frexp(weights)
    return value * weight, power + more


def _sum(blocks: Iterable[tuple[np.ndarray, np.ndarray]]) -> tuple[float, int]:
    """Add up numbers that are given as parts and powers of two; return the sum in the same way."""
    counted = [(parts[parts != 0], powers[parts != 0]) for parts, powers in blocks]
    top = max((int(powers.max()) for _, powers in counted if powers.size), default=0)
    sums = [float(np.sum(np.ldexp(parts, powers - top))) for parts, powers in counted]
    return math.fsum(sums), top
