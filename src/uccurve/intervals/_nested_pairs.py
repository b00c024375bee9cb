"""Nested pairs of bounds: the central intervals of a predictive distribution."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from uccurve._base.caller_warnings import warn_caller
from uccurve.exceptions import (
    ArgumentError,
    UnpairedLevelsWarning,
)
from uccurve.formulas import bands
from uccurve.formulas.bands import Ladder

if TYPE_CHECKING:
    from collections.abc import Callable

    from uccurve._base.type_aliases import Array, Namespace
    from uccurve.intervals._row_arrays import RowArrays


class NestedPairs(NamedTuple):
    """Bounds at rising nominal coverages, with a center inside the innermost pair.

    Arrays have the shape of the observations.
    """

    levels: tuple[float, ...]
    """The nominal coverage of each pair, rising."""
    center: Array
    """The median, or the midpoints of the innermost pair: the interval of nominal coverage 0."""
    lower: tuple[Array, ...]
    """The lower bounds, from the innermost pair to the outermost."""
    upper: tuple[Array, ...]
    unpaired: tuple[float, ...] = ()
    """Levels of quantiles that were given without a partner."""
    with_median: bool = False
    """Whether the center is a quantile of its own."""

    @property
    def knots(self) -> tuple[float, ...]:
        """The levels as shares of the largest one."""
        return tuple(level / self.levels[-1] for level in self.levels)

    def map(self, function: Callable[[Array], Array]) -> NestedPairs:
        """Apply a function to every column."""
        lower, upper = (tuple(map(function, side)) for side in (self.lower, self.upper))
        return self._replace(center=function(self.center), lower=lower, upper=upper)

    def ladder(self, xp: Namespace, y_true: Array) -> Ladder:
        """Return the pairs as bands around the center, facing the observation and facing away."""
        return Ladder(xp, self.knots, self.center, y_true >= self.center, self.lower, self.upper)

    def bands_at(self, xp: Namespace, parameter: float, *, tails: bool) -> tuple[Array, Array]:
        """Return the distances from the center to the lower and the upper bound at a parameter."""
        lower, upper = (bands.band_at(xp, self.knots, side, parameter, tails=tails) for side in self.bands())
        return lower, upper

    def bands_at_each(self, xp: Namespace, parameter: Array) -> tuple[Array, Array]:
        """Return the same at a finite parameter of each row, with tails."""
        lower, upper = (bands.band_at_each(xp, self.knots, side, parameter) for side in self.bands())
        return lower, upper

    def bands(self) -> tuple[tuple[Array, ...], tuple[Array, ...]]:
        """Return the distances from the center to the lower and to the upper bounds."""
        lower = tuple(self.center - bound for bound in self.lower)
        upper = tuple(bound - self.center for bound in self.upper)
        return lower, upper


def centered(columns: RowArrays) -> RowArrays:
    """Return the outermost pair as bounds around the center.

    Raises
    ------
    ArgumentError
        If there are no pairs of quantiles.
    """
    nested = columns.nested
    if nested is None:
        raise ArgumentError(
            'vary="level" needs intervals that hold pairs of quantiles, such as 0.05 and 0.95',
            hint=(
                "Make them by from_quantiles, from_samples with `levels`, from_distribution, or from_frame "
                "with `quantiles`."
            ),
        )
    name_left_out(nested)
    lower, upper = nested.lower[-1], nested.upper[-1]
    return columns._replace(
        y_pred=nested.center,
        lower_band=nested.center - lower,
        upper_band=upper - nested.center,
        lower=lower,
        upper=upper,
        nested=nested._replace(unpaired=()),  # named once
    )


def name_left_out(nested: NestedPairs) -> None:
    """Warn of levels without a partner, which are left out."""
    if nested.unpaired:
        named = ", ".join(f"{level:g} (without {1 - level:g})" for level in nested.unpaired)
        warn_caller(f'vary="level" leaves out levels without a partner: {named}.', UnpairedLevelsWarning)
