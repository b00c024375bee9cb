"""The top of the page: what was compared, the verdict, and what of it needs no script."""

from __future__ import annotations

import re

import numpy as np
import pytest
from opened_page import near, one, opened
from playwright.sync_api import expect

import uccurve as uc


def test_the_header_says_what_was_compared_and_what_to_be_careful_about(tmp_path):
    """Rows, those that were dropped, the facts that the caller gave, the version, and every warning."""
    y = np.arange(12.0)
    y[3] = np.nan
    with pytest.warns(uc.exceptions.DroppedRowsWarning):
        rows = uc.Intervals.from_bands(y, np.zeros(12), 1 + np.arange(12.0), invalid="drop")
    about = {"file": "<b>.csv", "date": "2026-05-01", "command": "uccurve report '<b>.csv'"}
    path = uc.report(
        {"mine": rows}, tmp_path / "page.html", about=about, notes=["mind <this>"], n_resamples=9, rng=7
    )
    text = path.read_text()
    assert (
        "11 rows kept, 1 or more dropped as invalid · 1 model · file &lt;b&gt;.csv · date 2026-05-01 · seed 7 · "
        f"uccurve {uc.__version__}</p>"
    ) in text
    assert '<code id="command">uccurve report &#39;&lt;b&gt;.csv&#39;</code>' in text
    assert "<li>mind &lt;this&gt;</li>" in text


def test_without_scripts_the_page_still_answers(browser, case):
    """The verdict, the table of models and the main chart are in the file itself; no control that would do nothing."""
    context = browser.new_context(java_script_enabled=False, viewport={"width": 1280, "height": 900})
    tab = context.new_page()
    tab.goto(case.path.as_uri())
    comparison = uc.compare(case.models, n_resamples=49, by=case.segments, rng=0)
    answer = tab.locator("#answer").inner_text().replace("\u00a0", " ").replace("\u2060", "")
    assert answer == comparison.recommendation.answer
    expect(tab.locator("#static-chart")).to_be_visible()
    assert tab.locator("#static-chart path[fill=none]").count() == len(case.models)
    ranked = [score.model for score in comparison.scores]
    assert tab.locator("#models-table tbody th").all_inner_texts() == ranked
    for name in case.models:
        row = tab.locator("#models-table tbody tr", has=tab.get_by_text(name, exact=True))
        score, width = (float(row.locator("td").nth(place).inner_text()) for place in (1, 2))
        assert score == pytest.approx(case.curve(name).score_at(coverage=0.9), rel=1e-3)
        assert width == pytest.approx(case.curve(name).at(coverage=0.9).bandwidth, rel=1e-3)
    assert not [node for node in tab.locator("button, input, select").all() if node.is_visible()]
    context.close()


def test_the_table_of_models_is_the_comparison_s(page, case):
    """Coverage as supplied, score, width, the lead with its interval, the factor; hidden models leave it."""
    comparison = uc.compare(case.models, n_resamples=49, by=case.segments, rng=0)
    scores = {score.model: score for score in comparison.scores}
    reference = comparison.own_constant_band[case.leader]
    against = f"interval score against {reference}"
    place = [head.partition(" (")[0] for head in page.heads("models-table")].index(against) - 1
    for name in case.models:
        score, lead = scores[name], comparison.standings.lead(name, reference)
        assert page.number("models-table", name, "coverage as supplied") == near(score.coverage)
        assert page.number("models-table", name, "interval score at 90% coverage") == near(score.score_at)
        assert page.number("models-table", name, "half-width at 90% coverage") == near(score.bandwidth_at)
        assert page.number("models-table", name, "scale by") == near(
            case.curve(name).at(coverage=0.9).parameter
        )
        assert page.number("models-table", name, against) == near(lead.value)
        row = page.tab.locator("#models-table tbody tr", has=page.tab.get_by_text(name, exact=True))
        assert float(row.locator("td").nth(place).get_attribute("data-low")) == near(lead.low)
    page.tab.locator("#legend").get_by_role("button", name="damped", exact=True).click()
    expect(page.tab.locator("#models-table tbody tr[data-model=damped]")).to_be_hidden()
    expect(page.tab.locator("#points-table tbody tr[data-model=damped]")).to_have_count(0)
    expect(page.tab.locator("#segments-table tbody tr", has_text="damped")).to_have_count(0)


def test_claims_are_shown_beside_what_is_covered(browser, tmp_path):
    """In the table, and on a chart of their own."""
    rows = one(nominal=0.8)
    page = opened(browser, uc.report({"mine": rows}, tmp_path / "page.html", n_resamples=9, rng=0), "")
    expect(page.tab.locator("#models-table tbody tr").first).to_contain_text("(claims 80%)")
    page.tab.get_by_role("button", name="Claimed against observed").click()
    line = page.tab.locator("#reliability-chart path.curve").get_attribute("d")
    assert line.count("L") == 99
    expect(page.tab.locator("#reliability-chart")).to_have_attribute(
        "aria-label", re.compile(f"mine claims 80% and covers {100 * rows.ucc().original.coverage:.1f}%")
    )
    assert page.troubles == []
    page.tab.context.close()
