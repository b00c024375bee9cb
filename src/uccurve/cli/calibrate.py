"""``uccurve calibrate``: a file with bounds that keep what they promise."""

import math
import sys
import warnings
from collections.abc import Hashable, Iterator, Sequence
from contextlib import redirect_stdout
from typing import Annotated, Any

import numpy as np
import polars as pl

from uccurve import io
from uccurve._base.arguments import complement, miss_rate_of
from uccurve._base.text import align_numbers, listed, percent
from uccurve._base.type_aliases import Vary
from uccurve.calibration import ConformalScaler
from uccurve.cli import console, fitting, inputs, options
from uccurve.cli.errors import UsageError
from uccurve.cli.fitting import FITTING_ROWS, FittingOptions, Plan, Rows
from uccurve.columns import ModelColumns
from uccurve.comparison import tables
from uccurve.exceptions import InfiniteParameterWarning, UccurveError, UnseenLabelsWarning
from uccurve.inference import share_limits
from uccurve.intervals import group_rows, sort_quantiles

_TARGET = options.share("Target coverage; default: from column names (Model-lo-80: 80%), else 90%.")
_SUFFIX = options.repeatable(
    "Add columns of this suffix; default: replace the bounds.", options.OUTPUT, "TEXT"
)
_DEFAULT = 0.9
# Beyond each end of a 95% confidence interval.
_TAIL = 0.025
_ALL, _MOST_SEGMENTS = 100, 10

# What one model or one segment gets, as in the JSON document.
Record = dict[str, Any]


def calibrate(
    file: options.File,
    /,
    *,
    output: options.Output,
    columns: options.ColumnOptions = options.DEFAULT_DATA.columns,
    by: options.FitBy = None,
    reading: options.ReadingOptions = options.DEFAULT_DATA.reading,
    vary: options.Vary = "scale",
    coverage: Annotated[float | None, _TARGET] = None,
    miss_rate: options.MissRate = None,
    split: FittingOptions = fitting.DEFAULT_FITTING,
    suffix: Annotated[str, _SUFFIX] = "",
    messages: options.MessageOptions = options.DEFAULT_MESSAGES,
) -> None:
    """Write the file with recalibrated bounds, by conformal scaling.

    All rows get new bounds, even those without an observation. By default, all observed rows are used for
    fitting, and coverage is measured on the same rows: optimistic. With --calibration, --fraction or
    --fit-before, it is measured on other rows. With --by, each segment is fitted on its own. The coverage
    is promised for new rows that are exchangeable with the fitting rows.

    New bounds replace those of the same level. If column names state a level other than --coverage, columns
    with the right names are added: Model-lo-90 beside Model-lo-80. Standard deviations stay, and lower and
    upper are added, or NAME_lower and NAME_upper for several models. With --vary level, q05_calibrated and
    q95_calibrated are added.

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
    split.check()
    io.check_output(output)
    if output == "-" and messages.json:
        raise UsageError("--json and --output - both write to standard output.")
    if columns.sample_weight is not None:
        raise UsageError("--sample-weight: calibration weighs all rows equally.")
    data = options.DataOptions(columns=columns, reading=reading)
    rows = fitting.load_rows(file, data, by, vary, observed=split.calibration is None)
    plan = fitting.plan_fit(rows, split, data, vary)
    targets = [target or _claimed_coverage(one, data.columns.nominal) for one in rows.choice.models]
    pairs = _name_bounds(rows, targets, suffix or ("_calibrated" if vary == "level" else ""))
    new: list[pl.Series] = []
    records, warned = [], []
    for model, aim, pair in zip(rows.choice.models, targets, pairs, strict=True):
        scaler = ConformalScaler(aim, vary=vary, unseen=split.unseen)
        moved, caught = _fit_and_move(scaler, rows, plan, model)
        record = {"model": model.name, "columns": pair, **_measure(scaler, rows, plan, model.name, moved)}
        bounds = {"both": moved, "lower": moved[:1], "upper": moved[1:]}[record["side"]]
        new += _copy_prediction(rows, model, pair)
        new += [pl.Series(name, bound) for name, bound in zip(pair, bounds, strict=True)]
        warned += [f"{model.name}: {text}" if len(pairs) > 1 else text for text in caught]
        records.append(record)
    io.write(fitting.add_columns(rows.table, new), output, measured=rows.choice.measured)
    warned += inputs.find_warnings(min(record["fitted_rows"] for record in records))
    notes = [*rows.choice.notes, *rows.notes, *plan.notes, *_explain_levels(rows, records, vary, target)]
    if messages.chatty:
        with redirect_stdout(sys.stderr if output == "-" else sys.stdout):
            _print_records(records, vary)
    console.finish(output, messages, {"file": file, "models": records, "warnings": warned, "notes": notes})


# -- the new columns --------------------------------------------------------------------------------


def _claimed_coverage(model: ModelColumns, nominal: float | None) -> float:
    """Return the coverage that the names of a model's bounds tell, 0.8 of Model-lo-80, or the default."""
    claim = model.nominal or nominal
    return _DEFAULT if claim is None else round(claim, 11)


def _bounds_at(model: ModelColumns, coverage: float) -> tuple[str, str] | None:
    """Return the names of a model's bounds for a coverage, if its bounds' names tell a level."""
    return model.bounds_at(round(_ALL * coverage, 9))


def _name_bounds(rows: Rows, targets: Sequence[float], suffix: str) -> list[tuple[str, ...]]:
    """Return the columns of the new bounds of each model, of a limit one; refuse to write over others."""
    every: list[tuple[str, ...]] = []
    written: set[str] = set()
    for model, coverage in zip(rows.choice.models, targets, strict=True):
        own = tuple(name for name in (model.lower, model.upper) if name is not None)
        front = f"{model.name}_" if len(targets) > 1 else ""
        pair = _bounds_at(model, coverage) or own or (f"{front}lower", f"{front}upper")
        every.append(tuple(name + suffix for name in pair))
        present = set(rows.table.columns).difference(own) | written
        if over := [name for name in every[-1] if name in present]:
            choose = "choose another --suffix or --nominal, or calibrate one model at a time"
            raise UsageError(f"{rows.table.name}: there is a column {over[0]!r} already: {choose}.")
        written |= set(every[-1])
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
) -> tuple[tuple[Any, Any], list[str]]:
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
            moved = scaler.transform(**arrays, by=rows.labels)
        except UccurveError as error:
            argument = "quantiles" if error.argument == "levels" else error.argument
            columns = {"by": rows.choice.by or "", **model.arguments}
            raise rows.table.about(error, argument=argument, model=model.name, columns=columns) from error
    return moved, [str(warning.message) for warning in caught]


# -- what came of it --------------------------------------------------------------------------------


def _measure(scaler: ConformalScaler, rows: Rows, plan: Plan, model: str, moved: tuple[Any, Any]) -> Record:
    """Return what was fitted, and coverage and half-width before and after, of all rows and of segments."""
    fit, given, y_true = scaler.fitted_, rows.intervals[model], rows.y_true
    by_row = {}
    for when, (lower, upper) in (("before", (given.lower, given.upper)), ("after", moved)):
        width = {"both": (upper - lower) / 2, "lower": given.y_pred - lower, "upper": upper - given.y_pred}
        by_row[f"coverage_{when}"] = (lower <= y_true) & (y_true <= upper)
        by_row[f"bandwidth_{when}"] = width[given.side]

    def describe(part: np.ndarray, parameter: float, label: Hashable | None = None) -> Record:
        part = part[plan.judged[part]]
        means = {name: float(row[part].mean()) if part.size else math.nan for name, row in by_row.items()}
        hits = np.count_nonzero(by_row["coverage_after"][part], keepdims=True)
        low, high = (float(limit[0]) for limit in share_limits(hits, part.size - hits, _TAIL))
        fitted = {"parameter": parameter, "nominal": fit.nominal(parameter)}
        rows = {"fitted_rows": fit.counts.get(label, 0), "judged_rows": part.size}
        return {**fitted, **rows, **means, "confidence_interval": {"low": low, "high": high}}

    coverage = float(fit.coverage)
    about = {"side": given.side, "coverage": coverage, "miss_rate": complement(coverage)}
    source = {"fitted_on": plan.source, "fitted_until": plan.fitted_until}
    judged = {"judged_on": plan.judged_on, "judged_from": plan.judged_from}
    every = describe(np.arange(y_true.size), fit.pooled)
    record = {**about, **source, **judged, **every, "segments": []}
    if rows.labels is None or fit.by_label is None:
        return record
    for label, part in group_rows(rows.labels, y_true.size).items():
        segment = describe(part, fit.by_label.get(label, fit.pooled), label)
        record["segments"].append({"segment": label, **segment})
    record["segments"].sort(key=_rank)
    return {**record, "parameter": scaler.parameters_, "nominal": scaler.nominals_}


def _rank(record: Record) -> tuple[bool, float]:
    """Return a sort key: the lowest coverage first, and what was not measured last."""
    return math.isnan(record["coverage_after"]), record["coverage_after"]


def _explain_levels(rows: Rows, records: Sequence[Record], vary: Vary, target: float | None) -> Iterator[str]:
    """Say which target comes from the names of columns, and where bounds for another one are."""
    for model, record in zip(rows.choice.models, records, strict=True):
        coverage, columns = record["coverage"], record["columns"]
        words = f"{_ALL * coverage:.12g}% coverage"
        if target is None and coverage != _DEFAULT:
            yield f"{model.name}: {words}, as {model.lower!r} claims; --coverage chooses another."
        if model.level and (vary == "level" or _bounds_at(model, coverage) != (model.lower, model.upper)):
            where = f"the bounds for {words} are in {columns[0]!r} and {columns[1]!r}"
            yield f"{model.name}: {where}; {model.lower!r} and {model.upper!r} stay as they are."


def _print_records(records: Sequence[Record], vary: Vary) -> None:
    """Print one row for each model or, with segments, for each segment, the lowest coverage first."""
    segments = sorted(({**one, **part} for one in records for part in one["segments"]), key=_rank)
    shown, more = segments[:_MOST_SEGMENTS] or records, segments[_MOST_SEGMENTS:]
    width = "half-width" if all(one["side"] == "both" for one in records) else "distance"
    counted = "judged_rows" if records[0]["judged_rows"] else "fitted_rows"
    left_out = [] if segments else ["segment", "rows", "95% CI"]
    left_out += [] if records[0]["judged_rows"] else ["coverage", "95% CI", width]
    columns: dict[str, list[str]] = {}
    before, after, moves = (
        align_numbers([one[name] for one in shown])
        for name in ("bandwidth_before", "bandwidth_after", "parameter")
    )
    for place, one in enumerate(shown):
        low, high = (_ALL * one["confidence_interval"][end] for end in ("low", "high"))
        cells = {
            "segment": str(one.get("segment")),
            "model": one["model"],
            "rows": f"{one[counted]:,}",
            tables.MOVES[vary]: _show_parameter(one, vary, moves[place]),
            "coverage": f"{percent(one['coverage_before'])} → {percent(one['coverage_after'])}",
            "95% CI": f"{low:.1f}–{high:.1f}%",
            width: f"{before[place]} → {after[place]}",
        }
        for name, text in cells.items():
            if name not in left_out:
                columns.setdefault(name, []).append(text)
    console.print_table(columns, names=2 if segments else 1, title=_describe(records))
    if more:
        least = more[0]["coverage_after"]
        rest = "; --json has them" if math.isnan(least) else f", which cover {percent(least)} or more"
        console.print_text(f"And {len(more):,} more{rest}.")


def _show_parameter(record: Record, vary: Vary, parameter: str) -> str:
    """Show what bands are moved by; a level in percent or, beyond the widest, how much that is widened."""
    if vary == "level" and record["nominal"] is not None:
        return f"{_ALL * record['nominal']:.4g}%"
    return f"{'widest × ' if vary == 'level' else ''}{parameter}"


def _describe(records: Sequence[Record]) -> str:
    """Say which rows were fitted on, and which ones coverage was measured on."""
    first = records[0]
    targets = listed([f"{_ALL * target:.12g}%" for target in sorted({one["coverage"] for one in records})])
    rows = _count(first["fitted_rows"], f"rows of {first['fitted_on']}")
    until = f" up to {first['fitted_until']}" if first["fitted_until"] else ""
    fitted = f"Calibrated to {targets} on {rows}{until}"
    if not first["judged_rows"]:
        return f"{fitted}; coverage is not measured: no other row is observed."
    is_other = first["judged_on"] != FITTING_ROWS
    judged = _count(first["judged_rows"], first["judged_on"]) if is_other else first["judged_on"]
    since = f", from {first['judged_from']} on" if first["judged_from"] else ""
    return f"{fitted}; measured on the {judged}{since}."


def _count(number: int, rows: str) -> str:
    """Count rows, of which there may be one."""
    return f"{number:,} {rows.replace('rows', 'row', 1) if number == 1 else rows}"
