"""The result of a query, as arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from types import ModuleType


def columns_of(frame: Any) -> dict[str, np.ndarray]:
    """Run a query, and return its columns as arrays."""
    import narwhals as nw  # noqa: PLC0415

    if isinstance(frame, nw.LazyFrame):
        streaming: dict[str, Any] = {}
        if frame.implementation is nw.Implementation.POLARS:
            streaming["engine"] = "streaming"
        frame = frame.collect(**streaming)
    return {name: _array(nw, frame.get_column(name)) for name in frame.columns}


def _array(nw: ModuleType, column: Any) -> np.ndarray:
    """Return a column as an array, text as objects: NumPy's own text loses zero bytes at its end."""
    if column.dtype != nw.String:
        return np.asarray(column.to_numpy())
    return np.array(column.to_list(), dtype=object)
