"""Bad arguments: one clear error each."""

from __future__ import annotations

import array_api_strict as strict
import numpy as np
import pandas as pd
import polars as pl
import pytest

import uccurve as uc
from errors import check_error, raises
from uccurve import exceptions as ex

NAN, INF = float("nan"), float("inf")
Y3, Z3 = [1.0, 2.0, 3.0], [0.0, 0.0, 0.0]
I = uc.Intervals
good = I.from_bands([1, 2, 4], Z3, [1, 1, 1])
frame = pd.DataFrame({"y": Y3, "name": ["a", "b", "c"]})

CASES = {
    # shapes, kinds and presence
    "shape": (lambda: I.from_bands(Y3, [[0, 0], [0, 0], [0, 0]], 1), ex.ShapeError, "y_pred"),
    "weights per output": (
        lambda: I.from_bands(np.ones((2, 3)), np.ones((2, 3)), 1, sample_weight=np.ones((2, 3))),
        ex.ShapeError,
        "sample_weight",
    ),
    "empty": (lambda: I.from_bands([], [], []), ex.EmptyInputError, "y_true"),
    "quantile axes": (lambda: I.from_quantiles(Y3, [Y3, Y3], [0.1, 0.9]), ex.ShapeError, "quantiles"),
    "one draw": (lambda: I.from_samples(Y3, [Y3]), ex.ShapeError, "samples"),
    "no draws": (lambda: I.from_samples(Y3, Y3), ex.ShapeError, "samples"),
    "draws second": (lambda: I.from_samples(Y3, [[1, 2]] * 3), ex.ShapeError, "samples"),
    "no such axis": (lambda: I.from_samples(Y3, [Y3, Y3], axis=2), ex.ArgumentError, "axis"),
    "ragged": (lambda: I.from_bands([[1], [1, 2]], [0, 0], 1), ex.NotNumericError, "y_true"),
    "missing argument": (lambda: I.from_bounds(None, Y3, Y3), ex.ArgumentError, "y_true"),
    # frames
    "text in frame": (
        lambda: I.from_frame(frame, y_true="name", lower="y", upper="y"),
        ex.NotNumericError,
        "name",
    ),
    "half a choice": (lambda: I.from_frame(frame, y_true="y", lower="y"), ex.ArgumentError, "lower"),
    "lazy": (
        lambda: I.from_frame(pl.LazyFrame({"y": [1]}), y_true="y", lower="y", upper="y"),
        ex.ArgumentError,
        "frame",
    ),
    "no frame": (
        lambda: I.from_frame({"y": [1]}, y_true="y", lower="y", upper="y"),
        ex.ArgumentError,
        "frame",
    ),
    # options
    "negative scale": (lambda: good.scaled(-1), ex.ArgumentError, "k"),
    "same levels": (lambda: I.from_quantiles(Y3, [Y3], [0.1, 0.1]), ex.ArgumentError, "levels"),
    "claim": (lambda: I.from_bounds(Y3, Z3, Y3, nominal=90), ex.ArgumentError, "nominal"),
    "claim of a deviation": (
        lambda: I.from_frame(frame, y_true="y", y_pred="y", std="y", nominal=0.9),
        ex.ArgumentError,
        "nominal",
    ),
    # labels
    "labels": (lambda: good.by([1, 2]), ex.ShapeError, "labels"),
    "group without weight": (
        lambda: I.from_bands(Y3, Z3, 1, sample_weight=[1, 0, 1]).by(["a", "b", "a"]),
        ex.ArgumentError,
        "sample_weight",
    ),
    # rows
    "nan": (lambda: I.from_bands([1, NAN, NAN], Z3, 1), ex.NonFiniteError, "y_true"),
    "nan among outputs": (
        lambda: I.from_bands([[1, 2], [3, NAN]], np.zeros((2, 2)), 1),
        ex.NonFiniteError,
        "y_true",
    ),
    "crossed": (lambda: I.from_bounds(Y3, [0, 5, 4], [2, 3, 3]), ex.CrossedBoundsError, "lower"),
    "outside": (
        lambda: I.from_bounds(Y3, [0, 0, 3], [2, 3, 4], y_pred=[1, 1, 2]),
        ex.PredictionOutsideError,
        "y_pred",
    ),
    "negative band": (lambda: I.from_bands(Y3, Z3, 1, [1, -2, 1]), ex.NegativeBandError, "upper_band"),
    "negative weight": (
        lambda: I.from_std(Y3, Z3, 1, sample_weight=[1, -1, -1]),
        ex.NegativeWeightError,
        "sample_weight",
    ),
    "no weight": (lambda: I.from_std(Y3, Z3, 1, sample_weight=[0, 0, 0]), ex.ArgumentError, "sample_weight"),
    "median outside": (
        lambda: I.from_quantiles([1], [[1, 4, 3]], [0.05, 0.5, 0.95]),
        ex.CrossedBoundsError,
        "quantiles",
    ),
    "mean of draws outside": (
        lambda: I.from_samples([1], [[0], [0], [10]], levels=(0.3, 0.4)),
        ex.PredictionOutsideError,
        "mean of samples",
    ),
    "nan sample": (lambda: I.from_samples([1], [[1], [NAN]]), ex.NonFiniteError, "mean of samples"),
    "all dropped": (lambda: I.from_bands([NAN, 1], [0, 0], [1, -1], invalid="drop"), ex.EmptyInputError),
}


@pytest.mark.parametrize("name", CASES)
def test_each_error_names_its_argument(name):
    """Argument, rule and value."""
    check_error(*CASES[name])


def test_numpy_arrays_take_the_kind_of_the_others():
    """Predictions of one library beside observations of NumPy are the usual case."""
    mixed = I.from_bands(strict.asarray([1.0, 2.0]), np.array([1.0, 1.0]), [1, 2])
    assert type(mixed.y_pred) is type(strict.asarray([1.0]))
    other = I.from_bands(np.array([1.0, 2.0]), strict.asarray([1.0, 1.0]), [1, 2])
    assert other.ucc().area() == mixed.ucc().area() == I.from_bands([1, 2], [1, 1], [1, 2]).ucc().area()


@pytest.mark.slow
def test_arrays_of_two_other_kinds_are_not_mixed():
    """Nothing says which of the two is meant."""
    import torch

    with pytest.raises(ex.ArgumentError):
        I.from_bands(strict.asarray([1.0]), torch.ones(1), 1)


def test_one_column_beside_a_flat_array_is_that_column():
    """Models of one target often give (n, 1)."""
    y, p, z = np.arange(4.0), np.zeros(4), np.array([1.0, 2.0, 1.0, 4.0])
    plain = I.from_bands(y, p, z)
    for columns in ((y[:, None], p, z), (y, p[:, None], z), (y, p, z[:, None]), (y[:, None], p[:, None], z)):
        rows = I.from_bands(*columns)
        assert rows.y_true.shape == rows.y_pred.shape == (4,)
        assert rows.ucc().area() == plain.ucc().area()
    assert I.from_bands(y[:, None], p[:, None], z[:, None]).y_true.shape == (4, 1)
    assert uc.coverage(y[:, None], p, p + 2) == uc.coverage(y, p, p + 2)
    with raises(ex.ShapeError, "y_pred"):
        I.from_bands(y, np.zeros((4, 2)), z)


def test_errors_come_before_any_warning():
    """NaN and infinities cause no NumPy warnings on the way (warnings are errors in this suite)."""
    for column in ([NAN], [INF], [-INF], [1e308]):
        with pytest.raises(ex.InvalidRowsError):
            I.from_bounds(column, [-1e308], [1e308], y_pred=[-1e308])


@pytest.mark.parametrize(("invalid", "error"), [("raise", ex.NonFiniteError), ("drop", ex.EmptyInputError)])
def test_two_infinite_bounds_around_a_prediction_cause_no_warning(invalid, error):
    """Conformal bounds are infinite where the calibration rows are too few: the error says it all."""
    with pytest.raises(error):
        I.from_bounds(Y3, [-INF] * 3, [INF] * 3, y_pred=Z3, invalid=invalid)
    with pytest.raises(error):
        I.from_bands(Y3, Z3, [INF] * 3, [INF] * 3, invalid=invalid)


@pytest.mark.parametrize(("value", "says"), [(np.nan, False), (-np.inf, True)])
def test_only_infinite_bounds_are_told_what_they_would_mean(value, says):
    """A missing value is no attempt at a one-sided limit."""
    with pytest.raises(ex.NonFiniteError) as caught:
        uc.Intervals.from_bounds([1.0, 2.0], [value, 0.0], [3.0, 3.0])
    assert bool(caught.value.hint) == says
