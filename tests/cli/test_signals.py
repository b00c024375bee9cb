"""Signals: a command ends at once, with its code, in one line or none, and leaves nothing unfinished."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest
from command_runs import CLI, ENV, forecasts

from uccurve.cli import main

SLOW_WRITE = """
import sys, time
import polars as pl
from uccurve.cli import main
def write_csv(self, **options):
    print("writing", flush=True)
    time.sleep(600)
pl.DataFrame.write_csv = write_csv
sys.argv = ["uccurve", "calibrate", "f.csv", "-o", "out.csv"]
sys.exit(main())
"""


@pytest.mark.parametrize("sent", [signal.SIGHUP, signal.SIGTERM, signal.SIGINT])
def test_a_signal_leaves_no_unfinished_file(tmp_path, sent):
    """A closed terminal is no reason for one either."""
    forecasts().write_csv(tmp_path / "f.csv")
    # A test run that ignores hang-ups, as under nohup, would hand that on.
    heard = "import signal; signal.signal(signal.SIGHUP, signal.SIG_DFL)\n"
    with subprocess.Popen(
        [sys.executable, "-c", heard + SLOW_WRITE], cwd=tmp_path, stdout=-1, stderr=-1, env=ENV
    ) as process:
        assert process.stdout.readline() == b"writing\n"
        assert len(list(tmp_path.iterdir())) == 2
        process.send_signal(sent)
        assert process.wait(timeout=300) == 128 + sent
        assert process.stderr.read() == (b"error: interrupted.\n" if sent == signal.SIGINT else b"")
    assert [path.name for path in tmp_path.iterdir()] == ["f.csv"]


# A module that is interrupted, and goes on as if nothing had happened: so do some that try one import after another.
SLOW_IMPORT = """
import time
print("importing", flush=True)
try:
    time.sleep(600)
except BaseException:
    time.sleep(600)
"""


@pytest.mark.parametrize(("library", "sent"), [("shlex", signal.SIGINT), ("polars", signal.SIGTERM)])
def test_a_signal_during_imports_ends_the_command(tmp_path, library, sent):
    """They take half a second, and more on a slow disk: who typed the wrong thing interrupts just then."""
    (tmp_path / f"{library}.py").write_text(SLOW_IMPORT)
    path = f"{tmp_path}:{ENV.get('PYTHONPATH', '')}"
    with subprocess.Popen(
        [*CLI, "score", "f.csv"], cwd=tmp_path, stdout=-1, stderr=-1, env={**ENV, "PYTHONPATH": path}
    ) as process:
        assert process.stdout.readline() == b"importing\n"
        process.send_signal(sent)
        try:
            assert process.wait(timeout=60) == 128 + sent
        finally:
            process.kill()
        assert process.stderr.read() == (b"error: interrupted.\n" if sent == signal.SIGINT else b"")


def test_a_function_call_leaves_signals_to_the_caller():
    """Whose process it is: only the program itself ends at a signal."""
    handlers = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    assert main(["--version"]) == 0
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == handlers
