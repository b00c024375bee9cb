"""Where curves swap order, against a walk along both in fractions."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import pairwise

import numpy as np
import pytest

from uccurve.formulas.crossings import crossings, trace


def needed(points, y, *, steps, below):
    """The x of a curve at a height, or just below it; points are (y, x) by rising y, then falling x."""
    if steps:
        under = [x for height, x in points if (height < y if below else height <= y)]
        return under[-1] if under else points[0][1]
    at = [x for height, x in points if height == y]
    if at:
        return max(at) if below else min(at)
    for (y0, x0), (y1, x1) in pairwise(points):
        if y0 < y < y1:
            return x0 + (x1 - x0) * (y - y0) / (y1 - y0)
    return points[-1][1]


def plain_crossings(a, b, *, steps):
    """Look at the difference on both sides of each height, and remember the last one that was not 0."""
    floor = max(a[0][0], b[0][0])
    looked = [
        (y, *(needed(curve, y, steps=steps, below=below) for curve in (a, b)))
        for y in sorted({height for height, _ in [*a, *b] if height >= floor})
        for below in ((False,) if y == floor else (True, False))
    ]
    found, last = [], None
    for place, (y, x_a, x_b) in enumerate(looked):
        if x_a == x_b:
            continue
        if last is not None and (looked[last][1] > looked[last][2]) != (x_a > x_b):
            sign = 1 if looked[last][1] > looked[last][2] else -1
            if steps:
                found.append((y, max(x_a, x_b), sign))
            else:
                y0, a0, b0 = looked[last]
                y1, a1, b1 = looked[last + 1]
                share = (a0 - b0) / ((a0 - b0) - (a1 - b1))
                found.append((y0 + share * (y1 - y0), a0 + share * (a1 - a0), sign))
        last = place
    return found


def drawn(rng, n, *, steps):
    """A falling curve with ties of y, and of x where it is a line."""
    y = np.sort(rng.choice(np.arange(16), size=n, replace=not steps))[::-1] / 16
    x = np.sort(rng.integers(0, 12, size=n))
    return x.astype(float), y


@pytest.mark.parametrize("steps", [True, False])
@pytest.mark.parametrize("exact", [True, False])
def test_swaps_are_those_of_a_walk_along_both_curves(steps, exact):
    """Equal stretches, touching curves, flat and steep parts, different floors and tops, one to eight points."""
    rng = np.random.default_rng(0)
    some = 0
    for number in range(80):
        curves = [drawn(rng, rng.integers(1, 9), steps=steps) for _ in range(2)]
        plain = [
            list(zip(map(F, y[::-1].tolist()), map(F, x[::-1].tolist()), strict=True)) for x, y in curves
        ]
        expected = plain_crossings(*plain, steps=steps)
        traces = [trace(x, y, steps=steps, exact=exact) for x, y in curves]
        ys, xs, signs = (column.tolist() for column in crossings(*traces))
        assert signs == [sign for _, _, sign in expected], number
        assert ys == pytest.approx([float(y) for y, _, _ in expected], rel=1e-13)
        assert xs == pytest.approx([float(x) for _, x, _ in expected], rel=1e-13)
        some += len(expected)
    assert some > 25


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
