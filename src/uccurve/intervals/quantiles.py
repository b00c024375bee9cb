"""Quantiles: their levels, symmetric pairs of levels, their order, and the intervals between them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from uccurve._base import arguments
from uccurve._base.arguments import warn_caller
from uccurve._base.arrays import as_arrays, frozen, namespace
from uccurve.exceptions import (
    ArgumentError,
    CrossedBoundsError,
    PredictionOutsideError,
    ShapeError,
    SortedRowsWarning,
    UnpairedLevelsWarning,
)
from uccurve.formulas import bands
from uccurve.formulas.bands import Ladder
from uccurve.formulas.tolerances import SAME_LEVEL, SHORT_LEVEL
from uccurve.intervals.checks import NamedColumns
from uccurve.intervals.rules import has_fall

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from uccurve._base.type_aliases import Array, ArrayLike, Crossed, Namespace
    from uccurve.exceptions import InvalidRowsError

# The level of the median, which is its own partner.
MEDIAN = 0.5
_DECIMALS = 6
# What can be done about crossed rows.
CROSSED = ("raise", "sort")
_TAILS = tuple((100 - claim) / 200 for claim in (10, 20, 30, 40, 50, 60, 70, 80, 85, 90, 93, 95, 97, 98, 99))
# Levels of intervals that claim these percentages, closer together where quantiles bend, and the median.
DEFAULT_LEVELS = (*reversed(_TAILS), MEDIAN, *(arguments.complement(tail) for tail in _TAILS))


class Levels(NamedTuple):
    """Levels of quantiles, and which of them belong together: τ with 1 - τ.

    Attributes
    ----------
    given : tuple of float
        The levels in the order in which they were given.
    rising : tuple of float
        The same, sorted.
    pairs : tuple of pairs of float
        Levels with their partners, from the innermost pair to the outermost.
    median : float or None
        The level of the median, if it is among them.
    unpaired : tuple of float
        Levels without a partner, rising.

    Examples
    --------
    >>> levels = Levels.check([0.9, 0.1, 0.5, 0.05])
    >>> levels.pairs, levels.claims, levels.unpaired
    (((0.1, 0.9),), (0.8,), (0.05,))
    """

    given: tuple[float, ...]
    rising: tuple[float, ...]
    pairs: tuple[tuple[float, float], ...]
    median: float | None
    unpaired: tuple[float, ...]

    @classmethod
    def check(cls, levels: Sequence[float], name: str = "levels") -> Levels:
        """Check that levels are different numbers between 0 and 1; ``name`` is what the user calls them."""
        given = arguments.sequence(name, levels)
        checked = [_as_level(arguments.number(name, level, 0, 1, open_=True)) for level in given]
        if not checked:
            raise ArgumentError(argument=name, rule="contain one level or more", got="none")
        level, times = Counter(checked).most_common(1)[0]
        if times > 1:
            raise ArgumentError(argument=name, rule="be different levels", got=f"{level!r} more than once")
        return cls.of(checked)

    @classmethod
    def of(cls, levels: Iterable[float]) -> Levels:
        """Match each level below 0.5 with its partner above."""
        given = tuple(levels)
        rising = sorted(given)
        pairs, unpaired, median = [], [], None
        left = list(rising)
        while left:
            low, high = left[0], left[-1]
            beyond = low + high - 1
            if abs(beyond) > SAME_LEVEL:
                unpaired.append(left.pop(0 if beyond < 0 else -1))
            elif len(left) == 1:
                median = left.pop()
            else:
                pairs.append((low, high))
                left = left[1:-1]
        return cls(given, tuple(rising), tuple(reversed(pairs)), median, tuple(sorted(unpaired)))

    @property
    def claims(self) -> tuple[float, ...]:
        """The coverage that each pair claims, rising."""
        return tuple(round(high - low, 12) for low, high in self.pairs)


def _as_level(value: float) -> float:
    """Return the short decimal that a level stands for: 0.95 for 0.949999988, as float32 has it."""
    decimal = round(value, _DECIMALS)
    return decimal if abs(value - decimal) <= SHORT_LEVEL and 0 < decimal < 1 else value


def quantile_name(level: float) -> str:
    """Name a quantile in errors."""
    return f"quantile {_as_level(level)!r}"


class NestedPairs(NamedTuple):
    """Bounds at rising nominal coverages, with a center inside the innermost pair.

    Attributes
    ----------
    levels : tuple of float
        The nominal coverage of each pair, rising.
    center : array in the shape of the observations
        The median, or the midpoints of the innermost pair: the interval of nominal coverage 0.
    lower, upper : tuple of arrays in the shape of the observations
        The bounds, from the innermost pair to the outermost.
    unpaired : tuple of float
        Levels of quantiles that were given without a partner.
    with_median : bool
        Whether the center is a quantile of its own.
    """

    levels: tuple[float, ...]
    center: Array
    lower: tuple[Array, ...]
    upper: tuple[Array, ...]
    unpaired: tuple[float, ...] = ()
    with_median: bool = False

    @classmethod
    def of(cls, quantiles: Mapping[float, Array]) -> NestedPairs | None:
        """Return quantiles by level as nested pairs; None where no two levels are a pair."""
        levels = Levels.of(quantiles)
        if not levels.pairs:
            return None
        lower, upper = (tuple(quantiles[level] for level in side) for side in zip(*levels.pairs, strict=True))
        center = lower[0] + (upper[0] - lower[0]) / 2 if levels.median is None else quantiles[levels.median]
        has_median = levels.median is not None
        return cls(levels.claims, center, lower, upper, levels.unpaired, with_median=has_median)

    @property
    def knots(self) -> tuple[float, ...]:
        """The levels as shares of the largest one."""
        return tuple(level / self.levels[-1] for level in self.levels)

    def warn_unpaired(self) -> None:
        """Warn of levels without a partner, which are left out."""
        if self.unpaired:
            named = ", ".join(f"{level:g} (without {1 - level:g})" for level in self.unpaired)
            warn_caller(f'vary="level" leaves out levels without a partner: {named}.', UnpairedLevelsWarning)

    def map(self, function: Callable[[Array], Array]) -> NestedPairs:
        """Apply a function to every column."""
        lower, upper = (tuple(map(function, side)) for side in (self.lower, self.upper))
        return self._replace(center=function(self.center), lower=lower, upper=upper)

    def ladder(self, xp: Namespace, y_true: Array) -> Ladder:
        """Return the pairs as bands around the center, facing the observation and facing away."""
        return Ladder(xp, self.knots, self.center, y_true >= self.center, self.lower, self.upper)

    def bands(self) -> tuple[tuple[Array, ...], tuple[Array, ...]]:
        """Return the distances from the center to the lower and to the upper bounds."""
        lower = tuple(self.center - bound for bound in self.lower)
        return lower, tuple(bound - self.center for bound in self.upper)

    def bands_at(self, xp: Namespace, parameter: float, *, tails: bool) -> list[Array]:
        """Return the distances from the center to the lower and the upper bound at a parameter."""
        return [bands.band_at(xp, self.knots, side, parameter, tails=tails) for side in self.bands()]

    def bands_at_each(self, xp: Namespace, parameter: Array) -> list[Array]:
        """Return the same at a finite parameter of each row, with tails."""
        return [bands.band_at_each(xp, self.knots, side, parameter) for side in self.bands()]


def quantile_columns(
    y_true: ArrayLike,
    quantiles: ArrayLike,
    levels: Sequence[float],
    y_pred: ArrayLike | None,
    crossed: Crossed,
    pair: tuple[float, float] | None = None,
) -> NamedColumns:
    """Return the outermost quantiles as bounds, and the median as the prediction where none is given.

    With a pair of levels only these two and the median are taken; order is asked of all.
    """
    checked = Levels.check(levels)
    arguments.option("crossed", crossed, CROSSED)
    arrays = as_arrays(y_true=y_true, quantiles=quantiles, y_pred=y_pred)
    table, number = arrays["quantiles"], len(checked.given)
    if table is None or table.ndim not in (2, 3) or table.shape[-1] != number:
        raise ShapeError(
            argument="quantiles",
            rule=f"have the shape (n, {number}) or (n, outputs, {number}), one column per level",
            got=None if table is None else tuple(table.shape),
        )
    columns = [table[..., checked.given.index(level)] for level in checked.rising]
    if crossed == "sort":
        table, crossed_rows = sort_quantiles(namespace(table).stack(columns, axis=-1))
        warn_sorted(crossed_rows, "quantiles, which were sorted")
        columns = [table[..., place] for place in range(number)]
    # Columns of their own: of a table by rows, every pass would read the whole table.
    columns = [frozen(namespace(column).asarray(column, copy=True)) for column in columns]
    every = dict(zip(checked.rising, columns, strict=True))
    taken = every if pair is None else {level: every[level] for level in every if level in (*pair, MEDIAN)}
    bounding = bounding_levels(list(taken), with_prediction=y_pred is not None)
    remedy = 'Pass `crossed="sort"` to sort the quantiles of each row.'
    hints: dict[type[InvalidRowsError], str] = {CrossedBoundsError: remedy, PredictionOutsideError: remedy}
    if y_pred is not None:
        del hints[PredictionOutsideError]  # what the rule says
    return level_columns(arrays["y_true"], arrays["y_pred"], taken, bounding, hints, every)


def bounding_levels(rising: Sequence[float], *, with_prediction: bool) -> dict[str, float]:
    """Return the levels that bound an interval: the outermost two, or the outermost one of a limit.

    Levels on one side of the center make a limit, whose prediction comes from elsewhere.
    """
    low, high = rising[0], rising[-1]
    if low == high == MEDIAN:
        raise ArgumentError(argument="levels", rule=f"be different levels, and not {MEDIAN} alone", got=[low])
    if len(rising) > 1 and low <= MEDIAN <= high:
        return {"lower": low, "upper": high}
    if not with_prediction:
        rule = f"be passed where all levels lie on one side of {MEDIAN}, which makes a one-sided limit"
        raise ArgumentError(argument="y_pred", rule=rule, got=list(rising))
    return {"upper": high} if low > MEDIAN else {"lower": low}


def level_columns(
    y_true: Array,
    y_pred: Array | None,
    quantiles: Mapping[float, Array],
    bounding: Mapping[str, float],
    hints: dict[type[InvalidRowsError], str],
    ordered: Mapping[float, Array],
) -> NamedColumns:
    """Return the bounds at two levels, or the limit at one, with all pairs of quantiles.

    Parameters
    ----------
    y_true, y_pred : array of shape (n,) or (n, outputs)
        Observations and predictions; the median if there are none.
    quantiles : mapping of float to array
        Quantiles by rising level.
    bounding : mapping of role to float
        The levels of the bounds.
    hints : dict of error to str
        What to do about rows that break a rule.
    ordered : mapping of float to array
        The quantiles that must be finite and rise with their levels.
    """
    names = {role: quantile_name(level) for role, level in bounding.items()}
    if y_pred is None and MEDIAN in quantiles:
        y_pred, names["y_pred"] = quantiles[MEDIAN], quantile_name(MEDIAN)
    columns = {role: quantiles[level] for role, level in bounding.items()}
    return NamedColumns(
        {"y_true": y_true, "y_pred": y_pred, "lower": None, "upper": None, **columns},
        names,
        round(bounding.get("upper", 1) - bounding.get("lower", 0), 12),
        hints,
        NestedPairs.of(quantiles) if len(bounding) > 1 else None,
        {quantile_name(level): column for level, column in ordered.items()},
    )


def sort_quantiles(table: Array) -> tuple[Array, Array]:
    """Sort the quantiles of each row and output, the standard rearrangement; those with NaN stay as they are.

    Parameters
    ----------
    table : array of shape (n, levels) or (n, outputs, levels)
        Quantiles, the last axis by rising level.

    Returns
    -------
    ordered : array, same shape
        The quantiles in rising order.
    crossed : array of bool of shape (n,)
        The rows that were not.
    """
    xp = namespace(table)
    crossed = has_fall(*(table[..., place] for place in range(table.shape[-1])))
    ordered = xp.where(crossed[..., None], xp.sort(table, axis=-1, stable=False), table)
    return ordered, crossed if crossed.ndim == 1 else xp.any(crossed, axis=1)


def warn_sorted(crossed: Array, what: str) -> None:
    """Warn that rows were crossed, and say how many and what was done; nothing where there are none."""
    xp = namespace(crossed)
    count = int(xp.count_nonzero(crossed))
    if count:
        first = int(xp.nonzero(crossed)[0][0])
        warn_caller(SortedRowsWarning(count, crossed.shape[0], first, what))
