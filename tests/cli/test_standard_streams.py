"""Standard streams: "-", full ones, and those with few letters."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from command_runs import CLI, ENV, FINE, HEAD, good, refused, run


def test_a_hyphen_is_standard_input_or_output(tmp_path):
    """In the place of a file, also behind a flag; the value of another option is joined to it."""
    (tmp_path / "f.csv").write_text(HEAD + FINE)
    for words in (("-",), ("-q", "-"), ("--json", "-")):
        assert "<stdin>" in good("score", *words, cwd=tmp_path, stdin=HEAD + FINE)
    fitted = ("calibrate", "f.csv", "--calibration", "-", "-o", "-", "-q", "--coverage", "50%")
    assert good(*fitted, cwd=tmp_path, stdin=HEAD + FINE).startswith("y,pred,lo,hi\n0,0.5,0")
    good("calibrate", "f.csv", "-o", "g.csv", "--suffix=-", "--coverage", "0.5", cwd=tmp_path)
    assert (tmp_path / "g.csv").read_text().startswith("y,pred,lo,hi,lo-,hi-\n")
    assert "--suffix requires an argument" in refused(
        "calibrate", "f.csv", "-o", "h.csv", "--suffix", "-", cwd=tmp_path, code=2
    )


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


def test_letters_that_the_terminal_lacks_are_no_reason_to_fail(tmp_path):
    """They are written by number."""
    (tmp_path / "f.csv").write_text(HEAD.replace("\n", ",ж\n") + FINE.replace("\n", ",ж\n"), encoding="utf-8")
    env = {**ENV, "PYTHONIOENCODING": "ascii"}
    assert r"\u0436" in good("score", "f.csv", "--by", "ж", cwd=tmp_path, env=env)
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
