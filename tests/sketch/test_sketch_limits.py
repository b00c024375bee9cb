"""Sketches of one-sided limits: format version 3, beside the versions before it, which are read as well."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import uccurve as uc
from uccurve.exceptions import ArgumentError, SketchFormatError
from uccurve.sketch import SketchFile

HERE = Path(__file__).parent
Y = np.array([[1.0, 20], [2, -10], [-3, 40], [0.5, 0]])
LOWER = np.array([[1.0, 10], [2, 30], [1, 20], [4, 10]])
UPPER = np.array([[2.0, 10], [1, 20], [1, 40], [4, 15]])
VERSION, SIDE = 8, 14
"""Where these two are in the bytes."""


def limit(side, seed=0, n=40):
    rng = np.random.default_rng(seed)
    y, band = rng.normal(size=n), rng.exponential(size=n) + 0.1
    bands = (None, band) if side == "upper" else (band, np.inf)
    return uc.Intervals.from_bands(y, 0 * y, *bands, sample_weight=rng.integers(1, 4, n).astype(float))


def two_sided(seed=0, n=40):
    rng = np.random.default_rng(seed)
    return uc.Intervals.from_bands(rng.normal(size=n), np.zeros(n), rng.exponential(size=n) + 0.1)


def sealed(blob, place, value):
    """Change a number of the header, with a check sum that fits."""
    body = bytearray(blob[:-4])
    struct.pack_into("<H", body, place, value)
    return bytes(body) + struct.pack("<I", zlib.crc32(bytes(body)))


@pytest.mark.parametrize(("side", "number"), [("upper", 1), ("lower", 2)])
def test_limits_are_written_as_version_3_and_come_back(side, number, tmp_path):
    """As bytes and as a file, with the numbers of the rows."""
    rows = limit(side)
    blob = rows.sketch().to_bytes()
    assert struct.unpack_from("<H", blob, VERSION) == (3,)
    assert struct.unpack_from("<H", blob, SIDE) == (number,)
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


UPPER_BLOB = OTHERS["upper"].sketch().to_bytes()
BOTH_BLOB = OTHERS["both"].sketch().to_bytes()


@pytest.mark.parametrize(
    "blob",
    [
        sealed(UPPER_BLOB, SIDE, 0),
        sealed(UPPER_BLOB, SIDE, 3),
        sealed(UPPER_BLOB, VERSION, 2),
        sealed(BOTH_BLOB, SIDE, 2),
        sealed(BOTH_BLOB, VERSION, 3),
        UPPER_BLOB[:-9],
        UPPER_BLOB[:30],
        UPPER_BLOB + b"\0",
    ],
)
def test_limits_that_contradict_themselves_are_refused(blob):
    """Also where the check sum fits."""
    with pytest.raises(SketchFormatError):
        uc.UCCSketch.from_bytes(blob)


@given(st.integers(0, len(UPPER_BLOB) - 1), st.integers(1, 255))
def test_no_flipped_byte_of_a_limit_goes_unnoticed(place, change):
    """The side among them."""
    blob = bytearray(UPPER_BLOB)
    blob[place] ^= change
    with pytest.raises(SketchFormatError):
        uc.UCCSketch.from_bytes(bytes(blob))


def kept(version, name):
    """A sketch that an earlier uccurve wrote."""
    return uc.UCCSketch.from_bytes((HERE / f"version_{version}" / f"{name}.ucc").read_bytes())


@pytest.mark.parametrize("version", [1, 2])
def test_older_versions_are_read_as_intervals_on_both_sides(version):
    """Of one output, several and none; what they are is written as version 2 again."""
    rows = uc.Intervals.from_bands(Y[:, 0], 0 * Y[:, 0], LOWER[:, 0], UPPER[:, 0])
    one = kept(version, "one_output")
    assert (one.side, one) == ("both", rows.sketch())
    assert one.curve().gain() == rows.sketch().curve().gain()
    assert struct.unpack_from("<H", one.to_bytes(), VERSION) == (2,)
    assert kept(version, "empty") == uc.UCCSketch()
    several = uc.Intervals.from_bands(Y, 0 * Y, LOWER, UPPER, sample_weight=[1, 2, 1, 0.5])
    assert kept(version, "two_outputs").side == "both"
    assert kept(version, "two_outputs").curve().area() == pytest.approx(several.ucc().area())


@pytest.mark.parametrize(
    ("version", "names"), [(2, ("one_output", "two_outputs", "empty")), (3, ("upper", "lower"))]
)
def test_the_bytes_of_this_version_do_not_change(version, names):
    """Byte for byte: other machines read them."""
    for name in names:
        blob = (HERE / f"version_{version}" / f"{name}.ucc").read_bytes()
        assert uc.UCCSketch.from_bytes(blob).to_bytes() == blob


def test_version_3_has_the_numbers_of_the_rows():
    """One output and an upper limit, two outputs and a lower one."""
    upper = uc.Intervals.from_bands(Y[:, 0], 0 * Y[:, 0], upper_band=UPPER[:, 0])
    lower = uc.Intervals.from_bands(Y, 0 * Y, LOWER, np.inf, sample_weight=[1, 2, 1, 0.5])
    for name, rows in (("upper", upper), ("lower", lower)):
        assert kept(3, name) == rows.sketch()
        assert kept(3, name).side == name
        assert kept(3, name).curve().gain() == pytest.approx(rows.ucc().gain())
