"""The exact drop-in beside numbers that UQ360 0.2 gave, and the cause of each difference.

UQ360's numbers are made of the operating points at the critical values of its rows. So they follow from the exact
points there, but for two things: where a product is rounded down, UQ360 misses one row too many; and it
measures the excess of asymmetric bands to the bound on the observation's side, not to the nearer one.
"""

from __future__ import annotations

import inspect
import itertools
import json
from functools import cached_property
from pathlib import Path

import numpy as np
import pytest

import uccurve as uc
from uccurve.compat import uq360

RECORDED = json.loads(Path(__file__).with_name("uq360_numbers.json").read_text())
AXES = ("missrate", "bandwidth", "excess", "deficit")
ROUNDING = 1e-9


class Case:
    """One data set: what UQ360 said about it, and the exact points at the critical values of its rows."""

    def __init__(self, gt, X, theirs=None):  # noqa: N803 - UQ360's name
        self.gt, self.X, self.theirs = np.array(gt), np.array(X), theirs
        self.pred, self.lower, self.upper = self.X.T
        self.symmetric = np.array_equal(self.lower, self.upper)
        self.ucc = uq360.UncertaintyCharacteristicsCurve(normalize=False).fit(self.X, self.gt)

    @cached_property
    def points(self):
        """The four costs at each critical value, by operation and axis."""
        residual = self.gt - self.pred
        facing = np.where(residual >= 0, self.upper, self.lower)
        critical = {"scale": np.abs(residual) / facing, "bias": np.abs(residual) - facing}
        return {
            (operation, axis): np.array(
                [self.on(axis, axis).get_OP(**{operation: value})[0] for value in np.sort(values)]
            )
            for operation, values in critical.items()
            for axis in AXES
        }

    def on(self, x, y):
        """Return the drop-in with these axes."""
        self.ucc.set_coordinates(x, y)
        return self.ucc

    def slack(self, axis, amount):
        """Return how far a number may be off: a row too many is missed, or nothing but the last digits differ."""
        return amount / self.gt.size if axis == "missrate" else ROUNDING * max(1.0, amount)

    def questions(self):
        """Yield pairs of axes and operations of which the exact points are comparable with UQ360's."""
        for x, y, operation in itertools.product(AXES, AXES, ("scale", "bias")):
            if self.symmetric or "excess" not in (x, y):
                yield x, y, operation, self.points[operation, x], self.points[operation, y]


@pytest.fixture(scope="module", params=RECORDED["cases"])
def case(request):
    """Symmetric bands, asymmetric ones, and whole numbers with ties."""
    return Case(**RECORDED["cases"][request.param], theirs=RECORDED["answers"][request.param])


def test_points_and_metrics_are_the_same(case):
    """Coverage, widths, deficits, errors and likelihood have no cause to differ. The excess may be smaller."""
    shown = uq360.UncertaintyCharacteristicsCurve().fit(case.X, case.gt)
    for x, y in itertools.product(AXES, AXES):
        shown.set_coordinates(x, y)
        for question, ours in (
            (f"raw {x}-{y} moved", case.on(x, y).get_OP(scale=0.7, bias=0.2)),
            (f"shown {x}-{y} as given", shown.get_OP()),
        ):
            theirs = case.theirs[question]
            for axis, one, other in zip((x, y), ours, theirs, strict=False):
                if case.symmetric or axis != "excess":
                    assert one == pytest.approx(other, rel=ROUNDING)
                else:
                    assert one <= other + ROUNDING
            assert ours[2:] == pytest.approx(theirs[2:])
    bounds = case.pred - case.lower, case.pred + case.upper
    assert uq360.picp(case.gt, *bounds) == pytest.approx(case.theirs["picp"][0])
    assert uq360.mpiw(*bounds) == pytest.approx(case.theirs["mpiw"][0])
    found = uq360.compute_regression_metrics(case.gt, case.pred, *bounds)
    _gain, *others = (found[name] for name in sorted(found))
    assert others == pytest.approx(case.theirs["metrics"][1:], rel=ROUNDING, nan_ok=True)


def test_areas_of_uq360_are_trapezoids_from_the_first_critical_value_on(case):
    """They leave out what is before it, and are negative where x falls. The exact one has steps."""
    for x, y, operation, xs, ys in case.questions():
        (theirs,) = case.theirs[f"raw {x}-{y} {operation} area"]
        slack = case.slack(x, np.ptp(ys)) + case.slack(y, np.ptp(xs))
        assert np.trapezoid(ys, xs) == pytest.approx(theirs, abs=slack), (x, y, operation)


@pytest.mark.parametrize(("operation", "vary"), [("scale", "scale"), ("bias", "shift")])
def test_areas_of_uq360_follow_from_the_native_curve(case, operation, vary):
    """As the page says: its miss rates are rounded, in less than 1% of the area; deficits are the same."""
    curve = uc.Intervals.from_bands(case.gt, *case.X.T).ucc(vary=vary)
    first = 0 if vary == "scale" and np.any(case.gt == case.pred) else 1
    for axis, y, slack in (("missrate", curve.miss_rate, 0.01), ("deficit", curve.deficit, ROUNDING)):
        (theirs,) = case.theirs[f"raw bandwidth-{axis} {operation} area"]
        assert np.trapezoid(y[first:], curve.bandwidth[first:]) == pytest.approx(theirs, rel=slack)


def test_points_of_uq360_are_the_nearest_ones(case):
    """On either side. The exact point has the value itself, and a miss rate of no more than that."""
    for x, y, operation, _, ys in case.questions():
        asked = 0.35 * (1.0 if y == "missrate" else float(np.mean(case.X[:, 1:])))
        _, _, their_y, _ = case.theirs[f"raw {x}-{y} {operation} at y"]
        nearest = np.abs(ys - asked).min()
        assert abs(their_y - asked) == pytest.approx(nearest, abs=case.slack(y, 1.0)), (x, y, operation)
        options = {"req_y_axis_value": asked, "vary_bias": operation == "bias"}
        ours = case.on(x, y).get_specific_operating_point(**options)
        assert ours["new_y"] <= asked if y == "missrate" else ours["new_y"] == pytest.approx(asked)


def test_the_least_cost_of_uq360_is_that_of_its_points(case):
    """It never tries bands of zero, nor what lies between critical values."""
    for x, y, operation, xs, ys in case.questions():
        theirs = case.theirs[f"raw {x}-{y} {operation} cheapest"][0]
        costs = 0.3 * xs + 0.7 * ys
        slack = case.slack(x, 0.3) + case.slack(y, 0.7)
        assert costs.min() == pytest.approx(theirs, abs=slack), (x, y, operation)
        assert case.on(x, y).minimize_cost(0.3, 0.7, search=operation)["cost"] <= costs.min() + ROUNDING


def test_the_gain_of_uq360_is_a_share_of_the_model_s_own_area():
    """Not of the constant band's."""
    case = Case(**RECORDED["cases"]["symmetric"])
    flat = np.full_like(case.gt, np.std(case.pred))
    constant = Case(case.gt, np.stack([case.pred, flat, flat], axis=1))
    own, theirs = (
        np.trapezoid(one.points["scale", "missrate"], one.points["scale", "excess"])
        for one in (case, constant)
    )
    assert (theirs - own) / own == pytest.approx(RECORDED["answers"]["symmetric"]["auucc_gain"][0], abs=0.01)
    ours = uq360.auucc_gain(case.gt, case.pred, case.pred - case.lower, case.pred + case.upper)
    areas = [one.on("excess", "missrate").get_AUUCC() for one in (case, constant)]
    assert ours == pytest.approx(1 - areas[0] / areas[1])


@pytest.mark.parametrize("name", RECORDED["signatures"])
def test_arguments_have_the_names_order_and_defaults_of_uq360(name):
    """Old calls mean what they meant."""
    thing = uq360
    for part in name.split("."):
        thing = getattr(thing, part)
    ours = [
        [one.name, "" if one.default is one.empty else repr(one.default)]
        for one in inspect.signature(thing).parameters.values()
    ]
    assert ours == RECORDED["signatures"][name]
