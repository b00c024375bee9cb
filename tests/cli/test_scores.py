"""Scores on the command line: those of the library, from files of every format."""

from __future__ import annotations

import json
import re

import numpy as np
import polars as pl
import pytest
from command_runs import N, batch, forecasts, good, intervals, run

import uccurve as uc


@pytest.mark.parametrize("name", ["f.csv", "f.jsonl", "-"])
def test_score_says_what_the_library_says(folder, name):
    """On standard input the first bytes tell the format."""
    with (folder / "f.parquet").open("rb") as file:
        found = json.loads(good("score", name, "--json", cwd=folder, stdin=file))["scores"]
    assert [record["model"] for record in found] == ["AutoARIMA", "Naive"]
    for record in found:
        curve = intervals(forecasts(), record["model"]).ucc()
        assert record["n"] == N
        assert record["bandwidth"] == curve.original.bandwidth
        assert record["area"] == curve.area()
        assert record["deficit_gain"] == curve.gain(y="deficit")
        assert record["ceiling"] == curve.ceiling(asymmetric=True)
        assert record["parameter"] == curve.at(miss_rate=0.1).parameter
        assert record["bandwidth_at"] == curve.at(miss_rate=0.1).bandwidth
        assert record["gain_at"] == curve.gain_at(miss_rate=0.1)
        score, constant = (one.score_at(miss_rate=0.1) for one in (curve, curve.reference))
        assert record["score_gain_at"] == 1 - score / constant


def test_rows_can_have_weights(tmp_path):
    """In memory and in a scan."""
    frame = forecasts().with_columns(w=pl.int_range(N) % 3 / 2)
    frame.write_parquet(tmp_path / "f.parquet")
    weighted = ["score", "f.parquet", "--sample-weight", "w", "--json"]
    y, lower, upper = (frame[name].to_numpy() for name in ("y", "Naive-lo-90", "Naive-hi-90"))
    covered = uc.coverage(y, lower, upper, sample_weight=frame["w"].to_numpy())
    assert covered != uc.coverage(y, lower, upper)
    for _, printed, _ in batch([weighted, [*weighted, "--scan"]], tmp_path):
        assert json.loads(printed)["scores"][1]["coverage"] == pytest.approx(covered)


TARGETS = [[], ["--coverage", "0.9"], ["--miss-rate", "0.1"], ["--coverage", "0.8"], ["--miss-rate", "0.2"]]
MODEL = ["--model", "m=Naive,Naive-lo-90,Naive-hi-90"]


@pytest.mark.parametrize(
    "command",
    [
        ["score", "--json"],
        ["score", "--scan"],
        ["compare", "--n-resamples", "9", "--json"],
        ["calibrate", *MODEL, "--suffix", "_new", "-o", "-"],
    ],
)
def test_coverage_and_miss_rate_are_two_ways_to_say_the_same(folder, command):
    """To every command that has a target; without either it is 90% coverage."""
    done = [good(*command, "f.csv", *target, cwd=folder) for target in TARGETS]
    assert done[0] == done[1] == done[2] != done[3] == done[4]


def test_a_table_in_a_pipe_is_plain_and_whole(folder):
    """The detected columns are named on standard error, and not with --quiet."""
    done = run("score", "f.csv", cwd=folder)
    title, _, head, *rows = done.stdout.splitlines()
    assert title.startswith("Scores of f.csv (240 rows)")
    assert (head.split()[0], len(rows)) == ("model", 2)
    curve = intervals(forecasts(), "AutoARIMA").ucc()
    score, point = curve.score_at(coverage=0.9), curve.at(coverage=0.9)
    saved = 1 - score / curve.reference.score_at(coverage=0.9)
    wanted = rf"^AutoARIMA .* {score:.4g} +{point.bandwidth:.4g} +{saved:.0%} better +{point.parameter:.4g}$"
    assert re.search(wanted, rows[0])
    assert not re.search(r"[\x1b…█]", done.stdout + done.stderr)
    assert "Naive = 'Naive', 'Naive-lo-90', 'Naive-hi-90'." in done.stderr
    assert run("score", "f.csv", "-q", cwd=folder).stderr == ""


GERMAN = "Größe;y;Prognose;unten;oben\n" + "".join(
    f"ä{i};{i},5;{i},25;{i - 1},5;{i + 2},{i}e0\n" for i in range(9)
)
GERMAN_NAMES = ("--y-pred", "Prognose", "--lower", "unten", "--upper", "oben", "--decimal", ",")


def test_a_german_file_is_read_and_written_as_it_is(tmp_path):
    """Semicolons, decimal commas and the letters of Windows; in other formats numbers are numbers."""
    (tmp_path / "cp1252.csv").write_bytes(GERMAN.encode("cp1252"))
    read = [*GERMAN_NAMES, "--miss-rate", "0.2", "--encoding"]
    commands = [
        ["calibrate", "cp1252.csv", "-o", "out.csv", *read, "cp1252"],
        ["calibrate", "cp1252.csv", "-o", "out.parquet", *read, "cp1252"],
        ["score", "out.csv", "--json", *read, "CP1252"],
        ["score", "out.parquet", "--json", *read[:-1]],
        ["calibrate", "cp1252.csv", "-o", "none.csv", "--suffix", "_λ", *read, "cp1252"],
    ]
    done = batch(commands, tmp_path)
    assert [code for code, _, _ in done] == [0, 0, 0, 0, 3], done
    written = (tmp_path / "out.csv").read_bytes().decode("cp1252").splitlines()
    assert written[0] == "Größe;y;Prognose;unten;oben"
    assert re.fullmatch(r"ä3;3,5;3,25;[\d,]+;[\d,]+", written[4])
    frame = pl.read_parquet(tmp_path / "out.parquet")
    assert frame.dtypes == [pl.String] + [pl.Float64] * 4
    assert float(written[4].split(";")[3].replace(",", ".")) == frame["unten"][3]
    scores = [json.loads(printed)["scores"] for _, printed, _ in done[2:4]]
    assert scores[0] == scores[1]
    assert "'λ' does not exist in cp1252" in done[4][2]
    assert not (tmp_path / "none.csv").exists()


def test_one_bound_beside_a_prediction_is_a_limit(tmp_path):
    """Scored as the library does it, in memory and by an engine; calibrated in its own column."""
    rng = np.random.default_rng(0)
    pred, noise = rng.uniform(5, 30, 200), rng.normal(size=200)
    frame = pl.DataFrame({"y": pred + noise * pred / 10, "p": pred, "stock": pred * 1.1})
    frame.write_parquet(tmp_path / "f.parquet")
    limit = uc.Intervals.from_frame(frame, y_true="y", y_pred="p", upper="stock")
    score = ["score", "f.parquet", "--upper", "stock", "--y-pred", "p", "--json"]
    for line in (score, [*score, "--scan"]):
        (record,) = json.loads(good(*line, cwd=tmp_path))["scores"]
        assert record["coverage"] == limit.ucc().original.coverage
        assert record["area"] == pytest.approx(limit.ucc().area())
    good("calibrate", "f.parquet", "--upper", "stock", "--y-pred", "p", "-o", "new.parquet", cwd=tmp_path)
    calibrated = pl.read_parquet(tmp_path / "new.parquet")
    assert calibrated.columns == frame.columns
    moved = uc.ConformalScaler(coverage=0.9).fit(limit).transform(limit)
    assert calibrated["stock"].to_list() == pytest.approx(moved.upper.tolist())
