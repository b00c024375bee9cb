"""Wrong questions to a curve: one clear error, whose whole text is part of the interface."""

from __future__ import annotations

import sys

import pytest

import uccurve as uc
from messages import check_message
from uccurve import exceptions as ex

I = uc.Intervals
good = I.from_bands([1, 2, 4], [0, 0, 0], [1, 1, 1])
zero = I.from_bands([1, 2, 4], [0, 0, 0], [1, 1, 0])
curve, floor = good.ucc(), zero.ucc()
AXES = "miss_rate, coverage, bandwidth, excess, deficit, parameter"
FLOOR = (
    "scaling never captures a row with a zero band and a non-zero residual: the miss rate stays at 0.333333, "
    "but {} is needed. Use vary='shift', a range above that floor, or intervals.floored(band)."
)

DID_YOU_MEAN = ". Did you mean 'miss_rate'?" if sys.version_info >= (3, 13) else ""
"""What newer versions of Python add to their own message."""
CASES = {
    "no such library": (
        lambda: curve.to_frame("excel"),
        ex.ArgumentError,
        "`backend` must be one of pandas, polars, pyarrow, got 'excel'.",
    ),
    "vary": (
        lambda: uc.UCC(good, vary="stretch"),
        ex.ArgumentError,
        "`vary` must be 'scale' or 'shift' or 'level', got 'stretch'.",
    ),
    "axis": (
        lambda: curve.area(x="width"),
        ex.ArgumentError,
        "`x` must be 'bandwidth' or 'excess', got 'width'.",
    ),
    "partial": (
        lambda: curve.gain(partial="half", miss_rate=(0, 0.5)),
        ex.ArgumentError,
        "`partial` must be 'strip' or 'mean', got 'half'.",
    ),
    "cost weight": (
        lambda: curve.minimize_cost(1.5),
        ex.ArgumentError,
        "`c` must satisfy 0 <= c <= 1, got 1.5.",
    ),
    "no number": (
        lambda: curve.minimize_cost("half"),
        ex.ArgumentTypeError,
        "`c` must be a number, got 'half'.",
    ),
    "two ranges": (
        lambda: curve.area(miss_rate=(0, 1), bandwidth=(0, 1), partial="strip"),
        ex.ArgumentError,
        f"give a range by one of {AXES}; got `miss_rate` and `bandwidth`.",
    ),
    "no point": (
        curve.at,
        ex.ArgumentError,
        f"give an operating point by one of {AXES}; got none.",
    ),
    "unknown axis": (
        lambda: curve.at(missrate=0.1),
        TypeError,
        "Curve.at() got an unexpected keyword argument 'missrate'" + DID_YOU_MEAN,
    ),
    "reversed range": (
        lambda: curve.area(miss_rate=(0.5, 0.1), partial="strip"),
        ex.ArgumentError,
        "`miss_rate` must be a pair with low < high within [0, 1], got (0.5, 0.1).",
    ),
    "no range": (
        lambda: curve.area(bandwidth=3, partial="strip"),
        ex.ArgumentError,
        "`bandwidth` must be a pair (low, high), got 3.",
    ),
    "percent": (
        lambda: curve.at(coverage=95),
        ex.ArgumentError,
        "`coverage` must satisfy 0 <= coverage <= 1, got 95.",
    ),
    "negative parameter": (
        lambda: curve.at(parameter=-1),
        ex.ArgumentError,
        "`parameter` must satisfy 0 <= parameter, got -1.",
    ),
    "area below the floor": (floor.area, ex.UnreachableError, FLOOR.format(0)),
    "gain below the floor": (lambda: floor.gain(x="excess"), ex.UnreachableError, FLOOR.format(0)),
    "deficit area below the floor": (
        lambda: floor.area(x="excess", y="deficit", miss_rate=(0.2, 0.9), partial="strip"),
        ex.UnreachableError,
        FLOOR.format(0.2),
    ),
    "strip to the floor": (
        lambda: floor.area(miss_rate=(0.1, 0.9), partial="strip"),
        ex.UnreachableError,
        FLOOR.format(0.1),
    ),
    "mean below the floor": (
        lambda: floor.area(partial="mean", miss_rate=(0.25, 0.9)),
        ex.UnreachableError,
        FLOOR.format(0.25),
    ),
    "miss rate below the floor": (lambda: floor.at(miss_rate=0.3), ex.UnreachableError, FLOOR.format(0.3)),
    "deficit below the floor": (
        lambda: floor.at(deficit=1),
        ex.UnreachableError,
        "no parameter gives a mean deficit of 1: it never falls below 1.33333.",
    ),
    "excess beyond the limit": (
        lambda: I.from_bands([1], [0], [0], [1]).ucc().at(excess=2),
        ex.UnreachableError,
        "no parameter gives a mean excess of 2: it never exceeds 1.",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_whole_message(name):
    """Argument, rule and value, or what no parameter reaches."""
    check_message(*CASES[name])
