"""Bad input: one clear error, whose whole text is part of the interface."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest

import uccurve as uc
from uccurve import exceptions as ex

NAN, INF = float("nan"), float("inf")
Y3, Z3 = [1.0, 2.0, 3.0], [0.0, 0.0, 0.0]
I = uc.Intervals
good = I.from_bands([1, 2, 4], Z3, [1, 1, 1])
zero = I.from_bands([1, 2, 4], Z3, [1, 1, 0])
curve, floor = good.ucc(), zero.ucc()
frame = pd.DataFrame({"y": Y3, "name": ["a", "b", "c"]})
fitted = uc.ConformalScaler(0.5).fit(good)
grouped = uc.ConformalScaler(0.5).fit(good, groups=["a", "a", "b"])
AXES = "miss_rate, coverage, bandwidth, excess, deficit, parameter"
FLOOR = (
    "scaling never captures a row with a zero band and a non-zero residual: the miss rate stays at 0.333333, "
    "but {} is needed. Use vary='shift', a range above that floor, or intervals.floored(band)."
)

CASES = {
    # values of rows
    "nan": (
        lambda: I.from_bands([1, NAN, NAN], Z3, 1),
        ex.NonFiniteError,
        "`y_true` must be finite, but 2 of 3 rows are not; first at row 1: y_true=nan.",
    ),
    "one infinite": (
        lambda: I.from_bands(Y3, [0, 0, -INF], 1),
        ex.NonFiniteError,
        "`y_pred` must be finite, but 1 of 3 rows is not; first at row 2: y_pred=-inf.",
    ),
    "infinite band": (
        lambda: I.from_bands(Y3, Z3, [1, INF, 1]),
        ex.NonFiniteError,
        "`lower_band` must be finite, but 1 of 3 rows is not; first at row 1: lower_band=inf.",
    ),
    "nan among outputs": (
        lambda: I.from_bands([[1, 2], [3, NAN]], np.zeros((2, 2)), 1),
        ex.NonFiniteError,
        "`y_true` must be finite, but 1 of 2 rows is not; first at row 1, output 1: y_true=nan.",
    ),
    "crossed": (
        lambda: I.from_bounds(Y3, None, [0, 5, 4], [2, 3, 3]),
        ex.CrossedBoundsError,
        "`lower` must not exceed `upper`, but 2 of 3 rows do; first at row 1: lower=5, upper=3.",
    ),
    "outside": (
        lambda: I.from_bounds(Y3, [1, 1, 2], [0, 0, 3], [2, 3, 4]),
        ex.PredictionOutsideError,
        (
            "`y_pred` must lie inside [`lower`, `upper`], but 1 of 3 rows does not; "
            "first at row 2: lower=3, y_pred=2, upper=4."
        ),
    ),
    "negative band": (
        lambda: I.from_bands(Y3, Z3, 1, [1, -2, 1]),
        ex.NegativeBandError,
        "`upper_band` must be >= 0, but 1 of 3 rows is not; first at row 1: upper_band=-2.",
    ),
    "negative std": (
        lambda: I.from_std([1], [0], [-1]),
        ex.NegativeBandError,
        "`std` must be >= 0, but 1 of 1 row is not; first at row 0: std=-1.",
    ),
    "negative weight": (
        lambda: I.from_std(Y3, Z3, 1, sample_weight=[1, -1, -1]),
        ex.NegativeWeightError,
        "`sample_weight` must be >= 0, but 2 of 3 rows are not; first at row 1: sample_weight=-1.",
    ),
    "nan weight": (
        lambda: I.from_std(Y3, Z3, 1, sample_weight=[1, NAN, 1]),
        ex.NonFiniteError,
        "`sample_weight` must be finite, but 1 of 3 rows is not; first at row 1: sample_weight=nan.",
    ),
    "no weight": (
        lambda: I.from_std(Y3, Z3, 1, sample_weight=[0, 0, 0]),
        ex.ArgumentError,
        "`sample_weight` must have a positive sum, got 0.",
    ),
    "crossed quantiles": (
        lambda: I.from_quantiles([1], [[3, 1]], [0.05, 0.95]),
        ex.CrossedBoundsError,
        (
            "`quantile 0.05` must not exceed `quantile 0.95`, but 1 of 1 row does; "
            "first at row 0: quantile 0.05=3, quantile 0.95=1."
        ),
    ),
    "median outside": (
        lambda: I.from_quantiles([1], [[1, 4, 3]], [0.05, 0.5, 0.95]),
        ex.PredictionOutsideError,
        (
            "`quantile 0.5` must lie inside [`quantile 0.05`, `quantile 0.95`], but 1 of 1 row does not; "
            "first at row 0: quantile 0.05=1, quantile 0.5=4, quantile 0.95=3."
        ),
    ),
    "nan sample": (
        lambda: I.from_samples([1], [[1], [NAN]]),
        ex.NonFiniteError,
        "`mean of samples` must be finite, but 1 of 1 row is not; first at row 0: mean of samples=nan.",
    ),
    "overflowing residual": (
        lambda: I.from_bands([1e308], [-1e308], 1),
        ex.UnitOverflowError,
        (
            "`y_true` - `y_pred` must stay within float64: rescale the units, but 1 of 1 row does not; "
            "first at row 0: y_true=1e+308, y_pred=-1e+308."
        ),
    ),
    "overflowing sum": (
        lambda: I.from_bands([1, 2], [0, 0], [1e308, 1e308]),
        ex.UnitOverflowError,
        "sums of residuals, bands or weights must stay within float64: rescale the units.",
    ),
    "all dropped": (
        lambda: I.from_bands([NAN, 1], [0, 0], [1, -1], invalid="drop"),
        ex.EmptyInputError,
        "all 2 rows are invalid: `y_true` must be finite (1); `lower_band` must be >= 0 (1).",
    ),
    "metric with nan": (
        lambda: uc.excess([1, NAN], [0, 0], [1, 1]),
        ex.NonFiniteError,
        "`y_true` must be finite, but 1 of 2 rows is not; first at row 1: y_true=nan.",
    ),
    "metric crossed": (
        lambda: uc.bandwidth([2, 1], [1, 1]),
        ex.CrossedBoundsError,
        "`lower` must not exceed `upper`, but 1 of 2 rows does; first at row 0: lower=2, upper=1.",
    ),
    "metric without weight": (
        lambda: uc.miss_rate([1], [0], [1], sample_weight=[0]),
        ex.ArgumentError,
        "`sample_weight` must have a positive sum, got 0.",
    ),
    # shapes, kinds and presence
    "shape": (
        lambda: I.from_bands(Y3, [[0], [0], [0]], 1),
        ex.ShapeError,
        "`y_pred` must have the shape (3,), as `y_true` implies, got (3, 1).",
    ),
    "length": (
        lambda: uc.miss_rate(Y3, [0, 0], [1, 1, 1]),
        ex.ShapeError,
        "`lower` must have the shape (3,), as `y_true` implies, got (2,).",
    ),
    "weights per output": (
        lambda: I.from_bands(np.ones((2, 3)), np.ones((2, 3)), 1, sample_weight=np.ones((2, 3))),
        ex.ShapeError,
        "`sample_weight` must have the shape (2,), as `y_true` implies, got (2, 3).",
    ),
    "scalar": (
        lambda: I.from_bands(1, 0, 1),
        ex.ShapeError,
        "`y_true` must have the shape (n,) or (n, outputs), got ().",
    ),
    "three axes": (
        lambda: I.from_bands(np.ones((2, 2, 2)), np.ones((2, 2, 2)), 1),
        ex.ShapeError,
        "`y_true` must have the shape (n,) or (n, outputs), got (2, 2, 2).",
    ),
    "empty": (
        lambda: I.from_bands([], [], []),
        ex.EmptyInputError,
        "`y_true` must have at least one row and one output, got (0,).",
    ),
    "quantile axes": (
        lambda: I.from_quantiles(Y3, [Y3, Y3], [0.1, 0.9]),
        ex.ShapeError,
        "`quantiles` must have the shape (n, 2) or (n, outputs, 2), one column a level, got (2, 3).",
    ),
    "one draw": (
        lambda: I.from_samples(Y3, [Y3]),
        ex.ShapeError,
        "`samples` must have the shape (draws, n) or (draws, n, outputs) with 2 draws or more, got (1, 3).",
    ),
    "text": (
        lambda: I.from_bands(["1", "2"], [0, 0], 1),
        ex.NotNumericError,
        "`y_true` must be numeric, got <U1.",
    ),
    "booleans": (
        lambda: I.from_bands([True, False], [0, 0], 1),
        ex.NotNumericError,
        "`y_true` must be numeric, got bool.",
    ),
    "complex": (
        lambda: I.from_bands([1j], [0], 1),
        ex.NotNumericError,
        "`y_true` must be numeric, got complex128.",
    ),
    "dates": (
        lambda: I.from_bands(np.array(["2024-01-01"], dtype="datetime64[D]"), [0], 1),
        ex.NotNumericError,
        "`y_true` must be numeric, got datetime64[D].",
    ),
    "ragged": (
        lambda: I.from_bands([[1], [1, 2]], [0, 0], 1),
        ex.NotNumericError,
        (
            "`y_true` must be numeric, got list: setting an array element with a sequence. The requested array has an "
            "inhomogeneous shape after 1 dimensions. The detected shape was (2,) + inhomogeneous part."
        ),
    ),
    "text column": (
        lambda: I.from_bands(pl.Series(["a"]), [0], 1),
        ex.NotNumericError,
        "`y_true` must be numeric, got String.",
    ),
    "missing argument": (
        lambda: I.from_bounds(Y3, Y3, None, Y3),
        ex.ArgumentError,
        "`lower` must be given, got None.",
    ),
    # frames
    "no such column": (
        lambda: I.from_frame(frame, y_true="Y", lower="y", upper="y"),
        ex.MissingColumnError,
        "`y_true` names the column 'Y'; the frame has 'y', 'name'.",
    ),
    "text in frame": (
        lambda: I.from_frame(frame, y_true="name", lower="y", upper="y"),
        ex.NotNumericError,
        "`name` must be numeric, got String.",
    ),
    "half a choice": (
        lambda: I.from_frame(frame, y_true="y", lower="y"),
        ex.ArgumentError,
        "give `lower` and `upper`, or `y_pred` and `std`; got `lower`.",
    ),
    "lazy": (
        lambda: I.from_frame(pl.LazyFrame({"y": [1]}), y_true="y", lower="y", upper="y"),
        ex.ArgumentError,
        "`frame` must be eager, got a lazy frame: collect it first.",
    ),
    "no frame": (
        lambda: I.from_frame({"y": [1]}, y_true="y", lower="y", upper="y"),
        ex.ArgumentError,
        "`frame` must be an eager frame (pandas, Polars, PyArrow, …), got dict.",
    ),
    "no such library": (
        lambda: curve.frame("excel"),
        ex.ArgumentError,
        "`backend` must be one of pandas, polars, pyarrow, got 'excel'.",
    ),
    # options
    "vary": (
        lambda: uc.UCC(good, vary="stretch"),
        ex.ArgumentError,
        "`vary` must be 'scale' or 'shift', got 'stretch'.",
    ),
    "invalid": (
        lambda: I.from_bands(Y3, Z3, 1, invalid="ignore"),
        ex.ArgumentError,
        "`invalid` must be 'raise' or 'drop', got 'ignore'.",
    ),
    "axis": (
        lambda: curve.area("width"),
        ex.ArgumentError,
        "`x` must be 'bandwidth' or 'excess', got 'width'.",
    ),
    "partial": (
        lambda: curve.gain(partial="half", miss_rate=(0, 0.5)),
        ex.ArgumentError,
        "`partial` must be 'strip' or 'mean', got 'half'.",
    ),
    "multioutput": (
        lambda: uc.miss_rate([1], [0], [1], multioutput="sum"),
        ex.ArgumentError,
        "`multioutput` must be 'uniform_average' or 'raw_values', got 'sum'.",
    ),
    "cost weight": (
        lambda: curve.minimize_cost(1.5),
        ex.ArgumentError,
        "`c` must fulfil 0 <= c <= 1, got 1.5.",
    ),
    "no number": (
        lambda: curve.minimize_cost("half"),
        ex.ArgumentError,
        "`c` must be a number, got 'half'.",
    ),
    "score level": (
        lambda: uc.interval_score([1], [0], [1], miss_rate=0),
        ex.ArgumentError,
        "`miss_rate` must fulfil 0 < miss_rate < 1, got 0.",
    ),
    "negative scale": (
        lambda: good.scaled(-1),
        ex.ArgumentError,
        "`k` must fulfil 0 <= k, got -1.",
    ),
    "nan shift": (lambda: good.shifted(NAN), ex.ArgumentError, "`s` must be finite, got nan."),
    "level": (
        lambda: I.from_quantiles(Y3, [Y3], [0.1, 1]),
        ex.ArgumentError,
        "`levels` must fulfil 0 < levels < 1, got 1.",
    ),
    "same levels": (
        lambda: I.from_quantiles(Y3, [Y3], [0.1, 0.1]),
        ex.ArgumentError,
        "`levels` must be two or more different levels, got [0.1, 0.1].",
    ),
    "three levels": (
        lambda: I.from_samples(Y3, [Y3, Y3], levels=(0.1, 0.5, 0.9)),
        ex.ArgumentError,
        "`levels` must be a pair, got (0.1, 0.5, 0.9).",
    ),
    "constant observations": (
        lambda: I.from_bands([1, 1], [0, 0], 1).standardized(),
        ex.ArgumentError,
        "`y_true` must not be constant: it has no standard deviation to use as a unit.",
    ),
    # ranges and operating points
    "two ranges": (
        lambda: curve.area(miss_rate=(0, 1), bandwidth=(0, 1)),
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
        f"unexpected argument 'missrate'; an operating point is given by one of {AXES}.",
    ),
    "reversed range": (
        lambda: curve.area(miss_rate=(0.5, 0.1)),
        ex.ArgumentError,
        "`miss_rate` must be a pair with low < high within [0, 1], got (0.5, 0.1).",
    ),
    "no range": (
        lambda: curve.area(bandwidth=3),
        ex.ArgumentError,
        "`bandwidth` must be a pair (low, high), got 3.",
    ),
    "percent": (
        lambda: curve.at(coverage=95),
        ex.ArgumentError,
        "`coverage` must fulfil 0 <= coverage <= 1, got 95.",
    ),
    "negative parameter": (
        lambda: curve.at(parameter=-1),
        ex.ArgumentError,
        "`parameter` must fulfil 0 <= parameter, got -1.",
    ),
    "area below the floor": (floor.area, ex.UnreachableError, FLOOR.format(0)),
    "gain below the floor": (lambda: floor.gain("excess"), ex.UnreachableError, FLOOR.format(0)),
    "deficit area below the floor": (
        lambda: floor.area("excess", "deficit", miss_rate=(0.2, 0.9)),
        ex.UnreachableError,
        FLOOR.format(0.2),
    ),
    "strip to the floor": (lambda: floor.area(miss_rate=(0.1, 0.9)), ex.UnreachableError, FLOOR.format(0.1)),
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
    # labels and calibration
    "labels": (
        lambda: good.by([1, 2]),
        ex.ShapeError,
        "`labels` must have the shape (3,), one label a row, got (2,).",
    ),
    "missing label": (
        lambda: good.by(["a", None, None]),
        ex.ArgumentError,
        "`labels` must not be missing, but 2 of 3 rows are; first at row 1.",
    ),
    "missing label in a column": (
        lambda: good.by(pl.Series(["a", None, "b"])),
        ex.ArgumentError,
        "`labels` must not be missing, but 1 of 3 rows is; first at row 1.",
    ),
    "mixed labels": (
        lambda: good.by(np.array(["a", 1, "b"], dtype=object)),
        ex.ArgumentError,
        "`labels` must be of one kind that can be sorted, got int and str.",
    ),
    "group without weight": (
        lambda: I.from_bands(Y3, Z3, 1, sample_weight=[1, 0, 1]).by(["a", "b", "a"]),
        ex.ArgumentError,
        "`sample_weight` must be positive for some row of the label 'b'.",
    ),
    "not fitted": (
        lambda: uc.ConformalScaler().parameter,
        ex.NotFittedError,
        "this ConformalScaler is not fitted yet: call fit first.",
    ),
    "no groups fitted": (
        lambda: fitted.parameters,
        ex.NotFittedError,
        "this ConformalScaler is not fitted for groups: call fit with groups first.",
    ),
    "groups fitted": (
        lambda: grouped.parameter,
        ex.NotFittedError,
        "this ConformalScaler is fitted for groups: see parameters.",
    ),
    "groups missing": (
        lambda: grouped.transform([0], [0], [1]),
        ex.ArgumentError,
        "`groups` must be given: this ConformalScaler was fitted for groups.",
    ),
    "groups unasked": (
        lambda: fitted.transform([0], [0], [1], groups=["a"]),
        ex.ArgumentError,
        "`groups` must not be given: this ConformalScaler was fitted without.",
    ),
    "unknown group": (
        lambda: grouped.transform([0, 0], [0, 0], [1, 1], groups=["a", "z"]),
        ex.ArgumentError,
        "`groups` must be fitted labels, but 1 of 2 rows is not; first at row 1: 'z'.",
    ),
    "weighted calibration": (
        lambda: uc.ConformalScaler().fit(I.from_bands(Y3, Z3, 1, sample_weight=Y3)),
        ex.ArgumentError,
        "`intervals` must not be weighted: the guarantee holds for exchangeable rows.",
    ),
    "calibration of outputs": (
        lambda: uc.ConformalScaler().fit(I.from_bands(np.ones((2, 3)), np.ones((2, 3)), 1)),
        ex.ArgumentError,
        "`intervals` must have one output, got 3: fit a scaler to each of outputs().",
    ),
    "calibrated prediction outside": (
        lambda: fitted.transform([5], [0], [1]),
        ex.PredictionOutsideError,
        (
            "`y_pred` must lie inside [`lower`, `upper`], but 1 of 1 row does not; "
            "first at row 0: lower=0, y_pred=5, upper=1."
        ),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_whole_message(name):
    """Argument, rule, how many rows break it, and the first one with its values."""
    action, error, message = CASES[name]
    with pytest.raises(error) as caught:
        action()
    assert str(caught.value) == message
    assert type(caught.value) is error


def test_arrays_of_two_kinds_are_not_mixed():
    """Nothing moves between devices or libraries behind the user's back."""
    strict = pytest.importorskip("array_api_strict")
    with pytest.raises(ex.ArgumentError) as caught:
        I.from_bands(strict.asarray([1.0]), np.array([1.0]), 1)
    assert str(caught.value) == "all arrays must be of one kind, got array_api_strict and numpy."


def test_errors_are_value_errors_and_keep_their_details():
    """Code can react to the rows, also when the error comes from another process."""
    with pytest.raises(ValueError, match="`y_true` must be finite") as caught:
        I.from_bands([1, NAN, 3, INF], [0] * 4, 1)
    copy = pickle.loads(pickle.dumps(caught.value))  # noqa: S301
    for error in (caught.value, copy):
        assert (error.argument, error.rows, error.count) == ("y_true", (1, 3), 2)
    assert str(copy) == str(caught.value)


def test_errors_come_before_any_warning():
    """NaN and infinities cause no NumPy warnings on the way (warnings are errors in this suite)."""
    for column in ([NAN], [INF], [-INF], [1e308]):
        with pytest.raises(ex.InvalidRowsError):
            I.from_bounds(column, [-1e308], [-1e308], [1e308])
