"""Manners of the command line: pipes, wrong usage, absent columns, terminals."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import sys
from datetime import timedelta

import polars as pl
import pyarrow as pa
import pytest
from command_runs import CLI, ENV, HUMBLY, batch, good, in_a_process, on_terminal, refused, run

from uccurve.cli import inputs


@pytest.mark.parametrize("arguments", [("score", "f.csv", "-q"), ("calibrate", "f.csv", "-q", "-o", "-")])
def test_a_closed_pipe_is_no_error_to_talk_about(folder, arguments):
    """As in `uccurve score f.csv | head -1`."""
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [*CLI, *arguments], cwd=folder, stdout=writer, stderr=subprocess.PIPE, env=ENV, check=False
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


USAGE = [
    (("score",), "FILE requires an argument"),
    (("scor", "f.csv"), 'Unknown command "scor"'),
    (("score", "--mis-rate", "0.1", "f.csv"), "Unknown option: --mis-rate. Did you mean --miss-rate?"),
    (("score", "f.csv", "--miss-rate", "some"), "write a share such as 0.9, or a percentage such as 90%"),
    (
        ("score", "f.csv", "--level", "10"),
        "--nominal must be the coverage that the intervals claim, 0.5 or more, got 0.1",
    ),
    (("score", "f.csv", "--level", "20"), "looks like a miss rate. Did you mean 0.8?"),
    (
        ("score", "f.csv", "--coverage", "0.9", "--miss-rate", "0.1"),
        "--coverage must not be passed beside --miss-rate",
    ),
    (("score", "f.csv", "--unit", "MW"), "Unknown option: --unit. See uccurve score --help."),
    (("plot", "f.csv", "--out=a.png"), "Unknown option: --out. Did you mean --output?"),
    (("demo", "--resamples", "9"), "Unknown option: --resamples. Did you mean --n-resamples?"),
    (("report", "f.csv", "--resamples=9"), "Unknown option: --resamples. Did you mean --n-resamples?"),
    (("score", "f.csv", "--weight", "w"), "Unknown option: --weight. Did you mean --sample-weight?"),
    (("compare", "f.csv", "--confidence", "0.9"), "Did you mean --confidence-level?"),
    (("plot", "f.csv", "--confidence-level", "0.9"), "Did you mean --confidence?"),
    (
        ("score", "f.csv", "--model", "A=AutoARIMA,AutoARIMA-lo-80"),
        "two columns mean a prediction and a standard deviation, but 'AutoARIMA-lo-80' looks like a bound",
    ),
    (("score", "f.csv", "--std", "a", "--lower", "b"), "--std must not be passed beside --lower or --upper"),
    (("score", "f.csv", "--model", "a=b"), "write NAME=PRED,LOWER,UPPER or NAME=PRED,STD"),
    (("score", "f.csv", "--model", "a=b,c", "--std", "d"), "--model must not be passed beside --std"),
    (("plot", "f.csv", "-o", "ucc.gif"), "--output must be a file whose name ends with .pdf, .png, .svg"),
    (
        ("calibrate", "f.csv", "-o", "g.csv", "--fraction", "0.5", "--calibration", "f.csv"),
        "exclude each other",
    ),
]


def test_wrong_usage_is_one_line_and_a_code_of_its_own(folder):
    """It says what would be right."""
    assert "--output requires" in refused("calibrate", "f.csv", cwd=folder, code=2)
    for (_, reason), (code, printed, told) in zip(
        USAGE, batch([arguments for arguments, _ in USAGE], folder), strict=True
    ):
        assert (code, printed, told.count("\n")) == (2, "", 1)
        assert reason in told


ABSENT = [
    (("score", "f.csv", "--y-true", "Krankheitsmass"), "there is no column 'Krankheitsmass' among 'unique_id', 'ds'"),
    (("score", "--y-true", "Krankheitsmass", "none.csv"), "there is no column 'Krankheitsmass' among 'a', 'b'."),
    (("score", "f.csv", "--by", "UniqueID"), "Did you mean 'unique_id'?"),
    (("report", "f.csv", "--against", "DS"), "Did you mean 'ds'?"),
    (("compare", "f.csv", "--blocks", "unique-id"), "Did you mean 'unique_id'?"),
    (("score", "f.csv", "--model", "A=autoarima,x_std"), "Did you mean 'AutoARIMA'?"),
]  # fmt: skip


def test_an_absent_column_is_named_before_all_else(folder, tmp_path):
    """With the one that may have been meant."""
    (tmp_path / "none.csv").write_text("a,b\n1,2\n")
    (tmp_path / "f.csv").write_bytes((folder / "f.csv").read_bytes())
    for (_, reason), found in zip(ABSENT, batch([words for words, _ in ABSENT], tmp_path), strict=True):
        assert found[:2] == [1, ""], found
        assert reason in found[2]


def test_a_traceback_only_with_debug(folder):
    """For those who report a bug."""
    done = run("score", "f.csv", "--lower", "nope", "--debug", cwd=folder)
    assert done.stderr.startswith("Traceback")
    assert "Traceback" not in refused("score", "f.csv", "--lower", "nope", cwd=folder, code=1)


@pytest.mark.parametrize(
    ("library", "extra", "command"), [("rich", "cli", "score"), ("matplotlib", "plot", "plot")]
)
def test_a_missing_extra_is_one_line_with_the_pip_command(folder, library, extra, command):
    """Also where not even the command line can be read."""
    code = f"import sys; sys.modules[{library!r}] = None; from uccurve.cli import main; sys.exit(main([{command!r}, 'f.csv']))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 4
    assert (
        done.stderr == f"error: {library} is needed here and not installed: pip install 'uccurve[{extra}]'\n"
    )


def test_names_are_shown_and_never_obeyed(tmp_path):
    """Patterns, markup, formulas of a spreadsheet and options are names like others."""
    names = ["^y.*$", "*", "[bold]lo[/bold]", "hi, there"]
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([names, [1, 1, 0, 2], [2, 2, 1, 5]])
    (tmp_path / "-a[1]*.csv").write_text(text.getvalue())
    model = '=cmd|[red]x[/red]=*,[bold]lo[/bold],"hi, there"'
    options = ("--y-true", names[0], "--by", "*", "--model", model.removeprefix("="))
    done = run("score", *options, "--", "-a[1]*.csv", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Scores of -a[1]*.csv" in done.stdout
    assert "cmd|[red]x[/red]" in done.stdout


def test_a_narrow_terminal_cuts_nothing(folder):
    """Columns continue below instead; colors only on a terminal, and none with NO_COLOR."""
    pytest.importorskip("pty")
    shown = on_terminal("score", "f.csv", "--all", cwd=folder, columns=80, NO_COLOR="1")
    lines = [
        line for line in re.sub(r"\x1b\[[0-9;]*m", "", shown).splitlines() if not line.startswith("note: ")
    ]
    assert "\x1b[36m" not in shown
    assert max(map(len, lines)) <= 80
    assert "…" not in "".join(lines)
    assert "\n".join(lines).count("ceiling of the deficit gain") == 1


def test_completion_is_set_up_for_the_shell(tmp_path):
    """The script knows the commands, and the start file loads it once."""
    for _ in range(2):
        good("--install-completion", "--shell", "bash", cwd=tmp_path, env={**ENV, "HOME": str(tmp_path)})
    script = next((tmp_path / ".local").rglob("uccurve")).read_text()
    assert "calibrate" in script
    assert "--miss-rate" in script
    assert (tmp_path / ".bashrc").read_text().count("# Load uccurve completion") == 1


@pytest.mark.parametrize("share", ["0.95", "95", "95%", "95 %", "0,95"])
def test_shares_may_be_percentages(folder, share):
    """Wherever a share is asked for."""
    found = json.loads(good("score", "f.csv", "--coverage", share, "--json", cwd=folder))
    assert found["target"] == {"coverage": 0.95, "miss_rate": 0.05}


def test_a_file_that_is_large_for_memory_is_scanned_and_said_so(folder, monkeypatch):
    """With the same numbers; options that need the rows read them all the same."""
    plain = json.loads(good("score", "f.csv", "--json", cwd=folder))
    monkeypatch.setattr(inputs, "free_memory", lambda: 1000)
    found = json.loads(good("score", "f.csv", "--json", cwd=folder))
    assert found["notes"][0] == "f.csv is large for memory: it was scanned, without tests."
    for one, other in zip(found["scores"], plain["scores"], strict=True):
        assert (one["n"], one["coverage"]) == (other["n"], other["coverage"])
        assert one["score_at"] == pytest.approx(other["score_at"], rel=0.01)
    level = json.loads(good("score", "f.csv", "--vary", "shift", "--json", cwd=folder))
    assert not any("large" in note for note in level["notes"])


def test_messages_are_told_apart_and_the_columns_take_one_line(folder, tmp_path):
    """Errors red, warnings yellow, notes dim; --verbose shows the columns whole."""
    (tmp_path / "f.csv").write_text("\n".join((folder / "f.csv").read_text().splitlines()[:20]))
    shown = on_terminal("score", "f.csv", cwd=tmp_path, columns=80)
    assert "\x1b[33mwarning: only 19 rows: every number is rough.\x1b[0m" in shown
    (note,) = [line for line in shown.splitlines() if "note: columns: " in line]
    assert len(re.sub(r"\x1b\[[0-9;]*m", "", note)) <= 80
    assert note.rstrip("\x1b[0m").endswith("… (--verbose)")
    verbose = on_terminal("score", "f.csv", "--verbose", cwd=tmp_path, columns=80)
    assert "'Naive-hi-90'." in verbose
    assert "(--verbose)" not in verbose


def test_what_polars_cannot_write_or_read_is_one_line(tmp_path):
    """Its panics stay unseen: a column of bytes has no text, and doubled names no meaning."""
    rows = {"y": [1.0, 2.0] * 20, "lower": [0.0] * 40, "upper": [3.0] * 40}
    pl.DataFrame({**rows, "raw": [b"\xff"] * 40}).write_parquet(tmp_path / "f.parquet")
    line = refused("calibrate", "f.parquet", "-o", "f.jsonl", cwd=tmp_path, code=3)
    assert line.startswith("f.jsonl: cannot be written")
    assert [path.name for path in tmp_path.iterdir()] == ["f.parquet"]
    table = pa.table([[1.0, 2.0], [0.0, 0.0], [3.0, 3.0]], names=["y", "lower", "lower"])
    with pa.ipc.new_file(tmp_path / "f.arrow", table.schema) as file:
        file.write_table(table)
    for engine in ([], ["--engine", "polars"], ["--engine", "duckdb"]):
        told = in_a_process(["score", "f.arrow", *engine], cwd=tmp_path)
        assert (told.returncode, told.stdout, told.stderr.count("\n")) == (3, "", 1), told
        assert "several of its columns have one name" in told.stderr


@pytest.mark.skipif(not HUMBLY and os.geteuid() == 0, reason="root may read everything")
def test_a_folder_without_permission_is_named(tmp_path):
    """Not as one without files."""
    (tmp_path / "closed").mkdir(mode=0)
    line = refused("sketch", "closed", "-o", "f.ucc", cwd=tmp_path, code=3, before=HUMBLY)
    assert line == "closed: Permission denied."


def test_what_a_format_cannot_hold_is_one_line(tmp_path):
    """Bytes have no text in CSV either; labels of calibration may be durations, but no lists."""
    rows = {"y": [1.0, 2.0] * 20, "lower": [0.0] * 40, "upper": [3.0] * 40}
    spans = pl.Series([timedelta(hours=hour) for hour in (1, 2)] * 20)
    frame = pl.DataFrame({**rows, "raw": [b"\xff"] * 40, "span": spans, "list": [[1]] * 40})
    frame.write_parquet(tmp_path / "f.parquet")
    assert refused("calibrate", "f.parquet", "-o", "f.csv", cwd=tmp_path, code=3).startswith(
        "f.csv: cannot be written"
    )
    good("calibrate", "f.parquet", "-o", "g.parquet", "--by", "span", cwd=tmp_path)
    for command in (("score", "f.parquet"), ("calibrate", "f.parquet", "-o", "h.parquet")):
        told = refused(*command, "--by", "list", cwd=tmp_path, code=1)
        assert told.startswith("f.parquet: column 'list' must hold text, numbers or dates as labels")


def test_numbers_that_may_be_shares_or_percentages_are_refused(folder):
    """Between 1 and 5 without a sign nobody knows."""
    told = refused("score", "f.csv", "--nominal", "1.2", cwd=folder, code=2)
    assert "write 1.2% or 0.012" in told


def test_a_claim_is_what_calibration_aims_at(tmp_path):
    """Where names tell none, and no coverage is asked for."""
    (tmp_path / "f.csv").write_text("y,lo,hi\n" + "".join(f"{i % 7},1,5\n" for i in range(40)))
    found = json.loads(good("calibrate", "f.csv", "-o", "g.csv", "--nominal", "80%", "--json", cwd=tmp_path))
    assert found["models"][0]["coverage"] == 0.8
