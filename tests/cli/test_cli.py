"""The command line, run as its users run it: as another process, on files that are not always good."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import re
import resource
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import uccurve as uc
from uccurve.cli import _help, _output_files

ROOT = Path(__file__).parents[2]
CLI = [sys.executable, "-W", "error", "-m", "uccurve.cli"]
ENV = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "FORCE_COLOR")}
N = 240


# Root may write everywhere, unless it gives that up.
HUMBLY = (
    ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-dac_override,-dac_read_search"]
    if os.geteuid() == 0
    else []
)


def run(*arguments, cwd, before=(), **options):
    """Run a command; arguments may be paths and numbers."""
    options.setdefault("env", ENV)
    options.setdefault("stdin", None if "input" in options else subprocess.DEVNULL)
    if options["stdin"] is None:
        del options["stdin"]
    return subprocess.run(
        [*before, *CLI, *map(str, arguments)], cwd=cwd, capture_output=True, text=True, check=False, **options
    )


def good(*arguments, cwd, **options):
    """Run a command that must succeed, and return what it printed."""
    done = run(*arguments, cwd=cwd, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout


def refused(*arguments, cwd, code, **options):
    """Run a command that must fail in one line, and return that line."""
    done = run(*arguments, cwd=cwd, **options)
    assert (done.returncode, done.stdout) == (code, ""), done
    assert done.stderr.startswith("uccurve: ")
    assert done.stderr.count("\n") == 1
    return done.stderr.removeprefix("uccurve: ").removesuffix("\n")


BATCH = """
import contextlib, io, json, sys
from uccurve.cli import main
for arguments in json.loads(sys.argv[1]):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(arguments)
    print(json.dumps([code, out.getvalue(), err.getvalue()]))
"""


def batch(commands, cwd):
    """Run commands one after the other in one process, which is quicker; return code and output of each."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", BATCH, json.dumps(commands)],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=True,
        env=ENV,
    )
    return list(map(json.loads, done.stdout.splitlines()))


def forecasts():
    """Two models and two segments, as Nixtla's libraries lay them out."""
    rng = np.random.default_rng(0)
    scale, mean = rng.lognormal(sigma=0.6, size=N), rng.normal(size=N) * 3
    return pl.DataFrame(
        {
            "unique_id": np.where(np.arange(N) % 3 == 0, "B 2", "A 1"),
            "ds": [f"2024-01-{1 + row % 28:02d}" for row in range(N)],
            "y": mean + scale * rng.normal(size=N),
            "AutoARIMA": mean,
            "AutoARIMA-lo-80": mean - 1.2 * scale,
            "AutoARIMA-hi-80": mean + 1.3 * scale,
            "AutoARIMA-lo-90": mean - 1.5 * scale,
            "AutoARIMA-hi-90": mean + 1.7 * scale,
            "Naive": mean + 0.1,
            "Naive-lo-90": mean - 1.5,
            "Naive-hi-90": mean + 2.0,
        }
    )


def intervals(frame, model, level=90, rows=slice(None)):
    """What the library makes of a model's columns."""
    columns = ("y", model, f"{model}-lo-{level}", f"{model}-hi-{level}")
    return uc.Intervals.from_bounds(*(frame[name].to_numpy()[rows] for name in columns))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The same rows in every format."""
    path, frame = tmp_path_factory.mktemp("files"), forecasts()
    frame.write_csv(path / "f.csv")
    frame.write_parquet(path / "f.parquet")
    frame.write_ipc(path / "f.feather")
    frame.write_ndjson(path / "f.jsonl")
    return path


# -- scores -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["f.csv", "f.parquet", "f.feather", "f.jsonl", "-"])
def test_score_says_what_the_library_says_in_every_format(folder, name):
    """And on standard input the first bytes tell the format."""
    with (folder / "f.parquet").open("rb") as file:
        found = json.loads(good("score", name, "--json", cwd=folder, stdin=file))["scores"]
    assert [record["model"] for record in found] == ["AutoARIMA", "Naive"]
    for record in found:
        curve = intervals(forecasts(), record["model"]).ucc()
        assert record["n"] == N
        assert record["bandwidth"] == curve.original.bandwidth
        assert record["area"] == curve.area()
        assert record["deficit_gain"] == curve.gain(y="deficit")
        assert record["ceiling"] == curve.ceiling(one_sided=True)
        assert record["parameter"] == curve.at(miss_rate=0.1).parameter


def test_score_by_segment_with_another_level_and_rate(folder):
    """Each segment is scored as if it were alone."""
    printed = good(
        "score", "f.csv", "--by", "unique_id", "--level", 80, "--miss-rate", 0.2, "--json", "--vary", "shift",
        "--model", "arima=AutoARIMA,AutoARIMA-lo-80,AutoARIMA-hi-80", cwd=folder,
    )  # fmt: skip
    found = json.loads(printed)["scores"]
    assert [record["segment"] for record in found] == [None, "A 1", "B 2"]
    for record, rows in zip(found[:2], (slice(None), np.arange(N) % 3 != 0), strict=True):
        curve = intervals(forecasts(), "AutoARIMA", 80, rows).ucc("shift")
        assert record["parameter"] == curve.at(miss_rate=0.2).parameter
        assert record["gain"] == curve.gain()


def test_all_rows_come_first_under_a_name_that_no_segment_has(tmp_path):
    """Also where a segment is called all."""
    rows = "".join(f"{i},{i - 1},{i + 2},{'ab'[i % 2]},{['all', '(all)'][i % 2]}\n" for i in range(6))
    (tmp_path / "f.csv").write_text(f"y,lo,hi,kind,odd\n{rows}")
    done = batch([["score", "f.csv", "--by", column] for column in ("kind", "odd")], tmp_path)
    names = [[line.split()[0] for line in printed.splitlines()[2:]] for _, printed, _ in done]
    assert names == [["all", "a", "b"], ["((all))", "(all)", "all"]]


def test_a_table_in_a_pipe_is_plain_and_whole(folder):
    """What was found by itself is said on standard error, and not with --quiet."""
    done = run("score", "f.csv", cwd=folder)
    title, head, *rows = done.stdout.splitlines()
    assert (title, head.split()[0], len(rows)) == ("Scores of f.csv", "model", 2)
    area = intervals(forecasts(), "AutoARIMA").ucc().area()
    assert re.search(rf"^AutoARIMA +240 .* {area:.4g} .*\d$", rows[0])
    assert not re.search(r"[\x1b…█]", done.stdout + done.stderr)
    assert "AutoARIMA has the levels 80, 90: took 90" in done.stderr
    assert "Naive = 'Naive', 'Naive-lo-90', 'Naive-hi-90'." in done.stderr
    assert run("score", "f.csv", "-q", cwd=folder).stderr == ""


GERMAN = "Größe;y;Prognose;unten;oben\n" + "".join(
    f"ä{i};{i},5;{i},25;{i - 1},5;{i + 2},{i}e0\n" for i in range(9)
)
GERMAN_NAMES = ("--y-pred", "Prognose", "--lower", "unten", "--upper", "oben", "--decimal", ",")


def test_a_german_file_is_read_and_written_as_it_is(tmp_path):
    """Semicolons, decimal commas and the letters of Windows; in other formats numbers are numbers."""
    for encoding in ("cp1252", "utf-8", "utf-16"):
        (tmp_path / f"{encoding}.csv").write_bytes(GERMAN.encode(encoding))
    read = [
        *GERMAN_NAMES, "--miss-rate", "0.2", "--encoding",
    ]  # fmt: skip
    commands = [
        ["calibrate", "cp1252.csv", "-o", "out.csv", *read, "cp1252"],
        ["calibrate", "cp1252.csv", "-o", "out.parquet", *read, "cp1252"],
        ["score", "out.csv", "--json", *read, "CP1252"],
        ["score", "out.parquet", "--json", *read[:-1]],
        ["score", "utf-16.csv", "--json", *read, "utf-16"],
        ["score", "utf-8.csv", "--json", *read[:-1]],
        ["score", "utf-8.csv", "--encoding", "hex"],
        ["score", "utf-8.csv", *read, "ascii"],
        ["calibrate", "cp1252.csv", "-o", "none.csv", "--suffix", "_λ", *read, "cp1252"],
    ]
    done = batch(commands, tmp_path)
    assert [code for code, _, _ in done] == [0] * 6 + [2, 3, 3], done
    written = (tmp_path / "out.csv").read_bytes().decode("cp1252").splitlines()
    assert written[0] == "Größe;y;Prognose;unten;oben"
    assert re.fullmatch(r"ä3;3,5;3,25;[\d,]+;[\d,]+", written[4])
    frame = pl.read_parquet(tmp_path / "out.parquet")
    assert frame.dtypes == [pl.String] + [pl.Float64] * 4
    assert float(written[4].split(";")[3].replace(",", ".")) == frame["unten"][3]
    scores = [json.loads(printed)["scores"] for _, printed, _ in done[2:6]]
    assert scores[0] == scores[1]
    assert scores[2] == scores[3]
    assert "such are utf-8, cp1252" in done[6][2]
    assert "not in ASCII: line 1 cannot be read" in done[7][2]
    assert "'λ' does not exist in cp1252" in done[8][2]
    assert not (tmp_path / "none.csv").exists()


def test_a_thousands_point_is_not_taken_for_a_decimal_one(tmp_path):
    """It would be wrong by a factor of a thousand."""
    (tmp_path / "f.csv").write_text("y;lo;hi\n1.234;1000,5;2000\n")
    line = refused("score", "f.csv", "--decimal", ",", cwd=tmp_path, code=1)
    assert line.endswith("(line 2): '1.234'; with --decimal ',' a number has no point.")


NAMES_FOUND = {
    "ds,y,yhat,yhat_lower,yhat_upper": "yhat = 'yhat', 'yhat_lower', 'yhat_upper'",
    "Actual,Forecast,Lower,Upper": "observations 'Actual'; model = 'Forecast', 'Lower', 'Upper'",
    "y_true,y_pred,sigma": "model = 'y_pred', 'sigma'",
    "y,net_pred,net_lower,net_upper": "net = 'net_pred', 'net_lower', 'net_upper'",
    "y,y_pred,y_lower,y_upper": "observations 'y'; y = 'y_pred', 'y_lower', 'y_upper'",
    "target,lo,hi": "model = 'lo', 'hi' around their midpoints",
    "y,m-lo-95,m-hi-95,m-median": "m = 'm-median', 'm-lo-95', 'm-hi-95'",
}


def test_common_names_are_found_by_themselves(tmp_path):
    """Prophet's names, capitals, deviations, a name in front, bounds alone, a median."""
    for number, header in enumerate(NAMES_FOUND):
        cells = [
            "0" if re.search("(?i)lo", name) else "4" if re.search("(?i)hi|up", name) else "2"
            for name in header.replace("yhat,", "mean,").split(",")
        ]
        (tmp_path / f"{number}.csv").write_text(f"{header}\n{','.join(cells)}\n")
    done = batch([["score", f"{number}.csv"] for number in range(len(NAMES_FOUND))], tmp_path)
    for used, (code, _, told) in zip(NAMES_FOUND.values(), done, strict=True):
        assert code == 0, told
        assert used in told


# -- comparing, reporting, drawing ------------------------------------------------------------------


def test_compare_says_what_the_library_says(folder):
    """Tables and findings, as a document and as text."""
    options = ("compare", "f.csv", "--resamples", 49, "--seed", 3, "--blocks", 7, "--by", "unique_id")
    found = json.loads(good(*options, "--json", cwd=folder))
    frame = forecasts()
    models = {name: intervals(frame, name) for name in ("AutoARIMA", "Naive")}
    by = frame["unique_id"].to_numpy()
    wanted = uc.compare(models, n_resamples=49, rng=3, blocks=7, by=by)
    assert [record["area"] for record in found["scores"]] == wanted.tables["scores"]["area"]
    assert [record["p"] for record in found["tests"]] == wanted.tables["tests"]["p"]
    assert len(found["segments"]) == len(wanted.tables["segments"]["segment"])
    assert found["findings"] == wanted.summary().splitlines()
    printed = good(*options, cwd=folder)
    assert printed.endswith(wanted.summary() + "\n")
    assert re.search(r"^AutoARIMA +Naive .*\]", printed, re.MULTILINE)


def test_report_writes_one_page(folder, tmp_path):
    """It names the models, and nothing is left beside it."""
    options = ("--resamples", 19, "--by", "unique_id", "--unit", "MW", "--title", "Load <now>")
    printed = good("report", folder / "f.csv", "-o", "page.html", *options, cwd=tmp_path)
    assert printed == "Wrote page.html\n"
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "AutoARIMA" in page
    assert "Load &lt;now&gt;" in page
    assert "Load <now>" not in page
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]


def test_plot_draws_all_models(folder, tmp_path):
    """In the format that the name says; a dollar sign in a name is no formula."""
    model = r"$\frac=AutoARIMA,AutoARIMA-lo-90,AutoARIMA-hi-90"
    assert (
        good("plot", folder / "f.csv", "-o", "ucc.svg", "--model", model, cwd=tmp_path) == "Wrote ucc.svg\n"
    )
    assert (tmp_path / "ucc.svg").read_text().startswith("<?xml")
    assert [path.name for path in tmp_path.iterdir()] == ["ucc.svg"]


def test_plot_takes_what_the_figure_can_show(folder, tmp_path):
    """Unit, title, costs and a confidence band; a dollar sign in the title is no formula."""
    options = ["--unit", "MW", "--title", r"5 $ \frac $", "--cost", "0.1", "--band", "0.9"]
    svg = ["plot", str(folder / "f.csv"), "-o", "ucc.svg"]
    plain, full, band = batch(
        [svg, [*svg[:3], "full.svg", *options], [*svg, *options, "--y", "deficit"]], tmp_path
    )
    assert (plain[0], full[0], band[0]) == (0, 0, 2)
    drawn = [(tmp_path / name).read_text() for name in ("ucc.svg", "full.svg")]
    for word in ("(MW)", r"5 $ \frac $", "optimum at c = 0.1", "90 % band"):
        assert [f"<!-- {word}" in text or word in text for text in drawn] == [False, True], word
    assert "--band and --y deficit exclude each other" in band[2]


def test_notes_say_where_results_are_weak(folder, tmp_path):
    """Few units cannot give small p-values, and areas under shifts say little."""
    file = str(folder / "f.csv")
    options = ["--resamples", "9", "--json"]
    commands = [
        ["compare", file, *options, "--blocks", "unique_id"],
        ["compare", file, *options, "--blocks", "12", "--vary", "shift", "--y", "deficit"],
        ["report", file, *options, "--blocks", "60", "--vary", "shift"],
    ]
    notes = [" ".join(json.loads(printed)["notes"]) for _, printed, _ in batch(commands, tmp_path)]
    assert "--blocks unique_id makes 2 units: the smallest possible p-value is 1/2^1 = 0.5" in notes[0]
    assert "--blocks 60 makes 4 units: the smallest possible p-value is 1/2^3 = 0.125" in notes[2]
    assert "makes" not in notes[1]
    assert ["--y deficit" in note for note in notes] == [False, False, True]


def test_demo_prints_findings_and_writes_a_page(tmp_path):
    """The main job, without any file."""
    printed = good("demo", "-o", "demo.html", "--resamples", 49, cwd=tmp_path)
    assert "needs the least bandwidth" in printed
    assert printed.endswith("Wrote demo.html\n")
    assert "<html" in (tmp_path / "demo.html").read_text(encoding="utf-8")


# -- calibrating ------------------------------------------------------------------------------------

ROWS = "day,note,load,fc,p5,p95,region\n" + "".join(
    f'0{i},"a, {i}",{"" if i > 17 else 10 + (i * 7) % 5},11,{9 + i % 2},{12 + i % 3},{"ab"[i % 2]}\n'
    for i in range(20)
)
NAMES = ("--y-true", "load", "--y-pred", "fc", "--lower", "p5", "--upper", "p95")


def columns_of(text):
    """Read CSV the plain way."""
    rows = list(csv.DictReader(io.StringIO(text)))
    return {name: [row[name] for row in rows] for name in rows[0]}


def test_calibrate_writes_conformal_bounds_and_leaves_the_rest_alone(tmp_path):
    """Also for rows that have no observation yet; text stays as it was written."""
    (tmp_path / "in.csv").write_text(ROWS)
    done = run("calibrate", "in.csv", "-o", "out.csv", *NAMES, "--miss-rate", 0.3, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "Wrote out.csv\n")
    before, after = columns_of(ROWS), columns_of((tmp_path / "out.csv").read_text())
    assert list(after) == list(before)
    assert all(after[name] == before[name] for name in ("day", "note", "load", "fc", "region"))
    arrays = {name: np.array(list(map(float, before[name]))) for name in ("fc", "p5", "p95")}
    y = np.array(list(map(float, before["load"][:18])))
    seen = uc.Intervals.from_bounds(y, *(array[:18] for array in arrays.values()))
    scaler = uc.ConformalScaler(0.3).fit(seen)
    lower, upper = scaler.transform(*arrays.values())
    assert list(map(float, after["p5"])) == lower.tolist()
    assert list(map(float, after["p95"])) == upper.tolist()
    covered = uc.coverage(y, lower[:18], upper[:18])
    assert f"to {100 * covered:.1f} %" in done.stderr
    assert "18 rows it was fitted on, which flatters" in done.stderr


def test_calibrate_can_fit_elsewhere_by_group_and_add_columns(tmp_path):
    """Coverage is then said for rows that were not fitted on."""
    (tmp_path / "in.csv").write_text(ROWS)
    pl.read_csv(io.StringIO(ROWS)).head(18).write_parquet(tmp_path / "seen.parquet")
    options = ("--calibration", "seen.parquet", "--by", "region", "--suffix", "_new", "--miss-rate", 0.3)
    found = json.loads(
        good("calibrate", "in.csv", "-o", "out.jsonl", *NAMES, *options, "--json", cwd=tmp_path)
    )
    frame = pl.read_ndjson(tmp_path / "out.jsonl")
    assert frame.columns[-2:] == ["p5_new", "p95_new"]
    seen = pl.read_parquet(tmp_path / "seen.parquet")
    model = uc.Intervals.from_frame(seen, y_true="load", y_pred="fc", lower="p5", upper="p95")
    scaler = uc.ConformalScaler(0.3).fit(model, groups=seen["region"])
    (record,) = found["models"]
    assert record["parameter"] == scaler.parameters
    assert "not fitted on" in record["judged_on"]
    bounds = scaler.transform(frame["fc"], frame["p5"], frame["p95"], groups=frame["region"])
    assert frame["p5_new"].to_list() == bounds[0].tolist()


def test_calibrate_splits_rows_and_takes_deviations(tmp_path):
    """Half of the rows fit, the other half judge; a deviation becomes two bounds."""
    frame = forecasts().select("y", yhat="AutoARIMA", sigma=(pl.col("AutoARIMA-hi-90") - pl.col("AutoARIMA")))
    text = frame.write_csv()
    printed = good("calibrate", "-", "-o", "-", "--fraction", 0.5, cwd=tmp_path, input=text)
    written = pl.read_csv(io.StringIO(printed))
    assert written.columns == ["y", "yhat", "sigma", "lower", "upper"]
    factor = ((written["upper"] - written["yhat"]) / written["sigma"]).to_numpy()
    assert np.allclose(factor, factor[0])
    rows = np.random.default_rng(0).permutation(N)[: N // 2]
    seen = uc.Intervals.from_std(*(frame[name].to_numpy()[rows] for name in ("y", "yhat", "sigma")))
    assert math.isclose(factor[0], uc.ConformalScaler(0.1).fit(seen).parameter)
    assert refused("calibrate", "-", "-o", "-", "--json", cwd=tmp_path, code=2, input=text)


def test_columns_that_name_a_level_keep_to_it(folder, tmp_path):
    """90 % bounds are never written to columns that say 80."""
    forecasts().select("y", q025="AutoARIMA-lo-80", q975="AutoARIMA-hi-80").write_csv(tmp_path / "q.csv")
    for level in (80, 90):
        columns = pl.col(f"^AutoARIMA.*{level}$")
        forecasts().select("y", columns, "AutoARIMA").write_csv(tmp_path / f"{level}.csv")
    file = str(folder / "f.parquet")
    alone = ["--model", "m=AutoARIMA,AutoARIMA-lo-80,AutoARIMA-hi-80"]
    cases = [
        ([file, "--level", "80", *alone], 0.2, ("AutoARIMA-lo-80", "AutoARIMA-hi-80")),
        ([file, *alone, "--miss-rate", "0.05"], 0.05, ("AutoARIMA-lo-95", "AutoARIMA-hi-95")),
        ([file, *alone, "--miss-rate", "0.025", "--suffix", "_c"], 0.025, ("AutoARIMA-lo-97.5_c", "AutoARIMA-hi-97.5_c")),
        (["q.csv"], 0.05, ("q025", "q975")),
        (["q.csv", "--miss-rate", "0.2"], 0.2, ("q10", "q90")),
        ([file], 0.1, ("AutoARIMA-lo-90", "AutoARIMA-hi-90")),
    ]  # fmt: skip
    commands = [
        ["calibrate", *arguments, "-o", f"{number}.parquet", "--json"]
        for number, (arguments, _, _) in enumerate(cases)
    ]
    taken = ["calibrate", file, *alone, "--miss-rate", "0.1", "-o", "out.csv"]
    mixed = ["calibrate", file, "--calibration", "80.csv", "-o", "out.csv"]
    other = [*mixed[:3], "90.csv", *mixed[4:]]
    *done, over, unlike, fewer = batch([*commands, taken, mixed, other], tmp_path)
    for number, ((arguments, rate, names), (code, printed, told)) in enumerate(zip(cases, done, strict=True)):
        assert code == 0, told
        found = json.loads(printed)
        assert (found["miss_rate"], tuple(found["models"][0]["columns"])) == (rate, names)
        frame = pl.read_parquet(tmp_path / f"{number}.parquet")
        y, lower, upper = (frame[name].to_numpy() for name in ("y", *names))
        assert 1 - rate <= uc.coverage(y, lower, upper) < 1 - rate + 0.02
        before = pl.read_csv(tmp_path / "q.csv") if arguments[0] == "q.csv" else forecasts()
        kept = [name for name in before.columns if name not in names and not name.startswith("Naive-")]
        assert frame.select(kept).equals(before.select(kept))
    assert "m: miss rate 0.2, as 'AutoARIMA-lo-80' tells" in done[0][1]
    assert "are in 'AutoARIMA-lo-95' and 'AutoARIMA-hi-95'; 'AutoARIMA-lo-80' and" in done[1][1]
    assert (over[0], unlike[0], fewer[0]) == (2, 1, 1)
    assert "there is a column 'AutoARIMA-lo-90' already" in over[2]
    assert unlike[2].endswith("has 'AutoARIMA-lo-90' and 'AutoARIMA-hi-90': choose one level with --level.\n")
    assert "90.csv: there is no model 'Naive', as in " in fewer[2]


def test_what_calibrate_writes_is_found_again(tmp_path):
    """Deviations of several models become bounds beside their predictions."""
    scale = pl.col("AutoARIMA-hi-90") - pl.col("AutoARIMA")
    frame = forecasts().select("y", "Naive", pred_a="AutoARIMA", std_a=scale, sd=scale * 2)
    frame.write_csv(tmp_path / "f.csv")
    models = ["--model", "a=pred_a,std_a", "--model", "Naive=Naive,sd"]
    commands = [
        ["calibrate", "f.csv", "-o", "g.csv", *models],
        ["score", "g.csv", "--json"],
        ["calibrate", "f.csv", "-o", "h.csv", *models[:2]],
        ["score", "h.csv", "--json"],
    ]
    _, both, _, one = batch(commands, tmp_path)
    written = pl.read_csv(tmp_path / "g.csv")
    assert written.columns[5:] == ["a_pred", "a_lower", "a_upper", "Naive_lower", "Naive_upper"]
    assert written["a_pred"].equals(frame["pred_a"])
    found = {record["model"]: record for record in json.loads(both[1])["scores"]}
    assert list(found) == ["a", "Naive"]
    for name, columns in {"a": ("pred_a", "std_a"), "Naive": ("Naive", "sd")}.items():
        model = uc.Intervals.from_std(*(frame[column].to_numpy() for column in ("y", *columns)))
        assert math.isclose(found[name]["area"], model.ucc().area(), rel_tol=1e-9)
        assert 0.9 <= found[name]["coverage"] < 0.92
    assert "model = 'lower', 'upper' around their midpoints" in json.loads(one[1])["notes"][-1]
    assert math.isclose(json.loads(one[1])["scores"][0]["area"], found["a"]["area"], rel_tol=1e-9)


def test_a_file_to_calibrate_needs_no_observations(tmp_path):
    """They are in the other file, under the name that was given."""
    (tmp_path / "seen.csv").write_text(ROWS)
    (tmp_path / "new.csv").write_text("fc,p5,p95\n11,9,12\n")
    options = ("--calibration", "seen.csv", "--invalid", "drop", "--miss-rate", 0.3)
    good("calibrate", "new.csv", "-o", "out.csv", *NAMES, *options, cwd=tmp_path)
    assert (tmp_path / "out.csv").read_text().startswith("fc,p5,p95\n11,")


def test_too_few_rows_to_promise_anything_are_said(tmp_path):
    """Infinite bounds are honest, and no surprise."""
    (tmp_path / "in.csv").write_text("y,pred,lo,hi\n1,1,0,2\n")
    done = run("calibrate", "in.csv", "-o", "out.csv", cwd=tmp_path)
    assert "bounds are infinite: a miss rate of 0.1 takes 9 rows or more to fit on" in done.stderr
    assert (tmp_path / "out.csv").read_text() == "y,pred,lo,hi\n1,1,-inf,inf\n"


# -- bad files --------------------------------------------------------------------------------------

HEAD = "y,pred,lo,hi\n"
FINE = "".join(f"{i},{i + 0.5},{i - 1},{i + 2}\n" for i in range(5))
BAD = {
    "missing column": (HEAD.replace("lo", "below") + FINE, 1, "among 'y', 'pred', 'below', 'hi'"),
    "empty": ("", 1, "the file is empty"),
    "only a header": (HEAD, 1, "no rows below the columns 'y', 'pred', 'lo', 'hi'"),
    "text": (HEAD + FINE + "7,abc,6,8\n", 1, "column 'pred' must hold numbers, but 1 of 6 rows does not; first at row 6 (line 7): 'abc'."),
    "decimal commas": ((HEAD + FINE).replace(",", ";").replace(".", ","), 1, "'0,5'; for decimal commas add --decimal ','."),
    "crossed": ("\n" + HEAD + "\n" + FINE + "7,7,8,6\n", 1, "column 'lo' must not exceed column 'hi', but 1 of 6 rows does; first at row 6 (line 9): lo=8, hi=6."),
    "outside": (HEAD + FINE + "7,9,6,8\n", 1, "column 'pred' must lie inside [column 'lo', column 'hi'], but 1 of 6"),
    "nothing": (HEAD + FINE + "7,7,,8\n7,7,NaN,8\n", 1, "column 'lo' must have a value, but 2 of 7 rows have none; first at row 6 (line 7)"),
    "infinite": (HEAD + FINE + "1e999,7,6,8\n", 1, "column 'y' must be finite, but 1 of 6 rows is not; first at row 6 (line 7): y=inf."),
    "too large": (HEAD + "1e308,-1e308,-1.1e308,0\n", 1, "row 1 (line 2): y=1e+308, pred=-1e+308."),
    "doubled": ("y,pred,lo,lo\n1,1,0,2\n", 1, "each column must have its own name, but several are 'lo'"),
    "two that fit": ("y,y_true,lo,hi\n1,1,0,2\n", 1, "several columns could be the observations: 'y', 'y_true'; choose with --y-true y"),
    "binary": (bytes(range(256)) * 9, 3, "is not CSV: it holds binary data"),
    "Latin 1": ((HEAD + FINE).encode() + b"\xe9,1,0,2\n", 3, "line 7 cannot be read as text; say how it is encoded, as in --encoding cp1252."),
    "UTF-16": ((HEAD + FINE).encode("utf-16"), 3, "is not in UTF-8 but looks like UTF-16: add --encoding utf-16."),
    "Parquet": (b"PAR1 and so on PAR1", 3, "looks like parquet: add --format parquet"),
    "ragged": (HEAD + FINE + "1,1,0,2,9\n", 3, "line 7 has 5 fields, but the header has 4"),
    "open quote": (HEAD + FINE + '"1,1,0,2\n', 3, "a quotation mark may be missing"),
    "control": ("y,pred,lo,hi\n1,\x1b[31m\ta,0,2\n", 1, "must hold numbers"),
}  # fmt: skip


MOST_COMMON = ("missing column", "empty", "text", "crossed", "nothing", "binary")


@pytest.mark.parametrize("kind", MOST_COMMON)
def test_a_bad_file_is_refused_in_one_line_that_names_column_and_row(tmp_path, kind):
    """No partial output, and what was there before stays."""
    content, code, reason = BAD[kind]
    (tmp_path / "in.csv").write_bytes(content if isinstance(content, bytes) else content.encode())
    (tmp_path / "out.csv").write_text("before")
    line = refused("calibrate", "in.csv", "-o", "out.csv", cwd=tmp_path, code=code)
    assert line.startswith("in.csv: ")
    assert reason in line
    assert line.isprintable()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.csv", "out.csv"]
    assert (tmp_path / "out.csv").read_text() == "before"


def test_all_kinds_of_bad_files_are_refused_as_clearly(tmp_path):
    """One line each, printable, with its own reason and code."""
    for number, (content, _, _) in enumerate(BAD.values()):
        raw = content if isinstance(content, bytes) else content.encode()
        (tmp_path / f"{number}.csv").write_bytes(raw)
    done = batch([["score", f"{number}.csv"] for number in range(len(BAD))], tmp_path)
    for number, ((_, code, reason), found) in enumerate(zip(BAD.values(), done, strict=True)):
        assert found[:2] == [code, ""], found
        assert found[2].startswith(f"uccurve: {number}.csv: ")
        assert reason in found[2]
        assert found[2].removesuffix("\n").isprintable()


@pytest.mark.parametrize("command", ["score", "compare", "report", "plot"])
def test_every_command_refuses_a_bad_row(tmp_path, command):
    """With the same words, also for machines, and writes nothing."""
    (tmp_path / "in.csv").write_text(HEAD + FINE + "7,7,8,6\n")
    line = refused(command, "in.csv", "--json", cwd=tmp_path, code=1)
    assert line.endswith("first at row 6 (line 7): lo=8, hi=6.")
    assert [path.name for path in tmp_path.iterdir()] == ["in.csv"]


def test_other_formats_are_refused_as_clearly(tmp_path):
    """A line where there are lines, a row otherwise."""
    nan = '{"y": 1, "lo": 0, "hi": 2}\n\n{"y": NaN, "lo": 0, "hi": 2}\n'
    cases = [
        ("a.jsonl", '{"y": 1}\n{"y":\n', 3, "line 2 is not JSON"),
        (
            "b.jsonl",
            nan,
            1,
            "column 'y' must have a value, but 1 of 2 rows has none; first at row 2 (line 3)",
        ),
        ("c.parquet", "PAR1xxxxxxxxxxPAR1", 3, "is not a readable Parquet file"),
        ("d.arrow", "ARROW1xxxxxxxx", 3, "is not a readable Arrow file"),
    ]
    for name, content, _, _ in cases:
        (tmp_path / name).write_text(content)
    done = batch([["score", name] for name, *_ in cases], tmp_path)
    for (name, _, code, reason), found in zip(cases, done, strict=True):
        assert found[:2] == [code, ""]
        assert found[2].startswith(f"uccurve: {name}: ")
        assert reason in found[2]


def test_a_file_that_disappeared_is_named(tmp_path):
    """A link to nowhere, a folder, and an address: nothing is fetched."""
    (tmp_path / "gone.csv").symlink_to("nowhere.csv")
    assert refused("score", "gone.csv", cwd=tmp_path, code=3) == "gone.csv: there is no such file."
    found = batch([["score", str(tmp_path)], ["score", "http://localhost/f.csv"]], tmp_path)
    assert [code for code, _, _ in found] == [3, 3]
    assert "Is a directory" in found[0][2]
    assert "no such file" in found[1][2]


def test_bad_rows_can_be_dropped_in_all_models_alike(tmp_path):
    """Counted, with reasons; models stay on the same rows."""
    (tmp_path / "in.csv").write_text(
        "y,a,lo,hi,b,s\n1,1,0,2,1,1\n2,2,1,3,9,-1\n3,3,4,2,3,1\n,4,3,5,4,1\n5,6,3,7,4,2\n"
    )
    models = ("--model", "m=a,lo,hi", "--model", "k=b,s")
    assert "k: column 's' must be >= 0" not in refused("score", "in.csv", *models, cwd=tmp_path, code=1)
    done = run("score", "in.csv", *models, "--invalid", "drop", "--json", cwd=tmp_path)
    found = json.loads(done.stdout)
    assert [record["n"] for record in found["scores"]] == [2, 2]
    dropped = found["notes"][-1]
    assert dropped.startswith("dropped 3 of 5 rows: ")
    assert "column 's' must be >= 0 (1)" in dropped


# -- targets that cannot be written ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "target"),
    [
        ("calibrate", "folder.csv"),
        ("calibrate", "nowhere/out.csv"),
        ("calibrate", "in.csv/out.csv"),
        ("report", "nowhere/page.html"),
        ("plot", "in.csv/ucc.png"),
    ],
)
def test_a_target_that_cannot_be_written_is_refused(tmp_path, command, target):
    """Before any work is done, and without a trace."""
    (tmp_path / "folder.csv").mkdir()
    (tmp_path / "in.csv").write_text(HEAD + FINE)
    line = refused(command, "in.csv", "-o", target, cwd=tmp_path, code=3)
    assert line.startswith(f"{target}: cannot be written: ")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder.csv", "in.csv"]


@pytest.mark.parametrize("what", ["file", "folder"])
def test_a_read_only_target_is_refused(tmp_path, what):
    """A file that may not be changed is not replaced either."""
    target = tmp_path / "out" / "f.csv"
    target.parent.mkdir()
    target.write_text("before")
    (tmp_path / "in.csv").write_text(HEAD + FINE)
    (target if what == "file" else target.parent).chmod(0o500)
    name = "out/f.csv" if what == "file" else "out/new.csv"
    assert "no permission" in refused("calibrate", "in.csv", "-o", name, cwd=tmp_path, code=3, before=HUMBLY)
    assert target.read_text() == "before"
    target.parent.chmod(0o700)


@pytest.mark.parametrize("name", ["f.csv", "f.parquet", "f.jsonl", "page.html", "ucc.png"])
def test_a_write_that_fails_half_way_leaves_nothing(folder, tmp_path, name):
    """A full disk, played by a limit on the size of files."""
    target = tmp_path / name
    target.write_text("before")
    command = {".html": "report", ".png": "plot"}.get(target.suffix, "calibrate")
    options = ("--resamples", 9) if command == "report" else ()
    line = refused(
        command, folder / "f.csv", "-o", target, *options, cwd=tmp_path, code=3,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000)),
    )  # fmt: skip
    assert line.startswith(f"{target}: cannot be written")
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert target.read_text() == "before"


def test_a_file_can_be_calibrated_in_place_and_through_a_link(tmp_path):
    """The link stays a link, and the mode of the file stays."""
    (tmp_path / "f.csv").write_text(HEAD + FINE)
    (tmp_path / "f.csv").chmod(0o640)
    (tmp_path / "link.csv").symlink_to("f.csv")
    good("calibrate", "f.csv", "-o", "link.csv", "--miss-rate", 0.5, cwd=tmp_path)
    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "f.csv").stat().st_mode & 0o777 == 0o640
    assert (tmp_path / "f.csv").read_text().startswith(HEAD + "0,0.5,0.0,1.0\n")


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_an_interrupted_write_leaves_nothing(tmp_path, error):
    """Neither Ctrl-C nor a signal to end."""

    def write_half():
        with _output_files.replacing(str(tmp_path / "f.csv")) as path:
            path.write_text("half")
            raise error

    with pytest.raises(error):
        write_half()
    assert list(tmp_path.iterdir()) == []


# -- manners ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_a_command_quietly(tmp_path, sent, code):
    """No traceback; the process is known to run once it has read more than a pipe holds."""
    with subprocess.Popen(
        [*CLI, "score", "-"], cwd=tmp_path, stdin=-1, stdout=-1, stderr=-1, env=ENV
    ) as process:
        process.stdin.write(b"y,lo,hi\n" + b"1,0,2\n" * 500_000)
        process.stdin.flush()
        time.sleep(0.3)  # it waits for more now
        process.send_signal(sent)
        assert process.wait(timeout=30) == code
        assert process.stdout.read() == b""
        assert process.stderr.read() == (b"uccurve: interrupted.\n" if code == 130 else b"")


@pytest.mark.parametrize(
    "arguments", [("score", "f.csv", "-q"), ("calibrate", "f.csv", "-q", "-o", "-"), ("--help",)]
)
def test_a_closed_pipe_is_no_error_to_talk_about(folder, arguments):
    """As in `uccurve score f.csv | head -1`."""
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [*CLI, *arguments], cwd=folder, stdout=writer, stderr=subprocess.PIPE, env=ENV, check=False
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


USAGE = [
    (("score",), "FILE requires an argument"),
    (("scor", "f.csv"), 'Unknown command "scor"'),
    (("score", "--mis-rate", "0.1", "f.csv"), "Unknown option: --mis-rate. Did you mean --miss-rate?"),
    (("score", "f.csv", "--miss-rate", "10"), "Must be < 1. For 10 % write 0.1. See uccurve score --help."),
    (("score", "f.csv", "--miss-rate", "10%"), "Write 0.1. See uccurve score --help."),
    (("score", "f.csv", "--miss-rate", "0,2"), "Write 0.2."),
    (("score", "f.csv", "--level", "90%"), "Write 90."),
    (("plot", "f.csv", "--band", "95"), "For 95 % write 0.95. See uccurve plot --help."),
    (("score", "f.csv", "--unit", "MW"), "Unknown option: --unit. See uccurve score --help."),
    (("plot", "f.csv", "--out=a.png"), "Unknown option: --out. Did you mean --output?"),
    (
        ("score", "f.csv", "--model", "A=AutoARIMA,AutoARIMA-lo-80"),
        "two columns mean a prediction and a standard deviation, but 'AutoARIMA-lo-80' looks like a bound",
    ),
    (("score", "f.csv", "--std", "a", "--lower", "b"), "--std and --lower or --upper exclude each other"),
    (("score", "f.csv", "--model", "a=b"), "write NAME=PRED,LOWER,UPPER or NAME=PRED,STD"),
    (("score", "f.csv", "--model", "a=b,c", "--std", "d"), "--model and --std exclude each other"),
    (("plot", "f.csv", "-o", "ucc.gif"), "must end with .pdf, .png, .svg"),
    (
        ("calibrate", "f.csv", "-o", "g.csv", "--fraction", "0.5", "--calibration", "f.csv"),
        "exclude each other",
    ),
]


def test_wrong_usage_is_one_line_and_a_code_of_its_own(folder):
    """It says what would be right."""
    assert "--output requires" in refused("calibrate", "f.csv", cwd=folder, code=2)
    for (_, reason), (code, printed, told) in zip(
        USAGE, batch([arguments for arguments, _ in USAGE], folder), strict=True
    ):
        assert (code, printed, told.count("\n")) == (2, "", 1)
        assert reason in told


ABSENT = [
    (("score", "f.csv", "--y-true", "Krankheitsmass"), "there is no column 'Krankheitsmass' among 'unique_id', 'ds'"),
    (("score", "--y-true", "Krankheitsmass", "none.csv"), "there is no column 'Krankheitsmass' among 'a', 'b'."),
    (("score", "f.csv", "--by", "UniqueID"), "did you mean 'unique_id'?"),
    (("report", "f.csv", "--against", "DS"), "did you mean 'ds'?"),
    (("compare", "f.csv", "--blocks", "unique-id"), "did you mean 'unique_id'?"),
    (("score", "f.csv", "--model", "A=autoarima,x_std"), "did you mean 'AutoARIMA'?"),
    (("score", "f.csv", "--level", "0.9"), "has no level 0.9 (--level is in per cent: 90)"),
]  # fmt: skip


def test_an_absent_column_is_named_before_all_else(folder, tmp_path):
    """With the one that may have been meant."""
    (tmp_path / "none.csv").write_text("a,b\n1,2\n")
    (tmp_path / "f.csv").write_bytes((folder / "f.csv").read_bytes())
    for (_, reason), found in zip(ABSENT, batch([words for words, _ in ABSENT], tmp_path), strict=True):
        assert found[:2] == [1, ""], found
        assert reason in found[2]


def test_a_traceback_only_with_debug(folder):
    """For those who report a bug."""
    done = run("score", "f.csv", "--lower", "nope", "--debug", cwd=folder)
    assert done.stderr.startswith("Traceback")
    assert "Traceback" not in refused("score", "f.csv", "--lower", "nope", cwd=folder, code=1)


@pytest.mark.parametrize(
    ("library", "extra", "command"), [("rich", "cli", "score"), ("matplotlib", "plot", "plot")]
)
def test_a_missing_extra_is_one_line_with_the_pip_command(folder, library, extra, command):
    """Also where not even the command line can be read."""
    code = f"import sys; sys.modules[{library!r}] = None; from uccurve.cli import main; sys.exit(main([{command!r}, 'f.csv']))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 4
    assert (
        done.stderr
        == f"uccurve: {library} is needed here and not installed: pip install 'uccurve[{extra}]'\n"
    )


def test_importing_the_entry_point_loads_no_optional_library():
    """What is missing is found out when a command runs, not before."""
    code = "import sys, uccurve.cli; print(*{name.partition('.')[0] for name in sys.modules})"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert "uccurve" in loaded
    assert not {"cyclopts", "rich", "polars"} & set(loaded)


def test_names_are_shown_and_never_obeyed(tmp_path):
    """Patterns, markup, formulas of a spreadsheet and options are names like others."""
    names = ["^y.*$", "*", "[bold]lo[/bold]", "hi, there"]
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([names, [1, 1, 0, 2], [2, 2, 1, 5]])
    (tmp_path / "-a[1]*.csv").write_text(text.getvalue())
    model = '=cmd|[red]x[/red]=*,[bold]lo[/bold],"hi, there"'
    options = ("--y-true", names[0], "--by", "*", "--model", model.removeprefix("="))
    done = run("score", *options, "--", "-a[1]*.csv", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Scores of -a[1]*.csv" in done.stdout
    assert "cmd|[red]x[/red]" in done.stdout


def test_a_narrow_terminal_cuts_nothing(folder):
    """Columns continue below instead; colours only on a terminal, and none with NO_COLOR."""
    pty = pytest.importorskip("pty")
    here, there = pty.openpty()
    done = subprocess.Popen(
        [*CLI, "score", "f.csv"],
        cwd=folder,
        stdout=there,
        stderr=-1,
        env={**ENV, "COLUMNS": "80", "NO_COLOR": "1", "TERM": "xterm"},
    )
    _, notes = done.communicate()
    os.close(there)
    shown = b""
    while chunk := _read(here):
        shown += chunk
    lines = re.sub(r"\x1b\[[0-9;]*m", "", shown.decode()).splitlines()
    assert b"\x1b[36m" not in shown
    assert max(map(len, lines)) <= 80
    assert "…" not in shown.decode()
    assert sum(line.startswith("AutoARIMA ") for line in lines) == 2
    assert "\n".join(lines).count("deficit ceiling") == 1
    assert b"\x1b" not in notes


def _read(descriptor):
    try:
        return os.read(descriptor, 65536)
    except OSError:  # how Linux ends a terminal
        return b""


def test_completion_is_set_up_for_the_shell(tmp_path):
    """The script knows the commands, and the start file loads it once."""
    for _ in range(2):
        good("--install-completion", "--shell", "bash", cwd=tmp_path, env={**ENV, "HOME": str(tmp_path)})
    script = next((tmp_path / ".local").rglob("uccurve")).read_text()
    assert "calibrate" in script
    assert "--miss-rate" in script
    assert (tmp_path / ".bashrc").read_text().count("# Load uccurve completion") == 1


# -- what is written about it ------------------------------------------------------------------------


def test_help_names_every_command_and_exit_code(tmp_path):
    """From there a new user must find everything."""
    printed = good("--help", cwd=tmp_path)
    for word in (
        "score",
        "compare",
        "report",
        "plot",
        "calibrate",
        "sketch",
        "merge",
        "demo",
        "--install-completion",
        "--version",
    ):
        assert f" {word} " in printed
    for code in (0, 1, 2, 3, 4, 70, 130, 141, 143):
        assert re.search(rf"\b{code} ", printed)
    assert max(map(len, printed.splitlines())) <= 80
    assert good("--version", cwd=tmp_path).strip() == uc.__version__


EXAMPLES = [
    line.strip().split("  ")[0]
    for text in (
        _help.EPILOGUE,
        _help.SCORE,
        _help.COMPARE,
        _help.REPORT,
        _help.CALIBRATE,
        _help.SKETCH,
        _help.MERGE,
        _help.PLOT,
        _help.DEMO,
    )
    for line in text.splitlines()
    if re.match(r"  (?:uccurve|cat) ", line)
]


def test_the_examples_of_the_help_work(tmp_path):
    """All of them, in one process, on files that have the columns they name."""
    assert len(EXAMPLES) > 15
    frame = forecasts().with_columns(
        actual="y", mean="AutoARIMA", p5="AutoARIMA-lo-90", p95="AutoARIMA-hi-90", pred_a="AutoARIMA",
        lo_a="AutoARIMA-lo-90", hi_a="AutoARIMA-hi-90", pred_b="Naive", std_b=pl.lit(1.5), sd=pl.lit(2.0),
        lower="AutoARIMA-lo-90", upper="AutoARIMA-hi-90", region="unique_id", temperature=pl.lit(3),
    )  # fmt: skip
    plain = frame.drop([name for name in forecasts().columns if name != "unique_id"])
    for name in ("f.csv", "predictions.csv", "test.csv", "validation.csv"):
        plain.write_csv(tmp_path / name)
    plain.write_parquet(tmp_path / "f.parquet")
    plain.write_ndjson(tmp_path / "rows.jsonl")
    (tmp_path / "parts").mkdir()
    plain.write_parquet(tmp_path / "parts" / "1.parquet")
    for name in ("all", "monday", "tuesday"):
        sketch = intervals(forecasts(), "Naive").sketch()
        (tmp_path / f"{name}.ucc").write_bytes(sketch.to_bytes())
    (tmp_path / "excel.csv").write_bytes(plain.write_csv(separator=";").replace(".", ",").encode("cp1252"))
    forecasts().write_csv(tmp_path / "forecasts.csv")
    forecasts().write_csv(tmp_path / "hourly.csv")
    forecasts().drop("Naive", "Naive-lo-90", "Naive-hi-90").write_parquet(tmp_path / "forecasts.parquet")
    forecasts().rename({"unique_id": "patient"}).with_columns(clinic=pl.lit("c")).with_columns(
        patient=pl.int_range(N) // 4
    ).write_csv(tmp_path / "visits.csv")
    driver = """
import io, json, sys
from pathlib import Path
from uccurve.cli import main
for arguments, file in json.loads(sys.argv[1]):
    if file:
        sys.stdin = io.TextIOWrapper(Path(file).open("rb"))
    if main(arguments):
        sys.exit(str(arguments))
"""
    commands = []
    for example in EXAMPLES:
        before, _, rest = example.rpartition("| ")
        command, _, file = rest.partition(" < ")
        arguments = shlex.split(command)[1:]
        if arguments[0] in ("compare", "report", "demo"):  # quicker
            place = arguments.index("--resamples") if "--resamples" in arguments else len(arguments)
            arguments[place : place + 2] = ["--resamples", "9"]
        commands.append((arguments, file or before.removeprefix("cat ").strip()))
    done = subprocess.run(
        [sys.executable, "-c", driver, json.dumps(commands)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        env=ENV,
    )
    assert done.returncode == 0, done.stderr
    assert {"report.html", "calibrated.csv", "test-90.csv", "ucc.svg", "demo.html"} <= {
        p.name for p in tmp_path.iterdir()
    }


def test_the_page_about_the_command_line_is_true(tmp_path):
    """Its commands print what stands below them."""
    blocks = re.findall(r"```console\n(.*?)```", (ROOT / "docs" / "cli.md").read_text(), re.DOTALL)
    environment = {**ENV, "PATH": f"{Path(sys.executable).parent}:{ENV['PATH']}", "HOME": str(tmp_path)}
    told = [part for block in blocks for part in re.split(r"^\$ ", block, flags=re.MULTILINE) if part]
    assert len(told) > 5
    for part in told:
        typed, *lines = part.splitlines(keepends=True)
        while lines and lines[0].startswith("> "):
            typed += lines.pop(0).removeprefix("> ")
        done = subprocess.run(
            ["/usr/bin/env", "bash", "-c", typed],
            cwd=tmp_path,
            stdout=-1,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            env=environment,
        )
        assert done.stdout == "".join(lines).rstrip("\n") + ("\n" if lines else ""), typed
