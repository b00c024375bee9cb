"""The report page: one HTML file that needs no network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import numpy as np

    from uccurve._base.type_aliases import ArrayLike, Vary, X, Y
    from uccurve.comparison import Comparison
    from uccurve.inference import Criterion
    from uccurve.intervals import Intervals
    from uccurve.sketch import UCCSketch

__all__ = ["report"]


def report(
    models: Mapping[str, Intervals] | Mapping[str, UCCSketch] | Intervals | UCCSketch | Comparison,
    path: str | os.PathLike[str],
    *,
    title: str = "Prediction intervals",
    unit: str = "",
    by: ArrayLike | None = None,
    against: Mapping[str, ArrayLike] | None = None,
    rows: Any = None,
    notes: Sequence[str] = (),
    about: Mapping[str, str] | None = None,
    x: X = "bandwidth",
    y: Y = "miss_rate",
    vary: Vary = "scale",
    coverage: float | None = None,
    miss_rate: float | None = None,
    rank_by: Criterion = "interval_score",
    n_resamples: int | None = None,
    blocks: ArrayLike | int | None = None,
    confidence_level: float = 0.95,
    rng: np.random.Generator | int | None = None,
    progress: bool = False,
) -> Path:
    """Compare models and write a page to explore the result: one HTML file, for any browser, offline.

    Parameters
    ----------
    models : mapping of name to Intervals or to UCCSketch, or Comparison
        At least one model; all on the same observations, with the same weights. A `Comparison` is shown as it
        is, with its own options. A page of sketches has no tests and no view of intervals.
    path : path-like
        The file to write; a failure leaves no partial page.
    title : str
        The page's heading.
    unit : str
        The unit of y, for labels.
    by : array of shape (n,), optional
        Labels of segments, to be shown on their own as well: the tables have the 100 largest, the
        view of intervals the 20 largest.
    against : mapping of name to array of shape (n,), optional
        Columns of numbers or times that the intervals can be drawn against.
    rows : slice or array of int, optional
        Rows in the view of intervals, at most 1,000; with several outputs, 1,000 in all. By default all; if
        there are more, evenly spaced ones, a run of consecutive ones, and some of each segment.
    notes : sequence of str
        Warnings about the data, to be shown at the top.
    about : mapping of name to text, optional
        Facts for "Data and method", such as ``{"file": "loads.csv", "date": "2026-05-01"}``. A
        ``"command"`` is shown on its own line.
    x, y, vary, coverage, miss_rate, rank_by, n_resamples, blocks, confidence_level, rng, progress
        As in `compare`; the page opens at this coverage.

    Returns
    -------
    pathlib.Path
        The file.

    Raises
    ------
    PairError, ArgumentTypeError
        As in `compare`.
    OSError
        If the file cannot be written; the folder must exist.
    ShapeError
        If ``by``, ``blocks`` or a column of ``against`` does not have one value per row.
    ArgumentError
        If an option has a value outside its rule, or is passed beside a `Comparison`, which has its own.
    MissingDependencyError
        If Jinja is not installed.

    See Also
    --------
    compare : The same numbers, without a page.

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
    from uccurve.report_page import build  # noqa: PLC0415 - what is seldom used is imported when it is

    options = {
        "x": x,
        "y": y,
        "vary": vary,
        "coverage": coverage,
        "miss_rate": miss_rate,
        "rank_by": rank_by,
        "n_resamples": n_resamples,
        "blocks": blocks,
        "by": by,
        "confidence_level": confidence_level,
        "rng": rng,
    }
    return build.write(
        models,
        path,
        options,
        title=title,
        unit=unit,
        against=against,
        chosen=rows,
        notes=notes,
        about=about,
        progress=progress,
    )
