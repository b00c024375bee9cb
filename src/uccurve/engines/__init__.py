"""Curves of data that does not fit into memory: one pass over files or over a frame of any engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from uccurve.engines._model_columns import Columns

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence

    from uccurve._base.type_aliases import Invalid
    from uccurve.sketch import UCCSketch

__all__ = ["Columns", "scan"]


def scan(
    source: Any,
    models: Mapping[str, Columns],
    by: str | Sequence[str] | None = None,
    *,
    engine: str = "auto",
    invalid: Invalid = "raise",
    checkpoint: str | os.PathLike[str] | None = None,
    progress: bool = False,
    hive: bool = False,
) -> dict[Any, UCCSketch]:
    """Sketch the curves of models in one pass over data of any size.

    Parameters
    ----------
    source : path, pattern, list of paths, frame, or iterable of frames
        Parquet, CSV, Arrow or JSON lines files; a lazy or eager frame of Polars, DuckDB, PySpark,
        Dask, Ibis, PyArrow or pandas; or chunks of any of these, such as record batches. Frames are
        summarized by their own engine, wherever it runs, with one GROUP BY. A file that is named twice is
        read once, and the name of a file that exists is no pattern. Of a folder, files of all formats count,
        also compressed CSV files; what begins with a point or an underscore does not.
    models : mapping of name to Columns
        The columns of each model.
    by : str or sequence of str, optional
        Columns with the labels of segments.
    engine : {"auto", "polars", "duckdb"}
        The library that reads Parquet files and JSON lines; "auto" prefers Polars. CSV files are read by
        Polars, whatever the engine.
    invalid : {"raise", "drop"}
        Rows that break a rule are counted in the same pass. They raise an error, or are dropped with
        a warning.
    checkpoint : path, optional
        A folder that keeps the results of finished files: a scan that was interrupted resumes there.
    progress : bool
        Show the number of files done on the terminal.
    hive : bool
        Take labels from the names of folders, too: files in ``region=north/`` have the label "north", as
        text, in the column ``region``. By default, columns are only those in the files.

    Returns
    -------
    dict
        A sketch for each model; with ``by``, for each tuple of a model and the labels of a segment.

    Raises
    ------
    UnreadableFilesError
        If files cannot be read. It names them, and holds the sketches of the others.

    Examples
    --------
    >>> import polars as pl
    >>> import uccurve as uc
    >>> frame = pl.LazyFrame({"y": [1.0, 2.0, 4.0], "p": [1.5, 2.0, 3.0], "s": [0.5, 0.5, 2.0]})
    >>> sketches = uc.scan(frame, {"mine": uc.Columns(y_true="y", y_pred="p", std="s")})
    >>> sketches["mine"].curve().at(miss_rate=0.1).parameter
    1.0
    """
    from uccurve.engines import _scanning  # noqa: PLC0415 - imported on the first scan

    return _scanning.scan(
        source,
        models,
        by,
        engine=engine,
        invalid=invalid,
        checkpoint=checkpoint,
        progress=progress,
        hive=hive,
    )
