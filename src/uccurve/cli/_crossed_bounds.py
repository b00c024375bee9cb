"""Crossed bounds of a file, swapped where asked for, and the options that help where rows are refused."""

from __future__ import annotations

import csv
import io
import shlex
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base.arguments import rows_that
from uccurve.exceptions import CrossedBoundsError, InvalidRowsError, PredictionOutsideError
from uccurve.intervals._crossed import sort_bounds, sort_quantiles

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from uccurve.cli._input_files import FileTable
    from uccurve.exceptions import UccurveError
    from uccurve.intervals._column_detection import ModelColumns

NO_REMEDIES: dict[type[InvalidRowsError], str] = {CrossedBoundsError: "", PredictionOutsideError: ""}
"""In place of what the library says to do, which `remedy` says in options."""
_ROLES = ("lower", "y_pred", "upper")
_DROP = "or --invalid drop to leave such rows out."


def sorted_columns(table: FileTable, model: ModelColumns, arrays: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns of all rows, bounds swapped where they are crossed if the user asked for it.

    A prediction that is the median of the same quantiles is sorted with them.
    """
    if table.crossed == "raise" or not {"lower", "upper"} <= set(arrays):
        return dict(arrays)
    if model.median_is_prediction:
        ordered, _ = sort_quantiles(np.stack([arrays[role] for role in _ROLES], axis=1))
        return {**arrays, **dict(zip(_ROLES, ordered.T, strict=True))}
    lower, upper, _ = sort_bounds(arrays["lower"], arrays["upper"])
    return {**arrays, "lower": lower, "upper": upper}


def swapped_note(
    table: FileTable, model: ModelColumns, read: Callable[[str], np.ndarray], *, several: bool
) -> str | None:
    """Say how many rows had crossed bounds; None if there are none."""
    if model.median_is_prediction:
        crossed = sort_quantiles(np.stack([read(model.arguments[role]) for role in _ROLES], axis=1))[1]
        names = ", ".join(repr(model.arguments[role]) for role in _ROLES)
        what = f"crossed quantiles, which were sorted: {names}"
    else:
        crossed = sort_bounds(read(str(model.lower)), read(str(model.upper)))[2]
        what = f"crossed bounds, which were swapped: column {model.lower!r} exceeded column {model.upper!r}"
    if not crossed.any():
        return None
    rows = rows_that(int(np.count_nonzero(crossed)), crossed.size, "had", "had")
    front = f"{model.name}: " if several else ""
    return f"{front}{rows} {what}; first at {table.position(int(np.argmax(crossed)))}."


def remedy(error: UccurveError, model: ModelColumns) -> str:
    """Say which options help against an error, after a space; nothing where none does."""
    if isinstance(error, CrossedBoundsError):
        return f" Add --crossed sort to swap the two, {_DROP}"
    if isinstance(error, PredictionOutsideError) and None in (model.lower, model.upper):
        return " Add --invalid drop to leave such rows out."
    if isinstance(error, PredictionOutsideError) and model.median_is_prediction:
        return f" Add --crossed sort to sort the quantiles of each row, {_DROP}"
    if isinstance(error, PredictionOutsideError):
        return f" Add --model {shlex.quote(_without_prediction(model))} to use the midpoints, {_DROP}"
    if isinstance(error, InvalidRowsError) and error.count:
        return " Add --invalid drop to leave such rows out."
    return ""


def _without_prediction(model: ModelColumns) -> str:
    """Return the columns of a model as --model takes them, with midpoints in the place of predictions."""
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(["", model.lower, model.upper])
    return f"{model.name}={line.getvalue()}"
