"""The page tells one truth: at every step of the slider the answer, the chart, the table and the strip agree."""

from __future__ import annotations

import numpy as np
import pytest
from opened_page import numbers_of, opened, unpacked
from pages import PAGES, noisy_rows

import uccurve as uc
from uccurve._base.text import printable

WALK = """
async (last) => {
  const grip = document.querySelector(".grip");
  const press = (key) => grip.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  const strip = [...document.querySelectorAll(".ranges rect")].map((rect) => ({
    from: rect.__data__.from, to: rect.__data__.to, best: rect.__data__.best,
  }));
  press("Home");
  const steps = [];
  for (let step = 0; step <= last; step += 1) {
    await new Promise(queueMicrotask);
    const shown = [...document.querySelectorAll("#models-table tbody tr:not([hidden])")];
    steps.push({
      covered: Number(grip.getAttribute("aria-valuenow")) / 100,
      answer: document.getElementById("answer").textContent,
      dots: [...document.querySelectorAll("#chart .dots circle")].map((dot) =>
        [Number(dot.dataset.curve), Number(dot.dataset.value), Number(dot.getAttribute("cy"))]),
      best: shown.filter((row) => row.dataset.best !== undefined).map((row) => Number(row.dataset.curve)),
      first: Number(shown[0].dataset.curve),
      facts: document.getElementById("facts").textContent,
    });
    press("ArrowRight");
  }
  return { strip, steps, said: document.getElementById("strip").getAttribute("aria-label") };
}
"""


def crossing():
    """Three models, each the best by width at some coverages."""
    n = 1500
    _, scale, y = noisy_rows(n, seed=1)
    bands = {"sharp": scale, "damped": scale**0.5, "blunt": scale**0.2}
    models = {name: uc.Intervals.from_bands(y, np.full(n, 20.0), band) for name, band in bands.items()}
    return models, {"rank_by": "bandwidth"}


def range_at(strip, coverage):
    """Return the one range that a coverage lies in."""
    (inside,) = (one for one in strip if one["from"] - 1e-9 <= coverage <= one["to"] + 1e-9)
    return inside


CASES = {**PAGES, "crossing": crossing}


@pytest.mark.parametrize(
    "kind", ["demo", "differing", "many", "single", "quantiles", "one_sided", "hostile", "crossing"]
)
def test_all_name_one_winner_at_every_step_or_none(browser, tmp_path, kind):
    """Answer, lowest line, bold row and strip; Python's answer stands beside each of them."""
    models, options = CASES[kind]()
    options = {name: value for name, value in options.items() if name in {"vary", "rank_by", "by"}}
    comparison = uc.compare(models, n_resamples=999, rng=0, **options)
    path = uc.report(comparison, tmp_path / "page.html")
    data, standings = numbers_of(path), comparison.standings
    page = opened(browser, path, "#from=0")
    walked = page.tab.evaluate(WALK, len(standings.rates) - 1)
    brief = {curve["brief"]: curve["name"] for curve in data["curves"] if curve["brief"] != curve["name"]}
    assert "too close to call" not in walked["said"], "rows may be too few as well"
    for regime in comparison.regimes:
        ends = [f"{100 * (1 - rate):.6g}%" for rate in (regime.high, regime.low)]
        name = "no clear lead" if regime.best is None else printable(regime.best)
        assert f"{' to '.join(dict.fromkeys(ends))}: {name}" in walked["said"]
    winners = set()
    for place, step in zip(reversed(range(standings.rates.size)), walked["steps"], strict=True):
        standing, answer = standings.at_place(place), step["answer"]
        for short, name in brief.items():
            answer = answer.replace(short, name)
        assert step["covered"] == pytest.approx(standing.coverage, abs=1e-9)
        assert answer == comparison.answers[place]
        inside = range_at(walked["strip"], standing.coverage)
        if standing.best is None:
            assert inside["best"] is None
            assert step["best"] == []
            assert step["facts"].startswith(tuple(comparison.models)) or brief or not standing.order
            continue
        winner = standings.names.index(standing.best)
        winners.add(standing.best)
        dots = {curve: value for curve, value, _ in step["dots"]} | {data["reference"]: 0.0}
        heights = {curve: height for curve, _, height in step["dots"]}
        assert winner == inside["best"] == step["first"] == min(dots, key=dots.get)
        assert step["best"] == [winner]
        assert heights.get(winner, max(heights.values())) == max(heights.values())
    assert winners or kind in {"differing", "hostile"}
    page.close()


@pytest.mark.parametrize("kind", ["demo", "quantiles"])
def test_the_other_criterion_and_its_strip_agree(browser, pages, kind):
    """By half-width the simultaneous band decides everywhere: the lowest line is the strip's winner."""
    path = pages(kind)
    data = numbers_of(path)
    page = opened(browser, path, "#by=bandwidth&from=0")
    walked = page.tab.evaluate(WALK, len(unpacked(data["rates"])) - 1)
    decided = 0
    for step in walked["steps"]:
        inside = range_at(walked["strip"], step["covered"])
        if inside["best"] is not None:
            dots = {curve: value for curve, value, _ in step["dots"]} | {data["reference"]: 0.0}
            assert inside["best"] == min(dots, key=dots.get)
            decided += 1
    assert decided > 0
    fills = page.tab.locator(".ranges rect").evaluate_all(
        "rects => [...new Set(rects.map(({ dataset, attributes }) => `${dataset.best} ${attributes.fill.value}`))]"
    )
    assert len(fills) == len({fill.partition(" ")[2] for fill in fills}), (
        "a color for each that is best somewhere"
    )
    page.close()


def test_a_lead_that_only_the_test_establishes_is_in_title_and_strip(browser, pages):
    """At the chosen coverage the test decides: no title may say that no lead is clear."""
    page = opened(browser, pages("one_sided"))
    assert "use limit a" in page.tab.locator("#answer").inner_text()
    assert "No lead" not in page.tab.locator("#chart-title").inner_text()
    assert page.tab.locator('.ranges rect[data-best="0"]').count() >= 1
    page.close()
