"""Shared by the tests of the command line."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # command_runs


@pytest.fixture(autouse=True, scope="session")
def heard_interrupts():
    """Let programs hear interrupts: a test run in the background ignores them, and would hand that on."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


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
