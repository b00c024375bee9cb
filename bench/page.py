"""Size of a large report page, and how long a browser takes to open it."""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import uccurve as uc

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))
from browser import chromium

ROWS = 100_000
LIMITS = {"megabytes": 1.5, "seconds": 2.0}


def models() -> dict[str, uc.Intervals]:
    """Three models that predict differently, with asymmetric bands: what makes a page largest."""
    rng = np.random.default_rng(0)
    y, scale = rng.normal(size=ROWS), rng.lognormal(sigma=0.5, size=ROWS)
    return {
        f"model {i}": uc.Intervals.from_bands(y * scale, rng.normal(size=ROWS) / 5, scale ** (i / 2), scale)
        for i in range(3)
    }


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        page = uc.report(models(), Path(folder) / "page.html", n_resamples=99, rng=0)
        size = page.stat().st_size / 1e6
        times = []
        with chromium() as browser:
            for _ in range(5):
                tab = browser.new_page()
                start = time.perf_counter()
                tab.goto(page.as_uri())
                tab.wait_for_selector("body.ready")
                times.append(time.perf_counter() - start)
                tab.close()
    print(f"report page of 3 models and {ROWS:,} rows: {size:.2f} MB (at most {LIMITS['megabytes']})")
    print(f"opened in {statistics.median(times):.2f} s, median of 5 (less than {LIMITS['seconds']:g})")


if __name__ == "__main__":
    main()
