"""Recalibrated bounds: fitted on observed rows, written to all of them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from uccurve.calibration import ConformalScaler
from uccurve.cli import _rows
from uccurve.cli._errors import DataError, UsageError
from uccurve.exceptions import UccurveError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve._typing import Vary
    from uccurve.cli._columns import Choice, Model
    from uccurve.cli._files import Table

_MOST_GROUPS = 6


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
    loaded = _rows.load(table, choice, invalid)
    return loaded.table, loaded.notes


def plan(
    target: Table, choice: Choice, other: tuple[Table, Choice] | None, fraction: float | None, seed: int
) -> Calibration:
    """Decide what is fitted on what: another file, a random part of the observed rows, or all of them."""
    n = target.frame.height
    values = np.full(n, np.nan) if choice.y_true is None else _rows.numbers(target, choice.y_true)
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
    target: Table, choice: Choice, plan_: Calibration, rate: float, vary: Vary, suffix: str
) -> tuple[Table, list[dict[str, Any]]]:
    """Return the table with new bounds, and what was done to each model."""
    bare = replace(choice, y_true=None)
    names = [_bounds(model, len(choice.models), suffix) for model in choice.models]
    _check_names(target, choice.models, names, suffix)
    columns, records = [], []
    for model, pair in zip(choice.models, names, strict=True):
        given = _rows.build(target, bare, model)
        scaler = _fitted(plan_, next(m for m in plan_.choice.models if m.name == model.name), rate, vary)
        groups = None if choice.by is None else _labels(target, choice.by)
        try:
            bounds = scaler.transform(given.y_pred, given.lower, given.upper, groups=groups)
        except UccurveError as error:
            text = _rows.translated(str(error), {"groups": choice.by or "", **model.arguments}, target)
            raise DataError(f"{target.name}: {text}") from error
        columns += [pl.Series(name, bound) for name, bound in zip(pair, bounds, strict=True)]
        grouped = choice.by is not None
        records.append(
            {
                "model": model.name,
                "columns": list(pair),
                "fitted_on": plan_.fitting.name,
                "fitted_rows": plan_.fitting.frame.height,
                "parameter": dict(scaler.parameters) if grouped else scaler.parameter,
                **_judged(target, choice, plan_, (given.lower, given.upper), bounds),
            }
        )
    return replace(target, frame=target.frame.with_columns(columns)), records


def sentences(records: Sequence[dict[str, Any]], plan_: Calibration, rate: float, vary: Vary) -> list[str]:
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
    intervals = _rows.build(table, choice, model)
    groups = None if choice.by is None else _labels(table, choice.by)
    return ConformalScaler(miss_rate=rate, vary=vary).fit(intervals, groups=groups)


def _labels(table: Table, column: str) -> np.ndarray:
    """Return labels as text, which means the same in every format."""
    series = table.column(column)
    _rows.refuse_missing(table, column, _rows.missing_labels(series))
    return np.asarray(series.cast(pl.String).to_numpy())


def _bounds(model: Model, models: int, suffix: str) -> tuple[str, str]:
    if model.lower is not None and model.upper is not None:
        return model.lower + suffix, model.upper + suffix
    front = f"{model.name}_" if models > 1 else ""
    return f"{front}lower{suffix}", f"{front}upper{suffix}"


def _check_names(target: Table, models: Sequence[Model], names: list[tuple[str, str]], suffix: str) -> None:
    """Refuse to write over a column that is not a bound of the model itself."""
    new = [name for pair in names for name in pair]
    doubled = next((name for name in new if new.count(name) > 1), None)
    if doubled is not None:
        raise UsageError(
            f"two bounds would be written to the column {doubled!r}: calibrate one model at a time."
        )
    for model, pair in zip(models, names, strict=True):
        taken = [name for name in pair if name in target.frame.columns]
        if taken and (suffix or model.std is not None):
            raise UsageError(
                f"{target.name}: there is a column {taken[0]!r} already: choose another --suffix."
            )


def _judged(
    target: Table, choice: Choice, plan_: Calibration, before: tuple[Any, Any], after: tuple[Any, Any]
) -> dict[str, Any]:
    """Return coverage and bandwidth before and after, on the rows to judge by."""
    rows = plan_.judged
    found: dict[str, Any] = {"judged_on": plan_.judged_on, "judged_rows": int(np.count_nonzero(rows))}
    if choice.y_true is None or not rows.any():
        return found | {"judged_rows": 0}
    y_true = _rows.numbers(target, choice.y_true)[rows]
    for when, (lower, upper) in (("before", before), ("after", after)):
        low, high = np.asarray(lower)[rows], np.asarray(upper)[rows]
        found[f"coverage_{when}"] = float(np.mean((low <= y_true) & (y_true <= high)))
        with np.errstate(over="ignore"):
            found[f"bandwidth_{when}"] = float(np.mean(high / 2 - low / 2))
    return found
