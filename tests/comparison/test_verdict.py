"""The verdict: one answer at the chosen coverage, true to the tests, and honest where they do not decide."""

from __future__ import annotations

import math

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


def test_the_narrowest_is_not_called_the_best(crossing):
    """`rank_by="bandwidth"` compares widths, and warns where the interval score disagrees."""
    compared = uc.compare(crossing, n_resamples=199, rng=0, rank_by="bandwidth")
    found = compared.recommendation
    assert found.best == "damped"
    assert "damped is narrowest: 7% narrower than sharp" in found.answer
    assert "use damped" not in compared.verdict
    assert "sharp has the best interval score" in found.beside
    assert "sharp is clearly narrowest" in found.elsewhere
    assert f"{CONSTANT} is clearly narrowest" in found.elsewhere
    assert [score.model for score in compared.scores] == ["damped", "sharp", CONSTANT]


def test_a_lead_that_may_be_chance_makes_no_winner():
    """Models that differ by noise only."""
    rng = np.random.default_rng(0)
    y = rng.normal(size=200)
    models = {name: uc.Intervals.from_bands(y, 0 * y, rng.gamma(50, size=200)) for name in "ab"}
    found = uc.compare(models, rng=0).recommendation
    assert found.best is None
    assert "too close to call" in found.answer
    assert "use " not in found.answer


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
    """Both models move together, as in `ratio_curve` at this coverage."""
    band = uc.ratio_curve(crossing["sharp"], crossing["damped"], kind="pointwise", rng=3)
    place = np.flatnonzero(band.coverage == 0.9)[0]
    test = compared.tests[0]
    assert (test.a, test.b) == ("sharp", "damped")
    expected = band.ratio[place], band.low[place], band.high[place]
    assert (test.ratio, test.ratio_low, test.ratio_high) == pytest.approx(expected, rel=1e-2)
    assert test.ratio == pytest.approx(expected[0], rel=1e-9)


def test_nothing_is_decided_where_hardly_any_row_is_missed(crossing):
    """Three rows are missed: there is no interval, and no lead is clear, however small its p-value."""
    few = uc.compare({name: rows[:60] for name, rows in crossing.items()}, coverage=0.95, rng=0)
    assert all(math.isnan(test.ratio_low) and math.isnan(test.ratio_high) for test in few.tests)
    assert min(test.pvalue_holm for test in few.tests) < 0.05
    assert {test.needs for test in few.tests if test.pvalue_holm < 0.05} == {"rows"}
    assert few.recommendation.best is None
    assert not any(test.clear for test in few.tests)
    assert "CI" not in few.verdict


def test_sketches_are_ranked_without_a_word_on_significance(crossing):
    """They keep no rows to test."""
    comparison = uc.compare({name: rows.sketch() for name, rows in crossing.items()})
    found = comparison.recommendation
    assert found.best is None
    assert "sharp leads (not tested)" in found.answer
    assert found.cautions == ("Sketches keep no rows: differences are not tested.",)
    assert not comparison.at(coverage=0.9).tested


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


def test_the_coverage_is_what_all_models_claim():
    """Else 90%."""
    rng = np.random.default_rng(0)
    y = rng.normal(size=50)
    claims = {"a": 0.8, "b": 0.8, "c": 0.7}
    rows = {
        name: uc.Intervals.from_bands(y, 0 * y, rng.gamma(9, size=50), nominal=nominal)
        for name, nominal in claims.items()
    }
    same = uc.compare({name: rows[name] for name in "ab"}, n_resamples=9, rng=0)
    mixed = uc.compare(rows, n_resamples=9, rng=0)
    chosen = uc.compare(rows, n_resamples=9, rng=0, coverage=0.6)
    assert [c.to_dict()["coverage"] for c in (same, mixed, chosen)] == pytest.approx([0.8, 0.9, 0.6])
    assert same.verdict.startswith("At 80% coverage")


def test_names_are_text(crossing):
    """Whatever they are made of."""
    found = uc.compare({"a\u202eb": crossing["sharp"]}, n_resamples=9, rng=0).recommendation
    assert "\u202e" not in " ".join(found.sentences)
