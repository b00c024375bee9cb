"""Wrong questions to a curve: one clear error, whose whole text is part of the interface."""

from __future__ import annotations

import pytest

import uccurve as uc
from errors import check_error
from uccurve import exceptions as ex

I = uc.Intervals
good = I.from_bands([1, 2, 4], [0, 0, 0], [1, 1, 1])
zero = I.from_bands([1, 2, 4], [0, 0, 0], [1, 1, 0])
curve, floor = good.ucc(), zero.ucc()
CASES = {
    "no such library": (lambda: curve.to_frame("excel"), ex.ArgumentError, "backend"),
    "vary": (lambda: uc.UCC(good, vary="stretch"), ex.ArgumentError, "vary"),
    "axis": (lambda: curve.area(x="width"), ex.ArgumentError, "x"),
    "partial": (lambda: curve.gain(partial="half", miss_rate=(0, 0.5)), ex.ArgumentError, "partial"),
    "cost weight": (lambda: curve.minimize_cost(1.5), ex.ArgumentError, "c"),
    "no number": (lambda: curve.minimize_cost("half"), ex.ArgumentTypeError, "c"),
    "two ranges": (lambda: curve.area(miss_rate=(0, 1), bandwidth=(0, 1), partial="strip"), ex.ArgumentError),
    "no point": (curve.at, ex.ArgumentError),
    "reversed range": (
        lambda: curve.area(miss_rate=(0.5, 0.1), partial="strip"),
        ex.ArgumentError,
        "miss_rate",
    ),
    "no range": (lambda: curve.area(bandwidth=3, partial="strip"), ex.ArgumentError, "bandwidth"),
    "percent": (lambda: curve.at(coverage=95), ex.ArgumentError, "coverage"),
    "negative parameter": (lambda: curve.at(parameter=-1), ex.ArgumentError, "parameter"),
    "area below the floor": (floor.area, ex.UnreachableError),
    "gain below the floor": (lambda: floor.gain(x="excess"), ex.UnreachableError),
    "deficit area below the floor": (
        lambda: floor.area(x="excess", y="deficit", miss_rate=(0.2, 0.9), partial="strip"),
        ex.UnreachableError,
    ),
    "strip to the floor": (lambda: floor.area(miss_rate=(0.1, 0.9), partial="strip"), ex.UnreachableError),
    "mean below the floor": (lambda: floor.area(partial="mean", miss_rate=(0.25, 0.9)), ex.UnreachableError),
    "miss rate below the floor": (lambda: floor.at(miss_rate=0.3), ex.UnreachableError),
    "deficit below the floor": (lambda: floor.at(deficit=1), ex.UnreachableError),
    "excess beyond the limit": (
        lambda: I.from_bands([1], [0], [0], [1]).ucc().at(excess=2),
        ex.UnreachableError,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_each_case_has_its_error(name):
    """Argument, rule and value, or what no parameter reaches."""
    check_error(*CASES[name])
