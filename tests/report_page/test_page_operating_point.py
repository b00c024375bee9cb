"""The operating point on the page: by slider, by dragging, by keys and by clicks."""

from __future__ import annotations

import re

import pytest
from opened_page import check_point, near, plot_of
from playwright.sync_api import expect


def test_the_page_begins_at_the_nominal_miss_rate(page, case):
    """With every model's operating point, as the library finds it, and the words that go with it."""
    check_point(page, case, 0.1)
    expect(page.tab.locator("#coverage-value")).to_have_text("90%")
    leader = case.leader
    factor = case.curve(leader).at(miss_rate=0.1).parameter
    expect(page.tab.locator("#rows-note")).to_contain_text(f"{leader}: scale by {factor:.4g}.")
    saved = page.number("points-table", "other", "half-width against constant width")
    other = case.curve("other")
    constant = other.reference.at(miss_rate=0.1).bandwidth
    assert saved == near(1 - other.at(miss_rate=0.1).bandwidth / constant)


def test_the_slider_moves_every_model(page, case):
    """To the ends, and to rates between; a screen reader hears it."""
    for place, rate in ((0, 0.0), (37, 0.037), (280, 1.0), (120, 0.2)):
        page.slide("rate", place)
        check_point(page, case, rate)
        assert page.miss_rate == rate
    expect(page.tab.locator("#live")).to_contain_text("Coverage 80%.")


def test_the_point_can_be_dragged_along_its_curve(page, case):
    """All models follow to the same miss rate."""
    handle = page.tab.get_by_role("slider", name="operating point of damped")
    plot_of(page)
    start = handle.bounding_box()
    x, y = start["x"] + start["width"] / 2, start["y"] + start["height"] / 2
    page.tab.mouse.move(x, y)
    page.tab.mouse.down()
    page.tab.mouse.move(x - 120, y - 110, steps=5)
    page.tab.mouse.up()
    end = handle.bounding_box()
    assert end["y"] < start["y"] - 30
    rate = page.miss_rate
    assert 0.2 < rate < 0.6
    check_point(page, case, rate)


def test_the_point_can_be_moved_with_keys(page, case):
    """Arrows by one step, pages by ten, to both ends; with a modifier they belong to the browser."""
    handle = page.tab.get_by_role("slider", name="operating point of other")
    handle.focus()
    for key, rate in (
        ("Control+Home", 0.1),
        ("ArrowDown", 0.105),
        ("PageDown", 0.155),
        ("ArrowRight", 0.15),
        ("End", 0.0),
        ("Home", 1.0),
    ):
        page.tab.keyboard.press(key)
        assert page.miss_rate == rate
        check_point(page, case, rate)
    slider = page.tab.get_by_role("slider", name="Coverage", exact=True)
    slider.focus()
    page.tab.keyboard.press("ArrowRight")
    check_point(page, case, 0.995)
    assert slider.get_attribute("aria-valuetext") == "0.5%"


def test_a_click_may_tremble_and_other_buttons_are_left_alone(page):
    """A click that trembles is no zoom, and a context menu is none either."""
    box = plot_of(page)
    x, y = box["x"] + 0.9 * box["width"], box["y"] + 0.95 * box["height"]
    page.tab.mouse.move(x, y)
    page.tab.mouse.down()
    page.tab.mouse.move(x + 1, y + 1)
    page.tab.mouse.up()
    expect(page.tab.locator("#zoom")).to_have_value("0-100")
    assert page.miss_rate == pytest.approx(0.05, abs=0.01)
    page.tab.mouse.move(x, box["y"] + 20)
    page.tab.mouse.down(button="right")
    page.tab.mouse.move(x, box["y"] + 90, steps=3)
    page.tab.mouse.up(button="right")
    expect(page.tab.locator("#zoom")).to_have_value("0-100")


def test_hovering_lists_all_models_at_one_coverage(page, case):
    """The one at the height of the pointer, whichever curve is nearest."""
    box = plot_of(page)
    page.tab.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 0.7 * box["height"])
    heading, *lines = page.tab.locator("#tip").inner_text().splitlines()
    rate = 1 - float(re.match(r"([\d.]+)% coverage", heading).group(1)) / 100
    assert rate == pytest.approx(0.3, abs=0.01)
    assert [line.partition(":")[0] for line in lines] == list(case.models)
    for line, name in zip(lines, case.models, strict=True):
        point = case.curve(name).at(miss_rate=rate + 1e-9)
        assert float(re.search(r": ([\d.]+)$", line).group(1)) == pytest.approx(point.bandwidth, rel=1e-3)
