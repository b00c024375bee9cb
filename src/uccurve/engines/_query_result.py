"""The result of a query, as arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np


def columns_of(frame: Any) -> dict[str, np.ndarray]:
    """Run a query, and return its columns as arrays."""
    import narwhals as nw  # noqa: PLC0415

    if isinstance(frame, nw.LazyFrame):
        streaming: dict[str, Any] = {}
        if frame.implementation is nw.Implementation.POLARS:
            streaming["engine"] = "streaming"
        frame = frame.collect(**streaming)
    return {name: frame.get_column(name).to_numpy() for name in frame.columns}
