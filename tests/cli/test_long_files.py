"""Files with the models below each other, named in a column."""

from __future__ import annotations

import json

import polars as pl
import pytest
from command_runs import good, refused

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


def test_a_column_named_model_tells_models_apart(tmp_path):
    """Each has the numbers of its own rows, and a note says so; as segments, rows are pooled, as requested."""
    LONG.write_csv(tmp_path / "f.csv")
    found = json.loads(good("score", "f.csv", "--json", cwd=tmp_path))
    assert [score["model"] for score in found["scores"]] == ["a", "b"]
    for score, part in zip(found["scores"], LONG.partition_by("model"), strict=True):
        rows = uc.Intervals.from_frame(part, y_true="y", y_pred="pred", lower="lower", upper="upper")
        assert (score["n"], score["bandwidth"]) == (30, pytest.approx(rows.bandwidth))
    assert "column 'model' names the models: 'a', 'b'." in found["notes"]
    scanned = json.loads(good("score", "f.csv", "--scan", "--json", cwd=tmp_path))
    assert scanned["notes"][-2] == "column 'model' names the models: 'a', 'b'."
    compared = json.loads(good("compare", "f.csv", "--by", "region", "--json", cwd=tmp_path))
    assert {score["model"] for score in compared["scores"]} >= {"a", "b"}
    assert {segment["segment"] for segment in compared["segments"]} == {"n", "s"}
    pooled = json.loads(good("score", "f.csv", "--by", "model", "--json", cwd=tmp_path))
    assert [score["segment"] for score in pooled["scores"]] == [None, "a", "b"]


def test_models_are_not_calibrated_together(tmp_path):
    """Unless each is fitted on its own rows."""
    LONG.write_csv(tmp_path / "f.csv")
    assert "--by model" in refused("calibrate", "f.csv", "-o", "out.csv", cwd=tmp_path, code=1)
    assert not (tmp_path / "out.csv").exists()
    good("calibrate", "f.csv", "-o", "out.csv", "--by", "model", cwd=tmp_path)


def test_the_rows_of_the_demo_can_be_written(tmp_path):
    """And give the numbers that the demo shows."""
    good("demo", "--csv", "rows.csv", "-o", "d.html", "--n-resamples", 19, cwd=tmp_path)
    found = json.loads(good("score", "rows.csv", "--json", cwd=tmp_path))
    whole = {score["model"]: score for score in found["scores"]}
    for name, rows in uc.datasets.make_crossing().models.items():
        assert whole[name]["bandwidth"] == pytest.approx(rows.bandwidth)
        assert whole[name]["coverage"] == pytest.approx(rows.coverage)
