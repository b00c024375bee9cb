"""The kernels in Triton: imported only where a card is to run them."""

from __future__ import annotations

from .bins import bin_sums
from .costs import costs_at_knots, sums_by_block
from .rows import critical_scales, row_sums

__all__ = [
    "bin_sums",
    "costs_at_knots",
    "critical_scales",
    "row_sums",
    "sums_by_block",
]
