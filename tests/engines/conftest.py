"""The two ways in which rows of a scan are summarized."""

from __future__ import annotations

import pytest

from uccurve.engines import _polars_bits, _row_batches


@pytest.fixture(params=["batches", "engine", "engine, with logarithms"])
def way(request, monkeypatch):
    """Rows in several small batches, or a GROUP BY of the engine."""
    monkeypatch.setattr(_row_batches, "BATCH", request.module.BATCH)
    monkeypatch.setattr(_row_batches, "_polars_threads", lambda: 2)
    if request.param != "batches":
        monkeypatch.setattr(_row_batches, "batches", lambda _: None)
    if request.param == "engine, with logarithms":
        monkeypatch.setattr(_polars_bits, "readable", lambda: False)
    return request.param
