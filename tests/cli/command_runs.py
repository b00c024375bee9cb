"""Commands run as their users run them, in another process, and the rows they are run on."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import numpy as np
import polars as pl

import uccurve as uc

CLI = [sys.executable, "-W", "error", "-m", "uccurve.cli"]
ENV = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "FORCE_COLOR")}
N = 240
HEAD = "y,pred,lo,hi\n"
FINE = "".join(f"{i},{i + 0.5},{i - 1},{i + 2}\n" for i in range(5))

# Root may write everywhere, unless it gives that up.
HUMBLY = (
    ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-dac_override,-dac_read_search"]
    if os.geteuid() == 0
    else []
)


def run(*arguments, cwd, before=(), **options):
    """Run a command; arguments may be paths and numbers."""
    options.setdefault("env", ENV)
    options.setdefault("stdin", None if "input" in options else subprocess.DEVNULL)
    if options["stdin"] is None:
        del options["stdin"]
    return subprocess.run(
        [*before, *CLI, *map(str, arguments)], cwd=cwd, capture_output=True, text=True, check=False, **options
    )


def good(*arguments, cwd, **options):
    """Run a command that must succeed, and return what it printed."""
    done = run(*arguments, cwd=cwd, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout


def refused(*arguments, cwd, code, **options):
    """Run a command that must fail in one line, and return that line."""
    done = run(*arguments, cwd=cwd, **options)
    assert (done.returncode, done.stdout) == (code, ""), done
    assert done.stderr.startswith("uccurve: ")
    assert done.stderr.count("\n") == 1
    return done.stderr.removeprefix("uccurve: ").removesuffix("\n")


BATCH = """
import contextlib, io, json, sys
from uccurve.cli import main
for arguments in json.loads(sys.argv[1]):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(arguments)
    print(json.dumps([code, out.getvalue(), err.getvalue()]))
"""


def batch(commands, cwd):
    """Run commands one after the other in one process, which is quicker; return code and output of each."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", BATCH, json.dumps(commands)],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=True,
        env=ENV,
    )
    return list(map(json.loads, done.stdout.splitlines()))


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


def intervals(frame, model, level=90, rows=slice(None)):
    """What the library makes of a model's columns."""
    columns = ("y", f"{model}-lo-{level}", f"{model}-hi-{level}", model)
    y, lower, upper, pred = (frame[name].to_numpy()[rows] for name in columns)
    return uc.Intervals.from_bounds(y, lower, upper, y_pred=pred)


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


def screen(shown, columns):
    """Return the lines on a screen: without styles, what was overwritten gone, long lines in parts."""
    plain = re.sub(r"\x1b\[[0-9;]*m", "", shown)
    lines = [line.rpartition("\r")[2] for line in plain.removesuffix("\n").split("\n")]
    return [line[begin : begin + columns] for line in lines for begin in range(0, max(len(line), 1), columns)]
