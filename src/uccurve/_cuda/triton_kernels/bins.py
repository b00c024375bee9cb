"""Sums of rows by bin."""

from __future__ import annotations

import triton
import triton.language as tl


@triton.jit
def place_in_table(number, EDGE: tl.constexpr):
    """Return the place of each number, as `bin_tables.places` does: 0 first, then the bins in order, then infinity."""
    place = (number.to(tl.int64, bitcast=True) >> 44) - (261888 - EDGE - 2)
    place = tl.minimum(tl.maximum(place, 1), 2 * EDGE + 2)
    return tl.where(number == 0, 0, tl.where(number < float("inf"), place, 2 * EDGE + 3))


@triton.jit
def raise_largest(largest, place, number, counted):
    """Raise the largest number of bins, kept as bits, which rise with numbers that are not negative."""
    bits = number.to(tl.int64, bitcast=True)
    most = tl.load(largest + place, mask=counted, other=0)
    tl.atomic_max(largest + place, bits, mask=counted & (bits > most), sem="relaxed")


@triton.jit(do_not_specialize=["no_shift"])
def bin_sums(
    y_true,
    y_pred,
    lower,
    numbers,
    scale_sums,
    scale_largest,
    error_sums,
    error_largest,
    found,
    n,
    programs,
    copies,
    no_shift,
    SCALE_EDGE: tl.constexpr,
    ERROR_EDGE: tl.constexpr,
    BLOCK: tl.constexpr,
):
    """Add rows with symmetric bands to bins of critical scale and of error, in several copies of the tables.

    The sums of a bin lie side by side: number, band, error and scale, or number and error. Neighboring lanes add
    them, so that the memory sees one addition for all. If Triton knew that they are aligned it would give each lane
    two of them; so `no_shift`, which is 0, is an argument. Also write, for each program, the sums of roots, squares
    and moments of the errors, and the number of rows right on a bound.
    """
    program = tl.program_id(0).to(tl.int64)
    lanes = tl.arange(0, BLOCK)
    per_unit = tl.load(numbers)
    SCALES: tl.constexpr = 2 * SCALE_EDGE + 4
    ERRORS: tl.constexpr = 2 * ERROR_EDGE + 4
    copy = program % copies
    scale_sums += copy * (4 * SCALES)
    scale_largest += copy * SCALES
    error_sums += copy * (2 * ERRORS)
    error_largest += copy * ERRORS
    four, two = tl.arange(0, 4)[None, :], tl.arange(0, 2)[None, :]
    zero = tl.zeros((BLOCK,), dtype=tl.float64)
    root, square, moment = zero, zero, zero
    touching = tl.zeros((BLOCK,), dtype=tl.int32)
    step = programs.to(tl.int64) * BLOCK
    for begin in range(program * BLOCK, n, step):
        row = begin + lanes
        inside = row < n
        y = tl.load(y_true + row, mask=inside, other=0.0)
        p = tl.load(y_pred + row, mask=inside, other=0.0)
        a = tl.load(lower + row, mask=inside, other=1.0).to(tl.float64)
        e = tl.abs(y - p).to(tl.float64)
        k = tl.where(e == 0, 0.0, e / tl.abs(a))  # which may be -0.0
        known = tl.where(k < float("inf"), k, 0.0)
        in_unit = e * per_unit
        root += tl.sqrt(e)
        square += in_unit * in_unit
        moment += in_unit * known
        touching += (inside & (k == 1)).to(tl.int32)
        place = place_in_table(k, SCALE_EDGE)
        raise_largest(scale_largest, place, k, inside)
        front = tl.where(four == 0, 1.0, a[:, None])
        sums = tl.where(four <= 1, front, tl.where(four % 2 == 0, e[:, None], known[:, None]))
        target = scale_sums + no_shift + place[:, None] * 4 + four
        tl.atomic_add(target, sums, mask=inside[:, None], sem="relaxed")
        place = place_in_table(e, ERROR_EDGE)
        raise_largest(error_largest, place, e, inside)
        sums = tl.where(two == 0, 1.0, e[:, None])
        target = error_sums + no_shift + place[:, None] * 2 + two
        tl.atomic_add(target, sums, mask=inside[:, None], sem="relaxed")
    row = found + program * 4
    tl.store(row, tl.sum(root))
    tl.store(row + 1, tl.sum(square))
    tl.store(row + 2, tl.sum(moment))
    tl.store(row + 3, tl.sum(touching).to(tl.float64))
