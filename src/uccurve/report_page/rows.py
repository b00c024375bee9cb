"""The rows that the page draws: which ones, and against what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from uccurve._base.arrays import to_numpy
from uccurve._base.text import printable
from uccurve.exceptions import ArgumentError, ShapeError
from uccurve.intervals import rules

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from uccurve._base.type_aliases import ArrayLike
    from uccurve.curve import UCC
    from uccurve.intervals import Intervals

MOST_ROWS = 1000
"""Values that the view of intervals carries: rows, times outputs."""
_SPREAD, _STRETCH = 0.5, 0.2
"""Shares of the carried rows that are spread evenly over all, and that follow each other; the rest is spread
over each of the largest segments."""
_MOST_SEGMENTS = 20


class Rows(NamedTuple):
    """The rows that the page carries, in order, and what each is for."""

    place: np.ndarray
    total: int
    """How many there are in all."""
    outputs: int
    spread: np.ndarray
    """Whether a row stands for all rows: these are spread evenly over them."""
    stretch: np.ndarray
    """Whether a row is one of those that follow each other."""
    chosen: bool
    """Whether the caller chose them."""
    segments: tuple[tuple[Hashable, np.ndarray], ...] = ()
    """The segments that can be shown on their own, and which of the carried rows are theirs."""


def choose(rows: Any, first: Intervals, by: ArrayLike | None = None) -> Rows:
    """Return the rows to show: some for each purpose, unless they were chosen."""
    most = max(1, MOST_ROWS // first.n_outputs)
    groups = {} if by is None else first.rows_by_label(by, "by")
    largest = set(sorted(groups, key=lambda label: -groups[label].size)[:_MOST_SEGMENTS])
    parts = {label: found for label, found in groups.items() if label in largest}
    place = np.arange(first.n) if rows is None else _check_rows(rows, first.n, most)
    spread = stretch = np.ones(place.size, dtype=bool)
    if place.size > most:
        evenly_spread = _spread_evenly(np.arange(first.n), round(_SPREAD * most))
        in_a_row = np.arange(first.n // 2, min(first.n, first.n // 2 + round(_STRETCH * most)))
        quota = round((1 - _SPREAD - _STRETCH) * most) // max(1, len(parts))
        own = [_spread_evenly(found, quota) for found in parts.values()]
        place = np.unique(np.concatenate([evenly_spread, in_a_row, *own]))
        spread, stretch = np.isin(place, evenly_spread), np.isin(place, in_a_row)
    held = ((label, np.isin(place, found)) for label, found in parts.items())
    return Rows(
        place=place,
        total=first.n,
        outputs=first.n_outputs,
        spread=spread,
        stretch=stretch,
        chosen=rows is not None,
        segments=tuple((label, theirs) for label, theirs in held if theirs.any()),
    )


def _check_rows(rows: Any, n: int, most: int) -> np.ndarray:
    """Return the rows that the caller chose."""
    try:
        chosen = np.atleast_1d(np.arange(n)[rows if isinstance(rows, slice) else np.asarray(rows)])
    except (IndexError, TypeError, ValueError) as error:
        raise ArgumentError(
            argument="rows", rule=f"be a slice or places of rows below {n}", got=repr(rows)
        ) from error
    if not 0 < chosen.size <= most:
        raise ArgumentError(argument="rows", rule=f"choose 1 to {most} rows", got=chosen.size)
    return chosen


def _spread_evenly(places: np.ndarray, most: int) -> np.ndarray:
    """Choose at most so many of some places, evenly, both ends among them."""
    kept = np.linspace(0, places.size - 1, min(places.size, most)).round().astype(int)
    return np.asarray(places[np.unique(kept)])


def carry(
    curves: Mapping[str, UCC], rows: Rows, columns: Mapping[str, tuple[np.ndarray, bool]]
) -> dict[str, Any]:
    """Return observations, predictions, bands and critical values of the chosen rows."""
    first = next(iter(curves.values())).intervals
    kept = np.arange(first.n) if first.kept is None else to_numpy(first.kept)
    outputs, chosen = first.n_outputs, rows.place
    return {
        "total": first.n * outputs,
        "spread": np.repeat(rows.spread, outputs),
        "stretch": np.repeat(rows.stretch, outputs),
        "segments": [
            {"name": printable(str(label)), "rows": np.repeat(theirs, outputs)}
            for label, theirs in rows.segments
        ],
        "index": np.repeat(kept[chosen], outputs).astype(float),
        "y": _flat(first.y_true, chosen),
        "columns": [
            {"name": printable(name), "time": time, "values": np.repeat(values[chosen], outputs)}
            for name, (values, time) in columns.items()
        ],
        "curves": [_curve(curve, chosen) for curve in curves.values()],
    }


def _curve(curve: UCC, chosen: np.ndarray) -> dict[str, Any]:
    """Return predictions, bands and critical values; of nested quantiles, the bands of all pairs."""
    given = curve.source
    columns = {
        "pred": given.y_pred,
        "lower": given.rows.columns.lower_band,
        "upper": given.rows.columns.lower_band if given.rows.columns.upper_band is None else given.upper_band,
        "critical": given.critical(vary=curve.vary),
    }
    found: dict[str, Any] = {name: _flat(values, chosen) for name, values in columns.items()}
    nested = given.rows.columns.nested if curve.data.family.nested else None
    if nested is not None:
        lower, upper = ([_flat(band, chosen) for band in side] for side in nested.bands())
        found["ladder"] = {"knots": list(nested.knots), "lower": lower, "upper": upper}
    return found


def _flat(values: Any, chosen: np.ndarray) -> np.ndarray:
    """Take rows, with the outputs of each beside each other."""
    return np.asarray(to_numpy(values)[chosen].reshape(-1))


def check_columns(against: Mapping[str, ArrayLike], first: Intervals) -> dict[str, tuple[np.ndarray, bool]]:
    """Return columns as numbers, and whether they are times: milliseconds since 1970, in UTC."""
    return {str(name): _check_column(str(name), values, first) for name, values in against.items()}


def _check_column(name: str, values: ArrayLike, first: Intervals) -> tuple[np.ndarray, bool]:
    column = np.asarray(values)
    kept = None if first.kept is None else to_numpy(first.kept)
    if kept is not None and column.ndim == 1 and kept[-1] < column.size > first.n:
        column = column[kept]
    if column.shape != (first.n,):
        raise ShapeError(argument=f"against[{name!r}]", rule=f"have the shape ({first.n},)", got=column.shape)
    if column.dtype == object:
        column = _objects(column)
    if column.dtype.kind == "M":
        numbers = column.astype("datetime64[us]").astype(float) / 1000
        return np.where(np.isnat(column), np.nan, numbers), True
    if column.dtype.kind not in "biuf":
        raise ArgumentError(
            argument=f"against[{name!r}]", rule="contain numbers or times", got=np.asarray(values).dtype
        )
    numbers = column.astype(float)
    rules.enforce({"y_pred": numbers}, names={"y_pred": f"against[{name!r}]"}, rules=rules.MAGNITUDES)
    return numbers, False


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
