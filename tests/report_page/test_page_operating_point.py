"""The operating point on the page: by slider, by dragging, by keys and by clicks."""

from __future__ import annotations

import re

import pytest
from opened_page import check_point, near, plot_of
from playwright.sync_api import expect


def test_the_page_begins_at_the_nominal_miss_rate(page, case):
    """With every model's operating point, as the library finds it, and the words that go with it."""
    check_point(page, case, 0.1)
    expect(page.tab.locator("#rate-value")).to_have_text("at most 10 %")
    factor = case.curve("scaled").at(miss_rate=0.1).parameter
    expect(page.tab.locator("#rows-note")).to_contain_text(f"scaled: multiply the bands by {factor:.4g}.")
    saved = page.number("points-table", "other", "bandwidth saved")
    other = case.curve("other")
    constant = other.reference.at(miss_rate=0.1).bandwidth
    assert saved == near(1 - other.at(miss_rate=0.1).bandwidth / constant)


@pytest.mark.parametrize(("place", "rate"), [(0, 0.0), (37, 0.037), (140, 0.3), (280, 1.0)])
def test_the_slider_moves_every_model(page, case, place, rate):
    """To the ends, and to rates between."""
    page.slide("rate", place)
    check_point(page, case, rate)
    assert float(page.tab.locator("circle.handle").first.get_attribute("aria-valuenow")) == rate


def test_the_point_can_be_dragged_along_its_curve(page, case):
    """All models follow to the same miss rate."""
    handle = page.tab.get_by_role("slider", name="operating point of damped")
    plot_of(page)
    start = handle.bounding_box()
    x, y = start["x"] + start["width"] / 2, start["y"] + start["height"] / 2
    page.tab.mouse.move(x, y)
    page.tab.mouse.down()
    page.tab.mouse.move(x - 40, y - 90, steps=5)
    page.tab.mouse.up()
    end = handle.bounding_box()
    assert end["y"] < start["y"] - 30
    rate = float(handle.get_attribute("aria-valuenow"))
    assert 0.2 < rate < 0.6
    check_point(page, case, rate)


def test_the_point_can_be_moved_with_keys(page, case):
    """Arrows by one step, pages by ten, to both ends; also on the slider itself."""
    handle = page.tab.get_by_role("slider", name="operating point of other")
    handle.focus()
    for key, rate in (
        ("ArrowUp", 0.105),
        ("PageUp", 0.155),
        ("ArrowLeft", 0.15),
        ("Home", 0.0),
        ("End", 1.0),
    ):
        page.tab.keyboard.press(key)
        assert float(handle.get_attribute("aria-valuenow")) == rate
        check_point(page, case, rate)
    slider = page.tab.get_by_role("slider", name="Miss rate", exact=True)
    slider.focus()
    page.tab.keyboard.press("ArrowLeft")
    check_point(page, case, 0.995)
    assert slider.get_attribute("aria-valuetext") == "at most 99.5 %"


def test_a_click_on_the_plot_chooses_the_miss_rate_there(page, case):
    """The quickest way."""
    box = plot_of(page)
    page.tab.mouse.click(box["x"] + 0.9 * box["width"], box["y"] + 0.6 * box["height"])
    check_point(page, case, float(page.tab.locator("circle.handle").first.get_attribute("aria-valuenow")))
    assert abs(float(page.tab.locator("#rate").input_value()) - 160) < 3


def test_a_click_may_tremble_and_other_buttons_are_left_alone(page, case):
    """A range is not lost by a pixel, nor changed by a context menu."""
    box = plot_of(page)
    x, y = box["x"] + 0.9 * box["width"], box["y"] + 0.95 * box["height"]
    page.tab.mouse.move(x, y)
    page.tab.mouse.down()
    page.tab.mouse.move(x + 1, y + 1)
    page.tab.mouse.up()
    expect(page.tab.locator("#high-value")).to_have_text("50 %")
    rate = float(page.tab.locator("circle.handle").first.get_attribute("aria-valuenow"))
    assert rate == pytest.approx(0.05, abs=0.01)
    page.tab.mouse.move(x, box["y"] + 20)
    page.tab.mouse.down(button="right")
    page.tab.mouse.move(x, box["y"] + 90, steps=3)
    page.tab.mouse.up(button="right")
    expect(page.tab.locator("#high-value")).to_have_text("50 %")
    page.tab.select_option("#y-axis", "deficit")
    page.tab.mouse.click(box["x"] + 0.1 * box["width"], box["y"] + 0.3 * box["height"])
    moved = float(page.tab.locator("circle.handle").first.get_attribute("aria-valuenow"))
    assert moved > rate
    check_point(page, case, moved)


def test_keys_with_a_modifier_belong_to_the_browser(page):
    """Alt and an arrow go back, they do not move the point."""
    handle = page.tab.get_by_role("slider", name="operating point of other")
    handle.focus()
    for key in ("Control+Home", "Control+ArrowUp"):
        page.tab.keyboard.press(key)
        assert float(handle.get_attribute("aria-valuenow")) == 0.1


def test_hovering_shows_an_operating_point_of_the_curve(page, case):
    """Whichever curve is nearest."""
    plot_of(page)
    box = page.tab.get_by_role("slider", name="operating point of damped").bounding_box()
    page.tab.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    text = page.tab.locator("#tip").inner_text()
    name, rates, width = text.splitlines()[:3]
    rate = float(re.search(r"miss rate ([\d.]+) %", rates).group(1)) / 100
    curve = {
        **{n: case.curve(n) for n in case.models},
        "constant band of scaled": case.curve("scaled").reference,
    }[name]
    assert curve.at(miss_rate=rate + 0.0006).bandwidth == pytest.approx(float(width.split()[1]), rel=0.02)


def test_factors_are_said_to_describe_these_rows(page):
    """They were found on them."""
    card = page.tab.locator(".card", has=page.tab.locator("#points-table"))
    expect(card).to_contain_text(
        "These factors describe these rows; for new rows calibrate (uc.ConformalScaler, uccurve calibrate)."
    )
