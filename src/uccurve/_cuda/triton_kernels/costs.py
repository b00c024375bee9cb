"""Excess and deficit along a curve of symmetric bands, from sorted critical scales.

Row i is captured at the knot i, and segment i leads up to it; the first begins at 0. On it the excess rises by the
bands of the rows before i, and the deficit falls by those of i and all after. Terms have one sign throughout.
"""

from __future__ import annotations

import triton
import triton.language as tl


@triton.jit
def larger(a, b):
    """Return the larger of two numbers."""
    return tl.maximum(a, b)


@triton.jit
def sums_by_block(knots, order, bands, sorted_bands, sums, kept, n, blocks, BLOCK: tl.constexpr):
    """Sort the bands, and write four sums for each block, and at how many knots another one follows.

    The sums are that of the bands, how far the excess rises and how far the deficit falls by the bands of
    the block alone, and the length of the block.
    """
    program = tl.program_id(0).to(tl.int64)
    first = program * BLOCK
    place = first + tl.arange(0, BLOCK)
    inside = place < n
    row = tl.load(order + place, mask=inside, other=0)
    band = tl.load(bands + row, mask=inside, other=0.0)
    tl.store(sorted_bands + place, band, mask=inside)
    band = band.to(tl.float64)
    begin = tl.load(knots + first - 1, mask=first > 0, other=0.0)
    end = tl.load(knots + tl.minimum(first + BLOCK, n) - 1)
    knot = tl.load(knots + place, mask=inside, other=0.0)
    following = tl.load(knots + place + 1, mask=place + 1 < n, other=float("inf"))
    sums += program
    tl.store(sums, tl.sum(band))
    tl.store(sums + blocks, tl.sum(band * (end - knot)))
    tl.store(sums + 2 * blocks, tl.sum(band * (knot - begin)))
    tl.store(sums + 3 * blocks, end - begin)
    tl.store(kept + program, tl.sum((inside & (following != knot)).to(tl.int32)).to(tl.int64))


@triton.jit
def costs_at_knots(
    knots,
    sorted_bands,
    bands_before,
    bands_after,
    excess_by_block,
    deficit_by_block,
    first_of_block,
    parameter,
    miss_rate,
    excess,
    deficit,
    n,
    BLOCK: tl.constexpr,
):
    """Write the four columns of the curve, without knots that are followed by the same one.

    Excess and deficit are known where blocks begin and end. Those between are kept in order, whatever the rounding.
    """
    program = tl.program_id(0).to(tl.int64)
    lanes = tl.arange(0, BLOCK)
    place = program * BLOCK + lanes
    inside = place < n
    knot = tl.load(knots + place, mask=inside, other=0.0)
    before = tl.load(knots + place - 1, mask=inside & (place > 0), other=0.0)
    following = tl.load(knots + place + 1, mask=place + 1 < n, other=float("inf"))
    begins = tl.load(excess_by_block + program)
    ends = tl.load(excess_by_block + program + 1)
    band = tl.load(sorted_bands + place - 1, mask=inside & (lanes > 0), other=0.0).to(tl.float64)
    slope = tl.load(bands_before + program) + tl.cumsum(band, 0)
    rising = begins + tl.cumsum(tl.where(inside, slope * (knot - before), 0.0), 0)
    rising = tl.minimum(tl.associative_scan(rising, 0, larger), ends)

    begins = tl.load(deficit_by_block + program)
    ends = tl.load(deficit_by_block + program + 1)
    within = (lanes + 1 < BLOCK) & (place + 1 < n)
    band = tl.load(sorted_bands + place + 1, mask=within, other=0.0).to(tl.float64)
    slope = tl.load(bands_after + program) + tl.cumsum(band, 0, reverse=True)
    falling = ends + tl.cumsum(tl.where(within, slope * (following - knot), 0.0), 0, reverse=True)
    falling = tl.minimum(tl.associative_scan(falling, 0, larger, reverse=True), begins)

    kept = inside & (following != knot)
    target = tl.load(first_of_block + program) + tl.cumsum(kept.to(tl.int32), 0) - 1
    rows = n.to(tl.float64)
    tl.store(parameter + target, knot, mask=kept)
    tl.store(miss_rate + target, (n - 1 - place).to(tl.float64) / rows, mask=kept)
    tl.store(excess + target, rising / rows, mask=kept)
    tl.store(deficit + target, falling / rows, mask=kept)
