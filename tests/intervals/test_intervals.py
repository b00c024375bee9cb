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
    assert a.n == 3
    assert a.n_outputs == 1
    assert not a.symmetric
    np.testing.assert_array_equal(a.residual, [-0.5, 0, 3])
    np.testing.assert_array_equal(b.lower, LOWER)
    np.testing.assert_array_equal(a.upper, UPPER)


def test_given_bounds_are_kept_to_the_bit():
    """0.3 - (0.3 - 0.1) is not 0.1; the bounds a user gives are not rebuilt from bands."""
    a = uc.Intervals.from_bounds([0.2], [0.1], [0.7], y_pred=[0.3])
    assert a.lower[0] == 0.1
    assert a.upper[0] == 0.7


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
    lower, upper = (
        uc.Intervals.from_bands(Y, P, lower_band=low),
        uc.Intervals.from_bands(Y, P, upper_band=high),
    )
    assert [both.side, lower.side, upper.side] == ["both", "lower", "upper"]
    assert lower.lower.tolist() == [0.5, 0.0, 0.0]
    assert upper.upper.tolist() == [3.5, 4.0, 7.0]
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
    c = uc.Intervals.from_quantiles([1, 2, 3], table, [0.5, 0.1, 0.9, 0.75], y_pred=[1, 3, 1])
    same(c, uc.Intervals.from_bounds([1, 2, 3], table[:, 1], table[:, 2], y_pred=[1, 3, 1]))


def test_samples_give_mean_and_deviation_or_quantiles():
    """The quantiles are those that NumPy calls Weibull's: the j-th of m draws has the level j / (m + 1)."""
    rng = np.random.default_rng(0)
    y, draws = rng.normal(size=20), rng.normal(size=(7, 20))
    same(uc.Intervals.from_samples(y, draws), uc.Intervals.from_std(y, draws.mean(axis=0), draws.std(axis=0)))
    low, high = np.quantile(draws, [0.15, 0.8], axis=0, method="weibull")
    a = uc.Intervals.from_samples(y, draws, levels=(0.8, 0.15), y_pred=np.median(draws, axis=0))
    np.testing.assert_allclose(a.lower, low, rtol=1e-14)
    np.testing.assert_allclose(a.upper, high, rtol=1e-14)
    two = uc.Intervals.from_samples(draws[:2].T, rng.normal(size=(5, 20, 2)))
    assert two.n_outputs == 2


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
    c = uc.Intervals.from_frame(frame, y_true="y", lower="lo", upper="hi")
    same(c, uc.Intervals.from_bounds(Y, LOWER, UPPER))
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


def test_the_library_of_a_frame_can_be_chosen():
    """Five columns, one row an operating point."""
    curve = uc.Intervals.from_bands([1, 2], [0, 0], [1, 1]).ucc()
    frame = curve.to_frame("polars")
    assert isinstance(frame, pl.DataFrame)
    assert frame.columns == ["parameter", "miss_rate", "bandwidth", "excess", "deficit"]
    assert frame.rows() == [(0.0, 1.0, 0.0, 0.0, 1.5), (1.0, 0.5, 1.0, 0.0, 0.5), (2.0, 0.0, 2.0, 0.5, 0.0)]
    assert isinstance(curve.to_frame("pandas"), pd.DataFrame)


def test_integers_and_small_floats_are_used_in_double_precision():
    """Sums over millions of rows need it."""
    a = uc.Intervals.from_bands(
        np.array([1, 2]), np.array([0, 0], dtype=np.float32), np.array([1, 2], dtype=np.uint8)
    )
    assert {c.dtype for c in (a.y_true, a.y_pred, a.lower_band)} == {np.dtype(np.float64)}


def test_dropping_drops_rows_with_all_their_outputs_and_weights():
    """A row is a row."""
    y = np.array([[1.0, 2.0], [np.inf, 1.0], [3.0, 3.0]])
    with pytest.warns(uc.exceptions.DroppedRowsWarning):
        a = uc.Intervals.from_bands(
            y, np.zeros((3, 2)), np.ones((3, 2)), sample_weight=[1, 2, 3], invalid="drop"
        )
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
    np.testing.assert_array_equal(a.constant().lower_band, [1.625] * 3)
    assert a.constant().symmetric
    np.testing.assert_array_equal(a.scaled(2).upper_band, [2, 6, 4])
    np.testing.assert_array_equal(a.shifted(-1).lower_band, [0, 0, 1])
    np.testing.assert_array_equal(a.floored(1.5).upper_band, [1.5, 3, 2])
    assert a.scaled(2).sample_weight is a.sample_weight


@pytest.mark.parametrize(("weighted", "outputs"), [(False, 1), (True, 3)])
def test_standardized_observations_have_mean_0_and_variance_1(weighted, outputs):
    """Each output in its own unit; gains and scales stay as they are."""
    rng = np.random.default_rng(0)
    y = rng.normal(5, 10, size=(50, outputs)) * np.array([1, 1e-90, 1e90])[:outputs]
    if outputs == 1:
        y = y[:, 0]
    weight = rng.exponential(size=50) if weighted else None
    a = uc.Intervals.from_bands(
        y, y * 0.9, np.abs(y) * rng.uniform(size=y.shape) + np.abs(y), sample_weight=weight
    )
    b = a.standardized()
    np.testing.assert_allclose(np.average(b.y_true, axis=0, weights=weight), 0, atol=1e-12)
    np.testing.assert_allclose(np.average(b.y_true**2, axis=0, weights=weight), 1, rtol=1e-12)
    for one, other in zip(a.outputs(), b.outputs(), strict=True):
        assert other.ucc().gain() == pytest.approx(one.ucc().gain(), rel=1e-9)
        assert other.ucc().at(miss_rate=0.2).parameter == pytest.approx(one.ucc().at(miss_rate=0.2).parameter)


def test_groups_are_sorted_and_complete():
    """Each row in its group, weights and outputs with it."""
    a = uc.Intervals.from_bounds(
        np.arange(6.0), np.arange(6.0) - 1, np.arange(6.0) + 2, sample_weight=np.arange(6)
    )
    groups = a.by(["b", "a", "b", "c", "a", "b"])
    assert list(groups) == ["a", "b", "c"]
    np.testing.assert_array_equal(groups["b"].y_true, [0, 2, 5])
    np.testing.assert_array_equal(groups["b"].sample_weight, [0, 2, 5])
    np.testing.assert_array_equal(groups["a"].lower, [0, 3])
    assert list(a.by(np.array([3, 1, 3, 2, 1, 2]))) == [1, 2, 3]
    days = a.by(np.array(["2024-01-02", "2024-01-01"] * 3, dtype="datetime64[D]"))
    assert len(days) == 2


def test_representations_say_what_is_inside():
    """Short and without surprises."""
    a = uc.Intervals.from_bands(
        np.ones((4, 2)), np.zeros((4, 2)), 0.5, 1.5 * np.ones((4, 2)), sample_weight=[1, 2, 3, 4]
    )
    assert repr(a) == "Intervals(n=4, outputs=2, bandwidth=1, asymmetric, weighted)"
    assert repr(a.ucc(vary="shift")) == f"UCC({a!r}, vary='shift')"


@pytest.mark.parametrize("value", [0.1, 1e-90])
def test_constant_observations_have_no_unit(value):
    """However their mean is rounded."""
    with raises(uc.exceptions.ArgumentError, "y_true"):
        uc.Intervals.from_bands([value] * 7, [0] * 7, 1).standardized()


def test_draws_that_are_all_alike():
    """No spread: a band of exactly zero, and quantiles that do not cross."""
    assert uc.Intervals.from_samples([1, 1], np.full((7, 2), 0.1)).lower_band.tolist() == [0, 0]
    for draws, levels in ((19, (0.05, 0.95)), (3, (0.25, 0.75))):
        assert uc.Intervals.from_samples([1, 1], np.full((draws, 2), 0.1), levels=levels).lower.tolist() == [
            0.1,
            0.1,
        ]


def test_levels_that_are_close_are_not_the_same():
    """Columns are told apart by the level itself, not by how it prints."""
    a = uc.Intervals.from_quantiles([1.0], [[0.0, 1.0, 5.0]], [0.4999999, 0.5, 0.5000001])
    assert (a.lower[0], a.y_pred[0], a.upper[0]) == (0, 1, 5)


@pytest.mark.parametrize(("axis", "levels"), [(0, None), (1, (0.15, 0.85)), (2, None), (-1, (0.15, 0.85))])
def test_draws_along_any_axis_are_the_same_draws(axis, levels):
    """Rows, outputs and draws in any order, given by the axis of the draws."""
    rng = np.random.default_rng(0)
    y, draws = rng.normal(size=(6, 3)), rng.normal(size=(7, 6, 3))
    wanted = uc.Intervals.from_samples(y, draws, levels=levels)
    same(uc.Intervals.from_samples(y, np.moveaxis(draws, 0, axis), axis=axis, levels=levels), wanted)


def test_draws_of_a_square_table_are_along_its_first_axis():
    """Both readings are possible, and differ: another axis must be passed."""
    y, draws = np.arange(3.0), np.arange(9.0).reshape(3, 3)
    same(uc.Intervals.from_samples(y, draws, axis=1), uc.Intervals.from_samples(y, draws.T.copy(), axis=0))
    assert uc.Intervals.from_samples(y, draws, axis=1).y_pred.tolist() == [1, 4, 7]
    assert uc.Intervals.from_samples(y, draws).y_pred.tolist() == [3, 4, 5]


@pytest.mark.parametrize(
    "rounded",
    [lambda v: np.round(v, 12), lambda v: np.round(v, 4), lambda v: v.astype(np.float32).astype(float)],
    ids=["12 decimals", "4 decimals", "float32"],
)
def test_almost_symmetric_bands_are_described_as_symmetric(rounded):
    """Rounded bounds must not jump to the ceiling of bands that may differ; sketches say the same."""
    rng = np.random.default_rng(0)
    pred, band = 10 * rng.normal(size=500), rng.exponential(size=500) + 0.5
    y = pred + band * rng.normal(size=500)
    rows = uc.Intervals.from_bounds(y, rounded(pred - band), rounded(pred + band), y_pred=pred)
    assert rows.symmetric
    assert rows.ucc().symmetric
    assert rows.sketch().curve().symmetric
    exact = uc.Intervals.from_bands(y, pred, band)
    (score, _) = uc.compare({"rounded": rows}, n_resamples=9, rng=0).scores
    assert score.ceiling == pytest.approx(exact.ucc().ceiling(), rel=1e-6)
    wide = uc.Intervals.from_bands(y, pred, band, 1.1 * band)
    assert not wide.symmetric
    assert not wide.sketch().curve().symmetric


SUPPLIED = {
    "bounds": (uc.Intervals.from_bounds(Y, LOWER, UPPER, y_pred=P), 1.0, 1.5),
    "outputs": (
        uc.Intervals.from_bands([[1, 1], [5, 1]], np.zeros((2, 2)), [[1, 2], [3, 0]], sample_weight=[3, 1]),
        3 / 4,
        (3 * 3 + 3) / 8,
    ),
    "upper limit": (uc.Intervals.from_bounds(Y, upper=UPPER, y_pred=P), 1.0, 6.5 / 3),
}


@pytest.mark.parametrize("name", SUPPLIED)
def test_coverage_and_bandwidth_as_supplied(name):
    """Weighted, with all outputs pooled; the metrics say the same."""
    rows, coverage, bandwidth = SUPPLIED[name]
    assert (rows.coverage, rows.bandwidth) == pytest.approx((coverage, bandwidth), rel=1e-15)
    given = {"sample_weight": rows.sample_weight}
    assert rows.coverage == pytest.approx(uc.coverage(rows.y_true, rows.lower, rows.upper, **given))
    assert rows.bandwidth == pytest.approx(uc.bandwidth(rows.lower, rows.upper, y_pred=rows.y_pred, **given))


@given(cases())
@settings(max_examples=100)
def test_what_is_supplied_is_the_original_point_of_the_curve(case):
    """For any rows, bands of zero and ties among them; a bound that touches is a hit."""
    rows = uc.Intervals.from_bands(
        case.y, case.p, case.lower_band, case.upper_band, sample_weight=case.weight
    )
    original = rows.ucc().original
    assert (rows.coverage, rows.bandwidth) == (original.coverage, original.bandwidth)
    inside = (rows.residual <= rows.upper_band) & (-rows.residual <= rows.lower_band)
    assert rows.coverage == pytest.approx(np.average(inside, weights=case.weight), abs=1e-12)
