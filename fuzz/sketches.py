"""Damaged bytes of sketches and of files of sketches, many with a checksum that fits."""

from __future__ import annotations

import math
import struct
import tempfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import strategies as st

import uccurve as uc
from fuzz.damage import damaged
from fuzz.search import Target
from uccurve.exceptions import SketchFormatError, UccurveError
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
_BLOBS = [sketch.to_bytes() for sketch in _SKETCHES] + [_file_of(sketch) for sketch in _SKETCHES]


def _with_checksum(raw: bytes, fits: bool) -> bytes:
    body = raw[: -_CHECKSUM.size]
    return body + _CHECKSUM.pack(zlib.crc32(body)) if fits else raw


def _answers(sketch: uc.UCCSketch) -> None:
    """Ask what users ask; an error of the library is an answer."""
    assert uc.UCCSketch.from_bytes(sketch.to_bytes()) == sketch
    both = sketch + sketch
    for curve in (sketch.curve(), both.curve()):
        point = curve.original
        for share in (point.miss_rate, point.coverage):
            assert -1e-9 <= share <= 1 + 1e-9, share  # noqa: PLR2004
        for question in (curve.area, curve.gain, curve.ceiling):
            for x in ("bandwidth", "excess"):
                for y in ("miss_rate", "deficit"):
                    _asked(question, x=x, y=y)
        _asked(curve.at, coverage=0.5)


def _asked(question: Any, **options: Any) -> None:
    try:
        found = question(**options)
    except UccurveError:
        return
    if isinstance(found, float) and question.__name__ == "area":
        assert not math.isnan(found), options


def _check(raw: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "f.ucc"
        path.write_bytes(raw)
        try:
            file = SketchFile.read(path)
        except SketchFormatError:
            return
        for sketch in file.sketches.values():
            _answers(sketch)
        assert SketchFile.read(file.write(path)).sketches == file.sketches


TARGET = Target(
    examples=st.builds(
        _with_checksum, damaged(st.sampled_from(_BLOBS)), st.sampled_from([True, True, True, False])
    ),
    check=_check,
)
