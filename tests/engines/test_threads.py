"""Scans with several threads: the rest of the tests run with one, and users have four."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import polars as pl
import pytest

import uccurve as uc

CODE = """
import json, sys, polars as pl, duckdb, uccurve as uc
model = {"m": uc.Columns(y_true="y", y_pred="pred", lower="lo", upper="hi", sample_weight="w")}
sources = {
    "polars": sys.argv[1], "duckdb": sys.argv[1], "lazy": pl.scan_parquet(sys.argv[1]), "eager": pl.read_parquet(sys.argv[1]),
    "relation": duckdb.connect(config={"threads": 4}).read_parquet(sys.argv[1]),
}
found = {}
for name, source in sources.items():
    sketches = uc.scan(source, model, "g", engine=name if name in ("polars", "duckdb") else "auto")
    for (_, label), sketch in sketches.items():
        curve = sketch.curve()
        found[f"{name} {label}"] = [sketch.rows, curve.area(), curve.gain(y="deficit"), curve.at(coverage=0.9).parameter]
print(json.dumps([pl.thread_pool_size(), found]))
"""


@pytest.mark.slow
def test_several_threads_find_the_numbers_of_one(tmp_path):
    """On more rows than a thread takes at once, by every way that has threads of its own."""
    rng, n = np.random.default_rng(0), 200_000
    scale, pred = rng.lognormal(sigma=0.5, size=n), rng.normal(size=n)
    frame = pl.DataFrame(
        {
            "y": pred + scale * rng.normal(size=n),
            "pred": pred,
            "lo": pred - scale,
            "hi": pred + 1.3 * scale,
            "w": rng.uniform(size=n),
            "g": rng.integers(0, 3, n),
        }
    )
    frame.write_parquet(tmp_path / "f.parquet", row_group_size=20_000)
    done = subprocess.run(
        [sys.executable, "-c", CODE, tmp_path / "f.parquet"],
        env={**os.environ, "POLARS_MAX_THREADS": "4"},
        capture_output=True,
        text=True,
        check=True,
    )
    threads, found = json.loads(done.stdout)
    assert (threads, len(found)) == (4, 15)
    rows = uc.Intervals.from_frame(
        frame, y_true="y", y_pred="pred", lower="lo", upper="hi", sample_weight="w"
    )
    for label, part in rows.by(frame["g"]).items():
        curve, sketched = part.ucc(), part.sketch().curve()
        wanted = [part.n, curve.area(), curve.gain(y="deficit"), sketched.at(coverage=0.9).parameter]
        for name in ("polars", "duckdb", "lazy", "eager", "relation"):
            assert found[f"{name} {label}"] == pytest.approx(wanted, rel=1e-12)
