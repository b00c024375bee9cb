"""Significance at the floor of resolution: enough resamples for many tests, and honest words where they are few."""

from __future__ import annotations

import numpy as np
import pytest

import uccurve as uc


def clearly_ordered(n_models, n=400):
    """Models whose bands carry ever more noise; the errors have one scale."""
    rng = np.random.default_rng(0)
    y = rng.normal(size=n)
    return {
        f"model {k}": uc.Intervals.from_bands(y, 0 * y, rng.lognormal(sigma=0.3 + 0.08 * k, size=n))
        for k in range(n_models)
    }


@pytest.mark.slow
def test_too_few_resamples_are_said_to_be_too_few():
    """A number that users chose is respected; "too close to call" would be wrong."""
    comparison = uc.compare(clearly_ordered(6), n_resamples=399, rng=0)
    last = next(t for t in comparison.tests if (t.a, t.b) == ("model 5", "constant width"))
    assert (last.pvalue, last.needs, last.clear) == (1 / 400, "resamples", False)
    assert last.smallest_pvalue_holm == pytest.approx(21 / 400)
    assert any("with so few resamples no p below 0.052 is possible" in line for line in comparison.findings)
    table = repr(comparison.tests)
    assert "≤ 0.0525" in table
    assert "needs more" in table


@pytest.mark.parametrize(("n_resamples", "needs"), [(None, None), (99, "resamples")])
def test_many_models_at_a_strict_level_take_enough_bootstraps(n_resamples, needs):
    """Their p-values come from these, so that few of them allow no small one."""
    models = {name: rows[:100] for name, rows in clearly_ordered(13).items()}
    tests = uc.compare(models, confidence_level=0.999, n_resamples=n_resamples, rng=0).tests
    least = min(tests, key=lambda test: test.pvalue_holm)
    assert least.pvalue_holm == least.smallest_pvalue_holm
    assert (least.needs, least.clear) == (needs, needs is None)


@pytest.mark.parametrize("n_blocks", [4, 12])
def test_few_blocks_are_said_to_be_few(n_blocks):
    """Two of 2^B exchanges are as extreme as the most extreme one, however many are drawn."""
    rng = np.random.default_rng(0)
    y = rng.normal(size=600)
    rows = uc.Intervals.from_bands(y, 0 * y, rng.lognormal(sigma=1.0, size=600))
    comparison = uc.compare({"mine": rows}, blocks=np.arange(600) * n_blocks // 600, rng=0)
    few = n_blocks == 4
    assert ("with 4 blocks no p below 0.12 is possible" in comparison.recommendation.answer) == few
    assert (comparison.recommendation.best is None) == few
    # a band needs twenty blocks, a test does not
    assert ("constant width is clearly best at 90% coverage" in comparison.leaders) != few
    assert ("needs more" in repr(comparison.tests)) == few
    assert "≤" not in repr(comparison.tests)  # all exchanges were looked at, or enough: p is no bound
    test = comparison.tests[0]
    assert test.n_units == n_blocks
    assert test.smallest_pvalue_holm == max(2.0 ** (1 - n_blocks), 1 / 2000)
