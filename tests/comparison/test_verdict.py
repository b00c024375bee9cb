"""The verdict: one answer at the chosen coverage, true to the tests, and honest where they do not decide."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from uccurve.comparison._lead import lead

import uccurve as uc
from uccurve.comparison import RecordTable, verdict


@pytest.fixture(scope="module")
def compared(crossing):
    return uc.compare(crossing, n_resamples=199, rng=0)


def changed(comparison, pair, **fields):
    """Return a comparison whose test of a pair says something else."""
    tests = [replace(test, **fields) if {test.a, test.b} == set(pair) else test for test in comparison.tests]
    return replace(comparison, tests=RecordTable(tuple(tests), "tests"))


def test_the_verdict_answers_first_and_looks_elsewhere_later(compared):
    """What to use, where that changes, and what holds as delivered."""
    found = verdict(compared)
    assert found.best == "damped"
    assert found.answer == (
        "For 90% coverage use damped: 7% narrower than sharp (95% interval 4–10%), 13% narrower than a "
        "constant band (11–15%)."
    )
    assert found.elsewhere == "Above 94% use sharp; below 63% a constant band is narrowest."
    assert found.as_delivered == (
        "As delivered damped covers 67% and sharp covers 69%: for 90% multiply by 2.12 and 1.68, then calibrate on "
        "other data."
    )
    assert found.sentences == (found.answer, found.elsewhere, found.as_delivered)


@pytest.mark.parametrize("fields", [{"pvalue_at_holm": 0.2}, {"needs_at": "rows"}])
def test_a_lead_that_may_be_chance_makes_no_winner(compared, fields):
    """Neither where the test says so, nor where it cannot decide."""
    found = verdict(changed(compared, ("sharp", "damped"), **fields))
    assert found.best is None
    assert found.answer.startswith(
        "At 90% coverage no model is clearly the narrowest: damped leads sharp by 7% "
        "(95% interval 4–10%), which may be chance."
    )
    assert ("Some differences cannot be decided without more rows." in found.cautions) == (
        "needs_at" in fields
    )


def test_one_model_is_held_against_the_constant_band(crossing):
    """It wins, it loses, or nobody knows."""
    answers = {
        coverage: verdict(uc.compare({"sharp": crossing["sharp"]}, n_resamples=199, rng=0, coverage=coverage))
        for coverage in (0.99, 0.86, 0.5)
    }
    assert re.match(r"For 99% coverage use sharp: 44% narrower than a constant band", answers[0.99].answer)
    assert answers[0.86].answer.startswith(
        "At 86% coverage no model beats a constant band: sharp is 2% wider"
    )
    assert answers[0.86].answer.endswith(", which may be chance.")
    assert answers[0.5].answer.startswith("For 50% coverage a constant band is narrowest: sharp is 51% wider")
    assert [found.best for found in answers.values()] == ["sharp", None, None]


def test_the_lead_has_the_interval_of_the_paired_ratio(crossing, compared):
    """Both models are resampled together, as in `ratio_curve`; a single level of confidence is said once."""
    band = uc.ratio_curve(crossing["damped"], crossing["sharp"], kind="pointwise", rng=3)
    place = np.flatnonzero(band.miss_rate == 0.1)[0]
    found = lead(compared, "damped", "sharp")
    assert found.share == pytest.approx(1 - band.ratio[place], rel=1e-12)
    margin = np.log(band.high[place] / band.ratio[place])
    assert -np.log((1 - found.high) / (1 - found.share)) == pytest.approx(margin, rel=0.15)
    assert np.log((1 - found.low) / (1 - found.share)) == pytest.approx(margin, rel=0.15)
    assert verdict(compared).answer.count("95%") == 1


def test_a_lead_of_few_rows_has_no_interval(crossing):
    """Fewer than ten rows are missed: whatever a bootstrap said of them would be too short."""
    few = {name: rows[:60] for name, rows in crossing.items()}
    found = lead(uc.compare(few, n_resamples=9, rng=0), "damped", "sharp")
    assert np.isfinite(found.share)
    assert np.isnan([found.low, found.high]).all()


def test_an_interval_that_few_rows_decide_is_marked(compared):
    """In the answer, and as a caution."""
    scores = tuple(replace(score, gain_at_reliable=False) for score in compared.scores)
    found = verdict(replace(compared, scores=RecordTable(scores, "scores")))
    assert "than a constant band (11–15%, from few rows)" in found.answer
    assert "Few rows decide the interval of damped: it may be too short." in found.cautions


def test_sketches_are_ranked_without_a_word_on_significance(crossing):
    """They keep no rows to test."""
    found = verdict(uc.compare({name: rows.sketch() for name, rows in crossing.items()}))
    assert found.answer == (
        "At 90% coverage damped leads (not tested): 7% narrower than sharp, 13% narrower than a constant "
        "band."
    )
    assert found.cautions == ("Sketches keep no rows: differences are not tested.",)


def test_zero_bands_are_counted_and_have_a_remedy():
    """The coverage that is left is named as well; a shift reaches every coverage."""
    rng = np.random.default_rng(1)
    band = rng.exponential(size=80)
    band[:20] = 0
    rows = uc.Intervals.from_bands(rng.normal(size=80), np.zeros(80), band, nominal=0.9)
    found = verdict(uc.compare({"mine": rows}, n_resamples=9, rng=0))
    assert found.answer == "No model reaches 90% coverage: some bands have no width."
    assert found.cautions[0].startswith(
        "mine covers at most 75%: 20 of 80 values are missed by bands of zero width, which no factor widens."
    )
    shifted = verdict(uc.compare({"mine": rows}, n_resamples=9, rng=0, vary="shift"))
    amount = rows.ucc(vary="shift").at(coverage=0.9).parameter
    assert f"mine claims 90% and covers 44%: for 90% add {amount:.3g} to each band" in shifted.as_delivered


def test_a_clear_lead_over_a_model_is_not_called_chance_with_the_constant_band():
    """Two statements, each with its own doubt."""
    rng = np.random.default_rng(0)
    y = rng.normal(size=300)
    good = uc.Intervals.from_bands(y, 0 * y, 1 + 0.02 * rng.uniform(size=300))
    poor = uc.Intervals.from_bands(y, 0 * y, np.exp(1.5 * rng.normal(size=300)))
    found = verdict(uc.compare({"good": good, "poor": poor}, n_resamples=199, rng=0))
    first, second = found.answer.split(". ", 1)
    assert first.startswith("For 90% coverage use good:")
    assert "chance" not in first
    assert second.startswith("Its lead over a constant band may be chance: ")


def test_a_constant_band_among_the_models_is_called_one(crossing):
    """Alone it has nothing to be compared with."""
    constant = crossing["sharp"].constant()
    alone = verdict(uc.compare({"flat": constant}, n_resamples=9, rng=0))
    assert alone.answer == "flat is a constant band: there is nothing to compare it with."
    both = verdict(
        uc.compare({"flat": constant, "sharp": crossing["sharp"]}, n_resamples=199, rng=0, coverage=0.5)
    )
    assert both.answer.startswith(
        "For 50% coverage a constant band is narrowest: flat is one, 34% narrower than sharp"
    )


def test_names_are_text(crossing):
    """Whatever they are made of."""
    found = verdict(uc.compare({"a\u202eb": crossing["sharp"]}, n_resamples=9, rng=0))
    assert "\u202e" not in " ".join(found.sentences)
