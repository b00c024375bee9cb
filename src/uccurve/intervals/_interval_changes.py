"""Intervals made from others: other bands, another unit, one output, rows by label."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from uccurve._base import arguments
from uccurve._base.arrays import namespace
from uccurve.intervals._constant_band import constant_bands
from uccurve.intervals._interval_rows import IntervalRows
from uccurve.intervals._standardized import standardized_columns

if TYPE_CHECKING:
    from collections.abc import Hashable

    from uccurve._base.type_aliases import ArrayLike


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
        return self._with_bands(*constant_bands(self._columns.y_true, self._summary, sides=sides))

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
        columns, nested = standardized_columns(self._columns)
        return self._with_values(columns, self.nominal, nested)

    def outputs(self) -> tuple[Self, ...]:
        """Return the intervals of each output dimension on its own."""
        if self.y_true.ndim == 1:
            return (self,)
        return tuple(self._of(self._columns.output(number)) for number in range(self.n_outputs))

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
