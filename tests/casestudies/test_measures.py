"""Measures of one model's intervals: ratios, cross-overs, conventions of areas, the bootstrap."""

from __future__ import annotations

import math
import statistics

import numpy as np
import pytest
from casestudies.bnn_gap import summary
from casestudies.shared import ceilings, measures

import uccurve as uc


@pytest.fixture
def intervals():
    rng = np.random.default_rng(11)
    scale = rng.lognormal(sigma=0.7, size=173)
    lower, upper = scale * rng.lognormal(sigma=0.3, size=(2, 173))
    return uc.Intervals.from_bands(scale**0.6 * rng.normal(size=173), np.zeros(173), lower, upper)


def test_ratios_and_ceilings_are_those_of_the_library(intervals):
    """Numbers as the curve gives them, between the ends of their intervals."""
    curve, rates = intervals.ucc(), (0.05, 0.2, 0.7, 35 / 173)
    found = measures.measured(intervals, rates=rates, n_resamples=49)
    exact = {
        f"{rate:g}": curve.at(miss_rate=rate).bandwidth / curve.reference.at(miss_rate=rate).bandwidth
        for rate in rates
    }
    for numbers, expected in (
        (found["ratios"], exact),
        (found, {"ceiling": curve.ceiling(), "deficit_ceiling": curve.ceiling(y="deficit")}),
    ):
        for name, value in expected.items():
            assert math.isclose(numbers[name]["value"], value, rel_tol=1e-12)
            assert numbers[name]["low"] < value < numbers[name]["high"]


@pytest.mark.parametrize(("power", "better_below"), [(0.0, None), (2.0, "b")])
def test_bands_that_are_not_narrower_first_have_no_cross_over(power, better_below):
    """A constant band is as wide as itself; one that is narrow for large errors swaps the other way round."""
    error = np.linspace(1, 4, 200)
    intervals = uc.Intervals.from_bands(error, np.zeros(200), error**-power)
    swap = uc.ratio_curve(intervals, criterion="bandwidth", n_resamples=9, rng=0).crossover
    assert better_below == (None if swap is None else swap.better_below)
    found = measures.measured(intervals, rates=(0.2,), n_resamples=19)
    assert [found[name] for name in ("crossover", "below", "above", "clear")] == [None, None, None, False]
    assert found["better_below"] == 0


def test_the_conventions_of_areas_are_those_they_are_named_for(intervals):
    """The exact one is the library's; the others are brought back from their definitions."""
    curve = intervals.ucc()
    found = measures.conventions(intervals)
    for name, one in (("model", curve), ("constant", curve.reference)):
        b, n = np.asarray(one.bandwidth)[1:], 173
        assert b.size == n
        assert math.isclose(found[name]["exact"], one.area(), rel_tol=1e-12)
        assert math.isclose(found[name]["rectangles"], np.mean(b) - np.max(b) / n, rel_tol=1e-9)
        steps = [(b[i + 1] - b[i]) * (2 * n - 2 * i - 3) / (2 * n) for i in range(n - 1)]
        assert math.isclose(found[name]["trapezoids"], math.fsum(steps), rel_tol=1e-9)
    assert math.isclose(found["gain"]["exact"], curve.gain(), rel_tol=1e-9)
    model, constant = found["model"]["trapezoids"], found["constant"]["trapezoids"]
    assert math.isclose(found["gain"]["trapezoids"], (constant - model) / constant, rel_tol=1e-9)
    assert math.isclose(found["gain"]["over_own_area"], (constant - model) / model, rel_tol=1e-9)
    assert abs(constant - model) > 0.01 * model


def crossing(n=400, share=0.25):
    """Rows with large errors and wide bands, and others: narrower than a constant band for few misses only."""
    rng = np.random.default_rng(12)
    large = np.arange(n) < share * n
    error = np.where(large, 1 + 0.2 * rng.normal(size=n), 0.1 * rng.normal(size=n))
    return uc.Intervals.from_bands(error, np.zeros(n), np.where(large, 0.6, 0.1))


def test_narrower_percents_are_counted_where_the_library_says(intervals):
    """Per cent by per cent, for miss rates that leave other numbers below them."""
    for rows in (intervals, crossing()):
        curve = rows.ucc()
        ratio_curve = uc.ratio_curve(rows, criterion="bandwidth", n_resamples=9, rng=0)
        known = ratio_curve.miss_rate[~np.isnan(ratio_curve.ratio)]
        for end in (0.2025, 0.6025):
            less = [curve.gain_at(miss_rate=float(rate)) > 0 for rate in known if rate < end]
            assert measures.narrower_below(ratio_curve, end) == pytest.approx(np.mean(less))


def test_a_cross_over_is_clear_only_if_the_curves_swap_once_and_not_by_chance():
    """The page claims no other; a number comes out in any case."""
    rng = np.random.default_rng(13)
    error = 1 + np.abs(rng.normal(size=400))
    size, band = np.repeat([[1.0, 0.05, 0.001], [0.8, 0.1, 0.5]], (80, 120, 200), axis=1)
    cases = {
        "swap once": crossing(),
        "are the same but for noise": uc.Intervals.from_bands(
            error, 0 * error, 1 + 0.02 * rng.uniform(size=400)
        ),
        "swap twice": uc.Intervals.from_bands(size * error, 0 * error, band),
    }
    found = {name: measures.measured(rows, rates=(0.2,), n_resamples=199) for name, rows in cases.items()}
    assert {name: one["clear"] for name, one in found.items()} == {
        "swap once": True,
        "are the same but for noise": False,
        "swap twice": False,
    }
    once = found["swap once"]["crossover"]
    assert 0.15 < once["low"] <= once["value"] <= 0.3 < once["high"] < 0.5
    assert found["swap once"]["below"]["low"] > 0 > found["swap once"]["above"]["high"]
    assert found["swap twice"]["crossover"] is None
    rare = crossing(share=0.12)
    blocks = np.arange(400) // 50
    alone, together = (
        measures.measured(rare, rates=(0.2,), n_resamples=199, blocks=some) for some in (None, blocks)
    )
    assert alone["clear"], "forty-eight rows of their own"
    assert not together["clear"], "one block that had them all"


def test_intervals_of_rows_in_blocks_are_those_of_a_plain_bootstrap(intervals):
    """Rows of a block lie apart; each resample takes all of them, or none, or several times."""
    abs_error = np.abs(intervals.residual)
    labels = np.random.default_rng(18).permutation(np.repeat(np.arange(20), 9)[:173])
    assert np.min(np.bincount(labels)) < np.max(np.bincount(labels))
    generator, means = np.random.default_rng(7), []
    for _ in range(50):
        drawn = generator.integers(0, 20, size=20)
        means.append(statistics.fmean(e for label in drawn for e in abs_error[labels == label]))
    found = ceilings.with_intervals(
        {"mean": lambda some: float(np.mean(some))}, abs_error, blocks=labels, n_resamples=50, rng=7
    )["mean"]
    assert math.isclose(found["value"], np.mean(abs_error))
    assert math.isclose(found["low"], np.quantile(means, 0.025))
    assert math.isclose(found["high"], np.quantile(means, 0.975))


def test_the_spread_over_seeds_is_that_of_a_sample():
    """Seeds are a sample: their standard deviation divides by one less than their number."""
    found = measures.spread([1.0, 2.0, 6.0])
    assert found == {"mean": 3.0, "sd": pytest.approx(math.sqrt(7)), "low": 1.0, "high": 6.0}
    assert measures.spread([5.0])["sd"] == 0


def test_seeds_without_a_number_are_left_out_of_the_spread():
    """A seed without a cross-over has no place for it; if none has one, there is no spread."""
    records = [{"at": {"value": 1.0, "low": 0.0}}, {"at": None}, {"at": {"value": 3.0, "low": 0.0}}]
    assert measures.over_seeds(records) == {"at": measures.spread([1.0, 3.0])}
    assert measures.over_seeds([{"at": None}, {"at": None}]) == {"at": None}


def test_the_interval_score_is_the_cost_with_the_right_weight_and_not_the_printed_one(intervals):
    """The printed weight is the deficit's; on bands that differ on the two sides."""
    for alpha in (0.1, 0.5):
        found = summary.interval_score(intervals, alpha)
        whole = 2 * found["bandwidth"] + 2 / alpha * found["deficit"]
        assert math.isclose(found["library"], whole, rel_tol=1e-12)
        assert math.isclose(found["right"]["score"], whole, rel_tol=1e-12)
        printed = 2 * found["bandwidth"] + 2 * alpha * found["deficit"]
        assert math.isclose(found["printed"]["score"], printed, rel_tol=1e-12)
        assert found["deficit"] > 0
