"""Published and derived numbers, reproduced: what each gain rewards, ceilings, conformal coverage."""

from __future__ import annotations

import numpy as np
import pytest

import uccurve as uc
from uccurve.datasets import make_heteroscedastic

PAIRS = [("bandwidth", "miss_rate"), ("excess", "miss_rate"), ("excess", "deficit"), ("bandwidth", "deficit")]


@pytest.fixture(scope="module")
def data():
    return make_heteroscedastic(200_000, spread=0.6, rng=7)


@pytest.mark.parametrize(
    ("name", "expected", "tolerance"),
    [
        ("truth", (-0.2, 19.2, 54.3, 30.2), 1.0),
        ("root", (8.5, 25.6, 42.6, 23.7), 1.0),
        ("unrelated", (-43.7, -84.4, -79.2, -44.1), 2.0),
    ],
)
def test_what_each_gain_rewards(name, expected, tolerance):
    """Log-normal noise scales: the true scale gains nothing on the paper's axes, and most on the deficit's.

    Two digits are what one draw of 200 000 rows fixes; the unrelated band's heavy tails vary most.
    """
    gains = []
    for seed in range(3):
        data = make_heteroscedastic(200_000, spread=0.6, rng=seed)
        shuffled = np.random.default_rng(seed + 100).permutation(data.std)
        band = {"truth": data.std, "root": np.sqrt(data.std), "unrelated": shuffled}[name]
        curve = uc.Intervals.from_bands(data.y_true, data.y_pred, band).ucc()
        gains.append([100 * curve.gain(x=pair[0], y=pair[1]) for pair in PAIRS])
    assert np.mean(gains, axis=0) == pytest.approx(expected, abs=tolerance)


def test_expected_gains_of_the_true_scale(data):
    """In expectation: 0 against the miss rate, 1 - (Eσ)²/E(σ²) = 1 - exp(-0.36) against the deficit."""
    curve = uc.Intervals.from_std(data.y_true, data.y_pred, data.std).ucc()
    assert curve.gain() == pytest.approx(0, abs=0.005)
    assert curve.gain(y="deficit") == pytest.approx(1 - np.exp(-0.36), abs=0.01)


def test_the_ceilings_of_gaussian_errors():
    """15.3% against the miss rate, 1 - 2/π = 36.3% against the deficit."""
    y = np.random.default_rng(9).normal(size=400_000)
    curve = uc.Intervals.from_bands(y, np.zeros_like(y), 1.0).ucc()
    assert round(curve.ceiling(), 2) == 0.15
    assert curve.ceiling() == pytest.approx(0.153, abs=0.001)
    assert curve.ceiling(y="deficit") == pytest.approx(1 - 2 / np.pi, abs=0.002)
    assert curve.ceiling(x="excess") == curve.ceiling(x="excess", y="deficit") == 1
    assert curve.ceiling(asymmetric=True) == pytest.approx((1 + 0.153) / 2, abs=0.001)


def test_the_ceiling_of_levels_is_another_number():
    """Nested intervals may open one row after the other: 1/sqrt(2) for Gaussian errors, whatever the pairs."""
    error = np.random.default_rng(0).normal(size=200_000)
    one = uc.Intervals.from_quantiles(error, np.tile([-1.64, 0, 1.64], (200_000, 1)), (0.05, 0.5, 0.95))
    assert one.ucc(vary="level").ceiling() == pytest.approx(0.5**0.5, abs=0.005)
    assert one.ucc(vary="scale").ceiling() == pytest.approx(0.153, abs=0.005)


def test_the_excess_deficit_gain_is_the_share_of_the_deficit_ceiling_for_one_output():
    """Of several outputs it is not: the least area of each counts by its own constant."""
    rng = np.random.default_rng(0)
    scale = rng.uniform(0.5, 2, size=(1000, 1))
    error = rng.normal(size=(1000, 2)) * scale * [1, 10]
    both = uc.Intervals.from_bands(error, 0 * error, scale * [1, 3])
    one = both.outputs()[0]
    for rows, same in ((one, True), (both, False)):
        share = rows.ucc().share_of_ceiling(y="deficit")
        assert (abs(rows.ucc().gain(x="excess", y="deficit") - share) < 1e-9) is same


def test_bands_of_the_root_of_the_expected_error_minimise_the_miss_rate_area(data):
    """z ∝ √E(|e| | x), here √σ, beats both the true scale and the constant band on the paper's axes."""
    exponents = [0, 0.25, 0.5, 0.75, 1]
    gains = [uc.Intervals.from_bands(data.y_true, data.y_pred, data.std**p).ucc().gain() for p in exponents]
    assert max(gains) == gains[2]
    deficit = [
        uc.Intervals.from_bands(data.y_true, data.y_pred, data.std**p).ucc().gain(y="deficit")
        for p in exponents
    ]
    assert max(deficit) == deficit[4]


def test_shifting_never_beats_the_constant_band_on_the_paper_axes(data):
    """Under shift the constant band is optimal there: a positive gain would be an error."""
    rows = slice(0, 2000)
    for band in (data.std, np.sqrt(data.std), np.abs(data.y_true - data.y_pred)):
        curve = uc.Intervals.from_bands(data.y_true[rows], data.y_pred[rows], band[rows]).ucc(vary="shift")
        assert curve.gain() <= 1e-12
        assert curve.ceiling() == 0


def test_the_paper_convention_of_the_area():
    """Rectangles with the right end's height fall short of the exact area by max(b)/N."""
    rng = np.random.default_rng(10)
    curve = uc.Intervals.from_bands(rng.normal(size=10), np.zeros(10), rng.lognormal(size=10)).ucc()
    rectangles = np.sum(curve.miss_rate[1:] * np.diff(curve.bandwidth))
    assert curve.area() == pytest.approx(rectangles + curve.bandwidth[-1] / 10, rel=1e-12)


@pytest.mark.slow
def test_conformal_coverage_is_finite_sample():
    """At n = 19 and a miss rate of 0.05: 0.95 on average, where the empirical quantile gives 0.90 or so."""
    rng = np.random.default_rng(11)
    trials, n = 4000, 19
    errors = np.abs(rng.normal(size=(trials, n + 1)))
    covered = naive = 0
    for row in errors:
        calibration = uc.Intervals.from_bands(row[:n], np.zeros(n), np.ones(n))
        covered += row[n] <= uc.ConformalScaler(0.95).fit(calibration).parameter_
        naive += row[n] <= calibration.ucc().at(miss_rate=0.1).parameter
    assert covered / trials == pytest.approx(0.95, abs=0.012)
    assert naive / trials < 0.93
