"""Calibration on the earlier rows, judged by the later ones."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest
from command_runs import batch, good, refused

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


def calibrated(folder, options, frame=FRAME):
    """Calibrate rows split by a time, and return what the document says about the model."""
    frame.write_csv(folder / "f.csv")
    (record,) = json.loads(good(*BASE, *options.split(), cwd=folder))["models"]
    return record


def fitted(rows):
    """The factor that the library finds on some rows."""
    part = uc.Intervals.from_bounds(
        NOISE[rows], -np.ones(N)[rows], np.ones(N)[rows], y_pred=np.zeros(N)[rows]
    )
    return uc.ConformalScaler(0.8).fit(part).parameter_


def test_earlier_rows_are_fitted_on_and_later_ones_judge(tmp_path):
    """What holds for the past does not for noisier days; the coverage said is that of the later rows."""
    record = calibrated(tmp_path, "ds --fit-before 2024-03-01")
    rows = np.arange(N) < 40
    assert record["parameter"] == fitted(rows)
    assert (record["fitted_rows"], record["judged_rows"]) == (40, 20)
    written = pl.read_csv(tmp_path / "out.csv").sort("ds")
    late = written[40:]
    assert record["coverage_after"] == uc.coverage(late["y"], late["lower"], late["upper"]) < 0.8
    assert record["judged_on"] == "later rows"
    assert (record["fitted_until"], record["judged_from"]) == ("2024-02-20", "2024-03-01")
    assert written["upper"].to_list() == [record["parameter"]] * N


@pytest.mark.parametrize(
    ("options", "hours"),
    [("--fraction 0.5", 4), ("--fraction 0.01", 1), ("--fraction 0.99", 8), ("--fit-before 4", 4)],
)
def test_rows_of_one_time_stay_on_one_side(tmp_path, options, hours):
    """The share is met as nearly as ties allow, and some rows are left to judge by; before is before."""
    record = calibrated(tmp_path, f"hour {options}")
    assert record["fitted_rows"] == 7 * hours
    assert record["parameter"] == fitted(np.arange(N) // 7 < hours)


def test_rows_without_an_observation_are_neither_fitted_on_nor_judged(tmp_path):
    """They get bounds; without later observations no coverage is claimed."""
    frame = FRAME.with_columns(y=pl.when(pl.col("ds") < "2024-03-01").then("y"))
    record = calibrated(tmp_path, "ds --fit-before 2024-03-01", frame)
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


REFUSED = [
    ("--time ds", 2, "--time needs --fit-before TIME or --fraction PART"),
    ("--fit-before 2024-01-01", 2, "--fit-before needs --time COL"),
    ("--time ds --fit-before 2024-02-01 --fraction 0.5", 2, "--fit-before and --fraction cannot be combined"),
    ("--time ds --fit-before 01.02.2024", 2, "--fit-before 01.02.2024: write times as 2024-01-31"),
    ("--time hour --fit-before noon", 2, "--fit-before noon: must be a number, as the times are"),
    ("--time ds --fit-before 2023-01-01", 1, "no observed row is before --fit-before 2023-01-01"),
    ("--time slash --fraction 0.5", 1, "column 'slash' must have times or numbers, such as 2024-01-31"),
    ("--time same --fraction 0.5", 1, "no observed row is later than another: column 'same' begins at 5."),
    ("--time day --fraction 0.5", 1, "there is no column 'day' among"),
]


def test_what_splits_no_rows_is_refused(tmp_path):
    """Options that contradict each other, and times that are none or may be two."""
    FRAME.with_columns(slash=pl.lit("01/02/2024"), same=5).write_csv(tmp_path / "f.csv")
    for options, code, reason in REFUSED:
        assert reason in refused(*BASE[:-1], *options.split(), cwd=tmp_path, code=code)
