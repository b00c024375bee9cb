"""The reliability curve as a figure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from uccurve._base import arguments
from uccurve.curve._curve import Curve
from uccurve.exceptions import ArgumentError
from uccurve.intervals import Intervals
from uccurve.plotting._style import QUIET, literal, model_style, new_axes, original_mark, show_legend


def plot_reliability(
    curves: Curve | Intervals | Mapping[str, Curve | Intervals],
    ax: Any = None,
    *,
    nominal: float | None = None,
    legend: bool = True,
) -> Any:
    """Draw observed against claimed coverage on matplotlib axes and return them.

    Above the diagonal the intervals are wider than they need to be for what they claim, below it
    too narrow. A constant band can lie on the diagonal as well as any other: what a reliable band
    costs in width is what the UCC shows.

    Parameters
    ----------
    curves : UCC or Intervals, or mapping of name to these
        Curves with ``vary="scale"``; intervals stand for theirs.
    ax : matplotlib.axes.Axes, optional
        Where to draw; new axes if not given.
    nominal : float, optional
        The coverage that the intervals as given claim; by default each model's own claim,
        `Intervals.nominal`. Without either it is an error. See `UCC.reliability`.
    legend : bool
        Show the legend.
    """
    named = checked_curves({"": curves} if isinstance(curves, Curve | Intervals) else curves)
    found = {name: curve.reliability(nominal) for name, curve in named.items()}  # may raise: before drawing
    ax = new_axes(4.6, 4.6) if ax is None else ax
    (diagonal,) = ax.plot([0, 1], [0, 1], color=QUIET, linestyle=":", linewidth=1.4, label="reliable")
    handles = []
    for place, (name, result) in enumerate(found.items()):
        style = model_style(place)
        words = literal(name) if name else "observed"
        handles += ax.plot(result.nominal, result.coverage, linewidth=1.8, label=words, **style)
        ax.plot(result.as_given, result.observed, **original_mark(style["color"]))
    (given,) = ax.plot([], [], label="as given", **original_mark(QUIET))
    ax.set(xlabel="claimed coverage", ylabel="observed coverage", xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
    ax.set_aspect("equal")
    ax.grid(visible=True, alpha=0.25)
    if legend:
        show_legend(ax, [*handles, given, diagonal], loc="upper left")
    return ax


def checked_curves(curves: Any) -> dict[str, Curve]:
    """Check a mapping of names to curves; intervals become theirs."""
    if not isinstance(curves, Mapping) or not curves:
        raise ArgumentError(
            "`curves` must be a mapping of names to UCC or Intervals, with at least one curve."
        )
    return {str(name): checked_curve(f"curves[{name!r}]", curve) for name, curve in curves.items()}


def checked_curve(name: str, curve: Any) -> Curve:
    """Check a curve; intervals become theirs."""
    if isinstance(curve, Intervals):
        return curve.ucc()
    arguments.instance(name, curve, Curve, "UCC or Intervals")
    return cast("Curve", curve)
