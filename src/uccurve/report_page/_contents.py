"""The words of the page, and what of it needs no script: the verdict, its table and its chart."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import uccurve
from uccurve._base.text import cell, percent, printable, whole_percent
from uccurve.comparison import ask_curve, describe_limits, tables
from uccurve.report_page import _header
from uccurve.report_page._interval_notes import band_note, has_intervals
from uccurve.report_page._short_names import in_parts
from uccurve.report_page._static_chart import static_chart
from uccurve.report_page._tables import advanced_tables, regimes_table, segments_table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from uccurve.comparison import Comparison, Recommendation
    from uccurve.curve import Curve
    from uccurve.report_page._payload import View
    from uccurve.report_page._ratio_bands import RatioLines


_MOVES = {"scale": "scale by", "shift": "add to each side", "level": "take"}
_MOVED_BY = {"scale": "factors", "shift": "amounts", "level": "levels"}
_CLAIMS = {
    "scale": "The claim as supplied assumes nothing; all other claims follow from it if errors are Gaussian.",
    "shift": "",
    "level": "Quantiles claim their own levels: no shape of errors is assumed.",
}
"""What stands behind the claimed coverages. A shift claims none."""


def contents(
    comparison: Comparison, numbers: dict[str, Any], view: View, lines: RatioLines
) -> dict[str, Any]:
    """Return everything that the template shows as text."""
    options, found = comparison.options, comparison.recommendation
    return {
        "title": numbers["title"],
        "facts": _header.facts(comparison, numbers, view.about),
        "command": view.about.get(_header.COMMAND, ""),
        "notes": [*filter(None, [describe_limits(comparison.side)]), *view.notes, *found.cautions],
        "version": uccurve.__version__,
        "verdict": _verdict(found, comparison),
        "bracketed": has_intervals(comparison),
        "band_note": band_note(comparison, lines),
        "point": options.point,
        "models": _models(comparison, lines),
        "scored": options.by_score,
        "reference": lines.reference,
        "measure": lines.measure,
        "words": lines.better,
        "chart": static_chart(lines, options.miss_rate),
        "findings": comparison.findings,
        "blocks": numbers["blocks"],
        "level": options.confidence,
        "moved": _MOVES[options.vary],
        "factors": _MOVED_BY[options.vary],
        "width": "half-width" if numbers["side"] == "both" else "distance to the limit",
        "claims": _CLAIMS[options.vary] if any(curve["reliability"] for curve in numbers["curves"]) else "",
        "drawn": numbers["rows"] is not None,
        "segmented": bool(numbers["segments"]),
        "rows_note": _rows_note(numbers["rows"]) if numbers["rows"] else "",
        "regimes": regimes_table(comparison, sketched=numbers["sketched"]),
        "segments": segments_table(comparison, numbers["segments"]),
        "tables": list(advanced_tables(comparison, numbers["unit"])),
    }


def _verdict(found: Recommendation, comparison: Comparison) -> dict[str, Any]:
    """Cut the answer at the name of the model to use, which is set in bold, and at names that are long."""

    def cut(text: str) -> list[dict[str, str]]:
        names = (printable(name) for name in comparison.curves)
        return [{**part, "text": _unbroken(part["text"])} for part in in_parts(text, names)]

    before, name, after = found.answer, "", ""
    if found.best is not None and found.best in found.answer:
        before, name, after = found.answer.partition(found.best)
    return {
        "before": cut(before),
        "name": cut(name),
        "after": cut(after),
        "rest": cut(found.details),
    }


def _unbroken(text: str) -> str:
    """Keep the ends of ranges together."""
    return text.replace("–", "\u2060–\u2060")


def _models(comparison: Comparison, lines: RatioLines) -> list[dict[str, Any]]:
    """Return the rows of the table below the verdict: the best first."""
    return [
        {
            "name": printable(score.model),
            "constant": score.model in comparison.constant_bands,
            "coverage": _covered(comparison.curves[score.model]),
            "score": cell(score.score_at),
            "width": cell(score.bandwidth_at),
            "saved": _against(comparison, score.model, lines),
            "moved": _moved(comparison.curves[score.model], comparison.options.miss_rate),
        }
        for score in comparison.scores
    ]


def _against(comparison: Comparison, name: str, lines: RatioLines) -> str:
    """Say how much better than the common reference a model is, with its interval."""
    standings = comparison.standings
    if name == lines.reference or name not in standings.names or lines.reference not in standings.names:
        return "–"
    return tables.describe_share(standings.lead(name, lines.reference), *lines.better[:2])


def _moved(curve: Curve, miss_rate: float) -> str:
    """Say what moves a curve to a miss rate."""
    point = ask_curve(curve.at, otherwise=None, miss_rate=miss_rate)
    parameter = math.nan if point is None else point.parameter
    if len(curve.levels) < 2 or math.isnan(parameter):  # noqa: PLR2004 - one pair is multiplied
        return cell(parameter)
    if parameter > 1:
        return f"outermost × {cell(parameter)}"
    return f"{percent(parameter * curve.levels[-1])} interval"


def _covered(curve: Curve) -> str:
    claimed = curve.nominal
    return percent(curve.original.coverage) + (
        "" if claimed is None else f" (claims {whole_percent(claimed)})"
    )


def _rows_note(rows: Mapping[str, Any]) -> str:
    carried, total = rows["carried"], rows["total"]
    note = ""
    if carried < total:
        note = f"The page carries {_header.count(carried)} of {_header.count(total)} rows"
        if rows["chosen"]:
            note += ", as chosen"
        else:
            spread, stretch = (_header.count(rows[name].count("1")) for name in ("spread", "stretch"))
            note += f": {spread} spread evenly, {stretch} in a row"
            note += ", and more of each segment" if rows["segments"] else ""
        note += ". "
    if rows["segments"] and len(rows["segments"]) < rows["allSegments"]:
        note += (
            f"{len(rows['segments'])} of {_header.count(rows['allSegments'])} segments can be shown on "
            f"their own."
        )
    return note.strip()
