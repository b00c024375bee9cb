"""From the arguments of a constructor to checked rows."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from uccurve._base import arguments, frames
from uccurve._base.arrays import namespace, widened
from uccurve.exceptions import ArgumentError
from uccurve.formulas import rows as kernel
from uccurve.formulas.gpu import row_sums
from uccurve.intervals import _alike_bands
from uccurve.intervals._array_rules import are_in_range, enforce, rise
from uccurve.intervals._named_arrays import load
from uccurve.intervals._row_arrays import RowArrays, Rows
from uccurve.intervals._row_rules import BANDS, BOUNDS
from uccurve.intervals._sides import SOME_INFINITE, bounded, some_infinite, without_infinite_numbers

if TYPE_CHECKING:
    from collections.abc import Mapping

    from uccurve._base.type_aliases import Array, ArrayLike, Invalid, Side
    from uccurve.exceptions import InvalidRowsError
    from uccurve.formulas.gpu import AreaSums, RowSums
    from uccurve.intervals._named_arrays import NamedColumns, Quantiles
    from uccurve.intervals._nested_pairs import NestedPairs


ALMOST_SYMMETRIC = 0.01
"""Share of the mean band by which two sides may differ and still be described as symmetric.

Numbers are always computed with the bands as given; this decides which ceiling and limit are shown.
"""


class Summary(NamedTuple):
    """Numbers about all rows, which the check of the rows computes anyway."""

    weight: float
    """Sum of the weights over rows and outputs."""
    width: float
    """Mean half width, or mean distance to a one-sided limit: the bandwidth of the intervals as given."""
    error: float
    """Mean absolute residual; of a one-sided limit, of its part that points to the limit."""
    narrowest: float
    """Smallest single band."""
    widest: float
    """Largest single band."""
    zero_weights: bool
    """Whether some rows have no weight."""
    equal_weights: bool
    """Whether all rows weigh the same, which is as if no weights were given."""
    symmetric: bool
    """Whether the bands of each row differ by at most `ALMOST_SYMMETRIC` of the mean band, or rounding."""
    constant: bool
    """Whether all bands of an output are alike, up to the rounding of bounds, for every output."""
    band_means: tuple[tuple[float, float], ...]
    """The mean lower and the mean upper band of each output."""
    ladder: tuple[tuple[float, float], ...] = ()
    """Parameter and bandwidth of each nested pair, where pairs move the operating point."""
    areas: AreaSums | None = None
    """Sums behind areas under scaling, where they came with the others."""

    @property
    def widths(self) -> tuple[float, ...]:
        """The mean half width of each output: its constant band."""
        return tuple((lower + upper) / 2 for lower, upper in self.band_means)


class CheckedRows(NamedTuple):
    """The fields of `Intervals`."""

    rows: Rows
    kept: Array | None
    """The numbers of the rows that were kept; None if none were dropped."""
    library: str | None
    """The frame library that the arguments come from."""
    nominal: float | None
    """The coverage that the intervals claim."""


def check_rows(
    values: Mapping[str, ArrayLike | None],
    sample_weight: ArrayLike | None,
    invalid: Invalid,
    *,
    names: Mapping[str, str] | None = None,
    library: str | None = None,
    nominal: float | None = None,
    hints: Mapping[type[InvalidRowsError], str] | None = None,
    side: Side | None = None,
    nested: NestedPairs | None = None,
    quantiles: Quantiles | None = None,
    own: bool = False,
) -> CheckedRows:
    """Turn the arguments of a constructor into rows that follow the rules.

    Parameters
    ----------
    values : mapping of role to array
        ``y_true``, ``y_pred``, and either ``lower`` and ``upper``, or ``std``, or ``lower_band`` and
        ``upper_band``. ``y_pred`` may be None beside bounds, and ``upper_band`` may be None. A bound that is
        None, or infinite in every row, makes a one-sided limit of the other one.
    sample_weight, invalid
        As in the constructors.
    names : mapping of role to str, optional
        What the user calls the columns, where it is not the role.
    library : str, optional
        The frame library that the arguments come from, where ``values`` do not show it.
    nominal : float, optional
        The coverage that the intervals claim.
    hints : mapping of error to str, optional
        What to do about rows that break a rule, where it is not what the rule itself says.
    side : {"both", "upper", "lower"}, optional
        Where there are bounds, if it is known. A one-sided limit then has ``lower_band`` as its only band.
    nested : NestedPairs, optional
        All pairs of bounds, which are kept beside these.
    quantiles : Quantiles, optional
        All quantiles, which must rise with their levels.
    own : bool
        Copy arrays that the caller could still change. Not needed to answer at once, or with own arrays.
    """
    optional = ("y_pred", *BOUNDS) if "lower" in values else BANDS[1:]
    columns = {**without_infinite_numbers(values), "sample_weight": sample_weight}
    arrays = load(columns, names=names, scalars=BANDS, optional=optional, own=own, rows=nested is None)
    if side is None:
        arrays, side = bounded(arrays, {role: (names or {}).get(role, role) for role in arrays})
    arguments.option("invalid", invalid, ("raise", "drop"))
    rows = with_bands(arrays, side)
    if nested is not None:
        xp, shape = namespace(rows.y_true), rows.y_true.shape
        rows = rows._replace(nested=nested.map(lambda column: xp.reshape(column, shape)))
    # Every value is looked at quickly, in cache. The rules are consulted only if something is wrong.
    fused = _summed_on_gpu(rows)
    fine = (fused is not None or are_in_range(arrays.values())) and (quantiles is None or rise(quantiles))
    summary, kept = summarize(rows, fused) if fine else None, None
    if summary is None:
        if some_infinite(arrays):
            hints = {**SOME_INFINITE, **(hints or {})}
        keep = enforce(arrays, names=names, invalid=invalid, hints=hints, quantiles=quantiles)
        if keep is not None:
            kept = namespace(keep).nonzero(keep)[0]
            rows = rows.take(kept)
        summary = summarize(rows)
    if summary is None:
        raise arguments.overflow()
    library = library or frames.library(*values.values())
    return CheckedRows(Rows(rows, summary), kept, library, nominal)


def check_columns(
    columns: NamedColumns,
    sample_weight: ArrayLike | None,
    invalid: Invalid,
    library: str | None = None,
    *,
    own: bool = False,
) -> CheckedRows:
    """Do the same for columns that were computed from other arguments."""
    return check_rows(
        columns.values,
        sample_weight,
        invalid,
        names=columns.names,
        library=library,
        nominal=columns.nominal,
        hints=columns.hints,
        nested=columns.nested,
        quantiles=columns.quantiles,
        own=own,
    )


def with_bands(arrays: Mapping[str, Any], side: Side) -> RowArrays:
    """Turn bounds into bands; without a prediction, take the midpoints."""
    y_true, y_pred, weight = (arrays[role] for role in ("y_true", "y_pred", "sample_weight"))
    if side != "both":
        return _with_limit(arrays, side)
    if "lower" not in arrays:
        lower_band = arrays["std"] if "std" in arrays else arrays["lower_band"]
        return RowArrays(y_true, y_pred, lower_band, arrays.get("upper_band"), weight, None, None)
    lower, upper = arrays["lower"], arrays["upper"]
    with np.errstate(over="ignore", invalid="ignore"):
        if y_pred is not None:
            return RowArrays(y_true, y_pred, y_pred - lower, upper - y_pred, weight, lower, upper)
        lower, upper = widened(lower), widened(upper)  # a midpoint has more digits than its bounds
        middle = lower + (upper - lower) / 2
        # Half the width, or a rounding more: a bound that touches the observation is a hit.
        band = namespace(lower).maximum(middle - lower, upper - middle)
        return RowArrays(y_true, middle, band, None, weight, lower, upper)


def _with_limit(arrays: Mapping[str, Any], side: Side) -> RowArrays:
    """Turn a one-sided limit into its band."""
    y_true, y_pred, weight, limit = (arrays.get(role) for role in ("y_true", "y_pred", "sample_weight", side))
    if limit is None:
        (band,) = (arrays[role] for role in BANDS[1:] if arrays.get(role) is not None)
        return RowArrays(y_true, y_pred, band, None, weight, None, None, side)
    with np.errstate(over="ignore", invalid="ignore"):
        if side == "upper":
            return RowArrays(y_true, y_pred, limit - y_pred, None, weight, None, limit, side)
        return RowArrays(y_true, y_pred, y_pred - limit, None, weight, limit, None, side)


def summarize(columns: RowArrays, fused: RowSums | None = None) -> Summary | None:
    """Summarize the rows, or return None if some row breaks a rule.

    A sum is finite only if all its terms are, and a minimum is NaN if any value is: the sums and
    extremes that the summary needs check the rows as well. What a GPU has added up already is ``fused``.
    """
    if fused is None:
        parts = [_summarize_block(block) for block in columns.blocks()]
    else:
        parts = [_block_of(fused, columns)]
    if not all(parts):
        return None
    sums, lows, highs, weights, symmetric, asymmetry, nearest = zip(*parts, strict=True)
    error, *widths, total = [math.fsum(column) for column in zip(*sums, strict=True)]
    if not all(map(math.isfinite, (error, *widths, total))):
        return None
    if total == 0:
        raise ArgumentError(argument="sample_weight", rule="have a positive sum", got="0")
    lightest, heaviest = min(low for low, _ in weights), max(high for _, high in weights)
    if columns.weight is not None and lightest == heaviest:
        return summarize(columns._replace(weight=None))
    low = [min(column) for column in zip(*lows, strict=True)]
    high = [max(column) for column in zip(*highs, strict=True)]
    # A mean lies between the extremes. Clipping it makes the mean of a constant exactly that constant.
    means = [min(max(w / total, a), b) for w, a, b in zip(widths, low, high, strict=True)]
    width = sum(means) / len(means)
    constant = max(least for least, _ in nearest) <= min(most for _, most in nearest)
    band_means: tuple[tuple[float, float], ...] = ((means[0], means[-1]),)
    if columns.y_true.ndim > 1:
        each = [summarize(columns.output(number)) for number in range(columns.y_true.shape[1])]
        constant = all(output is not None and output.constant for output in each)
        band_means = tuple(pair for output in each if output is not None for pair in output.band_means)
    return Summary(
        weight=total,
        width=width,
        error=error / total,
        narrowest=min(low),
        widest=max(high),
        zero_weights=lightest == 0,
        equal_weights=columns.weight is None,
        symmetric=all(symmetric) or max(asymmetry) <= ALMOST_SYMMETRIC * width,
        constant=constant,
        band_means=band_means,
        areas=None if fused is None else fused.areas,
    )


class _Block(NamedTuple):
    sums: list[float]
    lows: list[float]
    highs: list[float]
    weights: tuple[float, float]
    symmetric: bool
    """Whether the bands differ by no more than bounds are rounded."""
    asymmetry: float
    """The largest difference between the two bands of a row."""
    nearest: tuple[float, float]
    """The largest band less its rounding, and the smallest band plus its rounding: alike, if in order."""


def _summed_on_gpu(columns: RowArrays) -> RowSums | None:
    """Check and add up all rows at once, in one read, on a GPU that can; the sums of areas come with it."""
    if columns.side != "both" or columns.weight is not None:
        return None
    return row_sums(*columns[:4], _alike_bands.rounding_of(columns.lower_band))


def _block_of(sums: RowSums, columns: RowArrays) -> _Block:
    return _Block(
        sums=[sums.error, *sums.bands, float(columns.y_true.shape[0])],
        lows=list(sums.lowest),
        highs=list(sums.highest),
        weights=(1.0, 1.0),
        symmetric=sums.differing == 0,
        asymmetry=sums.asymmetry,
        nearest=_alike_bands.nearest(columns, min(sums.lowest), max(sums.highest)),
    )


def _summarize_block(block: RowArrays) -> _Block | None:
    """Return sums of errors, bands and weights, and the extremes of the bands of rows with weight."""
    xp, weight = namespace(block.y_true), block.weight
    error = widened(xp.abs(block.y_true - block.y_pred))
    if block.side != "both":
        if not math.isfinite(kernel.total(xp, error, weight)):
            return None  # also where it points away from the limit
        error = block.as_kernel_rows(xp).abs_error
    bands = [widened(band) for band in (block.lower_band, block.upper_band) if band is not None]
    sums = [kernel.total(xp, column, weight) for column in (error, *bands)]
    extremes = (1.0, 1.0) if weight is None else (float(xp.min(weight)), float(xp.max(weight)))
    sums.append(float(error.shape[0]) if weight is None else float(xp.sum(weight)))
    if not (extremes[0] >= 0 and all(bool(xp.min(band) >= 0) for band in bands)):
        return None
    if extremes[0] == 0 < extremes[1]:
        bands = [band[weight > 0] for band in bands]
    lows, highs = ([float(extreme(band)) for band in bands] for extreme in (xp.min, xp.max))
    nearest = _alike_bands.nearest(block, min(lows), max(highs))
    if extremes[1] == 0:  # a block without weight does not affect the extremes
        lows, highs = [math.inf] * len(bands), [-math.inf] * len(bands)
        nearest = -math.inf, math.inf
    return _Block(sums, lows, highs, extremes, *_alike_bands.asymmetry(xp, block), nearest)
