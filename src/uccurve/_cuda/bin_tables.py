"""The tables of bins on tensors of PyTorch, made on their device."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from uccurve._cuda import row_sums
from uccurve._kernels.bins import FRACTION_BITS, NEVER, PER_OCTAVE, ZERO, BinTable, Tally

if TYPE_CHECKING:
    from collections.abc import Sequence

    Array = Any

_SHIFT = 52 - FRACTION_BITS
_BIAS = 1023 << FRACTION_BITS
_BLOCK = 256
_WARPS = 8
_COPIES = 64
"""Tables that programs add to in turns, so that they seldom wait for each other."""
_SINGLE_OCTAVES = 150
"""Differences of float32 numbers that are not 0 lie within 2^±150."""


def is_on_card(array: Array) -> bool:
    """Whether an array is one that `CardTally` bins: a CUDA tensor of PyTorch."""
    return type(array).__module__ == "torch" and bool(getattr(array, "is_cuda", False))


def length(octaves: int) -> int:
    """Return how many places a table has: its bins, one bin beyond each end, and those of 0 and infinity."""
    return 2 * octaves * PER_OCTAVE + 4


def places(values: Array, octaves: int) -> Array:
    """Return the place of each float64 number: that of 0 comes first, then the bins in order, then infinity.

    The bin is read off the leading bits, as `_kernels.bins.bin_of` does.
    """
    import torch  # noqa: PLC0415

    edge = octaves * PER_OCTAVE
    found = ((values.view(torch.int64) >> _SHIFT) - _BIAS).clamp_(-edge - 1, edge)
    found += edge + 2
    return found.masked_fill_(values == 0, 0).masked_fill_(values == torch.inf, 2 * edge + 3)


def filled_bins(filled: Array, sums: Array, largest: Array, octaves: int) -> BinTable:
    """Copy the filled places of a table to the CPU, as bins."""
    import torch  # noqa: PLC0415

    edge, kept = octaves * PER_OCTAVE, torch.nonzero(filled)[:, 0]
    bins = kept.cpu().numpy() - (edge + 2)
    bins = np.where(bins == -edge - 2, ZERO, np.where(bins == edge + 1, NEVER, bins))
    return BinTable(bins, largest[kept].cpu().numpy(), sums[:, kept].cpu().numpy())


class CardTally(Tally):
    """Sums by bin of rows on a card."""

    def add(self, values: Array, columns: Sequence[Array | None]) -> None:
        """Add the columns of rows to the bins of their values; None counts the rows."""
        import torch  # noqa: PLC0415

        place, size = places(values, self.octaves), length(self.octaves)
        counts = torch.bincount(place, minlength=size)
        largest = torch.zeros(size, dtype=torch.int64, device=values.device)
        # Bits of numbers that are not negative rise with them.
        largest.scatter_reduce_(0, place, values.view(torch.int64), "amax")
        sums = [
            counts.to(torch.float64)
            if column is None
            else torch.bincount(place, weights=column, minlength=size)
            for column in columns
        ]
        self.include(filled_bins(counts > 0, torch.stack(sums), largest.view(torch.float64), self.octaves))


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

    if y_true.dtype == y_pred.dtype == torch.float32:
        error_octaves = min(error_octaves, _SINGLE_OCTAVES)
    octaves = (scale_octaves, error_octaves)
    device, n = y_true.device, y_true.shape[0]
    sums, largest = [], []
    for number, columns in zip(octaves, (4, 2), strict=True):
        shape = (_COPIES, length(number))
        sums.append(torch.zeros((*shape, columns), dtype=torch.float64, device=device))
        largest.append(torch.zeros(shape, dtype=torch.int64, device=device))
    programs = 4 * row_sums.programs_for(n, device)
    found = torch.empty((programs, 4), dtype=torch.float64, device=device)
    unit = torch.tensor([per_unit], dtype=torch.float64, device=device)
    with torch.cuda.device(device):
        row_sums.kernels().bin_sums[(programs,)](
            y_true,
            y_pred,
            band,
            unit,
            sums[0],
            largest[0],
            sums[1],
            largest[1],
            found,
            n,
            programs,
            _COPIES,
            0,
            SCALE_EDGE=PER_OCTAVE * scale_octaves,
            ERROR_EDGE=PER_OCTAVE * error_octaves,
            BLOCK=_BLOCK,
            num_warps=_WARPS,
        )
    scale, error = (
        filled_bins(added[0] > 0, added, most.amax(0).view(torch.float64), number)
        for added, most, number in zip((part.sum(0).T for part in sums), largest, octaves, strict=True)
    )
    return RowTables(scale, error, *found.sum(0).tolist())
