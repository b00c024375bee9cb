"""The page of the simulations says by itself what is not met."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest


@pytest.fixture
def simulations(monkeypatch):
    """The programs of the simulations."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[1] / "simulations"))
    import outcomes
    import simulations_page

    yield outcomes, simulations_page
    for name in ("outcomes", "simulations_page", "laws"):
        sys.modules.pop(name, None)


def test_the_page_names_what_is_not_met_and_claims_nothing_of_marked_intervals(simulations, tmp_path):
    """Above and below, by the worst line; a file of outcomes gives the same page again."""
    outcomes, simulations_page = simulations
    what = "95% interval of the gain, by default"

    def line(share, low=0.93, high=0.97, setting="Gaussian"):
        return outcomes.Outcome(what=what, setting=setting, share=share, low=low, high=high)

    found = [line(0.95), line(0.92), line(0.9, setting="t5"), line(0.98), line(0.5, 0.0, 1.0, "5 marked")]
    text = simulations_page.page(1000, found)
    assert f"* {what}: 2 of 4 lines lie below what is wanted, at worst 90.0% (t5)." in text
    assert f"* {what}: 1 of 4 lines lie above what is wanted, at worst 98.0% (Gaussian)." in text
    assert f"| {what} | 5 marked | 50.0% | – | – |" in text
    assert f"| {what} | t5 | 90.0% | 93.0–97.0% | NO |" in text
    outcomes.write(tmp_path / "o.json", 1000, found)
    assert simulations_page.page(*outcomes.read(tmp_path / "o.json")) == text
    assert "Everything is met, in all 1 lines." in simulations_page.page(1000, found[:1])
