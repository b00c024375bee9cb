"""What all figures share: colors, dashes, words, new axes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base import arguments
from uccurve._base.arguments import needed
from uccurve._base.arrays import to_numpy
from uccurve._base.text import printable
from uccurve.exceptions import ArgumentError
from uccurve.plotting._text_sizes import text_size

if TYPE_CHECKING:
    from collections.abc import Mapping

# The report page's colors on light ground, after Okabe and Ito's but darker, so that words can have them too.
# Color-blind eyes tell them apart; in gray the dashes do.
COLORS = ("#0072b2", "#c24e00", "#007d5c", "#a8437d", "#6a51a3", "#946200")
DASHES: tuple[Any, ...] = ("-", (0, (6, 1.5)), (0, (4, 1, 1, 1)), (0, (2, 1)), (0, (8, 1, 1, 1, 1, 1)))
QUIET = "0.35"
"""The gray of everything that is not a model."""

_MOST_POINTS = 4000
_LONGEST_NAME = 40
_INCHES = (1, 100)
"""Widths and heights that a figure may have."""
_WORDS = {
    "bandwidth": "bandwidth: mean half-width",
    "excess": "excess: mean room inside the bounds",
    "deficit": "deficit: mean distance outside the bounds",
}
_WORDS_OF_LIMIT = {
    "bandwidth": "bandwidth: mean distance from the prediction to the {side} limit",
    "excess": "excess: mean room inside the {side} limit",
    "deficit": "deficit: mean distance outside the {side} limit",
}


def new_axes(width: float = 6.4, height: float = 4.4) -> Any:
    """Make a figure with one pair of axes; pyplot shows it where figures are shown."""
    with needed("matplotlib", extra="plot"):
        from matplotlib import pyplot as plt  # noqa: PLC0415
    return plt.subplots(figsize=(width, height), layout="constrained")[1]


def sized_axes(width: float | None, height: float | None) -> Any:
    """Make a figure of a width and a height in inches; without a height it suits the width."""
    width = 6.4 if width is None else arguments.number("width", width, *_INCHES)
    suits = max(11 / 16 * width, min(width, 2.6))  # 3.3 by 2.6, 6.4 by 4.4
    return new_axes(width, suits if height is None else arguments.number("height", height, *_INCHES))


def model_style(place: int) -> dict[str, Any]:
    """Return the color and the dashes of the model at a place in the order of drawing."""
    return {"color": COLORS[place % len(COLORS)], "linestyle": DASHES[place % len(DASHES)]}


def checked_line_style(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return matplotlib's keywords for a line under their long names; None stands for the default."""
    with needed("matplotlib", extra="plot"):
        from matplotlib import cbook  # noqa: PLC0415
        from matplotlib.lines import Line2D  # noqa: PLC0415
    if "label" in given:
        raise ArgumentError(
            argument="label",
            rule="not be passed: the legend shows the names of the curves",
            hint="Pass `name`.",
        )
    style = {name: value for name, value in given.items() if value is not None}
    style = cbook.normalize_kwargs(style, Line2D)
    for name in style:
        if not hasattr(Line2D, f"set_{name}"):
            raise TypeError(f"plot() got an unexpected keyword argument {name!r}")
    Line2D([], [], **style)  # raises for a value that no line can have
    return style


def literal(text: str) -> str:
    """Make matplotlib show a user's text as it is.

    A pair of dollars would start a formula, and a label that starts with an underscore is left out
    of legends.
    """
    text = printable(text)
    if len(text) > _LONGEST_NAME:
        text = text[: _LONGEST_NAME - 1] + "…"
    text = text.replace("$", r"\$")
    return f" {text}" if text.startswith("_") else text


def axis_label(cost: str, unit: str, side: str = "both") -> str:
    """Name a cost with its unit, in the words of intervals or limits; the miss rate has none."""
    words = _WORDS if side == "both" else _WORDS_OF_LIMIT
    return f"{words[cost].format(side=side)} ({in_unit(unit)})" if cost in words else cost.replace("_", " ")


def in_unit(unit: str) -> str:
    """Return the unit as it is shown, also where nobody gave one."""
    return literal(unit) if unit else "units of y"


def percent(value: float) -> str:
    """Show a share in per cent, or a dash where it does not exist."""
    return "–" if math.isnan(value) else f"{typographic(f'{100 * value:.1f}')}%"


def share(value: float) -> str:
    """Show a coverage or another share that somebody chose, in per cent and with the digits it was given."""
    return f"{100 * value:.4g}%"


def signed(value: float) -> str:
    """Show a number with its sign."""
    return typographic(f"{value:+.3g}")


def typographic(number: str) -> str:
    """Write a number with a true minus sign."""
    return number.replace("-", "−")


def claimed(nominal: float) -> str:
    """Name the intervals of quantiles by the coverage that they claim, which is not the one they have."""
    return f"nominal coverage {100 * nominal:.3g}%"


def thin(values: Any) -> np.ndarray:
    """Take evenly spaced points of a long array, both ends among them: more than a figure shows."""
    array = to_numpy(values)
    return array if array.size <= _MOST_POINTS else np.asarray(array[evenly(array.size, _MOST_POINTS)])


def evenly(n: int, most: int) -> np.ndarray:
    """Choose at most so many of n places, evenly, both ends among them."""
    return np.linspace(0, n - 1, min(n, most)).round().astype(int)


def original_mark(color: str, scale: float = 1.0) -> dict[str, Any]:
    """Return the style of the mark for intervals as given: a ring, which other marks show through."""
    return {
        "color": color,
        "marker": "o",
        "markersize": 7 * scale,
        "markerfacecolor": "white",
        "markeredgewidth": 2 * scale,
        "linestyle": "none",
        "zorder": 4,
    }


def show_legend(ax: Any, handles: list[Any], **options: Any) -> Any:
    """Show a legend on a white ground, so that a line behind it cannot cross out its words."""
    settings = {"framealpha": 0.85, "edgecolor": "none", "fontsize": text_size(ax, "small")} | options
    if "title" in options:
        settings |= {"title_fontsize": text_size(ax, "medium")}
    shown = ax.legend(handles=handles, **settings)
    if "bbox_to_anchor" not in options:
        shown.set_in_layout(False)  # inside the axes: a long name must not squeeze them
    return shown


def mixed_with_white(color: Any, white: float) -> tuple[float, ...]:
    """Return a tint of a color, which covers what lies below it: its look does not depend on the ground."""
    from matplotlib.colors import to_rgb  # noqa: PLC0415

    return tuple(white + (1 - white) * part for part in to_rgb(color))
