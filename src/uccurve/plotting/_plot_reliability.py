"""The reliability curve as a figure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from uccurve._base import arguments
from uccurve._base.arrays import to_numpy
from uccurve.curve import Curve
from uccurve.exceptions import ArgumentError
from uccurve.intervals import Intervals
from uccurve.plotting._direct_labels import place_labels
from uccurve.plotting._fitted_words import fit_axis_words
from uccurve.plotting._legend_entries import Entry, show_entries
from uccurve.plotting._style import QUIET, literal, model_style, new_axes, original_mark
from uccurve.plotting._text_sizes import scale

if TYPE_CHECKING:
    from uccurve.curve import Reliability

_PALE = "0.85"
"""The gray of the diagonal, wide enough to show on both sides of a line that lies on it."""
_WIDE: dict[str, Any] = {"linewidth": 6, "solid_capstyle": "butt", "zorder": 1.5}


def plot_reliability(
    curves: Curve | Intervals | Mapping[str, Curve | Intervals],
    ax: Any = None,
    *,
    nominal: float | None = None,
    confidence: float | None = None,
    legend: bool = True,
) -> Any:
    """Draw observed against claimed coverage on matplotlib axes and return them.

    Above the diagonal the intervals are wider than they need to be for what they claim, below it
    too narrow. A constant band can lie on the diagonal as well as any other: what a reliable band
    costs in width is what the UCC shows.

    Curves with ``vary="level"`` claim their own levels: those of the pairs are marked by dots, and no shape
    of errors is assumed. Curves with ``vary="scale"`` make one claim, as supplied: all other claims follow
    from it if errors are Gaussian, and the axis says so.

    Parameters
    ----------
    curves : UCC or Intervals, or mapping of name to these
        Curves with ``vary="level"`` or ``"scale"``. Intervals stand for theirs: by "level" if they hold
        several pairs of quantiles and ``nominal`` is not given, else by "scale".
    ax : matplotlib.axes.Axes, optional
        Where to draw; new axes if not given.
    nominal : float, optional
        The coverage that the intervals as given claim; by default each model's own claim,
        `Intervals.nominal`. Without either it is an error. See `UCC.reliability`.
    confidence : float, optional
        Confidence level, such as 0.95: shade where the true coverages may lie, all at once.
    legend : bool
        Show the legend.
    """
    if confidence is not None:
        confidence = arguments.number("confidence", confidence, 0, 1, open_=True)
    given_curves = {"": curves} if isinstance(curves, Curve | Intervals) else curves
    named = checked_curves(given_curves, by_level=nominal is None)
    options = {} if confidence is None else {"confidence_level": confidence}
    found = {name: curve.reliability(nominal, **options) for name, curve in named.items()}  # before drawing
    ax = new_axes(4.6, 4.6) if ax is None else ax
    (diagonal,) = ax.plot([0, 1], [0, 1], color=_PALE, label="reliable", **_WIDE)
    handles, shades = [], []
    for place, (name, result) in enumerate(found.items()):
        style = model_style(place)
        words = literal(name) if name else "observed"
        if confidence is not None:
            shade = {"color": style["color"], "alpha": 0.18, "linewidth": 0}
            shades.append(ax.fill_between(result.nominal, result.low, result.high, **shade))
        handles += ax.plot(result.nominal, result.coverage, linewidth=1.8 * scale(ax), label=words, **style)
        _draw_claims(ax, result, style["color"])
        ax.plot(result.as_given, result.observed, **original_mark(style["color"], scale(ax)))
    (given,) = ax.plot([], [], label="as supplied", **original_mark(QUIET, scale(ax)))
    shapes = [result.assumed_shape for result in found.values()]
    ax.set(xlabel=_claimed(shapes), ylabel="observed coverage", xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
    ax.set_aspect("equal")
    ax.grid(visible=True, alpha=0.25)
    for shade in shades[:1]:
        shade.set_label(f"{100 * (confidence or 0):g}% band, all claims at once")
    fit_axis_words(ax)
    if legend:
        names = [Entry(line, str(line.get_label())) for line in handles]
        ring = Entry(given, "as supplied", (result.as_given, result.observed), optional=True)
        shade_entries = [Entry(shade) for shade in shades[:1]]
        entries = [*names, ring, *shade_entries, Entry(diagonal, "reliable", optional=True, color=QUIET)]
        place_labels(ax, show_entries(ax, entries, corners=["upper left", "lower right"]))
    return ax


def _draw_claims(ax: Any, result: Reliability, color: str) -> None:
    """Mark the claims that quantiles make themselves; between them the line is interpolated."""
    if result.assumed_shape == "none":
        place = np.searchsorted(to_numpy(result.nominal), result.levels)
        coverage = to_numpy(result.coverage)[place]
        ax.plot(result.levels, coverage, linestyle="none", marker=".", markersize=8 * scale(ax), color=color)


def _claimed(shapes: Sequence[str]) -> str:
    """Name the horizontal axis with the assumption behind it, where there is one."""
    if "gaussian" not in shapes:
        return "claimed coverage"
    which = " (lines without dots)" if "none" in shapes else ""
    return f"claimed coverage, if errors are Gaussian{which}"


def checked_curves(curves: Any, *, by_level: bool = False) -> dict[str, Curve]:
    """Check a mapping of names to curves; intervals become theirs."""
    if not isinstance(curves, Mapping) or not curves:
        raise ArgumentError(
            argument="curves", rule="be a mapping of names to UCC or Intervals, with at least one curve"
        )
    return {
        str(name): checked_curve(f"curves[{name!r}]", curve, by_level=by_level)
        for name, curve in curves.items()
    }


def checked_curve(name: str, curve: Any, *, by_level: bool = False) -> Curve:
    """Check a curve; intervals become theirs, of several pairs of quantiles by level if asked for."""
    if isinstance(curve, Intervals):
        nested = curve.rows.columns.nested
        several = nested is not None and len(nested.levels) > 1
        return curve.ucc(vary="level" if by_level and several else "scale")
    arguments.instance(name, curve, Curve, "UCC or Intervals")
    return cast("Curve", curve)
