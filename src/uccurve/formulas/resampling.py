"""Many reweightings of the same rows, in NumPy: sums over subsets, areas without sorting again."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

Array = Any

_BITS = 8
_ROWS_AT_ONCE = 1 << 10
_SUBSETS_AT_ONCE = 1 << 7
_LANES = 16
_CHUNK = 1 << 16


def subset_sums(columns: Array, subsets: Array) -> Array:
    """Add columns of rows up over subsets; (subsets, columns).

    Subsets are given as bytes, one bit for each row. They are turned into numbers part by part, so that each
    part stays in a CPU cache, and multiplied with as many columns as there are: of all pairs of a
    comparison at once, where they share the subsets.
    """
    n, m = columns.shape
    sums = np.zeros((subsets.shape[0], m))
    for begin in range(0, n, _ROWS_AT_ONCE):
        part = np.ascontiguousarray(columns[begin : begin + _ROWS_AT_ONCE])
        groups = slice(begin // _BITS, (begin + _ROWS_AT_ONCE) // _BITS)
        for first in range(0, subsets.shape[0], _SUBSETS_AT_ONCE):
            some = slice(first, first + _SUBSETS_AT_ONCE)
            taken = np.unpackbits(subsets[some, groups], axis=1, bitorder="little", count=part.shape[0])
            sums[some] += taken.astype(np.float64) @ part
    return sums


def drawn_sums(columns: Array, n_resamples: int, rng: np.random.Generator) -> Array:
    """Add the columns up over as many rows as there are, drawn with replacement; (resamples, columns).

    How many draws fall into each chunk of 65 536 rows is drawn first, so that counting them stays
    in cache; the chunk's columns are then read once for all resamples.
    """
    n = columns.shape[0]
    sums = np.zeros((n_resamples, columns.shape[1]))
    chunks = [columns[begin : begin + _CHUNK] for begin in range(0, n, _CHUNK)]
    draws = rng.multinomial(n, [chunk.shape[0] / n for chunk in chunks], size=n_resamples)
    for chunk, numbers in zip(chunks, draws.T, strict=True):
        length = chunk.shape[0]
        counts = np.empty((n_resamples, length))
        for resample, number in enumerate(numbers):
            if length == _CHUNK:
                places = np.frombuffer(rng.bytes(2 * int(number)), dtype=np.uint16)
            else:
                places = rng.integers(0, length, size=number)
            counts[resample] = np.bincount(places, minlength=length)
        sums += counts @ chunk
    return sums


class Lanes(NamedTuple):
    """Sorted knots in 16 lanes: knot i stands at [i % 16, i // 16], so that sums run across lanes.

    A prefix sum along 16 long lanes takes a third of the time of one along a single column.

    Attributes
    ----------
    row : Array
        The row each knot belongs to.
    step : Array
        Distance to the next knot, 0 at the last.
    x : Array
        Change of the slope of x for a row of weight 1.
    deficit : Array
        Change of the slope of the deficit; the same object as ``x`` where they are equal.
    captured : Array | None
        1 where a row is captured at the knot, else 0; None where that is at every knot.
    work : tuple[Array, ...]
        Room for what is computed, used again by each reweighting: `Halves` last until the next
        one.
    """

    row: Array
    step: Array
    x: Array
    deficit: Array
    captured: Array | None
    work: tuple[Array, ...]


def lanes(knots: Array, row: Array, x: Array, deficit: Array, captured: Array | None) -> Lanes:
    """Sort the knots and lay the columns out."""
    order = np.argsort(knots)
    knots = knots[order]
    step = np.append(np.diff(knots), 0.0)
    laid = _in_lanes(x[order])
    return Lanes(
        row=_in_lanes(row[order]),
        step=_in_lanes(step),
        x=laid,
        deficit=laid if deficit is x else _in_lanes(deficit[order]),
        captured=None if captured is None else _in_lanes(captured[order]),
        work=tuple(np.empty_like(laid) for _ in range(4)),
    )


class Halves(NamedTuple):
    """The two factors of an area at each knot; both are linear in the weights of the rows.

    Attributes
    ----------
    gained : Array
        Increase of x up to the next knot.
    missed : Array
        Weight of the rows missed, or their deficit, on the way to the next knot.
    """

    gained: Array
    missed: Array

    def area(self) -> float:
        """Integrate, undivided by any weight."""
        return float(np.vdot(self.gained, self.missed))

    def kept(self) -> Halves:
        """Return a copy that outlasts the next reweighting."""
        return Halves(self.gained.copy(), self.missed.copy())

    def areas_of(self, part: Halves) -> tuple[float, float]:
        """Integrate over a part of the rows, and over the rest of them."""
        own = part.area()
        mixed = float(np.vdot(self.gained, part.missed)) + float(np.vdot(part.gained, self.missed))
        return own, self.area() - mixed + own


def miss_halves(table: Lanes, weight: Array, missed_at_start: float) -> Halves:
    """Reweight x and the miss rate."""
    gained, missed, _, _ = table.work
    np.take(weight, table.row, out=missed, mode="clip")
    _prefix_sums(np.multiply(missed, table.x, out=gained))
    gained *= table.step
    if table.captured is not None:
        missed *= table.captured
    _prefix_sums(missed)
    return Halves(gained, np.subtract(missed_at_start, missed, out=missed))


def deficit_halves(table: Lanes, weight: Array) -> Halves:
    """Reweight x and the deficit, which falls on a straight line between knots."""
    gained, lost, closed, halfway = table.work
    np.take(weight, table.row, out=lost, mode="clip")
    _prefix_sums(np.multiply(lost, table.x, out=gained))
    if table.deficit is table.x:
        closed = gained
    else:
        _prefix_sums(np.multiply(lost, table.deficit, out=closed))
    np.subtract(float(closed[-1, -1]), closed, out=lost)
    lost *= table.step
    np.multiply(lost, 0.5, out=halfway)
    halfway -= _prefix_sums(lost, up_to_zero=True)
    gained *= table.step
    return Halves(gained, halfway)


def _in_lanes(column: Array) -> Array:
    """Lay a column out in lanes; what pads it has no weight and no length."""
    width = -(-column.shape[0] // _LANES)
    padded = np.zeros(width * _LANES, dtype=column.dtype)
    padded[: column.shape[0]] = column
    return np.ascontiguousarray(padded.reshape(width, _LANES).T)


def _prefix_sums(table: Array, *, up_to_zero: bool = False) -> Array:
    """Inclusive prefix sums along the knots, in place; less the sum of everything, if asked for."""
    for lane in range(1, table.shape[0]):
        table[lane] += table[lane - 1]
    total = table[-1]
    upto = np.cumsum(total)
    before = upto - total
    if up_to_zero:
        before -= upto[-1]
    table += before
    return table
