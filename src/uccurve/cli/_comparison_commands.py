"""``uccurve compare``, ``report`` and ``demo``: models against each other, in tables or on a page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import polars as pl

import uccurve
from uccurve import datasets
from uccurve.cli import _output_files, _shown_comparison, _terminal
from uccurve.cli._against_columns import against_columns
from uccurve.cli._given_command import given_command
from uccurve.cli._loaded_models import blocks_of, claim_notes, load, refuse_one_row
from uccurve.cli._options import (
    DEFAULT_DATA,
    DEFAULT_MESSAGES,
    DEFAULT_METHOD,
    OUTPUT,
    AllTables,
    By,
    DataOptions,
    File,
    MessageOptions,
    MethodOptions,
    NResamples,
    Output,
    Seed,
    Title,
    Unit,
    option,
    repeatable,
)
from uccurve.cli._sketched_source import refuse_row_options, sketched, untested
from uccurve.cli._target_coverage import given_rate

_PAGES = frozenset({".html", ".htm"})
_SHIFTED_AREAS = (
    "with --vary shift, areas on the miss rate say little about bands: the ceiling of symmetric ones is "
    "about 0; --y deficit tells models apart."
)


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class _Compared:
    """The models of a file, compared."""

    comparison: uccurve.Comparison
    models: list[str]
    notes: tuple[str, ...]
    """What the user should know about rows, columns and method."""
    claims: tuple[str, ...] = ()
    """What models claim and cover, for documents and pages; on a terminal the table says it."""
    against: dict[str, np.ndarray] = field(default_factory=dict)
    """Columns that a page can order intervals by."""

    @property
    def all_notes(self) -> tuple[str, ...]:
        """The notes, and what models claim and cover."""
        return (*self.notes, *self.claims)


def compare(
    file: File,
    /,
    *,
    data: DataOptions = DEFAULT_DATA,
    by: By = None,
    method: MethodOptions = DEFAULT_METHOD,
    all_: AllTables = False,
    messages: MessageOptions = DEFAULT_MESSAGES,
) -> None:
    """Compare models with each other and with constant width: what to use, and how sure that is."""
    compared = _compared(file, data, by, method, messages)
    shown = compared.all_notes if messages.json else compared.notes
    about = {"file": file, "notes": shown}
    _show_comparison(compared.comparison, messages, about, everything=all_)


def report(
    file: File,
    /,
    *,
    data: DataOptions = DEFAULT_DATA,
    by: By = None,
    against: Annotated[
        tuple[str, ...],
        repeatable(
            "Order intervals by this time or feature; repeatable. Default: columns that look like one.",
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
    """Write an interactive page about all models."""
    _output_files.checked_suffix(output, _PAGES)
    compared = _compared(file, data, by, method, messages, against)
    title = title or f"Prediction intervals in {Path(file).name}"
    about = {"file": Path(file).name, "seed": str(method.seed)}
    notes = compared.all_notes
    view = {"title": title, "unit": unit or "", "against": compared.against, "notes": notes}
    _write_page(compared.comparison, output, view, about, messages)
    _terminal.written(output, messages, {"file": file, "models": compared.models, "notes": notes})


def demo(
    *,
    output: Output = "uccurve-demo.html",
    csv: Annotated[
        str | None, option("Write the rows of the demo as well, to try other commands on.", OUTPUT, "FILE")
    ] = None,
    n_resamples: NResamples = None,
    seed: Seed = 0,
    all_: AllTables = False,
    messages: MessageOptions = DEFAULT_MESSAGES,
) -> None:
    """Compare two built-in models, of which one is narrower and the other better, and write their report."""
    _output_files.checked_suffix(output, _PAGES)
    data = datasets.make_crossing()
    if csv is not None:
        _write_rows(data, csv)
    comparison = uccurve.compare(
        data.models, n_resamples=n_resamples, rng=seed, by=data.segment, progress=messages.chatty
    )
    view = {"title": "Two models: one narrower, one better", "against": {"x": data.x, "noise": data.noise}}
    _write_page(comparison, output, view, {"seed": str(seed)}, messages)
    _show_comparison(comparison, messages, {"output": output}, everything=all_)
    if not messages.json:
        for written in filter(None, (output, csv)):
            _terminal.written(written, messages, {})


def _write_rows(data: datasets.Crossing, output: str) -> None:
    """Write observations, predictions and bounds of the demo under names that are detected."""
    first = next(iter(data.models.values()))
    columns = {"y": first.y_true, "x": data.x, "segment": data.segment}
    for name, rows in data.models.items():
        columns |= {f"{name}_pred": rows.y_pred, f"{name}_lower": rows.lower, f"{name}_upper": rows.upper}
    _output_files.checked_suffix(output, {".csv"})
    with _output_files.replacing(output) as path:
        pl.DataFrame(columns).write_csv(path)


def _compared(
    file: str,
    data: DataOptions,
    by: str | None,
    method: MethodOptions,
    messages: MessageOptions,
    against: Sequence[str] | None = None,
) -> _Compared:
    """Compare the models of a file: its rows, or sketches, which have no tests.

    ``against`` names columns for a page; None if there is none.
    """
    miss_rate = given_rate(method.coverage, method.miss_rate)
    sketches = sketched([file], data, messages, vary=method.vary, by=by)
    if sketches is not None:
        refuse_row_options(method.blocks, against)
        return _Compared(
            comparison=uccurve.compare(
                sketches.content.whole(),
                x=method.x,
                y=method.y,
                miss_rate=miss_rate,
                rank_by=method.rank_by,
                confidence_level=method.confidence_level,
            ),
            models=sketches.content.models,
            notes=(*sketches.notes, *untested(sketches)),
        )
    loaded = load(file, data, by, method.vary)
    refuse_one_row(loaded)
    blocks, few_blocks = blocks_of(loaded.table, method.blocks)
    columns = {} if against is None else against_columns(loaded, against)
    comparison = uccurve.compare(
        loaded.models,
        x=method.x,
        y=method.y,
        vary=method.vary,
        miss_rate=miss_rate,
        rank_by=method.rank_by,
        confidence_level=method.confidence_level,
        n_resamples=method.n_resamples,
        blocks=blocks,
        by=loaded.labels,
        rng=method.seed,
        progress=messages.chatty,
    )
    little = [_SHIFTED_AREAS] if (method.vary, method.y) == ("shift", "miss_rate") else []
    return _Compared(
        comparison=comparison,
        models=list(loaded.models),
        notes=(*loaded.notes, *few_blocks, *little),
        claims=tuple(claim_notes(loaded)),
        against=columns,
    )


def _write_page(
    comparison: uccurve.Comparison,
    output: str,
    view: Mapping[str, Any],
    about: Mapping[str, str],
    messages: MessageOptions,
) -> None:
    """Write the page, with the day and the command on it."""
    facts = {**about, "date": f"{datetime.now(UTC).date()}", "command": given_command()}
    with _output_files.writing(output):
        uccurve.report(comparison, output, about=facts, progress=messages.chatty, **view)


def _show_comparison(
    comparison: uccurve.Comparison, messages: MessageOptions, about: dict[str, Any], *, everything: bool
) -> None:
    """Show the answer and then notes, or print all numbers as one document."""
    if messages.json:
        records = _shown_comparison.records(comparison)
        words = {"verdict": comparison.verdict, "findings": comparison.findings}
        _terminal.document({**about, "side": comparison.side, **records, **words})
        return
    _shown_comparison.show(comparison, everything=everything)
    _terminal.notes(about.get("notes", ()), messages)
