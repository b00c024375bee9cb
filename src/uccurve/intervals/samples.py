"""Draws of predictive distributions, and distributions of other libraries: from either to bounds."""

from __future__ import annotations

import math
import sys
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base import arguments
from uccurve._base.arguments import warn_caller
from uccurve._base.arrays import as_arrays, namespace
from uccurve.exceptions import (
    ArgumentError,
    ArgumentTypeError,
    CrossedBoundsError,
    InvalidRowsError,
    NonFiniteError,
    PredictionOutsideError,
    ShapeError,
    TooFewDrawsWarning,
)
from uccurve.intervals.checks import ONE_DEVIATION, NamedColumns, load
from uccurve.intervals.quantiles import (
    DEFAULT_LEVELS,
    MEDIAN,
    Levels,
    bounding_levels,
    level_columns,
    quantile_name,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve._base.type_aliases import Array, ArrayLike

_FEWEST_DRAWS = 2
_REMEDY = "Look at the parameters of `distribution` in these rows."


def draw_columns(
    y_true: ArrayLike,
    samples: ArrayLike,
    axis: int,
    levels: Sequence[float] | None,
    y_pred: ArrayLike | None,
) -> NamedColumns:
    """Return the standard deviation of the draws as the band, or their outermost quantiles as bounds."""
    arrays = as_arrays(y_true=y_true, samples=samples, y_pred=y_pred)
    observed, center = arrays["y_true"], arrays["y_pred"]
    draws = draws_first(arrays["samples"], axis, observed)
    xp, names = namespace(draws), {} if y_pred is not None else {"y_pred": "mean of samples"}
    with np.errstate(over="ignore", invalid="ignore"):
        lowest, highest = xp.min(draws, axis=0), xp.max(draws, axis=0)
        if center is None:  # rounding may leave the range of the draws
            center = xp.clip(xp.mean(draws, axis=0), lowest, highest)
        if levels is None:
            std = xp.std(draws, axis=0)
            std = xp.where(lowest == highest, xp.zeros_like(std), std)  # exactly, where all are equal
            values = {"y_true": observed, "y_pred": center, "std": std}
            return NamedColumns(values, {**names, "std": "std of samples"}, ONE_DEVIATION, {})
        reached = _reached(Levels.check(levels).rising, int(draws.shape[0]))
        ordered = xp.sort(draws, axis=0, stable=False)
        if bool(xp.any(xp.isnan(lowest))):  # which would be sorted to one end
            ordered = xp.where(xp.isnan(lowest), xp.full_like(ordered, math.nan), ordered)
        quantiles = {level: _order_statistic(ordered, level) for level in sorted({*reached, MEDIAN})}
    bounding = bounding_levels(reached, with_prediction=True)
    hint = "Pass `y_pred=None` to use the mean of the draws."
    if y_pred is None:
        hint = "Pass `levels` farther from the center, or `y_pred`."
    columns = level_columns(observed, center, quantiles, bounding, {PredictionOutsideError: hint}, quantiles)
    return columns._replace(names={**columns.names, **names})


def _reached(levels: Sequence[float], draws: int) -> list[float]:
    """Return the levels that the draws reach, and warn of the others; raise if they bound something else.

    A level below 1 / (m + 1), or above m / (m + 1), lies beyond all of m draws: 0.05 takes 19, as does 0.95.
    """
    takes = {level: math.ceil(1 / min(_decimal(level), 1 - _decimal(level))) - 1 for level in levels}
    reached = [level for level in levels if takes[level] <= draws]
    if len(reached) == len(levels):
        return reached
    beyond = [level for level in levels if takes[level] > draws]
    needed = ", ".join(f"{level:.12g} takes {takes[level]} draws" for level in beyond)
    sides, wanted = ({level > MEDIAN for level in some if level != MEDIAN} for some in (reached, levels))
    if sides != wanted:
        ends = f"{1 / (draws + 1):.3g} to {draws / (draws + 1):.3g}"
        raise ArgumentError(argument="levels", rule=f"be in reach of {draws} draws, {ends}, but {needed}")
    warn_caller(f"{draws} draws do not reach all `levels`; left out: {needed}.", TooFewDrawsWarning)
    return reached


def _order_statistic(ordered: Array, level: float) -> Array:
    r"""Interpolate linearly between the draws whose levels are next to the given one.

    Of m draws, sorted along the first axis, the j-th has the level :math:`j / (m + 1)`: a new draw falls
    below it with that probability, so that intervals between such levels cover what they claim.
    """
    last = int(ordered.shape[0]) - 1
    position = _decimal(level) * (last + 2) - 1
    below = min(int(position), last - 1)
    share = float(position - below)
    if share == 0:  # also where the next draw is infinite
        return ordered[below, ...]
    return ordered[below, ...] + (ordered[below + 1, ...] - ordered[below, ...]) * share


def _decimal(level: float) -> Fraction:
    """Return the decimal that a level stands for: 1 - 0.95 stands for 0.05."""
    return Fraction(f"{level:.12g}")


def draws_first(samples: Array | None, axis: int, y_true: Any, fewest: int = _FEWEST_DRAWS) -> Array:
    """Return the samples with the draws along the first axis, once their shape fits the observations."""
    if y_true is None:
        raise ArgumentError(argument="y_true", rule="be passed", got="None")
    rows, shape = tuple(y_true.shape), () if samples is None else tuple(samples.shape)
    place = arguments.whole("axis", axis, -len(rows) - 1, len(rows)) % (len(rows) + 1)
    draws = shape[place : place + 1]
    if samples is None or sum(draws) < fewest or shape != (*rows[:place], *draws, *rows[place:]):
        expected = ", ".join(map(str, (*rows[:place], "draws", *rows[place:])))
        raise ShapeError(
            argument="samples",
            rule=f"have the shape ({expected}), as `y_true` implies, with {fewest} or more draws",
            got=shape,
            hint="Pass `axis` for draws along another axis.",
        )
    return samples if place == 0 else namespace(samples).moveaxis(samples, place, 0)


def distribution_columns(
    y_true: ArrayLike, distribution: Any, levels: Sequence[float] | None, y_pred: ArrayLike | None
) -> NamedColumns:
    """Return the outermost quantiles as bounds, the median as the prediction, and all pairs."""
    chosen = Levels.check(DEFAULT_LEVELS if levels is None else levels).rising
    bounding = bounding_levels(chosen, with_prediction=True)
    read = {level: _read_quantile(distribution, level) for level in sorted({*chosen, MEDIAN})}
    named = {quantile_name(level): column for level, column in read.items()}
    called = dict.fromkeys(named, "distribution")
    arrays = load({"y_true": y_true, "y_pred": y_pred, **named}, names=called, optional=("y_pred",))
    quantiles = {level: arrays[quantile_name(level)] for level in read}
    hints: dict[type[InvalidRowsError], str] = dict.fromkeys((NonFiniteError, CrossedBoundsError), _REMEDY)
    return level_columns(arrays["y_true"], arrays["y_pred"], quantiles, bounding, hints, quantiles)


def _read_quantile(distribution: Any, level: float) -> Any:
    """Read one quantile of every row, by `ppf` or `icdf`; what goes wrong in another library is named."""
    kind = type(distribution)
    is_torch = any(parent.__module__.partition(".")[0] == "torch" for parent in kind.__mro__)
    ppf = None if is_torch else getattr(distribution, "ppf", None)
    read = ppf if callable(ppf) else getattr(distribution, "icdf", None)
    if not callable(read):
        raise ArgumentTypeError(
            argument="distribution",
            rule="have a method `ppf` or `icdf` that returns each row's quantile at a level",
            got=kind.__name__,
        )
    number = np.float64(level)
    try:
        return read(sys.modules["torch"].as_tensor(number) if is_torch else number)
    except Exception as error:
        rule = f"give quantiles, but {kind.__name__} fails at the level {level:g}: {error!r}"
        raise ArgumentError(argument="distribution", rule=rule) from error
