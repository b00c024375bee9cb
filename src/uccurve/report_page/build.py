"""From models to the page on disk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
from uccurve.report_page import data, page, rows, words
from uccurve.sketch import UCCSketch

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable


def write(
    models: Mapping[str, Intervals] | Mapping[str, UCCSketch] | Intervals | UCCSketch | Comparison,
    path: str | os.PathLike[str],
    options: Mapping[str, Any],
    *,
    title: str,
    unit: str,
    against: Any,
    chosen: Any,
    notes: Any,
    about: Any,
    progress: bool,
) -> Path:
    """Check everything, compare, and write the page whole or not at all."""
    if isinstance(models, Comparison):
        _check_unset(options)
        first, by = next(iter(models.models.values())).source, models.options.by
        sketched = first is None
    else:
        models, by, blocks = name_models(models, options["by"], options["blocks"])
        options = {**options, "by": by, "blocks": blocks}
        given: Iterable[Any] = models.values() if isinstance(models, Mapping) else ()
        model = next(iter(given), None)
        first, sketched = model if isinstance(model, Intervals) else None, isinstance(model, UCCSketch)
    if sketched and (against or chosen is not None):
        name = "against" if against else "rows"
        raise ArgumentError(argument=name, rule="not be passed for sketches", hint="It needs the rows.")
    for name, text in (("title", title), ("unit", unit)):
        if not isinstance(text, str):
            raise ArgumentError(argument=name, rule="be text", got=type(text).__name__)
    if not isinstance(against, Mapping | None):
        raise ArgumentError(argument="against", rule="map names to columns", got=type(against).__name__)
    view = data.View(
        title=printable(title),
        unit=printable(unit),
        rows=None if first is None else rows.choose(chosen, first, by),
        columns={} if first is None else rows.check_columns(against or {}, first),
        notes=_check_notes(notes),
        about=_check_facts(about, options["rng"]),
    )
    checked(path)
    comparison = models if isinstance(models, Comparison) else compare(models, **options, progress=progress)
    bar = StepBar("writing the page", len(comparison.standings.names) + 1, show=progress)
    numbers = data.collect(comparison, view, bar.step)
    numbers["texts"] = words.texts(comparison, numbers)
    text = page.render(numbers, words.contents(comparison, numbers, view))
    with replacing(path) as unfinished:
        unfinished.write_text(text, encoding="utf-8")
    bar.finish()
    return Path(path)


def _check_unset(options: Mapping[str, Any]) -> None:
    """Check that options which a comparison has settled are not passed."""
    usual = signature(compare).parameters
    for name, value in options.items():
        default = usual[name].default
        if not (value is default or (isinstance(value, (str, float, int, tuple)) and value == default)):
            raise ArgumentError(argument=name, rule="not be passed with a Comparison, which has its own")


def _check_notes(notes: Any) -> tuple[str, ...]:
    """Check the warnings that the page repeats."""
    if isinstance(notes, str) or not isinstance(notes, Sequence):
        raise ArgumentError(argument="notes", rule="be a sequence of texts", got=type(notes).__name__)
    return tuple(printable(str(note)) for note in notes)


def _check_facts(about: Any, seed: Any) -> dict[str, str]:
    """Check what the caller says about data and method, and add the seed where it is a number."""
    if not isinstance(about, Mapping | None):
        raise ArgumentError(argument="about", rule="map names to texts", got=type(about).__name__)
    facts = {printable(str(name)): printable(str(text)) for name, text in (about or {}).items()}
    if isinstance(seed, int) and not isinstance(seed, bool):
        facts.setdefault("seed", str(seed))
    return facts
