"""Let the tests ask the questions that UQ360 was asked, which are beside the benchmarks; and use their helpers."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.extend([str(Path(__file__).parents[2] / "bench"), str(Path(__file__).parent)])
