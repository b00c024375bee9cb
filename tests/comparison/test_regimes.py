"""Who is best at which coverage: ranges, cross-overs, and ties."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

import uccurve as uc
from uccurve.comparison.scoring import adjust_holm

CONSTANT = "constant width"


def test_holm_by_hand():
    """Smallest times three, next times two, and never falling."""
    assert adjust_holm({"a": 0.01, "b": 0.04, "c": 0.03}) == pytest.approx({"a": 0.03, "b": 0.06, "c": 0.06})
    assert adjust_holm({"a": 0.5, "b": 0.9}) == {"a": 1, "b": 1}
    assert adjust_holm({"a": math.nan, "b": 0.02}) == pytest.approx({"a": math.nan, "b": 0.02}, nan_ok=True)


@pytest.mark.parametrize("rank_by", ["interval_score", "bandwidth"])
def test_regimes_are_the_coverages_at_which_a_lead_is_clear(crossing, rank_by):
    """No gap between them; the best of each has the smallest number there, at every step."""
    comparison = uc.compare(crossing, rank_by=rank_by, n_resamples=199, rng=0)
    regimes, rates = list(comparison.regimes), comparison.standings.rates
    assert (regimes[0].low, regimes[-1].high) == (rates[0], rates[-1])
    for one, other in itertools.pairwise(regimes):
        assert one.best != other.best
        assert np.flatnonzero(rates == other.low)[0] == np.flatnonzero(rates == one.high)[0] + 1
    for regime in regimes:
        inside = rates[(rates >= regime.low) & (rates <= regime.high)]
        assert {comparison.at(miss_rate=float(rate)).best for rate in inside} == {regime.best}
        for rate in inside[::20] if regime.best else ():
            first, second = comparison.at(miss_rate=float(rate)).order[:2]
            assert (
                regime.saved
                <= comparison.standings.lead(first, second, np.flatnonzero(rates == rate)[0]).value
            )
    best = {regime.best for regime in regimes}
    assert best == ({"sharp", None} if rank_by == "interval_score" else {"sharp", "damped", CONSTANT, None})


def test_crossings_are_established_on_both_sides(crossing):
    """At their ends the band excludes 1, with the other model ahead."""
    comparison = uc.compare(crossing, rank_by="bandwidth", n_resamples=199, rng=0)
    found = {(one.a, one.b): one for one in comparison.crossings}
    assert set(found) == {("sharp", "damped"), ("sharp", CONSTANT), ("damped", CONSTANT)}
    cross = found["sharp", "damped"]
    assert cross.better_above == "sharp"
    assert cross.coverage == pytest.approx(0.94, abs=0.01)
    assert cross.miss_rate_low < cross.miss_rate < cross.miss_rate_high
    exact = [one.y for one in comparison.curves["sharp"].crossings(comparison.curves["damped"])]
    assert min(abs(cross.miss_rate - rate) for rate in exact) < 0.005
    assert not uc.compare(crossing, n_resamples=199, rng=0).crossings  # by score sharp is better everywhere


def test_miss_rates_that_need_no_band_at_all_are_a_tie():
    """Where predictions are exact for many rows, nobody is ahead there."""
    y = np.concatenate([np.zeros(60), np.arange(1.0, 41.0)])
    models = {
        name: uc.Intervals.from_bands(y, np.zeros(100), np.linspace(1, end, 100))
        for name, end in (("a", 2.0), ("b", 3.0))
    }
    comparison = uc.compare(models, n_resamples=9, rng=0, miss_rate=0.5, rank_by="bandwidth")
    assert {test.ratio.value for test in comparison.tests} == {1.0}
    assert comparison.regimes[-1].best is None
    assert "the same to 0.05%" in comparison.recommendation.answer


@pytest.mark.parametrize(("n_blocks", "enough"), [(15, False), (40, True)])
def test_few_blocks_say_nothing_about_other_coverages(n_blocks, enough):
    """A band over all coverages needs twenty of them."""
    rng = np.random.default_rng(0)
    y = rng.normal(size=600)
    rows = uc.Intervals.from_bands(y, 0 * y, rng.lognormal(sigma=1.0, size=600))
    comparison = uc.compare({"bad": rows}, blocks=np.arange(600) * n_blocks // 600, n_resamples=99, rng=0)
    elsewhere = [comparison.at(coverage=coverage) for coverage in (0.5, 0.8)]
    assert all(standing.tested == enough for standing in elsewhere)
    assert {standing.best for standing in elsewhere} == ({CONSTANT} if enough else {None})
