"""The curve as a figure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._namespace import to_numpy
from uccurve.exceptions import MissingDependencyError, UnreachableError

if TYPE_CHECKING:
    from uccurve._typing import X, Y
    from uccurve.curve import UCC

_MOST_POINTS = 4000
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
    against: bool = True,
) -> Any:
    """Draw a curve on matplotlib axes and return them.

    Parameters
    ----------
    curve : UCC
        The curve.
    ax : matplotlib.axes.Axes, optional
        Where to draw; new axes if not given.
    x, y : str
        The two costs.
    label : str, optional
        Name in the legend, in front of area and gain.
    color : str, optional
        Colour of the curve.
    against : bool
        Also draw the constant band and the limit line; False for a further curve on the same axes.
    """
    if ax is None:
        try:
            from matplotlib import pyplot as plt  # noqa: PLC0415
        except ImportError as error:
            library, extra = "matplotlib", "plot"
            raise MissingDependencyError(library, extra) from error
        ax = plt.subplots(figsize=(6.4, 4.4), layout="constrained")[1]
    style = "steps-post" if y == "miss_rate" else "default"
    if against:
        _line(ax, curve.reference, x, y, drawstyle=style, color="0.35", linestyle="--", label="constant band")
        if x == "bandwidth":
            limit = [getattr(curve.frontier, cost) for cost in (x, y)]
            ax.plot(*map(_thin, limit), color="0.35", linestyle=":", label="limit in hindsight")
    name = f"{label}: " if label else ""
    try:
        text = f"{name}area {curve.area(x, y):.3g}, gain {100 * curve.gain(x, y):.1f} %"
    except UnreachableError:
        text = f"{name}down to a miss rate of {float(curve.miss_rate[-1]):.3g}"
    (line,) = _line(ax, curve, x, y, drawstyle=style, label=text, color=color or "#0072B2", linewidth=1.8)
    point = curve.original
    dot = {"marker": "o", "markeredgecolor": "white", "markersize": 8, "linestyle": "none", "zorder": 3}
    ax.plot(getattr(point, x), getattr(point, y), color=line.get_color(), **dot)
    if against:
        ax.plot([], [], color="0.35", label="as given", **dot)
    drawn = [_tail(c, x, y) for c in ((curve, curve.reference) if against else (curve,))]
    right = max(drawn) if against else max(*drawn, ax.get_xlim()[1])
    ax.set(xlabel=_LABELS[x], ylabel=_LABELS[y], xlim=(0, right or None), ylim=(0, None))
    ax.grid(visible=True, alpha=0.25)
    ax.legend(frameon=False)
    return ax


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
