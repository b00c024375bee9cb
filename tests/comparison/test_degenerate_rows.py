"""Comparisons at the edge: bands of zero, exact predictions, few rows, models that are alike, many models."""

from __future__ import annotations

import itertools
import math
import re

import numpy as np
import pytest

import uccurve as uc
from errors import raises
from uccurve.exceptions import ArgumentError

CONSTANT = "constant width"
N = 120
_RNG = np.random.default_rng(0)
SCALE = _RNG.lognormal(size=N)
NOISE = _RNG.normal(size=N)
Y = SCALE * NOISE
TRUE = uc.Intervals.from_bands(Y, 0 * Y, SCALE)
DAMPED = uc.Intervals.from_bands(Y, 0 * Y, np.sqrt(SCALE))


def exact(band):
    """Return intervals around predictions without error."""
    return uc.Intervals.from_bands(Y, Y, band)


def two_outputs():
    """Return errors of two sizes, and bands that know them."""
    y = np.stack([Y, 100 * Y], axis=1)
    return uc.Intervals.from_bands(y, 0 * y, np.stack([SCALE, 100 * SCALE], axis=1))


MODELS = {
    "zero bands": {"zero": uc.Intervals.from_bands(Y, 0 * Y, 0 * Y)},
    "zero bands beside others": {"zero": uc.Intervals.from_bands(Y, 0 * Y, 0 * Y), "true": TRUE},
    "some zero bands": {"some": uc.Intervals.from_bands(Y, 0 * Y, np.arange(N) % 2.0), "true": TRUE},
    "all exact": {"a": exact(SCALE), "b": exact(np.sqrt(SCALE))},
    "exact with zero bands": {"a": exact(0 * Y), "b": exact(SCALE)},
    "exact beside others": {"a": exact(SCALE), "true": TRUE},
    "mostly exact": {"m": uc.Intervals.from_bands(np.where(np.arange(N) < 80, 0, Y), 0 * Y, SCALE)},
    "identical": {"a": TRUE, "b": TRUE, "c": TRUE.scaled(3.0)},
    "constant alone": {"flat": TRUE.constant()},
    "constant twice": {"flat": TRUE.constant(), "wide": TRUE.constant().scaled(2.0), "true": TRUE},
    "two rows": {"true": TRUE[:2], "damped": DAMPED[:2]},
    "two weights": {"m": uc.Intervals.from_bands(Y, 0 * Y, SCALE, sample_weight=1.0 * (np.arange(N) < 2))},
    "two sizes": {"m": uc.Intervals.from_bands(np.arange(N) % 2, 0 * Y, 2 - np.arange(N) % 2)},
    "other predictions": {"true": TRUE, "off": uc.Intervals.from_bands(Y, 0.3 + 0 * Y, SCALE)},
    "two outputs": {"m": two_outputs()},
    "limits": {
        name: uc.Intervals.from_bounds(Y, None, band, y_pred=0 * Y)
        for name, band in (("true", SCALE), ("flat", 1 + 0 * Y))
    },
}
OPTIONS = {
    "plain": {},
    "shift": {"vary": "shift"},
    "narrow": {"rank_by": "bandwidth", "coverage": 0.4},
    "blocks": {
        "x": "excess",
        "y": "deficit",
        "blocks": np.arange(N) % 30,
        "coverage": 0.995,
    },
}


def check(comparison):
    """Whatever the rows: all that is said and shown is there, and no word is a number that is none."""
    words = [comparison.verdict, *comparison.findings, *comparison.answers]
    assert len(comparison.answers) == comparison.standings.rates.size
    assert not any(number in text.split() for text in words for number in ("nan", "nan%", "inf", "inf%"))
    assert "  " not in comparison.verdict
    assert not any(text.startswith("constant") for text in words)
    named = re.findall(rf"{CONSTANT} of \w+", comparison.recommendation.answer)
    assert all(f"\n{name}" in str(comparison) for name in named), "the table has all that the answer names"
    assert str(comparison).startswith(comparison.verdict[:20])
    assert all(math.isfinite(value) for value in comparison.to_dict().values())


@pytest.mark.parametrize(("rows", "how"), [*zip(MODELS, itertools.cycle(OPTIONS), strict=False)])
def test_anything_can_be_compared(rows, how):
    """Without an error or a warning."""
    options, models = OPTIONS[how], MODELS[rows]
    if "blocks" in options and rows in ("two rows", "two weights"):
        options = options | {"blocks": 1}
    comparison = uc.compare(models, n_resamples=49, rng=0, **options)
    check(comparison)
    assert comparison.recommendation.best in {None, *comparison.curves}


@pytest.mark.parametrize("rows", MODELS)
def test_sketches_of_anything_can_be_compared(rows):
    """A reference of its own belongs to each, even to bands of zero."""
    models = {name: model.sketch() for name, model in MODELS[rows].items()}
    comparison = uc.compare(models)
    check(comparison)
    assert set(comparison.own_constant_band.values()) <= set(comparison.constant_bands)
    assert "Sketches keep no rows" in comparison.verdict


def test_bands_of_zero_are_out_of_reach():
    """No factor widens them; the caution counts them."""
    comparison = uc.compare(MODELS["zero bands beside others"], n_resamples=199, rng=0)
    standing = comparison.at(coverage=0.9)
    assert "zero" not in standing.order
    assert math.isnan(next(test for test in comparison.tests if test.a == "zero").pvalue)
    assert f"{N} of {N} values" in comparison.recommendation.cautions[0]


def test_a_score_of_zero_is_a_reason_of_its_own():
    """Twelve rows are missed, and more would not help: 0 has no logarithm."""
    findings = uc.compare(MODELS["exact beside others"], n_resamples=199, rng=0).findings
    assert any("not decided (the interval score of a is 0: the ratio has no CI)" in line for line in findings)


def test_the_same_model_twice_is_too_close_to_call():
    """Factors common to all bands change nothing; rounding is no finding at any coverage."""
    comparison = uc.compare(MODELS["identical"], n_resamples=999, rng=0)
    assert comparison.recommendation.best is None
    pairs = [test for test in comparison.tests if CONSTANT not in (test.a, test.b)]
    assert [test.ratio.value for test in pairs] == pytest.approx([1, 1, 1], abs=1e-9)
    assert not any(test.clear for test in pairs)
    assert {regime.best for regime in comparison.regimes} <= {None, CONSTANT}
    assert not any({one.a, one.b} <= {"a", "b", "c"} for one in comparison.crossings)


def test_a_constant_width_alone_has_nothing_to_be_compared_with():
    """It is its own reference; it has rows, so nothing is said about sketches."""
    comparison = uc.compare(MODELS["constant alone"], n_resamples=9, rng=0)
    assert not comparison.tests
    assert comparison.recommendation.best is None
    assert comparison.recommendation.cautions == ()
    assert comparison.at(coverage=0.9).order == ("flat",)


def test_a_constant_width_among_the_models_is_not_ranked_twice():
    """Whatever its name."""
    comparison = uc.compare(MODELS["constant twice"], n_resamples=199, rng=0)
    assert set(comparison.at(coverage=0.9).order) == {"flat", "wide", "true"}
    assert "flat has constant width." in comparison.findings


def test_two_rows_decide_nothing():
    """No p-value is below 0.5, times three; one row is refused."""
    comparison = uc.compare(MODELS["two rows"], rng=0)
    assert {test.smallest_pvalue_holm for test in comparison.tests} == {1.0}
    assert not any(test.clear for test in comparison.tests)
    assert comparison.recommendation.best is None
    with raises(ArgumentError, "models"):
        uc.compare({"true": TRUE[:1]})


def test_one_block_is_refused():
    """There is nothing to exchange it with."""
    with raises(ArgumentError, "blocks"):
        uc.compare({"true": TRUE}, blocks=np.zeros(N))


def test_of_many_models_pairs_with_a_leader_are_tested():
    """Leaders at any coverage, and each model with its constant width; p-values are adjusted for all pairs."""
    models = {f"model {k}": uc.Intervals.from_bands(Y, 0 * Y, SCALE ** (0.1 * k)) for k in range(1, 31)}
    comparison = uc.compare(models, n_resamples=199, rng=0)
    standings = comparison.standings
    leaders = {standings.at_place(place).order[0] for place in range(standings.rates.size)}
    assert comparison.scores[0].model in leaders
    assert len(leaders) < 30
    pairs = {frozenset((test.a, test.b)) for test in comparison.tests}
    of_leaders = {frozenset((name, other)) for name in leaders for other in standings.names if name != other}
    assert pairs == of_leaders | {frozenset((name, CONSTANT)) for name in models}
    assert all(test.pvalue_holm >= test.pvalue >= 1 / 200 for test in comparison.tests)


def test_widths_of_very_different_sizes_are_compared():
    """Squares of what single rows move leave float64: there is no band then, and no warning."""
    bands = np.ones(60)
    bands[[3, 7]] = 1e64, 1e-90
    wild = uc.Intervals.from_bands(Y[:60], 0 * Y[:60], bands)
    comparison = uc.compare({"wild": wild}, rng=0, n_resamples=99)
    assert comparison.scores[0].model == CONSTANT
