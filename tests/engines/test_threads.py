"""Scans with several threads: the rest of the tests run with one, and users have four."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import polars as pl
import pytest

import uccurve as uc
from scanned_rows import FRAMES, agree

CODE = "import sys, runpy; sys.path[:] = eval(sys.argv[1]); runpy.run_path(sys.argv[2])['check'](sys.argv[3])"
ROLES = {"y_true": "y", "y_pred": "pred", "lower": "lo", "upper": "hi", "sample_weight": "w"}


def check(path):
    """Every way that has threads of its own finds the bins of the rows in memory."""
    assert pl.thread_pool_size() == 4
    frame = pl.read_parquet(path)
    rows = uc.Intervals.from_frame(frame, **ROLES)
    wanted = {("m", label): part.sketch() for label, part in rows.by(frame["g"]).items()}
    for source in (*(make(frame) for make in FRAMES.values()), path, pl.scan_parquet(path)):
        found = uc.scan(source, {"m": uc.Columns(**ROLES)}, by="g")
        assert list(found) == list(wanted)
        for key, sketch in found.items():
            agree(sketch, wanted[key])


@pytest.mark.slow
def test_several_threads_find_the_numbers_of_one(tmp_path):
    """On more rows than a thread takes at once."""
    rng, n = np.random.default_rng(0), 200_000
    scale, pred = rng.lognormal(sigma=0.5, size=n), rng.normal(size=n)
    y, w, g = pred + scale * rng.normal(size=n), rng.uniform(size=n), rng.integers(0, 3, n)
    columns = {"y": y, "pred": pred, "lo": pred - scale, "hi": pred + 1.3 * scale, "w": w, "g": g}
    pl.DataFrame(columns).write_parquet(tmp_path / "f.parquet", row_group_size=20_000)
    env = {**os.environ, "POLARS_MAX_THREADS": "4"}
    subprocess.run(
        [sys.executable, "-c", CODE, repr(sys.path), __file__, tmp_path / "f.parquet"], env=env, check=True
    )
