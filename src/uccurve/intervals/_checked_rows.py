"""From arguments to checked rows: what all constructors of `Intervals` share."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from uccurve._base import arguments
from uccurve._base.arrays import block_rows, namespace
from uccurve._kernels import rows as kernel
from uccurve.exceptions import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from uccurve._base.type_aliases import Array, Invalid, Namespace


_ROUNDING = 2.0**-49
"""What the difference of two rounded numbers can be off by, relative to their size."""


class RowArrays(NamedTuple):
    """The columns of intervals, each of shape (n,) or (n, outputs), the weights of shape (n,)."""

    y_true: Array
    y_pred: Array
    lower_band: Array
    upper_band: Array | None
    """None for symmetric bands."""
    weight: Any
    lower: Array | None
    """The bounds as given, or None if bands were given."""
    upper: Array | None

    def map(self, function: Callable[[Array], Array]) -> RowArrays:
        """Apply a function to every column there is."""
        return RowArrays(*(None if column is None else function(column) for column in self))

    def blocks(self, *, whole: bool = False) -> Iterator[RowArrays]:
        """Yield blocks of rows that fit a CPU cache, or all rows at once; outputs laid end to end."""
        flat, shape = self, self.y_true.shape
        if self.y_true.ndim > 1:
            xp = namespace(self.y_true)
            weight = self.weight
            if weight is not None:
                flat = self._replace(weight=xp.broadcast_to(xp.expand_dims(weight, axis=1), shape))
            flat = flat.map(lambda column: xp.reshape(column, (-1,)))
        n = flat.y_true.shape[0]
        size = n if whole else block_rows(flat.y_true)
        for begin in range(0, n, size):
            part = slice(begin, min(begin + size, n))
            yield flat.map(lambda column, part=part: column[part])  # type: ignore[misc]


class Summary(NamedTuple):
    """Numbers about all rows that the check at the door finds anyway."""

    weight: float
    """Sum of the weights over rows and outputs."""
    width: float
    """Mean half width: the bandwidth of the intervals as given."""
    error: float
    """Mean absolute residual."""
    narrowest: float
    """Smallest single band."""
    widest: float
    """Largest single band."""
    zero_weights: bool
    """Whether some rows have no weight."""
    equal_weights: bool
    """Whether all rows weigh the same, which is as if no weights were given."""
    symmetric: bool
    """Whether both bands of every row are alike, up to the rounding of bounds."""
    constant: bool
    """Whether all bands of all rows are alike, up to the rounding of bounds."""


class Checked(NamedTuple):
    """What a constructor of `Intervals` hands over."""

    columns: RowArrays
    summary: Summary
    kept: Array | None
    """The numbers of the rows that were kept, None if that is all of them."""


def from_bounds(
    arrays: dict[str, Any],
    invalid: Invalid,
    *,
    name: str = "y_pred",
    lower: str = "lower",
    upper: str = "upper",
) -> Checked:
    """Turn bounds into bands, and check the rows; the names are those of the user's arguments."""
    low, high, prediction = arrays[lower], arrays[upper], arrays[name]
    check = arguments.Checker(arrays)
    given = ["y_true", lower, upper] if prediction is None else ["y_true", name, lower, upper]

    def rules() -> list[arguments.Rule]:
        inside = [] if prediction is None else [check.inside(name, lower, upper)]
        return [
            *map(check.finite, given),
            check.ordered(lower, upper),
            *inside,
            *check.weights(),
            check.in_range("the residual", "y_true", given[1]),
            check.in_range("the width", upper, lower),
        ]

    with np.errstate(over="ignore", invalid="ignore"):
        if prediction is None:
            # Half the width, or a rounding more: a bound that touches the observation is a hit.
            xp = namespace(low)
            middle = low + (high - low) / 2
            columns = (middle, xp.maximum(middle - low, high - middle), None)
        else:
            columns = (prediction, prediction - low, high - prediction)
    return _check(
        RowArrays(arrays["y_true"], *columns, arrays["sample_weight"], low, high), check, rules, invalid
    )


def from_bands(
    arrays: dict[str, Any],
    invalid: Invalid,
    *,
    name: str = "y_pred",
    lower: str = "lower_band",
    upper: str = "upper_band",
) -> Checked:
    """Check rows given by bands; without the upper one they are symmetric."""
    check = arguments.Checker(arrays)
    bands = [lower] if arrays.get(upper) is None else [lower, upper]

    def rules() -> list[arguments.Rule]:
        return [
            *map(check.finite, ["y_true", name, *bands]),
            *map(check.not_negative, bands),
            *check.weights(),
            check.in_range("the residual", "y_true", name),
        ]

    columns = RowArrays(
        arrays["y_true"], arrays[name], arrays[lower], arrays.get(upper), arrays["sample_weight"], None, None
    )
    return _check(columns, check, rules, invalid)


def _check(
    columns: RowArrays, check: arguments.Checker, rules: Callable[[], list[arguments.Rule]], invalid: Invalid
) -> Checked:
    """Look at every value once, in cache; consult the rules only if something is wrong."""
    arguments.option("invalid", invalid, ("raise", "drop"))
    summary, kept = summarize(columns), None
    if summary is None:
        keep = check.enforce(rules(), invalid)
        if keep is not None:
            xp = namespace(keep)
            kept = xp.nonzero(keep)[0]
            columns = columns.map(lambda column: xp.take(column, kept, axis=0))
            summary = summarize(columns)
    if summary is None:
        raise arguments.overflow()
    return Checked(columns, summary, kept)


def summarize(columns: RowArrays) -> Summary | None:
    """Find the numbers of a `Summary`, or return None if some row breaks a rule.

    A sum is finite only if all its terms are, and a minimum is NaN if any value is: sums and
    extremes, which are needed anyway, check the rows as a by-product.
    """
    parts = [_summarize_block(block) for block in columns.blocks()]
    if not all(parts):
        return None
    sums, lows, highs, weights, symmetric, reach = zip(*parts, strict=True)
    try:
        error, *widths, total = [math.fsum(column) for column in zip(*sums, strict=True)]
    except (OverflowError, ValueError):
        return None
    if not all(map(math.isfinite, (error, *widths, total))):
        return None
    if total == 0:
        raise ArgumentError("`sample_weight` must have a positive sum, got 0.")
    lightest, heaviest = min(low for low, _ in weights), max(high for _, high in weights)
    if columns.weight is not None and lightest == heaviest:
        return summarize(columns._replace(weight=None))
    low = [min(column) for column in zip(*lows, strict=True)]
    high = [max(column) for column in zip(*highs, strict=True)]
    # A mean lies between the extremes. Holding it there makes the mean of a constant that constant.
    means = [min(max(w / total, a), b) for w, a, b in zip(widths, low, high, strict=True)]
    return Summary(
        weight=total,
        width=sum(means) / len(means),
        error=error / total,
        narrowest=min(low),
        widest=max(high),
        zero_weights=lightest == 0,
        equal_weights=columns.weight is None,
        symmetric=all(symmetric),
        constant=max(high) - min(low) <= _ROUNDING * (max(reach) + max(high)),
    )


class _Block(NamedTuple):
    sums: list[float]
    lows: list[float]
    highs: list[float]
    weights: tuple[float, float]
    symmetric: bool
    reach: float
    """The largest prediction in size where bounds were given, which rounds them; else 0."""


def _summarize_block(block: RowArrays) -> _Block | None:
    """Add up errors, bands and weights, and find the extremes of the bands of rows with weight."""
    xp, weight = namespace(block.y_true), block.weight
    with np.errstate(over="ignore", invalid="ignore"):
        error = xp.abs(block.y_true - block.y_pred)
        bands = [band for band in (block.lower_band, block.upper_band) if band is not None]
        sums = [kernel.total(xp, column, weight) for column in (error, *bands)]
        extremes = (1.0, 1.0) if weight is None else (float(xp.min(weight)), float(xp.max(weight)))
        sums.append(float(error.shape[0]) if weight is None else float(xp.sum(weight)))
        if not (extremes[0] >= 0 and all(bool(xp.min(band) >= 0) for band in bands)):
            return None
        if extremes[0] == 0 < extremes[1]:
            bands = [band[weight > 0] for band in bands]
        lows, highs = ([float(extreme(band)) for band in bands] for extreme in (xp.min, xp.max))
    if extremes[1] == 0:  # a block without weight has no say in the extremes
        lows, highs = [math.inf] * len(bands), [-math.inf] * len(bands)
    return _Block(sums, lows, highs, extremes, *_rounding(xp, block))


def _rounding(xp: Namespace, block: RowArrays) -> tuple[bool, float]:
    """Return whether bands differ by no more than bounds are rounded, and how large predictions are."""
    if block.upper_band is None:
        return True, 0.0
    size = xp.abs(block.y_pred)
    apart = xp.abs(block.upper_band - block.lower_band)
    rounding = _ROUNDING * size + _ROUNDING * block.lower_band + _ROUNDING * block.upper_band
    return bool(xp.all(apart <= rounding)), float(xp.max(size))
