"""Shared by the tests of the command line."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # command_runs


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """The same rows in every format, only to be read."""
    from command_runs import forecasts

    path, frame = tmp_path_factory.mktemp("files"), forecasts()
    frame.write_csv(path / "f.csv")
    frame.write_parquet(path / "f.parquet")
    frame.write_ipc(path / "f.feather")
    frame.write_ndjson(path / "f.jsonl")
    return path
