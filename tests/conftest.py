"""Shared settings of the tests."""

from __future__ import annotations

import sys
from pathlib import Path

from hypothesis import HealthCheck, settings

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "tools")]  # the oracle, the strategies, the browser
sys.path.append(str(HERE.parent))  # the case studies

settings.register_profile(
    "repeatable", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], database=None
)
settings.register_profile("search", deadline=None, max_examples=2000)
settings.load_profile("repeatable")
