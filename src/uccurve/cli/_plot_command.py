"""``uccurve plot``: the curves of all models in one figure."""

import logging
import os
import warnings
from collections.abc import Mapping
from typing import Annotated, Any

from cyclopts import validators

from uccurve._base.text import limits, printable
from uccurve.cli import _output_files, _terminal
from uccurve.cli._errors import UsageError
from uccurve.cli._figure_options import Height, Points, Width, chosen_points
from uccurve.cli._loaded_models import load
from uccurve.cli._options import (
    DEFAULT_DATA,
    DEFAULT_MESSAGES,
    METHOD,
    DataOptions,
    Files,
    MessageOptions,
    Output,
    Title,
    Unit,
    Vary,
    X,
    Y,
    option,
    rate,
)
from uccurve.cli._sketched_source import file_document, sketched
from uccurve.curve import Curve

_FIGURES = frozenset({".png", ".svg", ".pdf"})


def plot(
    files: Files,
    /,
    *,
    data: DataOptions = DEFAULT_DATA,
    x: X = "bandwidth",
    y: Y = "miss_rate",
    vary: Vary = "scale",
    cost: Annotated[
        float | None,
        option(
            "Mark the cheapest point if wide intervals cost C and misses 1-C.",
            METHOD,
            "C",
            validators.Number(gte=0, lte=1),
        ),
    ] = None,
    confidence: Annotated[
        float | None, option("Draw a confidence band of the miss rate, such as 0.95.", METHOD, "LEVEL", rate)
    ] = None,
    points: Points = (),
    output: Output = "ucc.png",
    width: Width = None,
    height: Height = None,
    title: Title = None,
    unit: Unit = None,
    messages: MessageOptions = DEFAULT_MESSAGES,
) -> None:
    """Draw the curves of all models on one pair of axes: .png, .svg or .pdf."""
    from uccurve.plotting._saved_figures import write_figure  # noqa: PLC0415 - an optional library behind it

    if confidence is not None and y != "miss_rate":
        raise UsageError("--confidence and --y deficit exclude each other: the band is one of miss rates.")
    coverages = chosen_points(points)
    kind = _output_files.checked_suffix(output, _FIGURES)
    sketches = sketched(files, data, messages, vary=vary)
    curves: dict[str, Curve]
    if sketches is None:
        loaded = load(files[0], data, vary=vary)
        curves = {name: intervals.ucc(vary=vary) for name, intervals in loaded.models.items()}
        notes = loaded.notes
    else:
        curves = {name: sketch.curve() for name, sketch in sketches.content.whole().items()}
        notes = sketches.notes
    _refuse_mixed_sides(curves)
    options: dict[str, Any] = {"x": x, "y": y, "cost": cost, "confidence": confidence, "unit": unit or ""}
    options |= {"points": coverages, "width": width, "height": height}
    ax = _drawn(curves, options)
    if title:
        ax.set_title(printable(title), parse_math=False)  # a dollar sign starts no formula
    with warnings.catch_warnings(), _output_files.replacing(output) as path:
        warnings.simplefilter("ignore")  # a glyph that the font lacks is drawn as a box
        write_figure(ax.figure, path, kind)
    _terminal.written(output, messages, {**file_document(files), "models": list(curves), "notes": notes})


def _refuse_mixed_sides(curves: Mapping[str, Curve]) -> None:
    """Refuse limits beside intervals, whose widths do not compare."""
    names = {curve.side: name for name, curve in curves.items()}
    if len(names) > 1:
        kinds = " and ".join(f"{limits(side) or 'intervals'} ({name})" for side, name in names.items())
        raise UsageError(f"widths of {kinds} do not compare: draw them in figures of their own.")


def _drawn(curves: Mapping[str, Curve], options: Mapping[str, Any]) -> Any:
    """Draw all curves on one pair of axes."""
    os.environ["MPLBACKEND"] = "agg"  # never a window
    logging.getLogger("matplotlib").setLevel(logging.CRITICAL)  # its caches are not our user's business
    ax: Any = None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a glyph that the font lacks is drawn as a box
        for name, curve in curves.items():
            ax = curve.plot(ax, label=name, **options)
            options = {**options, "width": None, "height": None}  # the figure has its size
    return ax
