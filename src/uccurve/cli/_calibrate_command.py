"""``uccurve calibrate``: a file with bounds that keep what they promise."""

from dataclasses import replace
from typing import Annotated, Literal

from uccurve._base.arguments import complement
from uccurve.cli import _calibrated_table, _input_files, _output_files, _terminal
from uccurve.cli._calibration_notes import level_notes, result_notes
from uccurve.cli._column_options import choose_columns
from uccurve.cli._errors import UsageError
from uccurve.cli._options import (
    COLUMNS,
    DEFAULT_COLUMNS,
    DEFAULT_MESSAGES,
    DEFAULT_READING,
    METHOD,
    OUTPUT,
    BandVary,
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
from uccurve.cli._target_coverage import given_rate


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
    vary: BandVary = "scale",
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
    calibration: Annotated[str | None, option("Fit on the rows of this file.", METHOD, "FILE")] = None,
    fraction: Annotated[
        float | None, option("Fit on this share of the observed rows, drawn at random.", METHOD, "PART", rate)
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
    if calibration is not None and fraction is not None:
        raise UsageError("--calibration and --fraction exclude each other.")
    if output not in _output_files.PIPES:
        _output_files.checked_suffix(output, _input_files.FORMATS)
    elif messages.json:
        raise UsageError("--json and --output - both write to standard output.")
    target = _input_files.read(file, reading)
    choice = choose_columns(target.frame.columns, columns, file, by=by, observed=calibration is None)
    notes = [*target.notes, *choice.notes]
    target, dropped = _calibrated_table.usable(target, replace(choice, y_true=None), reading.invalid)
    other = None
    if calibration is not None:
        table = _input_files.read(calibration, replace(reading, format=None))
        fitting = choose_columns(table.frame.columns, columns, calibration, by=by)
        table, more = _calibrated_table.usable(table, fitting, reading.invalid)
        other, dropped = (table, fitting), (*dropped, *more)
    plan = _calibrated_table.plan(target, choice, other, fraction, seed)
    written, calibrated = _calibrated_table.calibrate(target, choice, plan, asked_rate, vary, suffix, unseen)
    _output_files.write_table(written, output, measured=replace(choice, by=None).used)
    notes += [*dropped, *level_notes(choice.models, calibrated, asked_rate), *result_notes(calibrated, vary)]
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
