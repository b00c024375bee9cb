"""The page for everybody: axe-core finds nothing, the chart is on the first screen, nothing is asked of a network."""

from __future__ import annotations

from importlib import resources

import pytest
from opened_page import opened
from pages import PAGES
from playwright.sync_api import expect

LOOKS = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "phone": {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True},
}
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
FIND = """async (rules) => {
  const found = await axe.run(document, { runOnly: rules, resultTypes: ["violations"] });
  return found.violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
}"""
LOWEST_TOP = 560
"""Pixels above the chart on a screen of 1440 by 900."""
WIDEST_TABLE = 820


@pytest.mark.parametrize("kind", PAGES)
def test_axe_finds_no_violation(browser, pages, kind):
    """Of WCAG 2.2 at levels A and AA, nor of good practice: in light, in dark, on a phone, with all unfolded."""
    axe = (resources.files("axe_playwright_python") / "axe.min.js").read_text("utf-8")
    path = pages(kind)
    for look, context in LOOKS.items():
        page = opened(browser, path, **context)
        tab = page.tab
        if look == "light":
            assert tab.locator("#chart").bounding_box()["y"] <= LOWEST_TOP
        assert tab.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        tab.evaluate("document.querySelectorAll('details').forEach((node) => { node.open = true; })")
        assert tab.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        tab.evaluate(axe)
        assert tab.evaluate(FIND, RULES) == []
        if look == "light" and tab.locator("[data-view=reliability]").count():
            tab.locator("[data-view=reliability]").click()
            assert tab.evaluate(FIND, RULES) == []
        assert set(page.requests) == {path.as_uri()}
        page.close()


def test_light_and_dark_follow_the_system_and_the_button(browser, pages):
    """The button wins, names what it switches to, and is remembered where there is a storage."""
    dark = opened(browser, pages("single"), color_scheme="dark")
    ground = "getComputedStyle(document.body).backgroundColor"
    assert dark.tab.evaluate(ground) == "rgb(18, 22, 28)"
    button = dark.tab.locator("#theme")
    button.click()
    dark.tab.reload()
    dark.tab.wait_for_selector("body.ready")
    assert dark.tab.evaluate(ground) == "rgb(244, 245, 247)"
    expect(button).to_have_accessible_name("Dark")
    dark.tab.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('forbidden'); } });"
    )
    dark.tab.reload()
    dark.tab.wait_for_selector("body.ready")
    button.click()
    assert dark.tab.evaluate(ground) == "rgb(244, 245, 247)"
    dark.close()


def test_without_scripts_the_page_still_answers(browser, pages):
    """The answer and all tables are in the file itself; no control that would do nothing."""
    context = browser.new_context(java_script_enabled=False)
    tab = context.new_page()
    tab.goto(pages("differing").as_uri())
    expect(tab.locator("#answer")).to_contain_text("At 90% coverage")
    for table, rows in (("models-table", 3), ("segments-table", 2), ("pairs-table", 6), ("areas-table", 4)):
        assert tab.locator(f"#{table} tbody tr:not([hidden])").count() == rows
    assert not [node for node in tab.locator("button, input, select").all() if node.is_visible()]
    context.close()


def test_paper_has_filled_tables_and_no_controls(browser, pages):
    """All is unfolded, on white; of many segments the significant ones; afterwards the screen is as it was."""
    page = opened(browser, pages("many"), color_scheme="dark")
    tab = page.tab
    width = tab.locator("#chart").bounding_box()["width"]
    tab.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert tab.locator("#chart").get_attribute("width") == "660"
    tab.emulate_media(media="print")
    assert tab.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert not [node for node in tab.locator("button, input, select").all() if node.is_visible()]
    for table in tab.locator("table").all():
        assert table.locator("tbody tr:visible").count() > 0
    assert "store 07" in tab.locator("#segments-table tbody").inner_text()
    assert tab.locator("#segments-table tbody tr:visible").count() < 10
    expect(tab.get_by_text("The largest gain that hindsight could reach")).to_be_visible()
    tab.emulate_media(media="screen")
    tab.evaluate("window.dispatchEvent(new Event('afterprint'))")
    expect(tab.get_by_text("The largest gain that hindsight could reach")).to_be_hidden()
    assert tab.locator("#chart").bounding_box()["width"] == width
    page.close()


def test_the_table_of_models_is_narrow_and_the_way_back_does_not_cover_the_slider(browser, pages):
    """Numbers stand beside each other; the button lies left of the axis."""
    page = opened(browser, pages("hostile"))
    assert page.tab.locator("#models-table").bounding_box()["width"] <= WIDEST_TABLE
    page.choose(80)
    button, track = (page.tab.locator(name).bounding_box() for name in ("#back", "#strip .track"))
    assert button["x"] + button["width"] <= track["x"]
    page.close()
