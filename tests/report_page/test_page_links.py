"""What the reader chose is in the address, and in the name and the content of what is saved."""

from __future__ import annotations

import csv
import io
import re

import pytest
from opened_page import opened
from playwright.sync_api import expect


def test_an_address_brings_back_what_was_chosen(browser, case):
    """Coverage, view, zoom and hidden models."""
    page = opened(browser, case.path, "")
    page.slide("rate", 50)
    page.tab.locator("[data-view=curve]").click()
    page.tab.select_option("#zoom", "80-100")
    page.tab.locator("#legend").get_by_role("button", name="damped", exact=True).click()
    expect(page.tab).to_have_url(re.compile("hide="))
    address = page.tab.evaluate("location.hash")
    page.tab.context.close()
    other = opened(browser, case.path, address)
    expect(other.tab.locator("#coverage-value")).to_have_text("95%")
    assert other.tab.locator("#zoom").input_value() == "80-100"
    expect(other.tab.locator("#models-table tr[data-model=damped]")).to_be_hidden()
    other.tab.get_by_role("button", name="Reset", exact=True).click()
    expect(other.tab.locator("#coverage-value")).to_have_text("90%")
    expect(other.tab).to_have_url(case.path.as_uri())
    assert other.troubles == []
    other.tab.context.close()


@pytest.mark.parametrize(
    "address",
    [
        "#c=abc&view=odd&zoom=9-1&hide=0.1.2&segment=99&x=constructor&__proto__=1&toString=2",
        "#c=-5&zoom=--&hide=<img src=x onerror=alert(1)>&segment=1e9&model=-1&std=yes",
    ],
)
def test_an_address_that_makes_no_sense_is_ignored(browser, case, address):
    """Nothing of it is believed, and nothing of it is shown."""
    page = opened(browser, case.path, address)
    expect(page.tab.locator("#coverage-value")).to_have_text("90%")
    assert page.tab.locator("#zoom").input_value() == "50-100"
    assert page.tab.locator("#models-table tbody tr:visible").count() == 3
    assert page.troubles == []
    page.tab.context.close()


def test_what_is_saved_carries_its_settings(browser, case):
    """In the name of the file, in its content, and light even where the screen is dark."""
    page = opened(browser, case.path, "#c=80&segment=1", color_scheme="dark")
    with page.tab.expect_download() as download:
        page.tab.locator('[data-target="main-chart"][data-export="svg"]').click()
    assert download.value.suggested_filename == "ratio_80pct_segment-south.svg"
    drawing = download.value.path().read_text()
    assert "segment south" in drawing
    assert "rgb(26, 32, 41)" not in drawing
    assert "#ffffff" in drawing
    with page.tab.expect_download() as download:
        page.tab.locator('[data-target="models-table"][data-export="csv"]').click()
    assert download.value.suggested_filename == "models_80pct_segment-south.csv"
    rows = list(csv.DictReader(io.StringIO(download.value.path().read_text())))
    assert float(rows[0]["chosen coverage"]) == pytest.approx(0.8)
    name = "interval score against constant width of scaled"
    assert float(rows[0][f"{name} low"]) < float(rows[0][name])
    assert page.tab.evaluate("document.documentElement.dataset.theme") is None
    page.tab.context.close()
