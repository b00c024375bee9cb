"""The cheapest points and the partial gains on the page are the library's."""

from __future__ import annotations

import re

import pytest
from opened_page import near, one, opened
from playwright.sync_api import expect

import uccurve as uc


@pytest.mark.parametrize(
    "axes", [("bandwidth", "miss_rate"), ("excess", "deficit"), ("bandwidth", "deficit")]
)
@pytest.mark.parametrize("units", ["raw", "standardized"])
def test_the_cost_slider_finds_the_library_s_optimum(page, case, axes, units):
    """On the chosen axes and in the chosen units, for several weights."""
    x, y = axes
    page.tab.select_option("#x-axis", x)
    page.tab.select_option("#y-axis", y)
    page.tab.select_option("#units", units)
    for place in (120, 180, 215):
        page.slide("cost", place)
        c = float(page.tab.locator("#cost-value").inner_text().removeprefix("c = "))
        for name in case.models:
            best = case.curve(name, standardized=units == "standardized").minimize_cost(c, x=x, y=y)
            assert page.number("cost-table", name, "cost") == near(best.cost)
            assert page.number("cost-table", name, "cheapest") == near(best.point.parameter)
            assert page.number("cost-table", name, "as supplied") == near(best.original_cost)
        expect(page.tab.locator("#cost-note")).to_contain_text(f"other: scale by {best.point.parameter:.4g}")


def test_the_isocost_line_touches_the_curve_at_the_optimum(page):
    """And has the slope that the weight gives it."""
    page.tab.locator("#show-cost").check()
    line = page.tab.locator("path.isocost").first.get_attribute("d")
    ends = [float(part) for part in re.findall(r"-?[\d.]+", line)]
    x1, y1, x2, y2 = *ends[:2], *ends[-2:]
    star = page.tab.locator("path.optimum").first.get_attribute("transform")
    x, y = (float(part) for part in re.findall(r"[-\d.]+", star))
    assert y == pytest.approx(y1 + (y2 - y1) * (x - x1) / (x2 - x1), abs=0.5)


def check_range(page, case, low, high, x="bandwidth", y="miss_rate"):
    for name in case.models:
        curve = case.curve(name)
        for partial in ("strip", "mean"):
            wanted = curve.gain(x=x, y=y, partial=partial, miss_rate=(low, high))
            assert page.number("range-table", name, f"{partial} gain") == pytest.approx(
                wanted, rel=1e-7, abs=1e-9, nan_ok=True
            )


@pytest.mark.parametrize("axes", [("bandwidth", "miss_rate"), ("excess", "miss_rate"), ("excess", "deficit")])
def test_partial_gains_follow_the_range(page, case, axes):
    """Both definitions, from the two sliders."""
    page.tab.select_option("#x-axis", axes[0])
    page.tab.select_option("#y-axis", axes[1])
    check_range(page, case, 0, 0.5, *axes)
    page.slide("low", 20)
    page.slide("high", 110)
    check_range(page, case, 0.02, 0.15, *axes)
    page.slide("low", 180)
    check_range(page, case, 0.5, 0.505, *axes)


@pytest.mark.parametrize("unit", [1e-9, 2e4, 1e12])
def test_the_cost_slider_and_the_axes_serve_every_unit(browser, tmp_path, unit):
    """Weights are centered on the errors, and ticks show a power of ten in the label."""
    rows = one(unit)
    page = opened(
        browser, uc.report({"mine": rows}, tmp_path / "page.html", unit="EUR", n_resamples=9, rng=0)
    )
    assert 0.7 < page.number("cost-table", "mine", "coverage") < 0.98
    seen = set()
    for place in range(100, 301, 20):
        page.slide("cost", place)
        c = float(page.tab.locator("#cost-value").inner_text().removeprefix("c = "))
        best = rows.ucc().minimize_cost(c)
        assert page.number("cost-table", "mine", "cheapest") == near(best.point.parameter)
        seen.add(best.point.parameter)
    assert len(seen) > 5
    ticks = page.tab.locator("#ucc-chart .axis .tick text, #rows-chart .axis .tick text").all_text_contents()
    assert max(map(len, ticks)) <= 6
    assert f"(10{ {1e-9: '⁻⁹', 2e4: '³', 1e12: '¹²'}[unit] } EUR)" in (
        page.tab.locator("#ucc-chart .label").first.text_content()
    )
    assert page.troubles == []
    page.tab.context.close()


def test_the_page_carries_the_rates_that_were_asked_for(browser, tmp_path):
    """Also between those of the grid, and ranges within one step of it."""
    rows = one()
    path = uc.report(
        {"mine": rows}, tmp_path / "page.html", miss_rate=0.1234, partial_range=(0.0123, 0.333), n_resamples=9
    )
    page = opened(browser, path)
    assert page.number("points-table", "mine", "bandwidth") == near(rows.ucc().at(miss_rate=0.1234).bandwidth)
    expect(page.tab.locator("#to-value")).to_have_text("98.77%")
    wanted = rows.ucc().gain(partial="mean", miss_rate=(0.0123, 0.333))
    assert page.number("range-table", "mine", "mean gain") == pytest.approx(wanted, rel=1e-7)
    path = uc.report({"mine": rows}, tmp_path / "two.html", partial_range=(0, 0.0004), n_resamples=9)
    other = opened(browser, path)
    expect(other.tab.locator("#from-value")).to_have_text("99.96%")
    assert page.troubles + other.troubles == []
    page.tab.context.close()
    other.tab.context.close()
