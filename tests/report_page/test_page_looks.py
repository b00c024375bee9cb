"""The page in light and dark, on a phone, on paper, and for screen readers."""

from __future__ import annotations

from opened_page import check_point, opened
from playwright.sync_api import expect


def test_light_and_dark_follow_the_system_and_the_button(browser, case):
    """The button wins."""
    dark = opened(browser, case.path, color_scheme="dark")
    ground = "getComputedStyle(document.body).backgroundColor"
    assert dark.tab.evaluate(ground) == "rgb(18, 22, 28)"
    button = dark.tab.locator("#theme")
    expect(button).to_have_accessible_name("Light")  # what it switches to
    button.click()
    expect(button).to_have_accessible_name("Dark")
    assert dark.tab.evaluate(ground) == "rgb(244, 245, 247)"
    dark.tab.reload()  # the choice is remembered
    dark.tab.wait_for_selector("body.ready")
    assert dark.tab.evaluate(ground) == "rgb(244, 245, 247)"
    expect(button).to_have_accessible_name("Dark")
    assert dark.troubles == []
    dark.tab.context.close()


def test_a_page_without_storage_works_too(browser, case):
    """Inside a frame, or from a file in a strict browser, asking for it may fail."""
    context = browser.new_context()
    context.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('forbidden'); } });"
    )
    tab = context.new_page()
    troubles = []
    tab.on("pageerror", lambda error: troubles.append(str(error)))
    tab.goto(case.path.as_uri())
    tab.wait_for_selector("body.ready")
    tab.locator("#theme").click()
    assert tab.evaluate("document.documentElement.dataset.theme") == "dark"
    assert troubles == []
    context.close()


def test_a_phone_needs_no_sideways_scrolling(browser, case):
    """Most tables fit, and wide ones scroll in their own frame."""
    phone = opened(browser, case.path, viewport={"width": 375, "height": 800}, has_touch=True, is_mobile=True)
    assert phone.tab.evaluate("document.documentElement.scrollWidth") <= 375
    for table in ("models-table", "points-table"):
        frame = phone.tab.locator(".scroll", has=phone.tab.locator(f"#{table}"))
        assert frame.evaluate("node => node.scrollWidth <= node.clientWidth")
    handle = phone.tab.get_by_role("slider", name="operating point of scaled")
    assert handle.bounding_box()["width"] >= 24
    phone.slide("rate", 150)
    check_point(phone, case, 0.35)
    handle.scroll_into_view_if_needed()
    box, scrolled = handle.bounding_box(), phone.tab.evaluate("scrollY")
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    touch = phone.tab.context.new_cdp_session(phone.tab)
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for step in range(1, 11):
        points = [{"x": x - 2 * step, "y": y - 6 * step}]
        touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": points})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    rate = phone.miss_rate
    assert rate > 0.45
    assert phone.tab.evaluate("scrollY") == scrolled
    check_point(phone, case, rate)
    assert phone.troubles == []
    phone.tab.context.close()


def test_the_page_prints_on_white(browser, case):
    """Whatever the screen shows."""
    page = opened(browser, case.path, color_scheme="dark")
    page.tab.emulate_media(media="print")
    assert page.tab.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    expect(page.tab.locator("#theme")).to_be_hidden()
    for hidden in ("#x-axis", "#rows-most", "#coverage", ".grip", ".hint .screen"):
        expect(page.tab.locator(hidden).first).to_be_hidden()
    shown = (
        page.tab.locator(".tools", has=page.tab.locator("#rows-model")).locator(".chosen").all_inner_texts()
    )
    assert shown == [case.leader, "all", "in order", "150 rows", "spread evenly"]
    page.tab.context.close()
