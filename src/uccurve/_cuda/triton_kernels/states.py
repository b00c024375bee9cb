"""One update of the states of a metric."""

from __future__ import annotations

import triton
import triton.language as tl

from .bins import place_in_table


@triton.jit
def raise_to(target, number, counted):
    """Raise numbers in memory; a zero without sign, since that of atomic operations counts as below everything."""
    tl.atomic_max(target, tl.where(number == 0, 0.0, number), mask=counted, sem="relaxed")


@triton.jit
def raise_one(target, number, counted):
    """Raise one number in memory to the largest of those that count."""
    most = tl.max(tl.where(counted, number, -float("inf")))
    tl.atomic_max(target, tl.where(most == 0, 0.0, most), sem="relaxed")


@triton.jit
def add_to_states(
    y_true,
    lower,
    upper,
    y_pred,
    weight,
    scale_sums,
    scale_largest,
    switch_sums,
    switch_largest,
    error_sums,
    error_largest,
    totals,
    extremes,
    n,
    outputs,
    PREDICTED: tl.constexpr,
    WEIGHTED: tl.constexpr,
    SCALE_EDGE: tl.constexpr,
    SWITCH_EDGE: tl.constexpr,
    ERROR_EDGE: tl.constexpr,
    FARTHEST: tl.constexpr,
    BLOCK: tl.constexpr,
):
    """Add a block of rows of one output to the states of `torch._sketch_states`, whose order of sums it keeps.

    Columns are float64. Without PREDICTED the midpoints are the predictions, without WEIGHTED all rows weigh 1.
    """
    row = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    output = tl.program_id(1).to(tl.int64)
    inside = row < n
    element = row * outputs + output
    y = tl.load(y_true + element, mask=inside, other=0.0)
    low = tl.load(lower + element, mask=inside, other=-1.0)
    high = tl.load(upper + element, mask=inside, other=1.0)
    w = tl.where(inside, 1.0, 0.0).to(tl.float64)
    if WEIGHTED:
        w = tl.load(weight + row, mask=inside, other=0.0)
    counted = inside & (w > 0)
    if PREDICTED:
        p = tl.load(y_pred + element, mask=inside, other=0.0)
        a = tl.where(y - p >= 0, high - p, p - low)
        b = tl.where(y - p >= 0, p - low, high - p)
    else:
        p = low + (high - low) / 2
        a = tl.maximum(p - low, high - p)
        b = a
    e = tl.abs(y - p)
    k = tl.where(e == 0, 0.0, e / a)
    known = tl.where(k < float("inf"), k, 0.0)
    weighted = e * w

    SCALES: tl.constexpr = 2 * SCALE_EDGE + 4
    place = output * SCALES + place_in_table(k, SCALE_EDGE)
    size = outputs * SCALES
    tl.atomic_add(scale_sums + place, w, mask=counted, sem="relaxed")
    tl.atomic_add(scale_sums + size + place, a * w, mask=counted, sem="relaxed")
    tl.atomic_add(scale_sums + 2 * size + place, weighted, mask=counted, sem="relaxed")
    tl.atomic_add(scale_sums + 3 * size + place, known * w, mask=counted, sem="relaxed")
    raise_to(scale_largest + place, k, counted)

    ERRORS: tl.constexpr = 2 * ERROR_EDGE + 4
    place = output * ERRORS + place_in_table(e, ERROR_EDGE)
    size = outputs * ERRORS
    tl.atomic_add(error_sums + place, w, mask=counted, sem="relaxed")
    tl.atomic_add(error_sums + size + place, weighted, mask=counted, sem="relaxed")
    raise_to(error_largest + place, e, counted)

    if PREDICTED:
        drop = a - b
        switch = 2 * e / tl.where(drop > 0, drop, 1.0)
        near = counted & (drop > 0) & (switch < FARTHEST)
        SWITCHES: tl.constexpr = 2 * SWITCH_EDGE + 4
        place = output * SWITCHES + place_in_table(switch, SWITCH_EDGE)
        size = outputs * SWITCHES
        tl.atomic_add(switch_sums + place, drop * w, mask=near, sem="relaxed")
        tl.atomic_add(switch_sums + size + place, 2 * weighted, mask=near, sem="relaxed")
        raise_to(switch_largest + place, switch, near)

    total = totals + output
    tl.atomic_add(total, tl.sum(inside.to(tl.float64)), sem="relaxed")
    tl.atomic_add(total + outputs, tl.sum(w * w), sem="relaxed")
    tl.atomic_add(total + 2 * outputs, tl.sum((a / 2 + b / 2) * w), sem="relaxed")
    tl.atomic_add(total + 3 * outputs, tl.sum(tl.sqrt(e) * w), sem="relaxed")
    tl.atomic_add(total + 4 * outputs, tl.sum(weighted * e), sem="relaxed")
    tl.atomic_add(total + 5 * outputs, tl.sum(weighted * known), sem="relaxed")
    tl.atomic_add(total + 6 * outputs, tl.sum(tl.where(known == 1, w, 0.0)), sem="relaxed")
    extreme = extremes + output
    raise_one(extreme, tl.maximum(a, b), counted)
    raise_one(extreme + outputs, w, counted)
    raise_one(extreme + 2 * outputs, tl.abs(a - b), counted)
    raise_one(extreme + 3 * outputs, -tl.minimum(a, b), counted)
    raise_one(extreme + 4 * outputs, -w, counted)
