"""Conformal scaling: the guarantee, the parameter by exact counting, and labels."""

from __future__ import annotations

import math
import warnings
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import uccurve as uc
from errors import raises
from strategies import cases

COVERAGES = ["0.01", "0.1", "0.25", "0.5", "0.55", "0.6", "0.75", "0.8", "0.9", "0.95", "0.99"]


def defined(case, rows, coverage):
    """Return the smallest critical value that, by counting, enough rows do not exceed; None if there is none.

    A new row is the (n + 1)-th: with a share c of n + 1 rows at or below the parameter it is captured with
    probability c.
    """
    oracle = case.oracle()
    critical = [oracle.critical(oracle.rows[row]) for row in rows]
    for value in sorted(value for value in critical if value is not None):
        captured = sum(other is not None and other <= value for other in critical)
        if Fraction(captured, len(critical) + 1) >= coverage:
            return value
    return None


def same(parameter, exact):
    """Whether a parameter is what it should be, up to the rounding of one division."""
    return math.isinf(parameter) if exact is None else math.isclose(parameter, exact, rel_tol=1e-15)


@given(cases(max_rows=25, zero_bands=True, units=[1.0]), st.sampled_from(COVERAGES), st.booleans(), st.data())
@settings(max_examples=200)
def test_the_parameter_is_the_one_that_counting_finds(case, text, as_miss_rate, data):
    """Both families, ties, zero bands and residuals, one row upwards; pooled, by label, and from sketches."""
    if case.weight is not None:
        return
    coverage = Fraction(text)
    rate = {"miss_rate": float(1 - coverage)} if as_miss_rate else {"coverage": float(text)}
    intervals, n = case.intervals(), len(case.y)
    labels = data.draw(st.lists(st.sampled_from("abc"), min_size=n, max_size=n))
    rows_of = {label: [row for row in range(n) if labels[row] == label] for label in sorted(set(labels))}
    scaler = uc.ConformalScaler(vary=case.vary, unseen="pooled", **rate)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", uc.exceptions.InfiniteParameterWarning)
        everything = scaler.fit(intervals).parameter_
        assert same(everything, defined(case, range(n), coverage))
        scaler.fit(intervals, by=labels)
        assert scaler.parameter_ == everything
        assert list(scaler.parameters_) == list(rows_of)
        for label, rows in rows_of.items():
            assert same(scaler.parameters_[label], defined(case, rows, coverage))
        if case.vary == "shift":
            return
        # integers over powers of two lie in bins of their own: sketches are exact here
        rows = dict(scaler.parameters_)
        parts = {label: part.sketch() for label, part in intervals.by(labels).items()}
        assert scaler.fit(parts).parameters_ == rows
        assert scaler.parameter_ == everything


@pytest.mark.parametrize(("vary", "n"), [("scale", 1), ("shift", 9), ("scale", 10), ("shift", 19)])
@pytest.mark.filterwarnings("ignore::uccurve.exceptions.InfiniteParameterWarning")
def test_coverage_lies_between_the_two_bounds(vary, n):
    """1 - α at least, 1/(n + 1) more at most: exactly, by letting each row be the new one in turn."""
    rng = np.random.default_rng(n)
    y, lower, upper = rng.normal(size=n + 1), *rng.exponential(size=(2, n + 1))
    p = np.zeros(n + 1)
    alpha, covered = 0.2, 0
    for new in range(n + 1):
        rest = np.arange(n + 1) != new
        rows = uc.Intervals.from_bands(y[rest], p[rest], lower[rest], upper[rest])
        scaler = uc.ConformalScaler(miss_rate=alpha, vary=vary).fit(rows)
        low, high = scaler.transform(y_pred=p[[new]], lower=-lower[[new]], upper=upper[[new]])
        covered += bool(low[0] <= y[new] <= high[0])
    assert 1 - alpha <= covered / (n + 1) <= 1 - alpha + 1 / (n + 1) + 1e-12


@given(cases(zero_bands=True), st.sampled_from([0.1, 0.25, 0.5, 0.9]))
@settings(max_examples=200)
@pytest.mark.filterwarnings("ignore::uccurve.exceptions.InfiniteParameterWarning")
def test_bounds_move_as_intervals_do(case, alpha):
    """To infinity where the parameter is infinite, where intervals are refused."""
    if case.weight is not None:
        return
    intervals = case.intervals()
    scaler = uc.ConformalScaler(miss_rate=alpha, vary=case.vary).fit(intervals)
    bounds = {"lower": intervals.lower, "upper": intervals.upper, "y_pred": intervals.y_pred}
    lower, upper = scaler.transform(**bounds)
    if math.isinf(scaler.parameter_):
        assert np.all(np.isinf(lower) & np.isinf(upper))
        with pytest.raises(uc.exceptions.ArgumentError):
            scaler.transform(intervals)
        return
    moved = scaler.transform(intervals)
    assert moved.lower.tolist() == lower.tolist()
    assert moved.upper.tolist() == upper.tolist()
    assert moved.y_pred is intervals.y_pred
    assert moved.nominal == float(1 - Fraction(str(alpha)))


def test_predictions_default_to_the_midpoints():
    """As in `Intervals.from_bounds`."""
    scaler = uc.ConformalScaler(0.5).fit(uc.Intervals.from_bands([1.0, 2, 3], np.zeros(3), 1.0))
    lower, upper = scaler.transform(lower=[-1.0, 4.0], upper=[1.0, 10.0])
    assert (lower.tolist(), upper.tolist()) == ([-2, 1], [2, 13])


def test_transformed_intervals_keep_everything_but_their_bands():
    """Weights, the library of frames, labels of rows that were dropped; they claim the coverage."""
    frame = pl.DataFrame({"y": [0.0, None, 9.0], "p": [0.0] * 3, "s": [1.0, 2.0, 3.0], "w": [1.0, 1.0, 2.0]})
    with pytest.warns(uc.exceptions.DroppedRowsWarning):
        rows = uc.Intervals.from_frame(frame, std="s", y_pred="p", sample_weight="w", invalid="drop")
    calibration = uc.Intervals.from_bands([1.0, 2, 3], np.zeros(3), 1.0)
    moved = uc.ConformalScaler(0.5).fit(calibration).transform(rows)
    assert (moved.upper_band.tolist(), moved.sample_weight.tolist()) == ([2, 6], [1, 2])
    assert moved.nominal == 0.5
    assert isinstance(moved.ucc().to_frame(), pl.DataFrame)
    by = uc.ConformalScaler(0.5).fit(calibration, by=list("aaa")).transform(rows, by=list("aza"))
    assert by.upper_band.tolist() == [2, 6]


def test_calibrated_groups_of_one_output_keep_their_shape():
    """(n, 1) is one output; more are refused, since none were fitted."""
    rows = uc.Intervals.from_bands([1.0, 2, 30, 40], [0.0] * 4, 1.0)
    scaler = uc.ConformalScaler(0.5).fit(rows, by=[1, 1, 2, 2])
    lower, upper = scaler.transform(y_pred=[[0], [5]], lower=[[-1], [4]], upper=[[2], [6]], by=[2, 1])
    assert (lower.tolist(), upper.tolist()) == ([[-40], [3]], [[80], [7]])
    with raises(uc.exceptions.ShapeError, "lower"):
        scaler.transform(lower=np.zeros((2, 2)), upper=np.ones((2, 2)), by=[1, 2])
    column = uc.Intervals.from_bands([[1.0], [1.0]], [[0.0], [0.0]], 1.0)
    assert scaler.transform(column, by=[2, 1]).upper.tolist() == [[40], [2]]


def test_coverage_and_miss_rate_say_the_same():
    """Either of them; the default is 0.9, and the fit tells which it was."""
    rows = uc.Intervals.from_bands(np.arange(1.0, 100), np.zeros(99), 1.0)
    for options in ({"coverage": 0.55}, {"miss_rate": 0.45}, {"coverage": np.float64(0.55)}):
        scaler = uc.ConformalScaler(**options).fit(rows)
        assert scaler.parameter_ == 55
        assert scaler.transform(rows).nominal == scaler.coverage_ == 0.55
    default = uc.ConformalScaler().fit(rows)
    assert (default.parameter_, default.coverage_) == (90, 0.9)


def test_what_was_not_fitted_is_not_there():
    """Neither before the fit, nor of labels where there were none, or only in an earlier fit."""
    rows, scaler = uc.Intervals.from_bands([1.0, 2, 3], np.zeros(3), 1.0), uc.ConformalScaler(0.5)
    assert not hasattr(scaler, "parameter_")
    assert scaler.fit(rows, by=list("aab")).fit(rows).parameter_ == 2
    assert not hasattr(scaler, "parameters_")


def test_the_representation_shows_what_was_given_and_found():
    """Nothing that is a default; of many labels only the first."""
    assert repr(uc.ConformalScaler()) == "ConformalScaler()"
    assert repr(uc.ConformalScaler(np.array([0.8, 0.9]))) == "ConformalScaler(coverage=array([0.8, 0.9]))"
    rows = uc.Intervals.from_bands(np.arange(1.0, 13), np.zeros(12), 1.0)
    two = uc.ConformalScaler(0.5, unseen="pooled").fit(rows, by=["a", "b"] * 6)
    assert repr(two) == (
        "ConformalScaler(coverage=0.5, unseen='pooled', parameter_=7, parameters_={'a': 7, 'b': 8})"
    )
    many = uc.ConformalScaler(0.5).fit(rows, by=np.arange(12))
    assert repr(many) == "ConformalScaler(coverage=0.5, parameters_={0: 1, 1: 2, 2: 3, 3: 4, 4: 5, 5: 6, …})"
