"""The command line on files of any size: scans, sketch files, and their sums."""

from __future__ import annotations

import gzip
import json

import numpy as np
import polars as pl
import pytest
from command_runs import FULL_DISK, N, batch, forecasts, intervals, refused

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
    frame.write_ipc(path / "f.feather")
    frame.write_ndjson(path / "f.jsonl")
    frame.with_columns(y=pl.when(pl.int_range(N) == 7).then(None).otherwise("y")).write_parquet(
        path / "gap.parquet"
    )
    return path


@pytest.fixture(scope="module")
def sketched(folder):
    """What the commands that write sketches leave and say."""
    commands = [
        ["sketch", "parts/a.parquet", "-o", "a.ucc"],
        ["sketch", "parts/b.parquet", "-o", "b.ucc", "--engine", "duckdb"],
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
    """Whichever engine read them."""
    merged, both = (SketchFile.read(folder / name) for name in ("sum.ucc", "both.ucc"))
    assert merged.models == both.models == list(MODELS)
    for name, sketch in merged.whole().items():
        assert sketch.nominal == 0.9  # the level in the names of the columns
        assert sketch == both.whole()[name] == intervals(forecasts(), name).sketch()


@pytest.mark.usefixtures("sketched")
def test_scores_of_sketches_and_of_scans_are_those_of_the_rows(folder):
    """From a sketch file, two of them, a folder, patterns, and other formats and engines."""
    commands = [
        ["both.ucc"], ["a.ucc", "b.ucc"], ["[ab].ucc"], ["parts", "--engine", "auto"],
        ["parts/?.parquet", "--engine", "duckdb"], ["f.csv", "--engine", "duckdb"],
        ["f.feather", "--engine", "polars"], ["f.jsonl", "--checkpoint", "kept"],
    ]  # fmt: skip
    done = batch([["score", *command, "--json"] for command in commands], folder)
    for code, printed, told in done:
        assert code == 0, told
        document = json.loads(printed)
        words = (
            "all are exact but the factor and the half-width at the target, which are at most 0.4% too large."
        )
        assert words in document["notes"][-1]
        assert [record["model"] for record in document["scores"]] == list(MODELS)
        for record in document["scores"]:
            check(record, intervals(forecasts(), record["model"]).ucc(), N)
    assert json.loads(done[0][1])["file"] == "both.ucc"
    assert json.loads(done[1][1])["files"] == ["a.ucc", "b.ucc"]
    assert len(list((folder / "kept").glob("*.state"))) == 1


def test_segments_are_kept_and_shown_below_all_rows(folder, sketched):
    """As they are without a sketch."""
    about = json.loads(sketched[3][1])
    assert (about["segments"], about["rows"]) == (["A 1", "B 2"], dict.fromkeys(MODELS, N))
    scan = ["score", "parts", "--engine", "auto", "--by", "unique_id", "--json"]
    done = batch([["score", "by.ucc", "--json"], scan, ["score", "by.ucc"]], folder)
    for _, printed, _ in done[:2]:
        found = json.loads(printed)["scores"]
        assert [record["segment"] for record in found] == [None, None, "A 1", "A 1", "B 2", "B 2"]
        for record in found:
            other = np.arange(N) % 3 == 0
            rows = {None: other | True, "A 1": ~other, "B 2": other}[record["segment"]]
            check(record, intervals(forecasts(), record["model"], rows=rows).ucc(), rows.sum())
    assert [line.split()[0] for line in done[2][1].splitlines()[3:]] == ["all", "all", "A", "A", "B", "B"]


def test_what_is_in_one_file_only_is_taken_from_it_with_a_note(folder, sketched):
    """Models, and segments; but segments and none do not add."""
    assert "note: AutoARIMA: is not in one.ucc; taken from a.ucc.\n" in sketched[6][2]
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
    assert "Naive: segments that are not in every file: 'A 1', 'B 2'." in done[2][2]
    assert "x.ucc was one of the files that were added" in done[2][2]
    assert SketchFile.read(folder / "x.ucc").whole()["Naive"] == intervals(frame, "Naive").sketch()
    assert done[3][2] == (
        "error: a.ucc: it has no segments, but x.ucc has segments of 'unique_id': such files cannot be added.\n"
    )
    assert "'AutoARIMA-hi-80' in level.ucc, but from 'y', 'AutoARIMA', 'AutoARIMA-lo-90'" in done[5][2]


def test_a_damaged_or_foreign_file_is_named(folder, tmp_path, sketched):
    """In one line, and nothing is written."""
    assert sketched
    whole = (folder / "by.ucc").read_bytes()
    (tmp_path / "body.ucc").write_bytes(whole[:-900] + b"?" + whole[-899:])
    (tmp_path / "rows.ucc").write_bytes(b"y,lo,hi\n1,0,2\n")
    faults = {
        (
            "merge",
            folder / "by.ucc",
            "body.ucc",
            "-o",
            "out.ucc",
        ): "body.ucc: the sketch file is cut short or damaged",
        ("merge", folder / "by.ucc", "rows.ucc", "-o", "out.ucc"): "rows.ucc: not a sketch file: it ",
        ("score", "body.ucc"): "body.ucc: the sketch file is cut short or damaged",
        ("score", "none.ucc"): "none.ucc: ",
        ("merge", "no*.ucc", "-o", "out.ucc"): "no file fits no*.ucc",
    }
    for command, fault in faults.items():
        assert refused(*command, cwd=tmp_path, code=3).startswith(fault)
    assert not (tmp_path / "out.ucc").exists()


REFUSED = [
    (["score", "both.ucc", "--vary", "shift"], 2, "--vary shift needs the rows"),
    (["score", "f.csv", "--engine", "auto", "--vary", "shift"], 2, "--vary shift needs the rows"),
    (["plot", "both.ucc", "--vary", "shift"], 2, "--vary shift needs the rows"),
    (["compare", "both.ucc", "--blocks", "7"], 2, "--blocks needs the rows, and a sketch has none"),
    (["report", "both.ucc", "--against", "ds"], 2, "--against needs the rows, and a sketch has none"),
    (["compare", "f.csv", "--engine", "polars", "--vary", "shift"], 2, "--vary shift needs the rows"),
    (["score", "f.csv", "f.jsonl"], 2, "2 files at once need --engine auto"),
    (["score", "f.csv", "both.ucc"], 2, "give files of one kind"),
    (["score", "both.ucc", "--y-true", "y"], 2, "--y-true is for data files"),
    (["score", "both.ucc", "--sample-weight", "y"], 2, "--sample-weight is for data files"),
    (["score", "both.ucc", "--engine", "auto"], 2, "--engine is for data files"),
    (["score", "both.ucc", "--by", "ds"], 1, "both.ucc: it has no segments, not those of 'ds'. Run uccurve sketch with --by ds."),
    (["score", "f.csv", "--engine", "auto", "--decimal", ","], 2, "--decimal and --engine exclude each other"),
    (["score", "f.csv", "--engine", "spark"], 2, "spark"),
    (["score", "-", "--engine", "auto"], 2, "standard input cannot be scanned"),
    (["sketch", "f.csv", "-o", "f.parquet"], 2, "must be a file whose name ends with .ucc"),
    (["sketch", "both.ucc", "-o", "g.ucc"], 2, "both.ucc is a sketch file already: add such files with uccurve merge."),
    (["sketch", "f.csv"], 2, "--output requires"),
    (["sketch", "-o", "g.ucc"], 2, "FILE requires an argument"),
    (["sketch", "parts/*.csv", "-o", "g.ucc"], 3, "no file fits parts/*.csv."),
    (["sketch", "f.csv", "absent.csv", "-o", "g.ucc"], 3, "absent.csv: cannot be read: there is no such file."),
    (["sketch", "f.csv", "-o", "g.ucc", "--y-true", "Y"], 1, "f.csv: there is no column 'Y' among 'unique_id'"),
    (["sketch", "f.csv", "other.csv", "-o", "g.ucc"], 1, "other.csv: there is no column 'AutoARIMA' among 'y', 'lo'"),
    (["sketch", "f.csv", "text.parquet", "-o", "g.ucc"], 1, "text.parquet: column 'y' must hold numbers, got text."),
    (["sketch", "text.parquet", "-o", "g.ucc", "--engine", "duckdb"], 1, "column 'y' must hold numbers, got text."),
    (["sketch", "f.csv", "torn.parquet", "f.jsonl", "-o", "g.ucc"], 3, "torn.parquet: cannot be read: "),
    (["sketch", "torn.parquet", "-o", "g.ucc"], 3, "torn.parquet: cannot be read: "),
    (["sketch", "void.csv", "-o", "g.ucc"], 3, "void.csv: it is empty: it has no header."),
    (["sketch", "gap.parquet", "-o", "g.ucc"], 1, "AutoARIMA: column 'y' must be finite, but 1 of 240 rows breaks this rule. An example: y=nan."),
]  # fmt: skip


@pytest.mark.usefixtures("sketched")
def test_what_does_not_work_is_one_line(folder):
    """With the file, the column and a code; and no file appears."""
    (folder / "other.csv").write_text("y,lo,hi\n1,0,2\n")
    (folder / "void.csv").write_text("")
    (folder / "packed.csv").write_bytes(gzip.compress(b"y,lo,hi\n1,0,2\n"))
    forecasts().with_columns(y=pl.lit("n.a.")).write_parquet(folder / "text.parquet")
    (folder / "torn.parquet").write_bytes((folder / "parts" / "a.parquet").read_bytes()[:-700])
    for (command, code, reason), found in zip(
        REFUSED, batch([command for command, _, _ in REFUSED], folder), strict=True
    ):
        assert (*found[:2], found[2].count("\n")) == (code, "", 1), (command, found)
        assert reason in found[2]
    assert not (folder / "g.ucc").exists()


@pytest.mark.usefixtures("sketched")
def test_broken_rows_can_be_left_out_and_curves_be_drawn(folder, tmp_path):
    """A note counts them; figures come from sketches and scans."""
    commands = [
        ["sketch", "gap.parquet", "-o", str(tmp_path / "g.ucc"), "--invalid", "drop"],
        ["plot", "by.ucc", "-o", str(tmp_path / "a.svg"), "--cost", "0.1", "--confidence", "0.9"],
        ["plot", "parts", "-o", str(tmp_path / "b.svg"), "--engine", "duckdb"],
    ]
    dropped, drawn, scanned = batch(commands, folder)
    assert (dropped[0], drawn[0], scanned[0]) == (0, 0, 0), (dropped, drawn, scanned)
    assert "AutoARIMA: column 'y' must be finite (1)" in dropped[2]
    assert SketchFile.read(tmp_path / "g.ucc").whole()["Naive"].rows == N - 1
    for name in ("a.svg", "b.svg"):
        assert "AutoARIMA" in (tmp_path / name).read_text()


@pytest.mark.usefixtures("sketched")
@pytest.mark.parametrize("command", [("sketch", "parts"), ("merge", "a.ucc", "b.ucc")])
def test_a_write_that_fails_half_way_leaves_nothing(folder, tmp_path, command):
    """A full disk, played by a limit on the size of files."""
    target = tmp_path / "out.ucc"
    target.write_text("before")
    line = refused(
        *command, "-o", target, cwd=folder, code=3,
        before=FULL_DISK,
    )  # fmt: skip
    assert line.startswith(f"{target}: cannot be written")
    assert [path.name for path in tmp_path.iterdir()] == ["out.ucc"]
    assert target.read_text() == "before"


def test_sketches_are_compared_and_reported_without_tests(folder, sketched):  # noqa: ARG001 - files it made
    """Tables, findings and a page, with a note on what they lack."""
    commands = [
        ["compare", "both.ucc", "--json"],
        ["compare", "parts", "--engine", "auto", "--quiet"],
        ["report", "by.ucc", "-o", "sketches.html"],
    ]
    (code, out, _), quiet, written = batch(commands, folder)
    found = json.loads(out)
    assert (code, quiet[0], written[0]) == (0, 0, 0)
    assert {record["pvalue"] for record in found["tests"]} == {None}
    curve = intervals(forecasts(), "AutoARIMA", 90).ucc()
    assert found["scores"][0]["area"] == pytest.approx(curve.area(), rel=1e-12)
    assert "Sketches keep no rows: differences are not tested." in found["verdict"]
    assert "not tested" in quiet[1]
    assert "segments are added up here" in written[2]
    assert "from sketches" in (folder / "sketches.html").read_text(encoding="utf-8")
