"""Rows of engines that run on this machine, batch by batch, and the segments of each batch.

Handing them out takes an engine no longer than adding them up. NumPy then finds bins from the bits of
numbers, where the one GROUP BY for all engines, in `_expression`, needs a logarithm of each. But a GROUP BY
works on all cores of the machine, and NumPy on one.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

BATCH = 1 << 19
"""Rows that are handed out at once."""
FEW_THREADS = 3
"""An engine with more threads summarizes rows itself in less time."""
_ROW = "row"


def batches(frame: Any) -> Iterator[Any] | None:
    """Return the rows of a frame of narwhals in eager frames, or None if its engine should summarize them.

    The order of the rows may be any.
    """
    import narwhals as nw  # noqa: PLC0415

    native, engine = frame.to_native(), frame.implementation
    if engine.is_pandas() or engine.is_pyarrow():
        return iter([frame])
    if engine.is_polars():
        return None if _polars_threads() > FEW_THREADS else _polars_batches(nw, frame)
    if engine.is_duckdb() and find_spec("pyarrow") is not None:
        threads, is_here = _duckdb_settings(native)
        return map(nw.from_native, _duckdb_batches(native)) if is_here and threads <= FEW_THREADS else None
    return None


def _polars_threads() -> int:
    import polars as pl  # noqa: PLC0415

    return pl.thread_pool_size()


def _polars_batches(nw: Any, frame: Any) -> Iterator[Any] | None:
    """Return batches of a lazy frame, which early versions do not hand out; an eager frame is one."""
    if isinstance(frame, nw.DataFrame):
        return iter([frame])
    native = frame.to_native()
    if not hasattr(native, "collect_batches"):
        return None
    return map(
        nw.from_native,
        native.collect_batches(chunk_size=BATCH, maintain_order=False, engine="streaming"),
    )


def _duckdb_settings(relation: Any) -> tuple[int, bool]:
    """Return the threads of a relation, and whether all its databases are DuckDB's own.

    A service would have to send all its rows. `relation.query` would ask without a detour, but leaves a view
    behind in earlier versions.
    """
    kinds = "(SELECT list(DISTINCT type) FROM duckdb_databases())"
    asked = f"current_setting('threads') AS threads, {kinds} AS kinds, count(*) AS no_rows"
    threads, found, _ = relation.limit(0).aggregate(asked).fetchall()[0]
    return int(threads), found == ["duckdb"]


def _duckdb_batches(relation: Any) -> Iterator[Any]:
    import pyarrow as pa  # noqa: PLC0415

    read = getattr(relation, "to_arrow_reader", None) or relation.fetch_arrow_reader  # of earlier versions
    with read(BATCH) as reader:
        for batch in reader:
            yield pa.Table.from_batches([batch])


def by_segment(batch: Any, groups: Sequence[str]) -> tuple[np.ndarray, np.ndarray] | None:
    """Return the rows of a batch sorted by segment, and the number of rows of each segment.

    None stands for labels of a kind that PyArrow does not group by, as those of DuckDB may be.
    """
    native = batch.to_native()
    if batch.implementation.is_polars():
        return _by_segment_of_polars(native, groups)
    if batch.implementation.is_pyarrow():
        return _by_segment_of_pyarrow(native, groups)
    rows = native.reset_index(drop=True)  # the index may have the name of a column
    codes = rows.groupby(list(groups), dropna=False, sort=False, observed=True).ngroup().to_numpy()
    return np.argsort(codes, kind="stable"), np.bincount(codes)


def _by_segment_of_polars(frame: Any, groups: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    rows = frame.select(groups).with_row_index(_ROW).group_by(groups).agg(_ROW)[_ROW]
    return rows.explode().to_numpy(), rows.list.len().to_numpy()


def _by_segment_of_pyarrow(table: Any, groups: Sequence[str]) -> tuple[np.ndarray, np.ndarray] | None:
    import pyarrow as pa  # noqa: PLC0415

    numbered = table.select(groups).append_column(_ROW, pa.array(np.arange(table.num_rows)))
    try:
        found = numbered.group_by(list(groups)).aggregate([(_ROW, "list")])
    except pa.ArrowNotImplementedError:
        return None
    rows = found[f"{_ROW}_list"].combine_chunks()
    return rows.flatten().to_numpy(), rows.value_lengths().to_numpy()
