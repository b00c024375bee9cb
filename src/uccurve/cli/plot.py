"""``uccurve plot``: the curves of all models in one figure."""

import os
import warnings
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import validators

from uccurve import io
from uccurve._base.text import limits, printable
from uccurve.cli import console, inputs, options
from uccurve.cli.errors import UsageError

if TYPE_CHECKING:
    from uccurve.curve import Curve

_FIGURES = (".pdf", ".png", ".svg")
_COST = options.option(
    "Mark the cheapest point if wide intervals cost C and misses 1-C.",
    metavar="C",
    validator=validators.Number(gte=0, lte=1),
)
_CONFIDENCE = options.share(
    "Draw a confidence band of the miss rate, such as 95%.", "LEVEL", name=options.CONFIDENCE
)
_PAPER = options.flag("Draw the paper's axes: half-width along x, miss rate along y.")
_POINTS = options.share(
    "Mark these coverages, such as 90%,95%; repeatable.",
    "SHARES",
    converter=options.read_shares,
    show=False,
)
_size = partial(
    options.option, group=options.OUTPUT, metavar="IN", validator=validators.Number(gte=1, lte=20)
)
_WIDTH = _size("Width of the figure in inches; 3.3 fits one column of a paper.")
_HEIGHT = _size("Height of the figure in inches.")


def plot(
    files: options.Files,
    /,
    *,
    data: options.DataOptions = options.DEFAULT_DATA,
    x: options.X = "bandwidth",
    y: options.Y = "miss_rate",
    vary: options.Vary = "scale",
    cost: Annotated[float | None, _COST] = None,
    confidence: Annotated[float | None, _CONFIDENCE] = None,
    paper: Annotated[bool, _PAPER] = False,
    points: Annotated[tuple[float, ...], _POINTS] = (),
    output: options.Output = "ucc.png",
    width: Annotated[float | None, _WIDTH] = None,
    height: Annotated[float | None, _HEIGHT] = None,
    title: options.Title = None,
    unit: options.Unit = None,
    messages: options.MessageOptions = options.DEFAULT_MESSAGES,
) -> None:
    """Draw the curves of all models on one pair of axes: .png, .svg or .pdf.

    Examples
    --------
      uccurve plot forecasts.csv -o ucc.svg
      uccurve plot f.csv --std sd -o ucc.png --x excess --y deficit
      uccurve plot f.csv --unit MW --title "Load" --confidence 95% --cost 0.1
      uccurve plot f.csv -o figure.pdf --width 3.3 --points 0.9,0.95 --unit MW
      uccurve plot f.csv -o paper.pdf --paper
      uccurve plot forecasts.csv --vary level
      uccurve plot all.ucc -o all.svg
    """
    from uccurve.plotting import UCCDisplay, save_figure  # noqa: PLC0415 - an optional library behind it

    if confidence is not None and y != "miss_rate":
        raise UsageError("--confidence and --y deficit cannot be combined: the band is for miss rates.")
    io.check_output(output, _FIGURES)
    sketches = inputs.load_sketches(files, data, messages, vary=vary)
    curves: dict[str, Curve]
    if sketches is None:
        models = inputs.load_models(files[0], data, vary=vary)
        curves, notes = {name: rows.ucc(vary=vary) for name, rows in models.items()}, models.notes
    else:
        curves, notes = {name: one.curve() for name, one in sketches.content.whole().items()}, sketches.notes
    sides = {curve.side: name for name, curve in curves.items()}
    if len(sides) > 1:
        kinds = " and ".join(f"{limits(side) or 'intervals'} ({name})" for side, name in sides.items())
        raise UsageError(f"widths of {kinds} cannot be compared: draw them in separate figures.")
    look: dict[str, Any] = {"cost": cost, "confidence": confidence, "paper": paper, "unit": unit or ""}
    look |= {"points": points or None, "width": width, "height": height}
    os.environ["MPLBACKEND"] = "agg"  # never a window
    with warnings.catch_warnings(), io.writing(output):
        warnings.simplefilter("ignore")  # a glyph that the font lacks is drawn as a box
        ax = UCCDisplay(curves, x=x, y=y).plot(**look).ax_
        if title:
            ax.set_title(printable(title), parse_math=False)  # a dollar sign starts no formula
        save_figure(ax.figure, output)
    console.finish(output, messages, {**inputs.describe_files(files), "models": list(curves), "notes": notes})
