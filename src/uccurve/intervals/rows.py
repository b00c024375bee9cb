"""The rows of intervals: their columns, blocks of them that fit a cache, and a summary of all."""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from uccurve._base import arguments
from uccurve._base.arrays import block_rows, namespace, widened
from uccurve.exceptions import ArgumentError
from uccurve.formulas import rows as kernel
from uccurve.formulas.gpu import RowSums, row_sums
from uccurve.formulas.rows import Rows as KernelRows
from uccurve.formulas.tolerances import ALMOST_SYMMETRIC, LARGEST, SMALLEST
from uccurve.intervals.rules import BANDS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from uccurve._base.type_aliases import Array, Side
    from uccurve.formulas.areas import AreaSums
    from uccurve.intervals.quantiles import NestedPairs


class RowArrays(NamedTuple):
    """The columns of intervals, each of shape (n,) or (n, outputs), the weights of shape (n,).

    Attributes
    ----------
    y_true, y_pred : array
        Observations and predictions.
    lower_band : array
        The only band of a one-sided limit, whatever its side.
    upper_band : array or None
        None for symmetric bands and one-sided limits.
    weight : array or None
        None where no weights were given.
    lower, upper : array or None
        The bounds as supplied, or None if bands were given.
    side : {"both", "upper", "lower"}
        Where there is a bound.
    nested : NestedPairs or None
        All pairs of bounds, where there are more than these.
    """

    y_true: Array
    y_pred: Array
    lower_band: Array
    upper_band: Array | None
    weight: Any
    lower: Array | None = None
    upper: Array | None = None
    side: Side = "both"
    nested: NestedPairs | None = None

    @classmethod
    def of(cls, arrays: Mapping[str, Any], side: Side) -> RowArrays:
        """Turn arrays by role into columns: bounds become bands, around midpoints without a prediction."""
        y_true, y_pred, weight = (arrays[role] for role in ("y_true", "y_pred", "sample_weight"))
        lower, upper = arrays.get("lower"), arrays.get("upper")
        if lower is None and upper is None:
            given = [arrays[role] for role in BANDS if arrays.get(role) is not None]
            return cls(y_true, y_pred, given[0], given[1] if len(given) > 1 else None, weight, side=side)
        with np.errstate(over="ignore", invalid="ignore"):
            if y_pred is None:
                lower, upper = widened(lower), widened(upper)  # a midpoint has more digits than its bounds
                middle = lower + (upper - lower) / 2
                # Half the width, or a rounding more: a bound that touches the observation is a hit.
                band = namespace(lower).maximum(middle - lower, upper - middle)
                return cls(y_true, middle, band, None, weight, lower, upper)
            if side == "both":
                return cls(y_true, y_pred, y_pred - lower, upper - y_pred, weight, lower, upper)
            band = upper - y_pred if side == "upper" else y_pred - lower
            return cls(y_true, y_pred, band, None, weight, lower, upper, side)

    @property
    def bands(self) -> tuple[Array, ...]:
        """The lower and the upper band, or the only one."""
        return (self.lower_band,) if self.upper_band is None else (self.lower_band, self.upper_band)

    def map(self, function: Callable[[Array], Array]) -> RowArrays:
        """Apply a function to every column that is not None."""
        mapped: list[Any] = [None if column is None else function(column) for column in self[:7]]
        nested = None if self.nested is None else self.nested.map(function)
        return RowArrays._make([*mapped, self.side, nested])

    def select(self, rows: slice | Array) -> RowArrays:
        """Return a slice of the rows, without a copy where arrays allow it, or rows by their numbers."""
        if isinstance(rows, slice):
            return self.map(operator.itemgetter((rows, ...)))
        xp = namespace(self.y_true)
        return self.map(lambda column: xp.take(column, rows, axis=0))

    def output(self, number: int) -> RowArrays:
        """Return the columns of one output, each of shape (n,)."""
        values = self._replace(weight=None).map(operator.itemgetter((slice(None), number)))
        return values._replace(weight=self.weight)

    def as_kernel_rows(self, *, nested: bool = False) -> KernelRows:
        """Return the rows as the formulas see them; with all pairs around the center, if asked for."""
        xp = namespace(self.y_true)
        if not nested or self.nested is None:
            rows = kernel.make(xp, *self[:5], side=self.side)
            return KernelRows(*(None if column is None else widened(column) for column in rows[:4]))
        ladder = self.nested.ladder(xp, self.y_true)
        return KernelRows(xp.abs(self.y_true - self.y_pred), ladder.active[-1], None, self.weight, ladder)

    def flatten(self) -> RowArrays:
        """Lay the outputs of all rows end to end."""
        xp, flat = namespace(self.y_true), self
        if self.weight is not None:
            by_output = xp.broadcast_to(xp.expand_dims(self.weight, axis=1), self.y_true.shape)
            flat = self._replace(weight=by_output)
        return flat.map(lambda column: xp.reshape(column, (-1,)))

    def blocks(self, *, whole: bool = False) -> Iterator[RowArrays]:
        """Yield blocks of rows that fit a CPU cache, or one of all rows; outputs are laid end to end."""
        flat = self if self.y_true.ndim == 1 else self.flatten()
        n = flat.y_true.shape[0]
        size = n if whole else block_rows(flat.y_true)
        for begin in range(0, n, size):
            yield flat.map(operator.itemgetter(slice(begin, min(begin + size, n))))


class Summary(NamedTuple):
    """Numbers about all rows, which the check of the rows computes anyway.

    Attributes
    ----------
    weight : float
        Sum of the weights over rows and outputs.
    width : float
        Mean half-width, or mean distance to a one-sided limit: the bandwidth of the intervals as supplied.
    error : float
        Mean absolute residual; of a one-sided limit, of its part that points to the limit.
    narrowest, widest : float
        Smallest and largest single band.
    zero_weights : bool
        Whether some rows have no weight.
    equal_weights : bool
        Whether all rows weigh the same, which is as if no weights were given.
    symmetric : bool
        Whether the bands of each row differ by at most `ALMOST_SYMMETRIC` of the mean band.
    constant : bool
        Whether all bands of an output are alike, up to the rounding of bounds, for every output.
    band_means : tuple of pairs of float
        The mean lower and the mean upper band of each output.
    ladder : tuple of pairs of float
        Parameter and bandwidth of each nested pair, where pairs move the operating point.
    areas : AreaSums or None
        Sums behind areas under scaling, where they came with the others.
    """

    weight: float
    width: float
    error: float
    narrowest: float
    widest: float
    zero_weights: bool
    equal_weights: bool
    symmetric: bool
    constant: bool
    band_means: tuple[tuple[float, float], ...]
    ladder: tuple[tuple[float, float], ...] = ()
    areas: AreaSums | None = None

    @property
    def widths(self) -> tuple[float, ...]:
        """The mean half-width of each output: its constant band."""
        return tuple((lower + upper) / 2 for lower, upper in self.band_means)


@dataclass(frozen=True, eq=False, slots=True)
class Rows:
    """The checked columns of intervals, their summary, and views of them for formulas.

    Attributes
    ----------
    columns : RowArrays
        Observations, predictions, bands, weights and bounds; those of NumPy are read-only.
    summary : Summary
        Numbers about all rows, which the check computed.
    """

    columns: RowArrays
    summary: Summary

    @classmethod
    def of(cls, columns: RowArrays) -> Rows:
        """Summarize columns that follow from checked ones; a factor may have made them infinite."""
        summary = summarize(columns)
        if summary is None:
            raise arguments.overflow()
        return cls(columns, summary)

    def blocks(self, *, whole: bool = False, nested: bool = False) -> Iterator[KernelRows]:
        """Yield the rows as the formulas see them, leaving out those without weight."""
        weight = None if self.summary.equal_weights else self.columns.weight
        columns = self.columns._replace(lower=None, upper=None, weight=weight)  # formulas take bands
        for block in columns.blocks(whole=whole):
            rows = block.as_kernel_rows(nested=nested)
            yield kernel.select(rows, rows.weight > 0) if self.summary.zero_weights else rows


def are_in_range(columns: Iterable[Array | None]) -> bool:
    """Whether all values are finite, and 0 or of a legal size; a look at each, without the rules."""
    for column in columns:
        if column is None:
            continue
        xp, n, size = namespace(column), column.shape[0], block_rows(column)
        for begin in range(0, n, size):
            block = xp.abs(column[begin : min(begin + size, n), ...])
            if not float(xp.max(block)) <= LARGEST:
                return False
            if float(xp.min(block)) < SMALLEST and bool(xp.any((block > 0) & (block < SMALLEST))):
                return False
    return True


def summarize(columns: RowArrays, given: Collection[Array | None] = ()) -> Summary | None:
    """Summarize the rows, or return None if some row breaks a rule.

    A sum is finite only if all its terms are, and a minimum is NaN if any value is: the sums and
    extremes that the summary needs check the rows as well. Arrays that were ``given``, and not checked
    before, must be in range too; a GPU sees to it in the one read in which it adds up all rows.
    """
    xp, shape, weight = namespace(columns.y_true), columns.y_true.shape, columns.weight
    is_plain = columns.side == "both" and weight is None and not isinstance(columns.y_true, np.ndarray)
    fused = row_sums(*columns[:4]) if given and is_plain else None
    if fused is None and not are_in_range(given):
        return None
    total, lightest = float(math.prod(shape)), 1.0
    if weight is not None:
        lightest = float(xp.min(weight))
        if 0 < lightest == float(xp.max(weight)):
            return summarize(columns._replace(weight=None))
        total *= float(xp.sum(weight)) / shape[0]
    parts = [_sum_rows(block) for block in columns.blocks()] if fused is None else [fused]
    if lightest < 0 or not all(parts):
        return None
    errors, bands, lows, highs, asymmetry, areas = zip(*parts, strict=True)
    error, widths = math.fsum(errors), [math.fsum(side) for side in zip(*bands, strict=True)]
    if not all(map(math.isfinite, (error, *widths, total))):
        return None
    if total == 0:
        raise ArgumentError(argument="sample_weight", rule="have a positive sum", got="0")
    low = [min(side) for side in zip(*lows, strict=True)]
    high = [max(side) for side in zip(*highs, strict=True)]
    # A mean lies between the extremes. Clipping it makes the mean of a constant exactly that constant.
    means = [min(max(w / total, a), b) for w, a, b in zip(widths, low, high, strict=True)]
    width = sum(means) / len(means)
    band_means: tuple[tuple[float, float], ...] = ((means[0], means[-1]),)
    rounding = 2 * float(xp.finfo(columns.lower_band.dtype).eps)
    # Bands that were given are exact up to their two last places.
    constant = max(high) - rounding * max(high) <= min(low) + rounding * min(low)
    if columns.lower is not None or columns.upper is not None:
        constant = _are_alike(columns, rounding)
    if len(shape) > 1:
        each = [output for place in range(shape[1]) if (output := summarize(columns.output(place)))]
        constant = all(output.constant for output in each)
        band_means = tuple(output.band_means[0] for output in each)
    return Summary(
        weight=total,
        width=width,
        error=error / total,
        narrowest=min(low),
        widest=max(high),
        zero_weights=lightest == 0,
        equal_weights=weight is None,
        symmetric=max(asymmetry) <= ALMOST_SYMMETRIC * width,
        constant=constant,
        band_means=band_means,
        areas=areas[0],
    )


def _sum_rows(block: RowArrays) -> RowSums | None:
    """Return sums and extremes of some rows, or None if a band is below 0 or NaN."""
    xp, weight = namespace(block.y_true), block.weight
    bands = [widened(band) for band in block.bands]
    if not all(bool(xp.min(band) >= 0) for band in bands):
        return None
    is_limit = block.side != "both"
    error = block.as_kernel_rows().abs_error if is_limit else widened(xp.abs(block.y_true - block.y_pred))
    sums = [float(xp.sum(column if weight is None else column * weight)) for column in (error, *bands)]
    with np.errstate(invalid="ignore"):  # of infinite bands, which the sums tell
        asymmetry = 0.0 if len(bands) == 1 else float(xp.max(xp.abs(bands[1] - bands[0])))
    lows, highs = [math.inf] * len(bands), [-math.inf] * len(bands)
    if weight is not None and not bool(xp.all(weight > 0)):  # rows without weight do not affect the extremes
        bands = [band[weight > 0] for band in bands]
    if bands[0].shape[0] > 0:
        lows, highs = ([float(extreme(band)) for band in bands] for extreme in (xp.min, xp.max))
    return RowSums(sums[0], tuple(sums[1:]), tuple(lows), tuple(highs), asymmetry, None)


def _are_alike(columns: RowArrays, relative: float) -> bool:
    """Whether some width lies within the rounding of every band that follows from bounds.

    Such a band is as exact as its own row: ``relative`` to the prediction and to itself. A rounding beyond
    thrice its root, relative to the band, is not negligible: bands then count as supplied, and it is 0.
    """
    xp = namespace(columns.y_true)
    least, most = -math.inf, math.inf
    for block in columns.blocks():
        counted = block if block.weight is None else block.map(operator.itemgetter(block.weight > 0))
        for band in counted.bands if counted.y_true.shape[0] else ():
            rounding = relative * (xp.abs(counted.y_pred) + band)
            rounding = xp.where(rounding <= math.sqrt(8 * relative) * band, rounding, xp.zeros_like(band))
            least = max(least, float(xp.max(band - rounding)))
            most = min(most, float(xp.min(band + rounding)))
        if least > most:
            return False
    return True
