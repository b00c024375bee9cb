"""Levels of quantiles, and quantiles of draws."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from uccurve._base import arguments
from uccurve.exceptions import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve._base.type_aliases import Array


def ranked_levels(levels: Sequence[float]) -> list[tuple[float, int]]:
    """Sort levels, and keep the place each had."""
    try:
        checked = [arguments.number("levels", level, 0, 1, open_=True) for level in levels]
    except TypeError as error:
        raise ArgumentError(f"`levels` must be a sequence of numbers, got {levels!r}.") from error
    if len(set(checked)) < max(2, len(checked)):
        raise ArgumentError(f"`levels` must be two or more different levels, got {levels!r}.")
    return sorted((level, place) for place, level in enumerate(checked))


def quantile_pair(xp: Any, draws: Array, levels: tuple[float, float]) -> dict[str, Array]:
    ranked = ranked_levels(levels)
    if len(ranked) != 2:  # noqa: PLR2004
        raise ArgumentError(f"`levels` must be a pair, got {levels!r}.")
    ordered = xp.sort(draws, axis=0, stable=False)
    return {f"quantile {level!r}": _quantile(ordered, level) for level, _ in ranked}


def _quantile(ordered: Array, level: float) -> Array:
    """Interpolate linearly between the draws sorted along the first axis."""
    position = level * (ordered.shape[0] - 1)
    below = min(int(position), ordered.shape[0] - 2)
    share = position - below
    return ordered[below, ...] + (ordered[below + 1, ...] - ordered[below, ...]) * share
