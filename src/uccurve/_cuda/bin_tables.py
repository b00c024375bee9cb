"""The tables of bins, made where the numbers are: on a card, with PyTorch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from uccurve._cuda import row_sums
from uccurve._kernels.bins import NEVER, PER_OCTAVE, ZERO, BinTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    Array = Any

_SHIFT = 52 - 8
_BIAS = 1023 << 8
_BLOCK = 512
_COPIES = 128
"""Tables that programs add to in turns, so that they seldom wait for each other."""


def is_on_card(array: Array) -> bool:
    """Whether an array is one that this module bins: a CUDA tensor of PyTorch."""
    return type(array).__module__ == "torch" and bool(getattr(array, "is_cuda", False))


def table(values: Array, columns: Sequence[Array | None], octaves: int) -> BinTable:
    """Return sums of columns by the bin of their values, as `bins.Tally` has them; None counts the rows."""
    import torch  # noqa: PLC0415

    edge = octaves * PER_OCTAVE
    bits = values.view(torch.int64)
    codes = ((bits >> _SHIFT) - (_BIAS - edge - 2)).clamp_(1, 2 * edge + 2)
    codes = torch.where(values == 0, torch.zeros_like(codes), codes)
    codes = torch.where(torch.isinf(values), torch.full_like(codes, 2 * edge + 3), codes)
    length = 2 * edge + 4
    counts = torch.bincount(codes, minlength=length)
    largest = torch.full((length,), -1, dtype=torch.int64, device=values.device)
    largest.scatter_reduce_(0, codes, bits, "amax")  # bits of numbers that are not negative rise with them
    sums = [
        counts.to(torch.float64)
        if column is None
        else torch.bincount(codes, weights=column, minlength=length)
        for column in columns
    ]
    return _kept(counts, torch.stack(sums), largest, edge)


class RowTables(NamedTuple):
    """Tables of all rows, and sums over them."""

    scale: BinTable
    error: BinTable
    root: float
    """Of the roots of the errors."""
    square: float
    """Of squared errors in the unit."""
    moment: float
    """Of errors in the unit times finite critical scales."""
    touching: float
    """Number of rows right on a bound."""


def row_tables(
    y_true: Array, y_pred: Array, band: Array, per_unit: float, scale_octaves: int, error_octaves: int
) -> RowTables:
    """Return both tables of rows with symmetric bands, in one read; `row_sums.usable` says whether it can."""
    import torch  # noqa: PLC0415

    edges = (scale_octaves * PER_OCTAVE, error_octaves * PER_OCTAVE)
    scales, errors = (2 * edge + 4 for edge in edges)
    device, n = y_true.device, y_true.shape[0]

    def zeros(*shape: int, dtype: Any) -> Array:
        return torch.zeros(shape, dtype=dtype, device=device)

    tables = [
        zeros(_COPIES, scales, dtype=torch.int32),
        zeros(_COPIES, 3, scales, dtype=torch.float64),
        zeros(_COPIES, scales, dtype=torch.int64),
        zeros(_COPIES, errors, dtype=torch.int32),
        zeros(_COPIES, 1, errors, dtype=torch.float64),
        zeros(_COPIES, errors, dtype=torch.int64),
    ]
    programs = 4 * row_sums.programs_for(n, device)
    found = torch.empty((programs, 4), dtype=torch.float64, device=device)
    unit = torch.tensor([per_unit], dtype=torch.float64, device=device)
    with torch.cuda.device(device):
        row_sums.kernels().bin_sums[(programs,)](
            y_true, y_pred, band, unit, *tables, found, n, programs, _COPIES, *edges, _BLOCK, num_warps=4
        )
    parts = []
    for (counts, sums, largest), edge in zip((tables[:3], tables[3:]), edges, strict=True):
        counted = counts.sum(0, dtype=torch.int64)
        columns = torch.cat([counted[None].to(torch.float64), sums.sum(0)])
        parts.append(_kept(counted, columns, largest.amax(0), edge))
    root, square, moment, touching = found.sum(0).tolist()
    return RowTables(parts[0], parts[1], root, square, moment, touching)


def _kept(counts: Array, sums: Array, largest: Array, edge: int) -> BinTable:
    """Return the bins that occur, on the CPU."""
    import torch  # noqa: PLC0415

    kept = torch.nonzero(counts)[:, 0]
    bins = kept.cpu().numpy() - (edge + 2)
    bins = np.where(bins == -edge - 2, ZERO, np.where(bins == edge + 1, NEVER, bins))
    return BinTable(bins, largest[kept].view(torch.float64).cpu().numpy(), sums[:, kept].cpu().numpy())
