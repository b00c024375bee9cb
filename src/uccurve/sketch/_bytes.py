"""A sketch as bytes.

The format, version 1, all numbers little-endian:

* the eight bytes ``UCCSKTCH``; the version, the fraction bits, the number of totals and the side (0 for both,
  1 for an upper limit, 2 for a lower one) as uint16; the number of bins of each table (scale, switch, error)
  and the number of outputs as uint32;
* where there are several outputs, the number of bins of each one's table as uint32 (the table of all outputs
  then has no bins here: it is their sum);
* the totals as float64;
* for each table its bins as int64, the largest numbers and then each column of sums as float64;
* for each of several outputs its five totals as float64, and its table;
* a CRC-32 of everything before it as uint32.
"""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING

import numpy as np

from uccurve.exceptions import SketchFormatError
from uccurve.formulas import bins
from uccurve.formulas.bins import FRACTION_BITS, BinTable
from uccurve.sketch._state import NAMES, OUTPUT_NAMES, TABLES, Output, State, Totals

if TYPE_CHECKING:
    from uccurve._base.type_aliases import Side

_MAGIC = b"UCCSKTCH"
_VERSION = 1
_SIDES: tuple[Side, ...] = ("both", "upper", "lower")
"""Sides by number."""
_HEAD = struct.Struct(f"<8s4H{len(TABLES) + 1}I")
_CHECK = struct.Struct("<I")
_COLUMNS = [len(names) for names in TABLES.values()]
_ERROR_COLUMNS = len(TABLES["error"])


def write(state: State) -> bytes:
    """Turn a state into bytes."""
    outputs, side = state.outputs, _SIDES.index(state.side)
    tables = [state.scale, state.switch, bins.empty(_ERROR_COLUMNS) if outputs else state.error]
    sizes = [table.bins.size for table in tables]
    head = (_MAGIC, _VERSION, FRACTION_BITS, len(NAMES), side, *sizes, state.n_outputs)
    parts = [
        _HEAD.pack(*head),
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


def read(blob: bytes) -> State:
    """Turn bytes back into a state, or say what is wrong with them."""
    start = blob[: len(_MAGIC)]
    if not start or not _MAGIC.startswith(start):
        raise SketchFormatError(f"these {len(blob)} bytes are not a sketch: they begin with {start!r}")
    if len(blob) < _HEAD.size + _CHECK.size:
        raise SketchFormatError(f"the sketch is cut short: it ends after {len(blob)} bytes")
    _, version, fraction, totals, side, *sizes, number = _HEAD.unpack_from(blob)
    if version != _VERSION:
        raise SketchFormatError(f"the sketch has the format version {version}; this uccurve reads {_VERSION}")
    body = blob[: -_CHECK.size]
    if _CHECK.unpack_from(blob, len(body))[0] != zlib.crc32(body):
        raise SketchFormatError("the sketch is cut short or damaged: its checksum does not match")
    if fraction != FRACTION_BITS or totals != len(NAMES) or side >= len(_SIDES) or not number:
        raise _damaged("it has other bins, totals, sides or outputs than this uccurve writes")
    try:
        state = _parse(body, sizes, number, _SIDES[side])
    except ValueError as error:
        raise _damaged("its tables do not end where it does") from error
    _check(state)
    return state


def _parse(body: bytes, sizes: list[int], number: int, side: Side) -> State:
    """Take numbers one after the other; ValueError if there are more or fewer of them."""
    place = _HEAD.size

    def take(kind: str, count: int) -> np.ndarray:
        nonlocal place
        found = np.frombuffer(body, dtype=kind, count=count, offset=place)
        place += found.nbytes
        return found.astype(kind[1:])

    def named(names: tuple[str, ...]) -> dict[str, float]:
        return dict(zip(names, take("<f8", len(names)).tolist(), strict=True))

    def table(size: int, width: int) -> BinTable:
        return BinTable(take("<i8", size), take("<f8", size), take("<f8", width * size).reshape(width, size))

    output_sizes = take("<u4", number if number > 1 else 0).tolist()
    totals = Totals(**named(NAMES))
    tables = dict(zip(TABLES, map(table, sizes, _COLUMNS), strict=True))
    outputs = []
    for size in output_sizes:
        numbers = named(OUTPUT_NAMES)
        outputs.append(Output(error=table(size, _ERROR_COLUMNS), **numbers))
    if place != len(body):
        raise ValueError(place)
    if outputs:
        tables["error"] = bins.merged([output.error for output in outputs])
    return State(**tables, totals=totals, outputs=tuple(outputs), side=side)


def _check(state: State) -> None:
    """Refuse what no curve can be made of: bins that do not rise, and numbers below 0."""
    for table in (*state.tables, state.error):
        if (table.bins[1:] <= table.bins[:-1]).any():
            raise _damaged("its bins do not rise")
        if not ((table.largest >= 0).all() and (table.sums >= 0).all()):
            raise _damaged("a number of its tables is below 0 or NaN")
    parts = [(state.totals, NAMES), *((output, OUTPUT_NAMES) for output in state.outputs)]
    for part, names in parts:
        for name in names:
            if not getattr(part, name) >= 0:
                raise _damaged(f"its total {name!r} is {getattr(part, name):g}")


def _damaged(reason: str) -> SketchFormatError:
    return SketchFormatError(f"the sketch is damaged: {reason}")
