"""Shared settings of the tests."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

HERE = Path(__file__).parent
sys.path[:0] = map(str, [HERE, HERE / "report", HERE / "plotting", HERE.parent / "tools"])  # their helpers
sys.path.append(str(HERE.parent))  # the case studies
pytest.register_assert_rewrite("opened_page")

settings.register_profile(
    "repeatable", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], database=None
)
settings.register_profile("search", deadline=None, max_examples=2000)
settings.load_profile("repeatable")

# What `make check` leaves out beside the tests that are marked as slow one by one.
SLOW_FOLDERS = {"cli", "casestudies"}  # most of their tests start programs
SLOW_FIXTURES = {"browser"}


def pytest_collection_modifyitems(items):
    """Mark the tests of whole folders, and those that need a slow fixture, as slow."""
    for item in items:
        fixtures = set(getattr(item, "fixturenames", ()))
        if (item.path.parent.name in SLOW_FOLDERS and HERE in item.path.parents) or fixtures & SLOW_FIXTURES:
            item.add_marker(pytest.mark.slow)
