"""Published and derived numbers, reproduced: what each gain rewards, ceilings, conformal coverage."""

from __future__ import annotations

import numpy as np
import pytest

import uccurve as uc
from uccurve.datasets import make_heteroscedastic

PAIRS = [("bandwidth", "miss_rate"), ("excess", "miss_rate"), ("excess", "deficit"), ("bandwidth", "deficit")]


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


def test_shifting_never_beats_the_constant_band_on_the_paper_axes():
    """Under shift the constant band is optimal there: a positive gain would be an error."""
    data = make_heteroscedastic(2000, spread=0.6, rng=7)
    for band in (data.std, np.sqrt(data.std), np.abs(data.y_true - data.y_pred)):
        curve = uc.Intervals.from_bands(data.y_true, data.y_pred, band).ucc(vary="shift")
        assert curve.gain() <= 1e-12
        assert curve.ceiling() == 0


def test_the_paper_convention_of_the_area():
    """Rectangles with the right end's height fall short of the exact area by max(b)/N."""
    rng = np.random.default_rng(10)
    curve = uc.Intervals.from_bands(rng.normal(size=10), np.zeros(10), rng.lognormal(size=10)).ucc()
    rectangles = np.sum(curve.miss_rate[1:] * np.diff(curve.bandwidth))
    assert curve.area() == pytest.approx(rectangles + curve.bandwidth[-1] / 10, rel=1e-12)
