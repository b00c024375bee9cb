"""The numbers of ``uccurve score``: one record for each model, and for each segment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from uccurve._base.text import cell, percent
from uccurve.cli._errors import DataError
from uccurve.comparison._scoring import or_nan
from uccurve.curve import UCC
from uccurve.exceptions import EmptyInputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve._base.type_aliases import Vary
    from uccurve.cli._container import Sketches
    from uccurve.cli._file_rows import Loaded
    from uccurve.curve._curve import Curve
    from uccurve.intervals import Intervals
    from uccurve.sketch import UCCSketch

_SHARES = ("miss_rate", "coverage", "gain", "ceiling", "deficit_gain", "deficit_ceiling")


def records(loaded: Loaded, vary: Vary, rate: float) -> list[dict[str, Any]]:
    """Score all models on all rows, and then on the rows of each segment."""
    whole = [{"model": name, **score(model, vary, rate)} for name, model in loaded.models.items()]
    if loaded.labels is None:
        return whole
    parts = {name: model.by(loaded.labels) for name, model in loaded.models.items()}
    segments = next(iter(parts.values()))
    return [{"segment": None, **record} for record in whole] + [
        {"segment": label, "model": name, **score(groups[label], vary, rate)}
        for label in segments
        for name, groups in parts.items()
    ]


def score(intervals: Intervals, vary: Vary, rate: float) -> dict[str, Any]:
    """Return the numbers of one model; NaN where rows with a zero band can never be captured."""
    curve = UCC(intervals, vary)
    _ = curve.excess  # asked for first, one sort serves all costs
    return {"n": intervals.n, **_numbers(curve, rate)}


def of_sketches(sketches: Sketches, rate: float) -> list[dict[str, Any]]:
    """Score all models on all rows, and then on the rows of each segment, from their sketches."""
    whole = [{"model": name, **_sketched(sketch, name, rate)} for name, sketch in sketches.whole().items()]
    if sketches.by is None:
        return whole
    return [{"segment": None, **record} for record in whole] + [
        {"segment": label, "model": name, **_sketched(sketches.found[name, label], f"{name}, {label}", rate)}
        for label in sketches.segments
        for name in sketches.models
        if (name, label) in sketches.found
    ]


def _sketched(sketch: UCCSketch, name: str, rate: float) -> dict[str, Any]:
    try:
        return {"n": sketch.rows, **_numbers(sketch.curve(), rate)}
    except EmptyInputError as error:
        raise DataError(f"{name}: {error}") from error


def _numbers(curve: Curve, rate: float) -> dict[str, Any]:
    point, one_sided = curve.original, not curve.symmetric
    return {
        "miss_rate": point.miss_rate,
        "coverage": point.coverage,
        "bandwidth": point.bandwidth,
        "excess": point.excess,
        "deficit": point.deficit,
        "area": or_nan(curve.area),
        "gain": or_nan(curve.gain),
        "ceiling": curve.ceiling(one_sided=one_sided),
        "deficit_gain": or_nan(lambda: curve.gain(y="deficit")),
        "deficit_ceiling": curve.ceiling(y="deficit", one_sided=one_sided),
        "parameter": or_nan(lambda: curve.at(miss_rate=rate).parameter),
    }


def readable(found: Sequence[dict[str, Any]], vary: str, rate: float) -> dict[str, list[str]]:
    """Return the records as columns of text, shares in per cent."""
    shown: dict[str, list[str]] = {}
    for name in found[0]:
        show = percent if name in _SHARES else cell
        values = [record[name] for record in found]
        if name == "segment":
            values = [_whole(values) if value is None else value for value in values]
        title = name.replace("_", " ")
        if name == "parameter":
            title = f"{'factor' if vary == 'scale' else 'shift'} for {100 * rate:g} %"
        shown[title] = [show(value) for value in values]
    return shown


def _whole(segments: Sequence[Any]) -> str:
    """Name all rows as no segment is named."""
    name = "all"
    while name in map(str, segments):
        name = f"({name})"
    return name
