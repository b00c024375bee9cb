r"""Where the costs of rows bend: sorted once, added up under any weights.

Half-width, excess and deficit of a row are piecewise linear in the parameter. A family lists the *bends* of
rows: knots, with the change of each slope there. With the knots in order, prefix sums of the changes are the
slopes, and prefix sums of slope times step are the costs. Half-width and excess are added up from the left,
:math:`F(t) = \sum_i c_i\,(t - \tau_i)^+`, the deficit from the right,
:math:`G(t) = \sum_i c_i\,(\tau_i - t)^+`: so all terms have one sign. Where changes of both signs meet, they
are added without rounding, so that a slope that a row adds and takes back leaves nothing behind.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from .rows import collect, gather
from .steps import sort_with_order
from .tolerances import LAST_PLACES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

Array = Any

# Terms that are added up one after the other, before runs of them are.
_RUN = 256


class Bends(NamedTuple):
    """Knots of rows, and the changes of slopes at each, times the weight of the row.

    The first knots are critical values, of all rows that some parameter captures and in their order.

    Attributes
    ----------
    knots : Array
        The parameters at which costs bend.
    changes : dict of str to Array
        Of the slopes of ``excess``, ``deficit`` and ``bandwidth``. A ``pulse`` is a further change of that of
        the excess, which each row takes back again. Without one of its own, the deficit changes by what
        excess and pulse add up to if that is positive, else by 0; without one, the summary of the rows tells
        the bandwidth.
    captured : int
        How many knots in front are critical values.
    row : Array, or None
        The row each knot belongs to, where asked for.
    lost : float
        Weight of the rows that no parameter captures.
    floor : float
        Their deficit, times their weight, at their widest.
    """

    knots: Array
    changes: dict[str, Array]
    captured: int
    row: Array | None = None
    lost: float = 0.0
    floor: float = 0.0


class Lines(NamedTuple):
    """Sorted knots, from the start of the curve on, and the costs there. Between knots costs are linear.

    Attributes
    ----------
    bandwidth : Array | None
        None where the summary of the rows tells it.
    excess_slope : float
        Slope of the excess behind the last knot.
    bandwidth_slope : float
        Slope of the bandwidth behind the last knot.
    points : Array | None
        The places of the operating points among the knots; None where all knots are operating
        points.
    """

    knots: Array
    bandwidth: Array | None
    excess: Array
    deficit: Array
    excess_slope: float
    bandwidth_slope: float = 0.0
    points: Array | None = None


def join_bends(xp: Any, blocks: Sequence[Bends]) -> Bends:
    """Lay the bends of blocks of rows end to end: all critical values first, then the other knots."""
    if len(blocks) == 1:
        return blocks[0]

    def join(columns: Sequence[Array]) -> Array:
        pairs = [(column, block.captured) for column, block in zip(columns, blocks, strict=True)]
        others = [column[number:] for column, number in pairs if column.shape[0] > number]
        return xp.concat([column[:number] for column, number in pairs] + others)

    return Bends(
        join([block.knots for block in blocks]),
        {name: join([block.changes[name] for block in blocks]) for name in blocks[0].changes},
        captured=sum(block.captured for block in blocks),
        lost=math.fsum(block.lost for block in blocks),
        floor=math.fsum(block.floor for block in blocks),
    )


def sort_bends(xp: Any, bends: Bends, start: float) -> tuple[Bends, Array]:
    """Return bends in the order of their knots, with the start of the curve before these, and that order."""
    knots, order = sort_with_order(xp, bends.knots, start)
    changes = {name: gather(xp, column, order) for name, column in bends.changes.items()}
    row = None if bends.row is None else gather(xp, bends.row, order)
    return bends._replace(knots=knots, changes=changes, row=row), order


def reweight_bends(xp: Any, ordered: Bends, weight: Array) -> Bends:
    """Return sorted bends of rows of weight 1 as those of rows with the given weights."""
    at_knots = xp.take(weight, ordered.row)
    return ordered._replace(changes={name: column * at_knots for name, column in ordered.changes.items()})


def add_up(xp: Any, ordered: Bends, total: float, block: int) -> Lines:
    """Turn sorted bends into costs, over the total weight; ``block`` knots at once."""
    knots, changes = ordered.knots, ordered.changes
    bandwidth, bandwidth_slope = None, 0.0
    if "bandwidth" in changes:
        bandwidth, bandwidth_slope = _rising(xp, knots, [changes["bandwidth"]], total, block)
    columns = [changes[name] for name in ("excess", "pulse") if name in changes]
    excess, excess_slope = _rising(xp, knots, columns, total, block)
    deficit = _falling(xp, ordered, total, block)
    return Lines(knots, bandwidth, excess, deficit, excess_slope, bandwidth_slope)


def _rising(xp: Any, knots: Array, columns: list[Array], total: float, block: int) -> tuple[Array, float]:
    """Return a rising sum over ``total`` at the start and at each knot, and its slope at the end.

    The slope changes by the sum of ``columns`` at each knot but the start.
    """
    n = columns[0].shape[0]
    sums = [_running_sum(xp, column) for column in columns]
    slope, value = 0.0, 0.0

    def parts() -> Iterator[Array]:
        nonlocal slope, value
        yield xp.zeros((1,), dtype=knots.dtype, device=knots.device)
        for begin in range(0, n, block):
            end = min(begin + block, n)
            behind, *others = (add(column[begin:end]) for add, column in zip(sums, columns, strict=True))
            behind = xp.clip(sum(others, start=behind), min=0.0)
            before = xp.concat([xp.full_like(behind[:1], slope), behind[:-1]])
            values = _go_on(xp, before, knots[begin : end + 1], total, value)
            slope, value = float(behind[-1]), float(values[-1])
            yield values

    return collect(xp, parts(), n + 1), slope / total


def _falling(xp: Any, ordered: Bends, total: float, block: int) -> Array:
    """Return the deficit over ``total`` at the start and at each knot, down to its floor."""
    knots, pulse = ordered.knots, None if "deficit" in ordered.changes else ordered.changes.get("pulse")
    changes: Any = ordered.changes.get("deficit", ordered.changes["excess"])
    n = changes.shape[0]
    add = _running_sum(xp, changes)
    value = ordered.floor / total

    def parts() -> Iterator[Array]:  # from the last knot to the first
        nonlocal value
        yield xp.full((1,), value, dtype=knots.dtype, device=knots.device)
        for end in range(n, 0, -block):
            begin = max(end - block, 0)
            some = changes[begin:end]
            if pulse is not None:
                some = xp.clip(some + pulse[begin:end], min=0.0)
            before = xp.clip(add(xp.flip(some)), min=0.0)
            values = _go_on(xp, before, -xp.flip(knots[begin : end + 1]), total, value)
            value = float(values[-1])
            yield xp.flip(values)

    return collect(xp, parts(), n + 1, backward=True)


def _go_on(xp: Any, slopes: Array, knots: Array, total: float, value: float) -> Array:
    """Go on from a value with slopes between knots, over ``total``."""
    terms = slopes * (knots[1:] - knots[:-1])
    terms /= total
    values = prefix_sums(xp, terms)
    values += value
    return values


def _running_sum(xp: Any, column: Array) -> Callable[[Array], Array]:
    """Return a function that takes the column block by block and goes on with its prefix sums.

    With changes of both signs, each is split at the same binary places, high enough for the upper
    parts to add up without rounding; what is left is too small for its rounding to matter. Changes in float32
    are multiples of 1/2, which add up without rounding as they are.
    """
    n, short = column.shape[0], column.dtype == xp.float32
    least = float(xp.min(column)) if n > 0 and not short else 0.0
    largest = max(float(xp.max(column)), -least) if least < 0 else 0.0  # 0 where nothing is to be split
    places = []
    if largest > 0:
        places = [math.ldexp(1.0, math.frexp(n * largest)[1] + 1)]
        places.append(math.ldexp(places[0], math.frexp(n)[1] - 52))
    sums = [0.0] * (len(places) + 1)

    def add(block: Array) -> Array:
        block, result = xp.astype(block, xp.float64, copy=False), None
        for i in range(len(sums)):
            part = block
            if i < len(places):
                part = (block + places[i]) - places[i]
                block = block - part
            prefix = xp.cumulative_sum(part) if short else prefix_sums(xp, part)
            prefix += sums[i]
            sums[i] = float(prefix[-1])
            result = prefix if result is None else prefix + result
        return result

    return add


def prefix_sums(xp: Any, terms: Array) -> Array:
    """Return the sums of the first 1, 2, … terms, which lose few digits however many there are.

    Long columns are added up in runs, and then run by run: equal terms that are added one after the other
    round in the same direction each time. The sums of terms of one sign rise or fall all the same, because
    each run goes on from the rounded sum of those before it.
    """
    n = terms.shape[0]
    if n <= _RUN:
        return xp.cumulative_sum(terms)
    whole = n // _RUN * _RUN
    runs = xp.cumulative_sum(xp.reshape(terms[:whole], (-1, _RUN)), axis=1)
    ends = xp.cumulative_sum(runs[:, -1])
    before = xp.concat([xp.zeros_like(ends[:1]), ends[:-1]])
    runs += xp.expand_dims(before, axis=1)
    sums = xp.reshape(runs, (-1,))
    if whole == n:
        return sums
    return xp.concat([sums, xp.cumulative_sum(terms[whole:]) + ends[-1]])


def first_reaching(xp: Any, knots: Array, values: Array, end_slope: float, value: float) -> float:
    """Return the smallest parameter at which a rising line reaches ``value``; infinite if it never does."""
    slack = LAST_PLACES * abs(value)
    index = _search(xp, values, value - slack, "left")
    if index < knots.shape[0] and float(values[index]) <= value + slack:
        return float(knots[index])
    return _between(knots, values, end_slope, value, index)


def last_within(xp: Any, knots: Array, values: Array, end_slope: float, value: float) -> float:
    """Return the largest parameter at which a rising line is at most ``value``; infinite without one."""
    slack = LAST_PLACES * abs(value)
    index = _search(xp, values, value + slack, "right")
    at_last_knot = index == knots.shape[0] and end_slope == 0
    if index > 0 and float(values[index - 1]) >= value - slack and not at_last_knot:
        return float(knots[index - 1])
    return _between(knots, values, end_slope, value, index)


def _search(xp: Any, values: Array, value: float, side: str) -> int:
    return int(xp.searchsorted(values, xp.full_like(values[:1], value), side=side)[0])


def _between(knots: Array, values: Array, end_slope: float, value: float, index: int) -> float:
    """Solve on the segment that leads up to a knot, or on the ray behind the last one."""
    if index == 0:
        return float(knots[0])
    t0, v0 = float(knots[index - 1]), float(values[index - 1])
    if index == knots.shape[0]:
        return t0 + (value - v0) / end_slope if end_slope > 0 else math.inf
    t1, v1 = float(knots[index]), float(values[index])
    return min(t0 + (t1 - t0) * ((value - v0) / (v1 - v0)), t1)
