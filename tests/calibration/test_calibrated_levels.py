"""Conformal calibration of quantiles: ranks, coverage of new rows, labels, laws, and errors."""

from __future__ import annotations

import math
import warnings
from fractions import Fraction as F
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import uccurve as uc
from errors import check_error, raises
from level_oracle import LevelOracle, Row
from uccurve.exceptions import ArgumentError, NotFittedError, ShapeError

LEVELS = (0.05, 0.15, 0.25, 0.5, 0.75, 0.85, 0.95)


def skewed(n, seed, *, narrow=1.0):
    """Log-normal rows with their own scale, and quantiles that are right up to a factor of the spread."""
    rng = np.random.default_rng(seed)
    center, spread = rng.normal(size=n), rng.uniform(0.3, 1.0, size=n)
    z = np.array([NormalDist().inv_cdf(level) for level in LEVELS])
    table = np.exp(center[:, None] + narrow * spread[:, None] * z)
    return np.exp(center + spread * rng.normal(size=n)), table


def rows(n=400, seed=0, **options):
    return uc.Intervals.from_quantiles(*skewed(n, seed, **options), LEVELS)


@settings(max_examples=100)
@given(
    st.lists(st.tuples(st.integers(-9, 9), *[st.integers(1, 3)] * 4), min_size=1, max_size=12),
    st.sampled_from(["0.1", "0.25", "0.5", "0.8"]),
)
@pytest.mark.filterwarnings("ignore::uccurve.exceptions.InfiniteParameterWarning")
def test_the_parameter_is_the_critical_value_of_its_rank(drawn, coverage):
    """In exact fractions: rank ⌈(n + 1) c⌉ of the critical values, infinite where it exceeds n."""
    table = [[-a - b, -a, 0, c, c + d] for _, a, b, c, d in drawn]
    exact = tuple(Row(F(y), F(0), (F(a), F(a + b)), (F(c), F(c + d)), F(1)) for y, a, b, c, d in drawn)
    claims = (F(1, 2), F(4, 5))
    critical = sorted(LevelOracle(exact, claims).critical(row) for row in exact)
    rank = math.ceil((len(drawn) + 1) * F(coverage))
    given_rows = uc.Intervals.from_quantiles([row[0] for row in drawn], table, (0.1, 0.25, 0.5, 0.75, 0.9))
    scaler = uc.ConformalScaler(float(coverage), vary="level").fit(given_rows)
    if rank > len(drawn):
        assert math.isinf(scaler.parameter_)
        assert scaler.nominal_ is None
        return
    wanted = critical[rank - 1]
    assert scaler.parameter_ == pytest.approx(float(wanted), rel=1e-12)
    nominal = float(wanted * claims[-1]) if wanted <= 1 else None
    assert scaler.nominal_ == (nominal and pytest.approx(nominal, rel=1e-12))


@pytest.mark.parametrize(("coverage", "narrow"), [(0.5, 0.7), (0.9, 0.6)])
def test_new_rows_are_captured_at_the_promised_rate(coverage, narrow):
    """On rows that were not used, over many fits: below the outermost pair and beyond it."""
    captured = []
    for seed in range(40):
        scaler = uc.ConformalScaler(coverage, vary="level").fit(rows(200, seed, narrow=narrow))
        moved = scaler.transform(rows(1000, 1000 + seed, narrow=narrow))
        captured.append(moved.ucc().original.coverage)
        assert moved.nominal == coverage
    # 40 fits of 200 rows: the standard error of the mean is below 0.006.
    assert coverage - 0.02 < np.mean(captured) < coverage + 1 / 201 + 0.02


def test_a_nominal_coverage_is_shown():
    """Quantiles that are too narrow: to have 70%, take the interval of a higher claim."""
    calibration = rows(999, narrow=0.7)
    scaler = uc.ConformalScaler(0.7, vary="level").fit(calibration)
    assert 0.75 < scaler.nominal_ < 0.9
    assert scaler.nominal_ == scaler.parameter_ * 0.9
    assert repr(scaler) == (
        f"ConformalScaler(coverage=0.7, vary='level', parameter_={scaler.parameter_:.4g}, "
        f"nominal_={scaler.nominal_:.4g})"
    )
    point = calibration.ucc(vary="level").at(parameter=scaler.parameter_)
    assert (point.nominal, point.coverage) == (scaler.nominal_, pytest.approx(700 / 999))
    assert uc.ConformalScaler(0.7).fit(calibration).nominal_ is None


def test_bounds_of_new_rows_are_those_of_intervals():
    """Quantiles of rows without observations, in any order of levels."""
    y, table = skewed(60, 5)
    for coverage in (0.3, 0.6, 0.97):
        scaler = uc.ConformalScaler(coverage, vary="level").fit(rows(200))
        moved = scaler.transform(uc.Intervals.from_quantiles(y, table, LEVELS, y_pred=table[:, 4]))
        lower, upper = scaler.transform(quantiles=table[:, ::-1], levels=LEVELS[::-1])
        assert np.array_equal(moved.lower, lower)
        assert np.array_equal(moved.upper, upper)
        assert np.array_equal(moved.y_pred, table[:, 3])
        if scaler.parameter_ > 1:
            assert np.allclose(lower, table[:, 3] - scaler.parameter_ * (table[:, 3] - table[:, 0]))
        else:
            ends = np.array([np.interp(scaler.nominal_, (0, 0.5, 0.7, 0.9), row[:4][::-1]) for row in table])
            assert np.allclose(lower, ends)


def test_each_label_has_its_own_level():
    """As if fitted alone, also on rows in another order."""
    calibration, new = rows(300), rows(90, 7)
    labels, new_labels = np.arange(300) % 2, np.arange(90) % 2
    scaler = uc.ConformalScaler(0.8, vary="level", unseen="pooled").fit(calibration, by=labels)
    moved = scaler.transform(new, by=new_labels)
    for label, part in calibration.by(labels).items():
        alone = uc.ConformalScaler(0.8, vary="level").fit(part)
        assert (scaler.parameters_[label], scaler.nominals_[label]) == (alone.parameter_, alone.nominal_)
        wanted = alone.transform(new[new_labels == label])
        assert np.array_equal(moved.lower[new_labels == label], wanted.lower)
        assert np.array_equal(moved.upper[new_labels == label], wanted.upper)
    assert scaler.nominal_ == uc.ConformalScaler(0.8, vary="level").fit(calibration).nominal_


@pytest.mark.filterwarnings("ignore::uccurve.exceptions.InfiniteParameterWarning")
def test_too_few_rows_give_infinite_bounds():
    """As under the other families: bounds may be infinite, intervals may not."""
    y, table = skewed(4, 1)
    scaler = uc.ConformalScaler(0.9, vary="level").fit(uc.Intervals.from_quantiles(y, table, LEVELS))
    assert math.isinf(scaler.parameter_)
    lower, upper = scaler.transform(quantiles=table, levels=LEVELS)
    assert np.all(np.isinf(lower) & np.isinf(upper))
    with pytest.raises(ArgumentError):
        scaler.transform(uc.Intervals.from_quantiles(y, table, LEVELS))


FIT = uc.ConformalScaler(0.8, vary="level").fit(rows(99))
TABLE = skewed(3, 0)[1]
TWO = np.stack([TABLE, TABLE], axis=1)
BOUNDS = uc.Intervals.from_std([1, 2], [0, 0], [1, 1])
SCALE = uc.ConformalScaler(0.5).fit(BOUNDS)
OTHER = uc.Intervals.from_quantiles([1.0], [[0.0, 2.0]], (0.1, 0.9))
UPPER = uc.Intervals.from_quantiles([1.0, 2.0], [[3.0], [4.0]], [0.9], y_pred=[2.0, 3.0])
CASES = {
    "no quantiles": (lambda: uc.ConformalScaler(vary="level").fit(BOUNDS), ArgumentError),
    "one-sided": (lambda: uc.ConformalScaler(vary="level").fit(UPPER), ArgumentError),
    "bounds alone": (lambda: FIT.transform(lower=[0.0], upper=[1.0]), ArgumentError, "quantiles"),
    "other levels": (lambda: FIT.transform(OTHER), ArgumentError, "intervals"),
    "no levels": (lambda: FIT.transform(quantiles=TABLE), ArgumentError, "levels"),
    "levels of bounds": (lambda: SCALE.transform(quantiles=TABLE, levels=LEVELS), ArgumentError, "quantiles"),
    "one level": (lambda: FIT.transform(quantiles=TABLE[:, :1], levels=[0.9]), ArgumentError, "levels"),
    "several outputs": (lambda: FIT.transform(quantiles=TWO, levels=LEVELS), ShapeError, "quantiles"),
    "no labels": (lambda: FIT.nominals_, NotFittedError),
}


@pytest.mark.parametrize("name", CASES)
def test_each_error_names_its_argument(name):
    check_error(*CASES[name])


def test_rows_with_and_without_the_median_have_other_levels():
    """The center of a row would be another one: of skewed rows, half the coverage may be lost."""
    y, table = skewed(99, 4)
    without = [level for level in LEVELS if level != 0.5]
    pairs = np.delete(table, LEVELS.index(0.5), axis=1)
    scaler = uc.ConformalScaler(0.5, vary="level").fit(uc.Intervals.from_quantiles(y, pairs, without))
    with raises(ArgumentError, "intervals"):
        scaler.transform(uc.Intervals.from_quantiles(y, table, LEVELS))
    with raises(ArgumentError, "levels"):
        scaler.transform(quantiles=table, levels=LEVELS)
    lower, upper = scaler.transform(quantiles=pairs, levels=without)
    assert 0.5 <= np.mean((lower <= y) & (y <= upper)) < 0.52


def test_crossed_quantiles_of_new_rows_are_refused_or_sorted_on_request():
    """By the rule of `from_quantiles`, and so are missing ones."""
    with raises(uc.exceptions.CrossedBoundsError, "quantiles", count=3):
        FIT.transform(quantiles=TABLE[:, ::-1], levels=LEVELS)
    gap = np.where(np.arange(7) == 2, np.nan, TABLE)
    with raises(uc.exceptions.NonFiniteError, "quantile 0.25", count=3):
        FIT.transform(quantiles=gap, levels=LEVELS)
    with pytest.warns(uc.exceptions.SortedRowsWarning):
        lower, _ = FIT.transform(quantiles=TABLE[:, ::-1], levels=LEVELS, crossed="sort")
    assert np.array_equal(lower, FIT.transform(quantiles=TABLE, levels=LEVELS)[0])


def test_levels_without_a_partner_are_named_once():
    """A warning for each call, not one for each thing that is computed."""
    y, table = skewed(50, 2)
    given_rows = uc.Intervals.from_quantiles(y, table[:, 1:], LEVELS[1:])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        scaler = uc.ConformalScaler(0.5, vary="level").fit(given_rows)
        scaler.transform(given_rows)
    assert [str(each.message) for each in caught] == [
        'vary="level" leaves out levels without a partner: 0.95 (without 0.05).'
    ] * 2
