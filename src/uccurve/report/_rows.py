"""The rows that the page draws: which ones, and against what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._exact import FAMILIES
from uccurve._kernels import rows as kernel
from uccurve._layout import printable
from uccurve._namespace import to_numpy
from uccurve.exceptions import ArgumentError, ShapeError
from uccurve.report._packed import packed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from uccurve._typing import ArrayLike
    from uccurve.curve import UCC
    from uccurve.intervals import Intervals

MOST_ROWS = 1000
"""Values that the view of intervals carries: rows, times outputs."""


def choose(rows: Any, first: Intervals) -> np.ndarray:
    """Return the rows to show: evenly spaced ones, unless they were chosen."""
    most = max(1, MOST_ROWS // first.n_outputs)
    if rows is None:
        return np.unique(np.linspace(0, first.n - 1, min(first.n, most)).round().astype(int))
    try:
        chosen = np.atleast_1d(np.arange(first.n)[rows if isinstance(rows, slice) else np.asarray(rows)])
    except (IndexError, TypeError, ValueError) as error:
        raise ArgumentError(
            f"`rows` must be a slice or places of rows below {first.n}, got {rows!r}."
        ) from error
    if not 0 < chosen.size <= most:
        raise ArgumentError(f"`rows` must choose 1 to {most} rows, got {chosen.size}.")
    return chosen


def carried(
    curves: Mapping[str, UCC],
    chosen: np.ndarray,
    columns: Mapping[str, tuple[np.ndarray, bool]],
    *,
    spaced: bool,
) -> dict[str, Any]:
    """Return observations, predictions, bands and critical values of the chosen rows."""
    first = next(iter(curves.values())).intervals
    kept = np.arange(first.n) if first.kept is None else to_numpy(first.kept)
    outputs = first.n_outputs
    return {
        "total": first.n * outputs,
        "carried": chosen.size * outputs,
        "chosen": not spaced,
        "index": packed(np.repeat(kept[chosen], outputs)),
        "y": packed(_flat(first.y_true, chosen)),
        "columns": [
            {"name": printable(name), "time": time, "values": packed(np.repeat(values[chosen], outputs))}
            for name, (values, time) in columns.items()
        ],
        "curves": [_curve(curve, chosen) for curve in curves.values()],
    }


def _curve(curve: UCC, chosen: np.ndarray) -> dict[str, str]:
    given = curve.intervals
    y, pred, lower, upper = (
        _flat(column, chosen) for column in (given.y_true, given.y_pred, given.lower_band, given.upper_band)
    )
    rows = kernel.make(np, y, pred, lower, upper, None)
    critical = FAMILIES[curve.vary].critical(np, rows, curve._data.start)
    columns = {"pred": pred, "lower": lower, "upper": upper, "critical": critical}
    return {name: packed(values) for name, values in columns.items()}


def _flat(values: Any, chosen: np.ndarray) -> np.ndarray:
    """Take rows, with the outputs of each beside each other."""
    return np.asarray(to_numpy(values)[chosen].reshape(-1))


def columns(against: Mapping[str, ArrayLike], first: Intervals) -> dict[str, tuple[np.ndarray, bool]]:
    """Return columns as numbers, and whether they are times: milliseconds since 1970, in UTC."""
    return {str(name): _column(str(name), values, first) for name, values in against.items()}


def _column(name: str, values: ArrayLike, first: Intervals) -> tuple[np.ndarray, bool]:
    column = np.asarray(values)
    kept = None if first.kept is None else to_numpy(first.kept)
    if kept is not None and column.ndim == 1 and kept[-1] < column.size > first.n:
        column = column[kept]
    if column.shape != (first.n,):
        raise ShapeError(f"`against[{name!r}]` must have the shape ({first.n},), got {column.shape}.")
    if column.dtype == object:
        column = _objects(column)
    if column.dtype.kind == "M":
        numbers = column.astype("datetime64[us]").astype(float) / 1000
        return np.where(np.isnat(column), np.nan, numbers), True
    if column.dtype.kind not in "biuf":
        raise ArgumentError(
            f"`against[{name!r}]` must hold numbers or times, got {np.asarray(values).dtype}."
        )
    return column.astype(float), False


def _objects(column: np.ndarray) -> np.ndarray:
    """Turn Python's numbers, or its dates and times, into an array of their own kind."""
    if any(hasattr(value, "isoformat") or hasattr(value, "to_timestamp") for value in column):
        try:
            return np.array([_moment(value) for value in column], dtype="datetime64[us]")
        except (TypeError, ValueError):
            return column
    try:
        return np.array([np.nan if value is None else value for value in column])
    except (TypeError, ValueError):
        return column


def _moment(value: Any) -> Any:
    """Return a date or a time without its zone, in UTC."""
    if hasattr(value, "to_timestamp"):  # a period begins then
        value = value.to_timestamp()
    if value is None or value != value:  # noqa: PLR0124 - missing
        return np.datetime64("NaT")
    zone = getattr(value, "tzinfo", None)
    return np.datetime64(value if zone is None else (value - value.utcoffset()).replace(tzinfo=None), "us")
