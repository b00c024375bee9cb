"""Calibrated files: bounds, names of columns, and what is said about them."""

from __future__ import annotations

import csv
import io
import json
import math

import numpy as np
import polars as pl
from command_runs import N, batch, forecasts, good, refused, run

import uccurve as uc
from uccurve._base.text import align_numbers

ROWS = "day,note,load,fc,least,most,region\n" + "".join(
    f'0{i},"a, {i}",{"" if i > 17 else 10 + (i * 7) % 5},11,{9 + i % 2},{12 + i % 3},{"ab"[i % 2]}\n'
    for i in range(20)
)
NAMES = ("--y-true", "load", "--y-pred", "fc", "--lower", "least", "--upper", "most")


def columns_of(text):
    """Read CSV the plain way."""
    rows = list(csv.DictReader(io.StringIO(text)))
    return {name: [row[name] for row in rows] for name in rows[0]}


def test_calibrate_writes_conformal_bounds_and_leaves_the_rest_alone(tmp_path):
    """Also for rows that have no observation yet; text stays as it was written."""
    (tmp_path / "in.csv").write_text(ROWS)
    done = run("calibrate", "in.csv", "-o", "out.csv", *NAMES, "--miss-rate", 0.3, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    before, after = columns_of(ROWS), columns_of((tmp_path / "out.csv").read_text())
    assert list(after) == list(before)
    assert all(after[name] == before[name] for name in ("day", "note", "load", "fc", "region"))
    arrays = {name: np.array(list(map(float, before[name]))) for name in ("fc", "least", "most")}
    y = np.array(list(map(float, before["load"][:18])))
    pred, low, high = (array[:18] for array in arrays.values())
    seen = uc.Intervals.from_bounds(y, low, high, y_pred=pred)
    scaler = uc.ConformalScaler(0.7).fit(seen)
    lower, upper = scaler.transform(y_pred=arrays["fc"], lower=arrays["least"], upper=arrays["most"])
    assert list(map(float, after["least"])) == lower.tolist()
    assert list(map(float, after["most"])) == upper.tolist()
    covered = uc.coverage(y, lower[:18], upper[:18])
    title, *_, line, last = done.stdout.splitlines()
    assert title == "Calibrated to 70% on 18 rows of in.csv; measured on the fitting rows: optimistic."
    assert f" {100 * uc.coverage(y, low, high):.1f}% → {100 * covered:.1f}% " in line
    before, after = align_numbers([(high - low).mean() / 2, (upper - lower)[:18].mean() / 2])
    assert line.endswith(f" {before} → {after}")
    assert last == "Wrote out.csv"


def test_coverage_on_the_fitting_rows_is_said_to_be_optimistic(tmp_path):
    """Whatever the file is called: the same one, a copy, or the same observations in another format."""
    (tmp_path / "in.csv").write_text(ROWS)
    (tmp_path / "copy.csv").write_text(ROWS.replace("a, ", "b, "))
    frame = pl.read_csv(io.StringIO(ROWS)).head(18)
    frame.write_parquet(tmp_path / "seen.parquet")
    frame.with_columns(load=pl.col("load") + (pl.col("day") == 3)).write_parquet(tmp_path / "other.parquet")
    frame.sample(18, seed=0, with_replacement=True).write_parquet(tmp_path / "drawn.parquet")
    files = ["./in.csv", "copy.csv", "seen.parquet", "other.parquet", "drawn.parquet"]
    options = ("-o", "out.csv", *NAMES, "--coverage", "0.7", "--json", "--calibration")
    done = batch([["calibrate", "in.csv", *options, file] for file in files], tmp_path)
    assert [code for code, _, _ in done] == [0] * len(files), done
    judged = [json.loads(out)["models"][0]["judged_on"] for _, out, _ in done]
    assert judged == ["fitting rows: optimistic"] * 3 + ["rows of in.csv"] * 2


def test_calibrate_can_fit_elsewhere_by_group_and_add_columns(tmp_path):
    """Coverage is then said for rows that were not fitted on."""
    (tmp_path / "in.csv").write_text(ROWS)
    pl.read_csv(io.StringIO(ROWS)).head(16).write_parquet(tmp_path / "seen.parquet")
    options = ("--calibration", "seen.parquet", "--by", "region", "--suffix", "_new", "--miss-rate", 0.3)
    found = json.loads(
        good("calibrate", "in.csv", "-o", "out.jsonl", *NAMES, *options, "--json", cwd=tmp_path)
    )
    frame = pl.read_ndjson(tmp_path / "out.jsonl")
    assert frame.columns[-2:] == ["least_new", "most_new"]
    seen = pl.read_parquet(tmp_path / "seen.parquet")
    model = uc.Intervals.from_frame(seen, y_true="load", y_pred="fc", lower="least", upper="most")
    scaler = uc.ConformalScaler(0.7).fit(model, by=seen["region"])
    (record,) = found["models"]
    assert record["parameter"] == scaler.parameters_
    assert record["judged_on"] == "rows of in.csv"
    bounds = scaler.transform(
        y_pred=frame["fc"], lower=frame["least"], upper=frame["most"], by=frame["region"]
    )
    assert frame["least_new"].to_list() == bounds[0].tolist()


def test_calibrate_splits_rows_and_takes_deviations(tmp_path):
    """Half of the rows fit, the other half judge; a deviation becomes two bounds."""
    frame = forecasts().select("y", yhat="AutoARIMA", sigma=(pl.col("AutoARIMA-hi-90") - pl.col("AutoARIMA")))
    text = frame.write_csv()
    printed = good("calibrate", "-", "-o", "-", "--fraction", 0.5, cwd=tmp_path, stdin=text)
    written = pl.read_csv(io.StringIO(printed))
    assert written.columns == ["y", "yhat", "sigma", "lower", "upper"]
    factor = ((written["upper"] - written["yhat"]) / written["sigma"]).to_numpy()
    assert np.allclose(factor, factor[0])
    rows = np.random.default_rng(0).permutation(N)[: N // 2]
    seen = uc.Intervals.from_std(*(frame[name].to_numpy()[rows] for name in ("y", "yhat", "sigma")))
    assert math.isclose(factor[0], uc.ConformalScaler(0.9).fit(seen).parameter_)
    assert refused("calibrate", "-", "-o", "-", "--json", cwd=tmp_path, code=2, stdin=text)


def test_what_calibrate_writes_is_detected_again(tmp_path):
    """Deviations of several models become bounds beside their predictions."""
    scale = pl.col("AutoARIMA-hi-90") - pl.col("AutoARIMA")
    frame = forecasts().select("y", "Naive", pred_a="AutoARIMA", std_a=scale, sd=scale * 2)
    frame.write_csv(tmp_path / "f.csv")
    models = ["--model", "a=pred_a,std_a", "--model", "Naive=Naive,sd"]
    good("calibrate", "f.csv", "-o", "g.csv", *models, cwd=tmp_path)
    written = pl.read_csv(tmp_path / "g.csv")
    assert written.columns[5:] == ["a_pred", "a_lower", "a_upper", "Naive_lower", "Naive_upper"]
    assert written["a_pred"].equals(frame["pred_a"])
    scores = json.loads(good("score", "g.csv", "--json", cwd=tmp_path))["scores"]
    for score, columns in zip(scores, (("pred_a", "std_a"), ("Naive", "sd")), strict=True):
        model = uc.Intervals.from_std(*(frame[column].to_numpy() for column in ("y", *columns)))
        assert math.isclose(score["area"], model.ucc().area(), rel_tol=1e-9)


def test_invalid_rows_are_dropped_and_those_without_an_observation_stay(tmp_path):
    """An infinite observation is invalid, and a missing one is yet to come."""
    rows = [f"{y},{y + 0.5},{y - 1},{y + 1}" for y in range(10)]
    (tmp_path / "in.csv").write_text(
        "\n".join(["y,yhat,lower,upper", *rows, "inf,1,0,2", ",1,0,2", "1,1,,2"])
    )
    options = ("in.csv", "-o", "out.csv", "--coverage", "0.5")
    assert "column 'y' must be finite" in refused("calibrate", *options, cwd=tmp_path, code=1)
    done = run("calibrate", *options, "--invalid", "drop", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["models"][0]["fitted_rows"] == found["models"][0]["judged_rows"] == 10
    assert any(note.startswith("dropped 2 of 13 rows: ") for note in found["notes"])
    written = pl.read_csv(tmp_path / "out.csv")
    assert written["y"].to_list() == [*range(10), None]
    assert written["lower"][10] == 1 - found["models"][0]["parameter"]


def test_segments_without_rows_to_fit_on_are_refused_or_pooled(tmp_path):
    """The refusal names the option; the note counts the rows."""
    (tmp_path / "in.csv").write_text(ROWS)
    (tmp_path / "new.csv").write_text("fc,least,most,region\n11,9,12,c\n11,9,12,a\n")
    command = ("calibrate", "new.csv", "--calibration", "in.csv", "--by", "region", "-o", "out.csv", *NAMES)
    command = (*command, "--invalid", "drop", "--coverage", 0.7)
    line = refused(*command, cwd=tmp_path, code=1)
    assert "first at row 1 (line 2)" in line
    assert "--unseen pooled" in line
    done = run(*command, "--unseen", "pooled", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "used for 1 of 2 rows, whose labels have none of their own, such as 'c'" in done.stderr
    seen = pl.read_csv(io.StringIO(ROWS)).head(18)
    model = uc.Intervals.from_frame(seen, y_true="load", y_pred="fc", lower="least", upper="most")
    scale = uc.ConformalScaler(0.7).fit(model).parameter_
    assert pl.read_csv(tmp_path / "out.csv")["least"][0] == 11 - 2 * scale


def test_columns_that_name_a_level_keep_to_it(tmp_path):
    """90% bounds are never written to columns that say 80."""
    forecasts().write_csv(tmp_path / "f.csv")
    forecasts().select("y", "AutoARIMA", "^AutoARIMA.*-80$").write_csv(tmp_path / "80.csv")
    model = ["--model", "m=AutoARIMA,AutoARIMA-lo-80,AutoARIMA-hi-80"]
    suffixed = [*model, "--coverage", "97.5%", "--suffix", "_c"]
    cases = [(model, 0.8, "80"), (suffixed, 0.975, "97.5_c"), ([], 0.9, "90")]
    for options, coverage, level in cases:
        document = json.loads(good("calibrate", "f.csv", "-o", "o.csv", *options, "--json", cwd=tmp_path))
        found, names = document["models"][0], [f"AutoARIMA-lo-{level}", f"AutoARIMA-hi-{level}"]
        assert (found["coverage"], found["columns"]) == (coverage, names)
        frame = pl.read_csv(tmp_path / "o.csv")
        y, lower, upper = (frame[name].to_numpy() for name in ("y", *names))
        assert coverage <= uc.coverage(y, lower, upper) < coverage + 0.02
        kept = [name for name in forecasts().columns if name not in names and not name.startswith("Naive-")]
        assert frame.select(kept).equals(forecasts().select(kept))
    command = ("calibrate", "f.csv", "-o", "out.csv")
    assert "already" in refused(*command, *model, "--coverage", "90", cwd=tmp_path, code=2)
    line = refused(*command, "--calibration", "80.csv", cwd=tmp_path, code=1)
    assert line.endswith("has 'AutoARIMA-lo-90' and 'AutoARIMA-hi-90'. Choose one level with --nominal.")


def test_too_few_rows_to_promise_anything_are_said(tmp_path):
    """Infinite bounds are honest, and no surprise; when they are read again, the column is named."""
    (tmp_path / "in.csv").write_text("y,pred,lo,hi\n1,1,0,2\n")
    done = run("calibrate", "in.csv", "-o", "out.csv", cwd=tmp_path)
    assert "a coverage of 0.9 needs at least 9 calibration rows, got 1.\n" in done.stderr
    assert done.stdout.splitlines()[-2].endswith("1.000 → ∞")
    assert (tmp_path / "out.csv").read_text() == "y,pred,lo,hi\n1,1,-inf,inf\n"
    line = refused("calibrate", "in.csv", "-o", "out.jsonl", cwd=tmp_path, code=3)
    assert line == "JSON lines cannot contain infinite numbers. Write CSV or Parquet."
    assert not (tmp_path / "out.jsonl").exists()
    line = refused("calibrate", "out.csv", "-o", "new.csv", cwd=tmp_path, code=1)
    assert "column 'lo' must be finite, but 1 of 1 row breaks this rule" in line


def test_a_title_says_what_was_fitted_on_and_measured_on(tmp_path):
    """Several targets are all named; where nothing is observed, no coverage is shown."""
    forecasts().write_csv(tmp_path / "f.csv")
    forecasts().drop("y").write_csv(tmp_path / "new.csv")
    forecasts().with_columns(y=pl.lit("")).write_csv(tmp_path / "empty.csv")
    a, b = "a=AutoARIMA,AutoARIMA-lo-80,AutoARIMA-hi-80", "b=Naive,Naive-lo-90,Naive-hi-90"
    assert "no value to fit on" in refused("calibrate", "empty.csv", "-o", "o.csv", cwd=tmp_path, code=1)
    command = ("calibrate", "f.csv", "-o", "o.csv", "--fraction", "50%", "--model", a, "--model", b)
    shown = good(*command, cwd=tmp_path)
    title = "Calibrated to 80% and 90% on 120 rows of f.csv; measured on the 120 other rows."
    assert shown.splitlines()[0] == title
    assert [line.split()[0] for line in shown.splitlines()[3:5]] == ["a", "b"]
    shown = good("calibrate", "new.csv", "-o", "o.csv", "--calibration", "f.csv", cwd=tmp_path)
    title = "Calibrated to 90% on 240 rows of f.csv; coverage is not measured: no other row is observed."
    assert shown.splitlines()[0] == title
    assert "→" not in shown
    quiet = run("calibrate", "f.csv", "-o", "o.csv", "-q", cwd=tmp_path)
    assert (quiet.returncode, quiet.stdout, quiet.stderr) == (0, "", "")


READERS = {"jsonl": pl.read_ndjson, "parquet": pl.read_parquet, "arrow": pl.read_ipc}


def test_other_columns_keep_their_text_in_every_format(tmp_path):
    """A code of 007 is not 7, and 1.50 not 1.5; numbers that are written as such become numbers."""
    header = ["code", "day", "price", "n", "flag", "gap", "^y$", "y", "yhat", "lower", "upper"]
    row = ["00{}", "2024-01-0{}", "1,50", "{}", "true", "", "0{}", "{},50", "+{}", "0{},0", "9"]
    cells = [[cell.format(i) for cell in row] for i in range(1, 8)]
    (tmp_path / "k.csv").write_text("\n".join(";".join(line) for line in [header, *cells]) + "\n")
    for kind, reader in READERS.items():
        good("calibrate", "k.csv", "-o", f"k.{kind}", "--coverage", "0.5", "--decimal", ",", cwd=tmp_path)
        frame = reader(tmp_path / f"k.{kind}")
        assert frame.columns == header
        assert frame.row(0)[:9] == ("001", "2024-01-01", "1,50", 1, "true", None, "01", 1.5, 1)
        assert frame["lower"].dtype == frame["upper"].dtype == pl.Float64
