"""The coverage of segments as a figure."""

from __future__ import annotations

from typing import Any

from uccurve._base import arguments
from uccurve.inference import ConditionalCoverage, SegmentCoverage
from uccurve.plotting._fitted_words import fit_axis_words, legend_above
from uccurve.plotting._style import COLORS, QUIET, literal, new_axes, percent
from uccurve.plotting._text_sizes import scale, text_size

_MOST_LANES = 40
_WITHIN: dict[str, Any] = {"color": QUIET, "marker": "o", "markerfacecolor": "white"}
_BELOW: dict[str, Any] = {"color": COLORS[1], "marker": "v", "markerfacecolor": COLORS[1]}
_ABOVE: dict[str, Any] = {"color": COLORS[0], "marker": "^", "markerfacecolor": COLORS[0]}


def plot_conditional_coverage(coverage: ConditionalCoverage, ax: Any = None, *, legend: bool = True) -> Any:
    """Draw the coverage of each segment with its interval on matplotlib axes and return them.

    The line is the expected coverage. A full mark is a segment that differs from it significantly; a ring
    may be chance. Of more than 40 segments those that differ the most are drawn.

    Parameters
    ----------
    coverage : ConditionalCoverage
        What `uccurve.conditional_coverage` returns.
    ax : matplotlib.axes.Axes, optional
        Where to draw; new axes if not given.
    legend : bool
        Show the legend.
    """
    arguments.instance("coverage", coverage, ConditionalCoverage)
    parts = _drawn(coverage.segments)
    ax = new_axes(6.4, 1.5 + 0.27 * len(parts)) if ax is None else ax
    line = ax.axvline(
        100 * coverage.expected, color=QUIET, linestyle="--", linewidth=1.2, label=_expected(coverage)
    )
    for lane, part in enumerate(parts):
        style = _style(part)
        ax.plot(
            [100 * part.low, 100 * part.high], [lane, lane], color=style["color"], linewidth=2, alpha=0.55
        )
        ax.plot(100 * part.coverage, lane, linestyle="none", markersize=6.5 * scale(ax), **style)
    ax.set_yticks(range(len(parts)), [literal(str(part.segment)) for part in parts])
    ax.set(xlabel="coverage in %", ylim=(len(parts) - 0.4, -0.6), ylabel=literal(coverage.by))
    if len(parts) < len(coverage.segments):
        ax.set_title(
            f"the {len(parts)} of {len(coverage.segments)} segments that differ the most",
            fontsize=text_size(ax, "medium"),
        )
    ax.grid(visible=True, axis="x", alpha=0.25)
    ax.set_axisbelow(True)
    fit_axis_words(ax)
    if legend:
        legend_above(ax, [line, *_key(coverage, parts)], ncols=2)
    return ax


def _drawn(segments: tuple[SegmentCoverage, ...]) -> list[SegmentCoverage]:
    """Choose the segments that there is room for, in their own order: significant ones first."""
    if len(segments) <= _MOST_LANES:
        return list(segments)
    ranked = sorted(
        range(len(segments)),
        key=lambda place: (not segments[place].significant, -abs(segments[place].difference)),
    )
    return [segments[place] for place in sorted(ranked[:_MOST_LANES])]


def _style(part: SegmentCoverage) -> dict[str, Any]:
    if not part.significant:
        return _WITHIN
    return _BELOW if part.difference < 0 else _ABOVE


def _expected(coverage: ConditionalCoverage) -> str:
    return f"{percent(coverage.expected)} expected"


def _key(coverage: ConditionalCoverage, parts: list[SegmentCoverage]) -> list[Any]:
    """Explain the marks that are there."""
    from matplotlib.lines import Line2D  # noqa: PLC0415

    words = (
        (_WITHIN, f"with its interval, {100 * coverage.confidence_level:g}% for all at once"),
        (_BELOW, "significantly below"),
        (_ABOVE, "significantly above"),
    )
    styles = [_style(part) for part in parts]
    return [
        Line2D([], [], label=label, linewidth=2, **style)
        for style, label in words
        if style is _WITHIN or any(style is used for used in styles)
    ]
