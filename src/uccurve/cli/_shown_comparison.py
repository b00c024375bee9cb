"""A comparison on the terminal: the verdict, one table, and what limits them; with --all every table."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from uccurve._base.text import limits
from uccurve.cli import _terminal
from uccurve.cli._model_table import ModelRow, against_text, columns_of, moved_text, ranked
from uccurve.comparison._readable_tables import DOUBTFUL, doubtful, readable
from uccurve.comparison._scoring import point_or_none
from uccurve.comparison._verdict import verdict

if TYPE_CHECKING:
    from uccurve._base.type_aliases import Vary
    from uccurve.comparison import Comparison
    from uccurve.curve import Curve, OperatingPoint

_KEYS = {"scores": 1, "tests": 2, "regimes": 3, "segments": 2}
"""The detailed tables, and how many of their columns name a row."""
_TITLES = {
    "scores": "Scores{limits}, with areas on {axes}, bands varied by {vary}",
    "tests": "Differences of areas, with paired permutation tests",
    "regimes": "Least bandwidth by miss rate",
    "segments": "Scores by segment",
}


def show(comparison: Comparison, *, everything: bool) -> None:
    """Print the answer, then the models, and with ``everything`` all tables and findings."""
    found = verdict(comparison)
    _terminal.paragraph(" ".join(filter(None, (found.answer, found.elsewhere))), style="bold")
    if found.as_delivered:
        _terminal.paragraph(found.as_delivered)
    _terminal.line("")
    rows = _rows(comparison, everything=everything)
    options = comparison.options
    _terminal.fitted_table(columns_of(ranked(rows), vary=options.vary, rate=options.miss_rate))
    legend = _legend(comparison, rows, everything=everything)
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


def _rows(comparison: Comparison, *, everything: bool) -> list[ModelRow]:
    """Return the rows of the models, and with ``everything`` those of constant bands."""
    curves = comparison.curves if everything else comparison.models
    scores = {score.model: score for score in comparison.scores}
    return [_row(scores[name], curve, comparison) for name, curve in curves.items()]


def _row(score: Any, curve: Curve, comparison: Comparison) -> ModelRow:
    rate, vary = comparison.options.miss_rate, comparison.options.vary
    return ModelRow(
        model=score.model,
        coverage=score.coverage,
        claimed=curve._nominal,
        width=score.bandwidth_at,
        against=against_text(score, constant=curve.reference is curve),
        moved=_moved(point_or_none(curve, rate), vary, curve.original.nominal),
        side=curve.side,
    )


def _moved(point: OperatingPoint | None, vary: Vary, widest: float | None) -> str:
    parameter, target = (math.nan, None) if point is None else (point.parameter, point.nominal)
    return moved_text(parameter, vary, target, widest)


def _legend(comparison: Comparison, rows: list[ModelRow], *, everything: bool) -> str:
    """Explain the brackets, where there are any, and name the option that shows more."""
    texts = [row.against for row in rows]
    level = f"{100 * comparison.options.confidence_level:g} %"
    words = []
    if any("[" in text for text in texts):
        doubt = ", ? where few rows decide it" if any(text.endswith("?") for text in texts) else ""
        words.append(f"In brackets: {level} interval{doubt}.")
    if not everything:
        words.append(f"--all shows {'segments and details' if comparison.segments else 'the details'}.")
    return " ".join(words)


def _show_details(comparison: Comparison) -> None:
    """Print scores, tests, ranges and segments in full, and all findings."""
    options, tables = comparison.options, columns(comparison)
    of = f" of {limits(comparison.side)}" if comparison.side != "both" else ""
    _terminal.line("")
    for name, keys in _KEYS.items():
        if tables[name]:
            title = _TITLES[name].format(axes=options.axes, vary=options.vary, limits=of)
            _terminal.table(title, readable(tables[name], options.point), keys)
            _terminal.line("")
    _terminal.line("A gain above 0 is narrower than a constant band, one below 0 is wider.")
    _terminal.line("")
    if doubtful(tables["scores"]):
        _terminal.line(DOUBTFUL)
        _terminal.line("")
    for finding in comparison.findings:
        _terminal.paragraph(finding)
