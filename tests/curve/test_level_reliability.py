"""Reliability: claimed against observed coverage of quantiles, without an assumption, and of single bands."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
import pytest

import uccurve as uc
from errors import check_error
from uccurve.exceptions import ArgumentError

LEVELS = (0.05, 0.15, 0.25, 0.5, 0.75, 0.85, 0.95)


def skewed(n=500, seed=0, *, narrow=1.0, weighted=False):
    """Quantiles of log-normal rows; right if ``narrow`` is 1."""
    rng = np.random.default_rng(seed)
    center, spread = rng.normal(size=n), rng.uniform(0.3, 1.0, size=n)
    z = np.array([NormalDist().inv_cdf(level) for level in LEVELS])
    y = np.exp(center + spread * rng.normal(size=n))
    weight = rng.uniform(0.5, 2, size=n) if weighted else None
    table = np.exp(center[:, None] + narrow * spread[:, None] * z)
    return y, table, uc.Intervals.from_quantiles(y, table, LEVELS, sample_weight=weight)


@pytest.mark.parametrize("weighted", [False, True])
def test_observed_coverage_is_that_of_each_pair(weighted):
    """Counted by hand at the levels of the pairs, and read off the curve in between."""
    y, table, intervals = skewed(weighted=weighted)
    curve = intervals.ucc(vary="level")
    found = curve.reliability()
    assert found.levels == (0.5, 0.7, 0.9)
    for pair, level in enumerate(found.levels):
        inside = (y >= table[:, 2 - pair]) & (y <= table[:, 4 + pair])
        place = int(np.flatnonzero(found.nominal == level)[0])
        assert found.coverage[place] == pytest.approx(np.average(inside, weights=intervals.sample_weight))
    assert found.nominal.tolist() == [p / 100 for p in range(91)]
    wanted = [curve.at(parameter=parameter).coverage for parameter in found.parameter]
    assert found.coverage == pytest.approx(wanted, rel=1e-12)
    assert (found.as_given, found.observed) == (0.9, curve.original.coverage)
    assert found.assumed_shape == "none"


def test_right_quantiles_are_reliable_by_level_and_not_by_a_gaussian_shape():
    """What the assumption costs: the same right model of Laplace errors, judged by both."""
    rng = np.random.default_rng(1)
    spread = rng.uniform(0.5, 2, size=20_000)
    reach = [np.sign(level - 0.5) * -np.log(1 - abs(2 * level - 1)) for level in LEVELS]
    y, table = spread * rng.laplace(size=20_000), spread[:, None] * np.array(reach)
    intervals = uc.Intervals.from_quantiles(y, table, LEVELS)
    level, scale = (intervals.ucc(vary=vary).reliability() for vary in ("level", "scale"))
    assert level.expected_calibration_error < 0.01
    assert level.calibration_error_interval[0] == 0
    assert scale.expected_calibration_error > 0.05
    assert scale.calibration_error_interval[0] > 0.04
    assert (level.assumed_shape, scale.assumed_shape) == ("none", "gaussian")


def test_the_calibration_error_is_the_mean_over_the_levels():
    y, table, intervals = skewed(narrow=0.6)
    found = intervals.ucc(vary="level").reliability()
    observed = [np.mean((y >= table[:, 2 - p]) & (y <= table[:, 4 + p])) for p in range(3)]
    wanted = np.mean(np.abs(np.array(observed) - (0.5, 0.7, 0.9)))
    assert found.expected_calibration_error == pytest.approx(wanted, rel=1e-12)
    margin = np.sqrt(np.log(2 / 0.05) / (2 * 500))
    assert found.calibration_error_interval == pytest.approx((wanted - margin, wanted + margin), rel=1e-9)
    assert np.allclose(found.high - found.coverage, np.minimum(margin, 1 - found.coverage))


def perfect_limit(nominal, *, side="upper", n=20_000, seed=2):
    """One-sided limits at the true quantile of Gaussian rows."""
    rng = np.random.default_rng(seed)
    spread = rng.lognormal(sigma=0.5, size=n)
    reach = NormalDist().inv_cdf(nominal) * spread
    bound = {"upper": reach} if side == "upper" else {"lower": -reach}
    return uc.Intervals.from_bounds(spread * rng.normal(size=n), y_pred=np.zeros(n), nominal=nominal, **bound)


@pytest.mark.parametrize(("side", "nominal"), [("upper", 0.8), ("lower", 0.95)])
def test_perfect_one_sided_limits_are_reliable(nominal, side):
    """A limit claims p at the factor of its own quantile, from rows and from a sketch."""
    rows = perfect_limit(nominal, side=side)
    quantile = NormalDist().inv_cdf
    for curve in (rows.ucc(), rows.sketch().curve()):
        found = curve.reliability()
        assert found.expected_calibration_error < 0.01
        assert found.calibration_error_interval[0] == 0
        assert found.nominal.tolist() == [p / 100 for p in range(50, 100)]
        assert found.levels == tuple(found.nominal.tolist())
        wanted = [quantile(p / 100) / quantile(nominal) for p in range(50, 100)]
        assert found.parameter == pytest.approx(wanted)
        assert (found.as_given, found.observed) == (nominal, curve.original.coverage)


LIMIT, LEVEL = perfect_limit(0.9, n=50).ucc(), skewed(9)[2].ucc(vary="level")
CASES = {
    "a limit at the median": (lambda: LIMIT.reliability(0.5), ArgumentError, "nominal"),
    "a claim beside levels": (lambda: LEVEL.reliability(0.9), ArgumentError, "nominal"),
    "shift": (LEVEL.intervals.ucc(vary="shift").reliability, ArgumentError),
    "confidence level": (lambda: LEVEL.reliability(confidence_level=2), ArgumentError, "confidence_level"),
}


@pytest.mark.parametrize("name", CASES)
def test_each_error_names_its_argument(name):
    check_error(*CASES[name])
