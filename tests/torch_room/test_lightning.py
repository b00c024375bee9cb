"""The example with Lightning runs, and learns."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import uccurve

ROOT = Path(__file__).parents[2]


def test_the_example_with_lightning_learns_a_band():
    """A few epochs gain more than a constant band, which gains 0."""
    run = subprocess.run(
        [sys.executable, ROOT / "examples" / "lightning_bands.py", "--epochs", "8"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(Path(uccurve.__file__).parents[1]), "OMP_NUM_THREADS": "1"},
    )
    gain, covered = re.search(r"deficit gain (.*)%, where.* (.*)% covered", run.stdout, re.DOTALL).groups()
    assert float(gain) > 4
    assert 85 < float(covered) < 95
    assert "missed: the area leaves" in run.stdout
