"""Assess regression prediction intervals over their whole operating range.

How wide must they be at every coverage, how much better are they than constant width, and which model is
best where?

Observations, predictions and bounds are columns of a file. Columns are detected from common names: y or
y_true, yhat or y_pred, lower and upper, std; Lower 95% and Upper 95%; Model, Model-lo-90 and Model-hi-90;
q05 and q95, p5 and p95; NAME, NAME_lower and NAME_upper, or NAME_std. In a stacked file, a text column
named model names the models. Options name other columns.

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

from typing import TYPE_CHECKING

from cyclopts import App

import uccurve
from uccurve.cli.calibrate import calibrate
from uccurve.cli.compare import compare, demo, report
from uccurve.cli.console import make_console
from uccurve.cli.options import read_help
from uccurve.cli.plot import plot
from uccurve.cli.score import score
from uccurve.cli.sketch import merge, sketch

if TYPE_CHECKING:
    from collections.abc import Callable


app = App(
    name="uccurve",
    help_format="plaintext",
    version=uccurve.__version__,
    console=make_console(),
    exit_on_error=False,
    print_error=False,
    result_action="return_value",
    suppress_keyboard_interrupt=False,
    **read_help(__doc__),
)
app.register_install_completion_command(
    help="Set up completion of commands and options in bash, zsh or fish; adds to the shell's start file.",
    help_epilogue="",
)
_COMMANDS: list[Callable[..., None]] = [score, compare, report, plot, calibrate, sketch, merge, demo]
for position, command in enumerate(_COMMANDS):
    app.command(command, sort_key=position, **read_help(command.__doc__))
