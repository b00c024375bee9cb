"""The page tells one truth: at every step of the slider the answer, the chart, the table and the strip agree."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from opened_page import one, opened, unpacked

import uccurve as uc

WALK = """
async (column) => {
  const slider = document.getElementById("coverage");
  const table = document.getElementById("models-table");
  const strip = [...document.querySelectorAll("#regimes-chart g.regime")].map((group) => {
    const { from, to, curve } = group.__data__;
    const rect = group.querySelector("rect");
    return { from, to, name: curve?.name ?? null, gray: rect.getAttribute("class") === "unsure" };
  });
  const steps = [];
  for (let value = 0; value <= Number(slider.max); value += 1) {
    slider.value = value;
    slider.dispatchEvent(new Event("input"));
    await new Promise((done) => setTimeout(done));
    const dots = [...document.querySelectorAll("#ratio-chart circle.dot")];
    steps.push({
      answer: document.getElementById("answer").textContent,
      numbers: Object.fromEntries(
        [...table.tBodies[0].rows].map((row) => [row.dataset.model, Number(row.cells[column].dataset.value || NaN)]),
      ),
      heights: Object.fromEntries(dots.map((dot) => [dot.__data__.name, Number(dot.getAttribute("cy"))])),
    });
  }
  return { strip, steps };
}
"""
CLEAR = re.compile(r"coverage, (use .*?:|.* is clearly (best|narrowest):|.* is narrowest:)")


def crossing():
    """Three models, each the narrowest at some coverages."""
    rng = np.random.default_rng(1)
    n = 1500
    scale = rng.lognormal(sigma=0.9, size=n)
    y = scale * rng.normal(size=n)
    bands = {"sharp": scale, "damped": scale**0.5, "blunt": scale**0.2}
    return {name: uc.Intervals.from_bands(y, np.zeros(n), band) for name, band in bands.items()}


def differing():
    """Models around predictions of their own, one of them of constant width."""
    rng = np.random.default_rng(2)
    n = 800
    scale = rng.lognormal(sigma=0.7, size=n)
    y = scale * rng.normal(size=n)
    return {
        "centered": uc.Intervals.from_bands(y, np.zeros(n), scale),
        "biased": uc.Intervals.from_bands(y, np.full(n, 0.4), np.sqrt(scale)),
        "noisy": uc.Intervals.from_bands(y, 0.3 * rng.normal(size=n), np.ones(n)),
    }


@pytest.mark.parametrize(
    ("models", "rank_by"),
    [
        (lambda: {"mine": one(n=500)}, "interval_score"),
        (crossing, "bandwidth"),
        (differing, "interval_score"),
    ],
    ids=["one model", "cross-overs", "differing predictions"],
)
def test_answer_chart_table_and_strip_agree_at_every_step(browser, tmp_path, models, rank_by):
    """Whoever leads in the answer has the best number everywhere; whatever is clear there is clear in the strip."""
    path = uc.report(models(), tmp_path / "page.html", rank_by=rank_by, n_resamples=999, rng=0)
    page = opened(browser, path, "#zoom=0-100", viewport={"width": 1280, "height": 4000})
    page.settle()
    column = page.heads("models-table").index(
        next(
            head
            for head in page.heads("models-table")
            if head.startswith(("interval score at", "half-width at")[rank_by == "bandwidth"])
        )
    )
    walked = page.tab.evaluate(WALK, column)
    data = json.loads(re.search(r'id="numbers">(.*?)</script>', path.read_text()).group(1))
    rates = unpacked(data["rates"])[::-1]  # of rising coverages, as on the slider
    numbers = {c["name"]: unpacked(c["number"])[::-1] for c in data["curves"] if c["number"] is not None}
    reference = data["curves"][data["common"]]["name"]
    assert len(walked["steps"]) == rates.size > 270
    said = {"clear": 0, "open": 0}
    for place, (rate, step) in enumerate(zip(rates, walked["steps"], strict=True)):
        if not 0 < rate < 1:
            assert "nothing is compared" in step["answer"]
            continue
        at, _, answer = step["answer"].partition(" coverage, ")
        assert at == f"At {100 * (1 - rate):.10g}%"
        leader = min((name for name in numbers if name in answer), key=answer.index)
        drawn = {name: values[place] for name, values in numbers.items()}
        assert drawn[leader] <= min(drawn.values()) * (1 + 1e-12), step["answer"]
        shown = {name: value for name, value in step["numbers"].items() if value is not None}
        assert shown[leader] == pytest.approx(min(shown.values()), rel=1e-12), step["answer"]
        lowest = max(step["heights"], key=step["heights"].get)  # heights are counted from above
        assert step["heights"].get(leader, step["heights"][lowest]) == step["heights"][lowest]
        assert (min(drawn[name] for name in step["heights"]) > drawn[reference]) <= (lowest != leader)
        ranges = [bar for bar in walked["strip"] if bar["from"] - 1e-9 <= 1 - rate <= bar["to"] + 1e-9]
        assert len(ranges) == 1
        if CLEAR.search(step["answer"]):
            assert (ranges[0]["name"], ranges[0]["gray"]) == (leader, False), step["answer"]
            said["clear"] += 1
        else:
            assert (ranges[0]["name"], ranges[0]["gray"]) == (None, True), step["answer"]
            said["open"] += 1
    assert min(said.values()) > 20, said
    assert page.troubles == []
    page.tab.context.close()
