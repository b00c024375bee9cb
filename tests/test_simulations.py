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
    import simulate

    yield laws, simulate
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
    laws, simulate = simulations

    def outcome(law, share, setting="9 rows", low=0.93, high=0.97):
        return laws.Outcome(what="gain", setting=setting, law=law, share=share, low=low, high=high)

    unclaimed = [outcome(law, 0.5, "5 marked", 0.0, 1.0) for law in ("Gaussian", "t5")]
    found = [outcome("Gaussian", 0.95), outcome("t5", 0.9), outcome("t3", 0.92), outcome("Laplace", 0.98)]
    text = simulate.render(1000, [*found, *unclaimed])
    assert "**1 of 4 simulated shares" in text
    assert "* gain: 2 of 4 shares lie below what is wanted, at worst 90.0% (t5, 9 rows)." in text
    assert "* gain: 1 of 4 shares lie above what is wanted, at worst 98.0% (Laplace, 9 rows)." in text
    assert "| gain | 9 rows | 95.0% | **90.0%** | **92.0%** | **98.0%** | 93.0–97.0% | NO |" in text
    assert "|  | 5 marked | 50.0% | 50.0% |  |  | – | – |" in text
    assert "except" not in simulate.render(1000, found[:1])


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
    """A few comparisons of 400 rows: none is wrong, all intervals are counted."""
    found = recommendation.comparisons("Gaussian", 400, 6, 0, "interval_score")
    assert (found["runs"], found["wrong"], found["crossed"]) == (6, 0, 0)
    assert (found["unmarked"], found["marked"]) == (18, 0)
    curves = recommendation.bands(20, 0, "interval_score", "σ over √σ", 300, "t5")
    assert curves["covered"] >= 16
    assert curves["crossed"] == 0
