"""Intervals made from others: other bands, another unit, one output, rows by label."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from uccurve._base import arguments
from uccurve._base.arrays import namespace, widened
from uccurve.exceptions import ArgumentError
from uccurve.intervals._interval_rows import IntervalRows

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from uccurve._base.type_aliases import Array, ArrayLike
    from uccurve.intervals._checked_rows import Summary
    from uccurve.intervals._nested_pairs import NestedPairs
    from uccurve.intervals._row_arrays import RowArrays


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class IntervalChanges(IntervalRows):
    """What can be made of checked rows. A one-sided limit stays one, on its side."""

    def constant(self, *, sides: bool = False) -> Self:
        """Return the constant band: the same for every row, as wide as these bands are on average.

        Several outputs have a constant of their own each.

        Parameters
        ----------
        sides : bool
            Give each side its own constant, the mean lower and the mean upper band; by default both
            sides have the same. A one-sided limit has one side.
        """
        sides = sides and self.side == "both"
        return self._with_bands(*_constant_bands(self.rows.columns.y_true, self.rows.summary, sides=sides))

    def scaled(self, k: float) -> Self:
        """Multiply both bands by ``k``, 0 or more.

        A row right at its critical value may fall to either side of the new bound by rounding. The
        curve counts rows by rank, so that this cannot happen there.
        """
        k = arguments.number("k", k, low=0)
        return self._changed(lambda band: band * k)

    def shifted(self, s: float) -> Self:
        """Add ``s`` to both bands, cutting at zero."""
        s, xp = arguments.number("s", s), namespace(self.y_true)
        return self._changed(lambda band: xp.clip(band + s, min=0.0))

    def floored(self, band: float) -> Self:
        """Widen every band to at least ``band``: one way to deal with bands of zero."""
        floor, xp = arguments.number("band", band, low=0), namespace(self.y_true)
        return self._changed(lambda band: xp.clip(band, min=floor))

    def standardized(self) -> Self:
        """Use the standard deviation of the observations as the unit, each output its own.

        Observations then have (weighted) mean 0 and variance 1, so that bandwidths and areas
        compare across data sets. Gains, miss rates and scales of each output do not change.
        """
        columns, nested = _standardized(self.rows.columns)
        return self._with_values(columns, self.nominal, nested)

    def outputs(self) -> tuple[Self, ...]:
        """Return the intervals of each output dimension on its own."""
        if self.y_true.ndim == 1:
            return (self,)
        return tuple(self._of(self.rows.columns.output(number)) for number in range(self.n_outputs))

    def by(self, labels: ArrayLike) -> dict[Hashable, Self]:
        """Split the rows by label.

        Parameters
        ----------
        labels : array of shape (n,)
            One label per row: numbers, strings, dates, or any hashable values that can be sorted. Where
            invalid rows were dropped, the labels of all rows are accepted as well.

        Returns
        -------
        dict
            Intervals for each distinct label, in sorted order.
        """
        return dict(self._segments(labels))


def _standardized(rows: RowArrays) -> tuple[dict[str, Array | None], NestedPairs | None]:
    """Return centered observations and predictions, and bands, each output in its own unit.

    Pairs of quantiles come second, where there are any.
    """
    rows = rows.map(widened)
    center = _mean(rows, rows.y_true)
    centered = rows.y_true - center
    unit = _root_mean_square(rows, centered)
    nested = None if rows.nested is None else rows.nested.map(lambda column: (column - center) / unit)
    columns = {
        "y_true": centered / unit,
        "y_pred": (rows.y_pred - center) / unit,
        "lower_band": rows.lower_band / unit,
        "upper_band": None if rows.upper_band is None else rows.upper_band / unit,
    }
    return columns, nested


def _mean(rows: RowArrays, values: Array) -> Array:
    """Return the weighted mean of each output."""
    xp, weight = namespace(values), rows.weight
    if weight is None:
        return xp.mean(values, axis=0)
    if values.ndim > 1:
        weight = xp.expand_dims(weight, axis=1)
    return xp.sum(values * weight, axis=0) / xp.sum(weight)


def _root_mean_square(rows: RowArrays, centered: Array) -> Array:
    """Return the standard deviation of each output."""
    xp, counted = namespace(centered), rows.y_true
    if rows.weight is not None:
        counted = xp.take(counted, xp.nonzero(rows.weight > 0)[0], axis=0)
    if not bool(xp.all(xp.max(counted, axis=0) > xp.min(counted, axis=0))):
        raise ArgumentError(
            argument="y_true", rule="not be constant", hint="It has no standard deviation to use as a unit."
        )
    return xp.sqrt(_mean(rows, centered**2))


def _constant_bands(y_true: Array, summary: Summary, *, sides: bool) -> tuple[Array, Array | None]:
    """Return the lower and the upper band for every row; None for the upper one if both are the same."""
    if not sides:
        return _over_rows(y_true, summary.widths), None
    lower, upper = zip(*summary.band_means, strict=True)
    return _over_rows(y_true, lower), _over_rows(y_true, upper)


def _over_rows(y_true: Array, bands: Sequence[float]) -> Array:
    """Repeat the band of each output for every row."""
    xp = namespace(y_true)
    row = xp.asarray(bands, dtype=y_true.dtype, device=y_true.device)
    return xp.zeros_like(y_true) + (row if y_true.ndim > 1 else row[0])
