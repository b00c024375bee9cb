r"""Areas under the curve: closed forms that never sort, and exact integrals over a part of it."""

from __future__ import annotations

from typing import Any

from .rows import Rows, total

Array = Any


def miss_rate_sums(xp: Any, rows: Rows, k: Array, width: float) -> tuple[float, float]:
    r"""Return the sums of :math:`k` and :math:`k (a - c)`.

    With c the mean half width, the bandwidth-miss rate area is :math:`c\,\bar k`. The constant
    band's is the mean of :math:`|e| = k a`, so the second sum is what the bands gain on it: a
    covariance of k and a, and exactly zero for constant bands.
    """
    return total(xp, k, rows.weight), total(xp, k * (rows.active - width), rows.weight)


def deficit_sums(xp: Any, rows: Rows, k: Array, width: float, unit: float) -> tuple[float, float, float]:
    r"""Return the sums of :math:`|e| k`, :math:`|e| k (a - c)` and :math:`e^2`.

    The last two are divided by ``unit`` squared. The bandwidth-deficit area is
    :math:`\tfrac12 c\,\overline{|e| k}`, the constant band's
    :math:`\tfrac12\overline{e^2}`. The unit keeps squares of huge or tiny errors in range.
    """
    error = rows.abs_error / unit
    return (
        total(xp, rows.abs_error * k, rows.weight),
        total(xp, error * (k * ((rows.active - width) / unit)), rows.weight),
        total(xp, error * error, rows.weight),
    )


def ceiling_sums(xp: Any, rows: Rows, unit: float) -> tuple[float, float, float]:
    r"""Return the sums of :math:`\sqrt{|e|}` and :math:`e^2`, with e in the given unit, and of e = 0."""
    error = rows.abs_error / unit
    exact = xp.astype(rows.abs_error == 0, error.dtype)
    return tuple(total(xp, column, rows.weight) for column in (xp.sqrt(error), error * error, exact))  # type: ignore[return-value]


def strip_of_steps(xp: Any, x: Array, y: Array, x_low: float, x_high: float) -> float:
    """Area under the steps ``y`` where x lies in [x_low, x_high]; the last step runs to x_high."""
    x = xp.clip(xp.concat([x, xp.full_like(x[:1], x_high)]), x_low, x_high)
    return float(xp.sum(y * (x[1:] - x[:-1])))


def mean_of_steps(xp: Any, x: Array, y: Array, y_low: float, y_high: float) -> float:
    """Integral of x over y in [y_low, y_high], for steps that come down from y = 1."""
    y = xp.clip(xp.concat([xp.ones_like(y[:1]), y]), y_low, y_high)
    return float(xp.sum(x * (y[:-1] - y[1:])))


def trapezoids(
    xp: Any, across: Array, along: Array, low: tuple[float, float], high: tuple[float, float]
) -> float:
    """Integral of ``across`` along ``along`` for two monotone lines, cut at two points of the curve.

    ``low`` and ``high`` are the (across, along) coordinates where the part begins and ends, in
    the order of the arrays. Cutting both coordinates at those points cuts the segment there.
    """
    across, along = (
        xp.clip(
            xp.concat([xp.full_like(line[:1], first), line, xp.full_like(line[:1], last)]),
            min(first, last),
            max(first, last),
        )
        for line, first, last in zip((across, along), low, high, strict=True)
    )
    return float(xp.sum((along[1:] - along[:-1]) * (across[1:] + across[:-1]))) / 2
