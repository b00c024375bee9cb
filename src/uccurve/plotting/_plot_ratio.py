"""The ratio of two models' interval scores or bandwidths as a figure."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base import arguments
from uccurve.inference import RatioCurve
from uccurve.plotting._direct_labels import DirectLabel, place_labels
from uccurve.plotting._fitted_words import fit_axis_words
from uccurve.plotting._style import QUIET, evenly, literal, model_style, new_axes
from uccurve.plotting._text_sizes import scale

if TYPE_CHECKING:
    from uccurve.inference import Criterion

_NAMES = {"interval_score": "interval score", "bandwidth": "half-width"}
_EQUAL = {"interval_score": "good", "bandwidth": "wide"}
_MOST_ANCHORS = 15
"""How many places along a curve its name may stand at."""


def plot_ratio(
    ratio: RatioCurve,
    ax: Any = None,
    *,
    label: str | None = None,
    color: str | None = None,
    other: str | None = None,
) -> Any:
    """Draw the ratio of two models' interval scores or bandwidths over coverage, on matplotlib axes.

    Below 100% the first model is better. The shaded band is the confidence band of the ratio, the
    mark on the line of 100% the cross-over with its interval.

    Parameters
    ----------
    ratio : RatioCurve
        What `uccurve.ratio_curve` returns.
    ax : matplotlib.axes.Axes, optional
        Where to draw; new axes if not given.
    label : str, optional
        The name of the curve, beside it.
    color : str, optional
        Any color that matplotlib knows.
    other : str, optional
        The name of the other model, on the line of 100%; "constant width" where it is that.

    Examples
    --------
    >>> import uccurve as uc
    >>> from uccurve.datasets import make_crossing
    >>> ratio = uc.ratio_curve(make_crossing().models["sharp"], n_resamples=99, rng=0)
    >>> ax = ratio.plot(label="sharp")
    >>> sorted(text.get_text() for text in ax.texts)
    ['100%: as good as constant width', 'sharp']
    >>> ax.figure.clear()
    """
    arguments.instance("ratio", ratio, RatioCurve)
    ax = new_axes(6.4, 4.0) if ax is None else ax
    drawn = sum(line.get_gid() == "ratio" for line in ax.lines)
    if not drawn:
        ax._uccurve_ratio = _Words()
    style = model_style(drawn) | ({"color": color} if color else {})
    x, y = 100 * ratio.coverage, 100 * ratio.ratio
    (line,) = ax.plot(x, y, linewidth=1.9 * scale(ax), gid="ratio", **style)
    ax.fill_between(x, 100 * ratio.low, 100 * ratio.high, color=style["color"], alpha=0.18, linewidth=0)
    if ratio.crossover is not None:
        ends = [100 * (1 - end) for end in (ratio.crossover.high, ratio.crossover.low)]
        ax.plot(
            ends, [100, 100], color=style["color"], linewidth=5 * scale(ax), alpha=0.5, solid_capstyle="butt"
        )
        ax.plot(100 * ratio.crossover.coverage, 100, "o", color=style["color"], markeredgecolor="white")
    if not drawn:
        ax.axhline(100, color=QUIET, linewidth=1.2, linestyle=":")
        ax.set(xlabel="coverage in %", xlim=(0, 100))
        ax.grid(visible=True, alpha=0.25)
    words: _Words = ax._uccurve_ratio
    words.others.add(_other(ratio, other))
    words.criteria.add(ratio.criterion)
    ax.set_ylabel(f"{' or '.join(_NAMES[one] for one in sorted(words.criteria))} in % of the other's")
    if label:
        words.names.append(
            DirectLabel(literal(label), _anchors(x, y), style["color"], leader=False, line=line)
        )
    fit_axis_words(ax)
    words.place(ax)
    return ax


@dataclass(eq=False)
class _Words:
    """The words on a pair of axes: names of curves, and on the line of 100% that of the other models."""

    names: list[DirectLabel] = field(default_factory=list)
    others: set[str] = field(default_factory=set)
    criteria: set[Criterion] = field(default_factory=set)
    line: DirectLabel = field(
        default_factory=lambda: DirectLabel("", [(at, 100.0) for at in range(2, 80, 6)], QUIET, leader=False)
    )

    def place(self, ax: Any) -> None:
        equal = _EQUAL[max(self.criteria)]
        same = len(self.others) == 1
        self.line.short = "100%"
        self.line.words = f"100%: as {equal} as {min(self.others)}" if same else f"100%: equally {equal}"
        place_labels(ax, [*self.names, self.line])


def _other(ratio: RatioCurve, other: str | None) -> str:
    if other:
        return literal(other).strip()
    return "constant width" if ratio.over_constant_band else "the other model"


def _anchors(x: Any, y: Any) -> list[tuple[float, float]]:
    """Choose places along a curve; one that is not known anywhere has its name on the left."""
    known = np.flatnonzero(np.isfinite(y))
    if not known.size:
        return [(5.0, 100.0)]
    chosen = known[evenly(known.size, _MOST_ANCHORS)]
    return [(float(x[place]), float(y[place])) for place in chosen]
