"""``uccurve calibrate``: a file with bounds that keep what they promise."""

from dataclasses import replace
from typing import Annotated, Literal

from uccurve._base.arguments import complement
from uccurve.cli import _calibrated_table, _input_files, _output_files, _terminal
from uccurve.cli._calibration_notes import level_notes, result_notes
from uccurve.cli._column_options import choose_columns
from uccurve.cli._errors import DataError, UsageError
from uccurve.cli._fitting_source import FittedRows, FittingSource, sketched_source
from uccurve.cli._loaded_models import model_column
from uccurve.cli._options import (
    COLUMNS,
    DEFAULT_COLUMNS,
    DEFAULT_MESSAGES,
    DEFAULT_READING,
    METHOD,
    OUTPUT,
    ColumnOptions,
    File,
    MessageOptions,
    MissRate,
    Output,
    ReadingOptions,
    Seed,
    coverage_share,
    option,
    rate,
)
from uccurve.cli._sketch_input import is_sketch
from uccurve.cli._target_coverage import given_rate
from uccurve.cli._time_split import TimeSplit


def calibrate(
    file: File,
    /,
    *,
    output: Output,
    columns: ColumnOptions = DEFAULT_COLUMNS,
    by: Annotated[
        str | None,
        option("Segments; each is fitted on its own rows and gets its own bounds.", COLUMNS, "COL"),
    ] = None,
    reading: ReadingOptions = DEFAULT_READING,
    vary: Annotated[
        Literal["scale", "shift", "level"],
        option("Multiply bands, add to them, or take another level: adds columns."),
    ] = "scale",
    coverage: Annotated[
        float | None,
        option(
            "Target coverage; default: from column names (Model-lo-80: 0.8), else 0.9.",
            METHOD,
            "SHARE",
            coverage_share,
        ),
    ] = None,
    miss_rate: MissRate = None,
    calibration: Annotated[
        str | None, option("Fit on the rows of this file, or on sketches (.ucc).", METHOD, "FILE")
    ] = None,
    fraction: Annotated[
        float | None,
        option(
            "Fit on this share of the observed rows, drawn at random; with --time, on the earliest.",
            METHOD,
            "PART",
            rate,
        ),
    ] = None,
    time: Annotated[str | None, option("Times, to fit on the earlier rows.", COLUMNS, "COL")] = None,
    fit_before: Annotated[
        str | None,
        option("With --time: fit on the observed rows before this time, such as 2024-01-31.", METHOD, "TIME"),
    ] = None,
    seed: Seed = 0,
    unseen: Annotated[
        Literal["raise", "pooled"],
        option("Refuse segments without rows to fit on, or fit them on all rows.", METHOD, "WAY"),
    ] = "raise",
    suffix: Annotated[
        str, option("Add columns with this suffix instead of replacing the bounds.", OUTPUT, "TEXT")
    ] = "",
    messages: MessageOptions = DEFAULT_MESSAGES,
) -> None:
    """Write the file with recalibrated bounds, by conformal scaling."""
    asked_rate = given_rate(coverage, miss_rate)
    split = _time_split(time, fit_before, fraction, calibration)
    suffix = suffix or ("_calibrated" if vary == "level" else "")
    if output not in _output_files.PIPES:
        _output_files.checked_suffix(output, _input_files.FORMATS)
    elif messages.json:
        raise UsageError("--json and --output - both write to standard output.")
    target = _input_files.read(file, reading)
    choice = choose_columns(
        target.frame.columns, columns, file, by=by, observed=calibration is None, vary=vary
    )
    long = model_column(target, choice)
    if long is not None:
        raise DataError(
            f"{file}: column {long!r} names several models, which would be fitted together: "
            f"add --by {long} to fit each on its own rows."
        )
    notes = [*target.notes, *choice.notes]
    target, dropped = _calibrated_table.usable(target, replace(choice, y_true=None), reading.invalid)
    other: FittingSource | None = None
    if calibration is not None and is_sketch(calibration):
        other = sketched_source(calibration, by, vary, len(choice.models))
    elif calibration is not None:
        table = _input_files.read(calibration, replace(reading, format=None))
        fitting = choose_columns(table.frame.columns, columns, calibration, by=by, vary=vary)
        table, more = _calibrated_table.usable(table, fitting, reading.invalid)
        other, dropped = FittedRows(table, fitting), (*dropped, *more)
    plan = _calibrated_table.plan(target, choice, other, fraction, seed, split)
    written, calibrated = _calibrated_table.calibrate(target, choice, plan, asked_rate, vary, suffix, unseen)
    _output_files.write_table(written, output, measured=replace(choice, by=None).used)
    notes += [*dropped, *level_notes(choice.models, calibrated, asked_rate, vary)]
    notes += [*([] if plan.note is None else [plan.note]), *result_notes(calibrated, vary, by)]
    if output in _output_files.PIPES:
        _terminal.notes(notes, messages)
        return
    rates = {result.miss_rate for result in calibrated}
    one_rate = rates.pop() if len(rates) == 1 else None
    about = {
        "file": file,
        "miss_rate": one_rate,
        "coverage": None if one_rate is None else complement(one_rate),
        "models": [result.document() for result in calibrated],
        "notes": notes,
    }
    _terminal.written(output, messages, about)


def _time_split(
    time: str | None, fit_before: str | None, fraction: float | None, calibration: str | None
) -> TimeSplit | None:
    """Return how times split the rows, if they do; refuse options that contradict each other."""
    given = {"--fit-before": fit_before, "--fraction": fraction, "--calibration": calibration}
    several = [option for option, value in given.items() if value is not None]
    if len(several) > 1:
        raise UsageError(f"{several[0]} and {several[1]} exclude each other.")
    if time is None and fit_before is not None:
        raise UsageError("--fit-before needs --time COL, the column of times.")
    if time is None:
        return None
    if several in ([], ["--calibration"]):
        raise UsageError("--time needs --fit-before TIME or --fraction PART: what is fitted on.")
    return TimeSplit(column=time, before=fit_before, share=fraction)
