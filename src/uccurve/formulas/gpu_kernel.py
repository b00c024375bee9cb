"""Sums and extremes of rows: imported only where a GPU is to run it.

Each program walks over the rows in steps, keeps its sums in registers, and writes them once.
"""

from __future__ import annotations

import triton
import triton.language as tl


@triton.jit
def _has_legal_size(number):
    """Whether a number is 0, or between 1e-100 and 1e100 in size."""
    size = tl.abs(number).to(tl.float64)
    return (size == 0) | ((size >= 1e-100) & (size <= 1e100))  # noqa: PLR2004


@triton.jit
def add_rows(
    y_true,
    y_pred,
    lower,
    upper,
    typical_width,
    found,
    n,
    programs,
    ASYMMETRIC: tl.constexpr,
    SINGLE: tl.constexpr,
    BLOCK: tl.constexpr,
):
    """Write 15 numbers for each program, given a width near the mean one.

    They are: bad rows, sums of errors and both bands, least of both bands, most of both, asymmetry; then rows
    with a band of zero, and the sums behind areas.

    SINGLE is for columns that are all float32. Their extremes need no float64, and differences of sums and squares of
    their numbers keep all digits, so that sums of products with the band are left out: 0. A reciprocal in float32 and
    two steps of Newton's method are much quicker than a division in float64; where it leaves float32, sums are not finite.
    """
    NUMBER: tl.constexpr = tl.float32 if SINGLE else tl.float64
    program = tl.program_id(0).to(tl.int64)
    lanes = tl.arange(0, BLOCK)
    width = tl.load(typical_width)
    zero = tl.zeros((BLOCK,), dtype=tl.float64)
    edge = tl.zeros((BLOCK,), dtype=NUMBER)
    none = tl.zeros((BLOCK,), dtype=tl.int32)
    bad, flat = none, none
    error, below, above = zero, zero, zero
    critical, saved, moment, saved_deficit, square = zero, zero, zero, zero, zero
    low_least, high_least = edge + float("inf"), edge + float("inf")
    low_most, high_most, apart = edge, edge, edge
    step = programs.to(tl.int64) * BLOCK
    for begin in range(program * BLOCK, n, step):
        place = begin + lanes
        inside = place < n
        y = tl.load(y_true + place, mask=inside, other=0.0)
        p = tl.load(y_pred + place, mask=inside, other=0.0)
        low = tl.load(lower + place, mask=inside, other=0.0).to(NUMBER)
        residual = y - p
        size = tl.abs(residual)
        fine = (size < float("inf")) & (low >= 0) & (low < float("inf"))
        if not SINGLE:
            fine = fine & _has_legal_size(y) & _has_legal_size(p) & _has_legal_size(low)
        low_least = tl.where(inside, tl.minimum(low_least, low), low_least)
        low_most = tl.maximum(low_most, low)
        active, wide = low, low.to(tl.float64)
        below += wide
        if ASYMMETRIC:
            high = tl.load(upper + place, mask=inside, other=0.0).to(NUMBER)
            fine = fine & (high >= 0) & (high < float("inf"))
            if not SINGLE:
                fine = fine & _has_legal_size(high)
            high_least = tl.where(inside, tl.minimum(high_least, high), high_least)
            high_most = tl.maximum(high_most, high)
            above += high.to(tl.float64)
            apart = tl.maximum(apart, tl.abs(high - low))
            active = tl.where(residual >= 0, high, low)
            wide = tl.where(residual >= 0, high.to(tl.float64), wide)
        bad += (inside & (fine == 0)).to(tl.int32)
        flat += (inside & (active == 0)).to(tl.int32)
        wide = tl.where(inside, wide, 1.0)
        e = size.to(tl.float64)
        error += e
        if SINGLE:
            r = (1.0 / tl.where(inside, active, 1.0)).to(tl.float64)
            r = r * (2.0 - wide * r)
            r = r * (2.0 - wide * r)
            k = e * r
            square += e * e
        else:
            k = e / wide
            beyond = wide - width
            saved += k * beyond
            saved_deficit += e * (k * beyond)
            square += e * e
        critical += k
        moment += e * k
    row = found + program * 15
    tl.store(row, tl.sum(bad).to(tl.float64))
    tl.store(row + 1, tl.sum(error))
    tl.store(row + 2, tl.sum(below))
    tl.store(row + 3, tl.sum(above))
    tl.store(row + 4, tl.min(low_least).to(tl.float64))
    tl.store(row + 5, tl.min(high_least).to(tl.float64))
    tl.store(row + 6, tl.max(low_most).to(tl.float64))
    tl.store(row + 7, tl.max(high_most).to(tl.float64))
    tl.store(row + 8, tl.max(apart).to(tl.float64))
    tl.store(row + 9, tl.sum(flat).to(tl.float64))
    tl.store(row + 10, tl.sum(critical))
    tl.store(row + 11, tl.sum(saved))
    tl.store(row + 12, tl.sum(moment))
    tl.store(row + 13, tl.sum(saved_deficit))
    tl.store(row + 14, tl.sum(square))
