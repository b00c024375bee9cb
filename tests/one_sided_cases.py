"""Cases as one-sided limits, beside their definitions in exact arithmetic."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import strategies as st

import uccurve as uc
from oracle import LimitOracle

SIDES = st.sampled_from(["upper", "lower"])
PAIRS = [(x, y) for x in ("bandwidth", "excess") for y in ("miss_rate", "deficit")]
COSTS = ("miss_rate", "coverage", "bandwidth", "excess", "deficit")


def limit(case, side, *, mirrored=False):
    """The case as a one-sided limit; mirrored, all signs and the side are turned."""
    sign = -1 if mirrored else 1
    band = case.upper_band if side == "upper" else case.lower_band
    side = {"upper": "lower", "lower": "upper"}[side] if mirrored else side
    return uc.Intervals.from_bands(
        sign * np.array(case.y), sign * np.array(case.p), **{f"{side}_band": band}, sample_weight=case.weight
    )


def oracle(case, side):
    """The definitions."""
    rows = case.oracle()
    return LimitOracle(rows.rows, rows.vary, side)


def close(value, exact, scale=0.0):
    """Equal up to rounding; ``scale`` is the size of the terms that were added up."""
    return math.isclose(value, exact, rel_tol=1e-11, abs_tol=1e-12 * float(scale))


def finest(case):
    """The size of the numbers in a case."""
    return max(map(abs, case.y + case.p + case.lower_band + case.upper_band))
