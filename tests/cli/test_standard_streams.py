"""Standard streams: "-", full ones, and those with few letters."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from command_runs import CLI, ENV, FINE, HEAD, batch, good, run

DASHED = "y,pred,lo,hi,-\n" + "".join(f"{i},{i + 0.5},{i - 1},{i + 2},{i % 2}\n" for i in range(20))


def test_a_hyphen_is_a_value_behind_an_option(tmp_path):
    """Only a file may be standard input: a suffix, a unit and a column are called what they are called."""
    (tmp_path / "f.csv").write_text(DASHED)
    commands = [
        ["score", "f.csv", "--by", "-", "--json"],
        ["calibrate", "f.csv", "-o", "g.csv", "--suffix", "-"],
        ["plot", "f.csv", "-o", "u.svg", "--unit", "-"],
        ["report", "f.csv", "--against", "-", "--n-resamples", "9"],
    ]
    done = batch(commands, tmp_path)
    assert [code for code, *_ in done] == [0, 0, 0, 0], done
    assert [score["segment"] for score in json.loads(done[0][1])["scores"]] == [None, 0, 1]
    assert (tmp_path / "g.csv").read_text().startswith("y,pred,lo,hi,-,lo-,hi-\n")
    assert all("stdin" not in (tmp_path / name).read_text() for name in ("g.csv", "u.svg", "report.html"))


def test_a_hyphen_in_the_place_of_a_file_is_standard_input(tmp_path):
    """Also behind a flag, behind `--`, and as the file to fit on; a file may have any name."""
    (tmp_path / "f.csv").write_text(DASHED)
    (tmp_path / "<stdin>").write_text(DASHED)
    for words in (("-",), ("-q", "-"), ("--", "-")):
        assert "Scores of <stdin>" in good("score", *words, cwd=tmp_path, stdin=HEAD + FINE)
    fitted = ("calibrate", "f.csv", "--calibration", "-", "-o", "-", "-q", "--coverage", "0.5")
    assert good(*fitted, cwd=tmp_path, stdin=HEAD + FINE).startswith("y,pred,lo,hi,-\n0,0.5,0")
    assert "Scores of ./<stdin>" in good("score", "<stdin>", cwd=tmp_path)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="Linux has it")  # noqa: PTH110
def test_a_full_disk_is_told_once(folder):
    """What was asked for is lost."""
    with open("/dev/full", "w") as full:  # noqa: PTH123
        done = subprocess.run(
            [*CLI, "score", "f.csv", "-q"],
            cwd=folder,
            stdout=full,
            stderr=subprocess.PIPE,
            env=ENV,
            check=False,
        )
    assert (done.returncode, done.stderr) == (3, b"error: No space left on device.\n")


def test_letters_that_the_terminal_lacks_are_written_by_number(tmp_path):
    """No crash, and no column of a table out of place."""
    head = HEAD.replace("\n", ",ж\n")
    (tmp_path / "f.csv").write_text(head + FINE.replace("\n", ",ж–\n"), encoding="utf-8")
    env = {**ENV, "PYTHONIOENCODING": "ascii"}
    scores = good("score", "f.csv", "--by", "ж", cwd=tmp_path, env=env)
    assert r"\u0436-" in scores
    assert len({line.index("model") for line in scores.splitlines()[2:]}) == 1
    calibrated = run("calibrate", "f.csv", "-o", "o.csv", "--coverage", "0.5", cwd=tmp_path, env=env)
    assert "% -> " in calibrated.stderr
    missing = run("score", "ж.csv", cwd=tmp_path, env=env)
    assert missing.stderr == "error: \\u0436.csv: there is no such file.\n"


def test_streams_are_left_as_they_were(folder):
    """For those who call the command line from Python."""
    code = (
        "import sys; from uccurve.cli import main; before = sys.stdout.errors, sys.stderr.errors\n"
        "main(['score', 'f.csv', '-q']); assert before == (sys.stdout.errors, sys.stderr.errors)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, env=ENV, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
