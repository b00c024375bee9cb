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
import pytest
from command_runs import CLI, ENV, batch, good, on_terminal, refused, run

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
    ("score", "FILE is missing"),
    ("calibrate f.csv", "--output is missing"),
    ("scor f.csv", 'Unknown command "scor"'),
    ("score f.csv g.csv --by", "--by requires an argument"),
    ("compare f.csv g.csv", "Too many arguments: g.csv"),
    ("score --mis-rate 0.1 f.csv", "Unknown option: --mis-rate. Did you mean --miss-rate?"),
    ("demo --resamples 9", "Did you mean --n-resamples?"),
    ("score f.csv --miss-rate some", "write a share such as 0.9, or a percentage such as 90%"),
    ("score f.csv --coverage 1.2", "write 1.2% or 0.012"),
    ("score f.csv --coverage 100", "must lie between 0 and 100%"),
    ("score f.csv --level 20", "looks like a miss rate. Did you mean 0.8?"),
    ("score f.csv --coverage 0.9 --miss-rate 0.1", "--coverage must not be passed beside --miss-rate"),
    ("score f.csv --model A=AutoARIMA,AutoARIMA-lo-80", "'AutoARIMA-lo-80' looks like a bound"),
    ("score f.csv --std a --lower b", "--std must not be passed beside --lower or --upper"),
    ("score f.csv --model a=b", "write NAME=PRED,LOWER,UPPER or NAME=PRED,STD"),
    ("score f.csv --model a=b,c --std d", "--model must not be passed beside --std"),
    ("score f.csv --model a=b,c --model a=d,e", "--model a=… is given twice"),
    (
        "score f.csv --model a --model b",
        "--model a: write NAME=PRED,LOWER,UPPER or NAME=PRED,STD, or one column",
    ),
    ("calibrate f.csv -o g.csv --sample-weight y", "--sample-weight: calibration weighs all rows equally"),
    ("plot f.csv -o ucc.gif", "--output must be a file whose name ends with .pdf, .png, .svg"),
    ("plot f.csv --confidence 0.9 --y deficit", "--confidence and --y deficit cannot be combined"),
    ("calibrate f.csv -o g.csv --fraction 0.5 --calibration f.csv", "cannot be combined"),
    ("calibrate f.csv -o - --json", "both write to standard output"),
]


def test_wrong_usage_is_one_line_and_a_code_of_its_own(folder):
    """It says what would be right."""
    done = batch([words.split() for words, _ in USAGE], folder)
    for (_, reason), (code, printed, line) in zip(USAGE, done, strict=True):
        assert (code, printed, line.count("\n")) == (2, "", 1)
        assert reason in line


def test_an_absent_column_is_named_with_the_one_that_may_have_been_meant(folder):
    """Whatever it is for; that of observations labels no segments."""
    for words in ("score --by UniqueID", "report --against Unique_ID", "compare --blocks unique-id"):
        command, option, column = words.split()
        line = refused(command, "f.csv", option, column, cwd=folder, code=1)
        assert line.endswith("Did you mean 'unique_id'?")
    line = refused("score", "f.csv", "--by", "y", cwd=folder, code=1)
    assert line == (
        "f.csv: column 'y' means observations, and cannot label segments as well. Pass another column as --by."
    )


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
    assert done.stderr == f"error: {library} is needed but not installed: pip install 'uccurve[{extra}]'\n"


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


def test_completion_is_set_up_for_the_shell(tmp_path):
    """The script knows the commands, and the start file loads it once."""
    for _ in range(2):
        good("--install-completion", "--shell", "bash", cwd=tmp_path, env={**ENV, "HOME": str(tmp_path)})
    script = next((tmp_path / ".local").rglob("uccurve")).read_text()
    assert "calibrate" in script
    assert "--miss-rate" in script
    assert (tmp_path / ".bashrc").read_text().count("# Load uccurve completion") == 1


@pytest.mark.parametrize("share", ["0.95", "95", "95%", "95 %"])
def test_shares_may_be_percentages(folder, share):
    """Wherever a share is asked for."""
    found = json.loads(good("score", "f.csv", "--coverage", share, "--json", cwd=folder))
    assert found["target"] == {"coverage": 0.95, "miss_rate": 0.05}


def test_a_file_that_is_large_for_memory_is_scanned_and_said_so(folder, monkeypatch):
    """With the same numbers; options that need the rows read them all the same."""
    plain = json.loads(good("score", "f.csv", "--json", cwd=folder))
    monkeypatch.setattr(inputs, "free_memory", lambda: 1000)
    found = json.loads(good("score", "f.csv", "--json", cwd=folder))
    assert "f.csv is too large for memory" in found["notes"][0]
    for one, other in zip(found["scores"], plain["scores"], strict=True):
        assert (one["n"], one["coverage"]) == (other["n"], other["coverage"])
    level = json.loads(good("score", "f.csv", "--vary", "shift", "--json", cwd=folder))
    assert not any("large" in note for note in level["notes"])


def test_messages_are_told_apart_and_the_columns_take_one_line(folder, tmp_path):
    """Errors red, warnings yellow, notes dim, without colors if asked; --verbose shows the columns whole."""
    (tmp_path / "f.csv").write_text("\n".join((folder / "f.csv").read_text().splitlines()[:20]))
    shown = on_terminal("score", "f.csv", cwd=tmp_path, columns=80)
    assert "\x1b[33mwarning: only 19 rows: every number is rough.\x1b[0m" in shown
    (note,) = [line for line in shown.splitlines() if "note: columns: " in line]
    assert len(re.sub(r"\x1b\[[0-9;]*m", "", note)) <= 80
    assert note.rstrip("\x1b[0m").endswith("… (--verbose)")
    verbose = on_terminal("score", "f.csv", "--verbose", cwd=tmp_path, columns=80)
    assert "'Naive-hi-90'." in verbose
    assert "(--verbose)" not in verbose
    assert "\x1b[33m" not in on_terminal("score", "f.csv", cwd=tmp_path, columns=80, NO_COLOR="1")


def test_what_a_format_cannot_hold_is_one_line(tmp_path):
    """Bytes have no text; labels of calibration may be durations, but no lists."""
    rows = {"y": [1.0, 2.0] * 20, "lower": [0.0] * 40, "upper": [3.0] * 40}
    spans = pl.Series([timedelta(hours=hour) for hour in (1, 2)] * 20)
    frame = pl.DataFrame({**rows, "raw": [b"\xff"] * 40, "span": spans, "list": [[1]] * 40})
    frame.write_parquet(tmp_path / "f.parquet")
    for name in ("f.csv", "f.jsonl"):
        line = refused("calibrate", "f.parquet", "-o", name, cwd=tmp_path, code=3)
        assert line.startswith(f"{name}: cannot be written")
    good("calibrate", "f.parquet", "-o", "g.parquet", "--by", "span", cwd=tmp_path)
    for command in (("score", "f.parquet"), ("calibrate", "f.parquet", "-o", "h.parquet")):
        told = refused(*command, "--by", "list", cwd=tmp_path, code=1)
        assert told.startswith("f.parquet: column 'list' must contain text, numbers or dates as labels")
