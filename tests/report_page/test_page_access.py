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


def test_targets_are_at_least_24_pixels(browser, case):
    """Buttons, lists, boxes and sliders, on a phone."""
    page = opened(browser, case.path, "", **LOOKS["phone"])
    small = page.tab.evaluate(
        """[...document.querySelectorAll('button, select, input, summary, [role=slider] rect, circle.handle')]
            .filter((node) => node.checkVisibility())
            .map((node) => [node.closest('label') ?? node, node.id || node.textContent || node.className.baseVal])
            .map(([node, name]) => [name, node.getBoundingClientRect()])
            .filter(([, { width, height }]) => width < 24 || height < 24).map(([name]) => name)"""
    )
    assert small == []
    page.tab.context.close()


def test_borders_and_bars_can_be_told_from_their_ground(browser, case):
    """At least three to one, in light and in dark."""
    for scheme in ("light", "dark"):
        page = opened(browser, case.path, "", color_scheme=scheme)
        ratios = page.tab.evaluate(
            """() => {
                const luminance = (text) => {
                    const [r, g, b] = text.match(/[\\d.]+/g).slice(0, 3).map((part) => part / 255)
                        .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
                    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
                };
                const mixed = (over, under, share) => `rgb(${over.match(/[\\d.]+/g).slice(0, 3)
                    .map((part, i) => share * part + (1 - share) * under.match(/[\\d.]+/g)[i])})`;
                const contrast = (a, b) => {
                    const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
                    return (high + 0.05) / (low + 0.05);
                };
                const card = getComputedStyle(document.querySelector('.card')).backgroundColor;
                const bars = getComputedStyle(document.querySelector('.rows-bounds'));
                const border = (node) => contrast(getComputedStyle(node).borderTopColor, card);
                return [
                    contrast(mixed(bars.stroke, card, Number(bars.strokeOpacity)), card),
                    border(document.querySelector('#zoom')), border(document.querySelector('#reset')),
                ];
            }"""
        )
        assert min(ratios) >= 3, (scheme, ratios)
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
