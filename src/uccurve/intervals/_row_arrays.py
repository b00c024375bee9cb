"""The columns of intervals, and blocks of their rows."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from uccurve._base.arrays import block_rows, namespace, widened
from uccurve.formulas import rows as kernel
from uccurve.formulas.rows import Rows as KernelRows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from uccurve._base.type_aliases import Array, Namespace, Side
    from uccurve.intervals._checked_rows import Summary
    from uccurve.intervals._nested_pairs import NestedPairs


class RowArrays(NamedTuple):
    """The columns of intervals, each of shape (n,) or (n, outputs), the weights of shape (n,)."""

    y_true: Array
    y_pred: Array
    lower_band: Array
    """The only band of a one-sided limit, whatever its side."""
    upper_band: Array | None
    """None for symmetric bands and one-sided limits."""
    weight: Any
    """None where no weights were given."""
    lower: Array | None
    """The bounds as given, or None if bands were given."""
    upper: Array | None
    side: Side = "both"
    """Where there is a bound."""
    nested: NestedPairs | None = None
    """All pairs of bounds, where there are more than these."""

    def map(self, function: Callable[[Array], Array]) -> RowArrays:
        """Apply a function to every column that is not None."""
        mapped: list[Any] = [None if column is None else function(column) for column in self[:7]]
        nested = None if self.nested is None else self.nested.map(function)
        return RowArrays._make([*mapped, self.side, nested])

    def as_kernel_rows(self, xp: Namespace, *, nested: bool = False) -> KernelRows:
        """Return the rows as the formulas see them; with all pairs around the center, if asked for."""
        if not nested or self.nested is None:
            rows = kernel.make(xp, *self[:5], side=self.side)
            return KernelRows(*(None if column is None else widened(column) for column in rows[:4]))
        ladder = self.nested.ladder(xp, self.y_true)
        return KernelRows(xp.abs(self.y_true - self.y_pred), ladder.active[-1], None, self.weight, ladder)

    def map_values(self, function: Callable[[Array], Array]) -> RowArrays:
        """Apply a function to every column except the weights."""
        return self._replace(weight=None).map(function)._replace(weight=self.weight)

    def take(self, index: Array) -> RowArrays:
        """Return the rows with the given numbers."""
        xp = namespace(self.y_true)
        return self.map(lambda column: xp.take(column, index, axis=0))

    def sliced(self, rows: slice) -> RowArrays:
        """Return a slice of the rows, without a copy where the arrays allow it."""
        return self.map(operator.itemgetter((rows, ...)))

    def output(self, number: int) -> RowArrays:
        """Return the columns of one output, each of shape (n,)."""
        return self.map_values(operator.itemgetter((slice(None), number)))

    def blocks(self, *, whole: bool = False) -> Iterator[RowArrays]:
        """Yield blocks of rows that fit a CPU cache, or all rows at once; outputs laid end to end."""
        flat, shape = self, self.y_true.shape
        if self.y_true.ndim > 1:
            xp = namespace(self.y_true)
            if self.weight is not None:
                by_output = xp.broadcast_to(xp.expand_dims(self.weight, axis=1), shape)
                flat = self._replace(weight=by_output)
            flat = flat.map(lambda column: xp.reshape(column, (-1,)))
        n = flat.y_true.shape[0]
        size = n if whole else block_rows(flat.y_true)
        for begin in range(0, n, size):
            yield flat.map(operator.itemgetter(slice(begin, min(begin + size, n))))


@dataclass(frozen=True, eq=False, slots=True)
class Rows:
    """The checked columns of intervals, their summary, and views of them for formulas.

    Attributes
    ----------
    columns : RowArrays
        Observations, predictions, bands, weights and bounds.
    summary : Summary
        Numbers about all rows, which the check computed.
    """

    columns: RowArrays
    summary: Summary

    @property
    def one_band(self) -> bool:
        """Whether one array holds all bands: both, or that of a one-sided limit."""
        return self.columns.upper_band is None

    def weighted(self) -> RowArrays:
        """Return the columns, with weights only where they differ."""
        return self.columns._replace(weight=None) if self.summary.equal_weights else self.columns

    def blocks(self, *, whole: bool = False, nested: bool = False) -> Iterator[KernelRows]:
        """Yield the rows as the formulas see them, leaving out those without weight."""
        xp = namespace(self.columns.y_true)
        columns = self.weighted() if nested else self.weighted()._replace(nested=None)
        for block in columns.blocks(whole=whole):
            rows = block.as_kernel_rows(xp, nested=nested)
            yield kernel.select(rows, rows.weight > 0) if self.summary.zero_weights else rows

    def bands_and_weights(self) -> tuple[Array, Any]:
        """Return the lower bands and the weights, laid out like the rows of `blocks`."""
        (flat,) = self.weighted().blocks(whole=True)
        if not self.summary.zero_weights:
            return widened(flat.lower_band), flat.weight
        counted = flat.weight > 0
        return widened(flat.lower_band[counted]), flat.weight[counted]
