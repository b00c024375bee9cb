"""Conformal scaling: the guarantee, both families, labels, and the manners of an estimator."""

from __future__ import annotations

import copy
import math
import pickle
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import uccurve as uc
from errors import raises
from strategies import cases


@pytest.mark.parametrize(
    ("vary", "n"), [("scale", 1), ("shift", 9), ("scale", 10), ("shift", 19), ("scale", 200)]
)
@pytest.mark.filterwarnings("ignore::uccurve.exceptions.InfiniteParameterWarning")
def test_coverage_lies_between_the_two_bounds(vary, n):
    """1 - α at least, 1/(n + 1) more at most: exactly, by letting each row be the new one in turn."""
    rng = np.random.default_rng(n)
    y, lower, upper = rng.normal(size=n + 1), *rng.exponential(size=(2, n + 1))
    p = np.zeros(n + 1)
    alpha, covered = 0.2, 0
    for new in range(n + 1):
        rest = np.arange(n + 1) != new
        scaler = uc.ConformalScaler(miss_rate=alpha, vary=vary).fit(
            uc.Intervals.from_bands(y[rest], p[rest], lower[rest], upper[rest])
        )
        low, high = scaler.transform(y_pred=p[[new]], lower=-lower[[new]], upper=upper[[new]])
        covered += bool(low[0] <= y[new] <= high[0])
    assert 1 - alpha <= covered / (n + 1) <= 1 - alpha + 1 / (n + 1) + 1e-12


@given(cases(zero_bands=True), st.sampled_from([0.1, 0.25, 0.5, 0.9]))
@settings(max_examples=200)
@pytest.mark.filterwarnings("ignore::uccurve.exceptions.InfiniteParameterWarning")
def test_enough_calibration_rows_are_captured(case, alpha):
    """The parameter captures at least the rank's number of the calibration rows themselves."""
    if case.weight is not None:
        return
    intervals = case.intervals()
    scaler = uc.ConformalScaler(miss_rate=alpha, vary=case.vary).fit(intervals)
    rank = math.ceil((intervals.n + 1) * (1 - Fraction(str(alpha))))
    bounds = {"lower": intervals.lower, "upper": intervals.upper, "y_pred": intervals.y_pred}
    lower, upper = scaler.transform(**bounds)
    captured = (lower <= intervals.y_true) & (intervals.y_true <= upper)
    assert np.count_nonzero(captured) >= min(rank, intervals.n)
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


def test_shifting_cuts_at_the_prediction():
    """A negative shift empties narrow intervals instead of turning them over."""
    calibration = uc.Intervals.from_bands(np.full(9, 0.5), np.zeros(9), 2.0)
    scaler = uc.ConformalScaler(0.8, vary="shift").fit(calibration)
    assert scaler.parameter_ == -1.5
    lower, upper = scaler.transform(lower=[-1, -2], upper=[1, 4], y_pred=[0, 0])
    assert lower.tolist() == [0, -0.5]
    assert upper.tolist() == [0, 2.5]


def test_predictions_default_to_the_midpoints():
    """As in `Intervals.from_bounds`."""
    scaler = uc.ConformalScaler(0.5).fit(uc.Intervals.from_bands([1.0, 2, 3], np.zeros(3), 1.0))
    lower, upper = scaler.transform(lower=[-1.0, 4.0], upper=[1.0, 10.0])
    assert lower.tolist() == [-2, 1]
    assert upper.tolist() == [2, 13]


def test_transformed_intervals_keep_everything_but_their_bands():
    """Weights, the library of frames, labels of rows that were dropped; they claim the coverage."""
    frame = pl.DataFrame({"y": [0.0, None, 9.0], "p": [0.0] * 3, "s": [1.0, 2.0, 3.0], "w": [1.0, 1.0, 2.0]})
    with pytest.warns(uc.exceptions.DroppedRowsWarning):
        rows = uc.Intervals.from_frame(
            frame, y_true="y", y_pred="p", std="s", sample_weight="w", invalid="drop"
        )
    calibration = uc.Intervals.from_bands([1.0, 2, 3], np.zeros(3), 1.0)
    moved = uc.ConformalScaler(0.5).fit(calibration).transform(rows)
    assert moved.upper_band.tolist() == [2, 6]
    assert moved.symmetric
    assert moved.sample_weight.tolist() == [1, 2]
    assert moved.nominal == 0.5
    assert isinstance(moved.ucc().to_frame(), pl.DataFrame)
    by = uc.ConformalScaler(0.5).fit(calibration, by=list("aaa")).transform(rows, by=list("aza"))
    assert by.upper_band.tolist() == [2, 6]


def test_groups_are_calibrated_on_their_own():
    """One parameter a label, applied by label, in any order and number."""
    y = np.array([1.0, 2, 3, 10, 20, 30])
    intervals = uc.Intervals.from_bands(y, np.zeros(6), 1.0)
    scaler = uc.ConformalScaler(0.5).fit(intervals, by=list("aaabbb"))
    assert scaler.parameters_ == {"a": 2.0, "b": 20.0}
    lower, upper = scaler.transform(y_pred=[0, 5], lower=[-1, 4], upper=[2, 6], by=["b", "a"])
    assert lower.tolist() == [-20, 3]
    assert upper.tolist() == [40, 7]
    assert scaler.transform(intervals, by=list("aaabbb")).upper.tolist() == [2] * 3 + [20] * 3


def test_fitting_again_forgets_the_old_fit():
    """With groups, then without."""
    intervals = uc.Intervals.from_bands([1.0, 2, 3], np.zeros(3), 1.0)
    scaler = uc.ConformalScaler(0.5).fit(intervals, by=list("aab")).fit(intervals)
    assert scaler.parameter_ == 2
    with pytest.raises(uc.exceptions.NotFittedError):
        _ = scaler.parameters_


def test_calibrated_groups_of_one_output_keep_their_shape():
    """(n, 1) is one output; more are refused, since none were fitted."""
    scaler = uc.ConformalScaler(0.5).fit(
        uc.Intervals.from_bands([1.0, 2, 30, 40], [0.0] * 4, 1.0), by=[1, 1, 2, 2]
    )
    lower, upper = scaler.transform(lower=[[-1.0], [-1.0]], upper=[[1.0], [1.0]], by=[2, 1])
    assert lower.tolist() == [[-40], [-2]]
    assert upper.shape == (2, 1)
    with raises(uc.exceptions.ShapeError, "lower"):
        scaler.transform(lower=np.zeros((2, 2)), upper=np.ones((2, 2)), by=[1, 2])
    column = uc.Intervals.from_bands([[1.0], [1.0]], [[0.0], [0.0]], 1.0)
    assert scaler.transform(column, by=[2, 1]).upper.tolist() == [[40], [2]]


def test_coverage_and_miss_rate_say_the_same():
    """Either of them; the default is 0.9, and the fit tells which it was."""
    rows = uc.Intervals.from_bands(np.arange(1.0, 100), np.zeros(99), 1.0)
    for options in (
        {"coverage": 0.55},
        {"miss_rate": 0.45},
        {"coverage": np.float64(0.55)},
    ):
        scaler = uc.ConformalScaler(**options).fit(rows)
        assert scaler.parameter_ == 55
        assert scaler.transform(rows).nominal == scaler.coverage_ == 0.55
    default = uc.ConformalScaler().fit(rows)
    assert (default.parameter_, default.coverage_) == (90, 0.9)
    assert default.get_params() == {"coverage": None, "miss_rate": None, "vary": "scale", "unseen": "raise"}


def test_a_scaler_is_an_estimator():
    """Arguments stay as they are until `fit`, so that clones and searches work."""
    base = pytest.importorskip("sklearn.base")
    wrong = uc.ConformalScaler(90, miss_rate="x", vary="stretch")
    assert wrong.get_params() == {"coverage": 90, "miss_rate": "x", "vary": "stretch", "unseen": "raise"}
    rows = uc.Intervals.from_bands([1.0, 2, 3], np.zeros(3), 1.0)
    scaler = uc.ConformalScaler(0.5, vary="shift").fit(rows)
    again = base.clone(scaler)
    assert again.get_params() == scaler.get_params()
    assert not hasattr(again, "parameter_")
    assert not hasattr(again, "parameters_")
    assert hasattr(scaler, "parameter_")
    assert not hasattr(scaler, "parameters_")
    assert again.set_params(coverage=0.25, vary="scale") is again
    assert again.fit(rows).parameter_ == 1
    assert wrong.set_params(**again.get_params()).fit(rows).parameter_ == 1


def test_new_arguments_take_effect_with_the_next_fit():
    """A shift is never used as a scale."""
    rows = uc.Intervals.from_bands([1.0, 2, 5], np.zeros(3), 1.0)
    scaler = uc.ConformalScaler(0.75, vary="shift").fit(rows).set_params(vary="scale", coverage=0.5)
    assert scaler.transform(lower=[-2.0], upper=[2.0])[1].tolist() == [6]
    assert scaler.transform(rows).nominal == 0.75
    assert scaler.fit(rows).transform(lower=[-2.0], upper=[2.0])[1].tolist() == [4]


@pytest.mark.parametrize("through", [copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))])  # noqa: S301
def test_a_fitted_scaler_travels(through):
    """To other processes, with what it learned."""
    rows = uc.Intervals.from_bands([1.0, 2, 3], np.zeros(3), 1.0)
    assert through(uc.ConformalScaler(0.5).fit(rows)).parameter_ == 2
    pooled = through(uc.ConformalScaler(0.5, unseen="pooled").fit(rows, by=list("aab")))
    assert (pooled.parameter_, pooled.parameters_) == (2, {"a": 2, "b": 3})


def test_nothing_is_in_the_way_of_a_base_class_of_scikit_learn():
    """The constructor stores its arguments and nothing else."""
    base, validation = pytest.importorskip("sklearn.base"), pytest.importorskip("sklearn.utils.validation")

    class Estimator(uc.ConformalScaler, base.BaseEstimator):
        pass

    scaler = Estimator(0.5, vary="shift", unseen="pooled")
    assert vars(scaler) == scaler.get_params() == base.BaseEstimator.get_params(scaler)
    with pytest.raises(ValueError, match="not fitted yet"):
        validation.check_is_fitted(scaler)
    validation.check_is_fitted(scaler.fit(uc.Intervals.from_bands([1.0, 2, 3], np.zeros(3), 1.0)))


def test_the_representation_shows_what_was_given_and_found():
    """Nothing that is a default; of many labels only the first."""
    assert repr(uc.ConformalScaler()) == "ConformalScaler()"
    assert repr(uc.ConformalScaler(0.8, vary="shift")) == "ConformalScaler(coverage=0.8, vary='shift')"
    assert repr(uc.ConformalScaler(miss_rate=0.2)) == "ConformalScaler(miss_rate=0.2)"
    assert repr(uc.ConformalScaler(np.array([0.8, 0.9]))) == "ConformalScaler(coverage=array([0.8, 0.9]))"
    rows = uc.Intervals.from_bands(np.arange(1.0, 13), np.zeros(12), 1.0)
    assert repr(uc.ConformalScaler(0.8).fit(rows)) == "ConformalScaler(coverage=0.8, parameter_=11)"
    two = uc.ConformalScaler(0.5, unseen="pooled").fit(rows, by=["a", "b"] * 6)
    assert repr(two) == (
        "ConformalScaler(coverage=0.5, unseen='pooled', parameter_=7, parameters_={'a': 7, 'b': 8})"
    )
    many = uc.ConformalScaler(0.5).fit(rows, by=np.arange(12))
    assert repr(many) == "ConformalScaler(coverage=0.5, parameters_={0: 1, 1: 2, 2: 3, 3: 4, 4: 5, 5: 6, …})"
