"""From named columns of a frame to the arguments of `Intervals`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from uccurve._base import arguments, frames
from uccurve.exceptions import ArgumentError, CrossedBoundsError
from uccurve.intervals._crossed import CROSSED, sort_bounds, warn_sorted
from uccurve.intervals._named_arrays import NamedColumns
from uccurve.intervals._nominal_coverage import claim_of_columns
from uccurve.intervals._row_rules import BOUNDS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from uccurve._base.type_aliases import Crossed

_COMPLETE = {("lower", "upper"), ("std",), ("lower",), ("upper",)}
_REMEDY = 'Give `crossed="sort"` to swap the two.'


def frame_columns(
    frame: Any, names: Mapping[str, str | Sequence[str] | None], nominal: float | None, crossed: Crossed
) -> NamedColumns:
    """Return the columns of an eager frame by role: bounds, or a prediction with its standard deviation."""
    bands = tuple(role for role in ("lower", "upper", "std") if names[role] is not None)
    if bands not in _COMPLETE or (len(bands) == 1 and names["y_pred"] is None):
        got = ", ".join(f"`{role}`" for role in bands) or "none of them"
        raise ArgumentError(
            "give `lower` and `upper`, or `y_pred` and `std`, or `y_pred` and one bound for a one-sided "
            f"limit; got {got}."
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
