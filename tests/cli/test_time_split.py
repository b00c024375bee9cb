"""Calibration on the earlier rows, judged by the later ones."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest
from command_runs import batch, good

import uccurve as uc

N = 60
RNG = np.random.default_rng(3)
NOISE = RNG.normal(size=N) * np.where(np.arange(N) < 40, 1.0, 2.0)
DAYS = [f"2024-0{1 + row // 20}-{1 + row % 20:02d}" for row in range(N)]
ORDER = RNG.permutation(N)
"""Rows in no order: the times decide."""
FRAME = pl.DataFrame(
    {
        "ds": DAYS,
        "hour": np.arange(N) // 7,
        "y": NOISE,
        "yhat": np.zeros(N),
        "lower": -np.ones(N),
        "upper": np.ones(N),
    }
)[ORDER.tolist()]
BASE = ["calibrate", "f.csv", "-o", "out.csv", "--coverage", "0.8", "--json", "--time"]


def ran(folder, *commands, frame=FRAME, file="f.csv"):
    frame.write_csv(folder / file)
    return batch([[*BASE, *command] for command in commands], folder)


def fitted(rows):
    """The factor that the library finds on some rows."""
    part = uc.Intervals.from_bounds(
        NOISE[rows], -np.ones(N)[rows], np.ones(N)[rows], y_pred=np.zeros(N)[rows]
    )
    return uc.ConformalScaler(0.8).fit(part).parameter_


def test_earlier_rows_are_fitted_on_and_later_ones_judge(tmp_path):
    """What holds for the past does not for noisier days; the coverage said is that of the later rows."""
    ((code, out, told),) = ran(tmp_path, ["ds", "--fit-before", "2024-03-01"])
    assert code == 0, told
    (record,) = json.loads(out)["models"]
    rows = np.arange(N) < 40
    assert record["parameter"] == fitted(rows)
    assert (record["fitted_rows"], record["judged_rows"]) == (40, 20)
    written = pl.read_csv(tmp_path / "out.csv").sort("ds")
    late = written[40:]
    assert record["coverage_after"] == uc.coverage(late["y"], late["lower"], late["upper"]) < 0.8
    assert record["judged_on"] == "later rows"
    assert (record["fitted_until"], record["judged_from"]) == ("2024-02-20", "2024-03-01")
    words = [word for word in BASE if word != "--json"]
    shown = good(*words, "ds", "--fit-before", "2024-03-01", cwd=tmp_path)
    assert shown.splitlines()[0] == (
        "Calibrated to 80% on 40 rows of f.csv up to 2024-02-20; measured on the 20 later rows, from "
        "2024-03-01 on."
    )
    assert written["upper"].to_list() == [record["parameter"]] * N


@pytest.mark.parametrize(("fraction", "hours"), [("0.5", 4), ("0.01", 1), ("0.99", 8), ("0.2", 2)])
def test_rows_of_one_time_stay_on_one_side(tmp_path, fraction, hours):
    """The share is met as nearly as ties allow, and some rows are left to judge by."""
    ((code, out, told),) = ran(tmp_path, ["hour", "--fraction", fraction])
    assert code == 0, told
    (record,) = json.loads(out)["models"]
    assert record["fitted_rows"] == 7 * hours
    assert record["parameter"] == fitted(np.arange(N) // 7 < hours)


def test_a_cut_within_a_tie_is_none(tmp_path):
    """Before is before: rows at the time itself are later ones."""
    within, between = ran(tmp_path, ["hour", "--fit-before", "4"], ["hour", "--fit-before", "3.5"])
    assert json.loads(within[1])["models"] == json.loads(between[1])["models"]


def test_rows_without_an_observation_are_neither_fitted_on_nor_judged(tmp_path):
    """They get bounds; without later observations no coverage is claimed."""
    frame = FRAME.with_columns(y=pl.when(pl.col("ds") < "2024-03-01").then("y"))
    ((code, out, told),) = ran(tmp_path, ["ds", "--fit-before", "2024-03-01"], frame=frame)
    assert code == 0, told
    (record,) = json.loads(out)["models"]
    assert (record["parameter"], record["judged_rows"]) == (fitted(np.arange(N) < 40), 0)
    assert record["coverage_after"] is record["judged_from"] is None


def test_times_of_other_formats_mean_the_same(tmp_path):
    """Dates, times with and without zones, and numbers, in Parquet as in text."""
    day = pl.col("ds").str.to_date()
    frame = FRAME.with_columns(
        date=day,
        at=day.cast(pl.Datetime("ns")),
        zoned=day.cast(pl.Datetime("us")).dt.replace_time_zone("Europe/Berlin"),
        number=day.dt.epoch("d"),
        offset=pl.col("ds") + "T00:00:00+01:00",
    )
    frame.write_parquet(tmp_path / "f.parquet")
    cuts = {"date": "2024-03-01", "at": "2024-03-01T00:00", "zoned": "2024-02-29T23:00+00:00", "number": "19783",
            "offset": "2024-03-01T00:00+01:00"}  # fmt: skip
    base = ["calibrate", "f.parquet", *BASE[2:]]
    done = batch([[*base, column, "--fit-before", cut] for column, cut in cuts.items()], tmp_path)
    assert {json.loads(out)["models"][0]["parameter"] for _, out, _ in done} == {fitted(np.arange(N) < 40)}


def test_what_is_no_time_is_refused(tmp_path):
    """The row is named; days before months or the other way round are not guessed."""
    head = "when,y,yhat,lower,upper\n"
    rows = "2024-01-01,1,0,-1,1\n2024-01-02,2,0,-1,1\n"
    files = {
        "slash": "01/02/2024,1,0,-1,1\n" + rows,
        "text": rows + "<b>soon</b>,1,0,-1,1\n",
        "gone": rows + ",1,0,-1,1\n",
        "same": "5,1,0,-1,1\n5,2,0,-1,1\n",
    }
    for name, text in files.items():
        (tmp_path / f"{name}.csv").write_text(head + text)
    commands = [["calibrate", f"{name}.csv", *BASE[2:], "when", "--fraction", "0.5"] for name in files]
    done = dict(zip(files, batch(commands, tmp_path), strict=True))
    assert [code for code, *_ in done.values()] == [1] * 4
    assert all(
        "column 'when' must hold times or numbers" in done[name][2] for name in ("slash", "text", "gone")
    )
    assert "1 of 3 rows breaks this rule; first at row 1 (line 2)" in done["slash"][2]
    assert "first at row 3 (line 4)" in done["text"][2]
    assert "first at row 3 (line 4)" in done["gone"][2]
    assert "no observed row is later than another: column 'when' begins at 5." in done["same"][2]


def test_options_that_contradict_each_other_are_refused(tmp_path):
    cases = {
        ("ds",): (2, "--time needs --fit-before TIME or --fraction PART"),
        ("ds", "--fit-before", "2024-02-01", "--fraction", "0.5"): (2, "--fit-before and --fraction exclude"),
        ("ds", "--fit-before", "2024-02-01", "--calibration", "f.csv"): (2, "--fit-before and --calibration exclude"),
        ("ds", "--fit-before", "01.02.2024"): (2, "--fit-before 01.02.2024: write times as 2024-01-31"),
        ("hour", "--fit-before", "noon"): (2, "--fit-before noon: must be a number, as the times are"),
        ("ds", "--fit-before", "2023-01-01"): (1, "no observed row is before --fit-before 2023-01-01: column 'ds' begins at 2024-01-01"),
        ("day", "--fraction", "0.5"): (1, "there is no column 'day' among"),
    }  # fmt: skip
    for (code, message), (got, out, told) in zip(cases.values(), ran(tmp_path, *cases), strict=True):
        assert (got, out) == (code, ""), told
        assert message in told
    ((code, _, told),) = batch(
        [["calibrate", "f.csv", "-o", "o.csv", "--fit-before", "2024-01-01"]], tmp_path
    )
    assert (code, "--fit-before needs --time COL" in told) == (2, True)
