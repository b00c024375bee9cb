"""Wrong questions to a curve: one clear error each."""

from __future__ import annotations

import pytest

import uccurve as uc
from errors import check_error
from uccurve import exceptions as ex

I = uc.Intervals
good = I.from_bands([1, 2, 4], [0, 0, 0], [1, 1, 1])
zero = I.from_bands([1, 2, 4], [0, 0, 0], [1, 1, 0])
curve, floor, asymmetric = good.ucc(), zero.ucc(), I.from_bands([1], [0], [0], [1]).ucc()
ON_DEFICIT = {"x": "excess", "y": "deficit", "partial": "strip"}
CASES = {
    "no such library": (lambda: curve.to_frame("excel"), ex.ArgumentError, "backend"),
    "vary": (lambda: uc.UCC(good, vary="stretch"), ex.ArgumentError, "vary"),
    "axis": (lambda: curve.area(x="width"), ex.ArgumentError, "x"),
    "cost weight": (lambda: curve.minimize_cost(1.5), ex.ArgumentError, "c"),
    "two ranges": (lambda: curve.area(miss_rate=(0, 1), bandwidth=(0, 1), partial="strip"), ex.ArgumentError),
    "no point": (curve.at, ex.ArgumentError),
    "reversed range": (lambda: curve.area(miss_rate=(0.5, 0.1)), ex.ArgumentError, "miss_rate"),
    "percent": (lambda: curve.at(coverage=95), ex.ArgumentError, "coverage"),
    "negative parameter": (lambda: curve.at(parameter=-1), ex.ArgumentError, "parameter"),
    "area below the floor": (floor.area, ex.UnreachableError),
    "strip below the floor": (lambda: floor.area(**ON_DEFICIT, miss_rate=(0.2, 0.9)), ex.UnreachableError),
    "mean below the floor": (lambda: floor.area(partial="mean", miss_rate=(0.25, 0.9)), ex.UnreachableError),
    "miss rate below the floor": (lambda: floor.at(miss_rate=0.3), ex.UnreachableError),
    "excess beyond the limit": (lambda: asymmetric.at(excess=2), ex.UnreachableError),
}


@pytest.mark.parametrize("name", CASES)
def test_each_error_names_its_argument(name):
    """Argument, rule and value, or what no parameter reaches."""
    check_error(*CASES[name])
