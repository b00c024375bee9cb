"""Scores on the command line: those of the library, from files of every format."""

from __future__ import annotations

import json
import re

import numpy as np
import polars as pl
import pytest
from command_runs import N, batch, forecasts, good, intervals, refused, run

import uccurve as uc


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
        assert record["ceiling"] == curve.ceiling(asymmetric=True)
        assert record["parameter"] == curve.at(miss_rate=0.1).parameter
        assert record["bandwidth_at"] == curve.at(miss_rate=0.1).bandwidth
        assert record["gain_at"] == curve.gain_at(miss_rate=0.1)


def test_rows_can_have_weights(tmp_path):
    """In memory and in a scan."""
    frame = forecasts().with_columns(w=pl.int_range(N) % 3 / 2)
    frame.write_parquet(tmp_path / "f.parquet")
    weighted = ["score", "f.parquet", "--sample-weight", "w", "--json"]
    y, lower, upper = (frame[name].to_numpy() for name in ("y", "Naive-lo-90", "Naive-hi-90"))
    covered = uc.coverage(y, lower, upper, sample_weight=frame["w"].to_numpy())
    assert covered != uc.coverage(y, lower, upper)
    for _, printed, _ in batch([weighted, [*weighted, "--engine", "polars"]], tmp_path):
        assert json.loads(printed)["scores"][1]["coverage"] == pytest.approx(covered)


def test_score_by_segment_with_another_level_and_rate(folder):
    """Each segment is scored as if it were alone."""
    printed = good(
        "score", "f.csv", "--by", "unique_id", "--level", 80, "--miss-rate", 0.2, "--json", "--vary", "shift",
        "--model", "arima=AutoARIMA,AutoARIMA-lo-80,AutoARIMA-hi-80", cwd=folder,
    )  # fmt: skip
    found = json.loads(printed)["scores"]
    assert [record["segment"] for record in found] == [None, "A 1", "B 2"]
    for record, rows in zip(found[:2], (slice(None), np.arange(N) % 3 != 0), strict=True):
        curve = intervals(forecasts(), "AutoARIMA", 80, rows).ucc(vary="shift")
        assert record["parameter"] == curve.at(miss_rate=0.2).parameter
        assert record["gain"] == curve.gain()


TARGETS = [[], ["--coverage", "0.9"], ["--miss-rate", "0.1"], ["--coverage", "0.8"], ["--miss-rate", "0.2"]]


@pytest.mark.parametrize(
    ("command", "output"),
    [
        (["score", "--json"], None),
        (["score", "--engine", "polars"], None),
        (["compare", "--n-resamples", "9", "--json"], None),
        (["report", "--n-resamples", "9", "--title", "same"], "page.html"),
        (["calibrate", "--model", "m=Naive,Naive-lo-90,Naive-hi-90", "--suffix", "_new"], "new.csv"),
    ],
)
def test_coverage_and_miss_rate_are_two_ways_to_say_the_same(folder, tmp_path, command, output):
    """To every command that has a target; without either it is 90% coverage."""
    outputs = [[] if output is None else ["-o", f"{place}-{output}"] for place in range(len(TARGETS))]
    commands = [
        [*command, str(folder / "f.csv"), *target, *place]
        for target, place in zip(TARGETS, outputs, strict=True)
    ]
    done = batch(commands, tmp_path)
    assert [code for code, _, _ in done] == [0] * len(TARGETS), done
    results = [printed for _, printed, _ in done]
    if output is not None:
        pages = [(tmp_path / name).read_text(encoding="utf-8") for _, name in outputs]
        results = [re.sub('<code id="command">.*</code>', "", page) for page in pages]
    assert results[0] == results[1] == results[2] != results[3] == results[4]


def test_the_chosen_coverage_is_named_in_per_cent(folder):
    """Also one that is not whole, or so near to 1 that few digits would round it."""
    rates = {"0.1": "90", "0.025": "97.5", "0.71": "29", "1e-8": "99.999999"}
    done = batch([["score", "f.csv", "--miss-rate", rate] for rate in rates], folder)
    for (_, printed, _), percent in zip(done, rates.values(), strict=True):
        title, _, head, *_ = printed.splitlines()
        assert title == f"Scores of f.csv (240 rows), best interval score at {percent}% coverage first"
        assert f" at {percent}%  " in head


def test_all_rows_come_first_under_a_name_that_no_segment_has(tmp_path):
    """Also where a segment is called all."""
    rows = "".join(f"{i},{i - 1},{i + 2},{'ab'[i % 2]},{['all', '(all)'][i % 2]}\n" for i in range(6))
    (tmp_path / "f.csv").write_text(f"y,lo,hi,kind,odd\n{rows}")
    done = batch([["score", "f.csv", "--by", column] for column in ("kind", "odd")], tmp_path)
    names = [[line.split()[0] for line in printed.splitlines()[3:]] for _, printed, _ in done]
    assert names == [["all", "a", "b"], ["((all))", "(all)", "all"]]


def test_a_table_in_a_pipe_is_plain_and_whole(folder):
    """The detected columns are named on standard error, and not with --quiet."""
    done = run("score", "f.csv", cwd=folder)
    title, _, head, *rows = done.stdout.splitlines()
    assert title.startswith("Scores of f.csv (240 rows)")
    assert (head.split()[0], len(rows)) == ("model", 2)
    curve = intervals(forecasts(), "AutoARIMA").ucc()
    score, point = curve.score_at(coverage=0.9), curve.at(coverage=0.9)
    wanted = rf"^AutoARIMA .* {score:.4g} +{point.bandwidth:.4g} +15% narrower +{point.parameter:.4g}$"
    assert re.search(wanted, rows[0])
    assert not re.search(r"[\x1b…█]", done.stdout + done.stderr)
    assert (
        "AutoARIMA has the levels 80, 90; the widest gives the bounds. --nominal chooses another."
        in done.stderr
    )
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
    assert "--encoding must be an encoding of text, such as utf-8, cp1252 or utf-16" in done[6][2]
    assert "line 1 is not text in ASCII" in done[7][2]
    assert "'λ' does not exist in cp1252" in done[8][2]
    assert not (tmp_path / "none.csv").exists()


def test_a_thousands_point_is_not_taken_for_a_decimal_one(tmp_path):
    """It would be wrong by a factor of a thousand."""
    (tmp_path / "f.csv").write_text("y;lo;hi\n1.234;1000,5;2000\n")
    line = refused("score", "f.csv", "--decimal", ",", cwd=tmp_path, code=1)
    assert line.endswith("(line 2): y='1.234'. With --decimal ',' a number has no point.")


NAMES_DETECTED = {
    "ds,y,yhat,yhat_lower,yhat_upper": "yhat = 'yhat', 'yhat_lower', 'yhat_upper'",
    "Actual,Forecast,Lower,Upper": "observations 'Actual'; model = 'Forecast', 'Lower', 'Upper'",
    "y_true,y_pred,sigma": "model = 'y_pred', 'sigma'",
    "target,lo,hi": "model = 'lo', 'hi' around their midpoints",
    "y,m-lo-95,m-hi-95,m-median": "m = 'm-median', 'm-lo-95', 'm-hi-95'",
}


def test_columns_are_detected_from_common_names(tmp_path):
    """Prophet's names, capitals, deviations, bounds alone, a median."""
    for number, header in enumerate(NAMES_DETECTED):
        cells = [
            "0" if re.search("(?i)lo", name) else "4" if re.search("(?i)hi|up", name) else "2"
            for name in header.replace("yhat,", "mean,").split(",")
        ]
        (tmp_path / f"{number}.csv").write_text(f"{header}\n{','.join(cells)}\n")
    done = batch([["score", f"{number}.csv"] for number in range(len(NAMES_DETECTED))], tmp_path)
    for used, (code, _, told) in zip(NAMES_DETECTED.values(), done, strict=True):
        assert code == 0, told
        assert used in told


def test_columns_of_very_many_models_are_named_by_the_first(tmp_path):
    """A note of two hundred models would fill the page."""
    names = [f"m{i}{end}" for i in range(30) for end in ("", "_lower", "_upper")]
    rows = [",".join(["1", *["1,0,2"] * 30]), ",".join(["3", *["2,1,4"] * 30])]
    (tmp_path / "f.csv").write_text("\n".join([",".join(["y", *names]), *rows]) + "\n")
    note = run("score", "f.csv", cwd=tmp_path).stderr
    assert "m5 = 'm5', 'm5_lower', 'm5_upper'; and 24 models more." in note
    assert "m6 = " not in note


def test_one_bound_beside_a_prediction_is_a_limit(tmp_path):
    """Scored as the library does it, in memory, by an engine and from a sketch; calibrated in its own column."""
    rng = np.random.default_rng(0)
    pred, noise = rng.uniform(5, 30, 200), rng.normal(size=200)
    frame = pl.DataFrame({"y": pred + noise * pred / 10, "p": pred, "stock": pred * 1.1})
    frame.write_parquet(tmp_path / "f.parquet")
    limit = uc.Intervals.from_frame(frame, y_true="y", y_pred="p", upper="stock")
    score = ["score", "f.parquet", "--upper", "stock", "--y-pred", "p", "--json"]
    for line in (
        score,
        [*score, "--engine", "polars"],
        ["score", "f.parquet", "--model", "m=p,,stock", "--json"],
    ):
        (record,) = json.loads(good(*line, cwd=tmp_path))["scores"]
        assert record["bandwidth"] == pytest.approx(limit.ucc().original.bandwidth)
        assert record["coverage"] == limit.ucc().original.coverage
        assert record["area"] == pytest.approx(limit.ucc().area())
        assert record["ceiling"] == pytest.approx(limit.ucc().ceiling())
    good("calibrate", "f.parquet", "--upper", "stock", "--y-pred", "p", "-o", "new.parquet", cwd=tmp_path)
    calibrated = pl.read_parquet(tmp_path / "new.parquet")
    assert calibrated.columns == frame.columns
    moved = uc.ConformalScaler(coverage=0.9).fit(limit).transform(limit)
    assert calibrated["stock"].to_list() == pytest.approx(moved.upper.tolist())
