"""The program: its commands, and how their arguments are read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cyclopts import App

import uccurve
from uccurve.cli import _help_texts, _terminal
from uccurve.cli._calibrate_command import calibrate
from uccurve.cli._comparison_commands import compare, demo, report
from uccurve.cli._given_command import remember
from uccurve.cli._plot_command import plot
from uccurve.cli._score_command import score
from uccurve.cli._sketch_commands import merge, sketch
from uccurve.cli._words import parser_words

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_COMMANDS: dict[Callable[..., None], str] = {
    score: _help_texts.SCORE,
    compare: _help_texts.COMPARE,
    report: _help_texts.REPORT,
    plot: _help_texts.PLOT,
    calibrate: _help_texts.CALIBRATE,
    sketch: _help_texts.SKETCH,
    merge: _help_texts.MERGE,
    demo: _help_texts.DEMO,
}
"""The commands in the order of the help, and what their help ends with."""

app = App(
    name="uccurve",
    help=_help_texts.ABOUT,
    help_epilogue=_help_texts.EPILOGUE,
    help_format="plaintext",
    version=uccurve.__version__,
    suppress_keyboard_interrupt=False,
)
app.register_install_completion_command(
    help="Set up completion of commands and options in bash, zsh or fish; adds to the shell's start file.",
    help_epilogue="",
)
for position, (command, epilogue) in enumerate(_COMMANDS.items()):
    app.command(command, help_epilogue=epilogue, sort_key=position)


def run(arguments: Sequence[str]) -> None:
    """Run one command; whatever goes wrong is raised."""
    remember(arguments)
    app(
        parser_words(arguments),
        console=_terminal.console(),
        exit_on_error=False,
        print_error=False,
        result_action="return_value",
    )
