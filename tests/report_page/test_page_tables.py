"""The tables on the page show the comparison, and follow the operating point."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace

import numpy as np
from opened_page import near, one, opened, texts_of
from playwright.sync_api import expect

import uccurve as uc
from uccurve.comparison import RecordTable, Regime
from uccurve.report_page._tables import regimes_table


def test_sketches_say_that_nothing_was_tested():
    """A range that somebody leads is none that is clear."""
    rng = np.random.default_rng(0)
    scale = rng.lognormal(size=200)
    y = scale * rng.normal(size=200)
    models = {"a": uc.Intervals.from_std(y, 0 * y, scale), "b": uc.Intervals.from_std(y, 0 * y, 0 * y + 1)}
    comparison = uc.compare({name: rows.sketch() for name, rows in models.items()})
    assert "Nothing was tested" in regimes_table(comparison, sketched=True)["note"]
    assert not any(regime.clear for regime in comparison.regimes)


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


def test_what_a_gain_cannot_say_is_one_click_away(page):
    """In the part that is folded away at first."""
    text = page.tab.get_by_text("the true scale gains exactly 0")
    expect(text).to_be_visible()
    page.tab.locator("#advanced > summary").click()
    expect(text).to_be_hidden()


def test_segments_whose_labels_read_alike_stay_apart(tmp_path):
    """The number 1 and the text 1, say: each has its own coverage."""

    class Label(str):
        """A label that hides what it is."""

        __slots__ = ()

        def __str__(self):
            return "same"

    rows = one(n=60)
    labels = [Label("a")] * 30 + [Label("b")] * 30
    text = uc.report({"mine": rows}, tmp_path / "page.html", by=labels, n_resamples=9).read_text()
    assert re.findall(r'data-segment="(\d+)"', text) == ["0", "1"]
    assert "largest of" not in text


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


def test_the_strip_has_no_gaps_and_names_each_model_once(browser, case, tmp_path):
    """In its widest range, or above it; what is too close to call is named where there is room."""
    comparison = uc.compare(case.models, n_resamples=9, rng=1)
    ends = [(0.01 * i, 0.01 * i + 0.005) for i in range(1, 9)]
    regimes = [
        Regime(
            low=low, high=high, best=(None, "damped")[i % 2], runner_up=None, saved=np.nan, clear=bool(i % 2)
        )
        for i, (low, high) in enumerate(ends)
    ]
    made = replace(comparison, regimes=RecordTable(tuple(regimes), "regimes"))
    page = opened(browser, uc.report(made, tmp_path / "page.html"))
    texts = page.tab.locator("#regimes-chart g.regime text").all_text_contents()
    assert sorted(filter(None, texts)) == ["damped"]
    boxes = [rect.bounding_box() for rect in page.tab.locator("#regimes-chart g.regime rect").all()]
    ends = sorted((box["x"], box["x"] + box["width"]) for box in boxes)
    assert all(begin - end < 2 for (_, end), (begin, _) in itertools.pairwise(ends))
    assert page.troubles == []
    page.tab.context.close()


def test_thousands_are_told_apart_alike_in_tables_and_on_axes(browser, tmp_path):
    """With the thin space of the header."""
    rng = np.random.default_rng(0)
    y, scale = rng.normal(size=3000), rng.lognormal(sigma=0.3, size=3000)
    rows = uc.Intervals.from_bands(y * scale, np.zeros(3000), scale)
    path = uc.report({"mine": rows}, tmp_path / "page.html", by=np.arange(3000) < 1200, n_resamples=9, rng=0)
    page = opened(browser, path)
    assert "3\u202f000 rows" in page.tab.locator(".about").first.inner_text()
    assert "1\u202f200" in page.tab.locator("#segments-table").inner_text()
    ticks = page.tab.locator("#rows-chart .tick text").all_text_contents()
    assert "1\u202f000" in ticks
    assert not [tick for tick in ticks if "," in tick]
    page.tab.context.close()
