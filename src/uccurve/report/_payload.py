"""The numbers of the page: what its scripts read, as plain data."""

from __future__ import annotations

import base64
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve import _sampled
from uccurve._labels import grouped
from uccurve._namespace import to_numpy
from uccurve.curve import UCC
from uccurve.exceptions import ArgumentError, ShapeError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from uccurve._typing import ArrayLike
    from uccurve.comparison import Comparison
    from uccurve.intervals import Intervals
    from uccurve.results import OperatingPoint

MOST_ROWS = 1000
"""Rows that the view of intervals carries."""
MOST_SEGMENTS = 100
"""Segments that the page carries: the largest ones."""
_PLACES = ("parameter", "miss_rate", "coverage", "bandwidth", "excess", "deficit")


@dataclass(frozen=True, kw_only=True, slots=True)
class View:
    """What the page shows beside the comparison."""

    title: str
    unit: str
    against: Mapping[str, ArrayLike]
    rows: Any


def payload(comparison: Comparison, view: View) -> dict[str, Any]:
    """Collect everything that the page's scripts need."""
    options, curves = comparison.options, comparison.curves
    first = next(iter(comparison.models.values())).intervals
    standard = _standard(first)
    factors = (1.0,) if standard is None else (1.0, standard)
    constants = {place: curves[name] for place, name in enumerate(curves) if name in options["constants"]}
    return {
        "title": view.title,
        "unit": view.unit,
        "n": first.n,
        "outputs": first.n_outputs,
        "vary": options["vary"],
        "x": options["x"],
        "y": options["y"],
        "missRate": options["miss_rate"],
        "range": list(options["partial_range"]),
        "level": options["level"],
        "blocks": options["blocks"] is not None,
        "standard": standard,
        "rates": packed(_sampled.RATES),
        "weights": packed(_sampled.WEIGHTS),
        "curves": [
            _curve(
                name,
                curve,
                _reference_of(curve, constants),
                factors,
                constant=name in options["constants"],
                level=options["level"],
            )
            for name, curve in curves.items()
        ],
        "rows": _rows(comparison, view),
        "segments": _segments(comparison, options["by"]),
        "regimes": comparison.tables["regimes"],
    }


def packed(values: np.ndarray) -> str:
    """Write an array as base64 of little-endian float64: exact, and short."""
    return base64.b64encode(np.ascontiguousarray(values, dtype="<f8").tobytes()).decode("ascii")


def _standard(intervals: Intervals) -> float | None:
    """Return what turns units of y into standard deviations of y; None where no one number does."""
    if intervals.n_outputs > 1:
        return None
    try:
        factor = float(intervals.standardized()._summary.width) / float(intervals._summary.width)
    except (ArgumentError, ZeroDivisionError):
        return None
    return factor if math.isfinite(factor) and factor > 0 else None


def _reference_of(curve: UCC, constants: Mapping[int, UCC]) -> int:
    """Return the place of the constant band around the same predictions."""
    prediction = to_numpy(curve.intervals.y_pred)
    return next(
        place
        for place, other in constants.items()
        if np.array_equal(prediction, to_numpy(other.intervals.y_pred))
    )


def _curve(
    name: str, curve: UCC, reference: int, factors: tuple[float, ...], *, constant: bool, level: float
) -> dict[str, Any]:
    pairs = {}
    for x, y in _sampled.PAIRS:
        sums = _sampled.partials(curve, x, y)
        deficits = {  # on miss rates a mean ends where it begins, and the heights are the rates
            "meanEnd": packed(sums.mean_end),
            "heightBegin": packed(sums.height_begin),
            "heightEnd": packed(sums.height_end),
        }
        pairs[f"{x} {y}"] = {
            "stripBegin": packed(sums.strip_begin),
            "stripEnd": packed(sums.strip_end),
            "meanBegin": packed(sums.mean_begin),
            **(deficits if y == "deficit" else {}),
            "cheapest": None if constant else _columns(_sampled.cheapest(curve, x, y, factors)),
        }
    band = curve.confidence_band(level)
    margin = np.max(to_numpy(band.high) - to_numpy(band.miss_rate))
    return {
        "name": name,
        "constant": constant,
        "reference": reference,
        "symmetric": curve.intervals.symmetric,
        "margin": float(margin),
        "points": _columns(_sampled.points(curve)),
        "frontier": _columns(_sampled.frontier(curve)) if constant else None,
        "original": _point(curve.original),
        "pairs": pairs,
    }


def _columns(columns: Mapping[str, np.ndarray]) -> dict[str, str]:
    return {name: packed(values) for name, values in columns.items()}


def _point(point: OperatingPoint) -> dict[str, float]:
    return {name: getattr(point, name) for name in _PLACES}


def _rows(comparison: Comparison, view: View) -> dict[str, Any]:
    """Return the rows that the page shows, evenly spaced unless they were chosen."""
    curves = comparison.curves
    first = next(iter(curves.values())).intervals
    total = first.n * first.n_outputs
    chosen = _chosen(view.rows, total)
    kept = np.arange(first.n) if first.kept is None else to_numpy(first.kept)
    return {
        "total": total,
        "carried": chosen.size,
        "chosen": view.rows is not None,
        "index": packed(np.repeat(kept, first.n_outputs)[chosen]),
        "y": packed(_flat(first.y_true)[chosen]),
        "columns": [
            {"name": str(name), **_against(str(name), values, first, chosen)}
            for name, values in view.against.items()
        ],
        "curves": [
            {
                "pred": packed(_flat(curve.intervals.y_pred)[chosen]),
                "lower": packed(_flat(curve.intervals.lower_band)[chosen]),
                "upper": packed(_flat(curve.intervals.upper_band)[chosen]),
                "critical": packed(to_numpy(curve._data.critical())[chosen]),
            }
            for curve in curves.values()
        ],
    }


def _flat(values: Any) -> np.ndarray:
    """Lay the outputs of a row beside each other, as critical values are."""
    return to_numpy(values).reshape(-1)


def _chosen(rows: Any, total: int) -> np.ndarray:
    if rows is None:
        return np.unique(np.linspace(0, total - 1, min(total, MOST_ROWS)).round().astype(int))
    try:
        chosen = np.arange(total)[rows if isinstance(rows, slice) else np.asarray(rows)]
    except (IndexError, TypeError, ValueError) as error:
        raise ArgumentError(
            f"`rows` must be a slice or places of rows below {total}, got {rows!r}."
        ) from error
    if not 0 < chosen.size <= MOST_ROWS:
        raise ArgumentError(f"`rows` must choose 1 to {MOST_ROWS} rows, got {chosen.size}.")
    return np.atleast_1d(chosen)


def _against(name: str, values: ArrayLike, first: Intervals, chosen: np.ndarray) -> dict[str, Any]:
    """Return a column to draw against, as numbers; times become milliseconds since 1970."""
    column = np.asarray(values)
    if first.kept is not None and column.ndim == 1 and column.size > first.n:
        column = column[to_numpy(first.kept)]
    if column.shape != (first.n,):
        raise ShapeError(f"`against[{name!r}]` must have the shape ({first.n},), got {column.shape}.")
    time = column.dtype.kind == "M"
    try:
        numbers = (column.astype("datetime64[us]").astype(float) / 1000) if time else column.astype(float)
    except (TypeError, ValueError) as error:
        kind = column.dtype
        raise ArgumentError(f"`against[{name!r}]` must hold numbers or times, got {kind}.") from error
    if time:
        numbers = np.where(np.isnat(column), np.nan, numbers)
    return {"time": time, "values": packed(np.repeat(numbers, first.n_outputs)[chosen])}


def _segments(comparison: Comparison, by: ArrayLike | None) -> list[dict[str, Any]]:
    """Return what each segment covers at the pooled operating points, the largest segments first."""
    if by is None:
        return []
    models = comparison.models
    first = next(iter(models.values())).intervals
    kept = None if first.kept is None else to_numpy(first.kept)
    sizes = {label: rows.size for label, rows in grouped(by, first.n, "by", kept).items()}
    largest = sorted(sizes, key=lambda label: -sizes[label])[:MOST_SEGMENTS]
    parts = {name: curve.intervals.by(by) for name, curve in models.items()}
    found = []
    for label in (label for label in sizes if label in set(largest)):
        for name, curve in models.items():
            segment = UCC(parts[name][label], curve.vary)
            parameter = _sampled.points(curve)["parameter"]
            found.append(
                {
                    "segment": str(label),
                    "model": name,
                    "coverage": packed(_sampled.coverage_at(segment, parameter)),
                }
            )
    return found
