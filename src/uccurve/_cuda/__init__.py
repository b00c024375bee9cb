"""The sums of checks, areas and gains on an NVIDIA GPU, in one read of the columns.

PyTorch and Triton are imported on first use. `_kernels` has the same sums for every other array.
"""

from uccurve._cuda._row_sums import AreaSums, RowSums, row_sums

__all__ = ["AreaSums", "RowSums", "row_sums"]
