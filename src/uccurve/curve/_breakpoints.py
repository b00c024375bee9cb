"""Where the costs of rows bend, before anything is sorted."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from uccurve.formulas import hinges, rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from uccurve._base.type_aliases import Array
    from uccurve.curve._exact_data import ExactData
    from uccurve.formulas.hinges import Hinges
    from uccurve.formulas.runs import Run


class Bends(NamedTuple):
    """The knots at which the costs of rows bend."""

    hinges: Hinges
    weight: Array | None
    floor: float
    """The deficit that always remains."""
    critical: int
    """How many knots in front are critical values: all finite ones, or none."""
    all_critical: bool
    """Whether all knots are critical values, and all critical values are knots."""
    counted: bool
    """Whether every row has a finite critical value, and the same weight."""


def in_runs(data: ExactData) -> tuple[list[Run] | None, bool]:
    """Return the knots kind by kind, if that is enough; and whether all critical values are of one kind.

    Rows with e = 0 are captured at the start, before the bound that touches the observation moves.
    """
    xp, runs = data.xp, data.family.runs
    if runs is None or data.intervals.rows.weighted().weight is not None:
        return None, False
    (whole,) = data._blocks(whole=True)
    if not math.isfinite(float(xp.max(whole.abs_error))):
        return None, False
    return runs(whole), not bool(xp.any(whole.abs_error == 0))


def sortable(data: ExactData) -> Bends:
    """Return the knots, with as little memory as they need."""
    return _by_block(data) or of_rows(data)


def _by_block(data: ExactData) -> Bends | None:
    """Return the knots of asymmetric bands that are scaled; None where some rows are never captured."""
    intervals, family, xp = data.intervals, data.family, data.xp
    if intervals.rows.one_band or not family.proportional or not isinstance(intervals.y_true, np.ndarray):
        return None
    if intervals.rows.summary.zero_weights:
        return None

    def parts() -> Iterator[tuple[int, Hinges]]:
        for block in data._blocks():
            critical = family.critical(xp, block, data.start)
            if not math.isfinite(float(xp.max(critical))):
                return
            yield critical.shape[0], family.hinges(xp, block, critical)

    n = intervals.n * intervals.n_outputs
    found = hinges.laid_out(parts(), n)
    if found is None:
        return None
    counted = intervals.rows.weighted().weight is None
    return Bends(found, None, 0.0, n, all_critical=False, counted=counted)


def of_rows(data: ExactData) -> Bends:
    """Return the knots, from all rows at once."""
    xp, family = data.xp, data.family
    if family.hinges_follow_from_bands and data.intervals.rows.one_band:
        critical = data.critical()
        if math.isfinite(float(xp.max(critical))):
            bands, weight = data.intervals.rows.bands_and_weights()
            whole = rows.Rows(critical, bands, None, weight)  # the errors are not looked at
            found = family.hinges(xp, whole, critical)
            return Bends(found, weight, 0.0, critical.shape[0], all_critical=True, counted=True)
    (whole,) = data._blocks(whole=True)
    critical = family.critical(xp, whole, data.start)
    floor, counted = 0.0, whole.weight is None
    if not math.isfinite(float(xp.max(critical))):
        finite = xp.isfinite(critical)
        lost = rows.select(whole, ~finite)  # at their widest, whatever the parameter
        floor, counted = rows.total(xp, lost.abs_error - lost.active, lost.weight), False
        if whole.ladder is None:
            whole, critical = rows.select(whole, finite), critical[finite]
    known = family.proportional or (not family.nested and bool(xp.all(critical > data.start)))
    count = critical.shape[0] if known else 0
    found = family.hinges(xp, whole, critical)
    return Bends(found, whole.weight, floor, count, all_critical=False, counted=counted)
