"""Commands as their users run them, and the rows they are run on."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
import tempfile
from unittest import mock

import numpy as np
import polars as pl

import uccurve as uc
from uccurve.cli import main

CLI = [sys.executable, "-W", "error", "-m", "uccurve.cli"]
ENV = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "FORCE_COLOR")}
N = 240
HEAD = "y,pred,lo,hi\n"
FINE = "".join(f"{i},{i + 0.5},{i - 1},{i + 2}\n" for i in range(5))


# Root may write everywhere, unless it gives that up.
POWERS = "-dac_override,-dac_read_search"
HUMBLY = ["setpriv", "--bounding-set", POWERS, "--inh-caps", POWERS] if os.geteuid() == 0 else []

# A shell sets limits. Python would do so between fork and exec, which a process with threads, such as that of the tests,
# should not.
FULL_DISK = ["/bin/sh", "-c", 'ulimit -f 10 && exec "$@"', "sh"]
"""Played by a limit of some 5,000 bytes on files."""


def run(*arguments, cwd, stdin="", **options):
    """Run a command; arguments may be paths and numbers, standard input a text or a file.

    Where nothing is said about its process, it runs in this one, which is quicker: with its own streams, folder
    and environment, and back to those of the tests afterwards.
    """
    return (in_a_process if options else in_this_process)(arguments, cwd=cwd, stdin=stdin, **options)


def in_a_process(arguments, *, cwd, stdin="", before=(), env=ENV, **options):
    """Run a command as its users do, perhaps behind another one."""
    given = {"input": stdin} if isinstance(stdin, str) else {"stdin": stdin}
    command = [*before, *CLI, *map(str, arguments)]
    return subprocess.run(
        command, cwd=cwd, capture_output=True, text=True, check=False, env=env, **given, **options
    )


def in_this_process(arguments, *, cwd, stdin="", together=False, **environment):
    """Run a command with streams that are files, as those of a process are; messages together with the output."""
    words = list(map(str, arguments))
    content = stdin.encode() if isinstance(stdin, str) else stdin.read()
    with _stream(content) as given, _stream() as stdout, _stream(errors="backslashreplace") as stderr:
        with (
            contextlib.chdir(cwd),
            mock.patch.dict(os.environ, {**ENV, **environment}, clear=True),
            mock.patch.object(sys, "stdin", given),
            contextlib.redirect_stdout(stdout),
            contextlib.redirect_stderr(stdout if together else stderr),
        ):
            try:
                code = main(words)
            except SystemExit as left:
                code = left.code or 0
        return subprocess.CompletedProcess(words, code, _written(stdout), _written(stderr))


def _stream(content=b"", errors="strict"):
    file = tempfile.TemporaryFile()  # noqa: SIM115 - who asked for the stream closes it
    file.write(content)
    file.seek(0)
    return io.TextIOWrapper(file, encoding="utf-8", errors=errors)


def _written(stream):
    stream.seek(0)
    return stream.read()


def good(*arguments, cwd, **options):
    """Run a command that must succeed, and return what it printed."""
    done = run(*arguments, cwd=cwd, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout


def refused(*arguments, cwd, code, **options):
    """Run a command that must fail in one line, and return that line."""
    done = run(*arguments, cwd=cwd, **options)
    assert (done.returncode, done.stdout) == (code, ""), done
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1
    return done.stderr.removeprefix("error: ").removesuffix("\n")


def batch(commands, cwd):
    """Run commands one after the other; return code and output of each."""
    done = [run(*words, cwd=cwd) for words in commands]
    return [[run.returncode, run.stdout, run.stderr] for run in done]


def forecasts():
    """Two models and two segments, as Nixtla's libraries lay them out."""
    rng = np.random.default_rng(0)
    scale, mean = rng.lognormal(sigma=0.6, size=N), rng.normal(size=N) * 3
    return pl.DataFrame(
        {
            "unique_id": np.where(np.arange(N) % 3 == 0, "B 2", "A 1"),
            "ds": [f"2024-01-{1 + row % 28:02d}" for row in range(N)],
            "y": mean + scale * rng.normal(size=N),
            "AutoARIMA": mean,
            "AutoARIMA-lo-80": mean - 1.2 * scale,
            "AutoARIMA-hi-80": mean + 1.3 * scale,
            "AutoARIMA-lo-90": mean - 1.5 * scale,
            "AutoARIMA-hi-90": mean + 1.7 * scale,
            "Naive": mean + 0.1,
            "Naive-lo-90": mean - 1.5,
            "Naive-hi-90": mean + 2.0,
        }
    )


def intervals(frame, model, level=90, rows=slice(None), nominal=None):
    """What the library makes of a model's columns."""
    columns = ("y", f"{model}-lo-{level}", f"{model}-hi-{level}", model)
    y, lower, upper, pred = (frame[name].to_numpy()[rows] for name in columns)
    return uc.Intervals.from_bounds(y, lower, upper, y_pred=pred, nominal=nominal)


def on_terminal(*arguments, cwd, columns, **environment):
    """Run a command on a terminal with so many columns; return what it showed, notes and progress too."""
    import pty

    here, there = pty.openpty()
    env = {**ENV, "COLUMNS": str(columns), "TERM": "xterm", **environment}
    done = subprocess.Popen(
        [*CLI, *map(str, arguments)], cwd=cwd, stdin=subprocess.DEVNULL, stdout=there, stderr=there, env=env
    )
    os.close(there)
    shown = b""
    while chunk := _read(here):
        shown += chunk
    os.close(here)
    assert done.wait() == 0, shown
    return shown.decode().replace("\r\n", "\n")


def _read(descriptor):
    try:
        return os.read(descriptor, 65536)
    except OSError:  # how Linux ends a terminal
        return b""
