"""The verdict: one answer at the chosen coverage, true to the tests, and honest where they do not decide."""

from __future__ import annotations

import numpy as np
import pytest

import uccurve as uc

CONSTANT = "constant width"


@pytest.fixture(scope="module")
def compared(crossing):
    return uc.compare(crossing, n_resamples=199, rng=0)


def test_the_verdict_answers_first_and_says_the_rest_later(compared):
    """What to use and how sure that is, who is narrower, and what holds as supplied."""
    found = compared.recommendation
    assert found.best == "sharp"
    assert found.answer.startswith(
        "At 90% coverage, use sharp: its interval score is 26% better than damped's"
    )
    assert found.answer.count("95% CI") == 1
    assert found.beside.startswith("damped is 7% narrower than sharp, but")
    assert found.elsewhere == ""
    assert "sharp covers 69% and damped 67%" in found.as_supplied
    assert "scale sharp by 1.68 and damped by 2.12" in found.as_supplied
    assert compared.verdict == " ".join(found.sentences)


def test_a_test_that_cannot_decide_is_no_answer(crossing):
    """Nine exchanges allow no p-value below 0.1, however large the lead."""
    comparison = uc.compare(crossing, n_resamples=9, rng=0)
    assert comparison.recommendation.best is None
    assert "not decided" in comparison.recommendation.answer
    assert {test.needs for test in comparison.tests} == {"resamples"}
    assert comparison.standings.resamples == {"permutations": 9, "bootstraps": 99}  # bands take more than 9
    assert not any(test.clear for test in comparison.tests)


def test_a_p_value_above_the_level_looks_larger():
    """0.0501 is no "0.05" beside "too close to call"."""
    rng = np.random.default_rng(57)
    scale = rng.lognormal(sigma=0.5, size=100)
    rows = uc.Intervals.from_bands(scale * rng.normal(size=100), 0 * scale, scale)
    assert uc.compare({"a": rows}, n_resamples=9999, rng=1).recommendation.answer.endswith("; p = 0.0501).")


def test_one_model_is_held_against_constant_width():
    """It wins, it loses, or nobody knows."""
    rng = np.random.default_rng(0)
    scale = np.exp(rng.normal(size=400))
    y, other = scale * rng.normal(size=400), np.exp(rng.normal(size=400))
    best = [
        uc.compare({"m": uc.Intervals.from_bands(y, 0 * y, band)}, n_resamples=199, rng=0).recommendation.best
        for band in (scale, other, 1 + 0.001 * other)
    ]
    assert best == ["m", CONSTANT, None]


@pytest.mark.parametrize(("n", "is_small"), [(60, True), (6, False)])
def test_nothing_is_decided_where_hardly_any_row_is_missed(crossing, n, is_small):
    """At most three rows are missed: there is no interval, and no lead is clear, whatever its p-value."""
    few = uc.compare({name: rows[:n] for name, rows in crossing.items()}, coverage=0.95, rng=0)
    assert all(not test.ratio.has_interval for test in few.tests)
    assert (min(test.pvalue_holm for test in few.tests) < 0.05) == is_small
    assert {test.needs for test in few.tests} == {"rows"}
    assert few.recommendation.best is None
    assert not any(test.clear for test in few.tests)
    assert "CI" not in few.verdict


def test_zero_bands_are_counted_and_have_a_remedy():
    """The coverage that is left is named as well; a shift reaches every coverage."""
    rng = np.random.default_rng(1)
    band = rng.exponential(size=80)
    band[:20] = 0
    rows = uc.Intervals.from_bands(rng.normal(size=80), np.zeros(80), band, nominal=0.9)
    found = uc.compare({"mine": rows}, n_resamples=9, rng=0).recommendation
    assert "No model reaches 90% coverage" in found.answer
    assert "mine covers at most 75%: 20 of 80 values" in found.cautions[0]
    shifted = uc.compare({"mine": rows}, n_resamples=9, rng=0, vary="shift").recommendation
    amount = rows.ucc(vary="shift").at(coverage=0.9).parameter
    assert "mine covers 44% (claimed 90%)" in shifted.as_supplied
    assert f"widen each side of mine by {amount:.3g}" in shifted.as_supplied
