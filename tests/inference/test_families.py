"""Families of one model side by side."""

from __future__ import annotations

import math

import numpy as np
import pytest

import uccurve as uc
from uccurve.inference.families import Families, FamilyScore, FamilyTest

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


def test_shapes_that_differ_between_rows_are_worth_keeping():
    found = uc.families(mixed(2000), rng=0, n_resamples=199)
    against_scale = next(test for test in found.tests if (test.a, test.b) == ("level", "scale"))
    assert found.best == "level"
    assert against_scale.high < 0
    assert against_scale.pvalue < 0.05
    assert "worth keeping" in found.summary()
    assert "% narrower than scale (95% CI" in found.summary()


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


def found_by(difference, low, high, pvalue=0.001):
    """The comparison of a level whose area is smaller by ``difference`` than that of a scaled band, of 1."""
    areas = {"level": 1 - difference, "scale": 1.0}
    return Families(
        scores=tuple(
            FamilyScore(vary=vary, area=area, bandwidth_at=2.0, parameter_at=1.0)
            for vary, area in areas.items()
        ),
        tests=(
            FamilyTest(a="level", b="scale", difference=-difference, low=-high, high=-low, pvalue=pvalue),
        ),
        coverage=0.9,
        confidence_level=0.95,
    )


def test_no_p_value_turns_nothing_into_a_finding():
    """Below 0.05% two families are the same, however sure the difference is."""
    summary = found_by(0.0004, 0.0003, 0.0005).summary()
    assert "level and scale need the same half-width" in summary
    for word in ("0.0", "narrower", "worth keeping", "too close"):
        assert word not in summary


def test_a_difference_that_may_be_chance_is_too_close_to_call():
    """It is not known to be small: no advice follows from it."""
    summary = found_by(0.02, -0.03, 0.07, pvalue=0.4).summary()
    assert summary.endswith("level is 2.0% narrower than scale (95% CI −3.0 to 7.0%): too close to call.")


def test_a_single_band_has_two_families():
    found = uc.families(
        uc.Intervals.from_std([1.0, -2.0, 0.5], [0.0] * 3, [1.0, 2.0, 1.0]), rng=0, n_resamples=9
    )
    assert {score.vary for score in found.scores} == {"scale", "shift"}
    assert math.isnan(found.tests[0].pvalue)
