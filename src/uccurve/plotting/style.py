"""What all figures share: colors, dashes, words, sizes, the axis of coverage, legends and files."""

from __future__ import annotations

import math
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base import arguments, files
from uccurve._base.arguments import needed
from uccurve._base.arrays import to_numpy
from uccurve._base.text import printable, shorten
from uccurve.exceptions import ArgumentError

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping, Sequence

# Colors and dashes are the report page's, on light ground: a test compares them with its palette.css and
# look.js. The colors are Okabe and Ito's, but darker, so that words can have them too. Color-blind eyes tell
# them apart; in gray print the dashes do.
COLORS = ("#0072b2", "#c24e00", "#007d5c", "#a8437d", "#6a51a3", "#946200")
_PATTERNS = ((3.5, 1.5), (4.5, 1, 1, 1), (1.5, 1), (6, 1.5), (4.5, 1, 1, 1, 1, 1))
DASHES: tuple[Any, ...] = ("-", *((0, pattern) for pattern in _PATTERNS))
DASHES_OF_CONSTANT: Any = (0, (2.5, 3.5))
# Everything that is not a model: readable on white and on dark ground.
QUIET = "#6b7480"
# Of more than four models, all but the best two: on white the page's gray, on dark no brighter than words.
GRAY = QUIET + "9e"
MOST_IN_COLOR = 4

# The kinds of files, by the ends of their names.
FIGURE_KINDS = (".pdf", ".png", ".svg")
_TRUETYPE: Any = {"pdf.fonttype": 42}

_MOST_POINTS = 700
# Letters of a name in a line beside a lane or below the axis.
_LINE = 20
# Axes of four inches show words and lines in full size; those of 2.6 or less in three quarters of it.
_FULL, _LEAST, _SMALLEST = 4.0, 2.6, 0.75
# Inches beside axes that words and ticks need at least.
_BESIDE = 0.6
# Inches of axes on which the legend says names only.
SMALL = 3.2
# The width of a letter, as a share of its size, and how many of them the sample of a legend takes. Of the
# letters that fit, this share fits even if they are wide.
_LETTER, _SAMPLE, _WIDE = 0.55, 6, 0.8
# How much taller than without a legend an axis may become.
_TALLEST = 2.0
# Coverages that have a tick, those to keep first in front, and the room of a tick in inches.
_TICKS = (100, 50, 90, 80, 95, 99, 70, 60, 0, 20, 40, 98, 85, 75, 30, 10)
_ROOM_OF_TICK = 0.44
# Share of an axis beyond its ends, for marks that lie there.
_MARGIN = 0.012


# -- models and words ---------------------------------------------------------------------------


def model_style(place: int, *, is_gray: bool = False) -> dict[str, Any]:
    """Return color and dashes of the model at a place; after six models colors have other dashes."""
    dashes = DASHES[(place + place // len(COLORS)) % len(DASHES)]
    return {"color": GRAY if is_gray else COLORS[place % len(COLORS)], "linestyle": dashes}


def ring(ax: Any, color: str) -> dict[str, Any]:
    """Return the mark of intervals as supplied: a ring."""
    line = {"color": color, "linestyle": "none", "markeredgewidth": 2 * scale_of(ax), "zorder": 4}
    return line | {"marker": "o", "markersize": 7 * scale_of(ax), "markerfacecolor": ground_of(ax)}


def ground_of(ax: Any) -> tuple[float, ...]:
    """Return the color behind what is drawn on axes; white where they are transparent."""
    *color, alpha = ax.get_facecolor()
    return tuple(color) if alpha else (1.0, 1.0, 1.0)


def escape_text(text: str) -> str:
    """Make matplotlib show a user's text as it is, a long one without its middle."""
    return escape_names([text])[0]


def escape_names(names: Iterable[str], longest: int = 40, line: int = 1000) -> list[str]:
    """Make matplotlib show names as they are, of so many letters at most, and different ones differently.

    A pair of dollars would start a formula, and a label that starts with an underscore is left out
    of legends.
    """
    short = shorten([printable(name) for name in names], longest)
    escaped = [textwrap.fill(name, line).replace("$", r"\$") for name in short]
    return [f" {name}" if name.startswith("_") else name for name in escaped]


def in_unit(unit: str) -> str:
    """Return the unit as it is shown, also where nobody passed one."""
    return escape_text(unit) if unit else "units of y"


def format_share(value: float, _place: int | None = None) -> str:
    """Show a coverage in percent, with the digits it was given: somebody chose it, or it is a tick."""
    return f"{100 * value:.4g}%"


# -- arrays -------------------------------------------------------------------------------------


def thin(values: Any) -> np.ndarray:
    """Take as many points of a long curve as a figure shows: closest at its end, both ends among them."""
    array = to_numpy(values)
    if array.size <= _MOST_POINTS:
        return array
    places = relax_coverage(np.linspace(0, 1, _MOST_POINTS)) * (array.size - 1)
    return np.asarray(array[np.unique(places.round().astype(int))])


# -- axes and their size ------------------------------------------------------------------------


def choose_axes(ax: Any, width: float | None = None, height: float | None = None) -> Any:
    """Return the axes that are passed, or those of a new figure of a size in inches.

    Pyplot shows the new figure where figures are shown.
    """
    with needed("matplotlib", extra="plot"):
        from matplotlib.axes import Axes  # noqa: PLC0415
    if ax is not None:
        arguments.instance("ax", ax, Axes, "matplotlib axes")
        return ax
    width = 6.4 if width is None else arguments.number("width", width, 1, 100)
    suitable = max(11 / 16 * width, min(width, 2.6))  # 3.3 by 2.6, 6.4 by 4.4
    height = suitable if height is None else arguments.number("height", height, 1, 100)
    from matplotlib import pyplot as plt  # noqa: PLC0415

    return plt.subplots(figsize=(width, height), layout="constrained")[1]


def size_in_inches(ax: Any) -> tuple[float, float]:
    """Return width and height of axes before any layout, so that they are the same for each call."""
    grid = ax.get_subplotspec()
    box = ax.get_position(original=True) if grid is None else grid.get_position(ax.figure)
    width, height = ax.figure.bbox.size / ax.figure.dpi
    return float(min(box.width * width, width - _BESIDE)), float(min(box.height * height, height - _BESIDE))


def scale_of(ax: Any) -> float:
    """Return by how much lines, marks and words are smaller than on axes of the usual size."""
    share = (size_in_inches(ax)[0] - _LEAST) / (_FULL - _LEAST)
    return _SMALLEST + (1 - _SMALLEST) * min(max(share, 0.0), 1.0)


def text_size(ax: Any, size: Any = "small") -> float:
    """Return a size of words in points, smaller on small axes."""
    from matplotlib.font_manager import FontProperties  # noqa: PLC0415

    return FontProperties(size=size).get_size_in_points() * scale_of(ax)


def letters_that_fit(inches: float, points: float) -> int:
    """Return how many letters of a size fit."""
    return max(12, int(72 * inches / (_LETTER * points)))


def label_axes(ax: Any, x: str, y: str) -> None:
    """Name both axes, in lines that fit; words are smaller on small axes, unless somebody chose a size."""
    import matplotlib as mpl  # noqa: PLC0415

    settings: Any = mpl.rcParams
    for axis, words, inches in zip((ax.xaxis, ax.yaxis), (x, y), size_in_inches(ax), strict=True):
        if math.isclose(axis.label.get_fontsize(), text_size(ax, settings["axes.labelsize"]) / scale_of(ax)):
            axis.label.set_fontsize(text_size(ax, settings["axes.labelsize"]))
        if scale_of(ax) < 1 and "labelsize" not in axis.get_tick_params():
            axis.set_tick_params(labelsize=text_size(ax, settings[f"{axis.axis_name}tick.labelsize"]))
        lines = 1 + len(words) // letters_that_fit(1.1 * inches, axis.label.get_fontsize())
        axis.set_label_text(textwrap.fill(words, len(words) // lines + 4 * lines))
    ax.grid(visible=True, alpha=0.25)


def choose_lanes(ax: Any, names: Sequence[str], inches: float) -> Any:
    """Return axes with a lane for each name; new ones have inches for each, or what names need."""
    labels = escape_names(names, line=_LINE)
    lines = 1 + max(label.count("\n") for label in labels)
    ax = choose_axes(ax, 6.4, 1.5 + max(inches, 0.19 * lines) * len(names))
    ax.set_yticks(range(len(names)), labels)
    ax.set_ylim(len(names) - 0.4, -0.6)
    return ax


def show_names(ax: Any, names: Iterable[str]) -> None:
    """Name places on the horizontal axis: upright where names have no room, and no more than have room."""
    distinct, points, inches = list(dict.fromkeys(names)), text_size(ax, "medium"), size_in_inches(ax)[0]
    labels = escape_names(distinct, longest=_LINE)
    is_upright = len(labels) * (2 + max(map(len, labels))) > letters_that_fit(inches, points)
    step = math.ceil(len(labels) * 1.4 * points / (72 * inches)) if is_upright else 1
    ax.set_xticks(distinct[::step], labels[::step], rotation=90 if is_upright else 0)


# -- the axis of coverage -----------------------------------------------------------------------


def stretch_coverage(coverage: Any) -> Any:
    """Return the place of a coverage on an axis that is even in the root of the miss rate."""
    miss_rate = 1 - np.asarray(coverage, dtype=float)
    return 1 - np.sign(miss_rate) * np.sqrt(np.abs(miss_rate))


def relax_coverage(place: Any) -> Any:
    """Return the coverage at a place on that axis."""
    rest = 1 - np.asarray(place, dtype=float)
    return 1 - np.sign(rest) * rest**2


def show_coverage(ax: Any, *, is_stretched: bool, marks: Mapping[float, str] | None = None) -> str:
    """Make the horizontal axis one of coverage, with ticks where there is room, and return its name.

    Coverages that are marked have a tick first, with the name of the mark.
    """
    place = stretch_coverage if is_stretched else float
    ends = (-_MARGIN, 1 + _MARGIN)
    if is_stretched:
        ax.set_xscale("function", functions=(stretch_coverage, relax_coverage))
    ax.set_xlim(*(relax_coverage(ends) if is_stretched else ends))
    room = _ROOM_OF_TICK * scale_of(ax) / size_in_inches(ax)[0]
    names, kept = marks or {}, list[float]()
    for share in [*names, *(percentage / 100 for percentage in _TICKS)]:
        if all(abs(place(share) - place(other)) >= room for other in kept):
            kept.append(share)
    kept.sort()
    words = ["\n".join(filter(None, [format_share(share), names.get(share)])) for share in kept]
    ax.set_xticks(kept, words, ma="center")
    return "coverage, stretched toward 100%" if is_stretched else "coverage"


# -- the legend ---------------------------------------------------------------------------------


def show_legend(
    ax: Any,
    handles: Sequence[Any],
    *,
    corner: str = "upper left",
    title: str = "",
    columns: int = 1,
    is_apart: bool = True,
    may_grow: bool = False,
) -> None:
    """Show a legend in an upper corner, and make room there by a taller axis where it needs some.

    The legend stands above everything that is drawn; or, not apart, above the lines that are below it. In the
    "best" corner it makes no room. Where the axis would be taller than twice, a figure that may grow does.
    """
    inches, points = size_in_inches(ax), text_size(ax)
    fitting = letters_that_fit(inches[0], points)
    entries = [(one, _break_lines(str(one.get_label()), int(_WIDE * fitting) - _SAMPLE)) for one in handles]
    letters = max(len(line) for _, text in entries for line in text.split("\n")) + _SAMPLE
    columns = max(1, min(columns, len(handles), fitting // letters))
    title = textwrap.fill(title, fitting)
    lines = bool(title) + title.count("\n") + sum(text.count("\n") + 1.22 for _, text in entries[::columns])
    upright = max((len(tick.get_text()) for tick in ax.get_xticklabels() if tick.get_rotation()), default=0)
    room = max(72 * inches[1] - upright * _LETTER * text_size(ax, "medium"), points)
    width, height = letters / fitting, (1.2 * lines + 1.2) * points / room
    highest = 1.0 if is_apart else _find_highest(ax, width, corner)
    if may_grow and height > 1 - highest / _TALLEST:
        ax.figure.set_figheight(ax.figure.get_figheight() * height / (1 - highest / _TALLEST))
    bottom, top = ax.get_ylim()
    taller = min(max(1.0, highest / max(1 - height, 0.01)), _TALLEST)
    ax.set_ylim(bottom, bottom + taller * (top - bottom))
    by_rows = [entry for column in range(columns) for entry in entries[column::columns]]
    shown = ax.legend(
        *zip(*by_rows, strict=True),
        loc=corner,
        title=title,
        ncols=columns,
        columnspacing=1.2,
        alignment="left",
        fontsize=text_size(ax),
        title_fontsize=text_size(ax),
        framealpha=0.85,
        edgecolor="none",
    )
    shown.set_in_layout(False)  # a long name must not squeeze the axes


def _break_lines(text: str, letters: int) -> str:
    return "\n".join(textwrap.fill(line, max(letters, 1)) for line in text.split("\n"))


def _find_highest(ax: Any, width: float, corner: str) -> float:
    """Return the height of the highest line within a width of a corner, as shares of the axes."""
    heights = [0.0]
    for line in ax.lines if corner != "best" else ():
        if line.get_transform() == ax.transData and len(line.get_xdata()):
            places = ax.transAxes.inverted().transform(ax.transData.transform(line.get_xydata()))
            is_below = places[:, 0] <= width if corner == "upper left" else places[:, 0] >= 1 - width
            heights += np.minimum(places[is_below, 1], 1).tolist()
    return max(heights)


# -- files --------------------------------------------------------------------------------------


def save_figure(figure: Any, path: str | os.PathLike[str], dpi: float = 300) -> None:
    """Write a figure in the format that the file name says; a failure leaves no partial file.

    Words in a PDF file are in TrueType fonts (type 42), which publishers take, unlike matplotlib's type 3.
    In an SVG file they are outlines, which look the same everywhere.
    """
    import matplotlib as mpl  # noqa: PLC0415

    kind = Path(path).suffix.lower()
    if kind not in FIGURE_KINDS:
        rule = f"be a name that ends with one of {', '.join(FIGURE_KINDS)}"
        raise ArgumentError(argument="path", rule=rule, got=repr(str(path)))
    with files.replacing(path) as unfinished, mpl.rc_context(_TRUETYPE):
        figure.savefig(unfinished, format=kind[1:], dpi=dpi)
