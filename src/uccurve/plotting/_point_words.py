"""What figures say about an operating point: what moved the bands there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uccurve.plotting._style import claimed, literal, signed

if TYPE_CHECKING:
    from uccurve._base.type_aliases import Side, Vary
    from uccurve.curve import OperatingPoint


def moved_by(point: OperatingPoint, vary: Vary, side: Side = "both") -> str:
    """Say what moved the bands, in words of their own: "bands × 1.63"."""
    by, bands = point.parameter, "bands" if side == "both" else "distances to the limit"
    if vary == "level":
        how = f"outermost quantiles × {by:.3g}" if point.nominal is None else claimed(point.nominal)
        return how + (", as supplied" if by == 1 else "")
    if vary == "scale":
        return "as supplied" if by == 1 else f"{bands} × {by:.3g}"
    return "as supplied" if by == 0 else f"{bands} {'+' if by > 0 else '−'} {abs(by):.3g}"


def moved_by_in_short(point: OperatingPoint, vary: Vary, unit: str = "") -> str:
    """Say the same beside a mark: "×1.63", "+0.2 kWh", "nominal 87%"."""
    if vary == "level" and point.nominal is not None:
        return f"nominal {100 * point.nominal:.3g}%"
    if vary == "shift":
        return signed(point.parameter) + (f" {literal(unit)}" if unit else "")
    return f"{'outermost ' if vary == 'level' else ''}×{point.parameter:.3g}"
