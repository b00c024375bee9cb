"""A curve at fixed miss rates, with the sums from which every partial area between them follows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base.arrays import to_numpy
from uccurve.curve import areas
from uccurve.formulas.steps import first_at_most, first_below
from uccurve.formulas.tolerances import ROUNDING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from uccurve._base.type_aliases import X, Y
    from uccurve.curve import Curve, CurveData

RATES = np.concatenate([np.arange(100) / 1000, np.arange(20, 201) / 200])
"""Miss rates from 0 to 1: in steps of 0.1% up to 10%, of 0.5% above."""
_STEPS, _PER_STEP = 200, 20
_SMALLEST_LOGIT, _LARGEST_LOGIT = -100.0, 22.0
"""Where weights may be centered: beyond the latter, 1 - c would lose its digits."""
COSTS = ("miss_rate", "bandwidth", "excess", "deficit")
PAIRS: tuple[tuple[X, Y], ...] = (
    ("bandwidth", "miss_rate"),
    ("bandwidth", "deficit"),
    ("excess", "miss_rate"),
    ("excess", "deficit"),
)


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Partials:
    """Sums along the curve up to where a range of miss rates begins and ends, in units of the mean error.

    For a range from ``rates[i]`` up to ``rates[j]`` the strip area is ``strip_end[i] - strip_begin[j]``,
    and the mean x is ``(mean_begin[j] - mean_end[i]) / (height_begin[j] - height_end[i])``.
    """

    strip_begin: np.ndarray
    strip_end: np.ndarray
    mean_begin: np.ndarray
    mean_end: np.ndarray
    height_begin: np.ndarray
    height_end: np.ndarray


def weights(size: float = 1.0) -> np.ndarray:
    """Return weights c of a cost, even in the logarithm of c / (1 - c), to three digits of the smaller part.

    They are centered where a cost x of the given size weighs as much as one of 1: costs have units.
    """
    center = min(max(-math.log(size), _SMALLEST_LOGIT), _LARGEST_LOGIT) if size > 0 else 0.0
    logits = (center + step / _PER_STEP for step in range(-_STEPS, _STEPS + 1))
    return np.array([_weight(logit) for logit in logits])


def _weight(logit: float) -> float:
    small = float(f"{1 / (1 + math.exp(abs(logit))):.3g}")
    return 1 - small if logit > 0 else small


def points(curve: Curve, rates: np.ndarray = RATES) -> dict[str, np.ndarray]:
    """Return parameter and costs at each rate, as `UCC.at` finds them; NaN below the curve's floor."""
    data = curve.data
    begin, _ = _places(data, rates)
    columns = {name: to_numpy(getattr(curve, name)) for name in ("parameter", *COSTS)}
    return {name: _take(values, begin) for name, values in columns.items()}


def frontier(curve: Curve, rates: np.ndarray = RATES) -> dict[str, np.ndarray]:
    """Return the limit line of symmetric bands at each rate."""
    line = curve.frontier
    columns = {name: to_numpy(getattr(line, name)) for name in ("miss_rate", "bandwidth", "deficit")}
    begin = first_at_most(np, columns["miss_rate"], rates + ROUNDING)
    return {name: _take(values, begin) for name, values in columns.items()}


def partials(curve: Curve, x: X, y: Y, rates: np.ndarray = RATES) -> Partials:
    """Sum along the curve, in one pass for all rates."""
    data = curve.data
    unit = data.summary.error or 1.0
    sums = _steps if y == "miss_rate" else _lines
    with np.errstate(over="ignore", invalid="ignore"):
        return sums(data, x, unit, rates)


def cheapest(curve: Curve, x: X, y: Y, asked: Iterable[tuple[np.ndarray, float]]) -> dict[str, np.ndarray]:
    """Return the points that are the cheapest for one of the weights asked for, by rising parameter.

    Parameters
    ----------
    curve : UCC
        The curve.
    x, y : str
        The two costs.
    asked : iterable of (weights, factor)
        Weights c, and what x, and a deficit, are multiplied by to be in the unit these are for.
    """
    data = curve.data
    unit = data.summary.error or 1.0
    parameter, xs, ys = (to_numpy(column) for column in areas.cost_candidates(data, x, y))
    xs, ys, per_unit = (xs / unit, ys / unit, 1.0) if y == "deficit" else (xs / unit, ys, unit)
    corners = lower_hull(np, xs, ys)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        slopes = np.diff(ys[corners]) / np.diff(
            xs[corners]
        )  # rising: those below -c/(1 - c) are worth taking
        odds = [c / (1 - c) * (1.0 if y == "deficit" else per_unit * factor) for c, factor in asked]
    wanted = np.concatenate(odds)
    kept = corners[np.unique(np.searchsorted(slopes, -wanted))]
    if parameter.size == curve.parameter.shape[0]:
        return {name: to_numpy(getattr(curve, name))[kept] for name in ("parameter", *COSTS)}
    chosen = parameter[kept]
    place = np.searchsorted(to_numpy(curve.parameter), chosen, side="right") - 1
    lines = {name: to_numpy(data.at_knots(name))[kept] for name in ("bandwidth", "excess", "deficit")}
    return {"parameter": chosen, "miss_rate": to_numpy(curve.miss_rate)[place], **lines}


def coverage_at(curve: Curve, parameter: np.ndarray) -> np.ndarray:
    """Return the share of the weight captured at given parameters, NaN where one is NaN."""
    place = np.searchsorted(to_numpy(curve.parameter), parameter, side="right") - 1
    return np.where(np.isnan(parameter), np.nan, to_numpy(curve.coverage)[np.maximum(place, 0)])


def _places(data: CurveData, rates: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return where a range begins at the top, and ends at the bottom, for each rate at that end."""
    rate, rounding = to_numpy(data.steps.miss_rate), data.slack
    return first_at_most(np, rate, rates + rounding), first_below(np, rate, rates - rounding)


def _take(values: np.ndarray, place: np.ndarray) -> np.ndarray:
    """Take values, NaN where the place lies behind the end."""
    return np.where(place < values.size, values[np.minimum(place, values.size - 1)], np.nan)


def _ends(total: np.ndarray, end: np.ndarray, data: CurveData) -> np.ndarray:
    """Take sums where ranges end: at the curve's own end if nothing is missed there."""
    return _take(total, end) if data.floor > 0 else total[np.minimum(end, total.size - 1)]


def _steps(data: CurveData, x: X, unit: float, rates: np.ndarray) -> Partials:
    jumps, rate = (to_numpy(column) for column in data.jumps(x))
    jumps, at = jumps / unit, to_numpy(data.at_points(x)) / unit  # a sketch's rows jump before its points
    begin, end = _places(data, rates)
    strip = np.concatenate([[0.0], np.cumsum(rate[:-1] * np.diff(jumps))]) + rate * (at - jumps)
    # ∫ x over the miss rates from the floor up to the steps' heights, then on to the rate itself.
    above = np.concatenate([[1.0], rate[:-1]])
    whole = np.cumsum((jumps * (above - rate))[::-1])[::-1] - jumps * (above - rate)
    mean = _take(whole, begin) + _take(jumps, begin) * (rates - _take(rate, begin))
    return Partials(
        strip_begin=_take(strip, begin),
        strip_end=_ends(strip, end, data),
        mean_begin=mean,
        mean_end=mean,
        height_begin=rates,
        height_end=rates,
    )


def _lines(data: CurveData, x: X, unit: float, rates: np.ndarray) -> Partials:
    xs, ys = to_numpy(data.at_knots(x)) / unit, to_numpy(data.lines.deficit) / unit
    knots = to_numpy(data.lines.knots)
    of_point = np.searchsorted(knots, to_numpy(data.steps.parameter), side="right") - 1
    begin, end = (_take(of_point, place) for place in _places(data, rates))
    begin, end = (np.where(np.isnan(place), knots.size, place).astype(int) for place in (begin, end))
    strip = _trapezoids(ys, xs)
    mean = -_trapezoids(xs, ys)
    mean = mean[-1] - mean
    return Partials(
        strip_begin=_take(strip, begin),
        strip_end=_ends(strip, end, data),
        mean_begin=_take(mean, begin),
        mean_end=_ends(mean, end, data),
        height_begin=_take(ys, begin),
        height_end=_ends(ys, end, data),
    )


def _trapezoids(across: np.ndarray, along: np.ndarray) -> Any:
    """Integrate along the line, up to each of its points."""
    return np.concatenate([[0.0], np.cumsum((across[1:] + across[:-1]) * np.diff(along)) / 2])


def lower_hull(xp: Any, x: Any, y: Any) -> Any:
    """Return the places of the lower hull of points that go right and down, by rising x.

    A point on or above the line between two others is never the only cheapest one. Neighbors are
    tried all at once until none is left out; what remains after that is convex. Of points that
    coincide, the first stays.
    """
    first = xp.ones_like(x[:1], dtype=xp.bool)
    kept = xp.nonzero(xp.concat([first, (x[1:] != x[:-1]) | (y[1:] != y[:-1])]))[0]
    while kept.shape[0] > 2:  # noqa: PLR2004
        left, middle, right = kept[:-2], kept[1:-1], kept[2:]
        rise = (y[middle] - y[left]) * (x[right] - x[left])
        line = (y[right] - y[left]) * (x[middle] - x[left])
        below = rise < line
        if bool(xp.all(below)):
            break
        ends = xp.ones_like(below[:1])
        kept = kept[xp.concat([ends, below, ends])]
    return kept
