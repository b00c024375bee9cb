"""From named columns of a frame to the arguments of `Intervals`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from uccurve._base import frames
from uccurve.exceptions import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_COMPLETE = {("lower", "upper"), ("std",)}


def frame_columns(frame: Any, names: Mapping[str, str | Sequence[str] | None]) -> dict[str, Any]:
    """Return the columns of an eager frame by role: bounds, or a prediction with its standard deviation."""
    bands = tuple(role for role in ("lower", "upper", "std") if names[role] is not None)
    if bands not in _COMPLETE or (bands == ("std",) and names["y_pred"] is None):
        got = ", ".join(f"`{role}`" for role in bands) or "none of them"
        raise ArgumentError(f"give `lower` and `upper`, or `y_pred` and `std`; got {got}.")
    roles = ("y_true", "y_pred", *bands, "sample_weight")
    return frames.columns(frame, {role: names[role] for role in roles})
