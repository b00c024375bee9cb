"""Sketches of one-sided limits."""

from __future__ import annotations

import numpy as np
import pytest

import uccurve as uc
from uccurve.exceptions import ArgumentError
from uccurve.sketch import SketchFile


def limit(side, seed=0, n=40):
    rng = np.random.default_rng(seed)
    y, band = rng.normal(size=n), rng.exponential(size=n) + 0.1
    bands = (None, band) if side == "upper" else (band, np.inf)
    return uc.Intervals.from_bands(y, 0 * y, *bands, sample_weight=rng.integers(1, 4, n).astype(float))


@pytest.mark.parametrize("side", ["upper", "lower"])
def test_limits_come_back(side, tmp_path):
    """As bytes and as a file, with the numbers of the rows."""
    rows = limit(side)
    blob = rows.sketch().to_bytes()
    SketchFile.of({"m": rows.sketch()}).write(tmp_path / "f.ucc")
    for sketch in (uc.UCCSketch.from_bytes(blob), SketchFile.read(tmp_path / "f.ucc").whole()["m"]):
        assert sketch == rows.sketch()
        assert sketch.side == sketch.curve().side == side
        assert sketch.to_bytes() == blob
        assert sketch.curve().gain() == pytest.approx(rows.ucc().gain())
        assert (sketch + sketch).side == (sketch + uc.UCCSketch()).side == side
        assert sketch.curve().original.bandwidth == pytest.approx(rows.ucc().original.bandwidth)


def test_sketches_on_different_sides_do_not_merge():
    """In memory and as files."""
    one, other = limit("upper").sketch(), limit("lower").sketch()
    with pytest.raises(ArgumentError):
        _ = one + other
    with pytest.raises(ArgumentError):
        SketchFile.merge([SketchFile.of({"m": one}), SketchFile.of({"m": other})])
