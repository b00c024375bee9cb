"""``uccurve compare``, ``report`` and ``demo``: models against each other, in tables or on a page."""

import shlex
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np

import uccurve
from uccurve import io
from uccurve.cli import console, inputs
from uccurve.cli.errors import UsageError
from uccurve.cli.options import (
    DEFAULT_DATA,
    DEFAULT_MESSAGES,
    DEFAULT_METHOD,
    OUTPUT,
    Blocks,
    By,
    DataOptions,
    FileOrFolder,
    MessageOptions,
    MethodOptions,
    NResamples,
    Output,
    Seed,
    Title,
    Unit,
    flag,
    option,
    repeatable,
)
from uccurve.columns import absent_column, suggest_roles
from uccurve.comparison import Comparison, tables
from uccurve.datasets import Crossing, make_crossing
from uccurve.exceptions import UccurveError
from uccurve.io import Models

AllTables = Annotated[bool, flag("Also print all scores, tests, ranges, segments and findings.", "--all")]
_PAGES = (".htm", ".html")
_MOST_FEATURES = 4
_SHIFTED_AREAS = "with --vary shift, areas on the miss rate hardly tell models apart; use --y deficit."


class _Compared(NamedTuple):
    """The models of a file, compared, and what to say about its rows; ``models`` is None for sketches."""

    comparison: Comparison
    notes: tuple[str, ...]
    warnings: tuple[str, ...] = ()
    models: Models | None = None


def compare(
    file: FileOrFolder,
    /,
    *,
    data: DataOptions = DEFAULT_DATA,
    by: By = None,
    blocks: Blocks = (),
    method: MethodOptions = DEFAULT_METHOD,
    all_: AllTables = False,
    messages: MessageOptions = DEFAULT_MESSAGES,
) -> None:
    """Compare models with each other and with constant width: which to use, and how certain that is.

    The answer comes first: which model to use at the target coverage. The table ranks the models by their
    interval score there.

    Examples
    --------
      uccurve compare forecasts.csv
      uccurve compare forecasts.csv --coverage 95% --all
      uccurve compare f.csv --model a=pred_a,lo_a,hi_a --model b=pred_b,std_b
      uccurve compare hourly.csv --blocks 24 --n-resamples 9999
      uccurve compare visits.csv --blocks patient --by clinic --json
      uccurve compare visits.csv --blocks patient --blocks clinic
    """
    compared = _compare_file(file, data, by, blocks, method, messages)
    about = {"file": file, "notes": compared.notes, "warnings": compared.warnings}
    _print_comparison(compared.comparison, messages, about, everything=all_)


def report(
    file: FileOrFolder,
    /,
    *,
    data: DataOptions = DEFAULT_DATA,
    by: By = None,
    blocks: Blocks = (),
    against: Annotated[
        tuple[str, ...],
        repeatable(
            "Draw intervals along this column; repeatable. Default: up to four time and feature columns.",
            OUTPUT,
            "COL",
        ),
    ] = (),
    method: MethodOptions = DEFAULT_METHOD,
    output: Output = "report.html",
    title: Title = None,
    unit: Unit = None,
    messages: MessageOptions = DEFAULT_MESSAGES,
) -> None:
    """Write an interactive page about all models.

    The page is one file and makes no network requests.

    Examples
    --------
      uccurve report forecasts.csv -o report.html --title "Load, week 12" --unit MW
      uccurve report f.csv --std sd --by region --against temperature
    """
    io.check_output(output, _PAGES)
    compared = _compare_file(file, data, by, blocks, method, messages, against=against)
    columns = {} if compared.models is None else _choose_features(compared.models, against)
    notes = [*compared.warnings, *map(console.name_option, compared.notes)]
    view = {"title": title or f"Prediction intervals in {Path(file).name}", "unit": unit or ""}
    about = {"file": Path(file).name, "seed": str(method.seed)}
    chosen = () if compared.models is None else compared.models.columns.notes
    known = (*chosen, _SHIFTED_AREAS)
    doubts = [*compared.warnings, *(note for note in compared.notes if note not in known)]
    if chosen:
        about["columns"] = (
            " ".join(chosen).removeprefix("columns: ").replace(" `nominal` chooses another.", "")
        )
    _write_page(compared.comparison, output, {**view, "against": columns, "notes": doubts}, about, messages)
    models = list(compared.comparison.models)
    console.finish(output, messages, {"file": file, "models": models, "notes": notes})


def demo(
    *,
    output: Output = "uccurve-demo.html",
    csv: Annotated[
        str | None, option("Also write the rows of the demo, to try other commands on.", OUTPUT, "FILE")
    ] = None,
    n_resamples: NResamples = None,
    seed: Seed = 0,
    all_: AllTables = False,
    messages: MessageOptions = DEFAULT_MESSAGES,
) -> None:
    """Compare two built-in models, one narrower and one better, and write their report.

    Examples
    --------
      uccurve demo
      uccurve demo -o demo.html --n-resamples 499
      uccurve demo --csv demo.csv         then uccurve compare demo.csv --by segment
    """
    io.check_output(output, _PAGES)
    data = make_crossing()
    if csv is not None:
        io.check_output(csv, [".csv"])
        _write_rows(data, csv)
    comparison = uccurve.compare(
        data.models, n_resamples=n_resamples, rng=seed, by=data.segment, progress=messages.chatty
    )
    view = {"title": "Two models: one narrower, one better", "against": {"x": data.x, "noise": data.noise}}
    _write_page(comparison, output, view, {"seed": str(seed)}, messages)
    _print_comparison(comparison, messages, {"output": output}, everything=all_)
    if not messages.json:
        for written in filter(None, (output, csv)):
            console.finish(written, messages, {})


def _write_rows(data: Crossing, output: str) -> None:
    """Write observations, predictions and bounds of the demo under names that are detected."""
    import polars as pl  # noqa: PLC0415

    first = next(iter(data.models.values()))
    columns = {"y": first.y_true, "x": data.x, "segment": data.segment}
    for name, rows in data.models.items():
        columns |= {f"{name}_pred": rows.y_pred, f"{name}_lower": rows.lower, f"{name}_upper": rows.upper}
    io.write(io.as_table(pl.DataFrame(columns)), output)


def _compare_file(
    file: str,
    data: DataOptions,
    by: str | None,
    blocks: Sequence[str],
    method: MethodOptions,
    messages: MessageOptions,
    against: Sequence[str] = (),
) -> _Compared:
    """Compare the models of a file: its rows, or sketches, which have no tests."""
    options = asdict(method)
    options["rng"] = options.pop("seed")
    sketches = inputs.load_sketches([file], data, messages, vary=method.vary, by=by)
    if sketches is not None:
        for name, value in (("blocks", blocks), ("against", against)):
            if value:
                raise UsageError(f"--{name} needs the rows, and a sketch has none: pass one data file.")
        added = "segments are added up here; uccurve score shows each of them."
        notes = (*sketches.notes, added) if sketches.content.by is not None else sketches.notes
        return _Compared(uccurve.compare(sketches.content.whole(), **options), notes)
    models = inputs.load_models(file, data, by=by, vary=method.vary, blocks=blocks)
    comparison = uccurve.compare(models, **options, progress=messages.chatty)
    warnings = inputs.find_warnings(len(models.table), models.blocks)
    notes = models.notes + ((_SHIFTED_AREAS,) if (method.vary, method.y) == ("shift", "miss_rate") else ())
    return _Compared(comparison, notes, tuple(warnings), models)


def _write_page(
    comparison: Comparison,
    output: str,
    view: Mapping[str, Any],
    about: Mapping[str, str],
    messages: MessageOptions,
) -> None:
    """Write the page, with the day and the command on it."""
    command = shlex.join(["uccurve", *console.GIVEN.get()])
    facts = {**about, "date": f"{datetime.now(UTC).date()}", "command": command}
    with io.writing(output):
        uccurve.report(comparison, output, about=facts, progress=messages.chatty, **view)


def _print_comparison(
    comparison: Comparison, messages: MessageOptions, about: dict[str, Any], *, everything: bool
) -> None:
    """Print the answer, one table and notes; with ``everything`` every table, or all as one document."""
    if messages.json:
        names = ("scores", "tests", "regimes", "crossings", "segments")
        every = {name: getattr(comparison, name) for name in names}
        records = {name: _list_rows(table.columns() if table else {}) for name, table in every.items()}
        words = {"verdict": comparison.verdict, "findings": comparison.findings}
        console.print_json({**about, "side": comparison.side, **records, **words})
        return
    found = comparison.recommendation
    console.print_text(found.answer, style="bold")
    if found.details:
        console.print_text(found.details)
    console.print_text("")
    columns, legend = tables.format_answer(comparison)
    console.print_table(columns)
    more = f"--all shows {'segments and details' if comparison.segments else 'the details'}."
    console.print_text(" ".join(filter(None, [legend, "" if everything else more])))
    for caution in found.cautions:
        console.print_text(caution.replace('vary="shift"', "--vary shift"))
    if everything:
        _print_details(comparison, said=f"{found.answer} {found.details}")
    console.print_notes(about.get("warnings", ()), messages, "warning")
    console.print_notes(about.get("notes", ()), messages)


def _print_details(comparison: Comparison, said: str) -> None:
    """Print scores, tests, ranges and segments in full, and the findings that were not said above."""
    for table in (comparison.scores, comparison.tests, comparison.regimes, comparison.segments):
        if table:
            console.print_text("")
            console.print_table(table.texts(), names=table.keys, title=table.title)
    console.print_text("")
    console.print_text("A gain above 0 means narrower than constant width; below 0, wider.")
    for text in (comparison.scores.note, *comparison.findings):
        if text not in said:
            console.print_text(text)


def _list_rows(columns: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    """Turn a table of columns into one object per row."""
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _choose_features(models: Models, names: Sequence[str]) -> dict[str, np.ndarray]:
    """Return the named columns; without names, times and then numbers that no model uses, a few of them."""
    table = models.table
    for column in names:
        if column not in table.columns:
            raise table.about(absent_column(column, table.columns))
    if names:
        return {column: table.times(column) for column in names}
    found = {}
    for column in table.columns:
        if column not in models.columns.used and not suggest_roles(column) & {"lower", "upper", "std"}:
            with suppress(UccurveError):  # neither times nor numbers
                found[column] = table.times(column)
    chosen = sorted(found, key=lambda column: found[column].dtype.kind != "M")[:_MOST_FEATURES]
    return {column: found[column] for column in chosen}
