"""Bad arguments: one clear error each."""

from __future__ import annotations

import array_api_strict as strict
import numpy as np
import pandas as pd
import pytest

import uccurve as uc
from errors import check_error, raises
from uccurve import exceptions as ex

NAN, INF = float("nan"), float("inf")
Y3, Z3 = [1.0, 2.0, 3.0], [0.0, 0.0, 0.0]
I = uc.Intervals
good = I.from_bands([1, 2, 4], Z3, [1, 1, 1])
pair = I.from_quantiles(Y3, np.transpose([Z3, Y3]), (0.1, 0.9))
frame = pd.DataFrame({"y": Y3, "name": ["a", "b", "c"]})
BOUNDS, STD = {"lower": "y", "upper": "y"}, {"y_true": "y", "y_pred": "y", "std": "y"}
TWO = np.ones((2, 2))
CODED = pd.Series(Y3, dtype="category")


def weighted(weight):
    return I.from_std(Y3, Z3, 1, sample_weight=weight)


light = weighted([1, 0, 1])

CASES = {
    # shapes, kinds and presence
    "shape": (lambda: I.from_bands(Y3, [[0, 0], [0, 0], [0, 0]], 1), ex.ShapeError, "y_pred"),
    "weight per output": (
        lambda: I.from_bands(TWO, TWO, 1, sample_weight=TWO),
        ex.ShapeError,
        "sample_weight",
    ),
    "empty": (lambda: I.from_bands([], [], []), ex.EmptyInputError, "y_true"),
    "quantile axes": (lambda: I.from_quantiles(Y3, [Y3, Y3], [0.1, 0.9]), ex.ShapeError, "quantiles"),
    "draws second": (lambda: I.from_samples(Y3, [[1, 2]] * 3), ex.ShapeError, "samples"),
    "no such axis": (lambda: I.from_samples(Y3, [Y3, Y3], axis=2), ex.ArgumentError, "axis"),
    "ragged": (lambda: I.from_bands([[1], [1, 2]], [0, 0], 1), ex.NotNumericError, "y_true"),
    "missing argument": (lambda: I.from_bounds(None, Y3, Y3), ex.ArgumentError, "y_true"),
    # frames
    "text in frame": (lambda: I.from_frame(frame, y_true="name", **BOUNDS), ex.NotNumericError, "name"),
    "half a choice": (lambda: I.from_frame(frame, y_true="y", lower="y"), ex.ArgumentError, "lower"),
    "no frame": (lambda: I.from_frame({"y": [1]}, y_true="y", **BOUNDS), ex.ArgumentError, "frame"),
    "claim of a deviation": (lambda: I.from_frame(frame, **STD, nominal=0.9), ex.ArgumentError, "nominal"),
    # options
    "nothing": (I, ex.ArgumentTypeError),
    "percentage": (lambda: I.from_quantiles(Y3, [[1, 2]] * 3, (5, 95)), ex.ArgumentError, "levels"),
    "levels on a side": (lambda: I.from_quantiles(Y3, [Y3] * 3, (0.6, 0.7, 0.9)), ex.ArgumentError, "y_pred"),
    "categories": (lambda: I.from_std(CODED, Z3, 1), ex.NotNumericError, "y_true"),
    "negative scale": (lambda: good.scaled(-1), ex.ArgumentError, "k"),
    "level of a pair": (lambda: pair.at_level(NAN), ex.ArgumentError, "parameter"),
    "claim of a pair": (lambda: pair.as_one_pair(5), ex.ArgumentError, "nominal"),
    "same levels": (lambda: I.from_quantiles(Y3, [Y3], [0.1, 0.1]), ex.ArgumentError, "levels"),
    "group without weight": (lambda: light.by(["a", "b", "a"]), ex.ArgumentError, "sample_weight"),
    # rows
    "nan among outputs": (lambda: I.from_bands([[1, 2], [3, NAN]], TWO, 1), ex.NonFiniteError, "y_true"),
    "no weight": (lambda: weighted([0, 0, 0]), ex.ArgumentError, "sample_weight"),
    "mean of draws outside": (
        lambda: I.from_samples([1], [[0], [0], [0], [10]], levels=(0.3, 0.6)),
        ex.PredictionOutsideError,
        "mean of samples",
    ),
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
    for columns in ((y[:, None], p, z), (y, p[:, None], z), (y[:, None], p[:, None], z)):
        rows = I.from_bands(*columns)
        assert rows.y_true.shape == rows.y_pred.shape == (4,)
        assert rows.ucc().area() == plain.ucc().area()
    assert I.from_bands(y[:, None], p[:, None], z[:, None]).y_true.shape == (4, 1)
    for column in (y, y[:, None]):
        rows = I.from_bands(column, 0 * column, 1.0, sample_weight=z[:, None])
        assert rows.sample_weight.shape == (4,)
    with raises(ex.ShapeError, "y_pred"):
        I.from_bands(y, np.zeros((4, 2)), z)


@pytest.mark.parametrize(("invalid", "error"), [("raise", ex.InvalidRowsError), ("drop", ex.EmptyInputError)])
def test_errors_come_before_any_warning(invalid, error):
    """NaN and infinities, as conformal bounds have, cause none of NumPy (warnings are errors in this suite)."""
    for column in ([NAN], [INF], [-INF], [1e308]):
        with pytest.raises(error):
            I.from_bounds(column, [-1e308], [1e308], y_pred=[-1e308], invalid=invalid)
    with pytest.raises(error):
        I.from_bounds(Y3, [-INF] * 3, [INF] * 3, y_pred=Z3, invalid=invalid)
    with pytest.raises(error):
        I.from_bands(Y3, Z3, [INF] * 3, [INF] * 3, invalid=invalid)


def test_only_infinite_bounds_are_told_what_they_would_mean():
    """A missing value is no attempt at a one-sided limit; all are told how to leave rows out, where they can."""
    for value, hints in ((NAN, 1), (-INF, 2)):
        with raises(ex.NonFiniteError, "lower") as caught:
            I.from_bounds([1.0, 2.0], [value, 0.0], [3.0, 3.0])
        assert caught.value.hint.endswith('`invalid="drop"` leaves such rows out.')
        assert caught.value.hint.count(".") == hints
        with raises(ex.NonFiniteError, "y_true") as caught:
            uc.miss_rate([1.0, value], [0.0, 0.0], [3.0, 3.0])
        assert not caught.value.hint
