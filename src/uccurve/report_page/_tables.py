"""The tables of the page: who is best by coverage, segments, and those that are folded away."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any

from uccurve._base import arguments
from uccurve._base.text import percent, printable
from uccurve.comparison._readable_tables import DOUBTFUL, doubtful, heading, readable
from uccurve.report_page._header import count
from uccurve.report_page._segments import MOST_SEGMENTS
from uccurve.report_page._short_names import in_parts

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping, Sequence

    from uccurve.comparison import Comparison
    from uccurve.curve import Curve

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


def advanced_tables(comparison: Comparison, unit: str) -> list[Table]:
    """Return the scores and the tests of pairs."""
    return list(_advanced(comparison, unit))


def _advanced(comparison: Comparison, unit: str) -> Iterator[Table]:
    options = comparison.options
    axes, level = options.axes, f"{100 * options.confidence_level:g}%"
    area = (unit or "units of y") if options.y == "miss_rate" else f"{unit or 'y'}, squared"
    scores = comparison.scores.columns()
    yield table(
        "scores",
        "Areas and gains",
        f"Coverage and half-width as supplied; area on {axes}; gains, above 0 where a model is narrower than "
        f"constant width, with {level} intervals, each beside the most that hindsight could gain."
        f"{f' {DOUBTFUL}' if doubtful(scores) else ''}",
        scores,
        {name: heading(name, options.point) for name in _SCORES if name in scores},
        {"bandwidth": unit or "units of y", "area": area},
        comparison.constant_bands,
    )
    if comparison.standings.has_rows and comparison.tests:
        tests = comparison.tests.columns()
        what = "interval score" if options.rank_by == "interval_score" else "half-width"
        yield table(
            "tests",
            "Pairs",
            f"{what.capitalize()} of the model over that of the other at {options.point} coverage, with "
            f"{level} CI: below 1 the model is better. Paired permutation tests; clear where the CI leaves 1 "
            f"out and the adjusted p-value is at most {options.level:.2g}.",
            tests,
            {
                "a": "model",
                "b": "other",
                "ratio": "ratio",
                "pvalue": "p",
                "pvalue_holm": "p, Holm",
                "clear": "clear",
            }
            | _needs(tests),
        )


def regimes_table(comparison: Comparison, *, sketched: bool) -> Table:
    """Return who is best at which coverage, from high to low."""
    regimes = comparison.regimes.columns()
    pairs = zip(regimes["low"], regimes["high"], strict=True)
    best = "best" if comparison.options.rank_by == "interval_score" else "narrowest"
    note = (
        "Nothing was tested."
        if sketched
        else "Solid where the lead over all others is clear, pale where it is too close to call."
    )
    return table(
        "regimes",
        f"{best.capitalize()} by coverage",
        note,
        {
            **regimes,
            "best": [name or "too close to call" for name in regimes["best"]],
            "range": [_coverages(low, high) for low, high in pairs],
            "low": [arguments.complement(rate) for rate in regimes["high"]],
            "high": [arguments.complement(rate) for rate in regimes["low"]],
        },
        {"range": "coverage", "best": best, "runner_up": "next", "saved": "least lead over the next"},
    )


def _coverages(low: float, high: float) -> str:
    ends = (100 * arguments.complement(rate) for rate in (high, low))
    return " to ".join(f"{end:.6g}" for end in ends) + "%"


def _needs(columns: Mapping[str, list[Any]]) -> dict[str, str]:
    """Return the heading of what tests need more of, where some of them do."""
    return {"needs": "needs more"} if any(columns["needs"]) else {}


def segments_table(comparison: Comparison, carried: list[dict[str, Any]]) -> Table | None:
    """Show the models on the segments that the page carries; None where there are none."""
    if not comparison.segments:
        return None
    columns = comparison.segments.columns()
    labels = columns["segment"]
    changes = (row == 0 or labels[row] != labels[row - 1] for row in range(len(labels)))
    places = [place - 1 for place in itertools.accumulate(changes)]
    kept_places = {part["place"]: index for index, part in enumerate(carried)}
    models = list(comparison.models)
    kept = [
        row
        for row, name in enumerate(columns["model"])
        if places[row] in kept_places and name in comparison.models
    ]
    few = {name: [values[row] for row in kept] for name, values in columns.items()}
    few["segment"] = [printable(str(label)) for label in few["segment"]]
    few["rows"] = few.pop("n")
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
    laid = table("segments", "Segments", note, few, headings)
    _in_words(laid, few, [comparison.models[name] for name in few["model"]])
    live = [(kept_places[places[row]], models.index(columns["model"][row])) for row in kept]
    covered = [_covered(carried[segment]["curves"][model]["at"]) for segment, model in live]
    return {**laid, "live": live, "covered": covered}


def _in_words(laid: Table, columns: Mapping[str, list[Any]], curves: Sequence[Curve]) -> None:
    """Say gains in words: how much narrower or wider than constant width."""
    place = [head["name"] for head in laid["heads"]].index("gain")
    fields = (columns[name] for name in ("gain", "gain_low", "gain_high", "gain_reliable"))
    for row, (gain, low, high, reliable), curve in zip(
        laid["rows"], zip(*fields, strict=True), curves, strict=True
    ):
        row[place]["text"] = (
            "constant width" if curve.reference is curve else narrower(gain, low, high, reliable=reliable)
        )


def narrower(share: float, low: float, high: float, *, reliable: bool) -> str:
    """Say how much narrower or wider, with the interval in brackets: "7% narrower [5, 9]"."""
    if math.isnan(share):
        return "–"
    text = f"{percent(abs(share))} {'narrower' if share >= 0 else 'wider'}"
    if not (math.isfinite(low) and math.isfinite(high)):
        return text
    ends = sorted(end if share >= 0 else -end for end in (low, high))
    shown = (percent(end).removesuffix("%").replace("-", "−") for end in ends)
    return f"{text} [{', '.join(shown)}]{'' if reliable else '?'}"


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
    columns: Mapping[str, list[Any]],
    headings: Mapping[str, str],
    units: Mapping[str, str] | None = None,
    references: Container[str] = (),
) -> Table:
    """Lay the columns that have a heading out as they are read, each number with its full value beside it."""
    texts = readable(columns)
    if "coverage" in headings and "coverage" in columns:
        texts[heading("coverage")] = [percent(value) for value in columns["coverage"]]
    if "rows" in headings:
        texts[heading("rows")] = list(map(count, columns["rows"]))
    shown = {name: texts[heading(name)] for name in headings}
    ends = {name: _ends(columns, name) for name in headings}
    words = {name: all(isinstance(value, (str, type(None))) for value in columns[name]) for name in shown}
    rows = [
        [
            {
                "text": text if words[name] else text.replace("-", "−"),
                "value": _value(columns[name][place]),
                "ends": [_value(end[place]) for end in ends[name]],
                "words": words[name],
                "parts": in_parts(text, [text]),
            }
            for name, text in zip(shown, line, strict=True)
        ]
        for place, line in enumerate(zip(*shown.values(), strict=True))
    ]
    heads = [
        {
            "name": name,
            "text": text,
            "unit": (units or {}).get(name, ""),
            "words": words[name],
            "ends": bool(ends[name]),
        }
        for name, text in headings.items()
    ]
    constant = [name in references for name in columns.get("model", [""] * len(rows))]
    return {"id": id_, "title": title, "note": note, "heads": heads, "rows": rows, "constant": constant}


def _ends(columns: Mapping[str, list[Any]], name: str) -> list[list[Any]]:
    """Return the ends of the intervals of a column, if it has any."""
    names = ("low", "high") if name == "range" else (f"{name}_low", f"{name}_high")
    return [columns[end] for end in names if end in columns]


def _value(value: Any) -> str:
    """Return a value in full for exports; nothing for what does not exist."""
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return repr(float(value)) if isinstance(value, float) else str(value)
