"""A comparison on the terminal: the verdict, one table, and what limits them; with --all every table."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from uccurve._base.text import limits, short_percent
from uccurve.cli import _terminal
from uccurve.cli._model_table import ModelRow, columns_of, moved_text
from uccurve.comparison._readable_tables import DOUBTFUL, doubtful, readable
from uccurve.comparison._scoring import point_or_none

if TYPE_CHECKING:
    from uccurve._base.type_aliases import Vary
    from uccurve.comparison import Comparison, ModelScore, Standings
    from uccurve.curve import Curve, OperatingPoint

_KEYS = {"scores": 1, "tests": 2, "regimes": 2, "segments": 2}
"""The detailed tables, and how many of their columns name a row."""
_UNCLEAR = {"*": "Too close to call.", "†": "Not decided: --all says why."}
"""Marks of distances that are not clear."""
_TITLES = {
    "scores": "Scores{limits}, with areas on {axes}, bands varied by {vary}",
    "tests": "Pairs at {point} coverage, with paired permutation tests",
    "regimes": "Who is best by miss rate",
    "segments": "Scores by segment",
}


def show(comparison: Comparison, *, everything: bool) -> None:
    """Print the answer, then the models, and with ``everything`` all tables and findings."""
    found = comparison.recommendation
    _terminal.paragraph(found.answer, style="bold")
    rest = " ".join(filter(None, (found.beside, found.elsewhere, found.as_supplied)))
    if rest:
        _terminal.paragraph(rest)
    _terminal.line("")
    rows = _rows(comparison)
    options = comparison.options
    _terminal.fitted_table(columns_of(rows, vary=options.vary, rate=options.miss_rate))
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


def _rows(comparison: Comparison) -> list[ModelRow]:
    """Return the rows of models and of the best constant width that no model has, the best first."""
    others = [name for name in comparison.standings.names if name in comparison.constant_bands]
    constant = next((score.model for score in comparison.scores if score.model in others), None)
    return [
        _row(score, comparison.curves[score.model], comparison)
        for score in comparison.scores
        if score.model in comparison.models or score.model == constant
    ]


def _row(score: ModelScore, curve: Curve, comparison: Comparison) -> ModelRow:
    options = comparison.options
    return ModelRow(
        model=score.model,
        coverage=score.coverage,
        claimed=curve.nominal,
        score=score.score_at if options.rank_by == "interval_score" else None,
        width=score.bandwidth_at,
        behind=_behind(score.model, comparison.standings),
        moved=_moved(point_or_none(curve, options.miss_rate), options.vary, curve.original.nominal),
        side=curve.side,
    )


def _behind(name: str, standings: Standings) -> str:
    """Say how far a model is behind the best, with its interval; a mark where that is not clear."""
    standing = standings.at_place(standings.chosen)
    if name not in standing.order:
        return "–"
    first = standing.order[0]
    if name == first:
        return "best" if standing.best == first else "–"
    lead = standings.lead(first, name)
    text = short_percent(lead.share)
    if math.isfinite(lead.low) and math.isfinite(lead.high):
        ends = (short_percent(end).removesuffix("%") for end in (lead.low, lead.high))
        text += f" [{', '.join(ends)}]"
    test = standings.test(first, name)
    if test is None or math.isnan(test.pvalue) or test.clear:
        return text
    return f"{text} {'*' if test.needs is None else '†'}"


def _moved(point: OperatingPoint | None, vary: Vary, widest: float | None) -> str:
    parameter, target = (math.nan, None) if point is None else (point.parameter, point.nominal)
    return moved_text(parameter, vary, target, widest)


def _legend(comparison: Comparison, rows: list[ModelRow], *, everything: bool) -> str:
    """Explain the brackets, where there are any, and name the option that shows more."""
    words = []
    if any("[" in row.behind for row in rows):
        words.append(f"In brackets: {100 * comparison.options.confidence_level:g}% CI.")
    for mark, meaning in _UNCLEAR.items():
        if any(row.behind.endswith(mark) for row in rows):
            words.append(f"{mark} {meaning}")
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
            title = _TITLES[name].format(axes=options.axes, vary=options.vary, limits=of, point=options.point)
            _terminal.table(title, readable(tables[name], options.point), keys)
            _terminal.line("")
    _terminal.line("A gain above 0 is narrower than constant width, one below 0 is wider.")
    _terminal.line("")
    if doubtful(tables["scores"]):
        _terminal.line(DOUBTFUL)
        _terminal.line("")
    for finding in comparison.findings:
        _terminal.paragraph(finding)
