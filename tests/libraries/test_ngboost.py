"""NGBoost: real fits, read by `from_ngboost`."""

from __future__ import annotations

import numpy as np
import pytest
from library_rows import made_rows
from ngboost import NGBRegressor
from ngboost.distns import LogNormal, Normal, Poisson

import uccurve as uc
from uccurve.adapters import from_ngboost

ROWS = made_rows()


def fitted(distribution, y):
    model = NGBRegressor(Dist=distribution, n_estimators=60, verbose=False, random_state=0)
    return model.fit(ROWS.X, y)


@pytest.fixture(scope="module")
def normal():
    return fitted(Normal, ROWS.y)


def test_a_normal_distribution_is_read_at_all_levels(normal):
    """Level and scale agree for distributions that differ by center and spread only."""
    output = normal.pred_dist(ROWS.X_test)
    intervals = from_ngboost(ROWS.y_test, output)
    assert np.allclose(intervals.y_pred, output.loc)
    as_std = uc.Intervals.from_std(ROWS.y_test, output.params["loc"], output.params["scale"])
    assert intervals.ucc(vary="level").area() == pytest.approx(as_std.ucc().area(), rel=0.01)


def test_one_coverage_makes_plain_bounds(normal):
    """The central interval, as NGBoost itself gives it."""
    output = normal.pred_dist(ROWS.X_test)
    low, high = output.interval(0.9)
    intervals = from_ngboost(ROWS.y_test, output, coverage=0.9)
    assert intervals.nominal == pytest.approx(0.9)
    assert np.allclose(intervals.lower, low)
    assert np.allclose(intervals.upper, high)


def test_skewed_and_discrete_distributions_are_read():
    """Quantiles are asymmetric, or whole numbers with ties."""
    skewed = from_ngboost(np.exp(ROWS.y_test), fitted(LogNormal, np.exp(ROWS.y)).pred_dist(ROWS.X_test))
    assert not skewed.symmetric
    assert skewed.ucc(vary="level").at(nominal=0.9).coverage == pytest.approx(0.9, abs=0.1)
    rng = np.random.default_rng(0)
    counts, seen = rng.poisson(1 + ROWS.X[:, 0]), rng.poisson(1 + ROWS.X_test[:, 0])
    whole = from_ngboost(seen, fitted(Poisson, counts).pred_dist(ROWS.X_test))
    assert np.array_equal(whole.upper, np.round(whole.upper))
