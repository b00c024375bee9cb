"""Families of one model side by side."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest

import uccurve as uc

LEVELS = (0.05, 0.25, 0.5, 0.75, 0.95)


def mixed(n=500, seed=0):
    """Rows whose shapes differ: skewed ones among symmetric ones, so that no scaled band fits both."""
    rng = np.random.default_rng(seed)
    spread, skewed = rng.uniform(1, 3, size=n), rng.uniform(size=n) < 0.5
    shape = np.where(skewed[:, None], [-0.65, -0.4, 0.0, 0.7, 2.3], [-1.64, -0.67, 0.0, 0.67, 1.64])
    y = np.where(skewed, rng.exponential(size=n) - 0.69, rng.normal(size=n)) * spread
    return uc.Intervals.from_quantiles(y, spread[:, None] * shape, LEVELS)


def test_the_scores_are_those_of_the_curves():
    rows = mixed()
    found = uc.families(rows, rng=0, n_resamples=99, coverage=0.8)
    assert [score.area for score in found.scores] == sorted(score.area for score in found.scores)
    for score in found.scores:
        curve = rows.ucc(vary=score.vary)
        assert score.area == curve.area()
        assert (score.bandwidth_at, score.parameter_at) == (
            curve.at(coverage=0.8).bandwidth,
            curve.at(coverage=0.8).parameter,
        )
    assert len(found.tests) == 3
    for test in found.tests:
        assert test.difference == pytest.approx(
            rows.ucc(vary=test.a).area() - rows.ucc(vary=test.b).area(), rel=1e-9
        )
        assert test.low < test.difference < test.high
    assert found.to_frame("pandas")["vary"].tolist() == [score.vary for score in found.scores]


def test_shapes_that_differ_between_rows_are_narrower():
    """That recommends nothing: the narrowest intervals may have a worse score."""
    found = uc.families(mixed(2000), rng=0, n_resamples=199)
    against_scale = next(test for test in found.tests if (test.a, test.b) == ("level", "scale"))
    assert found.best == "level"
    assert against_scale.high < 0
    assert against_scale.pvalue < 0.05
    assert "% narrower than scale (95% CI" in found.summary()
    assert found.summary().endswith("%). Narrower is not always better: compare score_at.")


def test_one_shape_for_all_rows_is_as_good_scaled():
    """Then both pass through the same intervals: nothing to choose."""
    rng = np.random.default_rng(1)
    spread = rng.uniform(1, 3, size=300)
    rows = uc.Intervals.from_quantiles(
        rng.normal(size=300) * spread, spread[:, None] * np.array([-1.64, -0.67, 0, 0.67, 1.64]), LEVELS
    )
    found = uc.families(rows, rng=0, n_resamples=99)
    against_scale = next(test for test in found.tests if (test.a, test.b) == ("level", "scale"))
    assert against_scale.difference == pytest.approx(0, abs=1e-12)
    assert against_scale.pvalue == 1.0
    assert "need the same half-width" in found.summary()


def test_a_single_band_has_two_families():
    columns = map(pl.Series, ([1.0, -2.0, 0.5], [0.0] * 3, [1.0, 2.0, 1.0]))
    found = uc.families(uc.Intervals.from_std(*columns), rng=0, n_resamples=9)
    assert isinstance(found.to_frame(), pl.DataFrame)
    assert {score.vary for score in found.scores} == {"scale", "shift"}
    assert math.isnan(found.tests[0].pvalue)
