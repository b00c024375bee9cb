"""Crossed bounds of a file, swapped where asked for, and the options that help where rows are refused."""

from __future__ import annotations

import csv
import io
import shlex
from typing import TYPE_CHECKING

import numpy as np

from uccurve._base.arguments import rows_that
from uccurve.exceptions import CrossedBoundsError, InvalidRowsError, PredictionOutsideError
from uccurve.intervals import sort_bounds

if TYPE_CHECKING:
    from collections.abc import Callable

    from uccurve.cli._input_files import FileTable
    from uccurve.columns import ModelColumns
    from uccurve.exceptions import UccurveError

_DROP = "or --invalid drop to leave such rows out."


def swapped_note(
    table: FileTable, model: ModelColumns, read: Callable[[str], np.ndarray], *, several: bool
) -> str | None:
    """Say how many rows had crossed bounds; None if there are none."""
    crossed = sort_bounds(read(str(model.lower)), read(str(model.upper)))[2]
    what = f"crossed bounds, which were swapped: column {model.lower!r} exceeded column {model.upper!r}"
    if not crossed.any():
        return None
    rows = rows_that(int(np.count_nonzero(crossed)), crossed.size, "had", "had")
    front = f"{model.name}: " if several else ""
    return f"{front}{rows} {what}; first at {table.position(int(np.argmax(crossed)))}."


def hint(error: UccurveError, model: ModelColumns) -> str:
    """Say which options help against an error; what the library says where none does."""
    if isinstance(error, CrossedBoundsError):
        how = "sort the quantiles of each row" if model.quantiles else "swap the two"
        return f"Add --crossed sort to {how}, {_DROP}"
    if isinstance(error, PredictionOutsideError) and None not in (model.lower, model.upper):
        return f"Add --model {shlex.quote(_without_prediction(model))} to use the midpoints, {_DROP}"
    if isinstance(error, InvalidRowsError) and error.count:
        return f"{error.hint} Add --invalid drop to leave such rows out.".lstrip()
    return error.hint


def _without_prediction(model: ModelColumns) -> str:
    """Return the columns of a model as --model takes them, with midpoints in the place of predictions."""
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(["", model.lower, model.upper])
    return f"{model.name}={line.getvalue()}"
