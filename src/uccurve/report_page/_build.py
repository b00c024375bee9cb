"""From models to the page on disk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any

from uccurve._base.files import checked, replacing
from uccurve._base.progress import StepBar
from uccurve._base.text import printable
from uccurve.comparison import Comparison, compare
from uccurve.exceptions import ArgumentError
from uccurve.intervals import Intervals
from uccurve.io import name_models
from uccurve.report_page import _carried_rows, _contents, _header, _page, _payload
from uccurve.report_page._ratio_bands import ratio_lines
from uccurve.sketch import UCCSketch

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable


def build(
    models: Mapping[str, Intervals] | Mapping[str, UCCSketch] | Intervals | UCCSketch | Comparison,
    path: str | os.PathLike[str],
    options: Mapping[str, Any],
    *,
    title: str,
    unit: str,
    against: Any,
    rows: Any,
    notes: Any,
    about: Any,
    progress: bool,
) -> Path:
    """Check everything, compare, and write the page whole or not at all."""
    if isinstance(models, Comparison):
        _refuse_settled(options)
        first, by = next(iter(models.models.values())).source, models.options.by
        sketched = first is None
    else:
        models, by, blocks = name_models(models, options["by"], options["blocks"])
        options = {**options, "by": by, "blocks": blocks}
        given: Iterable[Any] = models.values() if isinstance(models, Mapping) else ()
        model = next(iter(given), None)
        first, sketched = model if isinstance(model, Intervals) else None, isinstance(model, UCCSketch)
    if sketched and (against or rows is not None):
        name = "against" if against else "rows"
        raise ArgumentError(argument=name, rule="not be passed for sketches", hint="It needs the rows.")
    chosen = None if first is None else _carried_rows.choose(rows, first, by)
    view = replace(
        _view(first, title, unit, against, chosen),
        notes=_header.checked_notes(notes),
        about=_header.checked_facts(about, options["rng"]),
    )
    checked(path)
    comparison = models if isinstance(models, Comparison) else compare(models, **options, progress=progress)
    bar = StepBar("writing the page", len(comparison.curves) + 1, show=progress)
    lines = ratio_lines(comparison, _payload.carried_rates(comparison))
    numbers = _payload.payload(comparison, view, lines, bar.step)
    page = _page.render(numbers, _contents.contents(comparison, numbers, view, lines))
    with replacing(path) as unfinished:
        unfinished.write_text(page, encoding="utf-8")
    bar.finish()
    return Path(path)


def _refuse_settled(options: Mapping[str, Any]) -> None:
    """Refuse options that a comparison has settled."""
    usual = signature(compare).parameters
    for name, value in options.items():
        default = usual[name].default
        if not (value is default or (isinstance(value, (str, float, int, tuple)) and value == default)):
            raise ArgumentError(argument=name, rule="not be passed with a Comparison, which has its own")


def _view(
    first: Intervals | None, title: str, unit: str, against: Any, rows: _carried_rows.Rows | None
) -> _payload.View:
    """Check what the page shows beside the comparison."""
    for name, text in (("title", title), ("unit", unit)):
        if not isinstance(text, str):
            raise ArgumentError(argument=name, rule="be text", got=type(text).__name__)
    if not isinstance(against, Mapping | None):
        raise ArgumentError(argument="against", rule="map names to columns", got=type(against).__name__)
    return _payload.View(
        title=printable(title),
        unit=printable(unit),
        columns={} if first is None else _carried_rows.columns(against or {}, first),
        rows=rows,
    )
