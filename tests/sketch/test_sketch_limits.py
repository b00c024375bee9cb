"""Sketches of one-sided limits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import uccurve as uc
from uccurve.exceptions import ArgumentError
from uccurve.sketch import SketchFile


def limit(side, seed=0, n=40):
    rng = np.random.default_rng(seed)
    y, band = rng.normal(size=n), rng.exponential(size=n) + 0.1
    bands = (None, band) if side == "upper" else (band, np.inf)
    return uc.Intervals.from_bands(y, 0 * y, *bands, sample_weight=rng.integers(1, 4, n).astype(float))


def two_sided(seed=0, n=40):
    rng = np.random.default_rng(seed)
    return uc.Intervals.from_bands(rng.normal(size=n), np.zeros(n), rng.exponential(size=n) + 0.1)


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
        assert sketch.curve().original.bandwidth == pytest.approx(rows.ucc().original.bandwidth)


@given(st.sampled_from(["upper", "lower"]), st.integers(0, 40), st.integers(0, 5))
@settings(max_examples=60)
def test_merging_any_split_of_a_limit_is_the_whole(side, cut, seed):
    """An empty part has no side, and takes that of the other."""
    rows = limit(side, seed)
    parts = [rows[part].sketch() for part in (slice(cut), slice(cut, None)) if len(rows.y_true[part])]
    merged = sum(parts, uc.UCCSketch())
    again = uc.UCCSketch.from_bytes(merged.to_bytes())
    assert again.side == side
    assert again.rows == 40
    assert again.curve().area() == pytest.approx(rows.ucc().area())


OTHERS = {"upper": limit("upper"), "lower": limit("lower"), "both": two_sided()}


@pytest.mark.parametrize(("a", "b"), [("upper", "both"), ("both", "lower"), ("upper", "lower")])
def test_sketches_on_different_sides_do_not_merge(a, b):
    """In memory, from bytes and as files."""
    one, other = (uc.UCCSketch.from_bytes(OTHERS[side].sketch().to_bytes()) for side in (a, b))
    with pytest.raises(ArgumentError):
        _ = one + other
    with pytest.raises(ArgumentError):
        SketchFile.merge([SketchFile.of({"m": one}), SketchFile.of({"m": other})])
