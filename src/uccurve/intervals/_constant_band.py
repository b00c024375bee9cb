"""The constant band of rows: one for each output, the same on both sides or not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uccurve._base.arrays import namespace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve._base.type_aliases import Array
    from uccurve.intervals._checked_rows import Summary


def constant_bands(y_true: Array, summary: Summary, *, sides: bool) -> tuple[Array, Array | None]:
    """Return the lower and the upper band for every row; None for the upper one if both are the same."""
    if not sides:
        return over_rows(y_true, summary.widths), None
    lower, upper = zip(*summary.band_means, strict=True)
    return over_rows(y_true, lower), over_rows(y_true, upper)


def over_rows(y_true: Array, bands: Sequence[float]) -> Array:
    """Repeat the band of each output for every row."""
    xp = namespace(y_true)
    row = xp.asarray(bands, dtype=y_true.dtype, device=y_true.device)
    return xp.zeros_like(y_true) + (row if y_true.ndim > 1 else row[0])
