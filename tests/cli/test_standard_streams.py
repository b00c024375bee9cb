"""Standard streams: "-", full ones, and those with few letters."""

from __future__ import annotations

import os
import subprocess

import pytest
from command_runs import CLI, ENV, FINE, HEAD, good, refused


def test_a_hyphen_is_standard_input_or_output(tmp_path):
    """In the place of a file, also behind a flag."""
    (tmp_path / "f.csv").write_text(HEAD + FINE)
    for words in (("-",), ("-q", "-"), ("--json", "-")):
        assert "<stdin>" in good("score", *words, cwd=tmp_path, stdin=HEAD + FINE)
    fitted = ("calibrate", "f.csv", "--calibration", "-", "-o", "-", "-q", "--coverage", "50%")
    assert good(*fitted, cwd=tmp_path, stdin=HEAD + FINE).startswith("y,pred,lo,hi\n0,0.5,0")


def test_a_closed_standard_input_is_told(tmp_path):
    """It is no stream at all."""
    closed = ["/bin/sh", "-c", 'exec "$@" <&-', "sh"]
    assert refused("score", "-", cwd=tmp_path, code=3, before=closed) == "standard input is closed."


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="Linux has it")  # noqa: PTH110
def test_a_full_disk_is_told_once(folder):
    """What was asked for is lost."""
    with open("/dev/full", "w") as full:  # noqa: PTH123
        words = [*CLI, "score", "f.csv", "-q"]
        done = subprocess.run(words, cwd=folder, stdout=full, stderr=-1, env=ENV, check=False)
    assert (done.returncode, done.stderr) == (3, b"error: No space left on device.\n")


def test_letters_that_the_terminal_lacks_are_no_reason_to_fail(tmp_path):
    """They are written by number."""
    (tmp_path / "f.csv").write_text(HEAD.replace("\n", ",ж\n") + FINE.replace("\n", ",ж\n"), encoding="utf-8")
    env = {**ENV, "PYTHONIOENCODING": "ascii"}
    assert r"\u0436" in good("score", "f.csv", "--by", "ж", cwd=tmp_path, env=env)
