"""Constructors, views and groups of intervals."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings

import uccurve as uc
from errors import raises
from strategies import cases
from uccurve import exceptions as ex

Y, P, LOWER, UPPER = [1.0, 2.0, 6.0], [1.5, 2.0, 3.0], [1.0, 1.0, 2.0], [2.0, 4.0, 7.0]


def same(a, b):
    """Two sets of intervals hold the same rows."""
    for name in ("y_true", "y_pred", "lower_band", "upper_band"):
        np.testing.assert_allclose(getattr(a, name), getattr(b, name), rtol=1e-15)
    assert (a.sample_weight is None) == (b.sample_weight is None)
    if a.sample_weight is not None:
        np.testing.assert_array_equal(a.sample_weight, b.sample_weight)


def test_bounds_and_bands_are_two_ways_to_say_the_same():
    """Bounds become distances from the prediction, and are given back as they came."""
    a = uc.Intervals.from_bounds(Y, LOWER, UPPER, y_pred=P)
    b = uc.Intervals.from_bands(Y, P, [0.5, 1, 1], [0.5, 2, 4])
    same(a, b)
    assert (a.n, a.n_outputs, a.symmetric) == (3, 1, False)
    np.testing.assert_array_equal(a.residual, [-0.5, 0, 3])
    np.testing.assert_array_equal(b.lower, LOWER)
    assert uc.Intervals.from_bounds([0.2], [0.1], [0.9], y_pred=[0.8]).lower[0] == 0.1 != 0.8 - (0.8 - 0.1)


def test_without_a_prediction_the_midpoint_serves():
    """And makes the intervals symmetric."""
    a = uc.Intervals.from_bounds(Y, LOWER, UPPER)
    np.testing.assert_array_equal(a.y_pred, [1.5, 2.5, 4.5])
    np.testing.assert_array_equal(a.lower_band, [0.5, 1.5, 2.5])
    assert a.symmetric


def test_one_band_is_symmetric_and_a_number_is_constant():
    """A standard deviation is a band; a single number is everybody's band."""
    same(uc.Intervals.from_std(Y, P, [1, 2, 3]), uc.Intervals.from_bands(Y, P, [1, 2, 3], [1, 2, 3]))
    same(uc.Intervals.from_bands(Y, P, 2), uc.Intervals.from_bands(Y, P, [2, 2, 2]))
    assert uc.Intervals.from_std(Y, P, [1, 2, 3]).symmetric


def test_a_band_named_for_one_side_is_a_limit_on_that_side():
    """One band by position is symmetric, two are asymmetric; one named by its side is a limit there."""
    low, high = [1.0, 2.0, 3.0], [2.0, 2.0, 4.0]
    both = uc.Intervals.from_bands(Y, P, low, high)
    same(both, uc.Intervals.from_bands(Y, P, lower_band=low, upper_band=high))
    same(uc.Intervals.from_bands(Y, P, band=low), uc.Intervals.from_bands(Y, P, low, low))
    sides = ({"lower_band": low}, {"upper_band": high})
    lower, upper = (uc.Intervals.from_bands(Y, P, **side) for side in sides)
    assert [both.side, lower.side, upper.side] == ["both", "lower", "upper"]
    assert (lower.lower.tolist(), lower.upper.tolist()) == ([0.5, 0.0, 0.0], [np.inf] * 3)
    assert (upper.lower.tolist(), upper.upper.tolist()) == ([-np.inf] * 3, [3.5, 4.0, 7.0])
    assert uc.Intervals.from_bands(Y, P, lower_band=2).lower_band.tolist() == [2, 2, 2]


@pytest.mark.parametrize("bands", [{"band": 1, "lower_band": 1}, {}])
def test_bands_that_do_not_say_which_sides_they_bound_are_one_error(bands):
    """`band` is the lower one, so that there is no place for another; without any there is no interval."""
    with raises(ex.ArgumentError, "band"):
        uc.Intervals.from_bands(Y, P, **bands)


def test_a_bad_band_is_named_as_it_was_passed():
    """As `band`, or by its side."""
    for argument in ("band", "lower_band", "upper_band"):
        with raises(ex.NegativeBandError, argument, count=2, first=1):
            uc.Intervals.from_bands(Y, P, **{argument: [1, -1, -2]})


def test_quantiles_give_the_outermost_pair_and_the_median():
    """Levels may come in any order; without a median the midpoint is the prediction."""
    table = np.array([[2.0, 1.0, 4.0, 3.0], [3.0, 2.0, 9.0, 4.0], [1.0, 0.0, 2.0, 1.5]])
    a = uc.Intervals.from_quantiles([1, 2, 3], table, [0.5, 0.1, 0.9, 0.75])
    same(a, uc.Intervals.from_bounds([1, 2, 3], table[:, 1], table[:, 2], y_pred=table[:, 0]))
    b = uc.Intervals.from_quantiles([1, 2, 3], table[:, 1:3], [0.1, 0.9])
    same(b, uc.Intervals.from_bounds([1, 2, 3], table[:, 1], table[:, 2]))


def test_samples_give_mean_and_deviation():
    """Around the mean, or another prediction."""
    rng = np.random.default_rng(0)
    y, draws = rng.normal(size=20), rng.normal(size=(7, 20))
    same(uc.Intervals.from_samples(y, draws), uc.Intervals.from_std(y, draws.mean(axis=0), draws.std(axis=0)))
    same(uc.Intervals.from_samples(y, draws, y_pred=y), uc.Intervals.from_std(y, y, draws.std(axis=0)))
    assert uc.Intervals.from_samples([1, 1], np.full((7, 2), 0.1)).lower_band.tolist() == [0, 0]


FRAMES = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "pyarrow": pa.table,
    "nullable": lambda data: pd.DataFrame(data).convert_dtypes(),
}
COLUMNS = {"y": Y, "yhat": P, "lo": LOWER, "hi": UPPER, "sd": [1, 2, 3], "w": [1, 3, 2]}


@pytest.mark.parametrize("kind", FRAMES)
def test_frames_of_any_library(kind):
    """Columns are named, and the curve's own frame comes back in the same library."""
    frame = FRAMES[kind](COLUMNS)
    a = uc.Intervals.from_frame(frame, y_true="y", y_pred="yhat", lower="lo", upper="hi", sample_weight="w")
    same(a, uc.Intervals.from_bounds(Y, LOWER, UPPER, y_pred=P, sample_weight=[1, 3, 2]))
    b = uc.Intervals.from_frame(frame, y_true="y", y_pred="yhat", std="sd")
    same(b, uc.Intervals.from_std(Y, P, [1, 2, 3]))
    d = uc.Intervals.from_frame(frame, y_true=["y", "y"], y_pred=["yhat", "y"], std=["sd", "sd"])
    assert d.n_outputs == 2
    native = type(frame)
    assert type(a.ucc().to_frame()) is native
    assert type(a.by([1, 2, 1])[1].scaled(2).ucc().to_frame()) is native


@pytest.mark.parametrize("make", [pd.Series, pl.Series, pa.array, list, tuple, np.array])
def test_columns_are_accepted_wherever_arrays_are(make):
    """Also as sample weights and labels, also mixed with lists."""
    a = uc.Intervals.from_bounds(make(Y), make(LOWER), UPPER, y_pred=P, sample_weight=make([1.0, 3.0, 2.0]))
    same(a, uc.Intervals.from_bounds(Y, LOWER, UPPER, y_pred=P, sample_weight=[1, 3, 2]))
    assert list(a.by(make(["b", "a", "b"]))) == ["a", "b"]


def test_dropping_drops_rows_with_all_their_outputs_and_weights():
    """A row is a row."""
    y = np.array([[1.0, 2.0], [np.inf, 1.0], [3.0, 3.0]])
    with pytest.warns(ex.DroppedRowsWarning):
        a = uc.Intervals.from_bands(y, np.zeros((3, 2)), 1.0, sample_weight=[1, 2, 3], invalid="drop")
    assert a.n == 2
    np.testing.assert_array_equal(a.sample_weight, [1, 3])


def test_masked_and_missing_values_are_not_numbers():
    """A mask is not ignored and None is not zero."""
    masked = np.ma.array([1.0, 2.0], mask=[False, True])
    for column in (masked, [1.0, None], pd.Series([1, None], dtype="Int64"), pl.Series([1, None])):
        with raises(uc.exceptions.NonFiniteError, "y_true", count=1, first=1):
            uc.Intervals.from_bands(column, [1, 1], 1)


def test_views_of_the_same_rows():
    """constant, scaled, shifted, floored: bands change, nothing else."""
    a = uc.Intervals.from_bands(Y, P, [0.0, 1.0, 2.0], [1.0, 3.0, 2.0], sample_weight=[1, 1, 2])
    assert a.constant().lower_band.tolist() == [1.625] * 3
    assert a.scaled(2).upper_band.tolist() == [2, 6, 4]
    assert a.shifted(-1).lower_band.tolist() == [0, 0, 1]
    assert a.floored(1.5).upper_band.tolist() == [1.5, 3, 2]
    assert a.scaled(2).sample_weight is a.sample_weight


@pytest.mark.parametrize(("weighted", "outputs"), [(False, 1), (True, 3)])
def test_standardized_observations_have_mean_0_and_variance_1(weighted, outputs):
    """Each output in its own unit; gains and scales stay as they are."""
    rng = np.random.default_rng(0)
    y = rng.normal(5, 10, size=(50, outputs)) * np.array([1, 1e-90, 1e90])[:outputs]
    if outputs == 1:
        y = y[:, 0]
    weight = rng.exponential(size=50) if weighted else None
    a = uc.Intervals.from_bands(y, y * 0.9, np.abs(y) * rng.uniform(1, 2, size=y.shape), sample_weight=weight)
    b = a.standardized()
    np.testing.assert_allclose(np.average(b.y_true, axis=0, weights=weight), 0, atol=1e-12)
    np.testing.assert_allclose(np.average(b.y_true**2, axis=0, weights=weight), 1, rtol=1e-12)
    for one, other in zip(a.outputs(), b.outputs(), strict=True):
        assert other.ucc().gain() == pytest.approx(one.ucc().gain(), rel=1e-9)
        assert other.ucc().at(miss_rate=0.2).parameter == pytest.approx(one.ucc().at(miss_rate=0.2).parameter)
    with raises(ex.ArgumentError, "y_true"):  # no unit, however the mean is rounded
        uc.Intervals.from_bands([0.1] * 7, [0] * 7, 1).standardized()


@pytest.mark.parametrize(("axis", "levels"), [(2, None), (-2, (0.15, 0.85))])
def test_draws_along_any_axis_are_the_same_draws(axis, levels):
    """Rows, outputs and draws in any order, given by the axis of the draws."""
    rng = np.random.default_rng(0)
    y, draws = rng.normal(size=(6, 3)), rng.normal(size=(7, 6, 3))
    wanted = uc.Intervals.from_samples(y, draws, levels=levels)
    same(uc.Intervals.from_samples(y, np.moveaxis(draws, 0, axis), axis=axis, levels=levels), wanted)


@pytest.mark.parametrize(
    "rounded",
    [lambda v: np.round(v, 4), lambda v: v.astype(np.float32).astype(float)],
    ids=["4 decimals", "float32"],
)
def test_almost_symmetric_bands_are_described_as_symmetric(rounded):
    """Rounded bounds must not jump to the ceiling of bands that may differ; sketches say the same."""
    rng = np.random.default_rng(0)
    pred, band = 10 * rng.normal(size=500), rng.exponential(size=500) + 0.5
    y = pred + band * rng.normal(size=500)
    rows = uc.Intervals.from_bounds(y, rounded(pred - band), rounded(pred + band), y_pred=pred)
    wide = uc.Intervals.from_bands(y, pred, band, 1.1 * band)
    for curve, other in ((rows.ucc(), wide.ucc()), (rows.sketch().curve(), wide.sketch().curve())):
        assert curve.symmetric
        assert not other.symmetric


def test_coverage_and_bandwidth_as_supplied_pool_outputs_and_know_limits():
    """By hand."""
    bands = [[1, 2], [3, 0]]
    two = uc.Intervals.from_bands([[1, 1], [5, 1]], np.zeros((2, 2)), bands, sample_weight=[3, 1])
    assert (two.coverage, two.bandwidth) == (3 / 4, (3 * 3 + 3) / 8)
    limit = uc.Intervals.from_bounds(Y, upper=UPPER, y_pred=P)
    assert (limit.coverage, limit.bandwidth) == (1, pytest.approx(6.5 / 3, rel=1e-15))


@given(cases())
@settings(max_examples=100)
def test_what_is_supplied_is_the_original_point_of_the_curve(case):
    """For any rows, bands of zero and ties among them; a bound that touches is a hit."""
    rows = case.intervals()
    original = rows.ucc().original
    assert (rows.coverage, rows.bandwidth) == (original.coverage, original.bandwidth)
    inside = (rows.residual <= rows.upper_band) & (-rows.residual <= rows.lower_band)
    assert rows.coverage == pytest.approx(np.average(inside, weights=case.weight), abs=1e-12)
