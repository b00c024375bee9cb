"""Who needs the least bandwidth where: ranges, their order by chance, ties."""

from __future__ import annotations

import importlib
import itertools
import math
from pathlib import Path

import numpy as np
import pytest

import uccurve as uc
from uccurve.comparison._holm import holm


def simulations():
    """Import the models of `make simulate`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(Path(__file__).parents[2] / "simulations"))
        return importlib.import_module("regimes")


def test_holm_by_hand():
    """Smallest times three, next times two, and never falling."""
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.5, 0.9]) == [1, 1]
    assert math.isnan(holm([math.nan, 0.02])[0])
    assert holm([math.nan, 0.02])[1] == 0.02


def test_regimes_cover_all_miss_rates_without_gap(comparison):
    """Neighbours differ, and each range's winner needs the least bandwidth there."""
    regimes = comparison.regimes.columns()
    assert regimes["low"][0] == 0
    assert regimes["high"][-1] == 1
    assert regimes["low"][1:] == regimes["high"][:-1]
    assert all(a != b for a, b in zip(regimes["best"][:-1], regimes["best"][1:], strict=True))
    for low, high, best in zip(regimes["low"], regimes["high"], regimes["best"], strict=True):
        if best is None:  # no order known
            continue
        rate = (low + high) / 2
        needed = {name: curve.at(miss_rate=rate).bandwidth for name, curve in comparison.curves.items()}
        assert needed[best] <= min(needed.values()) * 1.01
    assert regimes["best"][0] == "sharp"
    assert regimes["significant"][0]


@pytest.mark.slow
def test_chance_makes_no_significant_regimes():
    """Ranges are chosen on the same rows; the test allows for that. `make simulate` looks closer."""
    simulated = simulations()
    assert simulated.found(simulated.Exchangeable("Gaussian"), 60, 300, 0, simulated.significant) <= 0.1


@pytest.mark.parametrize("n_blocks", [4, 7])
def test_few_blocks_make_no_false_alarms(n_blocks):
    """Four blocks once gave 14% of them: normal draws know nothing of how few there are."""
    simulated = simulations()
    alarms = simulated.found(
        simulated.Exchangeable("t5", n_blocks=n_blocks), 60, 400, 0, simulated.significant
    )
    assert alarms <= (0.0 if n_blocks == 4 else 0.1)


def test_cells_of_miss_rates_are_the_curve_s_means():
    """Their means and influences agree with the area and its delta method."""
    from uccurve.curve.families import SCALE
    from uccurve.inference._plain_rows import plain_rows
    from uccurve.inference._presorted import Presorted
    from uccurve.inference._range_means import RangeMeans

    rng = np.random.default_rng(0)
    y, lower, upper, weight = (
        rng.normal(size=500),
        *rng.exponential(size=(2, 500)),
        rng.uniform(0.5, 1, size=500),
    )
    rows = uc.Intervals.from_bands(y, 0 * y, lower, upper, sample_weight=weight)
    prepared = plain_rows({"rows": rows}, None)
    cells = RangeMeans.of(Presorted(prepared.models[0], SCALE), prepared.weight, np.linspace(0, 1, 101))
    for place in (0, 3, 50, 98, 99):
        mean = rows.ucc().area(partial="mean", miss_rate=(place / 100, (place + 1) / 100))
        assert cells.means[place] == pytest.approx(mean, rel=1e-9)
    moved = cells.influence(np.arange(500))[:, 10:50].mean(axis=1)
    error = uc.confidence_interval(
        rows, "area", partial="mean", miss_rate=(0.1, 0.5), method="delta"
    ).standard_error
    assert np.sqrt(np.sum(moved**2) * 500 / 499) == pytest.approx(error, rel=1e-6)


def test_miss_rates_that_need_no_band_at_all_are_a_tie():
    """Where predictions are exact for many rows, nobody saves anything there."""
    y = np.concatenate([np.zeros(60), np.arange(1.0, 41.0)])
    models = {
        name: uc.Intervals.from_bands(y, np.zeros(100), np.linspace(1, end, 100))
        for name, end in (("a", 2.0), ("b", 3.0))
    }
    comparison = uc.compare(models, n_resamples=9, rng=0, miss_rate=0.5)
    regimes = comparison.regimes.columns()
    assert regimes["high"][-1] == 1.0
    assert regimes["saved"][-1] == 0.0
    assert "At 50% coverage b needs as much bandwidth as its constant band" in comparison.summary()


def test_ranges_without_a_known_order_are_one():
    """A barcode of chance is of no use to anyone."""
    rng = np.random.default_rng(3)
    y = rng.normal(size=300)
    models = {name: uc.Intervals.from_bands(y, 0 * y, rng.lognormal(sigma=0.05, size=300)) for name in "ab"}
    regimes = uc.compare(models, n_resamples=9, rng=0).regimes.columns()
    unsure = [not sure for sure in regimes["significant"]]
    assert not any(a and b for a, b in itertools.pairwise(unsure))
    assert None in regimes["best"]


def test_a_clear_order_is_found_although_the_largest_errors_are_noise():
    """68% more bandwidth at 5% misses was once one row without an order: the lowest cell drowned the rest."""
    rng = np.random.default_rng(1)
    y = rng.standard_t(1.5, size=500)
    rows = uc.Intervals.from_bands(y, 0 * y, rng.lognormal(sigma=0.6, size=500))
    comparison = uc.compare({"noisy": rows}, n_resamples=999, rng=0)
    needed = {name: curve.at(miss_rate=0.05).bandwidth for name, curve in comparison.curves.items()}
    assert needed["noisy"] / needed["constant band"] == pytest.approx(1.68, abs=0.005)
    assert comparison.tests[0].pvalue == 0.001
    at_five = next(regime for regime in comparison.regimes if regime.low <= 0.05 < regime.high)
    assert at_five.best == "constant band"
    assert at_five.significant
    assert at_five.high >= 0.5
    assert any("% coverage constant band needs the least bandwidth" in text for text in comparison.findings)


@pytest.mark.parametrize(("n_blocks", "smallest"), [(3, 1 / 4), (7, 1 / 64), (20, 1 / 2000)])
def test_no_p_value_is_below_what_the_blocks_allow(n_blocks, smallest):
    """Of B blocks there are 2^B exchanges, each with its mirror image: 7 blocks allow 0.0156, not 0.001."""
    rng = np.random.default_rng(0)
    y = rng.normal(size=600)
    rows = uc.Intervals.from_bands(y, 0 * y, rng.lognormal(sigma=1.0, size=600))
    blocks = np.arange(600) * n_blocks // 600
    comparison = uc.compare({"bad": rows}, blocks=blocks, n_resamples=99, rng=0)
    p = [regime.pvalue for regime in comparison.regimes if not math.isnan(regime.pvalue)]
    assert min(p, default=smallest) == pytest.approx(smallest)
    undecided = "Who needs the least bandwidth at which coverage is undecided: more blocks needed."
    enough = smallest < 0.05
    assert {regime.needs for regime in comparison.regimes if not regime.significant} <= (
        {None} if enough else {"blocks"}
    )
    assert any(regime.significant for regime in comparison.regimes) == enough
    assert (undecided in comparison.findings) == (not enough)


def test_a_handful_of_rows_has_no_known_order():
    """Ranges must hold twenty rows; without them it says what is missing."""
    rows = uc.Intervals.from_bands([1.0, 2, 3, 4], np.zeros(4), [1, 2, 1, 1])
    (regime,) = uc.compare({"mine": rows}, n_resamples=9, rng=0).regimes
    assert (regime.low, regime.high, regime.best, regime.needs) == (0, 1, None, "rows")


def test_regimes_do_not_depend_on_the_unit_or_on_factors_of_bands():
    """The curve does not, and the same seed draws the same signs."""
    simulated = simulations()
    models, _ = simulated.noisy_and_true(np.random.default_rng(0), 600)
    plain = uc.compare(models, n_resamples=9, rng=0).regimes
    assert any(regime.significant for regime in plain)
    factors = {"true": 1e-3, "noisy": 50.0}
    moved = {name: rows.scaled(factors[name]) for name, rows in models.items()}
    assert list(uc.compare(moved, n_resamples=9, rng=0).regimes.columns()["high"]) == plain.columns()["high"]
    assert uc.compare(moved, n_resamples=9, rng=0).regimes.columns()["pvalue"] == pytest.approx(
        plain.columns()["pvalue"], nan_ok=True
    )
