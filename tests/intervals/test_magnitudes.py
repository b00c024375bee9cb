"""Values and weights other than 0 lie between 1e-100 and 1e100 in size, at every door."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import uccurve as uc
from errors import raises
from oracle import Oracle
from uccurve.exceptions import DroppedRowsWarning, MagnitudeError

I = uc.Intervals
GOOD = [1.0, 2.0, 3.0]
ZERO = [0.0, 0.0, 0.0]
PAIR = [[-1.0, 1.0]] * 3
DOORS = {
    "y_true": lambda bad: I.from_std(bad, ZERO, GOOD),
    "std": lambda bad: I.from_std(GOOD, ZERO, bad),
    "upper": lambda bad: I.from_bounds(GOOD, [-9.0] * 3, bad),
    "sample_weight": lambda bad: I.from_std(GOOD, ZERO, GOOD, sample_weight=bad),
    "quantile 0.9": lambda bad: I.from_quantiles(GOOD, [[-9.0, value] for value in bad], [0.1, 0.9]),
    "std of samples": lambda bad: I.from_samples(GOOD, [np.negative(bad), bad]),
    "samples": lambda bad: uc.crps(GOOD, [ZERO, bad]),
    "lower": lambda bad: uc.miss_rate(GOOD, np.negative(bad), [np.inf] * 3),
}


@pytest.mark.parametrize("name", DOORS)
def test_each_door_names_the_argument_and_the_rows(name):
    """How many break the rule, and which is the first; both ends and 0 belong to the range."""
    for size in (1e-120, 2e100):
        with raises(MagnitudeError, name, first=1, count=2):
            DOORS[name]([1.0, size, 2 * size])
    DOORS[name]([1e-100, 1e100, 0.0])


def test_frames_follow_the_same_rule():
    """In a scan, for values and weights."""
    frame = pl.DataFrame({"y": [1.0, 1e150, 2.0], "p": ZERO, "s": GOOD, "w": [1.0, 1.0, 1e-150]})
    model = {"m": uc.Columns(y_true="y", y_pred="p", std="s", sample_weight="w")}
    with raises(MagnitudeError, "y_true", count=1):
        uc.scan(frame, model)
    with pytest.warns(DroppedRowsWarning) as warned:
        assert uc.scan(frame, model, invalid="drop")["m"] == I.from_std([1.0], [0.0], [1.0]).sketch()
    assert [error.argument for error in warned[0].message.reasons] == ["y_true", "sample_weight"]


RANGES = (
    {},
    {"miss_rate": (0.1, 0.6)},
    {"bandwidth": (0.5, 2.0)},
    {"deficit": (0.1, 0.9)},
    {"parameter": (0.5, 1.5)},
)


@pytest.mark.parametrize(
    ("x", "y", "vary", "unit"),
    [("bandwidth", "deficit", "scale", 2.0**-330), ("excess", "miss_rate", "shift", 2.0**330)],
)
def test_areas_and_gains_have_the_same_digits_in_any_unit(x, y, vary, unit):
    """With two-sided bands, an exact prediction, ties and weights of the same size; in sketches too."""
    columns = [1.0, -2.0, 0.0, 3.0, 3.0], [0.0] * 5, [1.0, 2.0, 1.0, 2.0, 2.0], [2.0, 1.0, 1.0, 1.0, 4.0]
    weight = np.array([1.0, 2.0, 1.0, 3.0, 1.0])
    tame = I.from_bands(*columns, sample_weight=weight)
    rows = I.from_bands(*(np.multiply(column, unit) for column in columns), sample_weight=weight * unit)
    in_y = {"bandwidth", "excess", "deficit"} | ({"parameter"} if vary == "shift" else set())
    one, other = tame.ucc(vary=vary), rows.ucc(vary=vary)
    assert other.ceiling(x=x, y=y) == pytest.approx(one.ceiling(x=x, y=y), rel=1e-12)
    for part in RANGES:
        moved = {
            axis: tuple(end * unit if axis in in_y else end for end in ends) for axis, ends in part.items()
        }
        power = unit**2 if y == "deficit" and not part else unit
        area, gain = one.area(x=x, y=y, **part), one.gain(x=x, y=y, **part)
        assert other.area(x=x, y=y, **moved) == pytest.approx(area * power, rel=1e-12, abs=0, nan_ok=True)
        assert other.gain(x=x, y=y, **moved) == pytest.approx(gain, rel=1e-9, nan_ok=True)
    if vary == "scale":
        one, other = tame.sketch().curve(), rows.sketch().curve()
        assert other.gain(x=x, y=y) == pytest.approx(one.gain(x=x, y=y), rel=1e-9)
        assert other.ceiling(x=x, y=y) == pytest.approx(one.ceiling(x=x, y=y), rel=1e-9)


def test_gains_under_shift_do_not_depend_on_how_wide_the_constant_band_is():
    """Residuals of 1 in a constant band of 1e30 have no digits left, but shift makes the band any width."""
    columns = [1.0, 2.0, 4.0], [0.0] * 3, [1e30, 1e30, 4e30]
    exact = Oracle.of(*columns, columns[-1], vary="shift")
    gain = 1 - exact.area("bandwidth", "miss_rate") / exact.constant().area("bandwidth", "miss_rate")
    assert I.from_bands(*columns).ucc(vary="shift").gain() == pytest.approx(float(gain), rel=1e-9)
    constant = I.from_bands([1.0, 2.0], [0.0] * 2, 1e30).ucc(vary="shift")
    assert constant.gain() == constant.gain(y="deficit") == 0.0
