"""What each segment covers at every operating point of all rows, and how sure that is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from uccurve._base import arguments
from uccurve._base.arrays import to_numpy
from uccurve._base.text import printable
from uccurve.curve import UCC
from uccurve.exceptions import UnreachableError
from uccurve.formulas.steps import first_at_most
from uccurve.formulas.tolerances import ROUNDING
from uccurve.inference import conditional_coverage, share_limits

if TYPE_CHECKING:
    from collections.abc import Hashable

    from uccurve._base.type_aliases import ArrayLike
    from uccurve.comparison import CompareOptions, Comparison

MOST_SEGMENTS = 100
"""Segments that the page carries: the largest ones."""


def collect(comparison: Comparison) -> list[dict[str, Any]]:
    """Return the largest segments with what each model covers there, in the order of their labels.

    Intervals of coverage are Clopper and Pearson's for the effective number of rows, and hold for all
    segments at once, by the rule of `uccurve.conditional_coverage`.
    """
    options, rates = comparison.options, comparison.standings.rates
    models = {name: curve for name, curve in comparison.models.items() if isinstance(curve, UCC)}
    if options.by is None or not models:
        return []
    first = next(iter(models.values())).intervals
    sizes = {label: rows.size for label, rows in first.rows_by_label(options.by, "by").items()}
    largest = set(sorted(sizes, key=lambda label: -sizes[label])[:MOST_SEGMENTS])
    found: dict[Hashable, list[dict[str, Any]]] = {label: [] for label in sizes if label in largest}
    tail = (1 - options.confidence_level) / len(sizes) / 2
    for curve in models.values():
        rows = _effective_rows(curve, options)
        place = first_at_most(np, to_numpy(curve.miss_rate), rates + ROUNDING)
        parameter = np.append(to_numpy(curve.parameter), np.nan)[place]
        chosen = np.append(to_numpy(curve.coverage), np.nan)[place]
        parts = curve.intervals.by(options.by)
        for label, kept in found.items():
            kept.append(_on_segment(UCC(parts[label], vary=curve.vary), parameter, chosen, rows[label], tail))
    return [
        {"name": printable(str(label)), "n": sizes[label], "models": kept} for label, kept in found.items()
    ]


def _on_segment(
    curve: UCC, parameter: np.ndarray, chosen: np.ndarray, rows: float, tail: float
) -> dict[str, Any]:
    """Return what a model covers in a segment at given parameters, and whether that differs from all rows."""
    place = np.searchsorted(to_numpy(curve.parameter), parameter, side="right") - 1
    share = np.where(np.isnan(parameter), np.nan, to_numpy(curve.coverage)[np.maximum(place, 0)])
    low, high, known = np.full(share.shape, np.nan), np.full(share.shape, np.nan), np.isfinite(share)
    low[known], high[known] = share_limits(share[known] * rows, (1 - share[known]) * rows, tail)
    with np.errstate(invalid="ignore"):
        is_off = (chosen < low) | (chosen > high)
    return {
        "supplied": float(curve.original.coverage),
        "coverage": share.astype(np.float32),
        "low": low.astype(np.float32),
        "high": high.astype(np.float32),
        "off": is_off,
    }


def _effective_rows(curve: UCC, options: CompareOptions) -> dict[Hashable, float]:
    """Return how many independent rows of equal weight would tell as much about each segment.

    How much rows of a block say is taken from the point of the comparison.
    """
    asked: dict[str, Any] = {"blocks": options.blocks, "confidence_level": options.confidence_level}
    by = cast("ArrayLike", options.by)
    try:
        coverage = arguments.complement(options.miss_rate)
        found = conditional_coverage(curve, by=by, coverage=coverage, **asked)
    except UnreachableError:
        found = conditional_coverage(curve, by=by, **asked)
    return {part.segment: part.effective_n for part in found.segments}
