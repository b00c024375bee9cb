"""A comparison on the terminal: the verdict, one table, and what limits them; with --all every table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from uccurve.cli import _terminal
from uccurve.comparison import format_answer

if TYPE_CHECKING:
    from uccurve.comparison import Comparison


def show(comparison: Comparison, *, everything: bool) -> None:
    """Print the answer, then the models, and with ``everything`` all tables and findings."""
    found = comparison.recommendation
    _terminal.paragraph(found.answer, style="bold")
    if found.details:
        _terminal.paragraph(found.details)
    _terminal.line("")
    columns, note = format_answer(comparison)
    _terminal.fitted_table(columns)
    more = f"--all shows {'segments and details' if comparison.segments else 'the details'}."
    legend = " ".join(filter(None, [note, "" if everything else more]))
    if legend:
        _terminal.paragraph(legend)
    for caution in found.cautions:
        _terminal.paragraph(caution.replace('vary="shift"', "--vary shift"))
    if everything:
        _show_details(comparison)


def records(comparison: Comparison) -> dict[str, list[dict[str, Any]]]:
    """Return all tables as one object per row."""
    names = ("scores", "tests", "regimes", "crossings", "segments")
    tables = {name: getattr(comparison, name) for name in names}
    return {name: _terminal.records(table.columns() if table else {}) for name, table in tables.items()}


def _show_details(comparison: Comparison) -> None:
    """Print scores, tests, ranges and segments in full, and all findings."""
    _terminal.line("")
    for table in (comparison.scores, comparison.tests, comparison.regimes, comparison.segments):
        if table:
            _terminal.table(table.title, table.texts(), table.keys)
            _terminal.line("")
    _terminal.line("A gain above 0 is narrower than constant width, one below 0 is wider.")
    _terminal.line("")
    if comparison.scores.note:
        _terminal.line(comparison.scores.note)
        _terminal.line("")
    for finding in comparison.findings:
        _terminal.paragraph(finding)
