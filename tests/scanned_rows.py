"""Rows for scans, with what makes scans hard, and the sketch that these rows give in memory."""

from __future__ import annotations

import math

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest

import uccurve as uc
from uccurve.sketch import state

MODELS = {
    "bounds": uc.Columns(y_true="y", y_pred="p", lower="lo", upper="hi", sample_weight="w"),
    "std": uc.Columns(y_true="y", y_pred="p", std="s"),
    "middle": uc.Columns(y_true="y", lower="lo", upper="hi"),
    "upper limit": uc.Columns(y_true="y", y_pred="p", upper="hi"),
    "lower limit": uc.Columns(y_true="y", y_pred="p", lower="lo", sample_weight="w"),
}

# The same rows in the frames of libraries that are quick to start.
FRAMES = {
    "pandas": pl.DataFrame.to_pandas,
    "pyarrow": pl.DataFrame.to_arrow,
    "polars": pl.DataFrame.lazy,
    "polars eager": lambda frame: frame,
    "duckdb": lambda frame: duckdb.connect(config={"threads": 2}).from_arrow(frame.to_arrow()),
}


def edges():
    """Scales within three roundings of the edges of bins, and beyond the bins at both ends."""
    found = []
    for octave in (-40, -13, -1, 0, 1, 2, 17, 39, 40):
        for step in (0, 1, 77, 255):
            value = math.ldexp(1 + step / 256, octave)
            up = down = value
            found.append(value)
            for _ in range(3):
                up, down = math.nextafter(up, math.inf), math.nextafter(down, 0.0)
                found += [up, down]
    return np.array([*found, 0.0, 1e-30, 1e30])


def data(unit=1.0, *, broken=False):
    """Rows with scales at the edges of bins, ties, zero bands and weights, some of them 0."""
    rng = np.random.default_rng(0)
    scale = edges()
    n = 400
    band = np.concatenate([np.ones(scale.size), np.exp(rng.normal(size=n))])
    size = np.concatenate([scale, rng.integers(0, 9, n) / 4.0])
    sign = rng.choice([-1.0, 1.0], size=size.size)
    ratio = np.concatenate([np.ones(scale.size), rng.choice([0.5, 1.0, 3.0], n)])
    band[-9:] = 0.0
    frame = {
        "y": sign * size * unit,
        "p": np.zeros(size.size),
        "lo": -np.where(sign < 0, band, band * ratio) * unit,
        "hi": np.where(sign < 0, band * ratio, band) * unit,
        "s": band * unit,
        "w": rng.integers(0, 4, size.size) + 0.0,
        "place": np.array(["north", "south", "east"])[np.arange(size.size) % 3],
        "week": np.arange(size.size) % 2,
    }
    frame["y"][-5:] = 0.0
    if broken:
        frame["y"][[3, 8]] = np.nan
        frame["p"][11] = np.inf
        frame["lo"][20], frame["hi"][20] = 5.0 * unit, -5.0 * unit
        frame["w"][30] = -1.0
        frame["s"][40] = -1.0
    return pd.DataFrame(frame)


def exact(frame, name, rows=None):
    """The sketch of rows that are in memory."""
    part = frame if rows is None else frame[rows]
    roles = MODELS[name].roles()
    return uc.Intervals.from_frame(part, **roles, invalid="drop").sketch()


def agree(found, wanted, unit=1.0):
    """Bins and largest scales to the bit; sums to 1e-12."""
    for table in state.TABLES:
        mine, theirs = getattr(found.state, table), getattr(wanted.state, table)
        assert np.array_equal(mine.bins, theirs.bins), table
        assert np.array_equal(mine.largest, theirs.largest), table
        np.testing.assert_allclose(mine.sums, theirs.sums, rtol=1e-12, atol=1e-290)
    for name in state.Totals._fields:
        mine, theirs = getattr(found.state.totals, name), getattr(wanted.state.totals, name)
        assert mine == pytest.approx(theirs, rel=1e-12, abs=1e-12 * unit * unit), name


def parts(frame, folder, suffix="parquet", count=3):
    """Write the rows as several files."""
    for place, rows in enumerate(np.array_split(np.arange(len(frame)), count)):
        part = pl.from_pandas(frame.iloc[rows])
        path = folder / f"part-{place}.{suffix}"
        {
            "parquet": part.write_parquet,
            "csv": part.write_csv,
            "arrow": part.write_ipc,
            "jsonl": part.write_ndjson,
        }[suffix](path)
    return folder
