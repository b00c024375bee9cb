"""Confidence intervals and bands: estimates, standard errors, coverage."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest, t

import uccurve as uc
from uccurve import exceptions as ex
from uccurve.datasets import make_heteroscedastic

XY = [(x, y) for x in ("bandwidth", "excess") for y in ("miss_rate", "deficit")]


def sample(n=500, seed=0, *, weighted=False):
    data = make_heteroscedastic(n, spread=0.4, rng=seed)
    rng = np.random.default_rng(seed + 1)
    weight = rng.uniform(0.5, 2, size=n) if weighted else None
    bands = data.std * rng.lognormal(sigma=0.2, size=(2, n))
    return uc.Intervals.from_bands(data.y_true, data.y_pred, *bands, sample_weight=weight)


PARTS = [
    {},
    {"miss_rate": (0.1, 0.7)},
    {"excess": (0.1, 0.5)},
    {"parameter": (0.2, 0.8)},
    {"deficit": (0.05, 0.3)},
]


@pytest.mark.slow
@pytest.mark.parametrize(("vary", "symmetric"), [("scale", False), ("scale", True), ("shift", False)])
@pytest.mark.parametrize("what", ["area", "gain"])
def test_estimates_of_the_bootstrap_are_those_of_the_curve(what, vary, symmetric):
    """On every axis and range, with whole weights, zeros among them."""
    a = sample(60)
    weight = np.random.default_rng(2).integers(0, 4, size=60).astype(float)
    upper = None if symmetric else a.upper_band
    rows = uc.Intervals.from_bands(a.y_true, a.y_pred, a.lower_band, upper, sample_weight=weight)
    for x, y in XY:
        for part in PARTS:
            options = {"x": x, "y": y, "partial": "strip", **part}
            found = uc.confidence_interval(
                rows, what, vary=vary, method="percentile", n_resamples=2, rng=0, **options
            )
            wanted = getattr(rows.ucc(vary=vary), what)(**options)
            assert found.estimate == pytest.approx(wanted, rel=1e-9), options


ESTIMATES = {
    "miss_rate": lambda i: i.ucc().original.miss_rate,
    "coverage": lambda i: i.ucc().original.coverage,
    "bandwidth": lambda i: i.ucc().original.bandwidth,
    "excess": lambda i: i.ucc().original.excess,
    "deficit": lambda i: i.ucc().original.deficit,
}


@pytest.mark.parametrize("what", ESTIMATES)
@pytest.mark.parametrize("weighted", [False, True])
def test_means_have_the_textbook_interval(what, weighted):
    """Estimate plus or minus standard errors by Student's t."""
    a = sample(weighted=weighted)
    found = uc.confidence_interval(a, what, method="delta")
    assert found.estimate == pytest.approx(ESTIMATES[what](a))
    assert (found.high - found.low) / 2 == pytest.approx(t.ppf(0.975, a.n - 1) * found.standard_error)
    if what == "bandwidth" and not weighted:
        width = (a.upper - a.lower) / 2
        assert found.standard_error == pytest.approx(np.std(width, ddof=1) / np.sqrt(a.n))


def constant(*missed, weight=None):
    """Rows of which some are missed by as much as they are wide."""
    return uc.Intervals.from_bands(2.0 * np.array(missed), np.zeros(len(missed)), 1.0, sample_weight=weight)


@pytest.mark.parametrize("misses", [0, 1, 12, 100])
@pytest.mark.parametrize("what", ["coverage", "miss_rate"])
def test_a_share_has_clopper_and_pearsons_limits(what, misses):
    """Also where no row or one is missed; a normal approximation would be a point, or leave [0, 1]."""
    found = uc.confidence_interval(constant(*np.arange(100) < misses), what)
    exact = binomtest(misses if what == "miss_rate" else 100 - misses, 100).proportion_ci(0.95, "exact")
    assert (found.low, found.high) == pytest.approx((exact.low, exact.high))
    assert (found.method, found.n_resamples, found.reliable) == ("binomial", 0, True)


def test_a_share_of_weights_and_blocks_is_that_of_a_single_segment():
    """Both know as little as so many independent rows."""
    a = sample(240, weighted=True)
    (wanted,) = uc.conditional_coverage(a, by=np.zeros(240), blocks=6).segments
    found = uc.confidence_interval(a, "coverage", blocks=6)
    assert (found.low, found.high) == pytest.approx((wanted.low, wanted.high))
    with pytest.raises(ex.ArgumentError):
        uc.confidence_interval(a, "bandwidth", method="binomial")


@pytest.mark.parametrize(
    ("what", "misses", "options"),
    [
        ("coverage", 0, {"method": "percentile", "n_resamples": 19}),
        ("miss_rate", 0, {"blocks": 4}),
        ("coverage", 1, {"method": "delta"}),
        ("coverage", 3, {"minus": constant(*np.arange(100) < 3).scaled(3)}),
        ("deficit", 0, {}),
        ("deficit", 12, {}),
        ("excess", 100, {}),
        ("interval_score", 3, {"coverage": 0.9}),
    ],
)
def test_a_number_that_few_misses_decide_is_not_reliable(what, misses, options):
    """And stays where such a number can be."""
    found = uc.confidence_interval(constant(*np.arange(100) < misses), what, **options)
    assert not found.reliable
    assert found.low >= (-1 if "minus" in options else 0)
    assert found.high <= (math.inf if what == "interval_score" else 1)


def test_dropped_rows_shift_no_block():
    """Days stay days where the first one lacks its morning."""
    rng, days = np.random.default_rng(0), np.repeat(np.arange(40), 24)
    y = np.where(np.arange(days.size) < 12, np.nan, rng.normal(size=40)[days])
    frame = pd.DataFrame({"y": y, "pred": 0.0, "lower": -1.0, "upper": 1.0, "day": days})
    with pytest.warns(ex.DroppedRowsWarning):
        rows = uc.Intervals.from_bands(y, 0 * y, 1.0, invalid="drop")
    asked = [(rows, 24), (rows, days)]
    for blocks in (24, "day"):
        with pytest.warns(ex.DroppedRowsWarning):
            models = uc.Models.from_frame(frame, blocks=blocks, invalid="drop")
        asked.append((models["model"], models.blocks))
    found = [uc.confidence_interval(one, "bandwidth_at", coverage=0.9, blocks=b) for one, b in asked]
    assert {one.n_units for one in found} == {40}
    assert {one.standard_error for one in found} == {found[0].standard_error}


ASKED = [
    {"statistic": "area"},
    {"statistic": "gain"},
    {"statistic": "area", "y": "deficit"},
    {"statistic": "gain", "y": "deficit"},
    {"statistic": "area", "partial": "mean", "miss_rate": (0.05, 0.4)},
    {"statistic": "gain", "partial": "mean", "coverage": (0.5, 0.95)},
    {"statistic": "excess"},
]


@pytest.mark.slow
@pytest.mark.parametrize("paired", [False, True])
@pytest.mark.parametrize("asked", ASKED)
def test_delta_and_bootstrap_agree(asked, paired):
    """Standard errors within 5% on 10 000 rows."""
    a = sample(10_000)
    minus = uc.Intervals.from_bands(a.y_true, a.y_pred, np.sqrt(a.lower_band)) if paired else None
    delta = uc.confidence_interval(a, **asked, minus=minus, method="delta")
    drawn = uc.confidence_interval(a, **asked, minus=minus, method="percentile", n_resamples=2000, rng=1)
    assert delta.estimate == pytest.approx(drawn.estimate, rel=1e-9)
    assert delta.standard_error == pytest.approx(drawn.standard_error, rel=0.05)
    assert drawn.low < drawn.estimate < drawn.high


def test_dependent_rows_make_intervals_wider():
    """Blocks and labels: repeated rows know no more than one of them."""
    a = sample(300)
    repeated = uc.Intervals.from_bands(
        *(np.repeat(c, 4) for c in (a.y_true, a.y_pred, a.lower_band, a.upper_band))
    )
    honest = uc.confidence_interval(a, "gain")
    naive = uc.confidence_interval(repeated, "gain")
    assert naive.standard_error == pytest.approx(honest.standard_error / 2, rel=0.01)
    for blocks in (4, np.repeat(np.arange(300), 4)):
        found = uc.confidence_interval(repeated, "gain", blocks=blocks)
        assert found.standard_error == pytest.approx(honest.standard_error, rel=1e-9)
        assert found.n_units == 300
        drawn = uc.confidence_interval(
            repeated, "gain", blocks=blocks, method="percentile", n_resamples=500, rng=0
        )
        assert drawn.standard_error == pytest.approx(honest.standard_error, rel=0.12)


@pytest.mark.slow
@pytest.mark.parametrize(
    "asked",
    [
        {"statistic": "gain", "x": "excess", "y": "deficit"},
        {"statistic": "area", "x": "excess"},
        {"statistic": "gain", "vary": "shift", "y": "deficit"},
        {"statistic": "gain", "miss_rate": (0, 0.5)},
        {"statistic": "parameter", "miss_rate": 0.1},
        {"statistic": "parameter", "coverage": 0.8, "vary": "shift"},
    ],
)
def test_the_bootstrap_reaches_everything(asked):
    """And says it was a bootstrap, where nothing else exists."""
    a = sample(400)
    found = uc.confidence_interval(a, **asked, method="percentile", n_resamples=300, rng=0)
    assert found.method == "percentile"
    assert found.low < found.estimate < found.high
    assert found.high - found.low == pytest.approx(3.92 * found.standard_error, rel=0.25)
    assert found == uc.confidence_interval(a, **asked, method="percentile", n_resamples=300, rng=0)


def test_the_band_of_the_curve():
    """As wide everywhere, and within 0 and 1."""
    curve = sample(200).ucc()
    band = curve.confidence_band(confidence_level=0.9)
    assert band.low.min() == 0
    assert band.high.max() == 1
    middle = np.argmin(np.abs(curve.miss_rate - 0.5))
    assert band.high[middle] - curve.miss_rate[middle] == pytest.approx(np.sqrt(np.log(20) / 400))


@pytest.mark.parametrize(
    "asked",
    [*ASKED, {"statistic": "gain", "x": "excess", "y": "deficit"}, {"statistic": "gain", "vary": "shift"}],
)
def test_rows_without_weight_are_not_there(asked):
    """Neither for the number nor for its interval, even where scaling could never capture them."""
    a = sample(80, weighted=True)
    lower, weight = a.lower_band.copy(), a.sample_weight.copy()
    weight[::4], lower[::4] = 0, 0
    some = uc.Intervals.from_bands(a.y_true, a.y_pred, lower, a.upper_band, sample_weight=weight)
    keep = weight > 0
    few = uc.Intervals.from_bands(
        *(c[keep] for c in (a.y_true, a.y_pred, lower, a.upper_band)), sample_weight=weight[keep]
    )
    found, expected = (uc.confidence_interval(m, **asked, n_resamples=20, rng=0) for m in (some, few))
    assert found == expected
    tests = [uc.permutation_test(m, m.scaled(2).shifted(0.1), n_resamples=20, rng=0) for m in (some, few)]
    assert tests[0] == tests[1]


@pytest.mark.parametrize("unit", [1e-95, 1e95])
@pytest.mark.parametrize("asked", [*ASKED, {"statistic": "gain", "vary": "shift", "y": "deficit"}])
def test_units_do_not_matter(unit, asked):
    """Numbers scale with their power of the unit."""
    one = sample(60)
    columns = (one.y_true, one.y_pred, one.lower_band, one.upper_band)
    other = uc.Intervals.from_bands(*(column * unit for column in columns))
    power = 1.0 if asked["statistic"] == "gain" else unit ** (2 if asked.get("y") == "deficit" else 1)
    a, b = (uc.confidence_interval(rows, **asked, n_resamples=30, rng=0) for rows in (one, other))
    for field in ("estimate", "low", "high", "standard_error"):
        assert getattr(b, field) == pytest.approx(getattr(a, field) * power, rel=1e-6, abs=0), field


def test_numbers_that_are_not_defined_say_so():
    """All predictions exact, or a range without any of the curve."""
    exact = uc.Intervals.from_bands([1.0, 2, 3], [1.0, 2, 3], 1.0)
    assert uc.confidence_interval(exact, "area").estimate == 0
    with pytest.raises(ex.UnreachableError):
        uc.confidence_interval(exact, "gain")
    with pytest.raises(ex.UnreachableError):
        uc.permutation_test(exact, exact, statistic="gain")
