"""A comparison on the terminal: the verdict, one table, and what limits them; with --all every table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from uccurve.cli import _terminal
from uccurve.comparison import explain_answer, format_answer

if TYPE_CHECKING:
    from uccurve.comparison import Comparison


def show(comparison: Comparison, *, everything: bool) -> None:
    """Print the answer, then the models, and with ``everything`` all tables and findings."""
    found = comparison.recommendation
    _terminal.paragraph(found.answer, style="bold")
    if found.details:
        _terminal.paragraph(found.details)
    _terminal.line("")
    _terminal.fitted_table(format_answer(comparison))
    more = f"--all shows {'segments and details' if comparison.segments else 'the details'}."
    legend = " ".join(filter(None, [explain_answer(comparison), "" if everything else more]))
    if legend:
        _terminal.paragraph(legend)
    for caution in found.cautions:
        _terminal.paragraph(caution.replace('vary="shift"', "--vary shift"))
    if everything:
        _show_details(comparison)


def columns(comparison: Comparison) -> dict[str, dict[str, list[Any]]]:
    """Return all tables as columns; no columns where there are no rows."""
    return {
        "scores": comparison.scores.columns(),
        "tests": comparison.tests.columns(),
        "regimes": comparison.regimes.columns(),
        "crossings": comparison.crossings.columns(),
        "segments": {} if comparison.segments is None else comparison.segments.columns(),
    }


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
