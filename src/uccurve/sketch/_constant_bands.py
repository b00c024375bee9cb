"""The state of constant bands, from what a sketch keeps of the residuals."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from uccurve.formulas import bins
from uccurve.formulas.bins import NEVER, PER_OCTAVE, ZERO, BinTable
from uccurve.sketch._state import TABLES, State

if TYPE_CHECKING:
    from collections.abc import Sequence

BIN = 1 / PER_OCTAVE
"""Width of a bin, as a share of the numbers in it."""
_ROUNDING = 1e-12
_FIRST = 1 << 32
"""The first of bins that are mere numbers, beyond those of any table."""


class _Cells(NamedTuple):
    """Bins of residuals as bins of critical scales."""

    scale: np.ndarray
    """The scale at which the rows of a bin are captured; infinite if none does."""
    sums: np.ndarray
    """As in the table of scales."""


def scalable(widths: Sequence[float]) -> Sequence[float]:
    """Return the widths of constant bands, or ones where all are zero, which cannot be scaled."""
    return widths if any(widths) else [1.0] * len(widths)


def state_of(state: State, widths: Sequence[float]) -> State:
    """Return the state of a constant band for each output.

    The bins of one output's residuals stay bins: each ends at a point of the curve. Bins of several outputs
    overlap, as they are divided by different widths. All rows of a bin are then captured at their mean
    scale, which is within `BIN` of their own. Where all numbers of a bin are the same, it is exact.
    """
    widths = scalable(widths)
    totals = replace(
        state.totals,
        asymmetry=0.0,
        narrowest=min(widths),
        widest=max(widths),
        touching=math.nan,  # no bin ends at a scale of 1
    )
    none = bins.empty(len(TABLES["switch"]))
    if not state.outputs:
        (width,) = widths
        totals = replace(totals, width=width * _weight(state.error), moment=_moment(totals.square, width))
        return State(_scaled(state.error, width), none, state.error, totals, side=state.side)
    outputs = tuple(
        output._replace(width=width * _weight(output.error), narrowest=width, widest=width)
        for output, width in zip(state.outputs, widths, strict=True)
    )
    totals = replace(
        totals,
        width=sum(output.width for output in outputs),
        moment=sum(_moment(output.square, output.widest) for output in outputs),
    )
    cells = [_cells(output.error, output.widest) for output in outputs]
    return State(_sorted(cells), none, state.error, totals, outputs, state.side)


def _weight(table: BinTable) -> float:
    return float(table.sums[0].sum())


def _moment(square: float, width: float) -> float:
    r"""Return the sum of :math:`|e| k = e^2 / c`."""
    return square / width if width > 0 else 0.0


def _scaled(error: BinTable, width: float) -> BinTable:
    """Return the table of critical scales of a constant band, bin by bin."""
    weight, size = error.sums
    return BinTable(error.bins, error.largest / width, np.stack([weight, weight * width, size, size / width]))


def _cells(error: BinTable, width: float) -> _Cells:
    if width == 0:  # captured where there is nothing to capture, or never
        weight, size = error.sums
        zero = np.zeros_like(weight)
        scale = np.where(error.largest == 0, 0.0, np.inf)
        return _Cells(scale, np.stack([weight, zero, size, zero]))
    _, largest, sums = _scaled(error, width)
    mean = sums[3] / sums[0]
    scale = np.where(mean >= largest * (1 - _ROUNDING), largest, mean)
    return _Cells(scale, sums)


def _sorted(cells: Sequence[_Cells]) -> BinTable:
    """Put the cells of all outputs in order; those with the same scale are one bin."""
    scales, place = np.unique(np.concatenate([part.scale for part in cells]), return_inverse=True)
    sums = np.concatenate([part.sums for part in cells], axis=1)
    added = np.stack([np.bincount(place, weights=row, minlength=scales.size) for row in sums])
    numbers = _FIRST + np.arange(scales.size)
    numbers = np.where(scales == 0, ZERO, np.where(np.isinf(scales), NEVER, numbers))
    return BinTable(numbers, scales, added)
