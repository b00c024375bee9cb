"""Two models with other levels of quantiles, laid out so that their rows can be exchanged.

The parameter of each model becomes its mean half width, which its curve does not depend on. At every width at
which one of the two has a pair, both get one: bounds are linear between pairs, so that nothing changes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from uccurve._base.arrays import namespace
from uccurve.formulas.tolerances import ROUNDING
from uccurve.intervals import NestedPairs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve.intervals import Intervals


def with_common_levels(models: Sequence[Intervals], weight: np.ndarray) -> tuple[Intervals, ...]:
    """Return plain models with pairs at the same mean half widths, given as shares of the largest one."""
    widths = [_mean_widths(model, weight) for model in models]
    largest = max(float(column[-1]) for column in widths)
    if min(float(column[-1]) for column in widths) == 0:
        return tuple(models)  # no bands at all: no width stands for a level
    shares = np.unique(np.concatenate([column / largest for column in widths]))
    shares = shares[shares > ROUNDING]
    shares = shares[np.append(np.diff(shares) > ROUNDING, values=True)]  # the last of those that are the same
    return tuple(
        _at_widths(model, column / largest, shares) for model, column in zip(models, widths, strict=True)
    )


def nested_of(plain: Intervals) -> NestedPairs:
    """Return the pairs of plain rows; the bounds as the only pair where there are no others."""
    nested = plain.rows.columns.nested
    return NestedPairs((1.0,), plain.y_pred, (plain.lower,), (plain.upper,)) if nested is None else nested


def half_widths(plain: Intervals) -> np.ndarray:
    """Return half the width of every pair: (rows, pairs)."""
    nested = nested_of(plain)
    columns = [(high - low) / 2 for low, high in zip(nested.lower, nested.upper, strict=True)]
    return np.stack(columns, axis=1)


def _mean_widths(plain: Intervals, weight: np.ndarray) -> np.ndarray:
    """Return the mean half width of every pair, which do not fall."""
    return np.maximum.accumulate(weight @ half_widths(plain) / float(weight.sum()))


def _at_widths(plain: Intervals, own: np.ndarray, shares: np.ndarray) -> Intervals:
    """Return the same nested intervals with pairs where their mean half width has the given shares."""
    nested, xp = nested_of(plain), namespace(plain.y_true)
    rising = np.append(0.0, own)
    kept = np.append(np.diff(rising) > ROUNDING, values=True)
    knots = np.append(0.0, nested.knots)
    parameters = np.interp(shares, rising[kept], knots[kept])
    parameters = np.where(shares > own[-1], shares / own[-1], parameters)
    bands = [nested.bands_at(xp, float(parameter), tails=True) for parameter in parameters]
    pairs = NestedPairs(
        tuple(shares.tolist()),
        nested.center,
        tuple(nested.center - lower for lower, _ in bands),
        tuple(nested.center + upper for _, upper in bands),
    )
    lower_band, upper_band = bands[-1]
    columns = plain.rows.columns._replace(
        y_pred=nested.center, lower_band=lower_band, upper_band=upper_band, nested=pairs
    )
    return plain.with_rows(columns)
