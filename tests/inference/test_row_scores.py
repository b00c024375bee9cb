"""Scores of rows as statistics: intervals and tests of their means."""

from __future__ import annotations

import numpy as np
import pytest

import uccurve as uc


def models(n=200, seed=0, *, weighted=True, outputs=(), coverage=0.8):
    rng = np.random.default_rng(seed)
    scale = rng.lognormal(sigma=0.5, size=(n, *outputs))
    y = scale * rng.standard_t(4, size=scale.shape)
    weight = rng.exponential(size=n) if weighted else None
    bands = ((1.3 * scale, 1.6 * scale), (1.5 + 0 * scale, 1.2 + 0 * scale))
    return [
        uc.Intervals.from_bands(y, 0.1 * y, *band, sample_weight=weight, nominal=coverage) for band in bands
    ]


def score(intervals, **point):
    return uc.interval_score(
        intervals.y_true, intervals.lower, intervals.upper, sample_weight=intervals.sample_weight, **point
    )


def test_the_estimate_is_the_interval_score():
    """For the coverage that is claimed, or another one; as a difference of two models; of a curve's rows."""
    a, b = models()
    found = uc.confidence_interval(a, "interval_score")
    assert found.method == "delta"
    assert found.estimate == pytest.approx(score(a, coverage=0.8), rel=1e-12)
    other = uc.confidence_interval(a.ucc(vary="shift"), "interval_score", miss_rate=0.05)
    assert other.estimate == pytest.approx(score(a, coverage=0.95), rel=1e-12)
    gap = uc.confidence_interval(a, "interval_score", minus=b)
    assert gap.estimate == pytest.approx(score(a, coverage=0.8) - score(b, coverage=0.8), rel=1e-9)
    test = uc.permutation_test(a, b.ucc(), statistic="interval_score", n_resamples=99, rng=0)
    assert test.statistic == pytest.approx(gap.estimate, rel=1e-9)


def test_the_standard_error_is_that_of_a_mean():
    """Without weights, of rows on their own and of blocks, by hand."""
    (a, _) = models(weighted=False)
    width, missing = a.upper - a.lower, np.maximum(a.lower - a.y_true, a.y_true - a.upper).clip(0)
    rows = width + 2 / 0.2 * missing
    found = uc.confidence_interval(a, "interval_score")
    assert found.standard_error == pytest.approx(rows.std(ddof=1) / np.sqrt(200), rel=1e-10)
    blocked = uc.confidence_interval(a, "interval_score", blocks=10)
    means = rows.reshape(20, 10).mean(axis=1)
    assert blocked.standard_error == pytest.approx(means.std(ddof=1) / np.sqrt(20), rel=1e-10)
    drawn = uc.confidence_interval(a, "interval_score", method="percentile", rng=0)
    assert drawn.standard_error == pytest.approx(found.standard_error, rel=0.1)
