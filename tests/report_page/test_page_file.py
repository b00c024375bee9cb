"""The file of the page: its size, what it carries, and what is refused."""

from __future__ import annotations

import datetime as dt
import html
import re
from importlib import resources

import numpy as np
import pytest
from opened_page import near, numbers_of, unpacked
from pages import PAGES, one_model, write_page

import uccurve as uc
from errors import raises
from limited_rows import BOTH, LOWER, SENTENCE, UPPER, compared
from uccurve.cli import main
from uccurve.exceptions import ArgumentError, MissingDependencyError, ShapeError

LARGEST_DEMO = 800_000
"""Bytes."""


def test_the_page_of_the_demo_is_small(pages):
    """And carries the licenses of the libraries inside."""
    path = pages("demo")
    assert path.stat().st_size <= LARGEST_DEMO
    assert "Permission to use, copy, modify" in path.read_text("utf-8")


def test_the_same_seed_writes_the_same_page(tmp_path):
    """Byte for byte: no clock and no path of a machine in it."""
    models, options = PAGES["differing"]()
    first, second = (
        write_page(tmp_path / f"{i}.html", models, **{**options, "n_resamples": 9}).read_bytes()
        for i in range(2)
    )
    assert first == second
    assert str(tmp_path).encode() not in first


def test_a_comparison_can_be_shown_without_making_it_again(tmp_path):
    """It has its own options: others would be ignored, and are refused."""
    models, options = PAGES["differing"]()
    comparison = uc.compare(models, by=options["by"], n_resamples=9, rng=1)
    text = uc.report(comparison, tmp_path / "page.html").read_text()
    assert html.unescape(text).count(comparison.findings[0]) >= 1
    for name, value in (("by", options["by"]), ("vary", "shift")):
        with raises(ArgumentError, name):
            uc.report(comparison, tmp_path / "page.html", **{name: value})


def test_a_page_that_cannot_be_written_leaves_nothing(tmp_path):
    """Neither the page nor a part of it; an old page stays."""
    with pytest.raises(FileNotFoundError):
        uc.report(one_model(), tmp_path / "absent" / "page.html", n_resamples=9)
    (tmp_path / "folder").mkdir()
    with pytest.raises(IsADirectoryError):
        uc.report(one_model(), tmp_path / "folder", n_resamples=9)
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


@pytest.mark.parametrize(
    ("options", "error", "argument"),
    [
        ({"against": [1, 2]}, ArgumentError, "against"),
        ({"against": {"x": [1, 2]}}, ShapeError, "against['x']"),
        ({"against": {"x": ["a"] * 300}}, ArgumentError, "against['x']"),
        ({"against": {"x": np.ones(300) * 1j}}, ArgumentError, "against['x']"),
        ({"rows": slice(0, 0)}, ArgumentError, "rows"),
        ({"rows": [800]}, ArgumentError, "rows"),
        ({"title": None}, ArgumentError, "title"),
        ({"notes": "one"}, ArgumentError, "notes"),
        ({"about": ["file"]}, ArgumentError, "about"),
        ({"by": [1, 2]}, ShapeError, "by"),
    ],
)
def test_wrong_arguments_are_named(tmp_path, options, error, argument):
    """And no page is written."""
    with raises(error, argument):
        uc.report(one_model(), tmp_path / "page.html", n_resamples=9, **options)
    assert list(tmp_path.iterdir()) == []


def test_sketches_have_no_rows_and_one_row_is_too_few(tmp_path):
    """There is nothing to draw, and nothing to compare by."""
    with raises(ArgumentError, "against"):
        uc.report(one_model().sketch(), tmp_path / "page.html", against={"x": np.arange(300)})
    with raises(ArgumentError, "models"):
        uc.report(one_model(1), tmp_path / "page.html")


def test_without_jinja_the_page_says_what_to_install(tmp_path, monkeypatch):
    """The extra that has it."""
    monkeypatch.setitem(__import__("sys").modules, "jinja2", None)
    with pytest.raises(MissingDependencyError, match=re.escape("pip install 'uccurve[report]'")):
        uc.report(one_model(), tmp_path / "page.html", n_resamples=9)


def test_the_numbers_are_the_library_s(pages):
    """Scores, half-widths and factors at every step; who is best, and the bands of all pairs."""
    models, options = PAGES["differing"]()
    data = numbers_of(pages("differing"))
    standings = uc.compare(models, by=options["by"], n_resamples=999, rng=0).standings
    rates = unpacked(data["rates"])
    assert np.array_equal(rates, standings.rates)
    assert rates[data["chosen"]] == pytest.approx(0.1)
    names = [curve["name"] for curve in data["curves"]]
    for name, curve in zip(names, data["curves"], strict=True):
        own = standings.curves[name]
        for place in range(0, rates.size, 40):
            point = own.at(miss_rate=float(rates[place]))
            assert unpacked(curve["numbers"]["bandwidth"])[place] == near(point.bandwidth)
            assert unpacked(curve["parameter"])[place] == near(point.parameter)
    criterion = data["criteria"]["interval_score"]
    for place, best in enumerate(criterion["best"]):
        assert (None if best is None else names[best]) == standings.at_place(place).best
    for pair, margin in criterion["bands"].items():
        a, b = (names[int(index)] for index in pair.split())
        assert unpacked(margin) == pytest.approx(standings.ratio_curve(a, b).margin, rel=1e-6, nan_ok=True)


@pytest.mark.parametrize("vary", ["scale", "shift"])
def test_segments_are_flagged_as_conditional_coverage_does(tmp_path, vary):
    """One rule, at every coverage that the page can show."""
    rng = np.random.default_rng(7)
    noise = np.repeat([0.6, 1.8], 300)
    y, region = noise * rng.normal(size=600), np.repeat(["calm", "wild"], 300)
    rows = uc.Intervals.from_bands(y, 0 * y, np.ones(600), sample_weight=rng.integers(1, 3, size=600))
    data = numbers_of(write_page(tmp_path / "page.html", {"m": rows}, by=region, vary=vary, n_resamples=9))
    for place in range(3, 270, 20):
        coverage = 1 - float(unpacked(data["rates"])[place])
        asked = uc.conditional_coverage(rows.ucc(vary=vary), by=region, coverage=coverage)
        flags = [one["models"][0]["off"][place] == "1" for one in data["segments"]]
        assert flags == [part.significant for part in asked.segments]


def test_zero_bands_reach_less_and_are_not_flagged_beyond(tmp_path):
    """Where intervals without width keep rows missed, there is no point to fall short of."""
    y = np.array([1.0, 0.0, 0.0, 0.0, 2.0, 0.0])
    rows = uc.Intervals.from_bands(y, 0 * y, [0.0, 1, 1, 1, 0, 1])
    data = numbers_of(write_page(tmp_path / "page.html", {"m": rows}, by=list("aaabbb"), n_resamples=9))
    assert all(one["models"][0]["off"][:100] == "0" * 100 for one in data["segments"])
    assert np.isnan(unpacked(data["curves"][0]["parameter"])[:100]).all()


def test_many_rows_are_carried_for_every_purpose(tmp_path):
    """Some spread evenly, some in a row, some of each of the twenty largest segments; a thousand at most."""
    n = 5000
    labels = np.sort(np.random.default_rng(0).zipf(1.6, size=n) % 30)
    path = write_page(tmp_path / "page.html", {"mine": one_model(n)}, by=labels, n_resamples=9)
    rows = numbers_of(path)["rows"]
    index = unpacked(rows["index"]).astype(int)
    assert index.size <= 1000
    assert rows["spread"].count("1") == 500
    assert np.all(np.diff(index[np.array(list(rows["stretch"])) == "1"]) == 1)
    assert len(rows["segments"]) == 20
    for part in rows["segments"]:
        held = index[np.array(list(part["rows"])) == "1"]
        assert held.size >= 12
        assert (labels[held] == int(part["name"])).all()
    assert f"The page contains {index.size} of 5,000 rows." in path.read_text()
    path = write_page(tmp_path / "page.html", {"mine": one_model()}, rows=[120, 20, 110], n_resamples=9)
    assert "The page contains 3 of 300 rows, as chosen." in path.read_text()


def test_outputs_are_pooled_and_dropped_rows_keep_their_places(tmp_path):
    """Two outputs with different scales; a row that is not valid."""
    rng = np.random.default_rng(3)
    band, y = np.array([1.0, 10.0]) * rng.exponential(size=(60, 2)), rng.normal(size=(60, 2))
    y[4] = np.nan
    with pytest.warns(uc.exceptions.DroppedRowsWarning):
        rows = uc.Intervals.from_bands(y, np.zeros((60, 2)), band, 2 * band, invalid="drop")
    about = {"file": "<b>.csv", "command": "uccurve report '<b>.csv'"}
    options = {"against": {"x": np.arange(60.0)}, "about": about, "blocks": 3, "n_resamples": 99}
    path = write_page(tmp_path / "page.html", {"both": rows}, **options)
    carried, text = numbers_of(path)["rows"], html.unescape(path.read_text())
    assert unpacked(carried["index"])[6:10].tolist() == [3, 3, 5, 5]
    assert unpacked(carried["columns"][0]["values"])[8] == 5
    y, (pred, lower, upper, critical) = unpacked(carried["y"]), map(unpacked, carried["curves"][0].values())
    assert np.abs(y - pred) / np.where(y >= pred, upper, lower) == pytest.approx(critical)
    for words in (
        "59 kept, 1 or more dropped as invalid",
        "2 of each row, pooled",
        "only rows of the same block depend on each other (20 blocks)",
        "1 paired permutation test at 90% coverage, with 99 permutations each",
        "from 99 resamples of blocks",
        "<b>.csv",
        "uccurve report '<b>.csv'",
    ):
        assert words in text


def test_columns_may_be_times_of_any_kind(tmp_path):
    """Dates, times with a zone, and whole numbers."""
    import pandas as pd

    zone = dt.timezone(dt.timedelta(hours=2))
    columns = {
        "date": [dt.date(2026, 1, 1) + dt.timedelta(days=i) for i in range(40)],
        "zoned": pd.Series(pd.date_range("2026-01-01", periods=40, tz=zone)),
        "period": list(pd.period_range("2026-01-01", periods=40, freq="D")),
        "none": [None] * 40,
        "whole": np.arange(40),
    }
    path = write_page(tmp_path / "page.html", {"mine": one_model(40)}, against=columns, n_resamples=9)
    carried = {column["name"]: column for column in numbers_of(path)["rows"]["columns"]}
    first = dt.datetime(2026, 1, 1, tzinfo=dt.UTC).timestamp() * 1000
    starts = [unpacked(carried[name]["values"])[0] for name in ("date", "zoned", "period")]
    assert starts == [first, first - 2 * 3600 * 1000, first]
    assert [carried[name]["time"] for name in columns] == [True, True, True, False, False]


@pytest.mark.parametrize(("side", "models"), [("upper", UPPER), ("lower", LOWER), ("both", BOTH)])
def test_the_page_says_on_which_side_limits_are(side, models, tmp_path):
    """Among the facts about the data."""
    page = uc.report(compared(models), tmp_path / "page.html", unit="kWh").read_text()
    assert (SENTENCE.format(side) in page) == (side != "both")


def test_long_names_lose_their_middle_in_sentences_only(pages):
    """The table of models has them whole as titles, those below in their cells."""
    text = html.unescape(pages("hostile").read_text())
    data = numbers_of(pages("hostile"))
    long = data["curves"][3]
    assert len(long["name"]) > 60 > len(long["brief"])
    assert not any(long["name"] in "".join(answer) for answer in data["texts"]["answers"])
    assert f'title="{long["name"]}"' in text


def test_numbers_below_each_other_have_the_same_decimals(pages):
    """Ranges and areas; a claim stands before the coverage, or among the facts of a single model."""
    text = pages("differing").read_text("utf-8")
    for name, head in (("ranges", "from"), ("areas", "half-width (kWh)"), ("areas", "area (kWh)")):
        table = text.partition(f'<table id="{name}-table">')[2].partition("</table>")[0]
        heads = re.findall(r"<th scope=\"col\"[^>]*>([^<]*)", table)
        rows = [re.findall(r"data-value=[^>]*>([^<]*)", row) for row in table.split("<tr>")[2:]]
        shown = [row[heads.index(head)].removesuffix("%") for row in rows]
        assert len({len(number.partition(".")[2]) for number in shown}) == 1
        assert all("." in number for number in shown)
    assert "(claims" not in pages("single").read_text("utf-8")


def test_sentences_name_no_options_of_the_command_line(pages):
    """Neither in facts, nor in what they mean."""
    for kind in PAGES:
        text = pages(kind).read_text("utf-8").partition("<script")[0]
        assert not re.findall(r">[^<]*\s--[a-z]+[^<]*<", text)


def test_the_bundle_is_there():
    """Made by tools/bundle.mjs, which checks that it is what the sources give."""
    folder = resources.files("uccurve.report_page") / "web"
    for name in ("page.min.js", "page.min.css", "licenses.txt"):
        assert (folder / name).read_text("utf-8")


def test_columns_of_a_file_are_facts_and_no_warnings(tmp_path, monkeypatch):
    """Only what weakens the result stands at the top."""
    monkeypatch.chdir(tmp_path)
    lines = "".join(f"{i},{i - 2 - i % 3},{i + 4}\n" for i in range(150))
    (tmp_path / "f.csv").write_text(f"y,a_p10,a_p90\n{lines}")
    assert main(["report", "f.csv", "-o", "page.html", "--n-resamples", "9", "--quiet"]) == 0
    text = html.unescape((tmp_path / "page.html").read_text("utf-8"))
    assert "<dt>columns</dt><dd>observations 'y'" in text
    assert '<ul class="notes"' not in text
