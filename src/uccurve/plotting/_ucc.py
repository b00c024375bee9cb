"""The curve as a figure."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._namespace import to_numpy
from uccurve.exceptions import ArgumentError, MissingDependencyError, UnreachableError

if TYPE_CHECKING:
    from uccurve._typing import X, Y
    from uccurve.curve import UCC

_MOST_POINTS = 4000
_COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
_DASHES = ("-", (0, (6, 1)), (0, (3, 1, 1, 1)))
_LABELS = {
    "bandwidth": "bandwidth: mean half width (units of y)",
    "excess": "excess: mean room inside the bounds (units of y)",
    "miss_rate": "miss rate",
    "deficit": "deficit: mean distance outside the bounds (units of y)",
}


def plot_ucc(
    curve: UCC,
    ax: Any = None,
    *,
    x: X = "bandwidth",
    y: Y = "miss_rate",
    label: str | None = None,
    color: str | None = None,
) -> Any:
    """Draw a curve on matplotlib axes and return them.

    With it goes the constant band, unless one with the same area is there already, and the limit
    line on the bandwidth axis: that of symmetric bands, or of bands on one side for asymmetric ones.

    Parameters
    ----------
    curve : UCC
        The curve.
    ax : matplotlib.axes.Axes, optional
        Where to draw; new axes if not given. Several curves may share axes.
    x, y : str
        The two costs.
    label : str, optional
        Name in the legend, in front of area and gain.
    color : str, optional
        Colour of the curve; by default the next of a series that is safe for colour-blind eyes.
    """
    ax = _new_axes() if ax is None else ax
    drawn = ax.__dict__.setdefault(
        "_uccurve", {"axes": (x, y), "constants": [], "limits": set(), "curves": 0}
    )
    if drawn["axes"] != (x, y):
        raise ArgumentError(f"`ax` shows {' and '.join(drawn['axes'])}: draw {x} and {y} on other axes.")
    color = color or _COLORS[drawn["curves"] % len(_COLORS)]
    style = {"drawstyle": "steps-post" if y == "miss_rate" else "default"}
    _draw_references(ax, curve, x, y, drawn, style)
    name = f"{label}: " if label else ""
    try:
        text = f"{name}area {curve.area(x, y):.3g}, gain {100 * curve.gain(x, y):.1f} %"
    except UnreachableError:
        text = f"{name}down to a miss rate of {float(curve.miss_rate[-1]):.3g}"
    dashes = _DASHES[drawn["curves"] % len(_DASHES)]
    _line(ax, curve, x, y, label=text, color=color, linewidth=1.8, linestyle=dashes, **style)
    point = curve.original
    dot = {"marker": "o", "markeredgecolor": "white", "markersize": 8, "linestyle": "none", "zorder": 3}
    ax.plot(getattr(point, x), getattr(point, y), color=color, **dot)
    if drawn["curves"] == 0:
        ax.plot([], [], color="0.35", label="as given", **dot)
    right = max(_tail(curve, x, y), _tail(curve.reference, x, y), drawn["curves"] and ax.get_xlim()[1])
    ax.set(xlabel=_LABELS[x], ylabel=_LABELS[y], xlim=(0, right or None), ylim=(0, None))
    ax.grid(visible=True, alpha=0.25)
    ax.legend(frameon=False)
    drawn["curves"] += 1
    return ax


def _new_axes() -> Any:
    try:
        from matplotlib import pyplot as plt  # noqa: PLC0415
    except ImportError as error:
        library, extra = "matplotlib", "plot"
        raise MissingDependencyError(library, extra) from error
    return plt.subplots(figsize=(6.4, 4.4), layout="constrained")[1]


def _draw_references(ax: Any, curve: UCC, x: X, y: Y, drawn: dict[str, Any], style: dict[str, Any]) -> None:
    """Draw the constant band and the limit line, each once."""
    constant = curve.reference.area(x, y)
    if not any(math.isclose(constant, other, rel_tol=1e-9) for other in drawn["constants"]):
        text = "constant band" if not drawn["constants"] else "constant band, other predictions"
        gray = str(0.35 + 0.2 * len(drawn["constants"]) % 0.5)
        _line(ax, curve.reference, x, y, color=gray, linestyle="--", label=text, **style)
        drawn["constants"].append(constant)
    sides = "symmetric" if curve.intervals.symmetric else "one-sided"
    if x == "bandwidth" and sides not in drawn["limits"]:
        frontier = curve.frontier
        width = frontier.bandwidth if sides == "symmetric" else frontier.one_sided_bandwidth
        ax.plot(
            *map(_thin, (width, getattr(frontier, y))),
            color="0.35",
            linestyle=":",
            label=f"limit, {sides} bands",
        )
        drawn["limits"].add(sides)


def _line(ax: Any, curve: UCC, x: X, y: Y, **style: Any) -> Any:
    return ax.plot(_thin(getattr(curve, x)), _thin(getattr(curve, y)), **style)


def _tail(curve: UCC, x: X, y: Y) -> float:
    """Return the x behind which the curve has come down to a hundredth: the rest is left out of view."""
    values = to_numpy(getattr(curve, y))
    return float(to_numpy(getattr(curve, x))[int(np.argmax(values <= max(values[0] / 100, values[-1])))])


def _thin(values: Any) -> np.ndarray:
    """Take evenly spaced points of a long array, both ends among them: more than a figure shows."""
    array = to_numpy(values)
    if array.size <= _MOST_POINTS:
        return array
    kept = np.linspace(0, array.size - 1, _MOST_POINTS).round().astype(int)
    return np.asarray(array[kept])
