"""A sketch as bytes.

The format, version 1, all numbers little-endian: the eight bytes ``UCCSKTCH``; the version, the
fraction bits and the number of totals as uint16, two bytes of zero; the number of bins of each
table as uint32; the totals as float64; for each table (scale, switch, error) its bins as int64, the
largest numbers and then each column of sums as float64; and a CRC-32 of everything before it as uint32.
"""

from __future__ import annotations

import struct
import zlib

import numpy as np

from uccurve._kernels.bins import FRACTION_BITS, BinTable
from uccurve.exceptions import SketchFormatError
from uccurve.sketch._state import NAMES, TABLES, State, Totals

MAGIC = b"UCCSKTCH"
VERSION = 1
_HEAD = struct.Struct(f"<8s4H{len(TABLES)}I")
_CHECK = struct.Struct("<I")


def write(state: State) -> bytes:
    """Turn a state into bytes."""
    tables = [getattr(state, name) for name in TABLES]
    head = _HEAD.pack(MAGIC, VERSION, FRACTION_BITS, len(NAMES), 0, *(table.bins.size for table in tables))
    totals = np.array([getattr(state.totals, name) for name in NAMES], dtype="<f8").tobytes()
    parts = [head, totals]
    for table in tables:
        parts.append(table.bins.astype("<i8").tobytes())
        parts += [column.astype("<f8").tobytes() for column in (table.largest, *table.sums)]
    body = b"".join(parts)
    return body + _CHECK.pack(zlib.crc32(body))


def read(blob: bytes) -> State:
    """Turn bytes back into a state, or say what is wrong with them."""
    if len(blob) < _HEAD.size + _CHECK.size or not blob.startswith(MAGIC):
        start = bytes(blob[: len(MAGIC)])
        if not MAGIC.startswith(start) or not start:
            raise SketchFormatError(f"these {len(blob)} bytes are not a sketch: they begin with {start!r}.")
        raise SketchFormatError(f"the sketch is cut short: it ends after {len(blob)} bytes.")
    _, version, fraction, totals, _, *sizes = _HEAD.unpack_from(blob)
    if version != VERSION:
        raise SketchFormatError(f"the sketch has the format version {version}; this uccurve reads {VERSION}.")
    if fraction != FRACTION_BITS or totals != len(NAMES):
        raise SketchFormatError("the sketch has other bins or totals than this uccurve writes.")
    columns = [len(names) for names in TABLES.values()]
    numbers = totals + sum(size * (2 + width) for size, width in zip(sizes, columns, strict=True))
    wanted = _HEAD.size + 8 * numbers + _CHECK.size
    if len(blob) != wanted:
        fault = "is cut short" if len(blob) < wanted else "has something behind it"
        raise SketchFormatError(f"the sketch {fault}: {len(blob)} bytes instead of {wanted}.")
    body = blob[: -_CHECK.size]
    if _CHECK.unpack_from(blob, len(body))[0] != zlib.crc32(body):
        raise SketchFormatError("the sketch is damaged: its check sum does not fit.")
    return _parse(body, totals, sizes, columns)


def _parse(body: bytes, totals: int, sizes: list[int], columns: list[int]) -> State:
    place = _HEAD.size

    def take(kind: str, count: int) -> np.ndarray:
        nonlocal place
        found = np.frombuffer(body, dtype=kind, count=count, offset=place)
        place += 8 * count
        return found.astype(kind[1:])

    values = dict(zip(NAMES, take("<f8", totals).tolist(), strict=True))
    tables = {
        name: BinTable(take("<i8", size), take("<f8", size), take("<f8", width * size).reshape(width, size))
        for name, size, width in zip(TABLES, sizes, columns, strict=True)
    }
    return State(**tables, totals=Totals(**values))
