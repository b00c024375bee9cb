"""The bins of `_kernels.bins` on the device of a tensor, as places in a table of fixed length."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from uccurve._base.arrays import to_numpy
from uccurve._kernels.bins import FRACTION_BITS, NEVER, PER_OCTAVE, ZERO, BinTable

_SHIFT = 52 - FRACTION_BITS
_BIAS = 1023 << FRACTION_BITS


def length(octaves: int) -> int:
    """Return how many places a table has: its bins, one bin beyond each end, and those of 0 and infinity."""
    return 2 * octaves * PER_OCTAVE + 4


def places(values: Tensor, octaves: int) -> Tensor:
    """Return the place of each number: the bins in order, then those of 0 and of infinity.

    The bin is read off the leading bits of the float64, as `_kernels.bins.bin_of` does.
    """
    edge = octaves * PER_OCTAVE
    bins = ((values.view(torch.int64) >> _SHIFT) - _BIAS).clamp_(-edge - 1, edge)
    bins += edge + 1
    return bins.masked_fill_(values == 0, 2 * edge + 2).masked_fill_(values == torch.inf, 2 * edge + 3)


def table(sums: Tensor, largest: Tensor, octaves: int) -> BinTable:
    """Copy the filled bins to a table of sketches; a bin is filled where it has a largest number."""
    edge = octaves * PER_OCTAVE
    filled = torch.nonzero(largest > -torch.inf)[:, 0]
    bins: np.ndarray = to_numpy(filled) - edge - 1
    bins = np.where(bins == edge + 1, ZERO, np.where(bins == edge + 2, NEVER, bins))
    order = np.argsort(bins)
    return BinTable(bins[order], to_numpy(largest[filled])[order], to_numpy(sums[:, filled])[:, order])
