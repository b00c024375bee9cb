"""The same scores from scoringrules, an independent implementation.

One term is computed by hand. In 0.10 the weighted interval score of its NumPy backend adds the median
itself, times its weight, where the formula has the distance of the observation from it. The median therefore
is set to 0 there, where the wrong term vanishes, and the right one is added by hand.
"""

from __future__ import annotations

import numpy as np
import pytest
import scoringrules as sr

import uccurve as uc

LOWER = np.array([0.025, 0.1, 0.25])


def rows(n=400):
    rng = np.random.default_rng(0)
    y, table = rng.standard_t(3, size=n), np.sort(rng.normal(0.3, 1, size=(n, 7)), axis=1)
    return y, table, [*LOWER, 0.5, *(1 - LOWER[::-1])]


def test_the_pinball_loss_of_each_level():
    """One level at a time, and the mean of all."""
    y, table, levels = rows()
    theirs = [sr.quantile_score(y, table[:, k], level, backend="numpy") for k, level in enumerate(levels)]
    for k, level in enumerate(levels):
        assert uc.pinball_loss(y, table[:, [k]], [level]) == pytest.approx(theirs[k].mean(), rel=1e-12)
    assert uc.pinball_loss(y, table, levels) == pytest.approx(np.mean(theirs), rel=1e-12)


def test_the_weighted_interval_score():
    """Intervals from them, the median by hand."""
    y, table, levels = rows()
    lower, upper, median = table[:, :3], table[:, :3:-1], table[:, 3]
    intervals = sr.weighted_interval_score(y, np.zeros_like(y), lower, upper, 2 * LOWER, backend="numpy")
    theirs = intervals + np.abs(y - median) / 2 / 3.5
    assert uc.weighted_interval_score(y, table, levels) == pytest.approx(theirs.mean(), rel=1e-12)


@pytest.mark.parametrize(("ours", "theirs"), [("empirical", "nrg"), ("fair", "fair")])
def test_the_crps_of_draws(ours, theirs):
    """The estimator with m², which they call the energy form, and the fair one."""
    y, _, _ = rows()
    samples = np.random.default_rng(1).normal(0.3, 1, size=(11, y.size))
    found = sr.crps_ensemble(y, samples, m_axis=0, estimator=theirs, backend="numpy")
    assert uc.crps(y, samples, estimator=ours) == pytest.approx(found.mean(), rel=1e-12)
