"""``uccurve calibrate``: a file with bounds that keep what they promise."""

import math
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from typing import Annotated, Any

import numpy as np
import polars as pl

from uccurve import ConformalScaler, io
from uccurve._base.arguments import complement, miss_rate_of
from uccurve._base.text import cell, listed, percent
from uccurve._base.type_aliases import Vary as VaryName
from uccurve.cli import console, fitting, inputs
from uccurve.cli.errors import UsageError
from uccurve.cli.fitting import FittingOptions, Plan, Rows
from uccurve.cli.options import (
    DEFAULT_DATA,
    DEFAULT_MESSAGES,
    OUTPUT,
    By,
    ColumnOptions,
    File,
    MessageOptions,
    MissRate,
    Output,
    ReadingOptions,
    Vary,
    option,
    share,
)
from uccurve.columns import ModelColumns
from uccurve.comparison import MOVES
from uccurve.exceptions import InfiniteParameterWarning, UccurveError, UnseenLabelsWarning
from uccurve.inference import share_limits
from uccurve.intervals import group_rows, sort_quantiles

_TARGET = share("Target coverage; default: from column names (Model-lo-80: 80%), else 90%.")
_SUFFIX = option("Add columns with this suffix instead of replacing the bounds.", OUTPUT, "TEXT")
_DEFAULT = 0.9
# Beyond each end of a 95% confidence interval.
_TAIL = 0.025
_ALL, _MOST_SEGMENTS = 100, 10


def calibrate(
    file: File,
    /,
    *,
    output: Output,
    columns: ColumnOptions = DEFAULT_DATA.columns,
    by: By = None,
    reading: ReadingOptions = DEFAULT_DATA.reading,
    vary: Vary = "scale",
    coverage: Annotated[float | None, _TARGET] = None,
    miss_rate: MissRate = None,
    options: FittingOptions = fitting.DEFAULT_FITTING,
    suffix: Annotated[str, _SUFFIX] = "",
    messages: MessageOptions = DEFAULT_MESSAGES,
) -> None:
    """Write the file with recalibrated bounds, by conformal scaling.

    Without --calibration, --fraction and --fit-before, all observed rows are fitted on, and all rows get
    new bounds, also those without an observation yet. Coverage is then measured on the fitting rows, which
    is optimistic. With --time the earlier rows are fitted on, and coverage is that of the later ones; rows
    of one time stay together. With --by each segment is fitted on its own. The coverage holds for new rows
    that are exchangeable with those fitted on.

    New bounds replace those of the same level. If column names tell another level than --coverage, columns
    with the right name are added: Model-lo-90 beside Model-lo-80. Standard deviations stay, and lower and
    upper are added (for several models NAME_lower, NAME_upper and, where needed to detect them, NAME_pred).
    With --vary level the bounds of another level are added: q05_calibrated and q95_calibrated.

    Examples
    --------
      uccurve calibrate forecasts.csv -o calibrated.csv
      uccurve calibrate test.csv --calibration validation.csv -o test-90.csv
      uccurve calibrate f.csv -o f.parquet --fraction 0.5 --coverage 95%
      uccurve calibrate f.csv -o new.csv --by region --suffix _new
      uccurve calibrate hourly.csv -o h.csv --time ds --fit-before 2024-01-20
      uccurve calibrate hourly.csv -o h.csv --time ds --fraction 0.5
      uccurve calibrate forecasts.parquet -o levels.csv --vary level
    """
    is_given = coverage is not None or miss_rate is not None
    target = complement(miss_rate_of(coverage, miss_rate)) if is_given else None
    output = "-" if output == io.STDIN else output
    fitting.check_fitting(options)
    io.check_output(output)
    if output == "-" and messages.json:
        raise UsageError("--json and --output - both write to standard output.")
    if columns.sample_weight is not None:
        raise UsageError("--sample-weight: calibrated bounds are for rows that all count the same.")
    rows = fitting.load_rows(file, columns, reading, by=by, vary=vary, observed=options.calibration is None)
    plan = fitting.plan_fit(rows, options, columns, reading, vary)
    targets = [_claimed_coverage(model) if target is None else target for model in rows.choice.models]
    pairs = _name_bounds(rows, targets, suffix or ("_calibrated" if vary == "level" else ""))
    new: list[pl.Series] = []
    records, caught = [], []
    for model, aim, pair in zip(rows.choice.models, targets, pairs, strict=True):
        scaler = ConformalScaler(aim, vary=vary, unseen=options.unseen)
        lower, upper, told = _fit_and_move(scaler, rows, plan, model)
        side = rows.intervals[model.name].side
        bounds = {"both": (lower, upper), "lower": (lower,), "upper": (upper,)}[side]
        new += _copy_prediction(rows, model, pair)
        new += [pl.Series(name, bound) for name, bound in zip(pair, bounds, strict=True)]
        caught += [f"{model.name}: {text}" if len(pairs) > 1 else text for text in told]
        measured = _measure(scaler, rows, plan, model, lower, upper)
        records.append({"model": model.name, "columns": pair, "side": side, **measured})
    io.write(fitting.add_columns(rows.table, new), output, measured=rows.choice.measured)
    caught += inputs.find_warnings(min(record["fitted_rows"] for record in records))
    notes = [*rows.choice.notes, *rows.notes, *plan.notes, *_explain_levels(rows, records, vary, target)]
    if messages.chatty:
        with redirect_stdout(sys.stderr if output == "-" else sys.stdout):
            _print_records(records, file, vary)
    if output == "-":
        console.print_notes(caught, messages, "warning")
        console.print_notes(notes, messages)
        return
    one = targets[0] if len(set(targets)) == 1 else None
    about = {"file": file, "coverage": one, "miss_rate": None if one is None else complement(one)}
    console.finish(output, messages, {**about, "models": records, "warnings": caught, "notes": notes})


# -- the new columns --------------------------------------------------------------------------------


def _claimed_coverage(model: ModelColumns) -> float:
    """Return the coverage that the names of a model's bounds tell, 0.8 of Model-lo-80, or the default."""
    return _DEFAULT if model.nominal is None else round(model.nominal, 11)


def _bounds_at(model: ModelColumns, coverage: float) -> tuple[str, str] | None:
    """Return the names of a model's bounds for a coverage, if its bounds' names tell a level."""
    return model.bounds_at(round(_ALL * coverage, 9))


def _name_bounds(rows: Rows, targets: Sequence[float], suffix: str) -> list[tuple[str, ...]]:
    """Return the columns of the new bounds of each model, of a limit one; refuse to write over others."""
    every: list[tuple[str, ...]] = []
    taken = set(rows.table.columns)
    for model, coverage in zip(rows.choice.models, targets, strict=True):
        own = tuple(name for name in (model.lower, model.upper) if name is not None)
        front = f"{model.name}_" if len(targets) > 1 else ""
        pair = _bounds_at(model, coverage) or own or (f"{front}lower", f"{front}upper")
        every.append(tuple(name + suffix for name in pair))
        if over := [name for name in every[-1] if name in taken.difference(own)]:
            choose = "choose another --suffix" + (
                ", or another --nominal to start from" if model.level else ""
            )
            raise UsageError(f"{rows.table.name}: there is a column {over[0]!r} already: {choose}.")
        taken |= set(every[-1])
    return every


def _copy_prediction(rows: Rows, model: ModelColumns, pair: Sequence[str]) -> list[pl.Series]:
    """Repeat predictions as NAME_pred beside NAME_lower and NAME_upper, if commands would not detect them."""
    copy, y_pred = f"{model.name}_pred", model.y_pred or model.name
    if pair[0] != f"{model.name}_lower" or y_pred == model.name or model.std is None:
        return []
    is_there = copy in rows.table.columns
    return [] if is_there else [rows.table.frame.get_column(y_pred).to_native().alias(copy)]


def _fit_and_move(
    scaler: ConformalScaler, rows: Rows, plan: Plan, model: ModelColumns
) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """Return the new bounds of all rows, and what the scaler warns of."""
    given, quantiles = rows.intervals[model.name], list(model.quantiles.values())
    arrays: dict[str, Any] = {"lower": given.lower, "upper": given.upper, "y_pred": given.y_pred}
    if quantiles:  # in order, or they would have been refused
        table = np.stack([rows.table.numbers(name) for name in quantiles], axis=1)
        arrays = {"quantiles": sort_quantiles(table)[0], "levels": tuple(model.quantiles)}
    with warnings.catch_warnings(record=True) as caught:
        for category in (InfiniteParameterWarning, UnseenLabelsWarning):
            warnings.simplefilter("always", category)
        plan.fit(scaler, model, rows.table.name)
        try:
            lower, upper = scaler.transform(**arrays, by=rows.labels)
        except UccurveError as error:
            argument = "quantiles" if error.argument == "levels" else error.argument
            columns = {"by": rows.choice.by or "", **model.arguments}
            raise rows.table.about(error, argument=argument, model=model.name, columns=columns) from error
    return np.asarray(lower), np.asarray(upper), [str(warning.message) for warning in caught]


# -- what came of it --------------------------------------------------------------------------------


def _measure(
    scaler: ConformalScaler,
    rows: Rows,
    plan: Plan,
    model: ModelColumns,
    new_lower: np.ndarray,
    new_upper: np.ndarray,
) -> dict[str, Any]:
    """Return what was fitted, and coverage and half-width before and after, of all rows and of segments."""
    fit, given, y_true = scaler.fitted_, rows.intervals[model.name], rows.y_true
    by_row = {}
    for when, lower, upper in (("before", given.lower, given.upper), ("after", new_lower, new_upper)):
        width = {"both": (upper - lower) / 2, "lower": given.y_pred - lower, "upper": upper - given.y_pred}
        by_row[f"coverage_{when}"] = (lower <= y_true) & (y_true <= upper)
        by_row[f"bandwidth_{when}"] = width[given.side]

    def describe(part: np.ndarray, parameter: float) -> dict[str, Any]:
        part = part[plan.judged[part]]
        means = {
            name: float(values[part].mean()) if part.size else math.nan for name, values in by_row.items()
        }
        hits = np.count_nonzero(by_row["coverage_after"][part], keepdims=True)
        low, high = (float(limit[0]) for limit in share_limits(hits, part.size - hits, _TAIL))
        fitted = {"parameter": parameter, "nominal": fit.nominal(parameter), "judged_rows": part.size}
        return {**fitted, **means, "confidence_interval": {"low": low, "high": high}}

    record = {
        "coverage": float(fit.coverage),
        "miss_rate": complement(float(fit.coverage)),
        "fitted_on": plan.source,
        "fitted_rows": fit.counts[None],
        "fitted_until": plan.fitted_until,
        "judged_on": plan.judged_on,
        "judged_from": plan.judged_from,
        **describe(np.arange(y_true.size), fit.pooled),
        "segments": [],
    }
    if rows.labels is None or fit.by_label is None:
        return record
    for label, part in group_rows(rows.labels, y_true.size).items():
        parameter = fit.by_label.get(label, fit.pooled)
        record["segments"].append({"segment": label, **describe(part, parameter)})
    record["segments"].sort(key=_rank)
    return {**record, "parameter": scaler.parameters_, "nominal": scaler.nominals_}


def _rank(line: Mapping[str, Any]) -> tuple[bool, float]:
    """Return a sort key: the lowest coverage first, and what was not measured last."""
    return math.isnan(line["coverage_after"]), line["coverage_after"]


def _explain_levels(
    rows: Rows, records: Sequence[Mapping[str, Any]], vary: VaryName, target: float | None
) -> Iterator[str]:
    """Say which target comes from the names of columns, and where bounds for another one are."""
    for model, record in zip(rows.choice.models, records, strict=True):
        coverage, columns = record["coverage"], record["columns"]
        words = f"{_ALL * coverage:.12g}% coverage"
        if target is None and coverage != _DEFAULT:
            yield f"{model.name}: {words}, from {model.lower!r}; --coverage chooses another."
        if model.level and (vary == "level" or _bounds_at(model, coverage) != (model.lower, model.upper)):
            stay = f"{model.lower!r} and {model.upper!r}" if vary != "level" else "the columns of the file"
            where = f"the bounds for {words} are in {columns[0]!r} and {columns[1]!r}"
            yield f"{model.name}: {where}; {stay} stay as they are."


def _print_records(records: Sequence[dict[str, Any]], file: str, vary: VaryName) -> None:
    """Print one row for each model or, with segments, for each segment, the lowest coverage first."""
    segments = sorted(({**one, **part} for one in records for part in one["segments"]), key=_rank)
    lines, more = segments[:_MOST_SEGMENTS] or records, segments[_MOST_SEGMENTS:]
    width = "half-width" if all(one["side"] == "both" for one in records) else "distance"
    columns = {
        "segment": [line.get("segment") for line in lines],
        "model": [line["model"] for line in lines],
        "rows": [f"{line['judged_rows']:,}" for line in lines],
        MOVES[vary]: [_describe_parameter(line, vary) for line in lines],
        "coverage": [
            f"{percent(line['coverage_before'])} → {percent(line['coverage_after'])}" for line in lines
        ],
        "95% CI": [
            f"{_ALL * interval['low']:.1f}–{percent(interval['high'])}"
            for interval in (line["confidence_interval"] for line in lines)
        ],
        width: [f"{cell(line['bandwidth_before'])} → {cell(line['bandwidth_after'])}" for line in lines],
    }
    left_out = set() if segments else {"segment", "rows", "95% CI"}
    if not records[0]["judged_rows"]:
        left_out |= {"coverage", "95% CI", width}
    shown = {name: cells for name, cells in columns.items() if name not in left_out}
    console.print_table(shown, names=2 if segments else 1, title=_describe(records, file))
    if more:
        console.print_text(f"and {len(more):,} more, from {percent(more[0]['coverage_after'])} on.")


def _describe_parameter(line: Mapping[str, Any], vary: VaryName) -> str:
    """Show what bands are moved by; a level in percent or, beyond the widest, how much that is widened."""
    if vary == "level" and line["nominal"] is not None:
        return f"{_ALL * line['nominal']:.4g}%"
    return f"{'widest × ' if vary == 'level' else ''}{cell(line['parameter'])}"


def _describe(records: Sequence[Mapping[str, Any]], file: str) -> str:
    """Say which rows were fitted on, and which ones coverage was measured on."""
    first = records[0]
    targets = listed(
        [f"{_ALL * coverage:.12g}%" for coverage in sorted({one["coverage"] for one in records})]
    )
    until = f" up to {first['fitted_until']}" if first["fitted_until"] else ""
    fitted = f"Calibrated to {targets} on {_count(first['fitted_rows'])} of {first['fitted_on']}{until}"
    if not first["judged_rows"]:
        return f"{fitted}; coverage is not measured: no other row is observed."
    if first["judged_on"] == fitting.FITTING_ROWS:
        return f"{fitted}; measured on the {first['judged_on']}."
    if first["fitted_on"] != file:
        return f"{fitted}; measured on {_count(first['judged_rows'])} of {file}."
    since = first["judged_from"]
    others = _count(first["judged_rows"], "later " if since else "other ")
    return f"{fitted}; measured on the {others}{f' from {since} on' if since else ''}."


def _count(rows: int, kind: str = "") -> str:
    return f"{rows:,} {kind}row{'' if rows == 1 else 's'}"
