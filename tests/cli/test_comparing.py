"""Comparisons, reports and figures on the command line."""

from __future__ import annotations

import html
import json
import re

import polars as pl
from command_runs import N, batch, forecasts, good, intervals, run

import uccurve as uc


def test_compare_says_what_the_library_says(folder):
    """Tables and findings, as a document and as text."""
    method = ("--n-resamples", 49, "--seed", 3, "--blocks", 7, "--confidence-level", 0.8)
    options = ("compare", "f.csv", *method, "--by", "unique_id")
    found = json.loads(good(*options, "--json", cwd=folder))
    frame = forecasts()
    models = {name: intervals(frame, name, nominal=0.9) for name in ("AutoARIMA", "Naive")}
    by = frame["unique_id"].to_numpy()
    wanted = uc.compare(models, n_resamples=49, rng=3, blocks=7, confidence_level=0.8, by=by)
    assert [record["area"] for record in found["scores"]] == wanted.scores.columns()["area"]
    assert [record["pvalue"] for record in found["tests"]] == wanted.tests.columns()["pvalue"]
    assert [record["ratio_low"] for record in found["tests"]] == wanted.tests.columns()["ratio_low"]
    assert len(found["segments"]) == len(wanted.segments.columns()["segment"])
    assert found["findings"] == list(wanted.findings)
    assert found["verdict"] == wanted.verdict
    printed = good(*options, "--all", cwd=folder)
    flat = " ".join(printed.split())
    assert [flat.count(" ".join(finding.split())) for finding in wanted.findings] == [1] * len(
        wanted.findings
    )
    assert re.search(r"^AutoARIMA +Naive .*\]", printed, re.MULTILINE)
    ranges = printed.partition("Who is best at which coverage\n")[2].splitlines()
    assert ranges[0].split()[:2] == ["from", "to"]
    assert ranges[1].split()[1] == "99.9%"


def test_report_writes_one_page(folder, tmp_path):
    """It names the models, and nothing is left beside it."""
    options = ("--n-resamples", 19, "--by", "unique_id", "--unit", "MW", "--title", "Load <now>")
    printed = good("report", folder / "f.csv", "-o", "page.html", *options, cwd=tmp_path)
    assert printed == "Wrote page.html\n"
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "AutoARIMA" in page
    assert "Load &lt;now&gt;" in page
    assert "Load <now>" not in page
    assert "f.csv" in page
    assert "--title &#39;Load &lt;now&gt;&#39;" in page
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]


def test_warnings_reach_the_page(tmp_path):
    """What is said on the terminal is said at the top of the page as well."""
    lines = "".join(f"{i},{i + i % 3},{i - 2},{i + 4}\n" for i in range(40))
    (tmp_path / "f.csv").write_text(f"y,pred,lo,hi\n{lines},1,0,2\n")
    options = ("--invalid", "drop", "--blocks", "10", "--n-resamples", 9)
    done = run("report", "f.csv", *options, "-o", "page.html", cwd=tmp_path)
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    shown = re.search('<ul class="notes".*?</ul>', page).group()
    for words in ("dropped 1 of 41 rows", "only 4 blocks: p-values"):
        assert words in done.stderr
        assert words in html.unescape(shown)


def test_plot_takes_what_the_figure_can_show(folder, tmp_path):
    """Unit, title, costs and a confidence band; a dollar sign in a title or a name is no formula."""
    model = r"$\frac=AutoARIMA,AutoARIMA-lo-90,AutoARIMA-hi-90"
    numbers = ["--unit", "MW", "--cost", "0.1", "--confidence", "0.9"]
    options = [*numbers, "--title", r"5 $ \frac $", "--model", model]
    svg = ["plot", str(folder / "f.csv"), "-o", "ucc.svg"]
    plain, full = batch([svg, [*svg[:3], "full.svg", *options]], tmp_path)
    assert (plain[0], full[0]) == (0, 0)
    drawn = [(tmp_path / name).read_text() for name in ("ucc.svg", "full.svg")]
    for word in ("(MW)", r"5 $ \frac $", "cheapest at c = 0.1", "90% band"):
        assert [f"<!-- {word}" in text or word in text for text in drawn] == [False, True], word


def test_demo_prints_findings_and_writes_a_page(tmp_path):
    """The main job, without any file; the findings in full with --all."""
    printed, everything = (
        good("demo", "-o", "demo.html", "--n-resamples", 49, *more, cwd=tmp_path) for more in ((), ("--all",))
    )
    assert printed.startswith("At 90% coverage, ")
    assert "coverage, sharp is clearly best" in everything
    assert everything.endswith("Wrote demo.html\n")
    assert "<html" in (tmp_path / "demo.html").read_text(encoding="utf-8")


def test_features_to_draw_against_are_chosen(tmp_path):
    """Times first, then numbers, never columns of models; or those that are named."""
    frame = forecasts().select(
        "y", "AutoARIMA", "^AutoARIMA-.*$", "unique_id", hour=pl.int_range(N) % 24, day="ds"
    )
    frame.write_csv(tmp_path / "f.csv")
    command = ("report", "f.csv", "--n-resamples", 9, "-q", "-o", "page.html")
    for options, wanted in (((), ["day", "hour"]), (("--against", "hour"), ["hour"])):
        good(*command, *options, cwd=tmp_path)
        page = (tmp_path / "page.html").read_text(encoding="utf-8")
        assert [name for name in ("day", "hour", "unique_id") if f'"name":"{name}"' in page] == wanted
