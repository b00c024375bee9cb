"""Axes, units and models of the page can be chosen, and lines belong to their models."""

from __future__ import annotations

import json

import numpy as np
import pytest
from opened_page import check_point, near, one, opened, plot_of
from playwright.sync_api import expect

import uccurve as uc


@pytest.mark.parametrize("x", ["bandwidth", "excess"])
@pytest.mark.parametrize("y", ["miss_rate", "deficit"])
def test_the_axes_can_be_chosen(page, case, x, y):
    """The point on the chart lies where the numbers of the table say."""
    page.tab.select_option("#x-axis", x)
    page.tab.select_option("#y-axis", y)
    labels = page.tab.locator("#ucc-chart .label").all_text_contents()
    assert labels[0].startswith(x)
    assert labels[1].startswith(y.replace("_", " "))
    assert "(kWh)" in labels[0]
    box = plot_of(page)
    handles = {
        name: page.tab.get_by_role("slider", name=f"operating point of {name}") for name in case.models
    }
    boxes = {name: handle.bounding_box() for name, handle in handles.items()}
    points = {name: case.curve(name).at(miss_rate=0.1) for name in case.models}
    across = {name: place["x"] + place["width"] / 2 - box["x"] for name, place in boxes.items()}
    ratio = across["scaled"] / across["damped"]
    assert ratio == pytest.approx(getattr(points["scaled"], x) / getattr(points["damped"], x), rel=0.02)
    up = {name: box["y"] + box["height"] - place["y"] - place["height"] / 2 for name, place in boxes.items()}
    wanted = getattr(points["scaled"], y) / getattr(points["damped"], y)
    assert up["scaled"] / up["damped"] == pytest.approx(wanted, rel=0.05)


def test_units_can_be_standard_deviations(page, case):
    """Costs change, scales and miss rates do not."""
    page.tab.select_option("#units", "standardized")
    check_point(page, case, 0.1, standardized=True)
    expect(page.tab.locator("#ucc-chart .label").first).to_contain_text("standard deviations of y")


def test_headings_name_the_unit(page):
    """Of numbers in units of y, which follow the choice; those of the comparison stay as they were made."""
    assert page.heads("points-table")[1:6] == [
        "scale by",
        "coverage",
        "bandwidth (kWh)",
        "excess (kWh)",
        "deficit (kWh)",
    ]
    assert page.heads("cost-table")[3:] == ["cost", "as supplied"]
    page.tab.select_option("#units", "standardized")
    page.tab.select_option("#y-axis", "deficit")
    assert page.heads("points-table")[3] == "bandwidth (standard deviations)"
    assert page.heads("cost-table")[3:] == ["cost (standard deviations)", "as supplied (standard deviations)"]
    assert {"bandwidth (kWh)", "area (kWh)"} <= set(page.heads("scores-table"))
    assert not any("_" in head for head in page.tab.locator("th").all_text_contents())


def test_what_does_not_apply_to_the_axes_is_disabled(page):
    """And says why; the choice comes back with the axes."""
    boxes = {name: page.tab.locator(f"#show-{name}") for name in ("constant", "limit", "band")}
    assert all(box.is_enabled() for box in boxes.values())
    page.tab.select_option("#x-axis", "excess")
    page.tab.select_option("#y-axis", "deficit")
    assert [box.is_enabled() for box in boxes.values()] == [True, False, False]
    assert (
        page.tab.locator("label", has=boxes["limit"]).get_attribute("title") == "Needs the bandwidth across."
    )
    expect(page.tab.locator(".card", has=page.tab.locator("#range-table"))).to_contain_text(
        "Gains on excess and deficit"
    )
    page.tab.select_option("#x-axis", "bandwidth")
    assert boxes["limit"].is_checked()
    assert boxes["limit"].is_enabled()


def test_labels_of_axes_fit(browser, case):
    """The shorter words where there is no room for the longer ones: nothing is cut."""
    for width in (1280, 375):
        page = opened(browser, case.path, viewport={"width": width, "height": 800})
        page.tab.select_option("#units", "standardized")
        page.tab.select_option("#x-axis", "excess")
        page.tab.select_option("#y-axis", "deficit")
        across, up = page.tab.locator("#ucc-chart .label").all_text_contents()
        assert across.startswith("excess")
        assert up == f"deficit (standard deviations{' of y' if width == 1280 else ''})"
        assert "…" not in across + up
        page.tab.context.close()


def test_constant_bands_and_limits_belong_to_their_models(page):
    """They have the color of the first model they serve, and go with the last."""

    def strokes(kind):
        return page.tab.evaluate(
            "kind => [...document.querySelectorAll('#ucc-chart path.' + kind)].map((n) => n.getAttribute('stroke'))",
            kind,
        )

    assert strokes("reference") == ["var(--curve-0)", "var(--curve-2)"]
    assert set(strokes("limit")) == {"var(--curve-0)", "var(--curve-2)"}
    page.tab.get_by_role("button", name="scaled", exact=True).click()
    assert strokes("reference") == ["var(--curve-0)", "var(--curve-2)"]  # damped still needs it
    page.tab.get_by_role("button", name="other", exact=True).click()
    assert strokes("reference") == ["var(--curve-0)"]
    assert strokes("limit") == ["var(--curve-0)"]
    assert page.tab.locator("path.isocost").count() == 0
    page.tab.locator("#show-cost").check()
    look = "n => [getComputedStyle(n).strokeDasharray, getComputedStyle(n).strokeWidth]"
    assert page.tab.locator("path.isocost").evaluate(look) == ["none", "0.9px"]
    expect(page.tab.locator(".hint", has_text="equal cost")).to_be_visible()


def test_models_can_be_hidden(page):
    """All but one."""
    for name in ("scaled", "damped", "other"):
        page.tab.get_by_role("button", name=name, exact=True).click()
    assert page.tab.locator("circle.handle").count() == 1
    assert page.tab.get_by_role("button", name="other", exact=True).get_attribute("aria-pressed") == "true"
    for box in ("constant", "limit", "band"):
        page.tab.locator(f"#show-{box}").uncheck()
    assert page.tab.locator("#ucc-chart path.curve").count() == 1
    assert page.tab.locator("#ucc-chart path.limit, #ucc-chart path.confidence").count() == 0


def test_many_models_are_told_apart(browser, tmp_path):
    """By color or by dashes: no two are alike."""
    models = {f"model {i}": one(seed=3).scaled(1 + i) for i in range(8)}
    path = uc.report(models, tmp_path / "page.html", n_resamples=9, rng=0)
    page = opened(browser, path)
    looks = page.tab.evaluate(
        """[...document.querySelectorAll('#legend line')].map((line) =>
            getComputedStyle(line).stroke + ' ' + line.getAttribute('stroke-dasharray'))"""
    )
    assert len(looks) == len(set(looks)) == 8
    page.tab.context.close()


def test_each_kind_of_band_has_its_own_limit(browser, tmp_path):
    """A model with bands on one side may pass the limit of symmetric ones."""
    rows = one()
    both = {
        "one-sided": rows,
        "symmetric": uc.Intervals.from_bands(rows.y_true, rows.y_pred, rows.lower_band),
    }
    page = opened(browser, uc.report(both, tmp_path / "page.html", n_resamples=9, rng=0))
    assert page.tab.locator("#ucc-chart path.limit").count() == 2
    page.tab.get_by_role("button", name="symmetric", exact=True).click()
    assert page.tab.locator("#ucc-chart path.limit").count() == 1
    page.tab.context.close()


def test_shifts_follow_the_unit(browser, tmp_path):
    """A shift is an amount of y, and the advice names its unit."""
    rows = one()
    path = uc.report({"mine": rows}, tmp_path / "page.html", vary="shift", unit="kWh", n_resamples=9)
    page = opened(browser, path)
    shift = rows.ucc(vary="shift").at(miss_rate=0.1).parameter
    expect(page.tab.locator("#rows-note")).to_contain_text(f"add {shift:.4g} kWh to each band")
    page.tab.select_option("#units", "standardized")
    wanted = rows.standardized().ucc(vary="shift").at(miss_rate=0.1).parameter
    assert page.number("points-table", "mine", "add to each side") == near(wanted)
    page.tab.context.close()


def test_a_band_is_as_wide_as_the_library_s_on_a_curve_with_a_high_floor(browser, tmp_path):
    """Where one of its ends is cut at 1."""
    rows = one()
    band = np.where(np.arange(300) < 290, 0.0, rows.lower_band)
    rows = uc.Intervals.from_bands(rows.y_true, rows.y_pred, band)
    page = opened(browser, uc.report({"mine": rows}, tmp_path / "page.html", n_resamples=9, rng=0))
    curve = json.loads(page.tab.locator("#numbers").text_content())["curves"][0]
    wanted = rows.ucc().confidence_band()
    assert curve["margin"] == near(float(np.max(wanted.miss_rate - wanted.low)))
    handle = page.tab.get_by_role("slider", name="operating point of mine")
    handle.focus()
    page.tab.keyboard.press("End")
    page.settle()
    assert handle.get_attribute("aria-valuetext") == "100% coverage is not reachable"
    page.tab.keyboard.press("Home")
    assert page.miss_rate == 1.0
    page.tab.context.close()
