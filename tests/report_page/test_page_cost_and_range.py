"""The cheapest points and the partial gains on the page are the library's."""

from __future__ import annotations

import pytest
from opened_page import near, one, opened
from playwright.sync_api import expect

import uccurve as uc


def test_the_cost_slider_finds_the_library_s_optimum(page, case):
    """For several weights."""
    for place in (120, 215):
        page.slide("cost", place)
        c = float(page.tab.locator("#cost-value").inner_text().removeprefix("c = "))
        for name in case.models:
            best = case.curve(name).minimize_cost(c)
            assert page.number("cost-table", name, "cost") == near(best.cost)
            assert page.number("cost-table", name, "cheapest") == near(best.point.parameter)
            assert page.number("cost-table", name, "as supplied") == near(best.original_cost)


@pytest.mark.parametrize(("unit", "power"), [(1e-9, "⁻⁹"), (2e4, "³")])
def test_the_axes_serve_every_unit(browser, tmp_path, unit, power):
    """Ticks show a power of ten in the label."""
    rows = one(unit)
    page = opened(
        browser, uc.report({"mine": rows}, tmp_path / "page.html", unit="EUR", n_resamples=9, rng=0)
    )
    ticks = page.tab.locator("#ucc-chart .axis .tick text, #rows-chart .axis .tick text").all_text_contents()
    assert max(map(len, ticks)) <= 6
    assert f"(10{power} EUR)" in page.tab.locator("#ucc-chart .label").first.text_content()
    assert page.troubles == []
    page.tab.context.close()


def test_the_page_carries_the_rates_that_were_asked_for(browser, tmp_path):
    """Also between those of the grid."""
    rows = one()
    path = uc.report({"mine": rows}, tmp_path / "page.html", miss_rate=0.1234, n_resamples=9)
    page = opened(browser, path)
    assert page.number("points-table", "mine", "bandwidth") == near(rows.ucc().at(miss_rate=0.1234).bandwidth)
    expect(page.tab.locator("#to-value")).to_have_text("100%")
    wanted = rows.ucc().gain(partial="mean", miss_rate=(0, 0.5))
    assert page.number("range-table", "mine", "mean gain") == pytest.approx(wanted, rel=1e-7)
    assert page.troubles == []
    page.tab.context.close()
