"""From named columns of a frame to the arguments of `Intervals`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base import arguments, frames
from uccurve.exceptions import ArgumentError, ArgumentTypeError, CrossedBoundsError, PredictionOutsideError
from uccurve.intervals._detected_columns import detected_arguments
from uccurve.intervals.checks import NamedColumns, claim_of_columns
from uccurve.intervals.quantiles import CROSSED, quantile_columns, sort_bounds, warn_sorted
from uccurve.intervals.rules import BOUNDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve._base.type_aliases import Crossed

_COMPLETE = {("lower", "upper"), ("std",), ("lower",), ("upper",)}
_NAMED = "Name `y_true` and `quantiles`, and no `y_pred`, to use the median or the midpoints."
_REMEDY = 'Pass `crossed="sort"` to swap the two.'


def columns_of_frame(
    frame: Any,
    names: Mapping[str, str | Sequence[str] | None],
    quantiles: Mapping[float, str | Sequence[str]] | None,
    model: str | None,
    nominal: float | None,
    crossed: Crossed,
) -> tuple[NamedColumns, dict[str, Any] | None]:
    """Return the columns of an eager frame by role, and the arguments that were detected, if any."""
    detected = detected_arguments(frame, names, quantiles, model, nominal)
    found_prediction = names["y_pred"] is None and detected is not None and "y_pred" in detected
    if detected is not None:
        quantiles = detected.get("quantiles")
        names = {role: detected.get(role) for role in names}
        nominal = nominal if quantiles is None else None
    if quantiles is None:
        return frame_columns(frame, names, nominal, crossed), detected
    columns = quantile_frame(frame, names, quantiles, nominal, crossed)
    if found_prediction:
        columns.hints[PredictionOutsideError] = _NAMED
    return columns, detected


def quantile_frame(
    frame: Any,
    names: Mapping[str, str | Sequence[str] | None],
    quantiles: Mapping[float, str | Sequence[str]],
    nominal: float | None,
    crossed: Crossed,
) -> NamedColumns:
    """Return the columns of an eager frame by role, where quantiles are named by their levels."""
    if not isinstance(quantiles, Mapping) or not quantiles:
        raise ArgumentTypeError(
            argument="quantiles",
            rule="map levels to columns, as in {0.05: 'q05', 0.5: 'q50', 0.95: 'q95'}",
            got=repr(quantiles),
        )
    excluded = [role for role in (*BOUNDS, "std") if names[role] is not None]
    if excluded or nominal is not None:
        raise ArgumentError(
            argument="quantiles",
            rule=f"not be passed beside `{(*excluded, 'nominal')[0]}`: levels say what is claimed",
        )
    levels = [arguments.number("quantiles", level, 0, 1, open_=True) for level in quantiles]
    roles = {role: names[role] for role in ("y_true", "y_pred", "sample_weight")}
    by_level = {
        f"quantiles[{level!r}]": column for level, column in zip(levels, quantiles.values(), strict=True)
    }
    columns = frames.columns(frame, {**roles, **by_level})
    for called, column in by_level.items():
        if columns[called] is None or columns[called].shape != columns["y_true"].shape:
            raise ArgumentError(
                argument=called, rule="name one column per output, as `y_true` does", got=repr(column)
            )
    table = np.stack([columns[called] for called in by_level], axis=-1)
    made = quantile_columns(columns["y_true"], table, levels, columns["y_pred"], crossed)
    return made._replace(values={**made.values, "sample_weight": columns["sample_weight"]})


def frame_columns(
    frame: Any, names: Mapping[str, str | Sequence[str] | None], nominal: float | None, crossed: Crossed
) -> NamedColumns:
    """Return the columns of an eager frame by role: bounds, or a prediction with its standard deviation."""
    bands = tuple(role for role in ("lower", "upper", "std") if names[role] is not None)
    if bands not in _COMPLETE or (len(bands) == 1 and names["y_pred"] is None):
        got = ", ".join(f"`{role}`" for role in bands) or "none of them"
        raise ArgumentError(
            argument="lower",
            rule=(
                "be passed with `upper`, or `y_pred` and `std`, or `y_pred` and one bound for a one-sided "
                "limit, or `quantiles`"
            ),
            got=got,
        )
    arguments.option("crossed", crossed, CROSSED)
    roles = ("y_true", "y_pred", *bands, "sample_weight")
    columns = frames.columns(frame, {role: names[role] for role in roles})
    if bands in (("lower",), ("upper",)):
        columns = {**dict.fromkeys(BOUNDS), **columns}
    elif crossed == "sort" and "lower" in columns and columns["lower"].shape == columns["upper"].shape:
        columns["lower"], columns["upper"], crossed_rows = sort_bounds(columns["lower"], columns["upper"])
        warn_sorted(crossed_rows, "bounds, which were swapped")
    claim = claim_of_columns(nominal, std=names["std"] is not None)
    return NamedColumns(columns, {}, claim, {CrossedBoundsError: _REMEDY})
