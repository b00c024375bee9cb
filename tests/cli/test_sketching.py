"""The command line on files of any size: scans, sketch files, and their sums."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest
from command_runs import N, batch, forecasts, intervals, refused

from uccurve.sketch import SketchFile

MODELS = ("AutoARIMA", "Naive")
CUT = 100
LEVEL = "AutoARIMA=AutoARIMA,AutoARIMA-lo-80,AutoARIMA-hi-80"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The rows in two parts, whole, and in other formats."""
    path, frame = tmp_path_factory.mktemp("scale"), forecasts()
    (path / "parts").mkdir()
    frame[:CUT].write_parquet(path / "parts" / "a.parquet")
    frame[CUT:].write_parquet(path / "parts" / "b.parquet")
    frame.write_csv(path / "f.csv")
    frame.with_columns(y=pl.when(pl.int_range(N) == 7).then(None).otherwise("y")).write_parquet(
        path / "gap.parquet"
    )
    return path


@pytest.fixture(scope="module")
def sketched(folder):
    """What the commands that write sketches leave and say."""
    commands = [
        ["sketch", "parts/a.parquet", "-o", "a.ucc"],
        ["sketch", "parts/b.parquet", "-o", "b.ucc"],
        ["sketch", "parts/*.parquet", "-o", "both.ucc"],
        ["sketch", "parts", "-o", "by.ucc", "--by", "unique_id", "--json"],
        ["merge", "a.ucc", "b.ucc", "-o", "sum.ucc", "--json"],
        ["sketch", "f.csv", "-o", "one.ucc", "--model", "Naive=Naive,Naive-lo-90,Naive-hi-90", "--y-true", "y"],
        ["merge", "a.ucc", "one.ucc", "-o", "more.ucc"],
    ]  # fmt: skip
    done = batch(commands, folder)
    assert [code for code, _, _ in done] == [0] * len(commands), done
    return done


def check(record, curve, n):
    """All numbers are those of the rows, but the factor and the half width it gives."""
    point = curve.original
    wanted = {
        name: getattr(point, name) for name in ("miss_rate", "coverage", "bandwidth", "excess", "deficit")
    }
    wanted |= {"area": curve.area(), "gain": curve.gain(), "deficit_gain": curve.gain(y="deficit")}
    wanted |= {"ceiling": curve.ceiling(asymmetric=True), "deficit_ceiling": curve.ceiling(y="deficit", asymmetric=True)}  # fmt: skip
    assert record["n"] == n
    for name, value in wanted.items():
        assert record[name] == pytest.approx(value, rel=1e-12, abs=1e-13), name
    factor = curve.at(miss_rate=0.1).parameter
    assert factor <= record["parameter"] <= factor * 1.004
    width = curve.at(miss_rate=0.1).bandwidth
    assert width * (1 - 1e-12) <= record["bandwidth_at"] <= width * 1.004


@pytest.mark.usefixtures("sketched")
def test_sketches_of_parts_add_to_the_sketch_of_the_whole(folder):
    """Of parts that were added, and of a pattern."""
    merged, both = (SketchFile.read(folder / name) for name in ("sum.ucc", "both.ucc"))
    assert merged.models == both.models == list(MODELS)
    for name, sketch in merged.whole().items():
        assert sketch.nominal == 0.9  # the level in the names of the columns
        assert sketch == both.whole()[name] == intervals(forecasts(), name).sketch()


@pytest.mark.usefixtures("sketched")
def test_scores_of_sketches_and_of_scans_are_those_of_the_rows(folder):
    """From a sketch file, a pattern of such, and scans."""
    commands = [
        ["both.ucc"],
        ["[ab].ucc"],
        ["parts/?.parquet", "--scan"],
        ["f.csv", "--checkpoint", "kept"],
    ]
    done = batch([["score", *command, "--json"] for command in commands], folder)
    for code, printed, told in done:
        assert code == 0, told
        document = json.loads(printed)
        assert "from a sketch, all numbers are exact except" in document["notes"][-1]
        assert [record["model"] for record in document["scores"]] == list(MODELS)
        for record in document["scores"]:
            check(record, intervals(forecasts(), record["model"]).ucc(), N)
    assert json.loads(done[0][1])["file"] == "both.ucc"
    assert len(list((folder / "kept").glob("*.state"))) == 1


def test_segments_are_kept_and_shown_below_all_rows(folder, sketched):
    """As they are without a sketch."""
    about = json.loads(sketched[3][1])
    assert (about["segments"], about["rows"]) == (["A 1", "B 2"], dict.fromkeys(MODELS, N))
    scan = ["score", "parts", "--scan", "--by", "unique_id", "--json"]
    for _, printed, _ in batch([["score", "by.ucc", "--json"], scan], folder):
        found = json.loads(printed)["scores"]
        assert [record["segment"] for record in found] == [None, None, "A 1", "A 1", "B 2", "B 2"]
        for record in found:
            other = np.arange(N) % 3 == 0
            rows = {None: other | True, "A 1": ~other, "B 2": other}[record["segment"]]
            check(record, intervals(forecasts(), record["model"], rows=rows).ucc(), rows.sum())


def test_what_is_in_one_file_only_is_taken_from_it(folder, sketched):
    """Models, with a note, and segments; but segments and none do not add."""
    assert "note: AutoARIMA is only in 'a.ucc'.\n" in sketched[6][2]
    more = SketchFile.read(folder / "more.ucc").whole()
    assert [sketch.rows for sketch in more.values()] == [CUT, CUT + N]
    frame = forecasts()
    for name, label in (("x", "A 1"), ("y", "B 2")):
        frame.filter(pl.col("unique_id") == label).write_parquet(folder / f"{name}.parquet")
    done = batch(
        [
            *(["sketch", f"{name}.parquet", "-o", f"{name}.ucc", "--by", "unique_id"] for name in "xy"),
            ["merge", "[xy].ucc", "-o", "x.ucc"],
            ["merge", "x.ucc", "a.ucc", "-o", "none.ucc"],
            ["sketch", "f.csv", "-o", "level.ucc", "--y-true", "y", "--model", LEVEL],
            ["merge", "a.ucc", "level.ucc", "-o", "levels.ucc"],
        ],
        folder,
    )
    assert [code for code, _, _ in done] == [0, 0, 0, 1, 0, 0], done
    assert SketchFile.read(folder / "x.ucc").whole()["Naive"] == intervals(frame, "Naive").sketch()
    assert done[3][2] == (
        "error: a.ucc: it has no segments, but x.ucc has segments of 'unique_id': these files cannot be added.\n"
    )
    assert "'AutoARIMA-hi-80' in level.ucc, but from 'y', 'AutoARIMA', 'AutoARIMA-lo-90'" in done[5][2]


@pytest.mark.usefixtures("sketched")
def test_broken_rows_can_be_left_out_and_curves_be_drawn(folder, tmp_path):
    """A note counts them; figures come from sketches and scans."""
    commands = [
        ["sketch", "gap.parquet", "-o", str(tmp_path / "g.ucc"), "--invalid", "drop"],
        ["plot", "by.ucc", "-o", str(tmp_path / "a.svg"), "--cost", "0.1", "--confidence", "0.9"],
        ["plot", "parts", "-o", str(tmp_path / "b.svg"), "--scan"],
    ]
    dropped, drawn, scanned = batch(commands, folder)
    assert (dropped[0], drawn[0], scanned[0]) == (0, 0, 0), (dropped, drawn, scanned)
    assert "AutoARIMA: column 'y' must be finite (1)" in dropped[2]
    assert SketchFile.read(tmp_path / "g.ucc").whole()["Naive"].rows == N - 1
    for name in ("a.svg", "b.svg"):
        assert "AutoARIMA" in (tmp_path / name).read_text()


def test_sketches_are_compared_and_reported_without_tests(folder, sketched):  # noqa: ARG001 - files it made
    """Tables, findings and a page, with a note on what they lack."""
    commands = [
        ["compare", "both.ucc", "--json"],
        ["compare", "parts", "--scan", "--quiet"],
        ["report", "by.ucc", "-o", "sketches.html"],
    ]
    (code, out, _), quiet, written = batch(commands, folder)
    found = json.loads(out)
    assert (code, quiet[0], written[0]) == (0, 0, 0)
    assert {record["pvalue"] for record in found["tests"]} == {None}
    assert "not tested" in quiet[1]
    assert "segments are added up here" in written[2]
    assert "AutoARIMA" in (folder / "sketches.html").read_text(encoding="utf-8")


REFUSED = [
    ("score both.ucc --vary shift", 2, "--vary shift needs the rows"),
    ("compare both.ucc --blocks 7", 2, "--blocks needs the rows, and a sketch has none"),
    ("report both.ucc --against ds", 2, "--against needs the rows, and a sketch has none"),
    ("score f.csv gap.parquet", 2, "2 files need --scan"),
    ("score f.csv both.ucc", 2, "pass data files or sketch files, not both"),
    ("score both.ucc --y-true y", 2, "--y-true is for data files"),
    ("score both.ucc --by ds", 1, "both.ucc: it has no segments of 'ds'. Run uccurve sketch with --by ds."),
    ("score f.csv --scan --decimal ,", 2, "--decimal and --scan cannot be combined"),
    ("score - --scan", 2, "standard input cannot be scanned"),
    ("sketch f.csv -o f.parquet", 2, "must be a file whose name ends with .ucc"),
    ("sketch both.ucc -o g.ucc", 2, "both.ucc is already a sketch file"),
    ("sketch parts/*.csv -o g.ucc", 3, "no file matches parts/*.csv."),
    ("sketch f.csv absent.csv -o g.ucc", 3, "absent.csv: cannot be read: No such file or directory."),
    ("sketch f.csv -o g.ucc --y-true Y", 1, "f.csv: there is no column 'Y' among 'unique_id'"),
    ("sketch text.parquet -o g.ucc", 1, "column 'y' must contain numbers, got text."),
    ("sketch gap.parquet -o g.ucc", 1, "AutoARIMA: column 'y' must be finite, but 1 of 240 rows breaks this rule"),
    ("merge by.ucc damaged.ucc -o g.ucc", 3, "damaged.ucc: the sketch file is cut short or damaged"),
    ("merge both.ucc f.csv -o g.ucc", 3, "f.csv: not a sketch file"),
]  # fmt: skip


@pytest.mark.usefixtures("sketched")
def test_what_does_not_work_is_one_line(folder):
    """With the file, the column and a code; and no file appears."""
    forecasts().with_columns(y=pl.lit("n.a.")).write_parquet(folder / "text.parquet")
    whole = (folder / "by.ucc").read_bytes()
    (folder / "damaged.ucc").write_bytes(whole[:-900] + b"?" + whole[-899:])
    for words, code, reason in REFUSED:
        assert reason in refused(*words.split(), cwd=folder, code=code)
    assert not (folder / "g.ucc").exists()
