"""The rows that the page draws: which ones, and against what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from uccurve._base.arrays import to_numpy
from uccurve._base.text import printable
from uccurve.exceptions import ArgumentError, ShapeError
from uccurve.intervals import rules
from uccurve.report_page._packed import packed

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from uccurve._base.type_aliases import ArrayLike
    from uccurve.curve import UCC
    from uccurve.intervals import Intervals

MOST_ROWS = 1000
"""Values that the view of intervals carries: rows, times outputs."""
MOST_SEGMENTS = 20
"""Segments that the view of intervals can show on their own: the largest ones."""
_STRETCH = 0.2
"""Share of the carried rows that follow each other, where not all are carried."""
_SPREAD = {True: 0.5, False: 0.8}
"""Share of the carried rows that are spread evenly over all, with segments and without."""


class Segment(NamedTuple):
    """A segment that can be shown on its own."""

    label: Hashable
    place: int
    """Its place among all segments."""
    rows: np.ndarray


class Rows(NamedTuple):
    """The rows that the page carries, in order, and what each is for."""

    place: np.ndarray
    spread: np.ndarray
    """Whether a row stands for all rows: these are spread evenly over them."""
    own: np.ndarray
    """Whether a row stands for its segment: these are spread over each."""
    stretch: np.ndarray
    """Whether a row is one of those that follow each other."""
    chosen: bool
    """Whether the caller chose them."""
    segments: tuple[Segment, ...] = ()
    """Those that have rows here, in the order of their labels."""
    all_segments: int = 0


def choose(rows: Any, first: Intervals, by: ArrayLike | None = None) -> Rows:
    """Return the rows to show: some for each purpose, unless they were chosen."""
    most = max(1, MOST_ROWS // first.n_outputs)
    groups = {} if by is None else first.rows_by_label(by, "by")
    parts = [Segment(label, place, found) for place, (label, found) in enumerate(groups.items())]
    chosen = np.arange(first.n) if rows is None else _chosen(rows, first.n, most)
    if chosen.size <= most:
        every = np.ones(chosen.size, dtype=bool)
        held = [part for part in parts if np.isin(part.rows, chosen).any()]
        return Rows(chosen, every, every, every, rows is not None, tuple(_largest(held)), len(parts))
    large = _largest(parts)
    spread = evenly(first.n, max(1, round(_SPREAD[bool(parts)] * most)))
    begin, size = first.n // 2, round(_STRETCH * most)
    stretch = np.arange(begin, min(first.n, begin + size))
    room = most - np.union1d(spread, stretch).size
    own = np.unique(np.concatenate([spread, *_more(large, spread, room)]))
    place = np.union1d(own, stretch)
    held = [part for part in large if np.isin(part.rows, place).any()]
    return Rows(
        place=place,
        spread=np.isin(place, spread),
        own=np.isin(place, own),
        stretch=np.isin(place, stretch),
        chosen=False,
        segments=tuple(held),
        all_segments=len(parts),
    )


def _chosen(rows: Any, n: int, most: int) -> np.ndarray:
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


def evenly(n: int, most: int) -> np.ndarray:
    """Choose at most so many of n places, evenly, both ends among them."""
    return np.unique(np.linspace(0, n - 1, min(n, most)).round().astype(int))


def _largest(parts: list[Segment]) -> list[Segment]:
    """Return the largest segments, in their own order."""
    largest = sorted(parts, key=lambda part: -part.rows.size)[:MOST_SEGMENTS]
    return sorted(largest, key=lambda part: part.place)


def _more(parts: list[Segment], have: np.ndarray, room: int) -> list[np.ndarray]:
    """Return further rows of the segments, so that the smaller ones have as many as there is room for."""
    rest = [np.setdiff1d(part.rows, have) for part in parts]
    had = [part.rows.size - others.size for part, others in zip(parts, rest, strict=True)]

    def wanted(quota: int) -> list[int]:
        return [min(others.size, max(0, quota - mine)) for others, mine in zip(rest, had, strict=True)]

    quotas = (quota for quota in range(MOST_ROWS, 0, -1) if sum(wanted(quota)) <= room)
    sizes = wanted(next(quotas, 0))
    return [others[evenly(others.size, size)] for others, size in zip(rest, sizes, strict=True) if size]


def carried(
    curves: Mapping[str, UCC], rows: Rows, columns: Mapping[str, tuple[np.ndarray, bool]]
) -> dict[str, Any]:
    """Return observations, predictions, bands and critical values of the chosen rows."""
    first = next(iter(curves.values())).intervals
    kept = np.arange(first.n) if first.kept is None else to_numpy(first.kept)
    outputs, chosen = first.n_outputs, rows.place
    segment = np.full(chosen.size, -1)
    for code, part in enumerate(rows.segments):
        segment[np.isin(chosen, part.rows)] = code
    return {
        "total": first.n * outputs,
        "carried": chosen.size * outputs,
        "chosen": rows.chosen,
        "spread": _flags(rows.spread, outputs),
        "own": _flags(rows.own, outputs),
        "stretch": _flags(rows.stretch, outputs),
        "segment": np.repeat(segment, outputs).tolist() if rows.segments else [],
        "segments": [
            {"name": printable(str(part.label)), "place": part.place, "n": part.rows.size * outputs}
            for part in rows.segments
        ],
        "allSegments": rows.all_segments,
        "index": packed(np.repeat(kept[chosen], outputs)),
        "y": packed(_flat(first.y_true, chosen)),
        "columns": [
            {"name": printable(name), "time": time, "values": packed(np.repeat(values[chosen], outputs))}
            for name, (values, time) in columns.items()
        ],
        "curves": [_curve(curve, chosen) for curve in curves.values()],
    }


def _flags(values: np.ndarray, outputs: int) -> str:
    """Write yes and no as 1 and 0, one character each."""
    return "".join("1" if value else "0" for value in np.repeat(values, outputs))


def _curve(curve: UCC, chosen: np.ndarray) -> dict[str, Any]:
    """Return predictions, bands and critical values; of nested quantiles, the bands of all pairs."""
    given = curve.source
    columns = {
        "pred": given.y_pred,
        "lower": given.rows.columns.lower_band,
        "upper": given.rows.columns.lower_band if given.rows.columns.upper_band is None else given.upper_band,
        "critical": given.critical(vary=curve.vary),
    }
    found: dict[str, Any] = {name: packed(_flat(values, chosen)) for name, values in columns.items()}
    nested = given.rows.columns.nested if curve.data.family.nested else None
    if nested is not None:
        lower, upper = ([packed(_flat(band, chosen)) for band in side] for side in nested.bands())
        found["ladder"] = {"knots": list(nested.knots), "lower": lower, "upper": upper}
    return found


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
        raise ShapeError(argument=f"against[{name!r}]", rule=f"have the shape ({first.n},)", got=column.shape)
    if column.dtype == object:
        column = _objects(column)
    if column.dtype.kind == "M":
        numbers = column.astype("datetime64[us]").astype(float) / 1000
        return np.where(np.isnat(column), np.nan, numbers), True
    if column.dtype.kind not in "biuf":
        raise ArgumentError(
            argument=f"against[{name!r}]", rule="hold numbers or times", got=np.asarray(values).dtype
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
