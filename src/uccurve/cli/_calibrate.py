"""Recalibrated bounds: fitted on observed rows, written to all of them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from uccurve.calibration import ConformalScaler
from uccurve.cli import _file_rows
from uccurve.cli._errors import DataError, UsageError, listed
from uccurve.exceptions import UccurveError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve._base.type_aliases import Vary
    from uccurve.cli._columns import Choice, Model
    from uccurve.cli._input_files import Table

_MOST_GROUPS, _ALL = 6, 100
USUAL_RATE = 0.1
"""The miss rate where neither an option nor the names of columns tell one."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Calibration:
    """The rows to fit on, and the rows to judge the result by."""

    fitting: Table
    choice: Choice
    judged: np.ndarray
    """Which rows of the target are judged, shape (n,)."""
    judged_on: str
    """What these rows are, in words."""


def usable(table: Table, choice: Choice, invalid: str) -> tuple[Table, tuple[str, ...]]:
    """Return the rows to work on, and what to say about those that were dropped."""
    if invalid == "raise":
        return table, ()
    loaded = _file_rows.load(table, choice, invalid)
    return loaded.table, loaded.notes


def plan(
    target: Table, choice: Choice, other: tuple[Table, Choice] | None, fraction: float | None, seed: int
) -> Calibration:
    """Decide what is fitted on what: another file, a random part of the observed rows, or all of them."""
    n = target.frame.height
    values = np.full(n, np.nan) if choice.y_true is None else _file_rows.numbers(target, choice.y_true)
    observed = ~np.isnan(values)
    if other is not None:
        words = "observed rows of the file, which were not fitted on"
        return Calibration(fitting=other[0], choice=other[1], judged=observed, judged_on=words)
    if not observed.any():
        raise DataError(
            f"{target.name}: column {choice.y_true!r} has no value to fit on: "
            "give observed rows with --calibration."
        )
    if fraction is None:
        words = "rows it was fitted on, which flatters"
        return Calibration(fitting=target.keep(observed), choice=choice, judged=observed, judged_on=words)
    rows = np.random.default_rng(seed).permutation(np.flatnonzero(observed))
    fitted = np.zeros(n, dtype=bool)
    fitted[rows[: max(1, round(fraction * rows.size))]] = True
    words = "observed rows that were not fitted on"
    return Calibration(fitting=target.keep(fitted), choice=choice, judged=observed & ~fitted, judged_on=words)


def calibrate(
    target: Table, choice: Choice, plan_: Calibration, asked: float | None, vary: Vary, suffix: str
) -> tuple[Table, list[dict[str, Any]]]:
    """Return the table with new bounds, and what was done to each model.

    Without a miss rate that is asked for, each model gets the one that the names of its bounds tell.
    """
    bare = replace(choice, y_true=None)
    rates = [_rate(model) if asked is None else asked for model in choice.models]
    several = len(choice.models) > 1
    names = [
        _bounds(model, rate, suffix, several=several)
        for model, rate in zip(choice.models, rates, strict=True)
    ]
    _check_names(target, choice.models, names)
    columns, records = [], []
    for model, rate, pair in zip(choice.models, rates, names, strict=True):
        given = _file_rows.build(target, bare, model)
        scaler = _fitted(plan_, _same(plan_, target, model), rate, vary)
        groups = None if choice.by is None else _labels(target, choice.by)
        try:
            bounds = scaler.transform(given.y_pred, given.lower, given.upper, groups=groups)
        except UccurveError as error:
            text = _file_rows.translated(str(error), {"groups": choice.by or "", **model.arguments}, target)
            raise DataError(f"{target.name}: {text}") from error
        columns += _predictions(target, model, pair)
        columns += [pl.Series(name, bound) for name, bound in zip(pair, bounds, strict=True)]
        grouped = choice.by is not None
        records.append(
            {
                "model": model.name,
                "columns": list(pair),
                "miss_rate": rate,
                "fitted_on": plan_.fitting.name,
                "fitted_rows": plan_.fitting.frame.height,
                "parameter": dict(scaler.parameters) if grouped else scaler.parameter,
                **_judged(target, choice, plan_, (given.lower, given.upper), bounds),
            }
        )
    return replace(target, frame=target.frame.with_columns(columns)), records


def about_levels(choice: Choice, records: Sequence[dict[str, Any]], asked: float | None) -> list[str]:
    """Say which miss rate the names of columns told, and where bounds of another one are."""
    lines = []
    for model, record in zip(choice.models, records, strict=True):
        if model.level is None:
            continue
        rate, (lower, upper) = record["miss_rate"], record["columns"]
        if asked is None and rate != USUAL_RATE:
            lines.append(
                f"{model.name}: miss rate {rate:g}, as {model.lower!r} tells; --miss-rate chooses another."
            )
        if model.bounds_at(_percent(rate)) != (model.lower, model.upper):
            lines.append(
                f"{model.name}: the bounds for a miss rate of {rate:g} are in {lower!r} and {upper!r}; "
                f"{model.lower!r} and {model.upper!r} stay as they are."
            )
    return lines


def sentences(records: Sequence[dict[str, Any]], plan_: Calibration, vary: Vary) -> list[str]:
    """Say what was fitted on what, and what came of it."""
    lines = []
    verb = "multiplied by" if vary == "scale" else "widened by"
    for record in records:
        found = record["parameter"]
        values = list(found.values()) if isinstance(found, dict) else [found]
        shown = f"{min(values):.4g} to {max(values):.4g}"
        if not isinstance(found, dict):
            shown = f"{found:.4g}"
        elif len(found) <= _MOST_GROUPS:
            shown = ", ".join(f"{value:.4g} ({label})" for label, value in found.items())
        lines.append(
            f"{record['model']}: bands {verb} {shown}, fitted on {record['fitted_rows']} rows "
            f"of {record['fitted_on']}."
        )
        unbounded = sum(map(math.isinf, values))
        if unbounded:
            rate = record["miss_rate"]
            least = math.ceil(1 / rate) - 1
            whose = f"of {unbounded} groups " if isinstance(found, dict) else ""
            lines.append(
                f"{record['model']}: bounds {whose}are infinite: "
                f"a miss rate of {rate:g} takes {least} rows or more to fit on."
            )
        if record["judged_rows"]:
            before, after = (f"{100 * record[f'coverage_{when}']:.1f} %" for when in ("before", "after"))
            widths = " to ".join(f"{record[f'bandwidth_{when}']:.4g}" for when in ("before", "after"))
            lines.append(
                f"{record['model']}: coverage from {before} to {after}, bandwidth from {widths}, on the "
                f"{record['judged_rows']} {plan_.judged_on}."
            )
    return lines


def _fitted(plan_: Calibration, model: Model, rate: float, vary: Vary) -> ConformalScaler:
    table, choice = plan_.fitting, plan_.choice
    intervals = _file_rows.build(table, choice, model)
    groups = None if choice.by is None else _labels(table, choice.by)
    return ConformalScaler(miss_rate=rate, vary=vary).fit(intervals, groups=groups)


def _labels(table: Table, column: str) -> np.ndarray:
    """Return labels as text, which means the same in every format."""
    series = table.column(column)
    _file_rows.refuse_missing(table, column, _file_rows.missing_labels(series))
    return np.asarray(series.cast(pl.String).to_numpy())


def _same(plan_: Calibration, target: Table, model: Model) -> Model:
    """Return the model among those to fit on."""
    models = {other.name: other for other in plan_.choice.models}
    other = models.get(model.name)
    if other is None:
        raise DataError(
            f"{plan_.fitting.name}: there is no model {model.name!r}, as in {target.name}; "
            f"its models are {listed(list(models))}."
        )
    if None not in (model.level, other.level) and model.level != other.level:
        raise DataError(
            f"{plan_.fitting.name}: {model.name} would be fitted on {other.lower!r} and {other.upper!r}, but "
            f"{target.name} has {model.lower!r} and {model.upper!r}: choose one level with --level."
        )
    return other


def _percent(rate: float) -> float:
    """Return the level, in per cent, of bounds with a miss rate."""
    return round(_ALL * (1 - rate), 9)


def _rate(model: Model) -> float:
    """Return the miss rate that the names of a model's bounds tell: 0.2 of Model-lo-80."""
    if model.level is None or not 0 < model.level < _ALL:
        return USUAL_RATE
    return round((_ALL - model.level) / _ALL, 11)


def _bounds(model: Model, rate: float, suffix: str, *, several: bool) -> tuple[str, str]:
    """Name the columns of new bounds."""
    if model.lower is not None and model.upper is not None:
        lower, upper = model.bounds_at(_percent(rate)) or (model.lower, model.upper)
    else:
        front = f"{model.name}_" if several else ""
        lower, upper = f"{front}lower", f"{front}upper"
    return lower + suffix, upper + suffix


def _predictions(target: Table, model: Model, names: tuple[str, str]) -> list[pl.Series]:
    """Repeat predictions as NAME_pred beside NAME_lower and NAME_upper, if commands would not find them."""
    copy = f"{model.name}_pred"
    if model.std is None or names[0] != f"{model.name}_lower" or model.y_pred in (None, copy):
        return []
    present = target.frame.columns
    if copy in present or (model.name in present and model.y_pred == model.name):
        return []
    return [target.column(str(model.y_pred)).alias(copy)]


def _check_names(target: Table, models: Sequence[Model], names: list[tuple[str, str]]) -> None:
    """Refuse to write over a column that is not a bound of the model itself."""
    new = [name for pair in names for name in pair]
    doubled = next((name for name in new if new.count(name) > 1), None)
    if doubled is not None:
        raise UsageError(
            f"two bounds would be written to the column {doubled!r}: calibrate one model at a time."
        )
    for model, pair in zip(models, names, strict=True):
        own = (model.lower, model.upper)
        taken = [
            new for new, old in zip(pair, own, strict=True) if new != old and new in target.frame.columns
        ]
        if taken:
            raise UsageError(
                f"{target.name}: there is a column {taken[0]!r} already: choose another --suffix"
                f"{', or another --level to start from' if model.level is not None else ''}."
            )


def _judged(
    target: Table, choice: Choice, plan_: Calibration, before: tuple[Any, Any], after: tuple[Any, Any]
) -> dict[str, Any]:
    """Return coverage and bandwidth before and after, on the rows to judge by."""
    rows = plan_.judged
    found: dict[str, Any] = {"judged_on": plan_.judged_on, "judged_rows": int(np.count_nonzero(rows))}
    if choice.y_true is None or not rows.any():
        return found | {"judged_rows": 0}
    y_true = _file_rows.numbers(target, choice.y_true)[rows]
    for when, (lower, upper) in (("before", before), ("after", after)):
        low, high = np.asarray(lower)[rows], np.asarray(upper)[rows]
        found[f"coverage_{when}"] = float(np.mean((low <= y_true) & (y_true <= high)))
        with np.errstate(over="ignore"):
            found[f"bandwidth_{when}"] = float(np.mean(high / 2 - low / 2))
    return found
