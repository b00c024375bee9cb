"""From draws of the predictive distribution to bands or bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base.arrays import as_arrays, namespace
from uccurve.exceptions import ArgumentError, ShapeError
from uccurve.intervals._named_arrays import NamedColumns
from uccurve.intervals._quantiles import quantile_name, ranked_levels

if TYPE_CHECKING:
    from uccurve._base.type_aliases import Array, ArrayLike

_FEWEST_DRAWS = 2
_PAIR = 2


def draw_columns(
    y_true: ArrayLike, samples: ArrayLike, levels: tuple[float, float] | None, y_pred: ArrayLike | None
) -> NamedColumns:
    """Return the standard deviation of the draws as the band, or two of their quantiles as bounds."""
    arrays = as_arrays(y_true=y_true, samples=samples, y_pred=y_pred)
    values = {"y_true": arrays["y_true"], "y_pred": arrays["y_pred"]}
    draws = arrays["samples"]
    _check_shape(draws, values["y_true"])
    xp, names = namespace(draws), {}
    with np.errstate(over="ignore", invalid="ignore"):
        lowest, highest = xp.min(draws, axis=0), xp.max(draws, axis=0)
        if y_pred is None:  # rounding may leave the range of the draws
            values["y_pred"] = xp.clip(xp.mean(draws, axis=0), lowest, highest)
            names["y_pred"] = "mean of samples"
        if levels is None:
            std = xp.std(draws, axis=0)
            values["std"] = xp.where(lowest == highest, xp.zeros_like(std), std)
            names["std"] = "std of samples"
        else:
            pair = _pair(levels)
            ordered = xp.sort(draws, axis=0, stable=False)
            values |= {role: _quantile(ordered, level) for role, level in pair.items()}
            names |= {role: quantile_name(level) for role, level in pair.items()}
    return NamedColumns(values, names)


def _check_shape(draws: Array | None, y_true: Any) -> None:
    if draws is None or draws.ndim not in (2, 3) or draws.shape[0] < _FEWEST_DRAWS:
        shape = None if draws is None else tuple(draws.shape)
        expected = f"(draws, n) or (draws, n, outputs) with {_FEWEST_DRAWS} draws or more"
        raise ShapeError(f"`samples` must have the shape {expected}, got {shape}.")
    if y_true is not None and tuple(draws.shape[1:]) != tuple(y_true.shape):
        expected = ", ".join(["draws", *map(str, y_true.shape)])
        raise ShapeError(
            f"`samples` must have the shape ({expected}), as `y_true` implies, got {tuple(draws.shape)}."
        )


def _pair(levels: tuple[float, float]) -> dict[str, float]:
    ranked = ranked_levels(levels)
    if len(ranked) != _PAIR:
        raise ArgumentError(f"`levels` must be a pair, got {levels!r}.")
    return {role: level for role, (level, _) in zip(("lower", "upper"), ranked, strict=True)}


def _quantile(ordered: Array, level: float) -> Array:
    """Interpolate linearly between the draws, which are sorted along the first axis."""
    position = level * (ordered.shape[0] - 1)
    below = min(int(position), ordered.shape[0] - 2)
    share = position - below
    return ordered[below, ...] + (ordered[below + 1, ...] - ordered[below, ...]) * share
