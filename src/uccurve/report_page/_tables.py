"""The tables of the page: who is best by coverage, segments, and those that are folded away."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any

from uccurve._base import arguments
from uccurve._base.text import percent, printable
from uccurve.comparison import Estimate, tables
from uccurve.report_page._header import count
from uccurve.report_page._segments import MOST_SEGMENTS
from uccurve.report_page._short_names import in_parts

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping, Sequence

    from uccurve.comparison import Comparison

Table = dict[str, Any]
_SCORES = (
    "model",
    "coverage",
    "bandwidth",
    "score_at",
    "gain_at",
    "area",
    "gain",
    "ceiling",
    "deficit_gain",
    "deficit_ceiling",
)


def advanced_tables(comparison: Comparison, unit: str) -> Iterator[Table]:
    """Yield the scores and the tests of pairs."""
    options, scores, tests = comparison.options, comparison.scores, comparison.tests
    area = (unit or "units of y") if options.y == "miss_rate" else f"{unit or 'y'}, squared"
    rows = scores.rows()
    yield table(
        "scores",
        "Areas and gains",
        f"Coverage and half-width as supplied; area on {options.axes}; gains, above 0 where a model is "
        f"narrower than constant width, with {options.confidence} intervals, each beside the most that "
        f"hindsight could gain.{f' {scores.note}' if scores.note else ''}",
        rows,
        {name: scores.heading(name) for name in _SCORES if name in rows[0]},
        {"bandwidth": unit or "units of y", "area": area},
        comparison.constant_bands,
    )
    if comparison.standings.has_rows and tests:
        rows = tests.rows()
        headings = {"a": "model", "b": "other"}
        headings |= {name: tests.heading(name) for name in tests.printed[2:] if not name.startswith("area")}
        yield table(
            "tests",
            "Pairs",
            f"{comparison.measure.capitalize()} of the model over that of the other at {options.point} "
            f"coverage, with {options.confidence} CI: below 1 the model is better. Paired permutation tests; "
            f"clear where the CI leaves 1 out and the adjusted p-value is at most {options.level:.2g}.",
            rows,
            headings,
        )


def regimes_table(comparison: Comparison, *, sketched: bool) -> Table:
    """Return who is best at which coverage, from high to low."""
    best = "best" if comparison.options.by_score else "narrowest"
    note = (
        "Nothing was tested."
        if sketched
        else "Solid where the lead over all others is clear, pale where it is too close to call."
    )
    rows = []
    for regime in comparison.regimes:
        low, high = (arguments.complement(rate) for rate in (regime.high, regime.low))
        rows.append(
            {
                "range": f"{100 * low:.6g} to {100 * high:.6g}%",
                "low": low,
                "high": high,
                "best": regime.best or "too close to call",
                "runner_up": regime.runner_up,
                "saved": regime.saved,
            }
        )
    headings = {"range": "coverage", "best": best, "runner_up": "next", "saved": "least lead over the next"}
    return table("regimes", f"{best.capitalize()} by coverage", note, rows, headings)


def segments_table(comparison: Comparison, carried: list[dict[str, Any]]) -> Table | None:
    """Show the models on the segments that the page carries; None where there are none."""
    if not comparison.segments:
        return None
    labels = [one.segment for one in comparison.segments]
    changes = (row == 0 or labels[row] != labels[row - 1] for row in range(len(labels)))
    places = [place - 1 for place in itertools.accumulate(changes)]
    kept_places = {part["place"]: index for index, part in enumerate(carried)}
    models = list(comparison.models)
    kept = [
        (place, row)
        for place, row in zip(places, comparison.segments.rows(), strict=True)
        if place in kept_places and row["model"] in comparison.models
    ]
    for _, row in kept:
        row |= {"segment": printable(str(row["segment"])), "rows": row["n"]}
    note = ""
    if len(carried) < places[-1] + 1:
        note = f"The {MOST_SEGMENTS} largest of {places[-1] + 1} segments are shown."
    headings = {
        "segment": "segment",
        "model": "model",
        "rows": "rows",
        "coverage": "coverage as supplied",
        "gain": "gain",
    }
    laid = table("segments", "Segments", note, [row for _, row in kept], headings)
    for cells, (_, row) in zip(laid["rows"], kept, strict=True):
        curve = comparison.models[row["model"]]
        cells[-1]["text"] = (
            "constant width" if curve.reference is curve else tables.describe_share(row["gain"])
        )
    live = [(kept_places[place], models.index(row["model"])) for place, row in kept]
    covered = [_covered(carried[segment]["curves"][model]["at"]) for segment, model in live]
    return {**laid, "live": live, "covered": covered}


def _covered(at: list[float]) -> str:
    """Show a coverage with its interval."""
    share, low, high = at
    if math.isnan(share):
        return "–"
    return f"{percent(share)} [{percent(low).removesuffix('%')}, {percent(high).removesuffix('%')}]"


def table(
    id_: str,
    title: str,
    note: str,
    rows: Sequence[Mapping[str, Any]],
    headings: Mapping[str, str],
    units: Mapping[str, str] | None = None,
    references: Container[str] = (),
) -> Table:
    """Lay the fields that have a heading out as they are read, each number with its full value beside it."""
    words = {name: all(isinstance(row[name], (str, type(None))) for row in rows) for name in headings}
    heads = [
        {
            "name": name,
            "text": text,
            "unit": (units or {}).get(name, ""),
            "words": words[name],
            "ends": bool(rows and _ends(rows[0], name)),
        }
        for name, text in headings.items()
    ]
    laid = [[_cell(row, name, words=words[name]) for name in headings] for row in rows]
    constant = [row.get("model") in references for row in rows]
    return {"id": id_, "title": title, "note": note, "heads": heads, "rows": laid, "constant": constant}


def _cell(row: Mapping[str, Any], name: str, *, words: bool) -> dict[str, Any]:
    text = count(row[name]) if name == "rows" else tables.format_field(row, name)
    value = row[name].value if isinstance(row[name], Estimate) else row[name]
    return {
        "text": text if words else text.replace("-", "−"),
        "value": _value(value),
        "ends": [_value(end) for end in _ends(row, name)],
        "words": words,
        "parts": in_parts(text, [text]),
    }


def _ends(row: Mapping[str, Any], name: str) -> list[float]:
    """Return the ends of an interval or a range, if a field has any."""
    if name == "range":
        return [row["low"], row["high"]]
    return [row[name].low, row[name].high] if isinstance(row[name], Estimate) else []


def _value(value: Any) -> str:
    """Return a value in full for exports; nothing for what does not exist."""
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return repr(float(value)) if isinstance(value, float) else str(value)
