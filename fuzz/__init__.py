"""The search for inputs that break the library: one module per target, run by ``make fuzz``."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "tests"))  # the oracle, and rows for scans
