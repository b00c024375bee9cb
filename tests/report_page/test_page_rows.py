"""The rows on the page: which are shown, and which of them are missed."""

from __future__ import annotations

import json

import numpy as np
import pytest
from opened_page import near, one, opened, unpacked
from playwright.sync_api import expect

import uccurve as uc


def test_hits_and_misses_follow_the_operating_point(page, case):
    """All carried rows are shown, and each is marked as the curve counts it."""
    page.tab.select_option("#rows-model", label="scaled")
    page.tab.select_option("#rows-most", "1000")
    for place, rate in ((100, 0.1), (200, 0.6)):
        page.slide("rate", place)
        curve = case.curve("scaled")
        missed = int(np.count_nonzero(curve.data.critical() > curve.at(miss_rate=rate).parameter))
        expect(page.tab.locator("#rows-note")).to_contain_text(f"Of these 700 rows {missed} are missed")
        crosses = page.tab.locator("path.rows-misses").get_attribute("d")
        dots = page.tab.locator("path.rows-hits").get_attribute("d")
        assert (crosses.count("M"), dots.count("M")) == (missed, 700 - missed)


def test_rows_can_be_drawn_against_a_column(page):
    """A number, and a time with its own axis."""
    page.tab.select_option("#rows-order", label="against scale")
    expect(page.tab.locator("#rows-chart .label").first).to_have_text("scale")
    page.tab.select_option("#rows-order", label="against hour")
    expect(page.tab.locator("#rows-chart .axis").first).to_contain_text("Jan 11")
    page.tab.select_option("#rows-model", label="constant width of scaled")
    expect(page.tab.locator("#rows-note")).to_contain_text("constant width of scaled")


def test_rows_of_one_segment_can_be_shown(page, case):
    """Each is marked as for all rows, and the note says what is shown and what was missed there."""
    page.tab.select_option("#rows-model", label="scaled")
    page.tab.select_option("#rows-most", "1000")
    options = page.tab.locator("#rows-segment option").all_text_contents()
    assert options == ["all", "north", "south"]
    page.tab.select_option("#rows-segment", label="south")
    curve = case.curve("scaled")
    here = case.segments == "south"
    parameter = curve.at(miss_rate=0.1).parameter
    missed = int(np.count_nonzero(kernel_critical(case.models["scaled"])[here] > parameter))
    expect(page.tab.locator("#rows-note")).to_contain_text(
        f"Of these {here.sum()} rows of south {missed} are missed."
    )
    page.tab.select_option("#rows-most", "50")
    part = case.models["scaled"].by(case.segments)["south"].ucc().at(parameter=parameter)
    expect(page.tab.locator("#rows-note")).to_contain_text(
        f"; of all {here.sum()} there, {100 * part.miss_rate:.1f}%"
    )


def kernel_critical(rows):
    """Return what each row would need the bands multiplied by."""
    error = rows.y_true - rows.y_pred
    band = np.where(error >= 0, rows.upper_band, rows.lower_band)
    return np.abs(error) / band


def test_rows_can_follow_each_other(page):
    """A stretch, which a slider moves."""
    expect(page.tab.locator("#rows-from")).to_be_hidden()
    page.tab.select_option("#rows-pick", "row")
    page.tab.select_option("#rows-most", "50")
    expect(page.tab.locator("#rows-note")).to_contain_text("Of these 50 rows in a row (0 to 49)")
    slider = page.tab.get_by_role("slider", name="From").first
    slider.focus()
    page.tab.keyboard.press("End")
    expect(page.tab.locator("#rows-note")).to_contain_text("Of these 50 rows in a row (650 to 699)")
    assert slider.get_attribute("aria-valuetext") == "row 650"
    page.tab.keyboard.press("ArrowLeft")
    expect(page.tab.locator("#rows-start-value")).to_have_text("row 649")
    page.tab.select_option("#rows-order", label="against hour")
    dots = page.tab.locator("path.rows-hits").get_attribute("d").count("M")
    crosses = page.tab.locator("path.rows-misses").get_attribute("d").count("M")
    assert dots + crosses == 50


def test_many_rows_are_carried_for_every_purpose(browser, tmp_path):
    """Some spread evenly, some in a row, some of each of the twenty largest segments; a thousand at most."""
    n = 5000
    labels = np.sort(np.random.default_rng(0).zipf(1.6, size=n) % 30)
    path = uc.report({"mine": one(n=n)}, tmp_path / "page.html", by=labels, n_resamples=9, rng=0)
    page = opened(browser, path)
    rows = json.loads(page.tab.locator("#numbers").text_content())["rows"]
    index = unpacked(rows["index"]).astype(int)
    assert len(index) == rows["carried"] <= 1000
    sizes = dict(zip(*np.unique(labels, return_counts=True), strict=True))
    largest = sorted(sizes, key=lambda label: -sizes[label])[:20]
    assert [part["name"] for part in rows["segments"]] == [str(label) for label in sorted(largest)]
    for code, part in enumerate(rows["segments"]):
        held = index[(np.array(rows["segment"]) == code) & (np.array(list(rows["own"])) == "1")]
        assert len(held) >= min(part["n"], 12)
        assert (labels[held] == int(part["name"])).all()
    smallest = str(largest[-1])
    page.tab.select_option("#rows-segment", label=smallest)
    expect(page.tab.locator("#rows-note")).to_contain_text(f"rows of {smallest}")
    page.tab.select_option("#rows-pick", "row")  # none of them is in the stretch
    expect(page.tab.locator("#rows-note")).to_contain_text(f"rows of {smallest}")
    note = page.tab.locator(".hint", has_text="The page carries")
    expect(note).to_contain_text("500 spread evenly, 200 in a row, and more of each segment.")
    expect(note).to_contain_text(f"20 of {len(sizes)} segments can be shown on their own.")
    assert page.troubles == []
    page.tab.context.close()


def test_chosen_rows_are_all_that_is_carried(browser, tmp_path):
    """In whichever order they were chosen."""
    labels = np.repeat(["a", "b", "c"], 100)
    path = uc.report(
        {"mine": one()}, tmp_path / "page.html", by=labels, rows=[120, 20, 110], n_resamples=9, rng=0
    )
    page = opened(browser, path)
    assert page.tab.locator("#rows-segment option").all_text_contents() == ["all", "a", "b"]
    page.tab.select_option("#rows-pick", "row")
    expect(page.tab.locator("#rows-note")).to_contain_text("Of these 3 rows in a row (20 to 120)")
    expect(page.tab.locator(".hint", has_text="The page carries")).to_contain_text(
        "The page carries 3 of 300 rows, as chosen. 2 of 3 segments can be shown on their own."
    )
    page.tab.context.close()


def test_outputs_are_pooled_and_their_rows_marked_right(browser, tmp_path):
    """Two outputs with different scales; rows without weight are marked like all others."""
    rng = np.random.default_rng(3)
    band = np.array([1.0, 10.0]) * rng.exponential(size=(60, 2))
    weight = 1.0 * (np.arange(60) >= 10)
    rows = uc.Intervals.from_bands(
        band * rng.normal(size=(60, 2)), np.zeros((60, 2)), band, 2 * band, sample_weight=weight
    )
    path = uc.report(
        {"both": rows}, tmp_path / "page.html", against={"x": np.arange(60.0)}, n_resamples=9, rng=0
    )
    page = opened(browser, path)
    page.tab.select_option("#rows-most", "150")
    point = rows.ucc().at(miss_rate=0.1)
    assert page.number("points-table", "both", "excess") == near(point.excess)
    wide = rows.scaled(point.parameter * (1 + 1e-12))
    missed = int(np.count_nonzero((rows.y_true < wide.lower) | (rows.y_true > wide.upper)))
    expect(page.tab.locator("#rows-note")).to_contain_text(f"Of these 120 values {missed} are missed")
    carried = json.loads(page.tab.locator("#numbers").text_content())["rows"]
    y, (pred, lower, upper, critical) = unpacked(carried["y"]), map(unpacked, carried["curves"][0].values())
    assert np.abs(y - pred) / np.where(y >= pred, upper, lower) == pytest.approx(critical)
    assert page.troubles == []
    page.tab.context.close()


def test_columns_may_be_times_of_any_kind(browser, tmp_path):
    """Dates, times with a zone, and a column without values, which leaves nothing to draw."""
    import datetime as dt

    import pandas as pd

    rows = one(n=40)
    zone = dt.timezone(dt.timedelta(hours=2))
    columns = {
        "date": [dt.date(2026, 1, 1) + dt.timedelta(days=i) for i in range(40)],
        "zoned": pd.Series(pd.date_range("2026-01-01", periods=40, tz=zone)),
        "none": np.full(40, np.nan),
        "whole": np.arange(40),
    }
    page = opened(browser, uc.report({"mine": rows}, tmp_path / "page.html", against=columns, n_resamples=9))
    carried = {
        c["name"]: c for c in json.loads(page.tab.locator("#numbers").text_content())["rows"]["columns"]
    }
    first = dt.datetime(2026, 1, 1, tzinfo=dt.UTC).timestamp() * 1000
    assert unpacked(carried["date"]["values"])[0] == first
    assert unpacked(carried["zoned"]["values"])[0] == first - 2 * 3600 * 1000
    assert [carried[name]["time"] for name in columns] == [True, True, False, False]
    page.tab.select_option("#rows-order", label="against none")
    expect(page.tab.locator("#rows-note")).to_contain_text("No row has a value there.")
    assert page.troubles == []
    page.tab.context.close()
