"""What a figure of curves shows, as the sentence below it in a paper."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from uccurve._base.text import printable
from uccurve.exceptions import UnreachableError
from uccurve.plotting._style import axis_label, percent, share

if TYPE_CHECKING:
    from uccurve._base.type_aliases import X, Y
    from uccurve.curve._curve import Curve
    from uccurve.plotting._plot_options import PlotOptions


def caption(curves: Mapping[str, Curve], x: X, y: Y, options: PlotOptions) -> str:
    """Name the lines and marks that were drawn, and say what each curve gains."""
    first = next(iter(curves.values()))
    rows = sorted({curve.n for curve in curves.values()})
    counted = " to ".join(f"{n:,}" for n in (rows if len(rows) == 1 else (rows[0], rows[-1])))
    what = f"{_cost(x, first.side)} against {_cost(y, first.side)}"
    parts = [f"{'Curves' if len(curves) > 1 else 'Curve'}: {what}, over {counted} rows"]
    if options["points"] is not None:
        parts.append(f"dots: {_coverages(options['points'])} coverage")
    if options["original"]:
        parts.append("rings: as given")
    if options["cost"] is not None:
        parts.append(f"stars: the least cost at c = {options['cost']:g}")
    if options["confidence"] is not None:
        parts.append(
            f"shade along a curve: {share(options['confidence'])} confidence band of the whole curve"
        )
    if isinstance(options["area"], (tuple, list)):
        low, high = options["area"]
        parts.append(f"shade left of a curve: coverages from {share(low)} to {share(high)}")
    elif options["area"]:
        parts.append("shade below a curve: its area")
    if options["miss_rate"] is not None:
        low, high = options["miss_rate"]
        parts.append(f"gray strip: miss rates from {low:g} to {high:g}")
    if options["reference"]:
        parts.append("thin dashes: a constant band around the same predictions")
    if options["frontier"] and x == "bandwidth":
        parts.append("dotted: the least width possible in hindsight")
    return "; ".join(parts) + "." + _gains(curves, x, y)


def _cost(axis: X | Y, side: Any) -> str:
    """Name a cost without its unit."""
    return axis_label(axis, "", side).partition(": ")[2].rpartition(" (")[0] or axis.replace("_", " ")


def _coverages(points: Any) -> str:
    values = list(points.values() if isinstance(points, Mapping) else points)
    numbers = [share(float(value)).removesuffix(" %") for value in values]
    start = f"{', '.join(numbers[:-1])} and " if len(numbers) > 1 else ""
    return f"{start}{numbers[-1]}%" if numbers else "no"


def _gains(curves: Mapping[str, Curve], x: X, y: Y) -> str:
    """Say how much of the area of a constant band each curve saves, where its area is known."""
    gains = []
    for name, curve in curves.items():
        try:
            gains.append(f"{printable(name)} {percent(curve.gain(x=x, y=y))}".strip())
        except UnreachableError:
            continue
    return f" Gain over the constant band: {', '.join(gains)}." if gains else ""
