"""Checked rows, as the rest of the library sees them behind `Intervals`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from uccurve._base import arguments
from uccurve._base.arrays import from_numpy, namespace, to_numpy
from uccurve._kernels import rows as kernel
from uccurve.exceptions import ArgumentError
from uccurve.intervals._checked_rows import check_rows, summarize
from uccurve.intervals._labels import grouped

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator

    from uccurve._base.type_aliases import Array, ArrayLike
    from uccurve._kernels.rows import Rows
    from uccurve.intervals._checked_rows import Summary
    from uccurve.intervals._row_arrays import RowArrays


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class IntervalRows:
    """The columns of intervals with a summary, views of them in blocks, and copies with changes."""

    _columns: RowArrays
    _summary: Summary
    _kept: Array | None = None
    """The numbers of the rows that were kept; None if none were dropped."""
    _library: str | None = None
    """The frame library that the rows come from."""

    @property
    def _one_band(self) -> bool:
        """Whether one array holds both bands."""
        return self._columns.upper_band is None

    def _blocks(self, *, whole: bool = False) -> Iterator[Rows]:
        """Yield the rows as the formulas see them, leaving out those without weight."""
        xp = namespace(self._columns.y_true)
        for block in self._weighted().blocks(whole=whole):
            rows = kernel.make(xp, *block[:5])
            yield kernel.select(rows, rows.weight > 0) if self._summary.zero_weights else rows

    def _bands_and_weights(self) -> tuple[Array, Any]:
        """Return the lower bands and the weights, laid out like the rows of `_blocks`."""
        (flat,) = self._weighted().blocks(whole=True)
        if not self._summary.zero_weights:
            return flat.lower_band, flat.weight
        counted = flat.weight > 0
        return flat.lower_band[counted], flat.weight[counted]

    def _weighted(self) -> RowArrays:
        """Return the columns, with weights only where they differ."""
        return self._columns._replace(weight=None) if self._summary.equal_weights else self._columns

    def _changed(self, change: Callable[[Array], Array]) -> Self:
        """Change both bands by a function, and nothing else."""
        lower_band, upper_band = self._columns.lower_band, self._columns.upper_band
        with np.errstate(over="ignore"):
            return self._with_bands(change(lower_band), None if upper_band is None else change(upper_band))

    def _with_bands(self, lower_band: Array, upper_band: Array | None) -> Self:
        """Give the rows other bands; without an upper one they are symmetric."""
        bands = {"lower_band": lower_band, "upper_band": upper_band}
        columns = {"y_true": self._columns.y_true, "y_pred": self._columns.y_pred, **bands}
        checked = check_rows(columns, self._columns.weight, "raise")
        return type(self)(*checked._replace(kept=self._kept, library=self._library))

    def _segments(self, labels: ArrayLike) -> Iterator[tuple[Hashable, Self]]:
        """Yield each label, in sorted order, with its rows."""
        kept = None if self._kept is None else to_numpy(self._kept)
        y_true = self._columns.y_true
        for label, rows in grouped(labels, y_true.shape[0], kept=kept).items():
            columns = self._columns.take(from_numpy(rows, y_true))
            if columns.weight is not None and not bool(namespace(columns.weight).any(columns.weight > 0)):
                raise ArgumentError(f"`sample_weight` must be positive for some row of the label {label!r}.")
            yield label, self._of(columns)

    def _in_unit(self, factor: float) -> Self:
        """Express the rows in another unit of y."""
        return self._of(self._columns.map_values(lambda column: column * factor))

    def _of(self, columns: RowArrays) -> Self:
        """Make intervals of some of these rows; only sums beyond float64 can be wrong with them."""
        summary = summarize(columns)
        if summary is None:
            raise arguments.overflow()
        return type(self)(columns, summary, None, self._library)
