"""Recalibrated bounds: fitted on observed rows, written to all of them."""

from __future__ import annotations

import warnings
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

import uccurve
from uccurve._base.arguments import complement
from uccurve.cli import _bound_names, _file_rows
from uccurve.cli._errors import DataError, as_option
from uccurve.cli._fitting_source import FittedRows, text_labels
from uccurve.cli._group_coverage import group_coverages
from uccurve.cli._nested_columns import read_nested
from uccurve.exceptions import InfiniteParameterWarning, UccurveError, UnseenLabelsWarning
from uccurve.formulas import costs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from uccurve._base.type_aliases import Invalid, Side, Vary
    from uccurve.calibration import Unseen
    from uccurve.cli._fitting_source import FittingSource
    from uccurve.cli._group_coverage import GroupCoverage
    from uccurve.cli._input_files import FileTable
    from uccurve.cli._time_split import TimeSplit
    from uccurve.columns import ColumnChoice, ModelColumns

FITTING_ROWS = "fitting rows: optimistic"
"""What the rows are that coverage is measured on, if nothing else is at hand."""
_OTHER_ROWS = "rows not used for fitting"


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class CalibrationPlan:
    """The rows to fit on, and the rows to judge the result by."""

    fitting: FittingSource
    judged: np.ndarray
    """Which rows of the target are judged, shape (n,)."""
    judged_on: str
    """What these rows are, in words."""
    note: str | None = None
    """How the rows were split, where times split them."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Judgment:
    """Coverage and bandwidth of bounds, on the rows to judge by."""

    coverage: float
    bandwidth: float


@dataclass(frozen=True, kw_only=True, slots=True)
class CalibratedModel:
    """What was done to the bounds of one model, and what came of it."""

    model: str
    columns: tuple[str, ...]
    """The columns of the new bounds."""
    side: Side
    miss_rate: float
    fitted_on: str
    """The file that was fitted on."""
    fitted_rows: int
    parameter: float | dict[Any, float]
    """What bands were multiplied by, or widened by; by label where segments were fitted on their own."""
    nominal: float | dict[Any, float | None] | None
    """With --vary level: the level that was taken instead; None beyond the widest."""
    judged_on: str
    judged_rows: int
    before: Judgment | None
    after: Judgment | None
    groups: tuple[GroupCoverage, ...] = ()
    """Coverage of each segment on the rows to judge by, the lowest first."""
    warnings: tuple[str, ...] = ()
    """Sentences about infinite bounds and unseen segments."""

    def document(self) -> dict[str, Any]:
        """Return the record for a JSON document."""
        document: dict[str, Any] = {
            "model": self.model,
            "columns": list(self.columns),
            "side": self.side,
            "miss_rate": self.miss_rate,
            "coverage": complement(self.miss_rate),
            "fitted_on": self.fitted_on,
            "fitted_rows": self.fitted_rows,
            "parameter": self.parameter,
            "nominal": self.nominal,
            "judged_on": self.judged_on,
            "judged_rows": self.judged_rows,
        }
        for when, judgment in (("before", self.before), ("after", self.after)):
            if judgment is not None:
                document[f"coverage_{when}"] = judgment.coverage
                document[f"bandwidth_{when}"] = judgment.bandwidth
        if self.groups:
            document["segments"] = [group.document() for group in self.groups]
        return document


def usable(table: FileTable, choice: ColumnChoice, invalid: Invalid) -> tuple[FileTable, tuple[str, ...]]:
    """Return the rows to work on, and notes about those that were dropped or swapped."""
    if invalid == "raise":
        return table, tuple(_file_rows.swapped_notes(table, choice))
    loaded = _file_rows.load(table, choice, invalid)
    return loaded.table, loaded.notes


def plan(
    target: FileTable,
    choice: ColumnChoice,
    other: FittingSource | None,
    fraction: float | None,
    seed: int,
    split: TimeSplit | None = None,
) -> CalibrationPlan:
    """Decide what is fitted on what: another file, the earlier or a random part of the rows, or all."""
    n = target.frame.height
    values = np.full(n, np.nan) if choice.y_true is None else _file_rows.numbers(target, choice.y_true)
    observed = ~np.isnan(values)
    if other is not None:
        same = isinstance(other, FittedRows) and other.are_rows_of(target, choice, observed)
        return CalibrationPlan(
            fitting=other, judged=observed, judged_on=FITTING_ROWS if same else _OTHER_ROWS
        )
    if not observed.any():
        raise DataError(
            f"{target.name}: column {choice.y_true!r} has no value to fit on: "
            "give observed rows with --calibration."
        )
    if split is not None:
        fitted, note = split.earlier(target, observed)
        return CalibrationPlan(
            fitting=FittedRows(target.keep(fitted), choice),
            judged=observed & ~fitted,
            judged_on=f"later {_OTHER_ROWS}",
            note=note,
        )
    if fraction is None:
        fitting = FittedRows(target.keep(observed), choice)
        return CalibrationPlan(fitting=fitting, judged=observed, judged_on=FITTING_ROWS)
    rows = np.random.default_rng(seed).permutation(np.flatnonzero(observed))
    fitted = np.zeros(n, dtype=bool)
    fitted[rows[: max(1, round(fraction * rows.size))]] = True
    fitting = FittedRows(target.keep(fitted), choice)
    return CalibrationPlan(fitting=fitting, judged=observed & ~fitted, judged_on=_OTHER_ROWS)


def calibrate(
    target: FileTable,
    choice: ColumnChoice,
    plan_: CalibrationPlan,
    miss_rate: float | None,
    vary: Vary,
    suffix: str,
    unseen: Unseen,
) -> tuple[FileTable, list[CalibratedModel]]:
    """Return the table with new bounds, and what was done to each model.

    Without a miss rate, each model gets the one that the names of its bounds tell.
    """
    rates = [_bound_names.rate_of(model) if miss_rate is None else miss_rate for model in choice.models]
    pairs = _bound_names.bound_columns(target, choice.models, rates, suffix)
    labels = None if choice.by is None else text_labels(target, choice.by)
    columns, calibrated = [], []
    for model, rate, pair in zip(choice.models, rates, pairs, strict=True):
        given = _file_rows.build(target, replace(choice, y_true=None), model)
        scaler = uccurve.ConformalScaler(miss_rate=rate, vary=vary, unseen=unseen)
        with _collected_warnings() as told:
            fitted_rows = plan_.fitting.fit(scaler, model, target)
            try:
                bounds = _moved(scaler, target, model, given, labels)
            except UccurveError as error:
                about = error.replaced(columns={"by": choice.by or "", **model.arguments})
                text = about.sentence(naming=partial(_naming, model.name), place=target.position)
                raise DataError(f"{target.name}: {text}") from error
        columns += _bound_names.copied_predictions(target, model, pair)
        columns += [pl.Series(name, bound) for name, bound in zip(pair, _written(given, bounds), strict=True)]
        calibrated.append(
            CalibratedModel(
                model=model.name,
                columns=pair,
                side=given.side,
                miss_rate=rate,
                fitted_on=plan_.fitting.name,
                fitted_rows=fitted_rows,
                parameter=scaler.parameter_ if labels is None else scaler.parameters_,
                nominal=scaler.nominal_ if labels is None else scaler.nominals_,
                judged_on=plan_.judged_on,
                judged_rows=int(np.count_nonzero(plan_.judged)),
                before=_judged(target, choice, plan_.judged, given, (given.lower, given.upper)),
                after=_judged(target, choice, plan_.judged, given, bounds),
                groups=_by_group(target, choice, plan_.judged, labels, (given.lower, given.upper), bounds),
                warnings=tuple(str(warning.message) for warning in told),
            )
        )
    return replace(target, frame=target.frame.with_columns(columns)), calibrated


@contextmanager
def _collected_warnings() -> Iterator[list[warnings.WarningMessage]]:
    """Collect what a scaler warns of, which becomes notes."""
    with warnings.catch_warnings(record=True) as told:
        for category in (InfiniteParameterWarning, UnseenLabelsWarning):
            warnings.simplefilter("always", category)
        yield told


def _naming(model: str, name: str, *value: object) -> str:
    """Name an argument of the scaler that is fitted to a model."""
    return f"the columns of {model}" if name == "levels" else as_option(name, *value)


def _moved(
    scaler: uccurve.ConformalScaler,
    target: FileTable,
    model: ModelColumns,
    given: uccurve.Intervals,
    labels: np.ndarray | None,
) -> tuple[Any, Any]:
    """Return the new bounds of all rows: bands moved, or other levels of the quantiles taken."""
    if scaler.vary != "level":
        return scaler.transform(lower=given.lower, upper=given.upper, y_pred=given.y_pred, by=labels)
    quantiles = read_nested(target, model, partial(_file_rows.numbers, target))
    return scaler.transform(quantiles=quantiles.values, levels=tuple(model.quantiles), by=labels)


def _written(given: uccurve.Intervals, bounds: tuple[Any, Any]) -> tuple[Any, ...]:
    """Return the new bounds that are written: both, or that of a one-sided limit."""
    return bounds if given.side == "both" else (bounds[given.side == "upper"],)


def _judged(
    target: FileTable,
    choice: ColumnChoice,
    rows: np.ndarray,
    given: uccurve.Intervals,
    bounds: tuple[Any, Any],
) -> Judgment | None:
    """Return coverage and bandwidth on the rows to judge by; None where there are none."""
    if choice.y_true is None or not rows.any():
        return None
    y_true = _file_rows.numbers(target, choice.y_true)[rows]
    lower, upper = (np.asarray(bound)[rows] for bound in bounds)
    if given.side != "both":
        (limit,) = _written(given, (lower, upper))
        distance = float(np.mean(np.abs(limit - np.asarray(given.y_pred)[rows])))
        return Judgment(coverage=float(uccurve.coverage(y_true, lower, upper)), bandwidth=distance)
    bandwidth = float(np.mean(costs.half_width(lower, upper)))
    return Judgment(coverage=float(uccurve.coverage(y_true, lower, upper)), bandwidth=bandwidth)


def _by_group(
    target: FileTable,
    choice: ColumnChoice,
    rows: np.ndarray,
    labels: np.ndarray | None,
    before: tuple[Any, Any],
    after: tuple[Any, Any],
) -> tuple[GroupCoverage, ...]:
    """Return the coverage of each segment on the rows to judge by; none without segments, or such rows."""
    if choice.y_true is None or labels is None:
        return ()
    y_true = _file_rows.numbers(target, choice.y_true)[rows]
    old, new = ((np.asarray(lower)[rows], np.asarray(upper)[rows]) for lower, upper in (before, after))
    return group_coverages(labels[rows], y_true, old, new)
