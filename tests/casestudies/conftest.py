"""Shared fixtures: a made traffic file, what the study reads from it, and fresh worker processes."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from casestudies.traffic import hourly, windows
from joblib.externals.loky import get_reusable_executor

sys.path.insert(0, str(Path(__file__).parent))  # the made traffic file


@pytest.fixture(scope="session")
def file(tmp_path_factory):
    """Return the path of a small file with the quirks of the real one."""
    import made_traffic

    return made_traffic.write(tmp_path_factory.mktemp("traffic") / "small.csv")


@pytest.fixture(scope="session")
def hours(file):
    return hourly.hourly(hourly.read_traffic(file))


@pytest.fixture(scope="session")
def parts(hours):
    return windows.split(hours, stride=7)


@pytest.fixture
def numbers_alone(monkeypatch):
    """Let a study write its numbers, and neither figures nor a report: for a second run of the same."""
    monkeypatch.setattr("casestudies.shared.program.Output.write_figures", lambda *_: None)
    monkeypatch.setattr("uccurve.report", lambda *_, **__: None)


@pytest.fixture(autouse=True, scope="module")
def fresh_workers():
    """Stop the workers after each module.

    joblib keeps them for the next call. A worker of one study that loads the libraries of the other grows
    enough to be taken for a memory leak: joblib warns in a thread, and with warnings as errors it hangs.
    """
    yield
    get_reusable_executor().shutdown(wait=True, kill_workers=True)
