"""The segments that the page carries: their size, and what each curve covers there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base.arrays import to_numpy
from uccurve._base.text import printable
from uccurve.curve import UCC
from uccurve.report_page import _sampled_curve
from uccurve.report_page._packed import packed, packed_shares
from uccurve.report_page._segment_intervals import coverage_intervals, effective_rows_of_segments

if TYPE_CHECKING:
    from uccurve.comparison import Comparison

MOST_SEGMENTS = 100
"""Segments that the page carries: the largest ones."""


def segments(comparison: Comparison, rates: np.ndarray) -> list[dict[str, Any]]:
    """Return the largest segments, each with all curves at the operating points of all rows.

    The curve of a segment follows from the shares it covers and from its bandwidths, which are the
    parameters times one width where bands are scaled.
    """
    by = comparison.options.by
    curves = {name: curve for name, curve in comparison.curves.items() if isinstance(curve, UCC)}
    if by is None:
        return []
    first = next(iter(curves.values())).intervals
    sizes = {label: rows.size for label, rows in first.rows_by_label(by, "by").items()}
    largest = set(sorted(sizes, key=lambda label: -sizes[label])[:MOST_SEGMENTS])
    parts = {name: curve.intervals.by(by) for name, curve in curves.items()}
    points = {name: _sampled_curve.points(curve, rates) for name, curve in curves.items()}
    rows = {name: effective_rows_of_segments(curves[name], comparison.options) for name in comparison.models}
    chosen = int(np.searchsorted(rates, comparison.options.miss_rate))
    return [
        {
            "place": place,
            "name": printable(str(label)),
            "n": size,
            "curves": [
                _on_segment(
                    UCC(parts[name][label], vary=curve.vary),
                    points[name],
                    confidence_level=comparison.options.confidence_level,
                    rows=rows[name][label] if name in rows else None,
                    n_segments=len(sizes),
                    chosen=chosen,
                )
                for name, curve in curves.items()
            ],
        }
        for place, (label, size) in enumerate(sizes.items())
        if label in largest
    ]


def _on_segment(
    curve: UCC,
    points: dict[str, np.ndarray],
    *,
    confidence_level: float,
    rows: float | None,
    n_segments: int,
    chosen: int,
) -> dict[str, Any]:
    """Return what a curve covers and needs at given parameters; a constant band without intervals.

    ``rows`` is their effective number, None for a constant band. ``low``, ``high`` and ``flag`` are there for
    each operating point; ``at`` repeats coverage, low and high at the one of the comparison, for readers
    without scripts.
    """
    parameter = points["parameter"]
    coverage = _sampled_curve.coverage_at(curve, parameter)
    found: dict[str, Any] = {"coverage": packed_shares(coverage, 32)}
    if curve.data.family.proportional:
        found["width"] = float(curve.original.bandwidth)
    else:
        place = np.searchsorted(to_numpy(curve.parameter), parameter, side="right") - 1
        found["bandwidth"] = packed(
            np.where(np.isnan(parameter), np.nan, to_numpy(curve.bandwidth)[np.maximum(place, 0)])
        )
    if rows is not None:
        intervals = coverage_intervals(
            coverage,
            1 - points["miss_rate"],
            rows,
            confidence_level=confidence_level,
            n_segments=n_segments,
        )
        found["low"], found["high"] = packed_shares(intervals.low, 16), packed_shares(intervals.high, 16)
        found["at"] = [float(values[chosen]) for values in (coverage, intervals.low, intervals.high)]
        found["flag"] = "".join("1" if flag else "0" for flag in intervals.flag)
    return found
