r"""Areas under the curve: closed forms that never sort, and exact integrals over a part of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from .rows import Rows, total

if TYPE_CHECKING:
    from collections.abc import Sequence

Array = Any


class ClosedSums(NamedTuple):
    r"""Sums behind the closed forms on bandwidth; against the deficit each term is times :math:`|e|`.

    Attributes
    ----------
    own : float
        Of :math:`k`.
    saved : float
        Of :math:`k (a - c_j)`, what the bands gain on the constant band; exactly 0 for constant
        bands.
    constant : float
        Of :math:`|e|`, what the constant band needs.
    """

    own: float
    saved: float
    constant: float


class AreaSums(NamedTuple):
    """The same against the miss rate and against the deficit, with a constant band near the mean one."""

    width: float
    """The constant band."""
    miss_rate: ClosedSums
    deficit: ClosedSums


def sum_by_width(sums: Sequence[float], widths: Sequence[float]) -> float:
    r"""Add the sums of outputs, each in units of its constant band: :math:`\sum_j s_j / c_j`, up to a factor.

    The area of the constant bands is the mean of :math:`|e| / c_j` times their mean width. An output
    without width counts only where it has errors, and then its critical values are infinite. The factor is
    the smallest width.
    """
    unit = min((width for width in widths if width > 0), default=1.0)
    pairs = zip(sums, widths, strict=True)
    return sum((unit / width if width > 0 else 0.0) * number for number, width in pairs)


def closed_area(width: Any, own: Any, *, deficit: bool) -> Any:
    r"""Return the full area on the bandwidth axis, for bandwidths proportional to the parameter.

    With c the mean half-width, it is :math:`c\,\bar k` against the miss rate and
    :math:`\tfrac12 c\,\overline{|e| k}` against the deficit; ``own`` is the mean of :math:`k` or of
    :math:`|e| k`. The constant band is the case :math:`k = |e|, c = 1`.
    """
    return width * own / 2 if deficit else width * own


def closed_sums(xp: Any, rows: Rows, k: Array, width: float, *, deficit: bool) -> tuple[float, ...]:
    r"""Return `ClosedSums` over a block of rows with critical scales k and a constant band of ``width``.

    The constant band's area is the mean of :math:`|e| = k a`, so the second sum is the difference
    of two areas without a difference: a covariance of k and a.
    """
    error = rows.abs_error
    own, constant = (k * error, error * error) if deficit else (k, error)
    columns, weight = (own, own * (rows.active - width), constant), rows.weight
    return tuple(float(xp.sum(column if weight is None else column * weight)) for column in columns)


def ceiling_sums(xp: Any, rows: Rows) -> tuple[float, float, float]:
    r"""Return the sums of :math:`\sqrt{|e|}`, of :math:`e^2`, and of e = 0."""
    error, weight = rows.abs_error, rows.weight
    exact = xp.astype(error == 0, error.dtype)
    return total(xp, xp.sqrt(error), weight), total(xp, error * error, weight), total(xp, exact, weight)


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
