"""The words and tables of the page."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import uccurve
from uccurve._base.text import about_limits, limits, printable
from uccurve.comparison._readable_tables import DOUBTFUL, doubtful, heading
from uccurve.report_page._page import table
from uccurve.report_page._payload import MOST_SEGMENTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from uccurve.comparison import Comparison


def contents(comparison: Comparison, numbers: dict[str, Any]) -> dict[str, Any]:
    """Return everything that the template shows as text."""
    options = comparison.options
    return {
        "title": numbers["title"],
        "about": _about(comparison, numbers),
        "limits": about_limits(comparison.side),
        "version": uccurve.__version__,
        "findings": comparison.findings,
        "blocks": numbers["blocks"],
        "level": f"{100 * options.confidence_level:g} %",
        "parameter": "bands" if options.vary == "scale" else "each band",
        "moved": "factors" if options.vary == "scale" else "amounts",
        "drawn": numbers["rows"] is not None,
        "segmented": bool(numbers["rows"] and numbers["rows"]["segments"]),
        "rows_note": _rows_note(numbers["rows"]) if numbers["rows"] else "",
        "tables": list(_tables(comparison, numbers)),
    }


def _about(comparison: Comparison, numbers: dict[str, Any]) -> str:
    options = comparison.options
    models = len(comparison.models)
    parts = [
        f"{_count(numbers['n'])} rows",
        f"{numbers['outputs']} outputs of each, pooled" if numbers["outputs"] > 1 else "",
        f"{models} model{'s' if models > 1 else ''}",
        limits(comparison.side),
        f"bands are {'multiplied' if options.vary == 'scale' else 'shifted'}",
        f"y in {numbers['unit']}" if numbers["unit"] else "",
        "dependent rows in blocks" if numbers["blocks"] else "",
        "from sketches: exact at thousands of points, without tests" if numbers["sketched"] else "",
    ]
    return " · ".join(part for part in parts if part)


def _rows_note(rows: dict[str, Any]) -> str:
    carried, total = rows["carried"], rows["total"]
    note = ""
    if carried < total:
        note = f"The page carries {_count(carried)} of {_count(total)} rows"
        if rows["chosen"]:
            note += ", as chosen"
        else:
            spread, stretch = (_count(rows[name].count("1")) for name in ("spread", "stretch"))
            note += f": {spread} spread evenly, {stretch} in a row"
            note += ", and more of each segment" if rows["segments"] else ""
        note += ". "
    if rows["segments"] and len(rows["segments"]) < rows["allSegments"]:
        note += (
            f"{len(rows['segments'])} of {_count(rows['allSegments'])} segments can be shown on their own."
        )
    return note.strip()


def _count(number: int) -> str:
    return f"{number:,}".replace(",", "\u202f")


def _tables(comparison: Comparison, numbers: dict[str, Any]) -> Iterator[dict[str, Any]]:
    options = comparison.options
    axes = options.axes
    level = f"{100 * options.confidence_level:g} %"
    unit = numbers["unit"] or "units of y"
    area = unit if options.y == "miss_rate" else f"{numbers['unit'] or 'y'}, squared"
    scores = comparison.scores.columns()
    yield table(
        "scores",
        "Scores",
        f"Miss rate and bandwidth as given; area on {axes}; gains with {level} intervals, each beside the "
        f"most that hindsight could gain."
        + (
            ""
            if comparison.side == "both"
            else " Bandwidth is the mean distance from the prediction to the limit."
        )
        + (f" {DOUBTFUL}" if doubtful(scores) else ""),
        scores,
        {
            name: heading(name, options.point)
            for name in (
                "model",
                "miss_rate",
                "bandwidth",
                "gain_at",
                "area",
                "gain",
                "ceiling",
                "deficit_gain",
                "deficit_ceiling",
            )
            if name in scores
        },
        {"bandwidth": unit, "area": area},
    )
    if comparison.tests:
        tests = comparison.tests.columns()
        yield table(
            "tests",
            "Pairs",
            f"Differences of areas on {axes}, model minus other, with {level} intervals; "
            f"paired permutation tests.",
            tests,
            {"a": "model", "b": "other", "difference": "difference", "pvalue": "p", "pvalue_holm": "p, Holm"}
            | _needs(tests),
            {"difference": area},
        )
    regimes = comparison.regimes.columns()
    pairs = zip(regimes["low"], regimes["high"], strict=True)
    yield table(
        "regimes",
        "Who needs the least bandwidth",
        "By miss rate; nothing was tested."
        if numbers["sketched"]
        else f"By miss rate. ✱ marks what is significant at {100 * (1 - options.confidence_level):g} %; "
        f"paler ranges may be chance"
        + (", gray ones have no known order." if None in regimes["best"] else "."),
        {"range": [f"{100 * low:g} to {100 * high:g} %" for low, high in pairs], **regimes},
        {
            "range": "miss rates",
            "best": "least bandwidth",
            "runner_up": "next",
            "saved": "less than the next",
            "pvalue": "p",
            "significant": "significant",
        }
        | _needs(regimes),
    )
    if comparison.segments:
        yield _segments(comparison.segments.columns(), numbers["segments"])


def _needs(columns: dict[str, list[Any]]) -> dict[str, str]:
    """Return the heading of what tests need more of, where some of them do."""
    return {"needs": "needs more"} if any(columns["needs"]) else {}


def _segments(columns: dict[str, list[Any]], live: list[dict[str, Any]]) -> dict[str, Any]:
    """Show the models on the segments that the page carries, and where each row finds its coverage."""
    found = {(part["place"], part["model"]): row for row, part in enumerate(live)}
    labels = columns["segment"]
    changes = (row == 0 or labels[row] != labels[row - 1] for row in range(len(labels)))
    places = [place - 1 for place in itertools.accumulate(changes)]
    keys = list(zip(places, columns["model"], strict=True))
    kept = [row for row, key in enumerate(keys) if key in found]
    few = {name: [values[row] for row in kept] for name, values in columns.items()}
    few["segment"] = [printable(str(label)) for label in few["segment"]]
    few["rows"] = few.pop("n")
    note = (
        "Each segment on its own. Coverage is that at the operating point chosen above for all rows; "
        "▼ marks what falls short by more than 5 points."
    )
    total, carried = places[-1] + 1, len({keys[row][0] for row in kept})
    if carried < total:
        note += f" The {MOST_SEGMENTS} largest of {total} segments are shown."
    shown = ("segment", "model", "rows", "miss_rate", "gain", "ceiling", "deficit_gain", "deficit_ceiling")
    laid = table(
        "segments", "Segments", note, few, {name: name.replace("_", " ") for name in shown if name in few}
    )
    return {**laid, "live": [found[keys[row]] for row in kept]}
