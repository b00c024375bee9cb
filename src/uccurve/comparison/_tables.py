"""The tables of a comparison, as dicts of columns."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any

from uccurve._base.arrays import to_numpy
from uccurve._kernels import costs
from uccurve.comparison import _regimes
from uccurve.curve import UCC
from uccurve.exceptions import ArgumentError, UnreachableError
from uccurve.inference._confidence import confidence_interval
from uccurve.inference._permutation import permutation_test
from uccurve.inference._units import unit_codes
from uccurve.intervals._labels import grouped

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from uccurve._base.type_aliases import ArrayLike
    from uccurve.curve._curve import Curve

Table = dict[str, list[Any]]
CONSTANT = "constant band"


def constants(curves: dict[str, Curve]) -> dict[str, Curve]:
    """Return the constant band, one for each way of predicting."""
    kinds: list[tuple[str, Curve]] = []
    for name, curve in curves.items():
        if not any(curve._same_predictions(other) for _, other in kinds):
            kinds.append((name, curve))
    if len(kinds) == 1:
        return {CONSTANT: kinds[0][1].reference}
    return {f"{CONSTANT} of {name}": curve.reference for name, curve in kinds}


def own_constants(curves: dict[str, Curve], constants: Sequence[str]) -> dict[str, str]:
    """Return the name of the constant band around the same predictions, for each model."""
    return {
        name: next(c for c in constants if curve._same_predictions(curves[c]))
        for name, curve in curves.items()
        if name not in constants
    }


def pairs(curves: dict[str, Curve], constants: Sequence[str]) -> list[tuple[str, str]]:
    """Return what is tested: models against each other, and each against its own constant band."""
    own = own_constants(curves, constants)
    return [*itertools.combinations(own, 2), *own.items()]


def _rows(records: list[dict[str, Any]]) -> Table:
    return {name: [record[name] for record in records] for name in records[0]} if records else {}


def or_nan(ask: Callable[[], float]) -> float:
    """Return a number, or NaN where a floor of the curve puts it out of reach."""
    try:
        return ask()
    except UnreachableError:
        return math.nan


def _interval(curve: Curve, options: dict[str, Any], **ask: Any) -> tuple[float, float]:
    if curve._rows is None:
        return math.nan, math.nan
    try:
        found = confidence_interval(
            curve._rows,
            "gain",
            level=options["level"],
            blocks=options["blocks"],
            rng=options["rng"],
            n_resamples=min(options["n_resamples"], 999),
            **ask,
        )
    except (UnreachableError, ArgumentError):  # out of reach, or a single unit
        return math.nan, math.nan
    return found.low, found.high


def scores(curves: dict[str, Curve], options: dict[str, Any]) -> Table:
    x, y, vary = options["x"], options["y"], options["vary"]
    span = {"miss_rate": options["partial_range"]}
    records = []
    for name, curve in curves.items():
        point = curve.original
        constant = curve.reference is curve
        low, high = (0.0, 0.0) if constant else _interval(curve, options, x=x, y=y, vary=vary)
        deficit = (0.0, 0.0) if constant else _interval(curve, options, x=x, y="deficit", vary=vary)
        records.append(
            {
                "model": name,
                "n": curve.n,
                "miss_rate": point.miss_rate,
                "coverage": point.coverage,
                "bandwidth": point.bandwidth,
                "excess": point.excess,
                "deficit": point.deficit,
                "interval_score": costs.interval_score(point.bandwidth, point.deficit, options["miss_rate"]),
                "area": or_nan(lambda c=curve: c.area(x, y)),  # type: ignore[misc]
                "gain": or_nan(lambda c=curve: c.gain(x, y)),  # type: ignore[misc]
                "gain_low": low,
                "gain_high": high,
                "ceiling": curve.ceiling(x, y, one_sided=not curve.symmetric),
                "deficit_gain": or_nan(lambda c=curve: c.gain(x, "deficit")),  # type: ignore[misc]
                "deficit_gain_low": deficit[0],
                "deficit_gain_high": deficit[1],
                "deficit_ceiling": curve.ceiling(x, "deficit", one_sided=not curve.symmetric),
                "strip_gain": or_nan(lambda c=curve: c.gain(x, y, **span)),  # type: ignore[misc]
                "mean_gain": or_nan(lambda c=curve: c.gain(x, y, partial="mean", **span)),  # type: ignore[misc]
            }
        )
    return _rows(records)


def tests(curves: dict[str, Curve], options: dict[str, Any], *, progress: bool) -> Table:
    axes = {name: options[name] for name in ("x", "y", "vary", "blocks", "rng")}
    records = []
    for name_a, name_b in pairs(curves, options["constants"]):
        a, b = curves[name_a]._rows, curves[name_b]._rows
        if a is None or b is None:
            continue  # pairs of rows are what is exchanged
        record: dict[str, Any] = {"a": name_a, "b": name_b}
        try:
            label = f"{name_a} against {name_b}" if progress else False
            test = permutation_test(a, b, n_resamples=options["n_resamples"], progress=label, **axes)
            found = confidence_interval(
                a,
                "area",
                minus=b,
                level=options["level"],
                n_resamples=min(options["n_resamples"], 999),
                **axes,
            )
            record |= {"difference": test.statistic, "low": found.low, "high": found.high, "p": test.p_value}
        except UnreachableError:
            record |= dict.fromkeys(("difference", "low", "high", "p"), math.nan)
        records.append(record)
    for record, adjusted in zip(records, _regimes.holm([record["p"] for record in records]), strict=True):
        record["p_holm"] = adjusted
    return _rows(records)


def regime_table(curves: dict[str, Curve], options: dict[str, Any]) -> Table:
    """Say who needs the least bandwidth where; ranges side by side without a known order become one.

    The constant band takes part where there is one for all models.
    """
    constants = options["constants"]
    if len(constants) > 1:
        curves = {name: curve for name, curve in curves.items() if name not in constants}
    found = _regimes.regimes(curves, options["blocks"], options["rng"])
    adjusted = _regimes.holm([regime.p_value for regime in found])
    records = [
        {
            "low": regime.low,
            "high": regime.high,
            "best": regime.best,
            "runner_up": regime.runner_up,
            "saved": regime.saved,
            "p_holm": p,
            "significant": p < 1 - options["level"],
        }
        for regime, p in zip(found, adjusted, strict=True)
    ]
    floored = any(float(curve.miss_rate[-1]) > 0 for curve in curves.values())
    if options["vary"] == "shift" or floored or any(curve._rows is None for curve in curves.values()):
        return _rows(records)  # nothing can be tested: the ranges as they are
    merged: list[dict[str, Any]] = []
    for sure, runs in itertools.groupby(records, lambda record: record["significant"]):
        part = list(runs)
        if sure or len(part) == 1:
            merged += part
        else:
            unknown = {"best": None, "runner_up": None, "saved": math.nan, "p_holm": math.nan}
            merged.append({**part[0], **unknown, "high": part[-1]["high"]})
    return _rows(merged)


def crossing_table(curves: dict[str, Curve], options: dict[str, Any]) -> Table:
    records = []
    for name_a, name_b in pairs(curves, options["constants"]):
        a, b = curves[name_a], curves[name_b]
        for crossing in a.crossings(b, options["x"], options["y"]):
            better = name_a if crossing.better_below == "self" else name_b
            place = {options["y"]: crossing.y, options["x"]: crossing.x}
            records.append({"a": name_a, "b": name_b, **place, "better_below": better})
    return _rows(records)


def segments(curves: dict[str, UCC], by: ArrayLike, options: dict[str, Any]) -> Table:
    models = {name: curve for name, curve in curves.items() if name not in options["constants"]}
    first = next(iter(models.values())).intervals
    kept = None if first.kept is None else to_numpy(first.kept)
    groups_of = grouped(by, first.n, "by", kept)
    parts = {name: curve.intervals.by(by) for name, curve in models.items()}
    codes = unit_codes(first, options["blocks"])
    records: list[dict[str, Any]] = []
    for label, rows in groups_of.items():
        segment: dict[str, Curve] = {
            name: UCC(groups[label], options["vary"]) for name, groups in parts.items()
        }
        blocks = None if options["blocks"] is None else codes[rows]
        table = scores(segment | constants(segment), {**options, "blocks": blocks})
        lines = zip(*table.values(), strict=True)
        records += [{"segment": label, **dict(zip(table, line, strict=True))} for line in lines]
    return _rows(records)
