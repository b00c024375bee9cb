"""Calibrated files: bounds, names of columns, and what is said about them."""

from __future__ import annotations

import csv
import io
import json
import math

import numpy as np
import polars as pl
import pytest
from command_runs import N, batch, forecasts, good, refused, run

import uccurve as uc
from uccurve._base.text import cell

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
    assert line.endswith(f" {cell((high - low).mean() / 2)} → {cell((upper - lower)[:18].mean() / 2)}")
    assert last == "Wrote out.csv"


def test_coverage_on_the_fitting_rows_is_said_to_be_optimistic(tmp_path):
    """Whatever the file is called: the same path, a copy, or the same observations in another format."""
    (tmp_path / "in.csv").write_text(ROWS)
    (tmp_path / "copy.csv").write_text(ROWS.replace("a, ", "b, "))
    (tmp_path / "link.csv").symlink_to("in.csv")
    frame = pl.read_csv(io.StringIO(ROWS)).head(18)
    frame.write_parquet(tmp_path / "seen.parquet")
    frame.with_columns(load=pl.col("load") + (pl.col("day") == 3)).write_parquet(tmp_path / "other.parquet")
    frame.sample(18, seed=0, with_replacement=True).write_parquet(tmp_path / "drawn.parquet")
    files = ["in.csv", "./in.csv", "link.csv", "copy.csv", "seen.parquet", "other.parquet", "drawn.parquet"]
    options = ("-o", "out.csv", *NAMES, "--coverage", "0.7", "--json", "--calibration")
    done = batch([["calibrate", "in.csv", *options, file] for file in files], tmp_path)
    assert [code for code, _, _ in done] == [0] * len(files), done
    judged = [json.loads(out)["models"][0]["judged_on"] for _, out, _ in done]
    assert judged == ["fitting rows: optimistic"] * 5 + ["rows of in.csv"] * 2
    command = ("calibrate", "in.csv", *options[:-2], "--calibration")
    assert "on the fitting rows: optimistic." in good(*command, "copy.csv", cwd=tmp_path)
    title = "Calibrated to 70% on 18 rows of drawn.parquet; measured on the 18 rows of in.csv."
    assert good(*command, "drawn.parquet", cwd=tmp_path).startswith(f"{title}\n")


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


def test_columns_that_name_a_level_keep_to_it(folder, tmp_path):
    """90% bounds are never written to columns that say 80."""
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
        found = json.loads(printed)["models"][0]
        assert (found["miss_rate"], tuple(found["columns"])) == (rate, names)
        assert found["coverage"] == round(1 - rate, 3)
        frame = pl.read_parquet(tmp_path / f"{number}.parquet")
        y, lower, upper = (frame[name].to_numpy() for name in ("y", *names))
        assert 1 - rate <= uc.coverage(y, lower, upper) < 1 - rate + 0.02
        before = pl.read_csv(tmp_path / "q.csv") if arguments[0] == "q.csv" else forecasts()
        kept = [name for name in before.columns if name not in names and not name.startswith("Naive-")]
        assert frame.select(kept).equals(before.select(kept))
    assert "m: 80% coverage, from 'AutoARIMA-lo-80'; --coverage chooses another." in done[0][1]
    assert (
        "m: the bounds for 95% coverage are in 'AutoARIMA-lo-95' and 'AutoARIMA-hi-95'; 'AutoARIMA-lo-80' and"
        in done[1][1]
    )
    assert (over[0], unlike[0], fewer[0]) == (2, 1, 1)
    assert "there is a column 'AutoARIMA-lo-90' already" in over[2]
    assert unlike[2].endswith(
        "has 'AutoARIMA-lo-90' and 'AutoARIMA-hi-90'. Choose one level with --nominal.\n"
    )
    assert "90.csv: there is no model 'Naive', as in " in fewer[2]


def test_what_calibrate_writes_is_detected_again(tmp_path):
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
    (tmp_path / "new.csv").write_text("fc,least,most,region\n11,9,12,a\n")
    options = ("--calibration", "seen.csv", "--by", "region", "--invalid", "drop", "--miss-rate", 0.3)
    good("calibrate", "new.csv", "-o", "out.csv", *NAMES, *options, cwd=tmp_path)
    assert (tmp_path / "out.csv").read_text().startswith("fc,least,most,region\n11,")


def test_too_few_rows_to_promise_anything_are_said(tmp_path):
    """Infinite bounds are honest, and no surprise; when they are read again, the column is named."""
    (tmp_path / "in.csv").write_text("y,pred,lo,hi\n1,1,0,2\n")
    done = run("calibrate", "in.csv", "-o", "out.csv", cwd=tmp_path)
    needed = "warning: new bounds are infinite: a coverage of 0.9 needs at least 9 calibration rows, got 1.\n"
    assert done.stderr.count(needed) == 1
    assert done.stdout.splitlines()[-2].endswith("1 → ∞")
    assert (tmp_path / "out.csv").read_text() == "y,pred,lo,hi\n1,1,-inf,inf\n"
    good("calibrate", "in.csv", "-o", "out.jsonl", cwd=tmp_path)
    assert json.loads((tmp_path / "out.jsonl").read_text()) == {
        "y": 1,
        "pred": 1,
        "lo": -math.inf,
        "hi": math.inf,
    }
    for command in (("score", "out.csv"), ("calibrate", "out.csv", "-o", "new.csv")):
        line = refused(*command, cwd=tmp_path, code=1)
        assert line.startswith("out.csv: column 'lo' must be finite, but 1 of 1 row breaks this rule")
        assert "--invalid drop" in line
    more = (tmp_path / "out.csv").read_text() + "1,1,0,2\n"
    (tmp_path / "more.csv").write_text(more)
    done = run("calibrate", "more.csv", "-o", "new.csv", "--invalid", "drop", cwd=tmp_path)
    assert "note: dropped 1 of 2 rows: column 'lo' must be finite (1).\n" in done.stderr


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


def test_a_title_says_what_was_fitted_on_and_measured_on(tmp_path):
    """Several targets are all named; where nothing is observed, no coverage is shown."""
    forecasts().write_csv(tmp_path / "f.csv")
    pair = [
        "--model",
        "a=AutoARIMA,AutoARIMA-lo-80,AutoARIMA-hi-80",
        "--model",
        "b=Naive,Naive-lo-90,Naive-hi-90",
    ]
    shown = good("calibrate", "f.csv", "-o", "o.csv", "--fraction", "50%", *pair, cwd=tmp_path)
    title = "Calibrated to 80% and 90% on 120 rows of f.csv; measured on the 120 other rows."
    assert shown.splitlines()[0] == title
    assert [line.split()[0] for line in shown.splitlines()[3:5]] == ["a", "b"]
    forecasts().drop("y").write_csv(tmp_path / "new.csv")
    shown = good("calibrate", "new.csv", "-o", "o.csv", "--calibration", "f.csv", cwd=tmp_path)
    title = "Calibrated to 90% on 240 rows of f.csv; coverage is not measured: no other row is observed."
    assert shown.splitlines()[0] == title
    assert "→" not in shown
    same = ["--model", "a=AutoARIMA,Naive-lo-90,Naive-hi-90", "--model", "b=Naive,Naive-lo-90,Naive-hi-90"]
    assert "one model at a time" in refused("calibrate", "f.csv", "-o", "o.csv", *same, cwd=tmp_path, code=2)
    quiet = run("calibrate", "f.csv", "-o", "o.csv", "-q", cwd=tmp_path)
    assert (quiet.returncode, quiet.stdout, quiet.stderr) == (0, "", "")


def test_labels_mean_the_same_in_every_format(tmp_path):
    """A number in one file is text in another."""
    frame = forecasts().with_columns(region=pl.int_range(pl.len()) % 2)
    frame.with_columns(pl.col("region").cast(pl.String)).write_parquet(tmp_path / "text.parquet")
    frame.write_parquet(tmp_path / "number.parquet")
    frame.write_csv(tmp_path / "f.csv")
    names = ["f.csv", "text.parquet", "number.parquet"]
    command = ["calibrate", "f.csv", "-o", "o.csv", "--by", "region", "--json", "--calibration"]
    records = [
        json.loads(out)["models"] for _, out, _ in batch([[*command, name] for name in names], tmp_path)
    ]
    assert all(record["parameter"] == records[0][0]["parameter"] for record, _ in records)
    assert set(records[0][0]["parameter"]) == {"0", "1"}


def test_segments_without_rows_to_fit_on_are_refused_or_pooled(tmp_path):
    """The refusal names the option; the note counts the rows."""
    (tmp_path / "in.csv").write_text(ROWS)
    (tmp_path / "new.csv").write_text("fc,least,most,region\n11,9,12,c\n11,9,12,a\n")
    command = ("calibrate", "new.csv", "--calibration", "in.csv", "--by", "region", "-o", "out.csv", *NAMES)
    command = (*command, "--invalid", "drop", "--coverage", 0.7)
    line = refused(*command, cwd=tmp_path, code=1)
    assert (
        "column 'region' must be fitted labels, but 1 of 2 rows breaks this rule; first at row 1 (line 2)"
        in line
    )
    assert "--unseen pooled" in line
    done = run(*command, "--unseen", "pooled", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "used for 1 of 2 rows, whose labels were not fitted, such as 'c'" in done.stderr
    seen = pl.read_csv(io.StringIO(ROWS)).head(18)
    model = uc.Intervals.from_frame(seen, y_true="load", y_pred="fc", lower="least", upper="most")
    scale = uc.ConformalScaler(0.7).fit(model).parameter_
    assert pl.read_csv(tmp_path / "out.csv")["least"][0] == 11 - 2 * scale


READERS = {"jsonl": pl.read_ndjson, "parquet": pl.read_parquet, "arrow": pl.read_ipc, "feather": pl.read_ipc}


@pytest.mark.parametrize("mark", [".", ","])
def test_other_columns_keep_their_text_in_every_format(tmp_path, mark):
    """A code of 007 is not 7, and 1.50 not 1.5; numbers that are written as such become numbers."""
    header = ["code", "day", "price", "n", "x", "flag", "gap", "big", "^y$", "y", "yhat", "lower", "upper"]
    row = ["00{}", "2024-01-0{}", "1.50", "{}", "0.{}", "true", "", "12345678901234567{}", "0{}"]
    row += ["{}.50", "+{}", "0{}.0", "9"]
    cells = [[cell.format(i).replace(".", mark) for cell in row] for i in range(1, 8)]
    text = "\n".join(";".join(line) for line in [header, *cells])
    (tmp_path / "k.csv").write_text(text + "\n")
    done = batch(
        [
            ["calibrate", "k.csv", "-o", f"k.{kind}", "--coverage", "0.5", "--decimal", mark]
            for kind in READERS
        ],
        tmp_path,
    )
    assert [code for code, _, _ in done] == [0] * 4, done
    for kind, reader in READERS.items():
        frame = reader(tmp_path / f"k.{kind}")
        assert frame.columns == header
        assert frame["code"].to_list() == [f"00{i}" for i in range(1, 8)]
        assert frame["^y$"].to_list() == [f"0{i}" for i in range(1, 8)]
        assert frame["day"].to_list() == [f"2024-01-0{i}" for i in range(1, 8)]
        assert frame["price"].to_list() == [f"1{mark}50"] * 7
        assert frame["n"].to_list() == list(range(1, 8))
        assert frame["big"].to_list() == [123456789012345670 + i for i in range(1, 8)]
        assert frame["x"].to_list() == [i / 10 for i in range(1, 8)]
        assert frame["flag"].to_list() == ["true"] * 7
        assert frame["gap"].to_list() == [None] * 7
        assert frame["y"].to_list() == [i + 0.5 for i in range(1, 8)]
        assert frame["yhat"].to_list() == list(range(1, 8))
        assert frame["lower"].dtype == frame["upper"].dtype == pl.Float64
