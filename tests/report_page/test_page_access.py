"""The page for everybody: axe-core finds nothing, targets are large enough, and paper shows everything."""

from __future__ import annotations

from importlib import resources

import pytest
from opened_page import opened
from playwright.sync_api import expect

LOOKS = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "phone": {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True},
}
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


@pytest.mark.parametrize("look", LOOKS)
def test_axe_finds_no_violation(browser, case, look):
    """Of WCAG 2.2 at levels A and AA, nor of what is good practice, with everything unfolded."""
    page = opened(browser, case.path, "", **LOOKS[look])
    page.tab.evaluate("document.querySelectorAll('details').forEach((node) => { node.open = true; })")
    page.settle()
    axe = resources.files("axe_playwright_python") / "axe.min.js"
    page.tab.evaluate(axe.read_text("utf-8"))
    for view in ("ratio", "curve"):
        page.tab.locator(f"[data-view={view}]").click()
        found = page.tab.evaluate(
            "(rules) => axe.run(document, { runOnly: rules, resultTypes: ['violations'] })", RULES
        )
        assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found["violations"]] == []
    page.tab.context.close()


def test_paper_unfolds_everything_and_folds_it_again(browser, case):
    """Definitions included; the screen is as it was afterwards."""
    page = opened(browser, case.path, "")
    page.tab.locator("#advanced").evaluate("node => { node.open = false; }")
    page.tab.emulate_media(media="print")
    expect(page.tab.get_by_text("the true scale gains exactly 0")).to_be_visible()
    expect(page.tab.locator("#coverage-bar")).to_be_hidden()
    expect(page.tab.locator("#main-caption")).to_contain_text("At 90% coverage")
    page.tab.emulate_media(media="screen")
    expect(page.tab.get_by_text("the true scale gains exactly 0")).to_be_hidden()
    page.tab.context.close()
