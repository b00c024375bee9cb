"""Who is better at which coverage: ratios of two models, and the ranges in which one is the best."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from uccurve._base import arguments
from uccurve._base.text import limits, short_percent
from uccurve.comparison import Comparison, Regime
from uccurve.inference import RatioCurve
from uccurve.plotting import style
from uccurve.plotting.style import COLORS, QUIET, escape_text, scale_of

_NAMES = {"interval_score": "interval score", "bandwidth": "half-width"}
# Less, more, as much: as on the report page.
DIFFERENCES = {
    "interval_score": ("better", "worse", "the same"),
    "bandwidth": ("narrower", "wider", "as wide"),
}
# Ratios beyond it leave the figure.
_FARTHEST = 3.0
# Share of the range of the lines that is left above and below them, for their bands.
_ROOM = 0.35
# Miss rates below it, where few rows decide, do not stretch the axis.
_TAIL = 0.01

# An outline shows bars over a single coverage.
_CLEAR: dict[str, Any] = {"alpha": 1.0, "linewidth": 0.8}
_UNTESTED: dict[str, Any] = {"alpha": 0.4, "linewidth": 0.8}
_UNKNOWN: dict[str, Any] = {"facecolor": "#9aa4ae", "alpha": 0.28, "linewidth": 0, "zorder": 0}


# -- ratios -------------------------------------------------------------------------------------


def plot_ratio(
    ratio: RatioCurve,
    ax: Any = None,
    *,
    label: str | None = None,
    color: str | None = None,
    other: str | None = None,
    stretch: bool = True,
    legend: bool = True,
) -> Any:
    """Draw the ratio of two models' interval scores or half-widths over coverage, on matplotlib axes.

    Below the line of the other model the first one is better. The shade is the confidence band of the
    ratio, at all coverages at once; without it a line is pale. The mark on the line is the cross-over with
    its interval.

    Parameters
    ----------
    ratio : RatioCurve
        What `uccurve.ratio_curve` returns.
    ax : matplotlib.axes.Axes, optional
        Where to draw; new axes if not passed.
    label : str, optional
        The name of the curve.
    color : str, optional
        Any matplotlib color.
    other : str, optional
        The name of the other model; "constant width" where it is that.
    stretch : bool
        Stretch the axis of coverage toward 100%.
    legend : bool
        Show the legend.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.

    Raises
    ------
    ArgumentTypeError
        If ``ratio`` is not a `RatioCurve`, or ``ax`` is not matplotlib axes.
    MissingDependencyError
        If matplotlib is not installed.

    See Also
    --------
    uccurve.ratio_curve : Computes it.

    Examples
    --------
    >>> import uccurve as uc
    >>> from uccurve.datasets import make_crossing
    >>> ratio = uc.ratio_curve(make_crossing().models["sharp"], n_resamples=99, rng=0)
    >>> ax = ratio.plot(label="sharp")
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['sharp', '95% band, all coverages at once', 'constant width']
    >>> ax.figure.clear()
    """
    arguments.instance("ratio", ratio, RatioCurve)
    ax = style.choose_axes(ax, 6.4, 4.0)
    drawn = _Ratios.on(ax)
    look = style.model_style(len(drawn.ratios)) | ({"color": color} if color else {})
    drawn.ratios.append(ratio)
    unnamed = "constant width" if ratio.over_constant_band else "the other model"
    drawn.others.add(escape_text(other).strip() if other else unnamed)
    width, is_known = {"linewidth": 1.9 * scale_of(ax)}, np.isfinite(ratio.low)
    (line,) = ax.plot(ratio.coverage, ratio.ratio, gid="ratio", alpha=0.35, **look | width)
    if is_known.any():
        shade = {"facecolor": look["color"], "alpha": 0.16, "linewidth": 0}
        drawn.bands.append(ax.fill_between(ratio.coverage, ratio.low, ratio.high, **shade))
        drawn.bands[-1].set_label(f"{100 * ratio.confidence_level:g}% band, all coverages at once")
        (line,) = ax.plot(ratio.coverage, np.where(is_known, ratio.ratio, np.nan), **look | width)
    if label:
        line.set_label(escape_text(label))
        drawn.lines.append(line)
    if ratio.crossover is not None:
        ends = [1 - ratio.crossover.high, 1 - ratio.crossover.low]
        bar = {"linewidth": 5 * scale_of(ax), "alpha": 0.5, "solid_capstyle": "butt"}
        ax.plot(ends, [1, 1], color=look["color"], **bar)
        ax.plot(ratio.crossover.coverage, 1, "o", color=look["color"], markeredgecolor="white")
    drawn.finish(ax, is_stretched=stretch, legend=legend)
    return ax


@dataclass(eq=False)
class _Ratios:
    """The curves on a pair of axes, and the line of equal numbers between them."""

    equal: Any
    ratios: list[RatioCurve] = field(default_factory=list)
    others: set[str] = field(default_factory=set)
    lines: list[Any] = field(default_factory=list)
    bands: list[Any] = field(default_factory=list)

    @classmethod
    def on(cls, ax: Any) -> _Ratios:
        """Return what is on the axes; nothing, if they were cleared since."""
        drawn: _Ratios | None = getattr(ax, "_uccurve_ratios", None)
        if drawn is None or drawn.equal.axes is None:
            dashes = {"color": QUIET, "linestyle": style.DASHES_OF_CONSTANT}
            ax._uccurve_ratios = drawn = cls(ax.axhline(1, linewidth=1.3 * scale_of(ax), **dashes))
        return drawn

    def finish(self, ax: Any, *, is_stretched: bool, legend: bool) -> None:
        """Set view, labels and legend."""
        criteria = sorted({ratio.criterion for ratio in self.ratios})
        words = DIFFERENCES[criteria[0]] if len(criteria) == 1 else ("less", "more", "the same")
        other = "the other model" if len(self.others) > 1 else min(self.others)
        ax.yaxis.set_major_formatter(partial(_describe_difference, words))
        coverage = style.show_coverage(ax, is_stretched=is_stretched)
        measure = " or ".join(_NAMES[criterion] for criterion in criteria)
        style.label_axes(ax, coverage, f"{measure} against {other}")
        seen = np.concatenate([_values_in_view(ratio) for ratio in self.ratios])
        low, high = min(seen), min(max(seen), _FARTHEST)
        room = _ROOM * (high - low) or 0.1
        ax.set_ylim(low - room, high + room)
        if legend:
            self.equal.set_label(words[2] if len(self.others) > 1 else other)
            style.show_legend(ax, [*self.lines, *self.bands[-1:], self.equal], corner="best", is_apart=False)


def _describe_difference(words: tuple[str, str, str], ratio: float, _place: int) -> str:
    """Show a ratio as a difference in words: 0.9 is "10% better"."""
    less, more, same = words
    percentage = round(100 * (ratio - 1), 1)
    return f"{abs(percentage):g}% {more if percentage > 0 else less}" if percentage else same


def _values_in_view(ratio: RatioCurve) -> Any:
    """Return the values that the axis must hold: where bands are known, else where enough rows decide."""
    is_known = np.isfinite(ratio.low)
    chosen = is_known if is_known.any() else ratio.miss_rate >= _TAIL
    return np.r_[1.0, ratio.ratio[chosen & np.isfinite(ratio.ratio)]]


# -- ranges of coverage -------------------------------------------------------------------------


def plot_regimes(comparison: Comparison, ax: Any = None, *, stretch: bool = True, legend: bool = True) -> Any:
    """Draw who is best at which coverage, on matplotlib axes, and return them.

    Each model has a lane, with a bar over the coverages where it is clearly the best. A pale bar shows who
    leads where nothing was tested. Over gray ground no lead is clear. Beside each lane is the
    smallest lead over the second best under its longest bar.

    Parameters
    ----------
    comparison : Comparison
        What `compare` found.
    ax : matplotlib.axes.Axes, optional
        Where to draw; new axes if not passed.
    stretch : bool
        Stretch the axis of coverage toward 100%.
    legend : bool
        Show the legend.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.

    Raises
    ------
    ArgumentTypeError
        If ``comparison`` is not a `Comparison`, or ``ax`` is not matplotlib axes.
    MissingDependencyError
        If matplotlib is not installed.

    See Also
    --------
    uccurve.compare : Finds the ranges.

    Examples
    --------
    >>> import uccurve as uc
    >>> from uccurve.plotting import plot_regimes
    >>> models = uc.datasets.make_crossing(n=500, rng=0).models
    >>> ax = plot_regimes(uc.compare(models, n_resamples=99, rng=0))
    """
    arguments.instance("comparison", comparison, Comparison)
    names = _list_lanes(comparison)
    ax = style.choose_lanes(ax, names, 0.45)
    place = style.stretch_coverage if stretch else float
    longest: dict[int, tuple[float, Regime]] = {}
    for regime, (low, high) in zip(comparison.regimes, _find_ends(comparison), strict=True):
        if regime.best is None:
            ax.axvspan(low, high, **_UNKNOWN)
            continue
        lane, length = names.index(regime.best), place(high) - place(low)
        color = QUIET if regime.best in comparison.constant_bands else COLORS[lane % len(COLORS)]
        ax.barh(lane, high - low, 0.62, low, facecolor=color, edgecolor=color, **_style_of(regime))
        if regime.runner_up is not None and length > longest.get(lane, (0.0,))[0]:
            longest[lane] = length, regime
    for lane, (_, regime) in longest.items():
        look = {"transform": ax.get_yaxis_transform(), "va": "center", "fontsize": style.text_size(ax)}
        ax.text(1.01, lane, f"≥ {short_percent(regime.saved)}", **look)
    style.label_axes(ax, style.show_coverage(ax, is_stretched=stretch), "")
    ax.grid(visible=False, axis="y")
    if legend:
        of = f" of {limits(comparison.side)}" if comparison.side != "both" else ""
        best = "best interval score" if comparison.options.rank_by == "interval_score" else "narrowest"
        title = f"{best}{of}; right: lead over the second"
        style.show_legend(ax, _key(comparison), title=title, columns=3)
    return ax


def _find_ends(comparison: Comparison) -> list[tuple[float, float]]:
    """Return the coverages of ranges, drawn up to the middle between two steps so that they leave no gaps."""
    regimes = list(comparison.regimes)
    middles = [(one.high + other.low) / 2 for one, other in itertools.pairwise(regimes)]
    rates = [regimes[0].low, *middles, regimes[-1].high]
    return [(1 - high, 1 - low) for low, high in itertools.pairwise(rates)]


def _list_lanes(comparison: Comparison) -> list[str]:
    """Return the models, with the constant width that all share, or those that are best somewhere."""
    best = {regime.best for regime in comparison.regimes}
    constants = comparison.constant_bands
    return [*comparison.models, *(name for name in constants if len(constants) == 1 or name in best)]


def _key(comparison: Comparison) -> list[Any]:
    """Explain full and pale bars, and the ground without any, where they are there."""
    from matplotlib.patches import Patch  # noqa: PLC0415

    entries = (
        (_CLEAR, Patch(facecolor=QUIET, label="clear", **_CLEAR)),
        (_UNTESTED, Patch(facecolor=QUIET, label="not tested", **_UNTESTED)),
        (_UNKNOWN, Patch(label="no clear lead", **_UNKNOWN)),
    )
    there = [_style_of(regime) for regime in comparison.regimes]
    return [patch for look, patch in entries if look in there]


def _style_of(regime: Regime) -> dict[str, Any]:
    """Return how a range is drawn: as known and tested as it is."""
    if regime.best is None:
        return _UNKNOWN
    return _CLEAR if regime.clear else _UNTESTED
