"""Whether coverage holds: claimed against observed coverage, and the coverage of segments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base import arguments
from uccurve._base.arrays import to_numpy
from uccurve._base.text import percent
from uccurve.curve import Curve
from uccurve.inference import ConditionalCoverage, SegmentCoverage
from uccurve.intervals import Intervals
from uccurve.plotting import style
from uccurve.plotting.curves import check_curves
from uccurve.plotting.style import COLORS, QUIET, escape_text, scale_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_MOST_LANES = 40
_WITHIN: dict[str, Any] = {"color": QUIET, "marker": "o", "markerfacecolor": "none"}
_BELOW: dict[str, Any] = {"color": COLORS[1], "marker": "v"}
_ABOVE: dict[str, Any] = {"color": COLORS[0], "marker": "^"}


# -- claimed against observed coverage ----------------------------------------------------------


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
    too narrow. Constant width can lie on the diagonal as well as any other: what a reliable band
    costs in width is what the UCC shows.

    Curves with ``vary="level"`` claim their own levels: those of the pairs are marked by dots, and no shape
    of errors is assumed. Curves with ``vary="scale"`` make one claim, as supplied: all other claims follow
    from it if errors are Gaussian, and the axis says so.

    Parameters
    ----------
    curves : UCC or Intervals, or mapping of name to these
        Curves with ``vary="level"`` or ``"scale"``. Intervals stand for theirs: by "level" if they hold
        several pairs of quantiles and ``nominal`` is not passed, else by "scale".
    ax : matplotlib.axes.Axes, optional
        Where to draw; new axes if not passed.
    nominal : float, optional
        The coverage that the intervals as supplied claim; by default each model's own claim,
        `Intervals.nominal`. Without either it is an error. See `UCC.reliability`.
    confidence : float, optional
        Confidence level, such as 0.95: shade where the true coverages may lie, all at once.
    legend : bool
        Show the legend.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.

    Raises
    ------
    ArgumentError
        If a model makes no claim, or a curve has ``vary="shift"``; if ``nominal`` is not from 0.5 to below 1;
        or if ``confidence`` is not between 0 and 1.
    ArgumentTypeError
        If a curve is neither a `UCC` nor `Intervals`, or ``ax`` is not matplotlib axes.
    MissingDependencyError
        If matplotlib is not installed.

    See Also
    --------
    uccurve.UCC.reliability : The numbers.

    Examples
    --------
    >>> import uccurve as uc
    >>> from uccurve.plotting import plot_reliability
    >>> ax = plot_reliability(uc.Intervals.from_std([1, 2, 3, 4], [2, 2, 2, 2], [1, 1, 1, 1]))
    """
    if confidence is not None:
        confidence = arguments.number("confidence", confidence, 0, 1, open_=True)
    passed = {"": curves} if isinstance(curves, Curve | Intervals) else curves
    named = check_curves(passed, by_level=nominal is None)
    options = {} if confidence is None else {"confidence_level": confidence}
    found = {name: curve.reliability(nominal, **options) for name, curve in named.items()}  # before drawing
    ax = style.choose_axes(ax, 4.6, 4.6)
    dashes = {"color": QUIET, "linestyle": style.DASHES_OF_CONSTANT}
    (diagonal,) = ax.plot([0, 1], [0, 1], label="reliable", **dashes)
    handles, shades = [], []
    names = style.escape_names(found)
    for place, (name, result) in enumerate(zip(names, found.values(), strict=True)):
        look, label = style.model_style(place), name or "observed"
        if confidence is not None:
            shade = {"facecolor": look["color"], "alpha": 0.16, "linewidth": 0}
            shades.append(ax.fill_between(result.nominal, result.low, result.high, **shade))
            shades[-1].set_label(f"{100 * confidence:g}% band, all claims at once")
        handles += ax.plot(result.nominal, result.coverage, linewidth=1.8 * scale_of(ax), label=label, **look)
        if result.assumed_shape == "none":  # quantiles claim their levels; the line between is interpolated
            claims = np.searchsorted(to_numpy(result.nominal), result.levels)
            dots = {"linestyle": "none", "marker": ".", "markersize": 8 * scale_of(ax)}
            ax.plot(result.levels, to_numpy(result.coverage)[claims], color=look["color"], **dots)
        ax.plot(result.as_given, result.observed, **style.ring(ax, look["color"]))
    handles += ax.plot([], [], label="as supplied", **style.ring(ax, QUIET))
    ticks = [0, 0.2, 0.4, 0.6, 0.8, 1]
    ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), xticks=ticks, yticks=ticks, aspect="equal")
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter(style.format_share)
    claimed = _name_claims([result.assumed_shape for result in found.values()])
    style.label_axes(ax, claimed, "observed coverage")
    if legend:
        style.show_legend(ax, [*handles, *shades[:1], diagonal], corner="best", is_apart=False)
    return ax


def _name_claims(shapes: Sequence[str]) -> str:
    """Name the horizontal axis with the assumption behind it, where there is one."""
    if "gaussian" not in shapes:
        return "claimed coverage"
    which = " (lines without dots)" if "none" in shapes else ""
    return f"claimed coverage, if errors are Gaussian{which}"


# -- coverage of segments -----------------------------------------------------------------------


def plot_conditional_coverage(coverage: ConditionalCoverage, ax: Any = None, *, legend: bool = True) -> Any:
    """Draw the coverage of each segment with its interval on matplotlib axes and return them.

    The line is the expected coverage. Filled markers: significantly off. Hollow: not. Of more than 40
    segments those that differ the most are drawn.

    Parameters
    ----------
    coverage : ConditionalCoverage
        What `uccurve.conditional_coverage` returns.
    ax : matplotlib.axes.Axes, optional
        Where to draw; new axes if not passed.
    legend : bool
        Show the legend.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.

    Raises
    ------
    ArgumentTypeError
        If ``coverage`` is not a `ConditionalCoverage`, or ``ax`` is not matplotlib axes.
    MissingDependencyError
        If matplotlib is not installed.

    See Also
    --------
    uccurve.conditional_coverage : The numbers.

    Examples
    --------
    >>> import uccurve as uc
    >>> from uccurve.plotting import plot_conditional_coverage
    >>> models = uc.datasets.make_crossing(n=500, rng=0).models
    >>> ax = plot_conditional_coverage(uc.conditional_coverage(models["sharp"], coverage=0.9))
    """
    arguments.instance("coverage", coverage, ConditionalCoverage)
    parts = _choose_segments(coverage.segments)
    ax = style.choose_lanes(ax, [str(part.segment) for part in parts], 0.27)
    expected = f"{percent(coverage.expected)} expected"
    line = ax.axvline(coverage.expected, color=QUIET, linestyle="--", linewidth=1.2, label=expected)
    for lane, part in enumerate(parts):
        mark = _style_of(part)
        ax.plot([part.low, part.high], [lane, lane], color=mark["color"], linewidth=2, alpha=0.55)
        ax.plot(part.coverage, lane, linestyle="none", markersize=6.5 * scale_of(ax), **mark)
    ax.xaxis.set_major_formatter(style.format_share)
    style.label_axes(ax, "coverage", escape_text(coverage.by))
    ax.grid(visible=False, axis="y")
    if len(parts) < len(coverage.segments):
        ax.set_title(f"the {len(parts)} of {len(coverage.segments)} segments that differ the most")
        ax.title.set_fontsize(style.text_size(ax, "medium"))
    if legend:
        style.show_legend(ax, [line, *_key(coverage, parts)], columns=2)
    return ax


def _choose_segments(segments: tuple[SegmentCoverage, ...]) -> list[SegmentCoverage]:
    """Choose the segments that there is room for, in their own order: significant ones first."""
    if len(segments) <= _MOST_LANES:
        return list(segments)
    ranked = sorted(segments, key=lambda part: (not part.significant, -abs(part.difference)))
    chosen = {id(part) for part in ranked[:_MOST_LANES]}
    return [part for part in segments if id(part) in chosen]


def _style_of(part: SegmentCoverage) -> dict[str, Any]:
    if not part.significant:
        return _WITHIN
    return _BELOW if part.difference < 0 else _ABOVE


def _key(coverage: ConditionalCoverage, parts: list[SegmentCoverage]) -> list[Any]:
    """Explain the marks that are there."""
    from matplotlib.lines import Line2D  # noqa: PLC0415

    within = f"with {100 * coverage.confidence_level:g}% CI, for all at once"
    words = ((_WITHIN, within), (_BELOW, "significantly below"), (_ABOVE, "significantly above"))
    there = [_WITHIN, *map(_style_of, parts)]
    return [Line2D([], [], label=label, linewidth=2, **mark) for mark, label in words if mark in there]
