"""Assess regression prediction intervals over their whole operating range.

How wide must they be at every coverage, how much better are they than constant width, and which model is
best where?

Observations, predictions and bounds are columns of a file. Columns are detected from common names: y or
y_true, yhat or y_pred, lower and upper, std; Lower 95% and Upper 95%; Model, Model-lo-90 and Model-hi-90;
q05 and q95, p5 and p95; NAME, NAME_lower and NAME_upper, or NAME_std. A text column called model tells
models apart that stand below each other. Name other columns with options.

Examples
--------
  uccurve demo --csv demo.csv         a built-in example, with its report
  uccurve score demo.csv              how good are these intervals?
  uccurve compare demo.csv            which model should I use?
  uccurve report demo.csv -o report.html --by segment
  uccurve calibrate demo.csv -o calibrated.csv --coverage 90%
  uccurve score f.csv --y-true actual --y-pred mean --lower p5 --upper p95
  cat f.csv | uccurve score - --json  for machines
  uccurve sketch parts -o all.ucc     files too large for memory; then
  uccurve score all.ucc

Exit codes
  0  success                       4    an extra is not installed
  1  the data break a rule         70   a bug in uccurve
  2  wrong usage                   129  hung up; 143 terminated
  3  a file cannot be read or      130  interrupted
     written                       141  the output pipe was closed

Help for one command: uccurve score --help
"""

from __future__ import annotations

import re
from inspect import cleandoc
from typing import TYPE_CHECKING, Any

from cyclopts import App

import uccurve
from uccurve.cli.calibrate import calibrate
from uccurve.cli.compare import compare, demo, report
from uccurve.cli.console import GIVEN, make_console
from uccurve.cli.plot import plot
from uccurve.cli.score import score
from uccurve.cli.sketch import merge, sketch
from uccurve.io import STDIN

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


# Options behind which a file may stand.
_BEFORE_A_FILE = "-- -o --output --calibration -q --quiet --json --all --hive --verbose --debug"


def _read_help(text: str | None) -> dict[str, Any]:
    """Return what a docstring says above the options of a command, and the examples below them."""
    about, _, examples = cleandoc(text or "").partition("\n\nExamples\n--------\n")
    paragraphs = [re.sub(r"\n(?=\S)", " ", paragraph) for paragraph in about.split("\n\n")]
    return {"help": "\n\n".join(paragraphs), "help_epilogue": f"Examples\n{examples.rstrip()}"}


app = App(
    name="uccurve",
    help_format="plaintext",
    version=uccurve.__version__,
    suppress_keyboard_interrupt=False,
    **_read_help(__doc__),
)
app.register_install_completion_command(
    help="Set up completion of commands and options in bash, zsh or fish; adds to the shell's start file.",
    help_epilogue="",
)
_COMMANDS: list[Callable[..., None]] = [score, compare, report, plot, calibrate, sketch, merge, demo]
for position, command in enumerate(_COMMANDS):
    app.command(command, sort_key=position, **_read_help(command.__doc__))


def run(arguments: Sequence[str]) -> None:
    """Run one command; whatever goes wrong is raised.

    In the place of a file ``-`` stands for standard input or output; the value of another option it is not.
    """
    GIVEN.set(tuple(arguments))
    words: list[str] = []
    for word in arguments:
        before = words[-1] if words else ""
        is_file = word == "-" and (not before.startswith("-") or before in _BEFORE_A_FILE.split())
        words.append(STDIN if is_file else word)
    app(
        words,
        console=make_console(),
        exit_on_error=False,
        print_error=False,
        result_action="return_value",
    )
