"""From draws of the predictive distribution to bands or bounds."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base import arguments
from uccurve._base.arrays import as_arrays, namespace
from uccurve._base.caller_warnings import warn_caller
from uccurve.exceptions import ArgumentError, PredictionOutsideError, ShapeError, TooFewDrawsWarning
from uccurve.intervals._level_pairs import MEDIAN
from uccurve.intervals._named_arrays import NamedColumns
from uccurve.intervals._nominal_coverage import ONE_DEVIATION, claim_between
from uccurve.intervals._paired_levels import nested_quantiles
from uccurve.intervals._quantiles import quantile_name, ranked_levels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve._base.type_aliases import Array, ArrayLike, Namespace

_FEWEST_DRAWS = 2
_PAIR = 2


def draw_columns(
    y_true: ArrayLike,
    samples: ArrayLike,
    axis: int | None,
    levels: Sequence[float] | None,
    y_pred: ArrayLike | None,
) -> NamedColumns:
    """Return the standard deviation of the draws as the band, or their outermost quantiles as bounds."""
    arrays = as_arrays(y_true=y_true, samples=samples, y_pred=y_pred)
    values = {"y_true": arrays["y_true"], "y_pred": arrays["y_pred"]}
    draws = draws_first(arrays["samples"], axis, values["y_true"])
    xp, names, nominal, nested = namespace(draws), {}, ONE_DEVIATION, None
    hint = "Pass `y_pred=None` to use the mean of the draws."
    with np.errstate(over="ignore", invalid="ignore"):
        lowest, highest = xp.min(draws, axis=0), xp.max(draws, axis=0)
        if y_pred is None:  # rounding may leave the range of the draws
            values["y_pred"] = xp.clip(xp.mean(draws, axis=0), lowest, highest)
            names["y_pred"] = "mean of samples"
            hint = "Pass `levels` that lie farther apart, or `y_pred`."
        if levels is None:
            std = xp.std(draws, axis=0)
            values["std"] = xp.where(
                lowest == highest, xp.zeros_like(std), std
            )  # exactly, where all are equal
            names["std"] = "std of samples"
        else:
            reached = _reached([level for level, _ in ranked_levels(levels)], int(draws.shape[0]))
            bounding = _outermost(reached)
            ordered = _sorted_draws(xp, draws, lowest)
            quantiles = {level: _order_statistic(ordered, level) for level in sorted({*reached, MEDIAN})}
            values |= {"lower": None, "upper": None}
            values |= {role: quantiles[level] for role, level in bounding.items()}
            names |= {role: quantile_name(level) for role, level in bounding.items()}
            nominal = claim_between(bounding.get("lower", 0), bounding.get("upper", 1))
            if len(bounding) == 1 and y_pred is None:
                hint = "Pass a level farther from the center, or `y_pred`."
            nested = nested_quantiles(quantiles)
    return NamedColumns(values, names, nominal, {PredictionOutsideError: hint}, nested)


def _reached(levels: list[float], draws: int) -> list[float]:
    """Return the levels that the draws reach, and warn of the others; raise if they bound something else.

    A level below 1 / (m + 1), or above m / (m + 1), lies beyond all of m draws.
    """
    takes = {level: _draws_for(level) for level in levels}
    reached = [level for level in levels if takes[level] <= draws]
    if reached == levels:
        return levels
    beyond: dict[int, list[str]] = {}
    for level in levels:
        if takes[level] > draws:
            beyond.setdefault(takes[level], []).append(f"{level:.12g}")
    needed = ", ".join(
        f"{' and '.join(beyond[many])} {'takes' if len(beyond[many]) == 1 else 'take'} {many} draws"
        for many in sorted(beyond)
    )
    if _sides(reached) != _sides(levels):
        ends = f"{1 / (draws + 1):.3g} to {draws / (draws + 1):.3g}"
        raise ArgumentError(argument="levels", rule=f"be in reach of {draws} draws, {ends}, but {needed}")
    warn_caller(f"{draws} draws do not reach all `levels`; left out: {needed}.", TooFewDrawsWarning)
    return reached


def _sides(levels: list[float]) -> set[bool]:
    """Return the sides of the median that levels lie on."""
    return {level > MEDIAN for level in levels if level != MEDIAN}


def _sorted_draws(xp: Namespace, draws: Array, lowest: Array) -> Array:
    """Sort the draws of each row; rows with NaN become NaN, which would otherwise be sorted to one end."""
    ordered = xp.sort(draws, axis=0, stable=False)
    missing = xp.isnan(lowest)
    if not bool(xp.any(missing)):
        return ordered
    return xp.where(missing, xp.full_like(ordered, math.nan), ordered)


def draws_first(samples: Array | None, axis: int | None, y_true: Any, fewest: int = _FEWEST_DRAWS) -> Array:
    """Return the samples with the draws along the first axis, once their shape fits the observations."""
    shape = None if samples is None else tuple(samples.shape)
    if samples is None or shape is None or len(shape) not in (2, 3):
        raise ShapeError(
            argument="samples", rule="have draws with the shape of `y_true`, (n,) or (n, outputs)", got=shape
        )
    place = _place(axis, shape, y_true, fewest)
    rest = shape[:place] + shape[place + 1 :]
    rows = ("n", "outputs")[: len(rest)] if y_true is None else tuple(y_true.shape)
    if shape[place] < fewest or (y_true is not None and rest != rows):
        expected = ", ".join(map(str, (*rows[:place], "draws", *rows[place:])))
        enough = f"{fewest} {'draw' if fewest == 1 else 'draws'} or more"
        raise ShapeError(
            argument="samples",
            rule=f"have the shape ({expected}), as `y_true` implies, with {enough}",
            got=shape,
            hint=_hint(axis, shape, rows, fewest),
        )
    order = (place, *(number for number in range(len(shape)) if number != place))
    return samples if place == 0 else namespace(samples).permute_dims(samples, order)


def _place(axis: int | None, shape: tuple[int, ...], y_true: Any, fewest: int) -> int:
    """Return the axis of the draws; where more than one can be meant, it has to be given."""
    if axis is None:
        fitting = [] if y_true is None else _fitting(shape, tuple(y_true.shape), fewest)
        if 0 in fitting and len(fitting) > 1:
            places = " or ".join(map(str, fitting))
            raise ShapeError(
                argument="axis",
                rule="be passed",
                hint=f"The draws of `samples`, {shape}, may be along {places}.",
            )
        return 0
    place = arguments.whole("axis", axis, -len(shape))
    if place >= len(shape):
        raise ArgumentError(
            argument="axis", rule=f"be an axis of `samples`, which has {len(shape)}", got=repr(axis)
        )
    return place % len(shape)


def _fitting(shape: tuple[int, ...], rows: tuple[Any, ...], fewest: int) -> list[int]:
    """Return the axes that can hold the draws."""
    return [
        place
        for place, draws in enumerate(shape)
        if draws >= fewest and shape[:place] + shape[place + 1 :] == rows
    ]


def _hint(axis: int | None, shape: tuple[int, ...], rows: tuple[Any, ...], fewest: int) -> str:
    """Say where the draws are, if they are along another axis."""
    places = _fitting(shape, rows, fewest)
    return f"Pass `axis={places[0]}` for draws along that axis." if axis is None and places else ""


def _outermost(rising: list[float]) -> dict[str, float]:
    """Return the levels of both bounds, or the level of a one-sided limit."""
    if len(rising) == 1:
        return {"upper" if rising[0] > MEDIAN else "lower": rising[0]}
    return {"lower": rising[0], "upper": rising[-1]}


def _draws_for(level: float) -> int:
    """Return how many draws reach a level: 19 for 0.05, and for 0.95."""
    share = _decimal(level)
    return math.ceil(1 / min(share, 1 - share)) - 1


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
