"""The numbers of ``uccurve score``: one record for each model, and for each segment."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from uccurve._base.text import cell, limits, percent
from uccurve.cli._errors import DataError
from uccurve.cli._model_table import ModelRow, moved_text, narrower_text
from uccurve.cli._target_coverage import coverage_in_words
from uccurve.comparison import ask_curve
from uccurve.curve import UCC
from uccurve.exceptions import EmptyInputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve._base.type_aliases import Vary
    from uccurve.cli._file_rows import Loaded
    from uccurve.curve import Curve, OperatingPoint
    from uccurve.intervals import Intervals
    from uccurve.sketch import SketchFile, UCCSketch

_IN_THE_FIRST_TABLE = frozenset({"score_at", "bandwidth_at", "gain_at", "nominal"})
_SHARES = ("miss_rate", "coverage", "gain", "ceiling", "deficit_gain", "deficit_ceiling")


def of_rows(loaded: Loaded, vary: Vary, rate: float) -> list[dict[str, Any]]:
    """Score all models on all rows, and then on the rows of each segment."""
    whole = [{"model": name, **_score(model, vary, rate)} for name, model in loaded.models.items()]
    if loaded.labels is None:
        return whole
    parts = {name: model.by(loaded.labels) for name, model in loaded.models.items()}
    segments = next(iter(parts.values()))
    return [{"segment": None, **record} for record in whole] + [
        {"segment": label, "model": name, **_score(groups[label], vary, rate)}
        for label in segments
        for name, groups in parts.items()
    ]


def of_sketches(content: SketchFile, rate: float) -> list[dict[str, Any]]:
    """Score all models on all rows, and then on the rows of each segment, from their sketches."""
    whole = [{"model": name, **_sketched(sketch, name, rate)} for name, sketch in content.whole().items()]
    if content.by is None:
        return whole
    return [{"segment": None, **record} for record in whole] + [
        {
            "segment": label,
            "model": name,
            **_sketched(content.sketches[name, label], f"{name}, {label}", rate),
        }
        for label in content.segments
        for name in content.models
        if (name, label) in content.sketches
    ]


def _score(intervals: Intervals, vary: Vary, rate: float) -> dict[str, Any]:
    """Return the numbers of one model; NaN where rows with a zero band can never be captured."""
    curve = UCC(intervals, vary=vary)
    _ = curve.excess  # first, so that one argsort serves all costs
    return {"n": intervals.n, **_numbers(curve, rate)}


def _sketched(sketch: UCCSketch, name: str, rate: float) -> dict[str, Any]:
    try:
        return {"n": sketch.rows, **_numbers(sketch.curve(), rate)}
    except EmptyInputError as error:
        raise DataError(f"{name}: {error}") from error


def _numbers(curve: Curve, rate: float) -> dict[str, Any]:
    point, asymmetric = curve.original, not curve.symmetric
    chosen = ask_curve(curve.at, otherwise=None, miss_rate=rate)
    return {
        "side": curve.side,
        "miss_rate": point.miss_rate,
        "coverage": point.coverage,
        "bandwidth": point.bandwidth,
        "excess": point.excess,
        "deficit": point.deficit,
        "area": ask_curve(curve.area),
        "gain": ask_curve(curve.gain),
        "ceiling": curve.ceiling(asymmetric=asymmetric),
        "deficit_gain": ask_curve(curve.gain, y="deficit"),
        "deficit_ceiling": curve.ceiling(y="deficit", asymmetric=asymmetric),
        "parameter": math.nan if chosen is None else chosen.parameter,
        "score_at": ask_curve(curve.score_at, miss_rate=rate),
        "bandwidth_at": math.nan if chosen is None else chosen.bandwidth,
        "gain_at": ask_curve(curve.gain_at, miss_rate=rate),
        **_claims(curve, chosen),
    }


def _claims(curve: Curve, chosen: OperatingPoint | None) -> dict[str, Any]:
    """Return the coverage that is claimed as supplied and, by quantiles, where the target is reached."""
    if curve.vary != "level":
        return {"nominal": curve.nominal}
    target = None if chosen is None else chosen.nominal
    return {"nominal": curve.original.nominal, "nominal_at_target": target}


def model_rows(records: Sequence[dict[str, Any]], vary: Vary) -> list[ModelRow]:
    """Return the records as rows of the table of models."""
    segmented = "segment" in records[0]
    names = _segment_names(records) if segmented else [None] * len(records)
    return [
        ModelRow(
            model=record["model"],
            coverage=record["coverage"],
            claimed=record["nominal"],
            score=record["score_at"],
            width=record["bandwidth_at"],
            against=narrower_text(record["gain_at"]),
            moved=moved_text(record["parameter"], vary, record.get("nominal_at_target"), record["nominal"]),
            rows=record["n"],
            segment=name,
            side=record["side"],
        )
        for record, name in zip(records, names, strict=True)
    ]


def readable(records: Sequence[dict[str, Any]], vary: str, rate: float) -> dict[str, list[str]]:
    """Return all numbers of the records as columns of text, shares in percent."""
    shown: dict[str, list[str]] = {}
    target = coverage_in_words(rate)
    for name in records[0]:
        if name == "side":
            sides = [record["side"] for record in records]
            if sides.count("both") < len(sides):
                shown["bounds"] = [limits(side) or "both" for side in sides]
            continue
        if name in _IN_THE_FIRST_TABLE or (name == "parameter" and vary == "level"):
            continue
        if name == "coverage" and any(record["nominal"] is not None for record in records):
            shown["claims"] = [_percent(record["nominal"]) for record in records]
        if name == "nominal_at_target":
            shown[f"level for {target}"] = [_level(record[name], record["nominal"]) for record in records]
            continue
        show = percent if name in _SHARES else cell
        values = [record[name] for record in records]
        if name == "segment":
            values = _segment_names(records)
        title = name.replace("_", " ")
        if name == "parameter":
            title = f"{'factor' if vary == 'scale' else 'shift'} for {target}"
        shown[title] = [show(value) for value in values]
    return shown


def _level(target: float | None, widest: float) -> str:
    """Show the nominal coverage that reaches the target; beyond the widest level none is known."""
    return f"> {_percent(widest)}" if target is None else _percent(target)


def _percent(nominal: float | None) -> str:
    return "–" if nominal is None else percent(nominal)


def _segment_names(records: Sequence[dict[str, Any]]) -> list[str]:
    """Name the segments as text, and all rows with a name that no segment uses."""
    labels = [record["segment"] for record in records]
    every_row = "all"
    while every_row in map(str, labels):
        every_row = f"({every_row})"
    return [every_row if label is None else cell(label) for label in labels]
