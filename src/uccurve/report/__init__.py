"""The report page: one HTML file that needs no network."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from uccurve._atomic import checked, replacing
from uccurve._layout import printable
from uccurve.comparison import Comparison, check_models, compare
from uccurve.exceptions import ArgumentError
from uccurve.report import _contents, _page, _payload, _rows

if TYPE_CHECKING:
    import os

    import numpy as np

    from uccurve._typing import ArrayLike, Vary, X, Y
    from uccurve.intervals import Intervals

__all__ = ["report"]


def report(
    models: Mapping[str, Intervals] | Comparison,
    path: str | os.PathLike[str],
    *,
    title: str = "Prediction intervals",
    unit: str = "",
    by: ArrayLike | None = None,
    against: Mapping[str, ArrayLike] | None = None,
    rows: Any = None,
    x: X = "bandwidth",
    y: Y = "miss_rate",
    vary: Vary = "scale",
    miss_rate: float = 0.1,
    partial_range: tuple[float, float] = (0.0, 0.5),
    n_resamples: int = 9999,
    blocks: ArrayLike | int | None = None,
    level: float = 0.95,
    rng: np.random.Generator | int | None = None,
    progress: bool = False,
) -> Path:
    """Compare models and write a page to explore the result: one HTML file, for any browser, offline.

    Parameters
    ----------
    models : mapping of name to Intervals, or Comparison
        At least one model; all on the same observations, with the same weights. A comparison that
        was made already is shown as it is: what it was made with is then not asked for again.
    path : path-like
        Where the page goes. It appears whole or not at all.
    title : str
        The page's heading.
    unit : str
        The unit of y, for labels.
    by : array of shape (n,), optional
        Labels of segments, to be shown on their own as well: the tables hold the 100 largest, the
        view of intervals the 20 largest.
    against : mapping of name to array of shape (n,), optional
        Columns of numbers or times that the intervals can be drawn against.
    rows : slice or array of int, optional
        Which rows the view of intervals carries, at most 1000 divided by the outputs. By default all,
        or of more rows evenly spaced ones, a stretch of consecutive ones, and some of each segment.
    x, y, vary, miss_rate, partial_range, n_resamples, blocks, level, rng, progress
        As in `compare`; axes, miss rate and range are where the page begins.

    Returns
    -------
    pathlib.Path
        The file.

    Examples
    --------
    >>> import tempfile
    >>> import uccurve as uc
    >>> from uccurve.datasets import make_heteroscedastic
    >>> data = make_heteroscedastic(200, rng=0)
    >>> model = uc.Intervals.from_std(data.y_true, data.y_pred, data.std)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     page = uc.report({"truth": model}, f"{folder}/page.html", against={"x": data.x}, n_resamples=99)
    ...     page.name
    'page.html'
    """
    asked = {
        "x": x,
        "y": y,
        "vary": vary,
        "miss_rate": miss_rate,
        "partial_range": partial_range,
        "n_resamples": n_resamples,
        "blocks": blocks,
        "by": by,
        "level": level,
        "rng": rng,
    }
    first = _first(models, asked)
    labels = models.options["by"] if isinstance(models, Comparison) else by
    view = _view(first, title, unit, against, _rows.choose(rows, first, labels))
    checked(path)
    comparison = models
    if not isinstance(comparison, Comparison):
        comparison = compare(comparison, **asked, progress=progress)  # type: ignore[arg-type]
    numbers = _payload.payload(comparison, view)
    page = _page.render(numbers, _contents.contents(comparison, numbers))
    with replacing(path) as unfinished:
        unfinished.write_text(page, encoding="utf-8")
    return Path(path)


def _first(models: Mapping[str, Intervals] | Comparison, asked: Mapping[str, Any]) -> Intervals:
    """Return the first model's intervals; refuse options that a comparison has settled already."""
    if not isinstance(models, Comparison):
        check_models(models)
        return next(iter(models.values()))
    defaults = compare.__kwdefaults__ or {}
    changed = [name for name, value in asked.items() if not _is(value, defaults[name])]
    if changed:
        raise ArgumentError(f"`{changed[0]}` must not be given with a Comparison, which has its own.")
    return next(iter(models.curves.values())).intervals


def _is(value: Any, default: Any) -> bool:
    return value is default or (isinstance(value, (str, float, int, tuple)) and value == default)


def _view(first: Intervals, title: str, unit: str, against: Any, rows: _rows.Rows) -> _payload.View:
    """Check what the page shows beside the comparison."""
    for name, text in (("title", title), ("unit", unit)):
        if not isinstance(text, str):
            raise ArgumentError(f"`{name}` must be text, got {type(text).__name__}.")
    if not isinstance(against, Mapping | None):
        raise ArgumentError(f"`against` must map names to columns, got {type(against).__name__}.")
    return _payload.View(
        title=printable(title),
        unit=printable(unit),
        columns=_rows.columns(against or {}, first),
        rows=rows,
    )
