"""The atlas to explore: one truth at every coverage, and a page that everyone can read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe

ATLAS = Path(__file__).parents[2] / "docs" / "atlas"
RESULTS = json.loads((ATLAS / "results.json").read_text("utf-8"))
STEP = "(node, place) => { node.value = place; node.dispatchEvent(new Event('input')); }"


@pytest.fixture
def explorer(browser):
    """The open page; in the end it complained about nothing, and asked the network for nothing."""
    page = browser.new_page(viewport={"width": 390, "height": 844})
    complaints = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: complaints.extend([request.url] * request.url.startswith("http")))
    page.goto((ATLAS / "atlas-explorer.html").as_uri())
    yield page
    page.close()
    assert complaints == []


@pytest.mark.parametrize(("criterion", "numbers"), [("interval_score", "score"), ("bandwidth", "half_width")])
def test_sentence_and_table_name_the_winner_of_the_results(explorer, criterion, numbers):
    """At every coverage that a reader can choose."""
    name, found = list(RESULTS["data"].items())[-2]
    explorer.select_option("#data", label=name)
    explorer.select_option("#criterion", criterion)
    for place in range(len(RESULTS["grid"])):
        explorer.locator("#coverage").evaluate(STEP, place)
        methods = found["methods"]
        first = min(methods, key=lambda method: methods[method][numbers][place])
        best = found["standing"][criterion][place]["best"]
        sentence = explorer.inner_text("#answer")
        top = explorer.inner_text("#ranking tbody tr:first-child")
        assert top.startswith(first)
        assert first in sentence
        assert ("clearly best" in sentence) is ("clearly best" in top) is (best == first)
        close = found["standing"][criterion][place]["close"]
        assert (
            ("too close to call" in sentence)
            is ("too close to call" in top)
            is (best is None and first in close)
        )


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_everyone_can_read_the_explorer(explorer, theme):
    """On a phone, in both themes, with the method unfolded."""
    explorer.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
    explorer.evaluate("document.querySelector('details').open = true")
    assert Axe().run(explorer).response["violations"] == []
