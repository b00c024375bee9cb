"""The words of the page: answer, facts and tables, at each coverage that the slider stops at."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

import uccurve
from uccurve._base import arguments
from uccurve._base.arrays import to_numpy
from uccurve._base.text import (
    align_numbers,
    cell,
    format_parameters,
    listed,
    percent,
    printable,
    shorten,
    whole_percent,
)
from uccurve.comparison import Estimate, describe_limits, tables
from uccurve.inference import block_codes
from uccurve.report_page.data import own_constant, parameters, shorter
from uccurve.report_page.segments import MOST_SEGMENTS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from uccurve.comparison import Comparison, RecordTable
    from uccurve.report_page.data import View

COMMAND = "command"
"""The fact that stands on a line of its own."""
_MOVES = {"scale": "scale by", "shift": "add to each side", "level": "level to take"}
_ADVICE = {"scale": "scale by {}", "shift": "add {} to each side", "level": "take the {} interval"}
_BEYOND = "scale the outermost quantiles by {}"
_AREAS = ("model", "coverage", "bandwidth", "area", "gain", "ceiling", "deficit_gain", "deficit_ceiling")
_ALIGNED = {"bandwidth", "area"}
_NAMED = 3
_FOLDED = 6
"""Rows of the first table that are shown at once, so that the chart stays on the first screen."""
_LONGEST_UNIT = 12
"""Characters beyond which a unit loses its middle in the facts."""


def texts(comparison: Comparison, numbers: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answer, the facts and the cells of the table, one of each at every coverage."""
    standings = comparison.standings
    moves = [parameters(curve, standings.rates) for curve in standings.curves.values()]
    every = range(standings.rates.size)
    brief = shorter(comparison)
    return {
        "answers": [_cut(comparison, place, brief) for place in every],
        "titles": {view: brief(title) for view, title in _titles(comparison).items()},
        "facts": [list(map(brief, _facts(comparison, numbers, moves, place))) for place in every],
        "cells": [_cells(comparison, numbers, moves, place) for place in every],
    }


def _cut(comparison: Comparison, place: int, brief: Callable[[str], str]) -> tuple[str, str, str]:
    """Cut the answer at a coverage at the name of the model to use, which is set in bold."""
    answer, best = brief(comparison.answers[place]), comparison.standings.at_place(place).best
    name = "" if best is None else brief(printable(best))
    for lead in ("coverage, use ", "coverage, "):
        before, found, after = answer.partition(f"{lead}{name}")
        if found and name:
            return before + lead, name, after
    return answer, "", ""


def _cells(
    comparison: Comparison, numbers: Mapping[str, Any], moves: Sequence[np.ndarray], place: int
) -> list[list[str]]:
    """Return what the table shows of each model at a coverage: its numbers, aligned, and its distance."""
    standings = comparison.standings
    measures = ["interval_score", "bandwidth"] if comparison.options.by_score else ["bandwidth"]
    columns = [
        align_numbers([curve["numbers"][name][place] for curve in numbers["curves"]]) for name in measures
    ]
    columns.append([tables.format_distance(standings, name, place) for name in standings.names])
    levels = [curve.levels for curve in standings.curves.values()]
    columns.append(format_parameters([float(move[place]) for move in moves], levels))
    return [list(row) for row in zip(*columns, strict=True)]


def _facts(
    comparison: Comparison, numbers: Mapping[str, Any], moves: Sequence[np.ndarray], place: int
) -> list[str]:
    """Return what to know about the best model at a coverage: its half-width, its coverage, segments."""
    standings = comparison.standings
    standing = standings.at_place(place)
    first = next((name for name in standing.order if name in comparison.models), None)
    if first is None:
        return []
    curve, index = comparison.models[first], standings.names.index(first)
    widths = [one["numbers"]["bandwidth"][place] for one in numbers["curves"]]
    constant = own_constant(comparison, first)
    others = (name for name in standing.order if name != first)
    other = constant if constant != first else next(others, first)
    shown = align_numbers(widths)
    unit = f" {shorten([numbers['unit']], _LONGEST_UNIT)[0]}".rstrip()
    width, instead = f"{comparison.width} {shown[index]}{unit}", shown[standings.names.index(other)]
    if other != first and math.isfinite(widths[standings.names.index(other)]):
        own = "constant width" if len(comparison.constant_bands) == 1 else "its constant width"
        word = "instead of" if widths[index] <= widths[standings.names.index(other)] else "against"
        width += f" {word} {instead} ({own if other == constant else other})"
    covers = f"covers {percent(curve.original.coverage)} as supplied"
    if curve.nominal is not None:
        covers = f"claims {whole_percent(curve.nominal)}, {covers}"
    parameter = float(moves[index][place])
    is_beyond = bool(curve.levels) and parameter > 1
    advice = _BEYOND if is_beyond else _ADVICE[comparison.options.vary]
    move = align_numbers([parameter])[0] if is_beyond else format_parameters([parameter], [curve.levels])[0]
    named = [f"{first}:"] if standing.best != first else []
    return [
        printable(" ".join([*named, width])),
        f"{covers}: {advice.format(move)}",
        *_of_segments(numbers, list(comparison.models).index(first), place),
    ]


def _of_segments(numbers: Mapping[str, Any], model: int, place: int) -> list[str]:
    carried = numbers["segments"]
    if len(carried) < 2:  # noqa: PLR2004 - all rows are one segment
        return []
    off = sum(bool(one["models"][model]["off"][place]) for one in carried)
    return [f"{off} of {len(carried)} segments significantly off" if off else "no segment significantly off"]


def contents(comparison: Comparison, numbers: dict[str, Any], view: View) -> dict[str, Any]:
    """Return everything that the template shows as text."""
    options, found, standings = comparison.options, comparison.recommendation, comparison.standings
    place, words = standings.chosen, numbers["texts"]
    order = standings.at_place(place).order
    ranked = [*order, *(name for name in standings.names if name not in order)]
    carried = dict(zip(standings.names, numbers["curves"], strict=True))
    rows = sum(one["shown"] for one in carried.values())
    return {
        "title": view.title,
        "version": uccurve.__version__,
        "answer": words["answers"][place],
        "facts": words["facts"][place],
        "beside": shorter(comparison)(found.beside),
        "notes": [*view.notes, *found.cautions],
        "point": options.point,
        "chosen": f"{100 * options.coverage:.6g}",
        "level": options.confidence,
        "scored": options.by_score,
        "width": comparison.width,
        "moved": _MOVES[options.vary],
        "models": [_model(comparison, numbers, name) for name in ranked if carried[name]["listed"]],
        "rows": rows,
        "folded": rows > _FOLDED,
        "marks": _marks(comparison),
        "titles": words["titles"],
        "several": len({one["own"] for one in numbers["curves"]} - {None}) > 1,
        "claiming": any(one["reliability"] for one in numbers["curves"]),
        "references": [one["brief"] for one in numbers["curves"]],
        "rows_note": _rows_note(view),
        "drawn": view.rows is not None,
        "segments": _segments(comparison, numbers),
        "facts_of_method": _method(comparison, view),
        "command": view.about.get(COMMAND, ""),
        "findings": comparison.findings,
        "tables": _folded_tables(comparison, view),
    }


def _model(comparison: Comparison, numbers: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return a row of the table below the answer."""
    place, index = comparison.standings.chosen, comparison.standings.names.index(name)
    carried = numbers["curves"][index]
    is_said = carried["claimed"] is not None and _shared_claim(comparison) is None
    return {
        **carried,
        "index": index,
        "best": name == comparison.standings.at_place(place).best,
        "covered": percent(carried["covered"]),
        "claimed": f"claims {whole_percent(carried['claimed'])}" if is_said else "",
        "cells": numbers["texts"]["cells"][place][index],
    }


def _shared_claim(comparison: Comparison) -> float | None:
    """Return the coverage that all models claim; None where they claim none or different ones."""
    claims = {curve.nominal for curve in comparison.models.values()}
    return claims.pop() if len(claims) == 1 else None


def _marks(comparison: Comparison) -> str:
    """Say what brackets and marks of the table mean at every coverage, and what all models claim."""
    options, claim = comparison.options, _shared_claim(comparison)
    level, has_doubts = options.confidence, any(test.needs for test in comparison.tests)
    tested = [
        f"In brackets: {level} CI at {options.point}, elsewhere the {level} band. * Too close to call.",
        "† Not decided." if has_doubts else "",
        "" if options.blocks is not None else "Rows are treated as independent.",
    ]
    is_said = claim is not None and len(comparison.models) > 1  # of one model the facts say it
    claimed = f"As supplied, all models claim {whole_percent(claim)}." if is_said and claim else ""
    return " ".join(filter(None, [*(tested if comparison.standings.ratios else []), claimed]))


def _titles(comparison: Comparison) -> dict[str, str]:
    """Return the title of each chart: what it shows."""
    standings, point = comparison.standings, comparison.options.point
    other = comparison.judged_by("bandwidth" if comparison.options.by_score else "interval_score")
    widths, names = comparison.judged_by("bandwidth").standings, list(comparison.models)
    ranked = [name for name in widths.at_place(widths.chosen).order if name in names]
    half_widths = align_numbers(
        [float(widths.numbers[widths.names.index(name), widths.chosen]) for name in ranked]
    )
    needed = [f"{width} ({printable(name)})" for name, width in zip(ranked, half_widths, strict=True)][
        :_NAMED
    ]
    more = f" and {len(ranked) - _NAMED} more" if len(ranked) > _NAMED else ""
    helping = [
        printable(name)
        for name in names
        if standings.ratio(name, own_constant(comparison, name)).value < 1
        and standings.is_clear(name, own_constant(comparison, name), standings.chosen)
    ]
    whose = "their" if len(helping) > 1 else "its"
    many = f"{len(helping)} of {len(names)} models" if len(helping) > _NAMED else listed(helping)
    verb = "clearly beats" if len(helping) == 1 else "clearly beat"
    helped = f"{many} {verb}" if helping else "no model clearly beats"
    return {
        comparison.options.rank_by: comparison.leaders,
        other.options.rank_by: other.leaders,
        "own": f"At {point} coverage, {helped} constant width around {whose} own predictions",
        "curve": f"{comparison.width.capitalize()} at {point} coverage: {', '.join(needed) or '–'}{more}",
        "reliability": _reliability(comparison),
    }


def _reliability(comparison: Comparison) -> str:
    """Say what models claim and cover; of many of them the least and the most."""
    models = {name: (curve.nominal, curve.original.coverage) for name, curve in comparison.models.items()}
    claims = [(name, claim, covered) for name, (claim, covered) in models.items() if claim is not None]
    if len(claims) > _NAMED:
        shared, covered = _shared_claim(comparison), [covered for _, _, covered in claims]
        claimed = "" if shared is None else f" claim {whole_percent(shared)} and"
        return f"{len(claims)} models{claimed} cover {percent(min(covered))} to {percent(max(covered))}"
    return "; ".join(
        f"{printable(name)} claims {whole_percent(claim)}, covers {percent(covered)}"
        for name, claim, covered in claims
    )


def _rows_note(view: View) -> str:
    """Say which of the rows the page carries."""
    if view.rows is None or view.rows.place.size == view.rows.total:
        return ""
    carried, total = view.rows.place.size * view.rows.outputs, view.rows.total * view.rows.outputs
    return f"The page contains {carried:,} of {total:,} rows{', as chosen' if view.rows.chosen else ''}."


def _segments(comparison: Comparison, numbers: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the table of segments for the first model, those with most evidence against it first."""
    carried, place = numbers["segments"], comparison.standings.chosen
    if not carried:
        return None
    order = [name for name in comparison.standings.at_place(place).order if name in comparison.models]
    model = list(comparison.models).index(order[0]) if order else 0
    found = []
    for index, one in enumerate(carried):
        part, point = one["models"][model], comparison.options.coverage
        share, low, high = (float(part[name][place]) for name in ("coverage", "low", "high"))
        ends = "–" if math.isnan(share) else f"{percent(share)} [{100 * low:.1f}–{100 * high:.1f}]"
        evidence = -math.inf if math.isnan(share) else max(low - point, point - high)
        row = {"index": index, "name": one["name"], "rows": f"{one['n']:,}", "covered": ends}
        row |= {"supplied": percent(part["supplied"]), "evidence": evidence, "off": bool(part["off"][place])}
        found.append(row)
    found.sort(key=lambda row: -row["evidence"])
    total = len({one.segment for one in comparison.segments or ()})
    left_out = f"The {MOST_SEGMENTS} largest of {total:,} segments are shown." if len(carried) < total else ""
    off = sum(row["off"] for row in found)
    name = shorter(comparison)(printable(list(comparison.models)[model]))
    title = f"{off} of {len(found)} segments significantly off for {name}"
    return {"rows": found, "title": title, "model": model, "note": left_out, "many": len(found) > 12}  # noqa: PLR2004


def _method(comparison: Comparison, view: View) -> list[tuple[str, str]]:
    """Return facts about data and method, each with its name."""
    options, models = comparison.options, comparison.models
    first = next(iter(models.values()))
    size = "interval scores: mean width plus a penalty for misses" if options.by_score else "half-widths"
    outputs = 1 if first.source is None else first.source.n_outputs
    facts = {
        "rows": f"{first.n:,}{_dropped(comparison)}",
        "outputs": f"{outputs} of each row, pooled" if outputs > 1 else "",
        "models": f"{len(models):,}",
        "unit of y": view.unit,
        "bounds": describe_limits(comparison.side),
        "ranked by": f"{size}, after every model is moved to the same coverage",
        **_inference(comparison),
        **{name: text for name, text in view.about.items() if name != COMMAND},
        "made with": f"uccurve {uccurve.__version__}",
    }
    return [(name, text) for name, text in facts.items() if text]


def _inference(comparison: Comparison) -> dict[str, str]:
    """Say what was tested, and how each confidence interval was made."""
    options, drawn = comparison.options, comparison.standings.resamples
    count, level = sum(not math.isnan(test.pvalue) for test in comparison.tests), options.confidence
    if not count:
        return {"tests": "none"}
    unit, dependence = "rows", "rows are treated as independent"
    rows = next(iter(comparison.models.values())).source
    if options.blocks is not None and rows is not None:
        blocks = np.unique(block_codes(rows, options.blocks)).size
        unit, dependence = "blocks", f"only rows of the same block depend on each other ({blocks:,} blocks)"
    return {
        "dependence": dependence,
        "tests": f"{count} paired permutation test{'s' if count > 1 else ''} at {options.point} coverage, "
        f"with {drawn['permutations']:,} permutations each; p-values adjusted by Holm's method",
        "CIs": f"{level}, of ratios on the same rows, by the delta method",
        "bands": f"{level}, for all coverages at once, from {drawn['bootstraps']:,} resamples of {unit}",
        "CIs of gains": f"{level}, by the delta method, or by a bootstrap where they rest on few rows",
    }


def _dropped(comparison: Comparison) -> str:
    """Say that rows were dropped, and how many at least: those before the last one that was kept."""
    rows = next(iter(comparison.models.values())).source
    if rows is None or rows.kept is None:
        return ", from sketches" if rows is None else ""
    gone = int(to_numpy(rows.kept)[-1]) + 1 - rows.n
    return f" kept, {gone:,} or more dropped as invalid" if gone else " kept, others dropped as invalid"


def _folded_tables(comparison: Comparison, view: View) -> list[dict[str, Any]]:
    """Return the tables that are folded away: ranges of coverage, pairs, areas."""
    options, scores, unit = comparison.options, comparison.scores, view.unit or "units of y"
    area = unit if options.y == "miss_rate" else f"{view.unit or 'y'}, squared"
    heads = {name: scores.heading(name) for name in _AREAS if name in scores.rows()[0]}
    heads |= {"bandwidth": f"{heads['bandwidth']} ({unit})", "area": f"area ({area})"}
    shares = ("from", "to", "least lead")
    ranges: list[dict[str, Any]] = [
        {
            "from": arguments.complement(one.high),
            "to": arguments.complement(one.low),
            "best": one.best or "no clear lead",
            "next": one.runner_up or "–",
            "least lead": one.saved if one.runner_up else math.nan,
        }
        for one in reversed(comparison.regimes)
    ]
    shown = [{**row, **{name: percent(row[name]) for name in shares}} for row in ranges]
    note = f"Clear where the {options.confidence} band of the ratio to every other model excludes 1."
    note = note if comparison.standings.has_rows else "Who leads on these rows. Nothing was tested."
    found = [_table("ranges", "Ranges of coverage", note, shown, ranges)]
    tests = comparison.tests
    if comparison.standings.has_rows and tests:
        names = {"a": "model", "b": "other"} | {name: tests.heading(name) for name in tests.printed[2:]}
        note = (
            f"{comparison.measure.capitalize()} of the model over that of the other at {options.point} "
            f"coverage, with {options.confidence} CI: below 1 the model is better."
        )
        found.append(_table("pairs", "Pairs", note, *_of_records(tests, names)))
    note = (
        f"Coverage and half-width as supplied; areas on {options.axes}. A gain is the share saved over "
        f"constant width around the same predictions; its ceiling is the largest possible in hindsight."
    )
    found.append(
        _table("areas", "Areas and gains", f"{note} {scores.note}".strip(), *_of_records(scores, heads))
    )
    return found


def _of_records(records: RecordTable[Any], heads: Mapping[str, str]) -> tuple[list[Any], list[Any]]:
    """Return the rows of a table as it is read, and each value in full."""
    rows = records.rows()
    shown = [{text: tables.format_field(row, name) for name, text in heads.items()} for row in rows]
    for name in _ALIGNED & heads.keys():
        texts = align_numbers([row[name] for row in rows])
        shown = [{**row, heads[name]: text} for row, text in zip(shown, texts, strict=True)]
    return shown, [{text: row[name] for name, text in heads.items()} for row in rows]


def _table(
    id_: str, title: str, note: str, rows: list[dict[str, Any]], full: list[dict[str, Any]] | None = None
) -> dict[str, Any]:
    """Lay rows out as they are read, each cell with its value in full beside it, for exports."""
    heads = list(rows[0]) if rows else []
    full = full or rows
    words = {head: all(isinstance(row[head], str) for row in full) for head in heads}
    laid = [
        [_cell(row[head], whole[head], words=words[head]) for head in heads]
        for row, whole in zip(rows, full, strict=True)
    ]
    ends = {head: any(isinstance(row[head], Estimate) for row in full) for head in heads}
    shown = [{"text": head, "words": words[head], "ends": ends[head]} for head in heads]
    return {"id": id_, "title": title, "note": note, "heads": shown, "rows": laid}


def _cell(shown: Any, value: Any, *, words: bool) -> dict[str, Any]:
    text = shown if isinstance(shown, str) else cell(shown)
    ends = (value.low, value.high) if isinstance(value, Estimate) else ()
    full = value.value if isinstance(value, Estimate) else value
    return {
        "text": printable(text),
        "value": _in_full(full),
        "ends": [_in_full(end) for end in ends],
        "words": words,
    }


def _in_full(value: Any) -> str:
    """Return a value in full for exports; nothing for what does not exist."""
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return repr(float(value)) if isinstance(value, float) else printable(str(value))
