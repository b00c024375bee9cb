"""Files with the models below each other, named in a column."""

from __future__ import annotations

import json

import polars as pl
import pytest
from command_runs import run

import uccurve as uc

LONG = pl.DataFrame(
    {
        "model": ["a"] * 30 + ["b"] * 30,
        "y": [*range(30)] * 2,
        "pred": [row + 0.5 for row in range(30)] * 2,
        "lower": [row - 1.0 for row in range(30)] + [row - 0.25 - row % 3 for row in range(30)],
        "upper": [row + 2.0 for row in range(30)] + [row + 1.25 + row % 3 for row in range(30)],
        "region": ["n", "s"] * 30,
    }
)


@pytest.mark.parametrize("name", ["f.csv", "f.parquet"])
def test_a_column_named_model_tells_models_apart(tmp_path, name):
    """They were pooled into one; now each has the numbers of its own rows, and a note says so."""
    LONG.write_csv(tmp_path / name) if name.endswith("csv") else LONG.write_parquet(tmp_path / name)
    done = run("score", name, "--json", cwd=tmp_path)
    found = json.loads(done.stdout)
    assert [score["model"] for score in found["scores"]] == ["a", "b"]
    for score, part in zip(found["scores"], LONG.partition_by("model"), strict=True):
        rows = uc.Intervals.from_frame(part, y_true="y", y_pred="pred", lower="lower", upper="upper")
        assert (score["n"], score["bandwidth"]) == (30, pytest.approx(rows.bandwidth))
    assert "column 'model' names the models: 'a', 'b'." in found["notes"]
    compared = json.loads(run("compare", name, "--by", "region", "--json", cwd=tmp_path).stdout)
    assert {score["model"] for score in compared["scores"]} >= {"a", "b"}
    assert {segment["segment"] for segment in compared["segments"]} == {"n", "s"}


def test_a_column_means_what_the_user_says(tmp_path):
    """As segments, rows of all models are pooled, as asked."""
    LONG.write_csv(tmp_path / "f.csv")
    found = json.loads(run("score", "f.csv", "--by", "model", "--json", cwd=tmp_path).stdout)
    assert [score["segment"] for score in found["scores"]] == [None, "a", "b"]


def test_models_on_other_rows_are_refused(tmp_path):
    """Their order would pair observations that do not belong together."""
    LONG.with_columns(y=pl.when(pl.int_range(60) == 40).then(99).otherwise("y")).write_csv(tmp_path / "f.csv")
    for command in ("score", "compare"):
        done = run(command, "f.csv", cwd=tmp_path)
        assert (done.returncode, done.stdout) == (1, "")
        assert "'a' and 'b' do not hold the same observations in the same order" in done.stderr


def test_models_are_not_calibrated_together(tmp_path):
    """Unless each is fitted on its own rows."""
    LONG.write_csv(tmp_path / "f.csv")
    refused = run("calibrate", "f.csv", "-o", "out.csv", cwd=tmp_path)
    assert (refused.returncode, (tmp_path / "out.csv").exists()) == (1, False)
    assert "--by model" in refused.stderr
    assert run("calibrate", "f.csv", "-o", "out.csv", "--by", "model", cwd=tmp_path).returncode == 0


def test_the_rows_of_the_demo_can_be_written(tmp_path):
    """And give the numbers that the demo shows."""
    assert run("demo", "--csv", "rows.csv", "-o", "d.html", "--n-resamples", 99, cwd=tmp_path).returncode == 0
    found = json.loads(run("score", "rows.csv", "--by", "segment", "--json", cwd=tmp_path).stdout)
    crossing = uc.datasets.make_crossing()
    whole = {score["model"]: score for score in found["scores"] if score["segment"] is None}
    for name, rows in crossing.models.items():
        assert whole[name]["bandwidth"] == pytest.approx(rows.bandwidth)
        assert whole[name]["coverage"] == pytest.approx(rows.coverage)
