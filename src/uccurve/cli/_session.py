"""What commands have in common: from a file to models, and from results to what is shown or written."""

from __future__ import annotations

import logging
import warnings
from typing import TYPE_CHECKING, Any

import uccurve
from uccurve._base.text import printable, readable
from uccurve.cli import _columns, _file_rows, _input_files, _output_files, _show
from uccurve.cli._errors import DataError, listed, nearest

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np

    from uccurve.cli._columns import Choice
    from uccurve.cli._file_rows import Loaded
    from uccurve.cli._input_files import Table
    from uccurve.cli._options import Columns, Reading, Speaking
    from uccurve.comparison import Comparison
    from uccurve.curve._curve import Curve
    from uccurve.intervals import Intervals
    from uccurve.sketch import UCCSketch

_ENOUGH_UNITS = 20
_TABLES = {"scores": 1, "tests": 2, "regimes": 3, "segments": 2}
"""The tables that are shown, and how many of their columns name a row."""
_TITLES = {
    "scores": "Scores, with areas on {x} and {y}, bands varied by {vary}",
    "tests": "Differences of areas, with paired permutation tests",
    "regimes": "Least bandwidth by miss rate",
    "segments": "Scores by segment",
}


def load(
    file: str, columns: Columns, reading: Reading, *, by: str | None = None, weight: str | None = None
) -> tuple[Choice, Loaded]:
    """Read a file, choose its columns, and make intervals."""
    table = _input_files.read(file, reading)
    choice = _columns.choose(table.frame.columns, columns, file, by=by, weight=weight)
    return choice, _file_rows.load(table, choice, reading.invalid, notes=(*table.notes, *choice.notes))


def at_least_two(loaded: Loaded) -> None:
    """Refuse to draw resamples from one row."""
    if loaded.table.frame.height < 2:  # noqa: PLR2004
        raise DataError(f"{loaded.table.name}: needs two rows or more to compare by, and has one.")


def blocks_of(table: Table, blocks: str | None) -> tuple[np.ndarray | int | None, list[str]]:
    """Read --blocks: a column of the file, or a number of rows; with a note where that leaves few units."""
    if blocks is None:
        return None, []
    present = table.frame.columns
    found: np.ndarray | int
    if blocks in present:
        found = _file_rows.label_values(table, blocks)
        units = len(set(found.tolist()))
    elif blocks.isascii() and blocks.isdigit() and int(blocks) > 0:
        found = int(blocks)
        units = -(-table.frame.height // found)
    else:
        close = nearest(blocks, present)
        raise DataError(
            f"{table.name}: --blocks {blocks} is neither a number of rows nor one of the columns "
            f"{listed(present)}{'.' if close is None else f'; did you mean {close!r}?'}"
        )
    if units >= _ENOUGH_UNITS:
        return found, []
    note = (
        f"--blocks {blocks} makes {units} units: the smallest possible p-value is "
        f"1/2^{units - 1} = {0.5 ** (units - 1):.3g}, and confidence intervals are rough."
    )
    return found, [note]


def about_axes(y: str, vary: str) -> list[str]:
    """Say where areas tell little."""
    note = (
        "with --vary shift, areas on the miss rate say little about bands: the ceiling of symmetric ones is "
        "about 0; --y deficit tells models apart."
    )
    return [note] if (vary, y) == ("shift", "miss_rate") else []


def show_comparison(
    comparison: Comparison, miss_rate: float, speaking: Speaking, about: dict[str, Any]
) -> None:
    """Show notes, tables and findings, or print them as one document."""
    findings = list(comparison.findings)
    if speaking.json:
        names = ("scores", "tests", "regimes", "crossings", "segments")
        tables = {name: _show.records(comparison.columns(name)) for name in names}
        _show.document({**about, **tables, "findings": findings})
        return
    _show.notes(about.get("notes", ()), speaking)  # only now: an error is a single line
    for name, keys in _TABLES.items():
        if comparison.columns(name):
            options = comparison.options
            title = _TITLES[name].format(x=options.x, y=options.y, vary=options.vary)
            _show.table(title, readable(comparison.columns(name)), keys)
            _show.line("")
    for finding in findings:
        _show.line(finding)


def write_report(
    models: dict[str, Intervals] | dict[str, UCCSketch] | Comparison,
    output: str,
    options: dict[str, Any],
    speaking: Speaking,
) -> None:
    """Write the page, all of it or none of it."""
    progress = not (speaking.quiet or speaking.json)
    with _output_files.replacing(output) as path:
        uccurve.report(models, path, progress=progress, **options)


def draw(curves: Mapping[str, Curve], output: str, kind: str, options: dict[str, Any]) -> None:
    """Draw all curves on one pair of axes."""
    logging.getLogger("matplotlib").setLevel(logging.CRITICAL)  # its caches are not our user's business
    ax: Any = None
    title = options.pop("title")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a glyph that the font lacks is drawn as a box
        for name, curve in curves.items():
            ax = curve.plot(ax, label=name, **options)
        if title:
            ax.set_title(printable(title), parse_math=False)  # a dollar sign starts no formula
        with _output_files.replacing(output) as path:
            ax.figure.savefig(path, format=kind, dpi=150)


def say_written(output: str, speaking: Speaking, about: dict[str, Any]) -> None:
    """Say what was done, and where the result is."""
    _show.notes(about.get("notes", ()), speaking)
    if speaking.json:
        _show.document({**about, "output": output})
    elif not speaking.quiet:
        _show.line(f"Wrote {output}")
