"""Bad arguments: one clear error, whose whole text is part of the interface."""

from __future__ import annotations

import array_api_strict as strict
import numpy as np
import pandas as pd
import polars as pl
import pytest

import uccurve as uc
from messages import check_message
from uccurve import exceptions as ex

NAN = float("nan")
Y3, Z3 = [1.0, 2.0, 3.0], [0.0, 0.0, 0.0]
I = uc.Intervals
good = I.from_bands([1, 2, 4], Z3, [1, 1, 1])
frame = pd.DataFrame({"y": Y3, "name": ["a", "b", "c"]})

CASES = {
    # shapes, kinds and presence
    "shape": (
        lambda: I.from_bands(Y3, [[0, 0], [0, 0], [0, 0]], 1),
        ex.ShapeError,
        "`y_pred` must have the shape (3,), as `y_true` implies, got (3, 2).",
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
        "`quantiles` must have the shape (n, 2) or (n, outputs, 2), one column per level, got (2, 3).",
    ),
    "one draw": (
        lambda: I.from_samples(Y3, [Y3]),
        ex.ShapeError,
        "`samples` must have the shape (draws, 3), as `y_true` implies, with 2 draws or more, got (1, 3).",
    ),
    "no draws": (
        lambda: I.from_samples(Y3, Y3),
        ex.ShapeError,
        "`samples` must have draws with the shape of `y_true`, (n,) or (n, outputs), got (3,).",
    ),
    "draws second": (
        lambda: I.from_samples(Y3, [[1, 2]] * 3),
        ex.ShapeError,
        (
            "`samples` must have the shape (draws, 3), as `y_true` implies, with 2 draws or more, got (3, 2): "
            "give `axis=1` for draws along that axis."
        ),
    ),
    "draws on a given axis": (
        lambda: I.from_samples(Y3, [Y3, Y3], axis=1),
        ex.ShapeError,
        "`samples` must have the shape (3, draws), as `y_true` implies, with 2 draws or more, got (2, 3).",
    ),
    "square draws": (
        lambda: I.from_samples(Y3, [Y3, Y3, Y3]),
        ex.ShapeError,
        "`axis` must be given: the draws of `samples`, (3, 3), may be along 0 or 1.",
    ),
    "no such axis": (
        lambda: I.from_samples(Y3, [Y3, Y3], axis=2),
        ex.ArgumentError,
        "`axis` must be an axis of `samples`, which has 2, got 2.",
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
        lambda: I.from_bounds(None, Y3, Y3),
        ex.ArgumentError,
        "`y_true` must be given, got None.",
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
        (
            "give `lower` and `upper`, or `y_pred` and `std`, or `y_pred` and one bound for a one-sided "
            "limit, or `quantiles`; got `lower`."
        ),
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
    # options
    "invalid": (
        lambda: I.from_bands(Y3, Z3, 1, invalid="ignore"),
        ex.ArgumentError,
        "`invalid` must be 'raise' or 'drop', got 'ignore'.",
    ),
    "negative scale": (
        lambda: good.scaled(-1),
        ex.ArgumentError,
        "`k` must satisfy 0 <= k, got -1.",
    ),
    "nan shift": (lambda: good.shifted(NAN), ex.ArgumentError, "`s` must be finite, got nan."),
    "level": (
        lambda: I.from_quantiles(Y3, [Y3], [0.1, 1]),
        ex.ArgumentError,
        "`levels` must satisfy 0 < levels < 1, got 1.",
    ),
    "same levels": (
        lambda: I.from_quantiles(Y3, [Y3], [0.1, 0.1]),
        ex.ArgumentError,
        "`levels` must be different levels, and not 0.5 alone, got [0.1, 0.1].",
    ),
    "claim": (
        lambda: I.from_bounds(Y3, Z3, Y3, nominal=90),
        ex.ArgumentError,
        "`nominal` must satisfy 0 < nominal < 1, got 90: write 0.9 for 90%.",
    ),
    "claim of a deviation": (
        lambda: I.from_frame(frame, y_true="y", y_pred="y", std="y", nominal=0.9),
        ex.ArgumentError,
        (
            "`nominal` must not be given beside `std`, which claims 0.6827: "
            "give `lower` and `upper` for another claim."
        ),
    ),
    "constant observations": (
        lambda: I.from_bands([1, 1], [0, 0], 1).standardized(),
        ex.ArgumentError,
        "`y_true` must not be constant: it has no standard deviation to use as a unit.",
    ),
    # labels
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
}


@pytest.mark.parametrize("name", CASES)
def test_the_whole_message(name):
    """Argument, rule and value."""
    check_message(*CASES[name])


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

    with pytest.raises(ex.ArgumentError) as caught:
        I.from_bands(strict.asarray([1.0]), torch.ones(1), 1)
    wanted = (
        "all arrays must be of one kind, or of NumPy, got array_api_strict and torch: convert one of them."
    )
    assert str(caught.value) == wanted


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
    with pytest.raises(ex.ShapeError, match=r"`y_pred` must have the shape \(4,\)"):
        I.from_bands(y, np.zeros((4, 2)), z)
