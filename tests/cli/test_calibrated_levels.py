"""Calibration of files with several levels, and quantiles that cross."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest
from command_runs import batch, good
from scipy import stats

import uccurve as uc

N = 200
LEVELS = (0.05, 0.25, 0.5, 0.75, 0.95)


def quantiles(scale=0.7):
    """Skewed observations, and quantiles that are too narrow."""
    rng = np.random.default_rng(1)
    spread = np.exp(rng.normal(size=N) / 3)
    y = spread * stats.gamma(3.0).rvs(size=N, random_state=rng)
    table = np.stack([spread * scale * stats.gamma(3.0).ppf(level) for level in LEVELS], axis=1)
    return y, table


Y, TABLE = quantiles()
Q = pl.DataFrame(
    {"y": Y, **{f"q{round(100 * level):02d}": TABLE[:, place] for place, level in enumerate(LEVELS)}}
)
Q = Q.with_columns(group=pl.Series(np.where(np.arange(N) % 2, "a", "b")))


def ran(folder, *commands, frame=Q):
    frame.write_csv(folder / "f.csv")
    return batch([[command[0], "f.csv", *command[1:]] for command in commands], folder)


@pytest.mark.parametrize("coverage", [0.5, 0.9])
def test_another_level_is_taken_and_written_to_new_columns(tmp_path, coverage):
    """As the library does it, within the quantiles and beyond; the columns of the file stay."""
    ((code, out, told),) = ran(
        tmp_path, ("calibrate", "-o", "o.csv", "--vary", "level", "--coverage", str(coverage), "--json")
    )
    assert code == 0, told
    (record,) = json.loads(out)["models"]
    scaler = uc.ConformalScaler(coverage, vary="level").fit(uc.Intervals.from_quantiles(Y, TABLE, LEVELS))
    lower, upper = scaler.transform(quantiles=TABLE, levels=LEVELS)
    assert (record["parameter"], record["nominal"]) == (scaler.parameter_, scaler.nominal_)
    written = pl.read_csv(tmp_path / "o.csv")
    names = {0.5: ["q25_calibrated", "q75_calibrated"], 0.9: ["q05_calibrated", "q95_calibrated"]}[coverage]
    assert written.columns == [*Q.columns, *names] == [*Q.columns, *record["columns"]]
    assert written[names[0]].to_list() == lower.tolist()
    assert written[names[1]].to_list() == upper.tolist()
    assert written.select(Q.columns).equals(Q)
    assert record["coverage_after"] >= coverage
    assert any("'q05' and 'q95' stay as they are" in note for note in json.loads(out)["notes"])
    shown = good("calibrate", "f.csv", "-o", "o.csv", "--vary", "level", "--coverage", coverage, cwd=tmp_path)
    assert (f"{coverage:.0%}" in shown, "widest ×" in shown) == (True, coverage == 0.9)


def test_levels_are_taken_by_segment_and_from_another_file(tmp_path):
    """With a suffix of one's own; other levels than those fitted on are refused."""
    Q.head(150).write_parquet(tmp_path / "seen.parquet")
    Q.drop("q25", "q75").write_parquet(tmp_path / "fewer.parquet")
    options = ("-o", "o.csv", "--vary", "level", "--coverage", "0.6", "--json")
    by_group, elsewhere, other = ran(
        tmp_path,
        ("calibrate", *options, "--by", "group", "--suffix", "_new"),
        ("calibrate", *options, "--calibration", "seen.parquet"),
        ("calibrate", *options, "--calibration", "fewer.parquet"),
    )
    assert by_group[0] == elsewhere[0] == 0
    (record,) = json.loads(by_group[1])["models"]
    rows = uc.Intervals.from_quantiles(Y, TABLE, LEVELS)
    scaler = uc.ConformalScaler(0.6, vary="level").fit(rows, by=Q["group"])
    assert (record["parameter"], record["nominal"]) == (scaler.parameters_, scaler.nominals_)
    assert record["columns"] == ["q20_new", "q80_new"]
    assert json.loads(elsewhere[1])["models"][0]["fitted_rows"] == 150
    assert (other[0], other[1]) == (1, "")
    assert "0.05, 0.5, 0.95, got 0.05, 0.25, 0.5, 0.75, 0.95" in other[2]
