r"""Bands as functions of one parameter: what moves the operating point.

A *family* widens the intervals of all rows together as its parameter t grows. The bands facing the
observation, :math:`a(t)`, and facing away, :math:`p(t)`, are linear between knots and along a ray behind the
last one:

* ``scale``: :math:`a(t) = t\,a`, one knot at 0;
* ``shift``: :math:`a(t) = \max(a + t, 0)`, a knot at :math:`-a` and at :math:`-p`;
* ``level``: nested pairs of quantiles, with knots at the shares of their nominal coverages. Beyond 1 the
  outermost pair is multiplied by t, or nothing follows.

Each family says from which t on a row is captured (its *critical value*), how wide bands are at t, and where
the costs of rows bend. `lines` does the rest, and never asks which family it is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import areas
from .lines import Bends
from .rows import Rows, gather, select, total
from .tolerances import ROUNDING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

Array = Any

# No band is larger.
_LARGEST = 1.7e308


class OutputErrors(NamedTuple):
    r"""Means over the rows of one output: what ceilings need.

    Attributes
    ----------
    width : float
        Of the half-widths: the constant band.
    error : float
        Of :math:`|e|`.
    root : float
        Of :math:`\sqrt{|e|}`.
    square : float
        Of :math:`e^2`.
    exact : float
        Share of the rows with e = 0.
    """

    width: float
    error: float
    root: float
    square: float
    exact: float


# -- scale ------------------------------------------------------------------------------------------------


class Scale:
    r"""Multiply both bands of every row by one factor, :math:`k z` with :math:`k \ge 0`.

    Attributes
    ----------
    name : Any
        What ``vary`` calls the family.
    as_given : float
        The parameter of the intervals as supplied.
    lowest : float
        The smallest parameter that may be asked for.
    proportional : bool
        Whether the bandwidth is the parameter times that as supplied: areas then have closed
        forms.
    nested : bool
        Whether all nested pairs of the rows are needed, and not the outermost one only.
    in_units_of_y : bool
        Whether the parameter has the unit of y; otherwise it is a plain number.
    tails : str
        What follows behind the outermost pair: it is scaled, or there is nothing ("none").
    """

    name: Any = "scale"
    as_given = 1.0
    lowest = 0.0
    proportional = True
    nested = False
    in_units_of_y = False
    tails = "scale"

    def start(self, _widest: float) -> float:
        """Return the parameter at which every band is zero, given the widest single band."""
        return 0.0

    def critical(self, xp: Any, rows: Rows, start: float = 0.0) -> Array:  # noqa: ARG002 - for others
        """Return the smallest scale that captures a row, |e| / a: 0 where e = 0, infinite if only a = 0."""
        with np.errstate(divide="ignore", invalid="ignore"):
            k = rows.abs_error / rows.active
        if bool(xp.any(rows.active == 0)):
            k = xp.where(rows.abs_error == 0, xp.zeros_like(k), xp.abs(k))  # a band may be -0.0
        return k

    def bands(self, _xp: Any, band: Array, parameter: float | Array) -> Array:
        """Return bands of one side at a parameter."""
        return band * parameter

    def row_bands(self, xp: Any, rows: Rows, parameter: float) -> tuple[Array, Array]:
        """Return the bands facing the observation and facing away, at a parameter."""
        active = self.bands(xp, rows.active, parameter)
        return active, active if rows.passive is None else self.bands(xp, rows.passive, parameter)

    def bandwidth_line(self, summary: Any) -> tuple[list[float], list[float], float] | None:
        """Return the mean half-width as a line: knots, values there, and the slope behind.

        None where the summary of the rows does not tell it.
        """
        return [0.0], [0.0], summary.width

    def bandwidth(self, xp: Any, parameter: Array, summary: Any) -> Array | None:
        """Return the mean half-width at each parameter; None where the summary does not tell it."""
        line = self.bandwidth_line(summary)
        if line is None:
            return None
        knots, values, end_slope = line
        if len(knots) == 1:
            return parameter * end_slope
        slopes = [
            (after - value) / (end - begin)
            for (begin, end), (value, after) in zip(pairwise(knots), pairwise(values), strict=True)
        ]
        knots, before, behind, slopes = (
            xp.asarray(column, dtype=parameter.dtype, device=parameter.device)
            for column in (knots, values, [*values[1:], math.inf], [*slopes, end_slope])
        )
        place = xp.searchsorted(knots[1:], parameter, side="right")
        between = parameter - xp.take(knots, place)
        between *= xp.take(slopes, place)
        between += xp.take(before, place)
        limit = xp.take(behind, place)
        del place
        return xp.minimum(between, limit)  # rounding does not turn neighbors around

    def bends(self, xp: Any, rows: Rows, critical: Array, index: Array | None = None) -> Bends:
        r"""Return where excess and deficit bend; ``index`` numbers the rows, where knots are to name theirs.

        A missed row has the deficit :math:`|e| - k a`, a captured one the excess
        :math:`\min(k a - |e|,\ |e| + k p)`: slope a from its critical value on, and where a > p, slope p from
        :math:`k' = 2|e| / (a - p)` on.
        """
        lost, floor = 0.0, 0.0
        # A block without weight has no rows.
        if critical.shape[0] and not math.isfinite(float(xp.max(critical))):
            finite = xp.isfinite(critical)
            never = select(rows, ~finite)
            floor = total(xp, never.abs_error, never.weight)
            lost = total(xp, xp.ones_like(never.abs_error), never.weight)
            rows, critical = select(rows, finite), critical[finite]
            index = None if index is None else index[finite]
        slope = _weighted(rows.active, rows)
        found = Bends(critical, {"excess": slope}, int(critical.shape[0]), index, lost, floor)
        if rows.passive is None:
            return found
        drop = xp.clip(rows.active - rows.passive, min=0.0)
        (steeper,) = xp.nonzero(drop)
        switch = 2 * gather(xp, rows.abs_error, steeper) / gather(xp, drop, steeper)
        slope, pulse = (_weighted(column, rows) for column in (xp.minimum(rows.active, rows.passive), drop))
        taken_back = -gather(xp, pulse, steeper)
        changes = {
            "excess": xp.concat([slope, xp.zeros_like(taken_back)]),
            "pulse": xp.concat([pulse, taken_back]),
        }
        return found._replace(
            knots=xp.concat([critical, switch]),
            changes=changes,
            row=None if index is None else xp.concat([index, gather(xp, index, steeper)]),
        )

    def same_division(self, widths: Sequence[float], others: Sequence[float]) -> bool:
        """Whether constant bands of these widths, one for each output, have the same curve: equal shares."""
        (widest, other) = (max(widths) or 1.0, max(others) or 1.0)
        pairs = zip(widths, others, strict=True)
        return all(math.isclose(a / widest, b / other, rel_tol=ROUNDING, abs_tol=ROUNDING) for a, b in pairs)

    def ceiling(self, outputs: Sequence[OutputErrors], _constant_area: Callable[[], float], y: str) -> float:
        r"""Return :math:`1 - \sum_j (E\sqrt{|e_j|})^2 / c_j \div \sum_j E|e_j| / c_j`, by Cauchy-Schwarz.

        That is the largest gain of symmetric bands with the mean widths :math:`c_j`. On bandwidth and deficit
        the terms are :math:`(E|e_j|)^2` and :math:`E(e_j^2)`. ``constant_area`` returns the area of the
        constant band, for families that need it.
        """
        widths = [output.width for output in outputs]
        if any(output.width == 0 < output.error for output in outputs):
            if any(widths):
                return math.nan  # an output without bands is out of reach, whatever the others do
            widths = [1.0] * len(outputs)  # no bands at all: the constant band is 1 everywhere
        if y == "deficit":
            terms = [(output.error**2, output.square) for output in outputs]
        else:
            terms = [(output.root**2, output.error) for output in outputs]
        least, needed = (areas.sum_by_width(list(column), widths) for column in zip(*terms, strict=True))
        return 1 - least / needed


def _weighted(column: Array, rows: Rows) -> Array:
    return column if rows.weight is None else column * rows.weight


# -- shift ------------------------------------------------------------------------------------------------


class Shift(Scale):
    r"""Add one amount to both bands of every row, down to zero at most: :math:`\max(z + s, 0)`."""

    name = "shift"
    as_given = 0.0
    lowest = -math.inf
    proportional = False
    in_units_of_y = True

    def start(self, widest: float) -> float:
        """Return the shift at which the widest band is zero."""
        return 0.0 - widest

    def critical(self, xp: Any, rows: Rows, start: float = 0.0) -> Array:
        """Return the smallest shift that captures a row: |e| - a; the start where e = 0."""
        error = rows.abs_error
        return xp.where(error == 0, xp.full_like(error, start), error - rows.active)

    def bands(self, xp: Any, band: Array, parameter: float | Array) -> Array:
        """Return bands of one side at a parameter."""
        return xp.maximum(band + parameter, xp.zeros_like(band))

    def bandwidth_line(self, _summary: Any) -> None:
        """Return nothing: the half-width bends at every row."""
        return

    def bends(self, xp: Any, rows: Rows, critical: Array, index: Array | None = None) -> Bends:
        r"""Return where half-width, excess and deficit bend.

        Each band opens at :math:`s = -z`. The deficit falls with slope 1 from there to the critical value.
        The excess rises with slope 1 from the critical value on; where :math:`a - p > 2|e|` the far bound is
        nearer from :math:`2|e| - a` on, and stays where it is until :math:`-p`. A row with e = 0 is captured
        at the start, and its excess rises from :math:`-a` on.
        """
        weight = xp.ones_like(rows.abs_error) if rows.weight is None else rows.weight
        if rows.weight is None and index is None:  # changes are multiples of 1/2: short numbers hold them
            weight = xp.ones_like(rows.abs_error, dtype=xp.float32)
        zero = xp.zeros_like(weight)
        missed = xp.where(rows.abs_error == 0, zero, weight)  # the weight of rows that are missed at first
        width = weight if rows.passive is None else weight / 2
        knots, row = [critical, -rows.active], [index, index]
        changes = {
            "bandwidth": [zero, width],
            "excess": [missed, weight - missed],
            "deficit": [missed, -missed],
        }
        if rows.passive is not None:
            turning = rows.active - rows.passive > 2 * rows.abs_error
            drop, none = weight[turning], zero[turning]
            knots += [-rows.passive, (2 * rows.abs_error - rows.active)[turning]]
            row += [index, None if index is None else index[turning]]
            changes["bandwidth"] += [width, none]
            changes["excess"] += [xp.where(turning, weight, zero), -drop]
            changes["deficit"] += [zero, none]
        return Bends(
            xp.concat(knots),
            {name: xp.concat(parts) for name, parts in changes.items()},
            int(critical.shape[0]),
            None if index is None else xp.concat(row),
        )

    def same_division(self, widths: Sequence[float], others: Sequence[float]) -> bool:
        """Compare how much wider the outputs are than the first one."""
        size = max(*widths, *others)
        pairs = zip(widths, others, strict=True)
        return all(abs((a - widths[0]) - (b - others[0])) <= ROUNDING * size for a, b in pairs)

    def ceiling(self, outputs: Sequence[OutputErrors], constant_area: Callable[[], float], y: str) -> float:
        r"""Compare the area of the constant band with the least area of any symmetric bands.

        Against the miss rate that is :math:`P(e \ne 0)\,E|e|`: for any two rows that need a band,
        :math:`(z_j - z_i + |e_i|)^+ + (z_i - z_j + |e_j|)^+ \ge |e_i| + |e_j|`. Bandwidth and deficit add up
        to :math:`E|e|` at least, which leaves :math:`\tfrac12 (E|e|)^2` against the deficit.
        """
        error = sum(output.error for output in outputs) / len(outputs)
        exact = sum(output.exact for output in outputs) / len(outputs)
        if len(outputs) == 1:  # then the constant band's areas are E|e| and half of E(e²)
            return 1 - error**2 / outputs[0].square if y == "deficit" else exact
        least = error**2 / 2 if y == "deficit" else (1 - exact) * error
        return 1 - least / constant_area()


# -- level ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Ladder:
    r"""Nested pairs of bounds of each row, from the innermost to the outermost.

    At the knots :math:`0 = \tau_0 < \tau_1 < … < \tau_K = 1`, the same in every row, the band of a row is
    :math:`0 = a_0 \le a_1 \le … \le a_K`.

    Attributes
    ----------
    knots : tuple[float, ...]
        The parameters of the pairs, rising; the last is 1.
    above : Array
        Whether the observation is above the center.
    lower : tuple[Array, ...]
        The lower bounds, one column for each knot.
    """

    xp: Any
    knots: tuple[float, ...]
    center: Array
    above: Array
    lower: tuple[Array, ...]
    upper: tuple[Array, ...]

    @cached_property
    def active(self) -> tuple[Array, ...]:
        """The bands facing the observation, one column for each knot."""
        return self._bands(facing=True)

    @cached_property
    def passive(self) -> tuple[Array, ...]:
        """The bands facing away."""
        return self._bands(facing=False)

    def _bands(self, *, facing: bool) -> tuple[Array, ...]:
        # Products with 0 and 1 are exact, and quicker than a choice that no processor can foresee.
        above = self.xp.astype(self.above, self.center.dtype)
        up, down = (above, 1 - above) if facing else (1 - above, above)
        pairs = zip(self.lower, self.upper, strict=True)
        return tuple((high - self.center) * up + (self.center - low) * down for low, high in pairs)

    def select(self, rows: Any) -> Ladder:
        """Keep the rows of a mask or a slice."""
        lower, upper = (tuple(column[rows] for column in side) for side in (self.lower, self.upper))
        return Ladder(self.xp, self.knots, self.center[rows], self.above[rows], lower, upper)


def band_at(
    xp: Any, knots: tuple[float, ...], bands: tuple[Array, ...], parameter: float, *, tails: bool
) -> Array:
    """Return one side's nested bands at a parameter; the last knot need not be 1."""
    if parameter >= knots[-1]:
        return bands[-1] * (parameter / knots[-1]) if tails else bands[-1]
    below, begin = xp.zeros_like(bands[0]), 0.0
    for end, band in zip(knots, bands, strict=True):
        if parameter <= end:
            share = (parameter - begin) / (end - begin)
            return band if share == 1 else below + (band - below) * share
        below, begin = band, end
    return bands[-1]


def band_at_each(xp: Any, knots: tuple[float, ...], bands: tuple[Array, ...], parameter: Array) -> Array:
    """Return one side's nested bands at a finite parameter of each row, scaled beyond the outermost pair."""
    found = bands[-1] * parameter
    below, begin = xp.zeros_like(bands[0]), 0.0
    for end, band in zip(knots, bands, strict=True):
        between = below + (band - below) * ((parameter - begin) / (end - begin))
        inside = (parameter >= begin) & (parameter <= end)
        found = xp.where(inside, xp.where(parameter == end, band, between), found)
        below, begin = band, end
    return found


def segments(
    knots: tuple[float, ...], bands: tuple[Array, ...], *, tails: bool
) -> Iterator[tuple[float, float, Array]]:
    """Yield where each segment of one side's bands begins and ends, and its slope; the last has no end."""
    begin, below = 0.0, bands[0] * 0.0
    for end, band in zip(knots, bands, strict=True):
        yield begin, end, (band - below) / (end - begin)
        begin, below = end, band
    yield begin, math.inf, below if tails else below * 0.0


@dataclass(frozen=True)
class Level(Scale):
    r"""Move along nested pairs of quantiles, all rows to the same nominal coverage.

    The parameter t is the nominal coverage as a share of that of the outermost pair: 1 is "as supplied".
    Bounds are linear between the levels of pairs, and at 0 they meet in the center, the median or the
    midpoint of the innermost pair. Beyond 1 the outermost pair is multiplied by t around the center, or,
    without tails, stays as it is. One pair alone is scaled.
    """

    tails: str = "scale"
    name = "level"
    proportional = False
    nested = True

    @property
    def _has_tails(self) -> bool:
        return self.tails == "scale"

    def critical(self, xp: Any, rows: Rows, start: float = 0.0) -> Array:  # noqa: ARG002 - for others
        """Return the smallest share of the largest nominal coverage that captures a row; beyond 1, its scale.

        0 where the error is 0; infinite where no parameter captures the row.
        """
        if rows.ladder is None:
            return super().critical(xp, rows)
        abs_error, bands, knots = rows.abs_error, rows.ladder.active, rows.ladder.knots
        outermost = bands[-1]
        low, high = xp.zeros_like(abs_error), outermost
        begin, end = low, xp.full_like(low, knots[-1])
        for knot, band in zip(knots[:-1], bands[:-1], strict=True):
            passed = xp.astype(abs_error > band, abs_error.dtype)  # 1 where the band is left behind
            low, begin = xp.maximum(low, band * passed), xp.maximum(begin, knot * passed)
            high = xp.minimum(high, xp.maximum(band, _LARGEST * passed))
            end = xp.minimum(end, xp.maximum(xp.full_like(passed, knot), 2 * passed))
        with np.errstate(divide="ignore", invalid="ignore"):
            found = xp.minimum(begin + (end - begin) * ((abs_error - low) / (high - low)), end)
            # A bound that touches the observation is reached at its own knot, exactly.
            found = xp.where(abs_error == high, end, found)
            scaled = abs_error / outermost if self._has_tails else xp.full_like(abs_error, np.inf)
        found = xp.where(abs_error > outermost, scaled, found)
        return xp.where(abs_error == 0, xp.zeros_like(found), found)

    def row_bands(self, xp: Any, rows: Rows, parameter: float) -> tuple[Array, Array]:
        """Return the bands of both sides at a parameter."""
        if rows.ladder is None:
            return super().row_bands(xp, rows, parameter)
        active, passive = (
            band_at(xp, rows.ladder.knots, side, parameter, tails=self._has_tails)
            for side in (rows.ladder.active, rows.ladder.passive)
        )
        return active, passive

    def bandwidth_line(self, summary: Any) -> tuple[list[float], list[float], float]:
        """Return the bandwidths of the pairs; of one pair, the line of its scale."""
        if not summary.ladder:
            return [0.0], [0.0], summary.width
        knots, widths = zip(*summary.ladder, strict=True)
        return [0.0, *knots], [0.0, *widths], summary.width if self._has_tails else 0.0

    def bends(self, xp: Any, rows: Rows, critical: Array, index: Array | None = None) -> Bends:
        r"""Return where excess and deficit bend.

        With A and P the bands facing the observation and facing away, a row has the deficit
        :math:`(|e| - A(t))^+` and the excess :math:`(A(t) - |e|)^+ - (A(t) - P(t) - 2|e|)^+`: the second term
        is how much nearer the far bound is, where it is. They bend at the critical value, at the knots that
        all rows share, and where the nearer bound changes, at most once in each segment.
        """
        if rows.ladder is None:
            return super().bends(xp, rows, critical, index)
        return _ladder_bends(xp, rows, critical, index, tails=self._has_tails)

    def ceiling(self, outputs: Sequence[OutputErrors], constant_area: Callable[[], float], _y: str) -> float:
        r"""Compare the area of the constant band with the least area of any nested intervals.

        Against the deficit that is :math:`\tfrac12 (E|e|)^2`, as bandwidth and deficit add up to
        :math:`E|e|` at least. Against the miss rate it is the area under the limit line, which opens one row
        after the other: not a matter of means.
        """
        error = sum(output.error for output in outputs) / len(outputs)
        return 1 - error**2 / 2 / constant_area()


def _ladder_bends(xp: Any, rows: Rows, critical: Array, index: Array | None, *, tails: bool) -> Bends:
    """Return the bends of rows with nested pairs: critical values, then the others."""
    error, ladder, zero = rows.abs_error, rows.ladder, xp.zeros_like(critical)
    weight = xp.ones_like(critical) if rows.weight is None else rows.weight
    parts: list[tuple[Array, dict[str, Array], Any]] = []  # knots, changes of slopes, and rows

    def add(knots: Array, mask: Array, **changes: Array) -> None:
        """Add knots of the rows of a mask."""
        weighted = {name: change * weight[mask] for name, change in changes.items()}
        parts.append((knots, weighted, None if index is None else index[mask]))

    def add_shared(knot: float, **changes: Array) -> None:
        """Add changes at a knot that all rows have: one knot for all, unless knots are to name their rows."""
        if index is None:
            at = xp.full((1,), knot, dtype=critical.dtype, device=critical.device)
            sums = {name: xp.reshape(xp.sum(c * weight), (1,)) for name, c in changes.items()}
            parts.append((at, sums, None))
            return
        bending = xp.zeros_like(critical, dtype=xp.bool)
        for change in changes.values():
            bending = bending | (change != 0)
        some = {name: change[bending] for name, change in changes.items()}
        add(xp.full_like(critical[bending], knot), bending, **some)

    near, far = (segments(ladder.knots, side, tails=tails) for side in (ladder.active, ladder.passive))
    rising, falling, slope_before, pulse_before = zero, zero, zero, zero
    nearer = -2 * error  # by how much the far bound is nearer, where it is
    for (begin, end, active), (_, _, passive) in zip(near, far, strict=True):
        rising = xp.where((critical >= begin) & (critical < end), active, rising)
        falling = xp.where((critical > begin) & (critical <= end), active, falling)
        slope = active - passive
        if math.isinf(end):
            behind = xp.where(slope > 0, xp.ones_like(slope), zero + nearer)
        else:
            place = ladder.knots.index(end)
            behind = ladder.active[place] - ladder.passive[place] - 2 * error
        first = xp.where((nearer > 0) | ((nearer == 0) & (behind > 0)), slope, zero)
        last = xp.where((behind > 0) | ((behind == 0) & (nearer > 0)), slope, zero)
        changes, change = {"pulse": pulse_before - first}, active - slope_before
        if begin > 0:
            changes["excess"] = xp.where(critical < begin, change, zero)
            changes["deficit"] = xp.where(critical > begin, -change, zero)
        add_shared(begin, **changes)
        crossing = ((nearer < 0) & (behind > 0)) | ((nearer > 0) & (behind < 0))
        at = begin - nearer / xp.where(crossing, slope, xp.ones_like(slope))
        crossing = crossing & xp.isfinite(at)  # others are beyond what float64 holds
        add(xp.clip(at, begin, end)[crossing], crossing, pulse=(first - last)[crossing])
        nearer, slope_before, pulse_before = behind, active, last
    finite = xp.isfinite(critical)
    add(critical[finite], finite, excess=rising[finite], deficit=falling[finite])
    knots, columns, row = zip(parts[-1], *parts[:-1], strict=True)
    none = [xp.zeros_like(part) for part in knots]
    return Bends(
        xp.concat(knots),
        {
            name: xp.concat([column.get(name, zeros) for column, zeros in zip(columns, none, strict=True)])
            for name in ("excess", "pulse", "deficit")
        },
        int(xp.count_nonzero(finite)),
        None if index is None else xp.concat(row),
        lost=float(xp.sum(xp.where(finite, zero, weight))),
        floor=total(xp, xp.where(finite, zero, error - rows.active), rows.weight),
    )


SCALE = Scale()
LEVEL_WITHOUT_TAILS = Level("none")
# The families by what ``vary`` calls them.
FAMILIES: dict[str, Scale] = {family.name: family for family in (SCALE, Shift(), Level())}
