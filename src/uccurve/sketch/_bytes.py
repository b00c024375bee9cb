"""A sketch as bytes.

The format, version 2, all numbers little-endian:

* the eight bytes ``UCCSKTCH``; the version, the fraction bits, the number of totals and the side as uint16;
  the number of bins of each table (scale, switch, error) as uint32;
* the number of outputs as uint32, 0 if it is not known what belongs to which; the exponent of the unit of
  squares as int32; where there are several outputs, the number of bins of each one's table as uint32 (the
  table of all outputs then has no bins here: it is their sum);
* the totals as float64;
* for each table its bins as int64, the largest numbers and then each column of sums as float64;
* for each of several outputs its five totals as float64, and its table;
* a CRC-32 of everything before it as uint32.

The side is 0. A one-sided limit is written as version 3, which differs in the side alone: 1 for an upper
limit, 2 for a lower one. Versions of uccurve that know no limits refuse it.

Version 1 lacks the second point and outputs. It is read as well: one output is complete, several are known in
their sum only.
"""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from uccurve._kernels import bins
from uccurve._kernels.bins import FRACTION_BITS, BinTable
from uccurve.exceptions import SketchFormatError
from uccurve.sketch import _state_rules
from uccurve.sketch._state import NAMES, OUTPUT_NAMES, TABLES, Output, State, Totals

if TYPE_CHECKING:
    from uccurve._base.type_aliases import Side

MAGIC = b"UCCSKTCH"
VERSION = 2
ONE_SIDED_VERSION = 3
_SIDES: tuple[Side, ...] = ("both", "upper", "lower")
"""Sides by number."""
_HEAD = struct.Struct(f"<8s4H{len(TABLES)}I")
_OUTPUTS = struct.Struct("<Ii")
_CHECK = struct.Struct("<I")
_COLUMNS = [len(names) for names in TABLES.values()]
_ERROR_COLUMNS = len(TABLES["error"])


def write(state: State) -> bytes:
    """Turn a state into bytes."""
    outputs = state.outputs
    tables = [state.scale, state.switch, bins.empty(_ERROR_COLUMNS) if outputs else state.error]
    number = max(len(outputs), 1) if state.knows_outputs else 0
    version, side = VERSION if state.side == "both" else ONE_SIDED_VERSION, _SIDES.index(state.side)
    parts = [
        _HEAD.pack(MAGIC, version, FRACTION_BITS, len(NAMES), side, *(table.bins.size for table in tables)),
        _OUTPUTS.pack(number, state.totals.exponent),
        np.array([output.error.bins.size for output in outputs], dtype="<u4").tobytes(),
        _numbers([getattr(state.totals, name) for name in NAMES]),
        *map(_table, tables),
    ]
    for output in outputs:
        parts += [_numbers([getattr(output, name) for name in OUTPUT_NAMES]), _table(output.error)]
    body = b"".join(parts)
    return body + _CHECK.pack(zlib.crc32(body))


def _numbers(values: list[float]) -> bytes:
    return np.array(values, dtype="<f8").tobytes()


def _table(table: BinTable) -> bytes:
    columns = [column.astype("<f8").tobytes() for column in (table.largest, *table.sums)]
    return b"".join([table.bins.astype("<i8").tobytes(), *columns])


class _Layout(NamedTuple):
    """What the header says about the rest."""

    start: int
    """Where the totals begin."""
    sizes: list[int]
    """Bins of each table."""
    number: int
    """Number of outputs; 0 if they cannot be told apart."""
    exponent: int
    output_sizes: list[int]
    """Bins of the table of each of several outputs."""
    side: Side = "both"

    @property
    def length(self) -> int:
        """Number of bytes in all."""
        numbers = len(NAMES) + sum(
            size * (2 + width) for size, width in zip(self.sizes, _COLUMNS, strict=True)
        )
        numbers += sum(len(OUTPUT_NAMES) + size * (2 + _ERROR_COLUMNS) for size in self.output_sizes)
        return self.start + 8 * numbers + _CHECK.size


def read(blob: bytes) -> State:
    """Turn bytes back into a state, or say what is wrong with them."""
    if len(blob) < _HEAD.size + _CHECK.size or not blob.startswith(MAGIC):
        start = bytes(blob[: len(MAGIC)])
        if not MAGIC.startswith(start) or not start:
            raise SketchFormatError(f"these {len(blob)} bytes are not a sketch: they begin with {start!r}")
        raise _cut_short(blob)
    layout = _layout(blob)
    if len(blob) != layout.length:
        fault = "is cut short" if len(blob) < layout.length else "has something behind it"
        raise SketchFormatError(f"the sketch {fault}: {len(blob)} bytes instead of {layout.length}")
    body = blob[: -_CHECK.size]
    if _CHECK.unpack_from(blob, len(body))[0] != zlib.crc32(body):
        raise SketchFormatError("the sketch is damaged: its check sum does not fit")
    state = _parse(body, layout)
    if (layout.number and not state.knows_outputs) or (state.outputs and layout.sizes[-1]):
        raise SketchFormatError("the sketch is damaged: its rows do not have the outputs it claims")
    _state_rules.check(state)
    return state


def _layout(blob: bytes) -> _Layout:
    """Read the header."""
    _, version, fraction, totals, side, *sizes = _HEAD.unpack_from(blob)
    if version not in (1, VERSION, ONE_SIDED_VERSION):
        raise SketchFormatError(
            f"the sketch has the format version {version}; this uccurve reads 1 to {ONE_SIDED_VERSION}"
        )
    if version == ONE_SIDED_VERSION and side not in (1, 2):
        raise SketchFormatError(f"the sketch is damaged: its limit is on the side {side}, not 1 or 2")
    if version != ONE_SIDED_VERSION and side:
        raise SketchFormatError(
            f"the sketch is damaged: it has the side {side}, which is for format version {ONE_SIDED_VERSION}"
        )
    if fraction != FRACTION_BITS or totals != len(NAMES):
        raise SketchFormatError("the sketch has other bins or totals than this uccurve writes")
    if version == 1:
        return _Layout(_HEAD.size, sizes, 0, 0, [])
    start = _HEAD.size + _OUTPUTS.size
    if len(blob) < start:
        raise _cut_short(blob)
    number, exponent = _OUTPUTS.unpack_from(blob, _HEAD.size)
    several = number if number > 1 else 0
    if len(blob) < start + 4 * several:
        raise _cut_short(blob)
    output_sizes = np.frombuffer(blob, dtype="<u4", count=several, offset=start).tolist()
    limit: Side = _SIDES[side] if version == ONE_SIDED_VERSION else "both"
    return _Layout(start + 4 * several, sizes, number, exponent, output_sizes, limit)


def _parse(body: bytes, layout: _Layout) -> State:
    place = layout.start

    def take(kind: str, count: int) -> np.ndarray:
        nonlocal place
        found = np.frombuffer(body, dtype=kind, count=count, offset=place)
        place += 8 * count
        return found.astype(kind[1:])

    def named(names: tuple[str, ...]) -> dict[str, float]:
        return dict(zip(names, take("<f8", len(names)).tolist(), strict=True))

    def table(size: int, width: int) -> BinTable:
        return BinTable(take("<i8", size), take("<f8", size), take("<f8", width * size).reshape(width, size))

    totals = Totals(**named(NAMES), exponent=layout.exponent)
    tables = dict(zip(TABLES, map(table, layout.sizes, _COLUMNS), strict=True))
    outputs = []
    for size in layout.output_sizes:
        numbers = named(OUTPUT_NAMES)
        outputs.append(Output(error=table(size, _ERROR_COLUMNS), **numbers))
    if outputs:
        tables["error"] = bins.merged([output.error for output in outputs])
    return State(**tables, totals=totals, outputs=tuple(outputs), side=layout.side)


def _cut_short(blob: bytes) -> SketchFormatError:
    return SketchFormatError(f"the sketch is cut short: it ends after {len(blob)} bytes")
