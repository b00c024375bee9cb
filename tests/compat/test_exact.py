"""The exact drop-in: the native numbers under UQ360's names, and laws where there is no native number."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import uccurve as uc
from uccurve.compat.uq360 import UncertaintyCharacteristicsCurve

AXES = {"missrate": "miss_rate", "bandwidth": "bandwidth", "excess": "excess", "deficit": "deficit"}
NATIVE = list(itertools.product(("bandwidth", "excess"), ("missrate", "deficit")))


def made_rows(n=41, seed=0):
    """Asymmetric bands, ties, and some predictions that are right."""
    rng = np.random.default_rng(seed)
    pred, lower, upper = rng.normal(size=n), rng.lognormal(size=n), rng.lognormal(sigma=2, size=n)
    gt = pred + np.where(rng.uniform(size=n) < 0.5, lower, upper / 4) * rng.normal(size=n)
    gt[:3], lower[3:6], upper[3:6], gt[3:6] = pred[:3], 1.0, 2.0, pred[3:6] + 1.5
    return np.stack([pred, lower, upper], axis=1), gt


def fitted(matrix, gt, x="excess", y="missrate", *, normalize=False):
    ucc = UncertaintyCharacteristicsCurve(normalize=normalize).fit(matrix, gt)
    ucc.set_coordinates(x_axis_name=x, y_axis_name=y)
    return ucc


def native(matrix, gt, *, bias=False):
    return uc.Intervals.from_bands(gt, *matrix.T).ucc(vary="shift" if bias else "scale")


@pytest.mark.parametrize(("x", "y", "bias"), [(*pair, pair[0] == "excess") for pair in NATIVE])
def test_areas_are_those_of_the_curve(x, y, bias):
    """Whole, and over a range on either axis, which is the native strip."""
    rows = made_rows()
    ucc, curve = fitted(*rows, x, y), native(*rows, bias=bias)
    axes = {"x": AXES[x], "y": AXES[y]}
    assert ucc.get_AUUCC(vary_bias=bias) == pytest.approx(curve.area(**axes), rel=1e-12)
    part = curve.area(**axes, partial="strip", **{AXES[x]: (0.1, 0.7)})
    assert ucc.get_AUUCC(vary_bias=bias, partial_x=(0.1, 0.7)) == pytest.approx(part, rel=1e-12)
    part = curve.area(**axes, partial="strip", **{AXES[y]: (0.1, 0.6)})
    found = ucc.get_AUUCC(vary_bias=bias, partial_y=(0.1, 0.6), aucfct="simps")
    assert found == pytest.approx(part, rel=1e-12)


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize(("x", "y"), list(itertools.combinations(AXES, 2)))
def test_exchanged_axes_share_one_rectangle(x, y, bias):
    """The areas of y over x and of x over y are the same, or fill up the rectangle of the largest values."""
    rows = made_rows()
    one = fitted(*rows, x, y).get_AUUCC(vary_bias=bias)
    other = fitted(*rows, y, x).get_AUUCC(vary_bias=bias)
    points = fitted(*rows).plotdata_for_bias[0] if bias else fitted(*rows).plotdata_for_scale[0]
    places = [UncertaintyCharacteristicsCurve.axes_name2idx[axis] for axis in (x, y)]
    falls = [points[0][place] > 0 for place in places]
    if falls[0] != falls[1]:
        assert one == pytest.approx(other, rel=1e-9)
    else:
        end = points[0] if falls[0] else points[-1]
        assert one + other == pytest.approx(end[places[0]] * end[places[1]], rel=1e-9)


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize(("x", "y"), list(itertools.combinations_with_replacement(AXES, 2)))
def test_parts_of_an_area_add_up(x, y, bias):
    """Ranges are cut right at their ends, on either axis, in any coordinates."""
    ucc = fitted(*made_rows(), x, y)
    for axis, name in ((x, "partial_x"), (y, "partial_y")):
        place = ucc.axes_name2idx[axis]
        end = max(point[place] for point in ucc.plotdata_for_bias[0] + ucc.plotdata_for_scale[0])
        cuts = np.array([0.0, 0.123, 0.4567, 1.0]) * end
        parts = [ucc.get_AUUCC(bias, **{name: tuple(ends)}) for ends in itertools.pairwise(cuts)]
        assert sum(parts) == pytest.approx(ucc.get_AUUCC(bias), rel=1e-9)


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("axis", AXES)
def test_a_point_has_the_value_that_was_asked_for(axis, bias):
    """Or, of a miss rate, the next lower one; three rows tie."""
    rows = made_rows()
    other = "excess" if axis != "excess" else "deficit"
    for name, ucc in (("x", fitted(*rows, axis, other)), ("y", fitted(*rows, other, axis))):
        found = ucc.get_specific_operating_point(**{f"req_{name}_axis_value": 0.2}, vary_bias=bias)
        point = native(*rows, bias=bias).at(**{AXES[axis]: 0.2})
        assert found["modvalue"] == point.parameter
        assert found[f"new_{name}"] == getattr(point, AXES[axis])
        least = 0.2 - 3 / 41 if axis == "missrate" else 0.2 - 1e-9
        assert least < found[f"new_{name}"] <= 0.2 + 1e-9


def test_normalized_values_are_in_standard_deviations():
    """Areas by one unit for each axis that has one; requests and answers alike."""
    rows = made_rows()
    unit = np.std(rows[1])
    raw, shown = fitted(*rows, "excess", "deficit"), fitted(*rows, "excess", "deficit", normalize=True)
    assert shown.std_unit == unit
    assert shown.get_AUUCC() == pytest.approx(raw.get_AUUCC() / unit**2)
    asked = shown.get_specific_operating_point(req_x_axis_value=0.3 / unit)
    assert asked["new_x"] == pytest.approx(0.3 / unit)
    assert shown.get_OP() == pytest.approx((*(value / unit for value in raw.get_OP()[:2]), unit, unit))
