r"""Curves of tiny or huge rows in a unit of their own, where products of costs stay within float64.

Areas against the miss rate have the unit of y, those against the deficit its square; means over a range of
deficits have the unit of y again. Under `scale`, bands may be multiplied by any number besides: that
changes the parameter and nothing else.
"""

from __future__ import annotations

import contextlib
import math
from typing import TYPE_CHECKING, Any, NamedTuple

from uccurve._base.arrays import namespace
from uccurve.curve import _curve_areas
from uccurve.curve._ranges import in_unit, unit_factor
from uccurve.exceptions import InvalidRowsError, UnitOverflowError, UnreachableError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from uccurve._base.type_aliases import Partial, X, Y
    from uccurve.curve._curve import Curve
    from uccurve.intervals import Intervals

_USUAL = 2.0**300
"""Mean residuals and bands within it and its reciprocal need no other unit."""
_USUAL_PRODUCTS = 2.0**200
"""The same of mean residuals whose products are looked at."""
_LARGEST = 850
"""The binary exponent that no number exceeds in another unit: weighted sums of many must not overflow."""
_SURE = 1e280
"""Areas within it and its reciprocal are sums that lost nothing."""
_LOST = 2.0**20
"""A constant band so much wider than the residuals leaves few digits of them under `shift`."""


class _NormalForm(NamedTuple):
    """A curve in another unit."""

    curve: Curve
    unit: float
    """What observations, predictions and bands were multiplied by, a power of two."""
    scale: float
    """What bands were multiplied by besides, a power of two."""

    @property
    def enlarges(self) -> bool:
        """Whether no number becomes smaller, so that none is lost."""
        return self.unit >= 1 and self.scale * self.unit >= 1

    def area(self, x: X, y: Y, partial: Partial, axis: str | None, given: Mapping[str, Any]) -> float:
        """Return an area in the unit of the rows."""
        area = _curve_areas.area(self.curve._data, x, y, partial, axis, self._range(given))
        squared = y == "deficit" and partial == "strip"
        return area / self.unit / self.unit if squared else area / self.unit

    def _range(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Express a range on this curve."""
        found = in_unit(given, self.unit, self.curve._data.family)
        if self.scale != 1 and "parameter" in found:
            found["parameter"] = tuple(end / self.scale for end in found["parameter"])
        return found


def area(curve: Curve, x: X, y: Y, partial: Partial, axis: str | None, given: Mapping[str, Any]) -> float:
    """Return the area over a range on an axis, in the unit of the rows; infinite beyond float64.

    Usual rows are looked at in their own unit, tiny ones in the unit of their mean residual. Others are where
    their own unit holds the area: rows that are hundreds of orders of magnitude smaller would be lost.
    """
    form = _normal_form(curve)
    if form is None:
        return _curve_areas.area(curve._data, x, y, partial, axis, given)
    own = None
    if not form.enlarges and (y == "miss_rate" or form.unit <= 1):
        own = _curve_areas.area(curve._data, x, y, partial, axis, given)
        if 1 / _SURE < own < _SURE or math.isnan(own):
            return own
    try:
        return form.area(x, y, partial, axis, given)
    except (UnitOverflowError, UnreachableError):  # of that unit
        return _curve_areas.area(curve._data, x, y, partial, axis, given) if own is None else own


def closed_gain(curve: Curve, y: Y) -> float:
    """Return the full gain of bandwidth against y, in the unit of the rows where that holds it."""
    try:
        return _curve_areas.closed_gain(curve._data, y)
    except UnitOverflowError:
        form = _normal_form(curve)
        if form is None:
            raise
        with contextlib.suppress(UnreachableError):  # in that unit only
            return _curve_areas.closed_gain(form.curve._data, y)
        raise


def unit_of_gain(curve: Curve, y: Y) -> float:
    """Return the factor to a unit of y in which products of two costs stay within float64; 1 if they do.

    Against the miss rate there are none, but shares of a tiny cost have few digits.
    """
    error, rows = curve._data.summary.error, curve._rows
    factor = unit_factor(error, _USUAL_PRODUCTS)
    if factor != 1 and rows is not None:
        factor = _factor(error, _largest(rows))
    return factor if y == "deficit" else max(factor, 1.0)


def _normal_form(curve: Curve) -> _NormalForm | None:
    """Return the curve in a unit near its mean residual; None where its own unit does as well."""
    rows, summary = curve._rows, curve._data.summary
    usual = all(size == 0 or 1 / _USUAL < size < _USUAL for size in (summary.error, summary.width))
    if rows is None or usual:
        return None
    proportional = curve._data.family.proportional
    size = summary.error if proportional else max(summary.error, summary.width)
    unit = _factor(size, _largest(rows))
    try:
        inner = rows._in_unit(unit)
        scale = _factor(inner._summary.width, inner._summary.widest) if proportional else 1.0
        inner = inner if scale == 1 else inner.scaled(scale)
    except InvalidRowsError:  # beyond float64 in that unit
        return None
    if unit == scale == 1:
        return None
    made: Callable[..., Curve] = type(curve)
    return _NormalForm(made(inner, vary=curve.vary, tails=curve.tails), unit, scale)


def _factor(size: float, largest: float) -> float:
    """Return the power of two that brings a size near 1, or as near as keeps the largest within float64."""
    return min(unit_factor(size, 2.0), math.ldexp(1.0, min(_LARGEST - math.frexp(largest)[1], 1023)))


def _largest(rows: Intervals) -> float:
    """Return the largest number in the rows."""
    xp, columns = namespace(rows.y_true), rows._columns
    numbers = (columns.y_true, columns.y_pred, columns.lower_band, columns.upper_band)
    return max(float(xp.max(xp.abs(column))) for column in numbers if column is not None)


def gains_nothing(curve: Curve, x: X) -> bool:
    """Whether the bands are the constant band, and need some width."""
    return x == "bandwidth" and curve.reference is curve and curve._data.summary.error > 0


def null_reference(curve: Curve, given: Mapping[str, Any]) -> Curve:
    """Return the curve of the constant band.

    Under `shift` constant bands of any width have the same costs, at other parameters. The narrowest one
    keeps all digits of residuals that are far smaller than the band.
    """
    reference, summary = curve.reference, curve._data.summary
    rows = reference._rows
    family = curve._data.family
    if family.proportional or family.nested or rows is None or "parameter" in given or reference is curve:
        return reference
    if summary.width <= _LOST * summary.error:
        return reference
    made: Callable[..., Curve] = type(reference)
    return made(rows.shifted(-min(reference._data.summary.widths)), vary=family.name)
