"""The commands: each reads, asks the library, and shows what it says."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter, validators

import uccurve
from uccurve import datasets
from uccurve.cli import (
    _calibrate,
    _columns,
    _container,
    _help,
    _input_files,
    _output_files,
    _scores,
    _session,
    _show,
    _sketching,
)
from uccurve.cli._against import against_columns
from uccurve.cli._errors import UsageError
from uccurve.cli._options import (
    AS_USUAL,
    COLUMNS,
    IN_MEMORY,
    METHOD,
    NO_COLUMNS,
    OUTPUT,
    PLAINLY,
    Blocks,
    By,
    CalibratedRate,
    Checkpoint,
    Columns,
    Engine,
    File,
    Files,
    Fitted,
    Invalid,
    MissRate,
    Output,
    Parts,
    Reading,
    Resamples,
    Scanning,
    Seed,
    SketchFiles,
    Speaking,
    Title,
    Unit,
    Vary,
    Weight,
    X,
    Y,
    option,
    rate,
)

if TYPE_CHECKING:
    from uccurve.curve._curve import Curve

_FIGURES = frozenset({".png", ".svg", ".pdf"})

app = App(
    name="uccurve",
    help=_help.ABOUT,
    help_epilogue=_help.EPILOGUE,
    help_format="plaintext",
    version=uccurve.__version__,
    suppress_keyboard_interrupt=False,
)
app.register_install_completion_command(
    help="Set up completion of commands and options in bash, zsh or fish; adds to the shell's start file.",
    help_epilogue="",
)


def run(arguments: Sequence[str]) -> None:
    """Run one command; whatever goes wrong is raised."""
    tokens = [_input_files.STDIN if word == "-" else word for word in arguments]  # "-" is no option
    app(
        tokens,
        console=_show.console(),
        exit_on_error=False,
        print_error=False,
        result_action="return_value",
    )


@app.command(help_epilogue=_help.SCORE, sort_key=0)
def score(
    files: Files,
    /,
    *,
    columns: Columns = NO_COLUMNS,
    weight: Weight = None,
    by: By = None,
    reading: Reading = AS_USUAL,
    scanning: Scanning = IN_MEMORY,
    vary: Vary = "scale",
    miss_rate: MissRate = 0.1,
    speaking: Speaking = PLAINLY,
) -> None:
    """Score the intervals of each model; quick, without tests."""
    sketches = _sketching.asked(files, columns, reading, scanning, speaking, vary=vary, by=by, weight=weight)
    notes: tuple[str, ...]
    if sketches is None:
        loaded = _session.load(files[0], columns, reading, by=by, weight=weight)[1]
        found, notes = _scores.records(loaded, vary, miss_rate), loaded.notes
    else:
        found, notes = _scores.of_sketches(sketches, miss_rate), (*sketches.notes, _sketching.EXACT)
    if speaking.json:
        _show.document({**_sketching.about(files), "vary": vary, "scores": found, "notes": notes})
        return
    _show.notes(notes, speaking)
    title = f"Scores of {_sketching.shown(files)}"
    _show.table(title, _scores.readable(found, vary, miss_rate), keys=2 if "segment" in found[0] else 1)


@app.command(help_epilogue=_help.COMPARE, sort_key=1)
def compare(
    file: File,
    /,
    *,
    columns: Columns = NO_COLUMNS,
    weight: Weight = None,
    by: By = None,
    reading: Reading = AS_USUAL,
    scanning: Scanning = IN_MEMORY,
    x: X = "bandwidth",
    y: Y = "miss_rate",
    vary: Vary = "scale",
    miss_rate: MissRate = 0.1,
    resamples: Resamples = 1999,
    blocks: Blocks = None,
    confidence: Annotated[float, option("Level of the confidence intervals.", METHOD, "LEVEL", rate)] = 0.95,
    seed: Seed = 0,
    speaking: Speaking = PLAINLY,
) -> None:
    """Compare models with each other and with a constant band: tables, tests and findings."""
    sketches = _sketching.asked([file], columns, reading, scanning, speaking, vary=vary, by=by, weight=weight)
    if sketches is not None:
        _sketching.refuse_blocks(blocks)
        comparison = uccurve.compare(sketches.whole(), x=x, y=y, miss_rate=miss_rate, level=confidence)
        about = {"file": file, "notes": (*sketches.notes, *_sketching.untested(sketches))}
        _session.show_comparison(comparison, miss_rate, speaking, about)
        return
    loaded = _session.load(file, columns, reading, by=by, weight=weight)[1]
    _session.at_least_two(loaded)
    units, few = _session.blocks_of(loaded.table, blocks)
    comparison = uccurve.compare(
        loaded.models,
        x=x,
        y=y,
        vary=vary,
        miss_rate=miss_rate,
        n_resamples=resamples,
        blocks=units,
        by=loaded.labels,
        level=confidence,
        rng=seed,
        progress=not (speaking.quiet or speaking.json),
    )
    notes = (*loaded.notes, *few, *_session.about_axes(y, vary))
    _session.show_comparison(comparison, miss_rate, speaking, {"file": file, "notes": notes})


@app.command(help_epilogue=_help.REPORT, sort_key=2)
def report(
    file: File,
    /,
    *,
    columns: Columns = NO_COLUMNS,
    weight: Weight = None,
    by: By = None,
    against: Annotated[
        tuple[str, ...],
        Parameter(
            help="Order intervals by this time or feature; repeat it. Without it: those that look like one.",
            metavar="COL",
            negative="",
            show_default=False,
            group=OUTPUT,
        ),
    ] = (),
    reading: Reading = AS_USUAL,
    scanning: Scanning = IN_MEMORY,
    x: X = "bandwidth",
    y: Y = "miss_rate",
    vary: Vary = "scale",
    miss_rate: MissRate = 0.1,
    resamples: Resamples = 1999,
    blocks: Blocks = None,
    confidence: Annotated[float, option("Level of the confidence intervals.", METHOD, "LEVEL", rate)] = 0.95,
    seed: Seed = 0,
    output: Output = "report.html",
    title: Title = None,
    unit: Unit = None,
    speaking: Speaking = PLAINLY,
) -> None:
    """Write an interactive page about all models."""
    _output_files.suffix(output, {".html", ".htm"})
    _output_files.check_target(output)
    sketches = _sketching.asked([file], columns, reading, scanning, speaking, vary=vary, by=by, weight=weight)
    title = title or f"Prediction intervals in {Path(file).name}"
    if sketches is not None:
        _sketching.refuse_blocks(blocks, against)
        shown = {
            "title": title,
            "unit": unit or "",
            "x": x,
            "y": y,
            "miss_rate": miss_rate,
            "level": confidence,
        }
        _session.write_report(sketches.whole(), output, shown, speaking)
        notes = (*sketches.notes, *_sketching.untested(sketches))
        _session.say_written(output, speaking, {"file": file, "models": sketches.models, "notes": notes})
        return
    choice, loaded = _session.load(file, columns, reading, by=by, weight=weight)
    _session.at_least_two(loaded)
    units, few = _session.blocks_of(loaded.table, blocks)
    options = {
        "title": title,
        "by": loaded.labels,
        "against": against_columns(loaded.table, choice, against),
        "unit": unit or "",
        "x": x,
        "y": y,
        "vary": vary,
        "miss_rate": miss_rate,
        "n_resamples": resamples,
        "blocks": units,
        "level": confidence,
        "rng": seed,
    }
    _session.write_report(loaded.models, output, options, speaking)
    notes = (*loaded.notes, *few, *_session.about_axes(y, vary))
    _session.say_written(output, speaking, {"file": file, "models": list(loaded.models), "notes": notes})


@app.command(help_epilogue=_help.CALIBRATE, sort_key=4)
def calibrate(
    file: File,
    /,
    *,
    output: Output,
    columns: Columns = NO_COLUMNS,
    by: Fitted = None,
    reading: Reading = AS_USUAL,
    vary: Vary = "scale",
    miss_rate: CalibratedRate = None,
    calibration: Annotated[str | None, option("Fit on the rows of this file.", METHOD, "FILE")] = None,
    fraction: Annotated[
        float | None, option("Fit on this part of the observed rows, drawn at random.", METHOD, "PART", rate)
    ] = None,
    seed: Seed = 0,
    suffix: Annotated[
        str, option("Add columns with this suffix instead of replacing the bounds.", OUTPUT, "TEXT")
    ] = "",
    speaking: Speaking = PLAINLY,
) -> None:
    """Write the file with recalibrated bounds, by conformal scaling."""
    if calibration is not None and fraction is not None:
        raise UsageError("--calibration and --fraction exclude each other.")
    if output in _output_files.PIPES and speaking.json:
        raise UsageError("--json and --output - both want standard output.")
    if output not in _output_files.PIPES:
        _output_files.suffix(output, _input_files.FORMATS)
    _output_files.check_target(output)
    target = _input_files.read(file, reading)
    choice = _columns.choose(target.frame.columns, columns, file, by=by, observed=calibration is None)
    notes = [*target.notes, *choice.notes]
    target, dropped = _calibrate.usable(target, replace(choice, y_true=None), reading.invalid)
    other = None
    if calibration is not None:
        table = _input_files.read(calibration, replace(reading, format=None))
        fitting = _columns.choose(table.frame.columns, columns, calibration, by=by)
        table, more = _calibrate.usable(table, fitting, reading.invalid)
        other, dropped = (table, fitting), (*dropped, *more)
    plan = _calibrate.plan(target, choice, other, fraction, seed)
    written, found = _calibrate.calibrate(target, choice, plan, miss_rate, vary, suffix)
    _output_files.write_table(written, output)
    notes += [*dropped, *_calibrate.about_levels(choice, found, miss_rate)]
    notes += _calibrate.sentences(found, plan, vary)
    if output in _output_files.PIPES:
        _show.notes(notes, speaking)
    else:
        rates = {record["miss_rate"] for record in found}
        about = {"file": file, "miss_rate": rates.pop() if len(rates) == 1 else None, "models": found}
        _session.say_written(output, speaking, {**about, "notes": notes})


@app.command(help_epilogue=_help.PLOT, sort_key=3)
def plot(
    files: Files,
    /,
    *,
    columns: Columns = NO_COLUMNS,
    weight: Weight = None,
    reading: Reading = AS_USUAL,
    scanning: Scanning = IN_MEMORY,
    x: X = "bandwidth",
    y: Y = "miss_rate",
    vary: Vary = "scale",
    cost: Annotated[
        float | None,
        option(
            "Mark the cheapest point for C times the cost of being wide, 1 - C that of missing.",
            METHOD,
            "C",
            validators.Number(gte=0, lte=1),
        ),
    ] = None,
    band: Annotated[
        float | None, option("Draw a confidence band of the miss rate, such as 0.95.", METHOD, "LEVEL", rate)
    ] = None,
    output: Output = "ucc.png",
    title: Title = None,
    unit: Unit = None,
    speaking: Speaking = PLAINLY,
) -> None:
    """Draw the curves of all models on one pair of axes: .png, .svg or .pdf."""
    if band is not None and y != "miss_rate":
        raise UsageError("--band and --y deficit exclude each other: the band is one of miss rates.")
    kind = _output_files.suffix(output, _FIGURES)
    _output_files.check_target(output)
    sketches = _sketching.asked(files, columns, reading, scanning, speaking, vary=vary, weight=weight)
    curves: dict[str, Curve]
    if sketches is None:
        loaded = _session.load(files[0], columns, reading, weight=weight)[1]
        curves = {name: intervals.ucc(vary) for name, intervals in loaded.models.items()}
        notes = loaded.notes
    else:
        curves = {name: sketch.curve() for name, sketch in sketches.whole().items()}
        notes = sketches.notes
    os.environ["MPLBACKEND"] = "agg"  # never a window
    options = {"x": x, "y": y, "cost": cost, "band": band, "title": title, "unit": unit or ""}
    _session.draw(curves, output, kind[1:], options)
    _session.say_written(
        output, speaking, {**_sketching.about(files), "models": list(curves), "notes": notes}
    )


@app.command(help_epilogue=_help.SKETCH, sort_key=5)
def sketch(
    files: Parts,
    /,
    *,
    output: Output,
    columns: Columns = NO_COLUMNS,
    weight: Weight = None,
    by: Annotated[str | None, option("Segments, each sketched on its own.", COLUMNS, "COL")] = None,
    engine: Engine = "auto",
    checkpoint: Checkpoint = None,
    invalid: Invalid = "raise",
    speaking: Speaking = PLAINLY,
) -> None:
    """Summarise files of any size in one pass: a small file for score, plot and merge."""
    _output_files.suffix(output, {_container.SUFFIX})
    _output_files.check_target(output)
    sketches = _sketching.scan(
        files,
        columns,
        by=by,
        weight=weight,
        engine=engine,
        checkpoint=checkpoint,
        invalid=invalid,
        progress=not (speaking.quiet or speaking.json),
    )
    _container.write(sketches, output)
    _session.say_written(output, speaking, {**_sketching.about(files), **_sketching.contents(sketches)})


@app.command(help_epilogue=_help.MERGE, sort_key=6)
def merge(
    files: SketchFiles,
    /,
    *,
    output: Output,
    speaking: Speaking = PLAINLY,
) -> None:
    """Add sketch files, model by model and segment by segment."""
    _output_files.suffix(output, {_container.SUFFIX})
    _output_files.check_target(output)
    sketches = _sketching.merge(files, output)
    _container.write(sketches, output)
    _session.say_written(output, speaking, {**_sketching.about(files), **_sketching.contents(sketches)})


@app.command(help_epilogue=_help.DEMO, sort_key=7)
def demo(
    *,
    output: Output = "uccurve-demo.html",
    resamples: Resamples = 1999,
    seed: Seed = 0,
    speaking: Speaking = PLAINLY,
) -> None:
    """Compare two built-in models whose order depends on the miss rate, and write their report."""
    _output_files.suffix(output, {".html", ".htm"})
    _output_files.check_target(output)
    data = datasets.make_crossing()
    progress = not (speaking.quiet or speaking.json)
    comparison = uccurve.compare(
        data.models, n_resamples=resamples, rng=seed, by=data.segment, progress=progress
    )
    options = {"title": "Two models that cross", "against": {"x": data.x, "noise": data.noise}}
    _session.write_report(comparison, output, options, speaking)
    _session.show_comparison(comparison, 0.1, speaking, {"output": output})
    if not speaking.json:
        _session.say_written(output, speaking, {})
