"""Bins in frames of Polars from the bits of numbers, where its version can look at them."""

from __future__ import annotations

import inspect
from functools import cache
from typing import Any

from uccurve.formulas.bins import FRACTION_BITS, PER_OCTAVE

_FRACTION = 52
"""Bits of a float64 behind the exponent."""
_BIAS = 1023


@cache
def readable() -> bool:
    """Whether this version of Polars can take the bits of a float64 for a whole number."""
    import polars as pl  # noqa: PLC0415

    return "dtype" in inspect.signature(pl.Expr.reinterpret).parameters


def binned(frame: Any, name: str, octaves: int, zero: int) -> Any:
    """Add the bin of a column, ``zero`` for 0, as `_expression` defines it."""
    import polars as pl  # noqa: PLC0415

    value, edge = pl.col(name), octaves * PER_OCTAVE
    bits = value.reinterpret(dtype=pl.Int64)
    bin_ = bits // (1 << _FRACTION - FRACTION_BITS) - _BIAS * PER_OCTAVE
    return frame.with_columns(
        bin=pl.when(value == 0).then(float(zero)).otherwise(bin_.clip(-edge - 1, edge).cast(pl.Float64)),
    )
