"""Comparisons, reports and figures on the command line."""

from __future__ import annotations

import html
import json
import re

from command_runs import batch, forecasts, good, intervals, run

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
    assert printed.endswith("\n".join(wanted.findings) + "\n")
    assert re.search(r"^AutoARIMA +Naive .*\]", printed, re.MULTILINE)


def test_report_writes_one_page(folder, tmp_path):
    """It names the models, and nothing is left beside it."""
    options = ("--n-resamples", 19, "--by", "unique_id", "--unit", "MW", "--title", "Load <now>")
    printed = good("report", folder / "f.csv", "-o", "page.html", *options, cwd=tmp_path)
    assert printed == "Wrote page.html\n"
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "AutoARIMA" in page
    assert "Load &lt;now&gt;" in page
    assert "Load <now>" not in page
    assert re.search(r"file f.csv · seed 0 · date \d{4}-\d\d-\d\d · uccurve ", page)
    assert "--title &#39;Load &lt;now&gt;&#39;</code>" in page
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
    options = [
        "--unit",
        "MW",
        "--title",
        r"5 $ \frac $",
        "--cost",
        "0.1",
        "--confidence",
        "0.9",
        "--model",
        model,
    ]
    svg = ["plot", str(folder / "f.csv"), "-o", "ucc.svg"]
    plain, full, band = batch(
        [svg, [*svg[:3], "full.svg", *options], [*svg, *options, "--y", "deficit"]], tmp_path
    )
    assert (plain[0], full[0], band[0]) == (0, 0, 2)
    drawn = [(tmp_path / name).read_text() for name in ("ucc.svg", "full.svg")]
    for word in ("(MW)", r"5 $ \frac $", "optimum at c = 0.1", "90% band"):
        assert [f"<!-- {word}" in text or word in text for text in drawn] == [False, True], word
    assert "--confidence and --y deficit exclude each other" in band[2]


def test_notes_say_where_results_are_weak(folder, tmp_path):
    """Few blocks cannot give small p-values, and areas under shifts say little."""
    file = str(folder / "f.csv")
    options = ["--n-resamples", "9", "--json"]
    commands = [
        ["compare", file, *options, "--blocks", "unique_id"],
        ["compare", file, *options, "--blocks", "12", "--vary", "shift", "--y", "deficit"],
        ["report", file, *options, "--blocks", "60", "--vary", "shift"],
    ]
    documents = [json.loads(printed) for _, printed, _ in batch(commands, tmp_path)]
    notes = [" ".join([*one["notes"], *one.get("warnings", ())]) for one in documents]
    assert "only 2 blocks: p-values and confidence intervals are rough." in notes[0]
    assert "only 4 blocks" in notes[2]
    assert "blocks" not in notes[1]
    assert ["--y deficit" in note for note in notes] == [False, False, True]


def test_demo_prints_findings_and_writes_a_page(tmp_path):
    """The main job, without any file; the findings in full with --all."""
    printed, everything = (
        good("demo", "-o", "demo.html", "--n-resamples", 49, *more, cwd=tmp_path) for more in ((), ("--all",))
    )
    assert printed.startswith("At 90% coverage, ")
    assert "--all shows segments and details." in printed
    assert "coverage, sharp is clearly best" in everything
    assert everything.endswith("Wrote demo.html\n")
    assert printed.endswith("Wrote demo.html\n")
    assert "<html" in (tmp_path / "demo.html").read_text(encoding="utf-8")
