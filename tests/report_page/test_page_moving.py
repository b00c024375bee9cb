"""What a move of the coverage slider costs: rows and boxes that changed, not the page around them."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from opened_page import opened
from playwright.sync_api import expect

import uccurve as uc

PLACES = ("curves", "segments")
LAID_OUT = "Layout"
"""The browser's name for one pass of its layout."""
READING = """frame => {
    const { top, bottom } = frame.getBoundingClientRect();
    const rows = [...frame.querySelectorAll('tbody tr')];
    const low = frame.querySelector('thead th').getBoundingClientRect().bottom;
    return rows.filter((row) => {
        const box = row.getBoundingClientRect();
        return box.top < bottom && box.bottom > low;
    }).map((row) => Number(row.querySelector('.live-coverage').dataset.value));
}"""
"""The coverages of the rows in view, from top to bottom."""


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """Forty segments and three models: more rows than fit into the frame of the table, by far."""
    rng = np.random.default_rng(3)
    n = 2400
    labels = np.array([f"region {i:02d}" for i in range(40)])[rng.integers(0, 40, n)]
    scale = rng.lognormal(sigma=0.5, size=n)
    y = scale * rng.normal(size=n)
    models = {f"model {i}": uc.Intervals.from_bands(y, np.full(n, i / 9), scale ** (i / 2)) for i in range(3)}
    return uc.report(models, tmp_path_factory.mktemp("moving") / "page.html", by=labels, n_resamples=9, rng=0)


@pytest.fixture
def page(browser, path):
    page = opened(browser, path, "", frames=True)
    page.tab.locator("#advanced").evaluate("node => { node.open = false; }")
    yield page
    assert page.troubles == []
    page.tab.context.close()


def show(page, place):
    """Scroll to a card, and wait until everything is at rest."""
    page.tab.locator(f"#{place}-title").evaluate("node => node.scrollIntoView({ behavior: 'instant' })")
    page.tab.wait_for_timeout(600)


def frame_of(page):
    return page.tab.locator(".scroll", has=page.tab.locator("#segments-table"))


def passes_of_layout(browser, page, trace, rates):
    """Move the slider to some rates without a rest; return what the browser noted of each pass of its layout."""
    page.tab.evaluate("window.setTimeout = () => 0")
    browser.start_tracing(page=page.tab, path=trace, categories=["devtools.timeline"])
    for rate in rates:
        page.slide("rate", rate)
    browser.stop_tracing()
    events = json.loads(trace.read_text("utf-8"))["traceEvents"]
    return [
        event["args"]["beginData"] for event in events if event["name"] == LAID_OUT and event["ph"] == "X"
    ]


@pytest.mark.parametrize("place", PLACES)
def test_a_move_lays_out_what_changed_alone(browser, page, tmp_path, place):
    """One box that changes its size, or a text that stands in none, would cost a layout of all rows."""
    show(page, place)
    page.slide("rate", 40)
    show(page, place)
    passes = passes_of_layout(browser, page, tmp_path / "trace.json", range(41, 47))
    assert len(passes) >= 6
    assert all(one["partialLayout"] for one in passes)
    assert max(one["totalObjects"] for one in passes) < 600  # the table alone has thousands


def test_the_bar_is_as_high_as_what_it_holds(page):
    """Also when names of models take another line: the next card never slides beneath it."""
    heights = set()
    for width in (1280, 700, 420, 1280):
        page.tab.set_viewport_size({"width": width, "height": 800})
        page.settle()
        bar, contents = page.tab.locator("#coverage-bar").evaluate(
            "node => [node, node.firstElementChild].map((one) => one.getBoundingClientRect().height)"
        )
        padding = page.tab.locator("#coverage-bar").evaluate(
            "node => { const style = getComputedStyle(node); return ['paddingTop', 'paddingBottom',"
            " 'borderTopWidth', 'borderBottomWidth'].reduce((sum, name) => sum + parseFloat(style[name]), 0); }"
        )
        assert bar == pytest.approx(contents + padding, abs=0.1)
        heights.add(bar)
    assert len(heights) > 1


def test_on_paper_no_box_keeps_the_height_it_had_on_the_screen(page):
    """A narrow sheet needs more lines."""
    show(page, "rows")
    box = page.tab.locator("#rows-note").locator("..")
    contained = "node => getComputedStyle(node).contain"
    assert box.evaluate(contained) == "size layout"
    page.tab.emulate_media(media="print")
    assert box.evaluate(contained) == "none"
    page.tab.set_viewport_size({"width": 320, "height": 800})
    box_height, height = (node.evaluate("n => n.offsetHeight") for node in (box, box.locator("p")))
    assert box_height == height


@pytest.mark.parametrize("scrolled", [0, 1500])
def test_rows_in_view_stay_sorted_while_the_slider_moves(page, scrolled):
    """Those out of view follow when it rests."""
    page.tab.select_option("#segment-sort", "coverage")
    show(page, "segments")
    frame_of(page).evaluate("(node, top) => { node.scrollTop = top; }", scrolled)
    show(page, "segments")
    for rate in (60, 90, 130):
        page.slide("rate", rate)
        seen = frame_of(page).evaluate(READING)
        assert len(seen) > 5
        assert seen == sorted(seen)
    show(page, "segments")
    every = page.tab.locator("td.live-coverage").evaluate_all(
        "cells => cells.map((cell) => Number(cell.dataset.value))"
    )
    assert len(every) == 120
    assert every == sorted(every)


def test_a_table_that_is_saved_at_once_holds_the_new_numbers_of_all_rows(page):
    """In their new order, though most rows had not followed yet."""
    page.tab.select_option("#segment-sort", "coverage")
    page.tab.locator('[data-target="segments-table"]').scroll_into_view_if_needed()
    with page.tab.expect_download() as download:
        page.tab.locator("#coverage").evaluate(
            "node => { node.value = 120; node.dispatchEvent(new Event('input'));"
            " document.querySelector('[data-target=\"segments-table\"]').click(); }"
        )
    saved = Path(download.value.path()).read_text("utf-8")
    rows = list(csv.DictReader(saved.splitlines()))
    (column,) = (
        name for name in rows[0] if name.startswith("coverage at") and not name.endswith(("low", "high"))
    )
    covered = [float(row[column]) for row in rows]
    assert len(covered) == 120
    assert covered == sorted(covered)
    chosen = float(rows[0]["chosen coverage"])
    assert column == f"coverage at {100 * chosen:g}%"
    assert np.median(covered) == pytest.approx(chosen, abs=0.05)


def test_rows_never_show_through_the_heading(page):
    """Rows that are scrolled lie beneath it, and so do their dots."""
    show(page, "segments")
    frame = frame_of(page)
    for scrolled in (30, 777, 790):
        frame.evaluate("(node, top) => { node.scrollTop = top; }", scrolled)
        page.settle()
        tops = frame.evaluate(
            "frame => [...frame.querySelectorAll('thead th')].map((head) => {"
            " const { left, width, top, height } = head.getBoundingClientRect();"
            " const hit = document.elementFromPoint(left + width / 2, top + height / 2);"
            " return head === hit || head.contains(hit); })"
        )
        assert tops
        assert all(tops)


def test_only_rows_near_the_view_have_boxes_of_their_own(page):
    """Each such box is a layer; hundreds of them would slow the page down more than they save."""
    show(page, "segments")
    live = page.tab.locator("#segments-table .cell-box.live")
    near = [live.count()]
    for scrolled in (900, 2500, 99_999):
        frame_of(page).evaluate("(node, top) => { node.scrollTop = top; }", scrolled)
        show(page, "segments")
        near.append(live.count())
        seen = frame_of(page).evaluate(READING)
        assert near[-1] >= len(seen)
    assert max(near) < 40
    expect(page.tab.locator("#segments-table tbody tr")).to_have_count(120)
