"""The tables on the page show the comparison, and follow the operating point."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from opened_page import near, opened, texts_of
from playwright.sync_api import expect

import uccurve as uc
from uccurve.comparison import RecordTable, Regime


def test_segments_show_gain_and_their_coverage_at_the_chosen_point(page, case):
    """The bands are moved for all rows; each segment is then counted on its own."""
    for place, rate in ((100, 0.1), (160, 0.4)):
        page.slide("rate", place)
        page.tab.locator("#segments-table").scroll_into_view_if_needed()
        page.settle()
        for row in page.tab.locator("#segments-table tbody tr").all():
            segment = row.locator("th").inner_text().strip()
            cells = row.locator("td:not(.dots)")
            name = cells.nth(0).inner_text()
            part = case.models[name].by(case.segments)[segment].ucc()
            parameter = case.curve(name).at(miss_rate=rate).parameter
            assert float(cells.last.get_attribute("data-value")) == near(
                part.at(parameter=parameter).coverage
            )
            heads = page.tab.locator("#segments-table thead th").all_inner_texts()
            gain = cells.nth(heads.index("gain") - 1)
            assert float(gain.get_attribute("data-value")) == near(part.gain())
            words = "narrower" if part.gain() >= 0 else "wider"
            assert gain.inner_text().startswith(f"{100 * abs(part.gain()):.1f}% {words} [")


def test_the_tables_show_the_comparison(page, case):
    """Scores with their ceilings, pairs, regimes, and the findings word for word."""
    comparison = uc.compare(case.models, n_resamples=49, by=case.segments, rng=0)
    scores = comparison.scores.columns()
    for place, name in enumerate(scores["model"]):
        for column in ("area", "gain", "ceiling", "deficit_gain", "deficit_ceiling"):
            shown = page.number("scores-table", name, column.replace("_", " "))
            assert shown == near(scores[column][place])
    tests = comparison.tests.columns()
    shown = [
        [cell.get_attribute("data-value") for cell in row.locator("td").all()]
        for row in page.tab.locator("#tests-table tbody tr").all()
    ]
    assert [float(row[1]) for row in shown] == tests["ratio"]
    assert [float(row[3]) for row in shown] == tests["pvalue_holm"]
    assert page.tab.locator("#regimes-table tbody tr").count() == len(comparison.regimes.columns()["best"])
    assert page.tab.locator(".findings li").all_text_contents() == list(comparison.findings)
    assert page.tab.locator("#regimes-chart g.regime").count() == len(comparison.regimes.columns()["best"])


def test_ranges_that_are_too_close_to_call_are_nobody_s(browser, case, tmp_path):
    """Neither on the map nor in its key does a model have them."""
    comparison = uc.compare(case.models, n_resamples=9, rng=1)
    unknown = Regime(low=0.0, high=0.4, best=None, runner_up=None, saved=np.nan, clear=False)
    sure = Regime(low=0.4, high=1.0, best="damped", runner_up="other", saved=0.1, clear=True)
    made = replace(comparison, regimes=RecordTable((unknown, sure), "regimes"))
    page = opened(browser, uc.report(made, tmp_path / "page.html"))
    unordered = page.tab.locator("#regimes-chart rect").first
    assert (unordered.get_attribute("class"), unordered.get_attribute("fill")) == ("unsure", "var(--line)")
    label = page.tab.locator("#regimes-chart").get_attribute("aria-label")
    assert "60% to 100%: too close to call. 0% to 60%: damped, 10.0% ahead of other or more, clear" in label
    expect(page.tab.locator(".note", has_text="pale where")).to_be_visible()
    said = texts_of(page.saved("regimes-chart", "svg").read_text())
    assert "too close to call" in said
    assert "not tested" not in said
    assert page.troubles == []
    page.tab.context.close()
