"""Damaged files of sketches, many with a checksum that matches: they are read or refused."""

from __future__ import annotations

import struct
import tempfile
import zlib
from pathlib import Path

import numpy as np
from hypothesis import strategies as st

import uccurve as uc
from fuzz.damage import damaged
from fuzz.search import Target
from uccurve.exceptions import SketchFormatError
from uccurve.sketch import SketchFile

_CHECKSUM = struct.Struct("<I")


def _rows(seed: int, outputs: int, unit: float) -> uc.Intervals:
    rng = np.random.default_rng(seed)
    shape = (9, outputs) if outputs > 1 else (9,)
    lower, upper = rng.exponential(size=(2, *shape)) * unit
    y = rng.integers(-3, 4, size=shape) * unit
    return uc.Intervals.from_bands(y, np.zeros(shape), lower, upper, sample_weight=rng.uniform(0, 2, 9))


def _file_of(sketch: uc.UCCSketch) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        file = SketchFile.of({("m", 1): sketch, ("m", "b"): sketch}, by="place")
        return Path(file.write(f"{folder}/f.ucc")).read_bytes()


_SKETCHES = [
    _rows(seed, outputs, unit).sketch()
    for seed, outputs, unit in ((0, 1, 1.0), (1, 3, 1.0), (2, 1, 1e-200), (3, 2, 1e150))
]
_FILES = [_file_of(sketch) for sketch in _SKETCHES]


def _with_checksum(raw: bytes, fits: bool) -> bytes:
    body = raw[: -_CHECKSUM.size]
    return body + _CHECKSUM.pack(zlib.crc32(body)) if fits else raw


def _check(raw: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "f.ucc"
        path.write_bytes(raw)
        try:
            file = SketchFile.read(path)
        except SketchFormatError:
            return
        assert SketchFile.read(file.write(path)).sketches.keys() == file.sketches.keys()


TARGET = Target(
    examples=st.builds(
        _with_checksum, damaged(st.sampled_from(_FILES)), st.sampled_from([True, True, True, False])
    ),
    check=_check,
)
