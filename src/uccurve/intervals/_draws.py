"""From draws of the predictive distribution to bands or bounds."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base import arguments
from uccurve._base.arrays import as_arrays, namespace
from uccurve.exceptions import ArgumentError, PredictionOutsideError, ShapeError
from uccurve.intervals._draw_levels import nested_draws
from uccurve.intervals._level_pairs import MEDIAN
from uccurve.intervals._named_arrays import NamedColumns
from uccurve.intervals._nominal_coverage import ONE_DEVIATION, claim_between
from uccurve.intervals._quantiles import quantile_name, ranked_levels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve._base.type_aliases import Array, ArrayLike, Namespace

_FEWEST_DRAWS = 2
_PAIR = 2
_SQUARED = 1e140
"""Squares of numbers up to it, and of its reciprocal, are well within float64."""


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
    remedy = "Give `y_pred=None` to use the mean of the draws."
    with np.errstate(over="ignore", invalid="ignore"):
        lowest, highest = xp.min(draws, axis=0), xp.max(draws, axis=0)
        if y_pred is None:  # rounding may leave the range of the draws
            values["y_pred"] = xp.clip(xp.mean(draws, axis=0), lowest, highest)
            names["y_pred"] = "mean of samples"
            remedy = "Give `levels` that lie farther apart, or `y_pred`."
        if levels is None:
            values["std"] = _spread(xp, draws, lowest, highest)
            names["std"] = "std of samples"
        else:
            bounding = _outermost(levels)
            ordered = _sorted_draws(xp, draws, lowest)
            values |= {"lower": None, "upper": None}
            values |= {role: _quantile(ordered, level) for role, level in bounding.items()}
            names |= {role: quantile_name(level) for role, level in bounding.items()}
            nominal = claim_between(bounding.get("lower", 0), bounding.get("upper", 1))
            if len(bounding) == 1 and y_pred is None:
                remedy = "Give a level farther from the center, or `y_pred`."
            nested = nested_draws(ordered, [level for level, _ in ranked_levels(levels)])
    return NamedColumns(values, names, nominal, {PredictionOutsideError: remedy}, nested)


def _sorted_draws(xp: Namespace, draws: Array, lowest: Array) -> Array:
    """Sort the draws of each row; rows with NaN become NaN, which would otherwise be sorted to one end."""
    ordered = xp.sort(draws, axis=0, stable=False)
    missing = xp.isnan(lowest)
    if not bool(xp.any(missing)):
        return ordered
    return xp.where(missing, xp.full_like(ordered, math.nan), ordered)


def _spread(xp: Namespace, draws: Array, lowest: Array, highest: Array) -> Array:
    """Return the standard deviation of the draws, also where squares would leave float64."""
    std, width = xp.std(draws, axis=0), highest - lowest
    extreme = (width > 0) & xp.isfinite(width) & ~((width > 1 / _SQUARED) & (width < _SQUARED))
    if bool(xp.any(extreme)):
        unit = xp.where(extreme, width, xp.ones_like(width))
        std = xp.where(extreme, unit * xp.std((draws - lowest) / unit, axis=0), std)
    return xp.where(lowest == highest, xp.zeros_like(std), std)


def draws_first(samples: Array | None, axis: int | None, y_true: Any, fewest: int = _FEWEST_DRAWS) -> Array:
    """Return the samples with the draws along the first axis, once their shape fits the observations."""
    shape = None if samples is None else tuple(samples.shape)
    if samples is None or shape is None or len(shape) not in (2, 3):
        raise ShapeError(
            f"`samples` must have draws with the shape of `y_true`, (n,) or (n, outputs), got {shape}."
        )
    place = _place(axis, shape, y_true, fewest)
    rest = shape[:place] + shape[place + 1 :]
    rows = ("n", "outputs")[: len(rest)] if y_true is None else tuple(y_true.shape)
    if shape[place] < fewest or (y_true is not None and rest != rows):
        expected = ", ".join(map(str, (*rows[:place], "draws", *rows[place:])))
        enough = f"{fewest} {'draw' if fewest == 1 else 'draws'} or more"
        raise ShapeError(
            f"`samples` must have the shape ({expected}), as `y_true` implies, with {enough}, "
            f"got {shape}{_hint(axis, shape, rows, fewest)}."
        )
    order = (place, *(number for number in range(len(shape)) if number != place))
    return samples if place == 0 else namespace(samples).permute_dims(samples, order)


def _place(axis: int | None, shape: tuple[int, ...], y_true: Any, fewest: int) -> int:
    """Return the axis of the draws; where more than one can be meant, it has to be given."""
    if axis is None:
        fitting = [] if y_true is None else _fitting(shape, tuple(y_true.shape), fewest)
        if 0 in fitting and len(fitting) > 1:
            places = " or ".join(map(str, fitting))
            raise ShapeError(f"`axis` must be given: the draws of `samples`, {shape}, may be along {places}.")
        return 0
    place = arguments.whole("axis", axis, -len(shape))
    if place >= len(shape):
        raise ArgumentError(f"`axis` must be an axis of `samples`, which has {len(shape)}, got {axis!r}.")
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
    return f": give `axis={places[0]}` for draws along that axis" if axis is None and places else ""


def _outermost(levels: Sequence[float]) -> dict[str, float]:
    """Return the levels of both bounds, or the level of a one-sided limit."""
    ranked = ranked_levels(levels)
    if len(ranked) == 1:
        ((level, _),) = ranked
        return {"upper" if level > MEDIAN else "lower": level}
    return {"lower": ranked[0][0], "upper": ranked[-1][0]}


def _quantile(ordered: Array, level: float) -> Array:
    """Interpolate linearly between the draws, which are sorted along the first axis."""
    position = level * (ordered.shape[0] - 1)
    below = min(int(position), ordered.shape[0] - 2)
    share = position - below
    return ordered[below, ...] + (ordered[below + 1, ...] - ordered[below, ...]) * share
