r"""Sums of hinges of rows of equal weight, where all changes of slope are multiples of 1/2.

Each kind of knot changes the slopes by the same amounts. It is sorted by itself, without its rows, and the
sorted kinds are merged. Slopes then are numbers of knots of each kind, and have no rounding.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .hinges import Lines
from .prefix_sums import prefix_sums
from .rows import collect, collect_columns, taken
from .sorting import sorted_own

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Array = Any


class Run(NamedTuple):
    """One kind of knot, with the changes of slope at each; those of the deficit add up to 0 over all runs."""

    knots: Array
    bandwidth: float
    excess: float
    deficit: float


class Merged(NamedTuple):
    """Knots of several runs in rising order."""

    knots: Array
    """From the start of the curve on."""
    kinds: Array
    """The number of the run that each knot but the first came from, uint8."""


def merge(xp: Any, runs: Sequence[Run], start: float) -> Merged:
    """Sort each run, whose knots nobody else holds, and merge them.

    A stable sort merges sorted runs in less time than any sort.
    """
    column = xp.concat([sorted_own(xp, run.knots) for run in runs])
    order = xp.argsort(column, stable=True)
    kinds = xp.concat([xp.full_like(run.knots, kind, dtype=xp.uint8) for kind, run in enumerate(runs)])
    return Merged(taken(xp, column, order, front=start), taken(xp, kinds, order))


def integrate(xp: Any, runs: Sequence[Run], merged: Merged, total: float, block: int) -> Lines:
    """Add the costs up along the merged knots, over the total weight."""
    knots, kinds = merged
    n = kinds.shape[0]
    costs = list(zip(*(run[1:] for run in runs), strict=True))
    counts = _counts(xp, kinds, len(runs), block)
    reached = [0.0, 0.0]

    def parts() -> Iterator[tuple[Array, ...]]:
        zero = xp.zeros((1,), dtype=knots.dtype, device=knots.device)
        yield zero, zero, zero
        for begin, some in zip(range(0, n, block), counts, strict=True):
            piece = knots[begin : min(begin + block, n) + 1]
            steps = piece[1:] - piece[:-1]
            bandwidth, excess, deficit = (_slopes(changes, some) for changes in costs)
            columns = []
            for i, slopes in enumerate((bandwidth, excess)):
                values = prefix_sums(xp, _terms(slopes, steps, total))
                values += reached[i]
                reached[i] = float(values[-1])
                columns.append(values)
            yield *columns, _terms(-deficit, steps, total)
        yield zero, zero, zero

    bandwidth, excess, lost = collect_columns(xp, parts(), n + 2)
    deficit = _suffix_sums(xp, lost[1:], block)
    in_the_end = [sum(run.knots.shape[0] * run[cost] for run in runs) / total for cost in (1, 2)]
    return Lines(knots, bandwidth[:-1], excess[:-1], deficit, in_the_end[1], in_the_end[0])


def _counts(xp: Any, kinds: Array, number: int, block: int) -> Iterator[list[Array]]:
    """Yield how many knots of each kind lie before each knot, block by block."""
    n = kinds.shape[0]
    before = [0.0] * (number - 1)
    for begin in range(0, n, block):
        some = kinds[begin : min(begin + block, n)]
        rest = xp.arange(begin, begin + some.shape[0], dtype=xp.float64, device=kinds.device)
        counts = []
        for kind in range(number - 1):
            upto = xp.cumulative_sum(xp.astype(some == kind, xp.float64))
            upto += before[kind]
            counts.append(xp.concat([xp.full_like(upto[:1], before[kind]), upto[:-1]]))
            before[kind] = float(upto[-1])
            rest -= counts[kind]
        yield [*counts, rest]


def _slopes(changes: Sequence[float], counts: Sequence[Array]) -> Array:
    """Add up the changes of all knots before each knot."""
    bending = [(change, count) for change, count in zip(changes, counts, strict=True) if change]
    (change, count), *others = bending
    slopes = count * change
    for change, count in others:
        slopes += count * change
    return slopes


def _terms(slopes: Array, steps: Array, total: float) -> Array:
    """Return slopes, an own column, times steps, over the total."""
    slopes *= steps
    slopes /= total
    return slopes


def _suffix_sums(xp: Any, terms: Array, block: int) -> Array:
    """Return the sum of each term of an own column and of all behind it; in its place in NumPy."""

    def parts() -> Iterator[Array]:
        value = 0.0
        for end in range(terms.shape[0], 0, -block):
            begin = max(end - block, 0)
            values = prefix_sums(xp, xp.flip(terms[begin:end]))
            values += value
            value = float(values[-1])
            if isinstance(terms, np.ndarray):
                terms[begin:end] = values[::-1]
            yield xp.flip(values)

    if isinstance(terms, np.ndarray):
        for _ in parts():
            pass
        return terms
    return collect(xp, parts(), terms.shape[0], backward=True)
