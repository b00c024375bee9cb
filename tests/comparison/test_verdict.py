"""The verdict: one answer at the chosen coverage, true to the tests, and honest where they do not decide."""

from __future__ import annotations

import numpy as np
import pytest

import uccurve as uc
from uccurve.inference import PairedRatios, Resampling, Sample

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
    assert not any(test.clear for test in comparison.tests)


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


def test_the_lead_has_the_interval_of_the_paired_ratio(crossing, compared):
    """Both models move together; the band of `ratio_curve`, which holds at all coverages, is wider."""
    band = uc.ratio_curve(crossing["sharp"], crossing["damped"], rng=3)
    place = np.flatnonzero(band.coverage == 0.9)[0]
    resampling = Resampling(0.95, 2, np.random.default_rng(3))
    ratios = PairedRatios.of(Sample.of(crossing, None), band.miss_rate[[place]], "interval_score", resampling)
    error = ratios.ratio("sharp", "damped").error[0]
    test = compared.tests[0]
    assert (test.a, test.b) == ("sharp", "damped")
    expected = [band.ratio[place] * np.exp(sign * 1.96 * error) for sign in (-1, 0, 1)]
    assert (test.ratio.low, test.ratio.value, test.ratio.high) == pytest.approx(expected, rel=1e-2)
    assert test.ratio.value == pytest.approx(expected[1], rel=1e-9)
    assert band.low[place] < test.ratio.low < test.ratio.high < band.high[place]


def test_nothing_is_decided_where_hardly_any_row_is_missed(crossing):
    """Three rows are missed: there is no interval, and no lead is clear, however small its p-value."""
    few = uc.compare({name: rows[:60] for name, rows in crossing.items()}, coverage=0.95, rng=0)
    assert all(not test.ratio.has_interval for test in few.tests)
    assert min(test.pvalue_holm for test in few.tests) < 0.05
    assert {test.needs for test in few.tests if test.pvalue_holm < 0.05} == {"rows"}
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
    assert "mine claims 90% and covers 44%" in shifted.as_supplied
    assert f"widen each side of mine by {amount:.3g}" in shifted.as_supplied
