"""What the page says: one way to say narrower and wider, names that fit, the answer before the warnings."""

from __future__ import annotations

import re

import numpy as np
import pytest
from opened_page import opened, wider_by
from playwright.sync_api import expect

import uccurve as uc

LONG = "pipeline/2026-01/quantile_regression_forest_with_conformal_adjustment_"


@pytest.fixture(scope="module")
def differing(tmp_path_factory):
    """Long names, three ways of predicting, and a model of constant width."""
    rng = np.random.default_rng(3)
    n = 600
    scale = rng.lognormal(sigma=0.7, size=n)
    y = scale * rng.normal(size=n)
    models = {
        f"{LONG}alpha": uc.Intervals.from_bands(y, np.zeros(n), scale),
        f"{LONG}beta": uc.Intervals.from_bands(y, np.full(n, 0.1), np.sqrt(scale)),
        "flat": uc.Intervals.from_bands(y, np.full(n, -0.1), np.ones(n)),
    }
    path = tmp_path_factory.mktemp("words") / "page.html"
    segments = np.where(np.arange(n) % 2, "odd", "even")
    return models, uc.report(models, path, by=segments, notes=["mind this"], n_resamples=49, rng=0)


@pytest.fixture
def page(browser, differing):
    page = opened(browser, differing[1], "")
    yield page
    assert page.troubles == []
    page.tab.context.close()


def test_the_answer_stands_before_the_warnings(page):
    """Both are in sight at once."""
    answer, warning = (
        page.tab.locator(name).bounding_box() for name in ("#answer", ".notes li >> text=mind this")
    )
    assert answer["y"] + answer["height"] <= warning["y"]
    assert warning["y"] + warning["height"] <= 900


def test_better_and_worse_are_said_in_words_everywhere(page, differing):
    """On the axis, beside the slider, in the tables: no number has a sign that a reader would have to know."""
    page.slide("rate", 180)  # 50% coverage, where a model is wider
    models = differing[0]
    reference = min(models.values(), key=lambda rows: rows.ucc().score_at(coverage=0.9)).ucc().reference
    for name, rows in models.items():
        curve = rows.ucc()
        saved = 1 - curve.score_at(coverage=0.5) / reference.score_at(coverage=0.5)
        words = f"{100 * abs(saved):.1f}% {'better' if saved >= 0 else 'worse'}"
        row = page.tab.locator(f'#models-table tr[data-model="{name}"]')
        expect(row.locator("td").nth(3)).to_contain_text(words)
        if name != "flat":
            number = f"{curve.score_at(coverage=0.5):.4g}"
            expect(page.tab.locator("#readout")).to_contain_text(f"{number}, {words}")
        gain = curve.gain_at(coverage=0.5)
        words = f"{100 * abs(gain):.1f}% {'narrower' if gain >= 0 else 'wider'}" if gain else "as wide"
        expect(page.tab.locator(f'#points-table tr[data-model="{name}"] td').last).to_have_text(words)
    ticks = page.tab.locator("#ratio-chart .axis .tick text").all_text_contents()
    assert len([wider_by(text) for text in ticks if "better" in text or "worse" in text]) >= 3
    signed = r"[+−±-]\d+(\.\d+)?%"
    for place in ("#ratio-chart", "#readout", "#models-table", "#segments-table", "#points-table"):
        assert not re.search(signed, page.tab.locator(place).text_content()), place


def test_constant_width_among_the_models_is_called_so(page):
    """A gain of exactly 0 with an interval of no width says nothing."""
    cells = page.tab.locator("#segments-table tbody tr", has_text="flat").all_inner_texts()
    assert len(cells) == 2
    assert all("constant width" in text for text in cells)
    assert "[0.0, 0.0]" not in page.tab.locator("#models-table").inner_text()


def test_long_names_lose_their_middle_in_sentences_and_keep_it_in_a_title(page, differing):
    """The ends tell them apart; the tables have them whole. Also where the slider has moved on."""
    names = list(differing[0])[:2]
    for _ in range(2):
        shown = page.tab.locator("#answer .name").all()
        assert {node.get_attribute("title") for node in shown} <= set(names)
        assert shown
        for node in shown:
            text, title = node.inner_text(), node.get_attribute("title")
            begin, end = text.split("…")
            assert title.startswith(begin)
            assert title.endswith(end)
            assert len(text) == 32
        page.slide("rate", 60)
    for name in names:
        expect(page.tab.locator("#legend").get_by_role("button", name=name, exact=True)).to_be_visible()
        expect(page.tab.locator(f'#models-table tr[data-model="{name}"] th')).to_have_text(name)


def test_several_constant_bands_are_folded_away_in_all_tables(page):
    """One button says how wide they are, and unfolds them."""
    folded = page.tab.locator("tr.reference")
    assert folded.count() == 9  # in three tables
    assert not any(row.is_visible() for row in folded.all())
    button = page.tab.locator("#constant-rows")
    expect(button).to_have_text(re.compile(r"^Show 3 rows of constant width, "))
    button.click()
    assert all(row.is_visible() for row in page.tab.locator("tr.reference").all())
    expect(button).to_have_text(re.compile("^Hide 3 rows of constant width"))
