"""The two quadrature rules UQ360 borrows from SciPy, on bare arrays."""

from __future__ import annotations

import numpy as np


def trapezoids(y: np.ndarray, x: np.ndarray) -> float:
    r"""Return :math:`\sum_i \tfrac12 (y_i + y_{i+1})(x_{i+1} - x_i)`."""
    return float(np.sum(np.diff(x) * (y[1:] + y[:-1]) / 2))


def simpson(y: np.ndarray, x: np.ndarray) -> float:
    """Return Simpson's rule for unequal steps, as SciPy has it since version 1.11.

    Parabolas run through three points each. An even number of points leaves one interval, to which the
    parabola of the last three points is extended (Cartwright 2017, equation 8).
    """
    if x.size == 2:  # noqa: PLR2004 - one interval
        return trapezoids(y, x)
    steps = np.diff(x)
    whole = x.size - 1 - (x.size - 1) % 2
    first, second = steps[:whole:2], steps[1:whole:2]
    both = first + second
    ratio = _share(first, second)
    terms = (
        both
        / 6
        * (
            y[: whole - 1 : 2] * (2 - _share(np.ones_like(ratio), ratio))
            + y[1:whole:2] * (both * _share(both, first * second))
            + y[2 : whole + 1 : 2] * (2 - ratio)
        )
    )
    result = float(np.sum(terms))
    return result if whole == x.size - 1 else result + _last_interval(y[-3:], steps[-2:])


def _last_interval(y: np.ndarray, steps: np.ndarray) -> float:
    before, last = steps[:1], steps[1:]
    alpha = _share(2 * last**2 + 3 * before * last, 6 * (last + before))
    beta = _share(last**2 + 3 * before * last, 6 * before)
    eta = _share(last**3, 6 * before * (before + last))
    return float((alpha * y[2] + beta * y[1] - eta * y[0])[0])


def _share(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """Divide, with 0 where there is nothing to divide by."""
    return np.asarray(np.divide(part, whole, out=np.zeros_like(whole), where=whole != 0))
