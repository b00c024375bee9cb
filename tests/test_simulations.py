"""The page of the simulations says by itself what is not met; recommendations are counted as they are."""

from __future__ import annotations

import sys
from pathlib import Path
from statistics import NormalDist

import numpy as np
import pytest

FOLDER = Path(__file__).parents[1] / "simulations"


@pytest.fixture
def simulations(monkeypatch):
    """The programs of the simulations."""
    monkeypatch.syspath_prepend(str(FOLDER))
    import laws
    import simulations_page

    yield laws, simulations_page
    for path in FOLDER.glob("*.py"):
        sys.modules.pop(path.stem, None)


@pytest.fixture
def recommendation(simulations, monkeypatch):  # noqa: ARG001 - puts them on the path
    """The simulation of recommendations, with a smaller population."""
    import recommendation

    monkeypatch.setattr(recommendation, "MANY", 200_000)
    return recommendation


def test_the_page_names_what_is_not_met_and_claims_nothing_of_marked_intervals(simulations):
    """Above and below, by the worst line."""
    laws, simulations_page = simulations
    what = "95% interval of the gain, by default"

    def line(share, low=0.93, high=0.97, setting="Gaussian"):
        return laws.Outcome(what=what, setting=setting, share=share, low=low, high=high)

    found = [line(0.95), line(0.92), line(0.9, setting="t5"), line(0.98), line(0.5, 0.0, 1.0, "5 marked")]
    text = simulations_page.page(1000, found)
    assert f"* {what}: 2 of 4 lines lie below what is wanted, at worst 90.0% (t5)." in text
    assert f"* {what}: 1 of 4 lines lie above what is wanted, at worst 98.0% (Gaussian)." in text
    assert f"| {what} | 5 marked | 50.0% | – | – |" in text
    assert f"| {what} | t5 | 90.0% | 93.0–97.0% | NO |" in text
    assert "Everything is met, in all 1 lines." in simulations_page.page(1000, found[:1])


def test_the_population_agrees_with_formulas(recommendation):
    """With Gaussian noise the score of the truth is 4 E[σ] φ(t)/r, half of it the number; √σ is narrower."""
    found, normal = recommendation.true_numbers("Gaussian"), NormalDist()
    rates = recommendation.RATES
    factor = np.array([normal.inv_cdf(1 - rate / 2) for rate in rates])
    mean = np.exp(recommendation.SPREAD**2 / 2)
    usual = slice(1, 100)
    assert found["bandwidth"]["σ"][usual] == pytest.approx((mean * factor)[usual], rel=0.02)
    density = np.exp(-(factor**2) / 2) / np.sqrt(2 * np.pi)
    assert found["interval_score"]["σ"][usual] == pytest.approx((mean * 2 * density / rates)[usual], rel=0.02)
    place = recommendation.place_of(0.9)
    best = {
        criterion: min(numbers, key=lambda name: numbers[name][place]) for criterion, numbers in found.items()
    }
    assert best == {"interval_score": "σ", "bandwidth": "√σ"}
    widths, scores = (
        recommendation.true_ratio("Gaussian", criterion, "σ", "√σ")
        for criterion in ("bandwidth", "interval_score")
    )
    assert recommendation.crosses(widths, 10_000)
    assert not recommendation.crosses(widths, 300)  # beyond what 300 rows know
    assert not recommendation.crosses(scores, 10_000)


def test_recommendations_are_counted(recommendation):
    """A few comparisons of 400 rows: none is wrong, none contradicts itself, all intervals are counted."""
    found = recommendation.comparisons("Gaussian", 400, 6, 0, "interval_score")
    assert (found.runs, found.wrong, found.crossed, found.contradicted) == (6, 0, 0, 0)
    assert found.right >= 2
    assert (found.reliable, found.doubtful) == (18, 0)
    curves = recommendation.bands("t5", 300, 20, 0, "interval_score", "σ over √σ")
    assert curves.covered >= 16
    assert curves.crossed == 0
    scores = recommendation.differences("Laplace", 300, 60, 0, 0.95)
    assert (scores.reliable, scores.doubtful) == (0, 60)  # 15 rows are missed
    assert scores.doubtful_covered / 60 >= 0.85
