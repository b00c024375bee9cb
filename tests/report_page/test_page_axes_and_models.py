"""Points lie where their numbers say, models can be chosen, and lines belong to their models."""

from __future__ import annotations

import json

import numpy as np
import pytest
from opened_page import near, one, opened, plot_of

import uccurve as uc


def test_points_lie_where_the_numbers_of_the_table_say(page, case):
    """Across and up."""
    labels = page.tab.locator("#ucc-chart .label").all_text_contents()
    assert labels[0] == "bandwidth: mean half-width (kWh)"
    assert labels[1].startswith("miss rate")
    box = plot_of(page)
    handles = {
        name: page.tab.get_by_role("slider", name=f"operating point of {name}") for name in case.models
    }
    boxes = {name: handle.bounding_box() for name, handle in handles.items()}
    points = {name: case.curve(name).at(miss_rate=0.1) for name in case.models}
    across = {name: place["x"] + place["width"] / 2 - box["x"] for name, place in boxes.items()}
    ratio = across["scaled"] / across["damped"]
    assert ratio == pytest.approx(points["scaled"].bandwidth / points["damped"].bandwidth, rel=0.02)
    up = {name: box["y"] + box["height"] - place["y"] - place["height"] / 2 for name, place in boxes.items()}
    assert up["scaled"] == pytest.approx(up["damped"], rel=0.05)


def test_headings_name_the_unit(page):
    """Of numbers in units of y."""
    assert page.heads("points-table")[1:6] == [
        "scale by",
        "coverage",
        "bandwidth (kWh)",
        "excess (kWh)",
        "deficit (kWh)",
    ]
    assert {"half-width (kWh)", "area (kWh)"} <= set(page.heads("scores-table"))
    assert not any("_" in head for head in page.tab.locator("th").all_text_contents())


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
