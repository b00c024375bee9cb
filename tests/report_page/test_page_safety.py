"""Names are only ever text, and the page cannot do what it does not need."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from opened_page import one, opened
from playwright.sync_api import expect

import uccurve as uc

HOSTILE = "<img src=x onerror=alert(1)>"
ENDING = "</script><script>alert(2)</script>"


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """Names that would run if they were ever taken for anything but text."""
    rng = np.random.default_rng(0)
    y = rng.normal(size=60)
    models = {
        HOSTILE: uc.Intervals.from_bands(y, np.zeros(60), rng.exponential(size=60) + 0.2),
        ENDING: uc.Intervals.from_bands(y, np.zeros(60), 1.0 + rng.uniform(size=60)),
        "=1+1 \u2028 {{ 7 * 7 }} ${8} '\"`": uc.Intervals.from_bands(
            y, np.zeros(60), 1.0 + rng.uniform(size=60)
        ),
    }
    labels = rng.choice([HOSTILE, ENDING, "&amp;"], size=60)
    path = tmp_path_factory.mktemp("hostile") / "page ' \" # %3C.html"
    return models, uc.report(
        models,
        path,
        title=HOSTILE,
        unit=ENDING,
        by=labels,
        against={HOSTILE: y, ENDING: y},
        n_resamples=9,
        rng=0,
    )


def test_hostile_names_are_shown_as_text(browser, hostile):
    """Model, column and segment names, title and unit."""
    models, path = hostile
    page = opened(browser, path)
    tab = page.tab
    assert tab.locator("img").count() == 0
    assert tab.locator("script").count() == 2
    expect(tab.locator("h1")).to_have_text(HOSTILE)
    for name in list(models)[:2]:
        expect(tab.locator("#legend").get_by_role("button", name=name, exact=True)).to_be_visible()
        assert tab.locator("#scores-table tbody th", has_text=name).count() == 1
    assert tab.locator("#segments-table tbody th", has_text=HOSTILE).count() == 3
    tab.locator("#segments-table tbody th button", has_text=ENDING).first.click()
    expect(tab.locator("#segment-shown")).to_contain_text(ENDING)
    tab.locator("#segment-clear").click()
    tab.select_option("#rows-order", label=f"against {ENDING}")
    expect(tab.locator("#rows-chart .label").first).to_have_text(ENDING)
    tab.locator("#rows-chart").scroll_into_view_if_needed()
    box = tab.locator("#rows-chart").bounding_box()
    tab.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(tab.locator("#tip")).to_contain_text(ENDING)
    with tab.expect_download() as download:
        tab.locator('[data-target="main-chart"][data-export="svg"]').click()
    assert "<img" not in Path(download.value.path()).read_text()
    with tab.expect_download() as download:
        tab.locator('[data-target="scores-table"][data-export="csv"]').click()
    assert not re.search(r"^=", Path(download.value.path()).read_text(), re.MULTILINE)
    assert page.troubles == []
    assert {url.partition("#")[0] for url in page.requests} == {path.as_uri()}
    tab.context.close()


def test_the_page_forbids_what_it_does_not_need(browser, case):
    """A script that got in all the same would not run, and nothing could be fetched."""
    page = opened(browser, case.path)
    page.tab.evaluate(
        """() => {
            const node = document.createElement('script'); node.textContent = 'window.ran = true';
            document.body.append(node);
        }"""
    )
    assert page.tab.evaluate("window.ran") is None
    assert page.tab.evaluate("fetch('https://example.org').then(() => 'sent', () => 'refused')") == "refused"
    page.tab.context.close()


def test_names_keep_their_letters(browser, tmp_path):
    """Spaces that do not break, and joiners of scripts and pictures; not what turns text around."""
    name = "Pr\u00e9vu\u00a0: \u0645\u06cc\u200c\u0631\u0648\u062f \u202eabc"
    page = opened(browser, uc.report({name: one(n=30)}, tmp_path / "page.html", title=name, n_resamples=9))
    shown = "Pr\u00e9vu : \u0645\u06cc\u200c\u0631\u0648\u062f \ufffdabc"
    expect(page.tab.locator("h1")).to_have_text(shown)
    assert page.tab.locator("#legend button").text_content() == shown
    assert page.tab.locator("#scores-table tbody th").first.text_content() == shown
    page.tab.context.close()
