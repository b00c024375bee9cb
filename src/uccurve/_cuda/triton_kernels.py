"""The kernels in Triton: imported only where a card is to run them.

Each program walks over the rows in steps, keeps its sums in registers, and writes them once.
"""

from __future__ import annotations

import triton
import triton.language as tl

BAND_SUMS = 10
"""Bad rows, sums of errors and both bands, rows with unlike bands, least and most of both bands, asymmetry."""
AREA_SUMS = 6
"""Rows with a band of zero, and the sums of `row_sums.AreaSums`."""


@triton.jit
def row_sums(
    y_true,
    y_pred,
    lower,
    upper,
    numbers,
    found,
    n,
    programs,
    ASYMMETRIC: tl.constexpr,
    BLOCK: tl.constexpr,
):
    """Write `BAND_SUMS` and then `AREA_SUMS` numbers for each program; `numbers` are rounding, width and unit."""
    program = tl.program_id(0).to(tl.int64)
    lanes = tl.arange(0, BLOCK)
    rounding = tl.load(numbers)
    width = tl.load(numbers + 1)
    per_unit = tl.load(numbers + 2)
    zero = tl.zeros((BLOCK,), dtype=tl.float64)
    none = tl.zeros((BLOCK,), dtype=tl.int32)
    bad, differing, flat = none, none, none
    error, below, above = zero, zero, zero
    critical, saved, moment, saved_deficit, square = zero, zero, zero, zero, zero
    low_least, high_least = zero + float("inf"), zero + float("inf")
    low_most, high_most, apart = zero, zero, zero
    step = programs.to(tl.int64) * BLOCK
    for begin in range(program * BLOCK, n, step):
        place = begin + lanes
        inside = place < n
        y = tl.load(y_true + place, mask=inside, other=0.0)
        p = tl.load(y_pred + place, mask=inside, other=0.0)
        residual = y - p
        e = tl.abs(residual).to(tl.float64)
        low = tl.load(lower + place, mask=inside, other=0.0).to(tl.float64)
        fine = (e < float("inf")) & (low >= 0) & (low < float("inf"))
        below += low
        low_least = tl.where(inside, tl.minimum(low_least, low), low_least)
        low_most = tl.maximum(low_most, low)
        active = low
        if ASYMMETRIC:
            high = tl.load(upper + place, mask=inside, other=0.0).to(tl.float64)
            fine = fine & (high >= 0) & (high < float("inf"))
            above += high
            high_least = tl.where(inside, tl.minimum(high_least, high), high_least)
            high_most = tl.maximum(high_most, high)
            difference = tl.abs(high - low)
            apart = tl.maximum(apart, difference)
            slack = rounding * tl.abs(p).to(tl.float64) + rounding * low
            slack = tl.where(slack * slack <= 8 * rounding * low * low, slack, 0.0)
            differing += (difference > 2 * slack).to(tl.int32)
            active = tl.where(residual >= 0, high, low)
        bad += (inside & (fine == 0)).to(tl.int32)
        flat += (inside & (active == 0)).to(tl.int32)
        k = tl.where(inside, e / active, 0.0)
        beyond = active - width
        in_unit = e * per_unit
        error += e
        critical += k
        saved += k * beyond
        moment += e * k
        saved_deficit += in_unit * (k * (beyond * per_unit))
        square += in_unit * in_unit
    row = found + program * 16
    tl.store(row, tl.sum(bad).to(tl.float64))
    tl.store(row + 1, tl.sum(error))
    tl.store(row + 2, tl.sum(below))
    tl.store(row + 3, tl.sum(above))
    tl.store(row + 4, tl.sum(differing).to(tl.float64))
    tl.store(row + 5, tl.min(low_least))
    tl.store(row + 6, tl.min(high_least))
    tl.store(row + 7, tl.max(low_most))
    tl.store(row + 8, tl.max(high_most))
    tl.store(row + 9, tl.max(apart))
    tl.store(row + 10, tl.sum(flat).to(tl.float64))
    tl.store(row + 11, tl.sum(critical))
    tl.store(row + 12, tl.sum(saved))
    tl.store(row + 13, tl.sum(moment))
    tl.store(row + 14, tl.sum(saved_deficit))
    tl.store(row + 15, tl.sum(square))


@triton.jit
def single_row_sums(
    y_true,
    y_pred,
    lower,
    upper,
    numbers,
    found,
    n,
    programs,
    ASYMMETRIC: tl.constexpr,
    BLOCK: tl.constexpr,
):
    """Do the same for float32, where differences of sums and squares of numbers keep all their digits.

    A reciprocal in float32 and two steps of Newton's method are much quicker than a division in float64. Where the
    reciprocal leaves float32 the sums are not finite. The sums of products with the band are left out: 0.
    """
    program = tl.program_id(0).to(tl.int64)
    lanes = tl.arange(0, BLOCK)
    rounding = tl.load(numbers)
    zero = tl.zeros((BLOCK,), dtype=tl.float64)
    single = tl.zeros((BLOCK,), dtype=tl.float32)
    none = tl.zeros((BLOCK,), dtype=tl.int32)
    bad, differing, flat = none, none, none
    error, below, above, critical, moment, square = zero, zero, zero, zero, zero, zero
    low_least, high_least = single + float("inf"), single + float("inf")
    low_most, high_most, apart = single, single, single
    step = programs.to(tl.int64) * BLOCK
    for begin in range(program * BLOCK, n, step):
        place = begin + lanes
        inside = place < n
        y = tl.load(y_true + place, mask=inside, other=0.0)
        p = tl.load(y_pred + place, mask=inside, other=0.0)
        residual = y - p
        size = tl.abs(residual)
        low = tl.load(lower + place, mask=inside, other=0.0)
        fine = (size < float("inf")) & (low >= 0) & (low < float("inf"))
        low_least = tl.where(inside, tl.minimum(low_least, low), low_least)
        low_most = tl.maximum(low_most, low)
        active = low
        if ASYMMETRIC:
            high = tl.load(upper + place, mask=inside, other=0.0)
            fine = fine & (high >= 0) & (high < float("inf"))
            high_least = tl.where(inside, tl.minimum(high_least, high), high_least)
            high_most = tl.maximum(high_most, high)
            above += high.to(tl.float64)
            below += low.to(tl.float64)
            difference = tl.abs(high - low)
            apart = tl.maximum(apart, difference)
            slack = rounding * tl.abs(p).to(tl.float64) + rounding * low.to(tl.float64)
            most = 8 * rounding * low.to(tl.float64) * low.to(tl.float64)
            slack = tl.where(slack * slack <= most, slack, 0.0)
            differing += (difference.to(tl.float64) > 2 * slack).to(tl.int32)
            active = tl.where(residual >= 0, high, low)
        bad += (inside & (fine == 0)).to(tl.int32)
        flat += (inside & (active == 0)).to(tl.int32)
        e = size.to(tl.float64)
        a = tl.where(inside, active, 1.0).to(tl.float64)
        if not ASYMMETRIC:
            below += tl.where(inside, a, 0.0)
        r = (1.0 / tl.where(inside, active, 1.0)).to(tl.float64)
        r = r * (2.0 - a * r)
        r = r * (2.0 - a * r)
        k = e * r
        error += e
        critical += k
        moment += e * k
        square += e * e
    row = found + program * 16
    tl.store(row, tl.sum(bad).to(tl.float64))
    tl.store(row + 1, tl.sum(error))
    tl.store(row + 2, tl.sum(below))
    tl.store(row + 3, tl.sum(above))
    tl.store(row + 4, tl.sum(differing).to(tl.float64))
    tl.store(row + 5, tl.min(low_least).to(tl.float64))
    tl.store(row + 6, tl.min(high_least).to(tl.float64))
    tl.store(row + 7, tl.max(low_most).to(tl.float64))
    tl.store(row + 8, tl.max(high_most).to(tl.float64))
    tl.store(row + 9, tl.max(apart).to(tl.float64))
    tl.store(row + 10, tl.sum(flat).to(tl.float64))
    tl.store(row + 11, tl.sum(critical))
    tl.store(row + 12, 0.0)
    tl.store(row + 13, tl.sum(moment))
    tl.store(row + 14, 0.0)
    tl.store(row + 15, tl.sum(square))


@triton.jit
def critical_scales(y_true, y_pred, lower, upper, target, n, ASYMMETRIC: tl.constexpr, BLOCK: tl.constexpr):
    """Write the critical scale of each row: |e| / a, 0 where e is 0."""
    place = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = place < n
    y = tl.load(y_true + place, mask=inside, other=0.0)
    p = tl.load(y_pred + place, mask=inside, other=0.0)
    residual = y - p
    active = tl.load(lower + place, mask=inside, other=1.0).to(tl.float64)
    if ASYMMETRIC:
        high = tl.load(upper + place, mask=inside, other=1.0).to(tl.float64)
        active = tl.where(residual >= 0, high, active)
    e = tl.abs(residual).to(tl.float64)
    tl.store(target + place, tl.where(e == 0, 0.0, e / active), mask=inside)


@triton.jit
def bin_sums(
    y_true,
    y_pred,
    lower,
    numbers,
    scale_counts,
    scale_sums,
    scale_largest,
    error_counts,
    error_sums,
    error_largest,
    found,
    n,
    programs,
    copies,
    SCALE_EDGE: tl.constexpr,
    ERROR_EDGE: tl.constexpr,
    BLOCK: tl.constexpr,
):
    """Add rows with symmetric bands to bins of critical scale and of error, in several copies of the tables.

    Bin 0 is for 0, the last one for infinity, and bins at either end for what is beyond. Also write, for each
    program, the sums of roots, squares and moments of the errors, and the number of rows right on a bound.
    """
    program = tl.program_id(0).to(tl.int64)
    lanes = tl.arange(0, BLOCK)
    per_unit = tl.load(numbers)
    SCALES: tl.constexpr = 2 * SCALE_EDGE + 4
    ERRORS: tl.constexpr = 2 * ERROR_EDGE + 4
    copy = program % copies
    scale_counts += copy * SCALES
    scale_sums += copy * (3 * SCALES)
    scale_largest += copy * SCALES
    error_counts += copy * ERRORS
    error_sums += copy * ERRORS
    error_largest += copy * ERRORS
    zero = tl.zeros((BLOCK,), dtype=tl.float64)
    root, square, moment = zero, zero, zero
    touching = tl.zeros((BLOCK,), dtype=tl.int32)
    step = programs.to(tl.int64) * BLOCK
    for begin in range(program * BLOCK, n, step):
        place = begin + lanes
        inside = place < n
        y = tl.load(y_true + place, mask=inside, other=0.0)
        p = tl.load(y_pred + place, mask=inside, other=0.0)
        a = tl.load(lower + place, mask=inside, other=1.0).to(tl.float64)
        e = tl.abs(y - p).to(tl.float64)
        k = tl.where(e == 0, 0.0, e / a)
        finite = k < float("inf")
        known = tl.where(finite, k, 0.0)
        in_unit = e * per_unit
        root += tl.sqrt(e)
        square += in_unit * in_unit
        moment += in_unit * known
        touching += (inside & (k == 1)).to(tl.int32)
        bits = k.to(tl.int64, bitcast=True)
        code = (bits >> 44) - (261888 - SCALE_EDGE - 2)
        code = tl.minimum(tl.maximum(code, 1), 2 * SCALE_EDGE + 2)
        code = tl.where(k == 0, 0, tl.where(finite, code, 2 * SCALE_EDGE + 3))
        tl.atomic_add(scale_counts + code, 1, mask=inside, sem="relaxed")
        tl.atomic_add(scale_sums + code, a, mask=inside, sem="relaxed")
        tl.atomic_add(scale_sums + SCALES + code, e, mask=inside, sem="relaxed")
        tl.atomic_add(scale_sums + 2 * SCALES + code, known, mask=inside, sem="relaxed")
        most = tl.load(scale_largest + code, mask=inside, other=0)
        tl.atomic_max(scale_largest + code, bits, mask=inside & (bits > most), sem="relaxed")
        bits = e.to(tl.int64, bitcast=True)
        code = (bits >> 44) - (261888 - ERROR_EDGE - 2)
        code = tl.minimum(tl.maximum(code, 1), 2 * ERROR_EDGE + 2)
        code = tl.where(e == 0, 0, code)
        tl.atomic_add(error_counts + code, 1, mask=inside, sem="relaxed")
        tl.atomic_add(error_sums + code, e, mask=inside, sem="relaxed")
        most = tl.load(error_largest + code, mask=inside, other=0)
        tl.atomic_max(error_largest + code, bits, mask=inside & (bits > most), sem="relaxed")
    row = found + program * 4
    tl.store(row, tl.sum(root))
    tl.store(row + 1, tl.sum(square))
    tl.store(row + 2, tl.sum(moment))
    tl.store(row + 3, tl.sum(touching).to(tl.float64))
