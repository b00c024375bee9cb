"""What is true of the state of any rows: a state that was read from bytes is checked against it.

A checksum says that bytes are those that were written, not that they are a sketch. The rules here are those
that every curve relies on: bins in order, numbers in the bin they belong to, no negative sums, and sums that
the same rows can have. Sums are compared up to the rounding of as many additions as there are rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from uccurve._kernels.bins import FRACTION_BITS, NEVER, PER_OCTAVE, ZERO, bin_of
from uccurve.exceptions import SketchFormatError
from uccurve.sketch._state import CLOSE, ERROR_OCTAVES, NAMES, SCALE_OCTAVES, TABLES, Totals

if TYPE_CHECKING:
    from collections.abc import Iterator

    from uccurve._kernels.bins import BinTable
    from uccurve.sketch._state import State

_EXTREMES = ("narrowest", "widest", "lightest", "heaviest", "asymmetry")
_PRODUCTS = frozenset({"square", "moment", "weight_squares", "scale"})
"""Sums of products and ratios, which may leave the range of float64."""
_MOST_ROWS = 2.0**53
_EPSILON = 2.0**-52
_SMALLEST = 2.0**-1074


def check(state: State) -> None:
    """Refuse a state that no rows can have; `SketchFormatError` says why."""
    with np.errstate(all="ignore"):
        fault = next(_faults(state), None)
    if fault is not None:
        raise SketchFormatError(f"the sketch is damaged: {fault}")


def _faults(state: State) -> Iterator[str]:
    """Say what is wrong; each rule may rely on those before it."""
    yield from _impossible_counts(state.totals)
    yield from _impossible_totals(state.totals)
    for name in TABLES:
        yield from _impossible_bins(name, getattr(state, name))
    if state.error.bins.size and state.scale.bins.size:
        yield from _Sums(state).faults()
    elif state.error.bins.size or state.scale.bins.size or state.switch.bins.size:
        yield "one of its tables is empty, and another is not"
    elif any(getattr(state.totals, name) != getattr(Totals(), name) for name in NAMES[2:]):
        yield "it has sums of rows, but no rows with weight"


def _impossible_counts(totals: Totals) -> Iterator[str]:
    for name in ("rows", "elements"):
        count = getattr(totals, name)
        if not (0 <= count <= _MOST_ROWS and count == int(count)):
            yield f"its number of {name} is {count:g}"
    if totals.elements < totals.rows or (totals.elements > 0) != (totals.rows > 0):
        yield f"it has {totals.rows:g} rows, but {totals.elements:g} elements"


def _impossible_totals(totals: Totals) -> Iterator[str]:
    for name in NAMES:
        value = getattr(totals, name)
        finite = name not in _PRODUCTS and value != getattr(Totals(), name)
        if not (0 <= value <= (np.finfo(float).max if finite else np.inf)):
            yield f"its total {name!r} is {value:g}"


def _impossible_bins(name: str, table: BinTable) -> Iterator[str]:
    """Bins rise, hold the largest of their numbers, and have sums that are 0 or more."""
    octaves = ERROR_OCTAVES if name == "error" else SCALE_OCTAVES
    if (table.bins[1:] <= table.bins[:-1]).any():
        yield f"the bins of the table {name!r} do not rise"
    if not (table.largest >= 0).all() or (bin_of(table.largest, octaves) != table.bins).any():
        yield f"a number of the table {name!r} is not in its bin"
    if name != "scale" and (table.bins == NEVER).any():
        yield f"a number of the table {name!r} is infinite"
    most = [np.inf if column in _PRODUCTS else np.finfo(float).max for column in TABLES[name]]
    if not ((table.sums >= 0) & (table.sums <= np.array(most)[:, None])).all():
        yield f"a sum of the table {name!r} is negative or not finite"


class _Sums:
    """The sums of a state with rows, and the ranges that they must lie in."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.totals = state.totals
        self.weight, self.active, self.error, self.scale = state.scale.sums
        self.error_weight, self.error_sum = state.error.sums
        self.drop, self.switched = state.switch.sums
        self.all_weight = float(self.error_weight.sum())
        self.close = CLOSE + _EPSILON * self.totals.elements
        self.tiny = _SMALLEST * (1 + self.totals.elements)

    def faults(self) -> Iterator[str]:
        """Say which sums do not fit each other."""
        if not self._within(self.weight.sum(), self.all_weight, self.all_weight):
            yield "its tables have different weights"
        if not self._within(self.error.sum(), self.error_sum.sum(), self.error_sum.sum()):
            yield "its tables have different residuals"
        yield from self._weights()
        yield from self._means()
        yield from self._bands()
        yield from self._residuals()

    def _within(self, values: np.ndarray | float, low: np.ndarray | float, high: np.ndarray | float) -> bool:
        """Whether sums lie in ranges, up to rounding and to what is lost near 0."""
        above = values >= np.asarray(low) * (1 - self.close) - self.tiny
        below = values <= np.asarray(high) * (1 + self.close) + self.tiny
        return bool((above & below).all())

    def _scaled(
        self, values: np.ndarray | float, sums: np.ndarray, ends: tuple[np.ndarray, np.ndarray]
    ) -> bool:
        """Whether sums are those of other sums times numbers between the ends of bins."""
        low, high = ends
        return self._within(values, low * np.maximum(sums - self.tiny, 0), high * (sums + self.tiny))

    def _weights(self) -> Iterator[str]:
        totals = self.totals
        if not 0 < totals.lightest <= totals.heaviest:
            yield f"its weights are from {totals.lightest:g} to {totals.heaviest:g}"
        for table in (self.weight, self.error_weight):
            if not self._within(table, totals.lightest, totals.heaviest * totals.elements):
                yield "the weight of a bin is not that of any rows"
        if not self._within(self.all_weight, 0, totals.heaviest * totals.elements):
            yield "its rows have less weight than its bins"
        single = totals.elements == totals.rows
        low = totals.lightest * (self.all_weight if single else totals.lightest)
        if not self._within(totals.weight_squares, low, totals.heaviest * self.all_weight):
            yield "the squares of its weights are not those of its weights"
        touching = float(self.weight[self.state.scale.bins == 0].sum())
        if not self._within(totals.touching, 0, touching):
            yield "more weight lies on the bounds than in the bin of the scale 1"

    def _means(self) -> Iterator[str]:
        """In each bin the mean lies between its ends, and so do ratios of sums."""
        scale, switch, error = self.state.scale, self.state.switch, self.state.error
        captured = scale.bins != NEVER
        ends = _ends(scale, SCALE_OCTAVES)
        if not self._scaled(self.scale, self.weight, ends):
            yield "the mean scale of a bin is not in the bin"
        inner = ends[0][captured], ends[1][captured]
        if not self._scaled(self.error[captured], self.active[captured], inner):
            yield "residuals and bands of a bin have another ratio than the bin"
        if not self._scaled(self.error_sum, self.error_weight, _ends(error, ERROR_OCTAVES)):
            yield "the mean residual of a bin is not in the bin"
        if not self._scaled(self.switched, self.drop, _ends(switch, SCALE_OCTAVES)):
            yield "residuals and differences of bands of a bin have another ratio than the bin"

    def _bands(self) -> Iterator[str]:
        totals = self.totals
        if not totals.narrowest <= totals.widest:
            yield f"its bands are from {totals.narrowest:g} to {totals.widest:g}"
        bounds = totals.narrowest * self.all_weight, totals.widest * self.all_weight
        if not (self._within(totals.width, *bounds) and self._within(self.active.sum(), *bounds)):
            yield "the mean of its bands is not between the narrowest and the widest"
        if not self._within(totals.asymmetry, 0, totals.widest - totals.narrowest + CLOSE * totals.widest):
            yield "its bands differ by more than the narrowest and the widest do"
        if not self._within(self.drop.sum(), 0, totals.asymmetry * self.all_weight):
            yield "its bands differ by more on average than at most"

    def _residuals(self) -> Iterator[str]:
        totals, scale = self.totals, _ends(self.state.scale, SCALE_OCTAVES)
        unit = -totals.exponent
        yield from self._moments(self.state.error, totals.root, totals.square)
        least, most = (ends @ np.ldexp(self.error, unit) for ends in scale)
        if not self._within(totals.moment, least, most):
            yield "its total 'moment' is not that of the residuals in its bins"
        if not self.state.outputs:
            return
        for output in self.state.outputs:
            yield from _impossible_bins("error", output.error)
            yield from self._moments(output.error, output.root, output.square)
            if not 0 <= output.narrowest <= output.widest:
                yield f"bands of an output are from {output.narrowest:g} to {output.widest:g}"
            weight = float(output.error.sums[0].sum())
            if not self._within(output.width, output.narrowest * weight, output.widest * weight):
                yield "the mean of an output's bands is not between the narrowest and the widest"
        for name in ("width", "root", "square"):
            parts = sum(getattr(output, name) for output in self.state.outputs)
            if not self._within(getattr(totals, name), parts, parts):
                yield f"its total {name!r} is not that of its outputs"

    def _moments(self, table: BinTable, root: float, square: float) -> Iterator[str]:
        """Compare roots and squares with the residuals in their bins; squares are in squares of the unit."""
        unit, (low, high) = -self.totals.exponent, _ends(table, ERROR_OCTAVES)
        weight, error = table.sums
        for name, value, sums, ends in (
            ("root", root, weight, (np.sqrt(low), np.sqrt(high))),
            ("square", square, np.ldexp(error, unit), (np.ldexp(low, unit), np.ldexp(high, unit))),
        ):
            least, most = ends[0] @ np.maximum(sums - self.tiny, 0), ends[1] @ (sums + self.tiny)
            if not self._within(value, least, most):
                yield f"its total {name!r} is not that of the residuals in its bins"


def _ends(table: BinTable, octaves: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the ends of each bin: its first number, or 0, and the largest number; 0 and 0 for infinity."""
    octave, step = table.bins >> FRACTION_BITS, table.bins & (PER_OCTAVE - 1)
    outside = (table.bins == ZERO) | (table.bins == NEVER) | (table.bins < -octaves * PER_OCTAVE)
    first = np.ldexp(1 + step / PER_OCTAVE, np.where(outside, 0, octave).astype(np.int32))
    last = np.nextafter(table.largest, np.inf)  # the smallest numbers are rounded by up to their own size
    return np.where(outside, 0.0, first), np.where(table.bins == NEVER, 0.0, last)
