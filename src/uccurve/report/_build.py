"""From models to the page on disk."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from uccurve._base.atomic_files import checked, replacing
from uccurve._base.text import printable
from uccurve.comparison import Comparison, compare
from uccurve.comparison._comparison import check_models
from uccurve.exceptions import ArgumentError
from uccurve.report import _carried_rows, _contents, _page, _payload
from uccurve.sketch import UCCSketch

if TYPE_CHECKING:
    import os

    from uccurve.intervals import Intervals


def build(
    models: Mapping[str, Intervals] | Mapping[str, UCCSketch] | Comparison,
    path: str | os.PathLike[str],
    asked: dict[str, Any],
    *,
    title: str,
    unit: str,
    against: Any,
    rows: Any,
    progress: bool,
) -> Path:
    """Check everything, compare, and write the page whole or not at all."""
    first = _first(models, asked)
    labels = models.options["by"] if isinstance(models, Comparison) else asked["by"]
    if first is None and (against or rows is not None):
        name = "against" if against else "rows"
        raise ArgumentError(f"`{name}` must not be given for sketches: it needs the rows.")
    chosen = None if first is None else _carried_rows.choose(rows, first, labels)
    view = _view(first, title, unit, against, chosen)
    checked(path)
    comparison = models if isinstance(models, Comparison) else compare(models, **asked, progress=progress)
    numbers = _payload.payload(comparison, view)
    page = _page.render(numbers, _contents.contents(comparison, numbers))
    with replacing(path) as unfinished:
        unfinished.write_text(page, encoding="utf-8")
    return Path(path)


def _first(models: Any, asked: Mapping[str, Any]) -> Intervals | None:
    """Return the first model's intervals, None for sketches; refuse options that a comparison has settled."""
    if not isinstance(models, Comparison):
        if isinstance(models, Mapping) and any(isinstance(rows, UCCSketch) for rows in models.values()):
            return None
        check_models(models)
        found: Intervals = next(iter(models.values()))
        return found
    defaults = compare.__kwdefaults__ or {}
    changed = [name for name, value in asked.items() if not _is(value, defaults[name])]
    if changed:
        raise ArgumentError(f"`{changed[0]}` must not be given with a Comparison, which has its own.")
    return next(iter(models.curves.values()))._rows


def _is(value: Any, default: Any) -> bool:
    return value is default or (isinstance(value, (str, float, int, tuple)) and value == default)


def _view(
    first: Intervals | None, title: str, unit: str, against: Any, rows: _carried_rows.Rows | None
) -> _payload.View:
    """Check what the page shows beside the comparison."""
    for name, text in (("title", title), ("unit", unit)):
        if not isinstance(text, str):
            raise ArgumentError(f"`{name}` must be text, got {type(text).__name__}.")
    if not isinstance(against, Mapping | None):
        raise ArgumentError(f"`against` must map names to columns, got {type(against).__name__}.")
    return _payload.View(
        title=printable(title),
        unit=printable(unit),
        columns={} if first is None else _carried_rows.columns(against or {}, first),
        rows=rows,
    )
